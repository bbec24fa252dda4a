/** Finds the pull requests behind commits, which say why a change was made. */
import { z } from 'zod';
import { quote } from '../text/escape.ts';
import type { Client } from './client.ts';
import type { CodePull, Commit } from './commits.ts';
import { GitHubError } from './errors.ts';

/** The most commits to ask about, newest first. */
const MAX_COMMITS = 300;
/** GitHub ends a query after 10 s, which limits its size. */
const COMMITS_OF_A_QUERY = 50;
/** A commit may go through several pull requests: into a branch, and with it into the next one. */
const PULLS_OF_A_COMMIT = 5;

const FRAGMENT = `fragment Pulls on Commit { associatedPullRequests(first: ${PULLS_OF_A_COMMIT}) { nodes {
  number title body merged mergedAt mergeCommit { oid } author { __typename login }
  labels(first: 100) { nodes { name } } baseRepository { nameWithOwner }
} } }`;

export interface PullsBehind {
  readonly byCommit: ReadonlyMap<string, CodePull>;
  /** A sentence or two that say what is missing, and why. */
  readonly warning: string | undefined;
}

/** https://docs.github.com/graphql/reference/objects#pullrequest */
const pullSchema = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string(),
  merged: z.boolean(),
  mergedAt: z.string().nullable(),
  /** Not there for some seconds after the merge. */
  mergeCommit: z.object({ oid: z.string() }).nullable(),
  author: z.object({ __typename: z.string(), login: z.string() }).nullable(),
  labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }).nullable(),
  baseRepository: z.object({ nameWithOwner: z.string() }).nullable(),
});
type ListedPull = z.infer<typeof pullSchema>;
/** https://docs.github.com/graphql/reference/objects#commit */
const commitSchema = z.object({ associatedPullRequests: z.object({ nodes: z.array(pullSchema) }) });
const responseSchema = z.object({
  data: z.object({ repository: z.record(z.string(), commitSchema.nullable()) }),
});

/** Finds the pull requests behind the newest 300 commits. Asks until the first failure. */
export async function readPullsBehind(
  client: Client,
  commits: readonly Commit[],
): Promise<PullsBehind> {
  const byCommit = new Map<string, CodePull>();
  const newest = commits.slice(-MAX_COMMITS);
  try {
    for (let at = 0; at < newest.length; at += COMMITS_OF_A_QUERY) {
      const asked = newest.slice(at, at + COMMITS_OF_A_QUERY);
      for (const [sha, pull] of await ask(client, asked)) byCommit.set(sha, pull);
    }
    return { byCommit, warning: undefined };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return { byCommit, warning: warningOf(error.said) };
  }
}

function warningOf(said: string): string {
  const failed = `The pull requests behind the commits could not be read: GitHub's API said ${quote(said)}.`;
  return said.includes('not accessible by')
    ? `${failed} Give the workflow job \`pull-requests: read\` to include them.`
    : failed;
}

async function ask({ own, graphqlUrl, read }: Client, commits: readonly Commit[]) {
  const fields = commits.map(({ sha }, n) => `c${n}: object(oid: "${sha}") { ...Pulls }`);
  const query = `query($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { ${fields.join('\n')} } } ${FRAGMENT}`;
  const { data } = await read(
    'Reading pull requests',
    'pull-requests: read',
    responseSchema,
    (octokit) => octokit.request(`POST ${graphqlUrl}`, { query, variables: own }),
  );
  return commits.flatMap(({ sha }, n) => {
    const listed = data.repository[`c${n}`]?.associatedPullRequests.nodes ?? [];
    const pull = pullBehind(sha, listed, `${own.owner}/${own.repo}`);
    return pull === undefined ? [] : [[sha, toCodePull(pull)] as const];
  });
}

/**
 * Picks a commit's pull request: of several merged ones (a feature, then `develop` into `main`), the
 * one that became this commit, or else the one merged first. Pull requests into other repositories don't count,
 * because strangers write them.
 */
function pullBehind(sha: string, listed: readonly ListedPull[], repository: string) {
  const isOwn = ({ baseRepository }: ListedPull) =>
    baseRepository?.nameWithOwner.toLowerCase() === repository.toLowerCase();
  const merged = listed
    .filter((pull) => pull.merged && isOwn(pull))
    .sort((a, b) => ((a.mergedAt ?? '') < (b.mergedAt ?? '') ? -1 : 1));
  return merged.find(({ mergeCommit }) => mergeCommit?.oid === sha) ?? merged[0];
}

const toCodePull = ({ number, title, body, author, labels }: ListedPull): CodePull => ({
  number,
  title,
  body,
  // REST writes `mintlify[bot]`, and GraphQL `mintlify`.
  author: author?.__typename === 'Bot' ? `${author.login}[bot]` : author?.login,
  labels: labels?.nodes.map(({ name }) => name) ?? [],
});
