/** Reads pull requests: by number, by link, and behind commits. */
import * as z from 'zod/mini';
import { quote } from '../text/escape.ts';
import { pullName, pullRequestOf } from '../text/words.ts';
import { createReader, type GitHubAccess, GitHubError, nothingIf, ownerAndRepo } from './client.ts';

const repo = z.object({ full_name: z.string() });
const labelNames = z.pipe(
  z.array(z.object({ name: z.string() })),
  z.transform((labels): readonly string[] => labels.map(({ name }) => name)),
);
/** https://docs.github.com/rest/pulls/pulls#get-a-pull-request */
const pullSchema = z.pipe(
  z.object({
    number: z.int(),
    title: z.string(),
    body: z.catch(z.string(), ''),
    state: z.enum(['open', 'closed']),
    merged: z.boolean(),
    merge_commit_sha: z.nullish(z.string()),
    // Null if the account was deleted, and so is the repository of the head.
    user: z.nullish(z.object({ login: z.string() })),
    labels: labelNames,
    head: z.object({ sha: z.string(), ref: z.string(), repo: z.nullish(repo) }),
    base: z.object({ ref: z.string(), repo }),
  }),
  z.transform(({ state, merged, merge_commit_sha: commit, user, head, base, ...pull }) => ({
    ...pull,
    author: user?.login,
    state: merged ? ('merged' as const) : state,
    head: head.sha,
    headBranch: head.ref,
    isFromFork: head.repo?.full_name !== base.repo.full_name,
    baseBranch: base.ref,
    /** What a merge, squash or rebase made. (GitHub gives a test merge of one that is open.) */
    mergeCommit: (merged && commit) || undefined,
  })),
);
const docsPullSchema = z.intersection(pullSchema, z.object({ changed_files: z.int() }));
/** https://docs.github.com/rest/pulls/pulls#list-pull-requests-files */
const pagesSchema = z.pipe(
  z.array(z.object({ filename: z.string(), additions: z.int(), deletions: z.int() })),
  z.transform((files) => files.map(({ filename: path, ...lines }) => ({ path, ...lines }))),
);

/** A pull request of this repository. Its texts are untrusted. */
export type PullRequest = Readonly<z.infer<typeof pullSchema>>;

/** What the prompt says about one that brought a commit. */
export type CodePull = Pick<PullRequest, 'number' | 'title' | 'body' | 'author' | 'labels'>;

export interface ReadableDocsPull {
  readonly number: number;
  readonly repository: string;
  readonly title: string;
  readonly branch: string;
  /** The first changed files, at most 100 of `pageCount`. */
  readonly pages: Readonly<z.infer<typeof pagesSchema>>;
  readonly pageCount: number;
}

const MAX_ASKED = 300;
/** GitHub ends a query after 10 s, which limits its size. */
const COMMITS_OF_A_QUERY = 50;
/** A commit may go through several pull requests: into a branch, and with it into the next one. */
const FRAGMENT = `fragment Pulls on Commit { associatedPullRequests(first: 5) { nodes {
  number title body mergedAt author { __typename login }
  labels(first: 100) { nodes { name } } baseRepository { nameWithOwner }
} } }`;

/** https://docs.github.com/graphql/reference/objects#pullrequest */
const listedPullSchema = z.pipe(
  z.object({
    number: z.int(),
    title: z.string(),
    body: z.string(),
    mergedAt: z.nullable(z.string()),
    author: z.nullable(z.object({ __typename: z.string(), login: z.string() })),
    labels: z.nullable(z.object({ nodes: labelNames })),
    baseRepository: z.nullable(z.object({ nameWithOwner: z.string() })),
  }),
  z.transform(({ author, labels, ...pull }) => ({
    ...pull,
    // REST writes `mintlify[bot]`, and GraphQL `mintlify`.
    author: author?.__typename === 'Bot' ? `${author.login}[bot]` : author?.login,
    labels: labels?.nodes ?? [],
  })),
);
type ListedPull = z.infer<typeof listedPullSchema>;
/** https://docs.github.com/graphql/reference/objects#commit */
const listingSchema = z.object({
  associatedPullRequests: z.object({ nodes: z.array(listedPullSchema) }),
});
const listingsSchema = z.object({
  data: z.object({ repository: z.record(z.string(), z.nullable(listingSchema)) }),
});

