/** Reads the pull requests behind commits from GitHub's GraphQL API. */
import type * as z from 'zod/mini';
import { quote } from '../text/escape.ts';
import { isObjectId } from '../text/id.ts';
import { type createClient, repositoryQuery } from './client.ts';
import { GitHubError, unlessNotFound } from './errors.ts';
import type { CodePull, CommitToAsk, PullsBehind, PullsOfCommit } from './github.ts';
import { codePullSchema, pullsOfCommitSchema, repositorySchema } from './shapes.ts';

/** GitHub ends a query after 10 s, which limits its size. */
const COMMITS_OF_A_QUERY = 50;
/** A commit may go through several pull requests: into a branch, and with it into the next one. */
const PULLS_OF_A_COMMIT = 5;
/** The most that GitHub lists at once. */
const LABELS_OF_A_PULL = 100;

const FRAGMENT = `fragment P on PullRequest {
  number title body merged mergedAt mergeCommit { oid } author { login }
  labels(first: ${LABELS_OF_A_PULL}) { nodes { name } } baseRepository { nameWithOwner }
}`;

type AskGraphQl = ReturnType<typeof createClient>['query'];
type Response = z.infer<typeof repositorySchema>;

/**
 * Asks until the first failure. `repository` is `owner/name`. Returns `undefined` without such an
 * API. Rejects only with the signal's reason.
 */
export async function pullsBehind(
  query: AskGraphQl,
  repository: string,
  commits: readonly CommitToAsk[],
): Promise<PullsBehind | undefined> {
  const asked = commits.filter(({ sha }) => isObjectId(sha));
  const found: PullsOfCommit[] = [];
  for (let at = 0; at < asked.length; at += COMMITS_OF_A_QUERY) {
    const some = asked.slice(at, at + COMMITS_OF_A_QUERY);
    try {
      const response = await ask(query, repository, some);
      if (response === undefined) return undefined;
      found.push(...pullsIn(response, repository, some));
      const error = errorIn(response);
      if (error !== undefined) return { found, error };
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      return { found, error };
    }
  }
  return { found, error: undefined };
}

const WHAT = 'Reading the pull requests behind the commits';

/** Returns `undefined` for an engine or an older server without this API. */
function ask(query: AskGraphQl, repository: string, commits: readonly CommitToAsk[]) {
  const listed = commits.map(
    ({ sha }) =>
      `c${sha}: object(oid: "${sha}") { ... on Commit { associatedPullRequests(first: ${PULLS_OF_A_COMMIT}) { nodes { ...P } } } }`,
  );
  const numbers = new Set(commits.map(({ named }) => named).filter((one) => one !== undefined));
  const named = [...numbers].map((number) => `p${number}: pullRequest(number: ${number}) { ...P }`);
  const request = repositoryQuery(repository, [...new Set(listed), ...named], FRAGMENT);
  return unlessNotFound(() => query(WHAT, repositorySchema, request));
}

function pullsIn(
  { data }: Response,
  repository: string,
  commits: readonly CommitToAsk[],
): readonly PullsOfCommit[] {
  const fields = data?.repository ?? {};
  const pullIn = (value: unknown) => ownPull(value, repository);
  return commits.map(({ sha, named }) => {
    const commit = pullsOfCommitSchema.safeParse(fields[`c${sha}`]).data;
    const listed = (commit?.associatedPullRequests?.nodes ?? []).map(pullIn);
    return {
      sha,
      listed: listed.filter((pull) => pull !== undefined),
      named: named === undefined ? undefined : pullIn(fields[`p${named}`]),
    };
  });
}

/** Returns `undefined` for anything but a pull request of this repository. */
function ownPull(value: unknown, name: string): CodePull | undefined {
  const { data } = codePullSchema.safeParse(value);
  if (data?.repository?.toLowerCase() !== name.toLowerCase()) return undefined;
  const { repository: _, ...pull } = data;
  return pull;
}

/**
 * Finds the failure in a response. Unreadable data, for example without the permission, is null
 * with an error beside it. A number that names no pull request is also an error, but no failure.
 * https://docs.github.com/graphql/guides/using-graphql-clients#errors
 */
function errorIn({ data, errors }: Response): GitHubError | undefined {
  const failures = (errors ?? []).filter(({ type }) => type !== 'NOT_FOUND');
  const isMissing = data?.repository === undefined || data.repository === null;
  if (failures.length === 0 && !isMissing) return undefined;
  const said = (failures[0] ?? errors?.[0])?.message ?? 'no data';
  const isForbidden = failures.some(({ type }) => type === 'FORBIDDEN');
  const message = `${WHAT} failed: GitHub said ${quote(said)}`;
  return new GitHubError(isForbidden ? 'forbidden' : 'failed', message);
}
