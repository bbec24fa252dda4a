/** What the action reads from GitHub's API. */
import * as z from 'zod/mini';
import type { Limits } from '../effects.ts';
import { createReader, type GitHubAccess, nothingIf, ownerAndRepo } from './client.ts';
import { pullRequestReader } from './pull-requests.ts';

const PAGE_SIZE = 100;

// It is written into queries and given to git.
const idSchema = z.string().check(z.regex(/^[0-9a-f]{40,64}$/));
/** https://docs.github.com/rest/commits/commits#get-a-commit */
const commitSchema = z.pipe(
  z.object({
    sha: idSchema,
    parents: z.array(z.object({ sha: idSchema })),
    commit: z.object({ message: z.string(), author: z.nullish(z.object({ name: z.string() })) }),
    // Null for an address that no account has, and empty if the account was deleted.
    author: z.nullish(z.object({ login: z.optional(z.string()) })),
  }),
  z.transform(({ sha, parents, commit, author }) => ({
    sha,
    /** The first parent of a merge is on the branch that it went into. */
    parents: parents.map((parent) => parent.sha),
    message: commit.message,
    author: author?.login,
    authorName: commit.author?.name ?? '',
  })),
);

export type Commit = Readonly<z.infer<typeof commitSchema>>;

/** https://docs.github.com/rest/commits/commits#compare-two-commits */
const comparisonSchema = z.object({
  merge_base_commit: z.object({ sha: idSchema }),
  total_commits: z.int(),
  commits: z.array(commitSchema),
});
const text = z.catch(z.string(), '');
/** https://docs.github.com/rest/releases/releases */
const releaseSchema = z.pipe(
  z.object({ tag_name: text, name: text, body: text, draft: z.boolean(), prerelease: z.boolean() }),
  z.transform(({ tag_name: tag, draft: isDraft, prerelease: isPrerelease, ...texts }) => {
    return { ...texts, tag, isDraft, isPrerelease };
  }),
);

/** The merge base of two commits, and the commits from it to the second one, oldest first. */
interface Comparison {
  readonly mergeBase: string;
  readonly commits: readonly Commit[];
}

type Page = z.infer<typeof comparisonSchema>;

/** By `base...head`. The first page has the merge base, which may be all that is needed. */
type Comparisons = Map<
  string,
  { readonly first: Promise<Page | undefined>; readonly whole: Promise<Comparison | undefined> }
>;

function commitReader(access: GitHubAccess, comparisons: Comparisons) {
  const read = createReader(access, 'contents: read');
  const own = ownerAndRepo(access.facts.repository);

  /** With pages, GitHub lists the oldest commits first, and files on the first page only. */
  const comparePage = (basehead: string, page: number, per_page = PAGE_SIZE) =>
    read('Comparing two commits', comparisonSchema, ({ rest }) =>
      rest.repos.compareCommitsWithBasehead({ ...own, basehead, page, per_page }),
    ).catch(nothingIf(({ said }) => said.startsWith('No common ancestor')));

  async function mergeBase(a: string, b: string): Promise<string | undefined> {
    const known = comparisons.get(`${b}...${a}`) ?? comparisons.get(`${a}...${b}`);
    return (await (known?.first ?? comparePage(`${a}...${b}`, 2, 1)))?.merge_base_commit.sha;
  }

  async function readRest(pair: string, first: Page): Promise<Comparison> {
    const commits = [...first.commits];
    for (let page = 2; commits.length < first.total_commits; page += 1) {
      const next = await comparePage(pair, page);
      if (next === undefined || next.commits.length === 0) break;
      commits.push(...next.commits);
    }
    return { mergeBase: first.merge_base_commit.sha, commits };
  }

  return {
    mergeBase,

    /** `undefined` without a merge base. Of two ids it never changes, so it is asked for once. */
    compare(base: string, head: string): Promise<Comparison | undefined> {
      const pair = `${base}...${head}`;
      const known = comparisons.get(pair);
      if (known !== undefined) return known.whole;
      const first = comparePage(pair, 1);
      const whole = first.then((page) => page && readRest(pair, page));
      comparisons.set(pair, { first, whole });
      // Again if it failed.
      whole.catch(() => comparisons.delete(pair));
      return whole;
    },

    /** Whether `a` is `b` or an ancestor of it. `undefined`: GitHub does not have both. */
    async isBehind(a: string, b: string): Promise<boolean | undefined> {
      if (a === b) return true;
      return mergeBase(a, b)
        .then((base) => base === a)
        .catch(nothingIf(({ status }) => status === 404));
    },

    /** The commit with an id, which may be abbreviated. `undefined` if there is none. */
    commit(id: string): Promise<Commit | undefined> {
      // The response has a page of the commit's files. If there is none, GitHub sends a 404 or a 422.
      return read('Reading a commit', commitSchema, ({ rest }) =>
        rest.repos.getCommit({ ...own, ref: id, per_page: 1 }),
      ).catch(nothingIf(({ status }) => status === 404 || status === 422));
    },

    /** The published release of a tag, with untrusted texts. `undefined` if there is none. */
    release(tag: string) {
      return read('Reading a release', releaseSchema, ({ rest }) =>
        rest.repos.getReleaseByTag({ ...own, tag }),
      ).catch(nothingIf(({ status }) => status === 404));
    },

    /** Newest first. Drafts are listed only for a token that may write. */
    async releases() {
      const releases: z.infer<typeof releaseSchema>[] = [];
      for (let page = 1; ; page += 1) {
        const listed = await read('Listing releases', z.array(releaseSchema), ({ rest }) =>
          rest.repos.listReleases({ ...own, page, per_page: PAGE_SIZE }),
        );
        releases.push(...listed);
        if (listed.length < PAGE_SIZE) return releases;
      }
    },
  };
}

type Readers = ReturnType<typeof commitReader> & ReturnType<typeof pullRequestReader>;

export interface GitHub extends Readers {
  /** The same reader with another signal or deadline. It shares what is remembered. */
  with(limits: Limits): GitHub;
}

/** Each call rejects with a `GitHubError` (a `StepError`) if GitHub fails. */
export const openGitHub = (access: GitHubAccess, comparisons: Comparisons = new Map()): GitHub => ({
  ...commitReader(access, comparisons),
  ...pullRequestReader(access),
  with: (limits) => openGitHub({ ...access, ...limits }, comparisons),
});
