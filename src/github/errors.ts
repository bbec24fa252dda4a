/** The errors of GitHub's API, and what a person does about them. */
import { RunError } from '../model/run-error.ts';
import { listInWords } from '../text/words.ts';

/** A request to GitHub's API failed. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError';
  /**
   * `too-large`: the response has more bytes than are read. It always will. `unavailable`: GitHub could
   * not make the response, for a while or always: 5xx, or a diff that takes too long.
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

/** Whether GitHub does not show something: it does not exist, or the token may not read it. */
export function isNotFound(error: unknown): error is GitHubError {
  return error instanceof GitHubError && error.kind === 'not-found';
}

/**
 * What `read` gives, or `undefined` when GitHub responds with 404. Where `probe` is given, the 404
 * counts only if `probe` succeeds, which needs the same permission, and is thrown otherwise.
 */
export async function unlessNotFound<T>(
  read: () => Promise<T>,
  probe?: () => Promise<unknown>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await probe?.().catch(() => {
      throw error;
    });
    return undefined;
  }
}

/** A variable that the runner sets in every workflow is missing or empty. */
export function missingVariable(variable: string): RunError {
  const message = `\`${variable}\` is not set, and \`changes\`, \`paths\` and \`rerun\` need it. The runner sets it in every GitHub Actions workflow; set it yourself when you run the action elsewhere.`;
  return new RunError('This does not run in a GitHub Actions workflow', message);
}

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
