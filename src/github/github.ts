/** What the action reads from GitHub's API. */
import { createClient, type GitHubAccess } from './client.ts';
import { commitReader } from './commits.ts';
import { pullRequestReader } from './pull-requests.ts';

export type GitHub = ReturnType<typeof openGitHub>;

/**
 * Each call rejects with a `GitHubError` (a `StepError`) if GitHub fails, and with the signal's
 * reason after a cancel.
 */
export function openGitHub(access: GitHubAccess) {
  const client = createClient(access);
  return { ...commitReader(client), ...pullRequestReader(client) };
}
