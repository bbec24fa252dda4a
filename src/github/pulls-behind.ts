/** The pull requests behind commits, from GitHub's GraphQL API. */
import * as z from 'zod/mini';
import { GitHubError, unlessNotFound } from '../model/errors.ts';
import { quote } from '../text/escape.ts';
import { type createClient, repositoryQuery } from './client.ts';
import {
  type CommitToAsk,
  type PullsOfCommit,
  SomePullsMissing,
  type SourcePull,
} from './github.ts';

const COMMITS_OF_A_QUERY = 100;
/** A query for so few commits that GitHub ends is asked again as it is. */
const MIN_SPLIT = 10;
/** A commit may go through several pull requests: into a branch, and with that into the next one. */
const PULLS_OF_A_COMMIT = 10;
const LABELS_OF_A_PULL = 50;

const FRAGMENT = `fragment P on PullRequest {
  number title body merged mergedAt mergeCommit { oid } author { __typename login }
  labels(first: ${LABELS_OF_A_PULL}) { nodes { name } } baseRepository { nameWithOwner }
}`;

const pullSchema = z.object({
  number: z.number(),
  title: z.string(),
  body: z.nullish(z.string()),
  merged: z.boolean(),
  mergedAt: z.nullish(z.string()),
  mergeCommit: z.nullish(z.object({ oid: z.string() })),
  author: z.nullish(z.object({ __typename: z.nullish(z.string()), login: z.string() })),
  labels: z.nullish(
    z.object({ nodes: z.nullish(z.array(z.nullish(z.object({ name: z.string() })))) }),
  ),
  baseRepository: z.nullish(z.object({ nameWithOwner: z.string() })),
});
const commitSchema = z.object({
  associatedPullRequests: z.nullish(z.object({ nodes: z.nullish(z.array(z.unknown())) })),
});
const errorsSchema = z.array(
  z.object({ type: z.nullish(z.string()), message: z.nullish(z.string()) }),
);
const responseSchema = z.object({
  data: z.nullish(z.object({ repository: z.nullish(z.record(z.string(), z.unknown())) })),
  errors: z.nullish(errorsSchema),
});

type AskGraphQl = ReturnType<typeof createClient>['query'];

/** `repository`: `owner/name`. Rejects with a `GitHubError`, `SomePullsMissing` if a part was read. */
export async function pullsBehind(
  query: AskGraphQl,
  repository: string,
  commits: readonly CommitToAsk[],
): Promise<readonly PullsOfCommit[] | undefined> {
  const found: PullsOfCommit[] = [];
  const waiting = chunksOf(
    commits.filter(({ sha }) => OBJECT_ID.test(sha)),
    COMMITS_OF_A_QUERY,
  );
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const mayBeSplit = part.length > MIN_SPLIT;
    const answer = await ask(query, repository, part, mayBeSplit).catch((error: unknown) => {
      if (error instanceof GitHubError) return error;
      throw error;
    });
    if (answer === undefined) return undefined;
    if (!(answer instanceof GitHubError)) found.push(...answer);
    else if (answer.kind === 'too-slow' && mayBeSplit) {
      waiting.unshift(...chunksOf(part, Math.ceil(part.length / 2)));
    } else {
      if (answer instanceof SomePullsMissing) found.push(...answer.found);
      throw found.length === 0 ? answer : new SomePullsMissing(answer, found);
    }
  }
  return found;
}

const OBJECT_ID = /^[\da-f]{1,64}$/;

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}

const WHAT = 'Reading the pull requests behind the commits';

async function ask(
  query: AskGraphQl,
  repository: string,
  commits: readonly CommitToAsk[],
  mayBeSplit: boolean,
): Promise<readonly PullsOfCommit[] | undefined> {
  const listed = commits.map(
    ({ sha }) =>
      `c${sha}: object(oid: "${sha}") { ... on Commit { associatedPullRequests(first: ${PULLS_OF_A_COMMIT}) { nodes { ...P } } } }`,
  );
  const numbers = new Set(commits.map(({ named }) => named).filter((one) => one !== undefined));
  const named = [...numbers].map((number) => `p${number}: pullRequest(number: ${number}) { ...P }`);
  const request = repositoryQuery(repository, [...new Set(listed), ...named], FRAGMENT);
  // An engine or an older server without this API.
  const response = await unlessNotFound(() => query(WHAT, responseSchema, request, mayBeSplit));
  if (response === undefined) return undefined;
  const { repository: data } = response.data ?? {};
  if (data === undefined || data === null) throw errorIn(response.errors ?? []);
  const pullIn = (value: unknown) => pullOf(value, repository);
  const found = commits.map(({ sha, named: number }): PullsOfCommit => {
    const nodes = commitSchema.safeParse(data[`c${sha}`]).data?.associatedPullRequests?.nodes ?? [];
    return {
      sha,
      listed: nodes.map(pullIn).filter((pull) => pull !== undefined),
      named: number === undefined ? undefined : pullIn(data[`p${number}`]),
    };
  });
  // What cannot be read, for example without the permission, is null, and an error beside it says so.
  // A number that names no pull request is an error as well.
  const errors = (response.errors ?? []).filter(({ type }) => type !== 'NOT_FOUND');
  if (errors.length === 0) return found;
  const some = found.filter((one) => one.listed.length > 0 || one.named !== undefined);
  throw some.length === 0 ? errorIn(errors) : new SomePullsMissing(errorIn(errors), some);
}

/** https://docs.github.com/graphql/guides/using-graphql-clients#errors */
function errorIn(errors: z.infer<typeof errorsSchema>): GitHubError {
  const types = errors.map(({ type }) => type);
  const said = errors[0]?.message ?? 'no data';
  const kind = types.includes('FORBIDDEN')
    ? 'forbidden'
    : types.includes('RATE_LIMITED')
      ? 'rate-limited'
      : /timeout|something went wrong/i.test(said)
        ? 'too-slow'
        : 'failed';
  return new GitHubError(kind, `${WHAT} failed. GitHub said: ${quote(said)}`);
}

/** `undefined` for anything but a pull request of this repository. */
function pullOf(value: unknown, repository: string): SourcePull | undefined {
  const { data } = pullSchema.safeParse(value);
  const isOwn = data?.baseRepository?.nameWithOwner.toLowerCase() === repository.toLowerCase();
  if (data === undefined || !isOwn) return undefined;
  const labels = data.labels?.nodes ?? [];
  return {
    number: data.number,
    title: data.title,
    body: data.body ?? '',
    author: data.author?.login,
    isByBot: data.author?.__typename === 'Bot' || /\[bot\]$/.test(data.author?.login ?? ''),
    labels: labels.map((label) => label?.name).filter((name) => name !== undefined),
    isMerged: data.merged,
    mergedAt: data.mergedAt ?? '',
    mergeCommit: data.mergeCommit?.oid,
  };
}
