/** What the action reads from GitHub's API. */
import { z } from 'zod';
import { type Client, createClient, type GitHubAccess, GitHubError } from './client.ts';
import { pullRequestReader } from './pull-requests.ts';

const PAGE_SIZE = 100;

// It is written into queries and given to git.
const idSchema = z.string().regex(/^[0-9a-f]{40,64}$/);
/** https://docs.github.com/rest/commits/commits#get-a-commit */
const commitSchema = z
  .object({
    sha: idSchema,
    parents: z.array(z.object({ sha: idSchema }).transform(({ sha }) => sha)).readonly(),
    commit: z.object({ message: z.string(), author: z.object({ name: z.string() }).nullish() }),
    // Null for an address that no account has, and empty if the account was deleted.
    author: z.object({ login: z.string().optional() }).nullish(),
  })
  .transform(({ sha, parents, commit, author }) => ({
    sha,
    /** A merge commit has several. The first is on the branch that the merge went into. */
    parents,
    message: commit.message,
    /** An account like `octocat` or `mintlify[bot]`. */
    author: author?.login,
    authorName: commit.author?.name ?? '',
  }));

export type Commit = Readonly<z.infer<typeof commitSchema>>;

/** https://docs.github.com/rest/commits/commits#compare-two-commits */
const comparisonSchema = z.object({
  merge_base_commit: z.object({ sha: idSchema }),
  total_commits: z.int(),
  commits: z.array(commitSchema),
});
/** https://docs.github.com/rest/releases/releases */
const releaseSchema = z
  .object({
    tag_name: z.string(),
    name: z.string().nullish(),
    body: z.string().nullish(),
    draft: z.boolean(),
    prerelease: z.boolean(),
  })
  .transform(({ tag_name: tag, name, body, draft, prerelease }) => ({
    ...{ tag, name: name ?? '', body: body ?? '' },
    ...{ isDraft: draft, isPrerelease: prerelease },
  }));

function commitReader({ own, read }: Client) {
  /** With pages, GitHub lists the oldest commits first, and files on the first page only. */
  async function comparePage(base: string, head: string, page: number, per_page = PAGE_SIZE) {
    const parameters = { ...own, basehead: `${base}...${head}`, page, per_page };
    try {
      return await read('Comparing two commits', 'contents: read', comparisonSchema, ({ rest }) =>
        rest.repos.compareCommitsWithBasehead(parameters),
      );
    } catch (error) {
      if (error instanceof GitHubError && error.failure.said.startsWith('No common ancestor'))
        return undefined;
      throw error;
    }
  }

  async function mergeBase(a: string, b: string): Promise<string | undefined> {
    return (await comparePage(a, b, 2, 1))?.merge_base_commit.sha;
  }

  return {
    mergeBase,

    /** The merge base, and the commits from it to `head`, oldest first. `undefined` without one. */
    async compare(base: string, head: string) {
      const first = await comparePage(base, head, 1);
      if (first === undefined) return undefined;
      const commits = [...first.commits];
      for (let page = 2; commits.length < first.total_commits; page += 1) {
        const next = await comparePage(base, head, page);
        if (next === undefined || next.commits.length === 0) break;
        commits.push(...next.commits);
      }
      return { mergeBase: first.merge_base_commit.sha, commits };
    },

    /** Whether `a` is `b` or an ancestor of it. `undefined`: GitHub does not have both. */
    async isBehind(a: string, b: string): Promise<boolean | undefined> {
      if (a === b) return true;
      try {
        return (await mergeBase(a, b)) === a;
      } catch (error) {
        if (error instanceof GitHubError && error.failure.status === 404) return undefined;
        throw error;
      }
    },

    /** The commit with an id, which may be abbreviated. `undefined` if there is none. */
    async commit(id: string): Promise<Commit | undefined> {
      try {
        // The response has the commit's patches, a page of which is enough.
        return await read('Reading a commit', 'contents: read', commitSchema, ({ rest }) =>
          rest.repos.getCommit({ ...own, ref: id, per_page: 1 }),
        );
      } catch (error) {
        // GitHub responds with either if it has no such commit.
        if (error instanceof GitHubError && [404, 422].includes(error.failure.status ?? 0))
          return undefined;
        throw error;
      }
    },

    /** The published release of a tag, with untrusted texts. `undefined` if there is none. */
    async release(tag: string) {
      try {
        return await read('Reading a release', 'contents: read', releaseSchema, ({ rest }) =>
          rest.repos.getReleaseByTag({ ...own, tag }),
        );
      } catch (error) {
        if (error instanceof GitHubError && error.failure.status === 404) return undefined;
        throw error;
      }
    },

    /** Newest first. Drafts are listed only for a token that may write. */
    async releases() {
      const schema = z.array(releaseSchema);
      const releases: z.infer<typeof schema> = [];
      for (let page = 1; ; page += 1) {
        const parameters = { ...own, page, per_page: PAGE_SIZE };
        const listed = await read('Listing releases', 'contents: read', schema, ({ rest }) =>
          rest.repos.listReleases(parameters),
        );
        releases.push(...listed);
        if (listed.length < PAGE_SIZE) return releases;
      }
    },
  };
}

export type GitHub = ReturnType<typeof openGitHub>;

/** Each call rejects with a `GitHubError` (a `StepError`) if GitHub fails. */
export function openGitHub(access: GitHubAccess) {
  const client = createClient(access);
  return { ...commitReader(client), ...pullRequestReader(client) };
}
