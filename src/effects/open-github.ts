import { GitHubError, messageOf } from '../errors.ts';
import type { GitHub, GitHubAccess } from './effects.ts';
import { proxyFor } from './proxy.ts';

/**
 * Opens GitHub's API. Octokit is loaded only here, because most runs do not need it and it is most
 * of the bundle. Rejects with a `GitHubError` when the address, or the proxy for it, cannot be used:
 * loading the toolkit would throw an error that says neither.
 */
export async function openGitHub(access: GitHubAccess): Promise<GitHub> {
  checkAddress(process.env['GITHUB_API_URL'] ?? 'https://api.github.com');
  const { createGitHub } = await import('./github.ts');
  return createGitHub(access);
}

function checkAddress(url: string): void {
  if (!URL.canParse(url) || !/^https?:/.test(new URL(url).protocol)) {
    throw new GitHubError('failed', '`GITHUB_API_URL` is not a URL');
  }
  try {
    proxyFor(new URL(url));
  } catch (cause) {
    const message = `GitHub's API cannot be reached: ${messageOf(cause)}. Set \`https_proxy\` to an \`http://\` or \`https://\` proxy, or add the host to \`no_proxy\``;
    throw new GitHubError('failed', message, { cause });
  }
}