export function pullRequestReader(access: GitHubAccess) {
  const { facts } = access;
  const own = ownerAndRepo(facts.repository);
  // On GitHub Enterprise Server, `https://<host>/api/v3` becomes `https://<host>/api/graphql`.
  const graphqlUrl = `${facts.apiUrl.replace(/\/v3$/, '')}/graphql`;
  const read = createReader(access, 'pull-requests: read');
  /** For pull requests that the token often may not see. */
  const readOnce = createReader(access, 'pull-requests: read', 1);

  /** Where a link points to. `undefined` if that is on another server, which may not get the token. */
  function placeOf(link: string) {
    const linked = pullRequestOf(link);
    if (linked === undefined || new URL(link).origin !== new URL(facts.serverUrl).origin)
      return undefined;
    return { ...ownerAndRepo(linked.repository), pull_number: Number(linked.number) };
  }

  async function listPullsBehind(ids: readonly string[]) {
    const fields = ids.map((id, n) => `c${n}: object(oid: "${id}") { ...Pulls }`);
    const query = `query($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { ${fields.join('\n')} } } ${FRAGMENT}`;
    const { data } = await read('Reading pull requests', listingsSchema, (octokit) =>
      octokit.request(`POST ${graphqlUrl}`, { query, variables: own }),
    );
    return ids.flatMap((id, n) => {
      const listed = data.repository[`c${n}`]?.associatedPullRequests.nodes ?? [];
      const pull = pullBehind(listed, facts.repository);
      return pull === undefined ? [] : [[id, pull] as const];
    });
  }

  return {
    pullRequest(number: number): Promise<PullRequest> {
      return read(`Reading pull request \`#${number}\``, pullSchema, ({ rest }) =>
        rest.pulls.get({ ...own, pull_number: number }),
      );
    },

    /** `unreadable` for this token. `elsewhere`: not on this server, or no pull request at all. */
    async docsPullState(link: string) {
      const place = placeOf(link);
      if (place === undefined) return 'elsewhere';
      const what = `Reading pull request \`${pullName(link)}\``;
      const pull = await read(what, pullSchema, ({ rest }) => rest.pulls.get(place)).catch(
        nothingIf(({ status }) => status !== undefined),
      );
      return pull?.state ?? 'unreadable';
    },

    /** For the summary. `undefined` if it is elsewhere. */
    async docsPull(link: string): Promise<ReadableDocsPull | undefined> {
      const place = placeOf(link);
      if (place === undefined) return undefined;
      const [pull, pages] = await Promise.all([
        readOnce('Reading the docs pull request', docsPullSchema, ({ rest }) =>
          rest.pulls.get(place),
        ),
        readOnce('Listing its files', pagesSchema, ({ rest }) =>
          rest.pulls.listFiles({ ...place, per_page: 100 }),
        ),
      ]);
      const { number, title, headBranch: branch, changed_files: pageCount } = pull;
      const repository = `${place.owner}/${place.repo}`;
      return { number, repository, title, branch, pages, pageCount };
    },

    /** Those of the newest 300 commits, up to a failure. Rejects only with the signal's reason. */
    async pullsBehind(commits: readonly { readonly sha: string }[]) {
      const byCommit = new Map<string, CodePull>();
      const ids = commits.slice(-MAX_ASKED).map(({ sha }) => sha);
      try {
        for (let at = 0; at < ids.length; at += COMMITS_OF_A_QUERY) {
          const pulls = await listPullsBehind(ids.slice(at, at + COMMITS_OF_A_QUERY));
          for (const [id, pull] of pulls) byCommit.set(id, pull);
        }
        return { byCommit, warning: undefined };
      } catch (error) {
        if (!(error instanceof GitHubError)) throw error;
        return { byCommit, warning: warningOf(error.failure.said) };
      }
    },
  };
}

function warningOf(said: string): string {
  const failed = `The pull requests behind the commits could not be read: GitHub's API said ${quote(said)}.`;
  return said.includes('not accessible by')
    ? `${failed} Give the workflow job \`pull-requests: read\` to include them.`
    : failed;
}

/** The one merged first. Those into other repositories don't count, because strangers write them. */
function pullBehind(listed: readonly ListedPull[], repository: string): CodePull | undefined {
  const isOwn = ({ baseRepository }: ListedPull) =>
    baseRepository?.nameWithOwner.toLowerCase() === repository.toLowerCase();
  const merged = listed.filter((pull) => pull.mergedAt !== null && isOwn(pull));
  return merged.sort((a, b) => `${a.mergedAt}`.localeCompare(`${b.mergedAt}`))[0];
}
