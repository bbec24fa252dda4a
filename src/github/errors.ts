/** What a person does about an error of GitHub's API. */
import type { GitHubError } from '../model/errors.ts';
import { listInWords } from '../text/words.ts';

/**
 * What to do when the token may be the cause, else `undefined`. GitHub responds with 401 to a token
 * that is not valid, and with 403 or 404 to one without a permission that the request needs.
 * https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api
 */
export function tokenAdvice(
  { kind }: GitHubError,
  permissions: readonly string[],
): string | undefined {
  if (kind === 'bad-token') {
    return "Check `githubToken`, or leave it out to use the workflow's `GITHUB_TOKEN`";
  }
  if (kind !== 'forbidden' && kind !== 'not-found') return undefined;
  const listed = permissions.map((permission) => `\`${permission}\``);
  return `Give the workflow job \`permissions:\` with ${listInWords(listed)}`;
}
