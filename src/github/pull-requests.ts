/** Reads pull requests: by number, by link, and behind commits. */
import { z } from 'zod';
import { quote } from '../text/escape.ts';
import { pullRequestOf } from '../text/words.ts';
import { type Client, GitHubError } from './client.ts';

const repo = z.object({ full_name: z.string() });
const labelNames = z.array(z.object({ name: z.string() }).transform(({ name }) => name)).readonly();
/** https://docs.github.com/rest/pulls/pulls#get-a-pull-request */
const pullSchema = z
  .object({
    number: z.int(),
    title: z.string(),
    body: z.string().nullish(),
    state: z.enum(['open', 'closed']),
    merged: z.boolean(),
    merge_commit_sha: z.string().nullish(),
    // Null if the account was deleted, and so is the repository of the head.
    user: z.object({ login: z.string() }).nullish(),
    labels: labelNames,
    head: z.object({ sha: z.string(), ref: z.string(), repo: repo.nullish() }),
    base: z.object({ ref: z.string(), repo }),
  })
  .transform(({ number, title, body, user, labels, head, base, ...pull }) => ({
    number,
    title,
    body: body ?? '',
    author: user?.login,
    labels,
    state: pull.merged ? ('merged' as const) : pull.state,
    head: head.sha,
    headBranch: head.ref,
    isFromFork: head.repo?.full_name !== base.repo.full_name,
    baseBranch: base.ref,
    /** What a merge, squash or rebase made. (GitHub gives a test merge of one that is open.) */
    mergeCommit: (pull.merged && pull.merge_commit_sha) || undefined,
  }));

/** A pull request of this repository. Its texts are untrusted. */
export type PullRequest = Readonly<z.infer<typeof pullSchema>>;

/** What the prompt says about one that brought a commit. */
export type CodePull = Pick<PullRequest, 'number' | 'title' | 'body' | 'author' | 'labels'>;

const docsPullSchema = pullSchema.and(z.object({ changed_files: z.int() }));
/** https://docs.github.com/rest/pulls/pulls#list-pull-requests-files */
const pagesSchema = z.array(
  z
    .object({ filename: z.string(), additions: z.int(), deletions: z.int() })
    .transform(({ filename: path, ...lines }) => ({ path, ...lines })),
);

export interface ReadableDocsPull {
  readonly kind: PullRequest['state'];
  readonly number: number;
  readonly repository: string;
  readonly title: string;
  readonly branch: string;
  /** The first changed files, at most 100 of `pageCount`. */
  readonly pages: Readonly<z.infer<typeof pagesSchema>>;
  readonly pageCount: number;
}

/** The most commits to ask about, newest first. */
const MAX_COMMITS = 300;
/** GitHub ends a query after 10 s, which limits its size. */
const COMMITS_OF_A_QUERY = 50;
/** A commit may go through several pull requests: into a branch, and with it into the next one. */
const PULLS_OF_A_COMMIT = 5;
const FRAGMENT = `fragment Pulls on Commit { associatedPullRequests(first: ${PULLS_OF_A_COMMIT}) { nodes {
  number title body merged mergedAt author { __typename login }
  labels(first: 100) { nodes { name } } baseRepository { nameWithOwner }
} } }`;

/** https://docs.github.com/graphql/reference/objects#pullrequest */
const listedPullSchema = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string(),
  merged: z.boolean(),
  mergedAt: z.string().nullable(),
  author: z
    .object({ __typename: z.string(), login: z.string() })
    .nullable()
    // REST writes `mintlify[bot]`, and GraphQL `mintlify`.
    .transform((author) => (author?.__typename === 'Bot' ? `${author.login}[bot]` : author?.login)),
  labels: z
    .object({ nodes: labelNames })
    .nullable()
    .transform((labels) => labels?.nodes ?? []),
  baseRepository: z.object({ nameWithOwner: z.string() }).nullable(),
});
type ListedPull = z.infer<typeof listedPullSchema>;
/** https://docs.github.com/graphql/reference/objects#commit */
const listingSchema = z.object({
  associatedPullRequests: z.object({ nodes: z.array(listedPullSchema) }),
});
const listingsSchema = z.object({
  data: z.object({ repository: z.record(z.string(), listingSchema.nullable()) }),
});

