/** What the action reads from GitHub's API. */
import { createClient, type GitHubAccess } from './client.ts';
import { type Commit, type Comparison, commitReader, type Release } from './commits.ts';
import { type DocsPull, type PullRequest, readDocsPull, readPullRequest } from './pull-requests.ts';
import { type PullsBehind, readPullsBehind } from './pulls-behind.ts';

/**
 * Each call rejects with a `GitHubError` (a `StepError`) if GitHub fails, and with the signal's
 * reason after a cancel.
 */
export interface GitHub {
  /** The last commit that both contain. `undefined` if there is none. */
  mergeBase(a: string, b: string): Promise<string | undefined>;
  /** The commits from the merge base to `head`. `undefined` without a merge base. */
  compare(base: string, head: string): Promise<Comparison | undefined>;
  /** Whether `a` is `b` or an ancestor of it. `gone`: GitHub does not have both. */
  isBehind(a: string, b: string): Promise<boolean | 'gone'>;
  /** The commit with an id, which may be abbreviated. `undefined` if there is none. */
  commit(id: string): Promise<Commit | undefined>;
  /** Newest first. Drafts are listed only for a token that may write. */
  releases(): Promise<readonly Release[]>;
  pullRequest(number: number): Promise<PullRequest>;
  /** The pull requests behind the newest 300 commits. Rejects only with the signal's reason. */
  pullsBehind(commits: readonly Commit[]): Promise<PullsBehind>;
  /** The pull request that a link points to. Rejects only with the signal's reason. */
  docsPull(link: string): Promise<DocsPull>;
}

/** Throws a `StepError` without a token. */
export function openGitHub(access: GitHubAccess): GitHub {
  const client = createClient(access);
  return {
    ...commitReader(client),
    pullRequest: (number) => readPullRequest(client, number),
    pullsBehind: (commits) => readPullsBehind(client, commits),
    docsPull: (link) => readDocsPull(client, access.facts.serverUrl, link),
  };
}
