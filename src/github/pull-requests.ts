/** Pull requests as GitHub's API shows them. */
import { z } from 'zod';
import { pullRequestOf } from '../text/links.ts';
import type { Client } from './client.ts';
import type { CodePull } from './commits.ts';
import { GitHubError } from './errors.ts';

/** A pull request of this repository, as GitHub shows it now. Its texts are untrusted. */
export interface PullRequest extends CodePull {
  readonly state: 'open' | 'merged' | 'closed';
  /** The object id of its newest commit. */
  readonly head: string;
  /** The name of its branch. */
  readonly headBranch: string;
  /** Its commits are in another repository, which may have been deleted. */
  readonly isFromFork: boolean;
  /** The branch to merge into. */
  readonly baseBranch: string;
  /** The commit on the base branch that a merge, squash or rebase made. Only if it is merged. */
  readonly mergeCommit: string | undefined;
}

/**
 * What GitHub says about the pull request that a link points to, in any repository. `unreadable` if
 * the token can't read it, or if it is on another server.
 */
export type DocsPull = ReadableDocsPull | { readonly kind: 'unreadable' };

export interface ReadableDocsPull {
  readonly kind: 'open' | 'merged' | 'closed';
  readonly number: number;
  /** `owner/name` */
  readonly repository: string;
  readonly title: string;
  /** The branch of its commits. */
  readonly branch: string;
  /** The first changed files, at most 100. */
  readonly pages: readonly DocsPage[];
  /** How many files it changes. */
  readonly pageCount: number;
}

export interface DocsPage {
  readonly path: string;
  readonly additions: number;
  readonly deletions: number;
}

const repo = z.object({ full_name: z.string() });
/** https://docs.github.com/rest/pulls/pulls#get-a-pull-request */
const pullSchema = z
  .object({
    number: z.int(),
    title: z.string(),
    body: z.string().nullish(),
    state: z.enum(['open', 'closed']),
    merged: z.boolean(),
    merge_commit_sha: z.string().nullish(),
    changed_files: z.int(),
    // Null if the account was deleted, and so is the repository of the head.
    user: z.object({ login: z.string() }).nullish(),
    labels: z.array(z.object({ name: z.string() })),
    head: z.object({ sha: z.string(), ref: z.string(), repo: repo.nullish() }),
    base: z.object({ ref: z.string(), repo }),
  })
  .transform(({ number, title, body, user, labels, head, base, ...pull }) => ({
    number,
    title,
    body: body ?? '',
    author: user?.login,
    labels: labels.map(({ name }) => name),
    state: pull.merged ? ('merged' as const) : pull.state,
    head: head.sha,
    headBranch: head.ref,
    isFromFork: head.repo?.full_name !== base.repo.full_name,
    baseBranch: base.ref,
    // Of an open pull request it is a test merge.
    mergeCommit: (pull.merged && pull.merge_commit_sha) || undefined,
    pageCount: pull.changed_files,
  }));
/** https://docs.github.com/rest/pulls/pulls#list-pull-requests-files */
const pagesSchema = z.array(
  z
    .object({ filename: z.string(), additions: z.int(), deletions: z.int() })
    .transform(({ filename: path, ...lines }): DocsPage => ({ path, ...lines })),
);

/** Throws a `GitHubError` if GitHub does not show it. */
export async function readPullRequest({ own, read }: Client, number: number): Promise<PullRequest> {
  const what = `Reading pull request \`#${number}\``;
  const { pageCount, ...pull } = await read(what, 'pull-requests: read', pullSchema, ({ rest }) =>
    rest.pulls.get({ ...own, pull_number: number }),
  );
  return pull;
}

/**
 * Reads the pull request that a link points to, if it is on this GitHub server: no other may get the
 * token. Rejects only with the signal's reason.
 */
export async function readDocsPull(
  { read }: Client,
  serverUrl: string,
  link: string,
): Promise<DocsPull> {
  const linked = pullRequestOf(link);
  if (linked === undefined || new URL(link).origin !== new URL(serverUrl).origin) {
    return { kind: 'unreadable' };
  }
  const { repository } = linked;
  const number = Number(linked.number);
  const [owner = '', name = ''] = repository.split('/');
  const parameters = { owner, repo: name, pull_number: number };
  const what = `Reading pull request \`${repository}#${number}\``;
  const permission = 'pull-requests: read';
  try {
    const pull = await read(what, permission, pullSchema, ({ rest }) => rest.pulls.get(parameters));
    const pages = await read(what, permission, pagesSchema, ({ rest }) =>
      rest.pulls.listFiles({ ...parameters, per_page: 100 }),
    );
    const { state: kind, title, headBranch: branch, pageCount } = pull;
    return { kind, number, repository, title, branch, pages, pageCount };
  } catch (error) {
    if (error instanceof GitHubError) return { kind: 'unreadable' };
    throw error;
  }
}
