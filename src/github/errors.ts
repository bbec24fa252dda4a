/** The errors of GitHub's API, and what a person does about them. */
import { RunError } from '../model/run-error.ts';
import { listInWords } from '../text/words.ts';

/** A request to GitHub's API failed. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError';
  /**
   * `too-large`: the response exceeds the limit, and always will. `unavailable`: GitHub couldn't
   * produce the response, temporarily or permanently: 5xx, or a diff that takes too long.
   */
  readonly kind:
    | 'not-found'
    | 'forbidden'
    | 'bad-token'
    | 'rate-limited'
    | 'too-large'
    | 'unavailable'
    | 'failed';

  constructor(kind: GitHubError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * Whether GitHub responded with HTTP 404: there is no such thing, or the token lacks permission.
 */
export function isNotFound(error: unknown): error is GitHubError {
  return error instanceof GitHubError && error.kind === 'not-found';
}

/** Whether GitHub responded with HTTP 403 or 404, which a missing permission may explain. */
export const isHidden = (error: unknown): boolean =>
  error instanceof GitHubError && (error.kind === 'not-found' || error.kind === 'forbidden');

/**
 * Returns the result of `read`, or `undefined` when GitHub responds with 404. With
 * `proveAccess`, which needs the same permission, a 404 counts only if that succeeds, and is thrown
 * otherwise.
 */
export async function unlessNotFound<T>(
  read: () => Promise<T>,
  proveAccess?: () => Promise<unknown>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await proveAccess?.().catch(() => {
      throw error;
    });
    return undefined;
  }
}

/** Returns the error for a missing or empty variable that the runner sets in every workflow. */
export function missingVariable(variable: string): RunError {
  const message = `\`${variable}\` is not set, and \`changes\`, \`paths\` and \`rerun\` need it. The runner sets it in every GitHub Actions workflow; set it yourself when you run the action elsewhere.`;
  return new RunError('This does not run in a GitHub Actions workflow', message);
}

/**
 * What to do when the token may be the cause, or `undefined`. GitHub responds with 401 to an
 * invalid token, and with 403 or 404 to one that lacks a permission.
 * https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api
 */
export function tokenAdvice(
  error: GitHubError,
  permissions: readonly string[],
): string | undefined {
  if (error.kind === 'bad-token') {
    return "Check `githubToken`, or leave it out to use the workflow's `GITHUB_TOKEN`";
  }
  if (!isHidden(error)) return undefined;
  const listed = permissions.map((permission) => `\`${permission}\``);
  return `Give the workflow job \`permissions:\` with ${listInWords(listed)}`;
}