interface HasSha {
  readonly sha: string;
}

export function pullRequestReader({ own, serverUrl, graphqlUrl, read }: Client) {
  const permission = 'pull-requests: read';

  async function listPullsBehind(commits: readonly HasSha[]) {
    const fields = commits.map(({ sha }, n) => `c${n}: object(oid: "${sha}") { ...Pulls }`);
    const query = `query($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { ${fields.join('\n')} } } ${FRAGMENT}`;
    const { data } = await read('Reading pull requests', permission, listingsSchema, (octokit) =>
      octokit.request(`POST ${graphqlUrl}`, { query, variables: own }),
    );
    return commits.flatMap(({ sha }, n) => {
      const listed = data.repository[`c${n}`]?.associatedPullRequests.nodes ?? [];
      const pull = pullBehind(listed, `${own.owner}/${own.repo}`);
      return pull === undefined ? [] : [[sha, pull] as const];
    });
  }

  return {
    pullRequest(number: number): Promise<PullRequest> {
      return read(`Reading pull request \`#${number}\``, permission, pullSchema, ({ rest }) =>
        rest.pulls.get({ ...own, pull_number: number }),
      );
    },

    /**
     * The pull request that a link points to. `unreadable` if the token can't read it, or if it is
     * on another server, which may not get the token.
     */
    async docsPull(link: string): Promise<ReadableDocsPull | { readonly kind: 'unreadable' }> {
      const linked = pullRequestOf(link);
      if (linked === undefined || new URL(link).origin !== new URL(serverUrl).origin) {
        return { kind: 'unreadable' };
      }
      const { repository } = linked;
      const number = Number(linked.number);
      const [owner = '', name = ''] = repository.split('/');
      const parameters = { owner, repo: name, pull_number: number };
      const what = `Reading pull request \`${repository}#${number}\``;
      try {
        const pull = await read(what, permission, docsPullSchema, ({ rest }) =>
          rest.pulls.get(parameters),
        );
        const pages = await read(what, permission, pagesSchema, ({ rest }) =>
          rest.pulls.listFiles({ ...parameters, per_page: 100 }),
        );
        const { state: kind, title, headBranch: branch, changed_files: pageCount } = pull;
        return { kind, number, repository, title, branch, pages, pageCount };
      } catch (error) {
        if (error instanceof GitHubError && !error.failure.mayPass) return { kind: 'unreadable' };
        throw error;
      }
    },

    /**
     * The pull requests that brought the newest 300 commits, up to the first failure, which the
     * warning explains. Rejects only with the signal's reason.
     */
    async pullsBehind(commits: readonly HasSha[]) {
      const byCommit = new Map<string, CodePull>();
      const newest = commits.slice(-MAX_COMMITS);
      try {
        for (let at = 0; at < newest.length; at += COMMITS_OF_A_QUERY) {
          const pulls = await listPullsBehind(newest.slice(at, at + COMMITS_OF_A_QUERY));
          for (const [sha, pull] of pulls) byCommit.set(sha, pull);
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

/**
 * Of several merged ones (a feature, then `develop` into `main`), the one merged first. Pull requests
 * into other repositories don't count, because strangers write them.
 */
function pullBehind(listed: readonly ListedPull[], repository: string) {
  const isOwn = ({ baseRepository }: ListedPull) =>
    baseRepository?.nameWithOwner.toLowerCase() === repository.toLowerCase();
  return listed
    .filter((pull) => pull.merged && isOwn(pull))
    .sort((a, b) => ((a.mergedAt ?? '') < (b.mergedAt ?? '') ? -1 : 1))[0];
}
