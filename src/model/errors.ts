/**
 * Errors are divided by what the run does next. They contain no secrets. Untrusted text in a
 * message is between backticks (`quote` in escape.ts).
 */

/** What an error says of the run's create or message call. */
export type CallState =
  /** There was none, or the service certainly did not accept it. */
  | { readonly kind: 'not-accepted' }
  /**
   * The service certainly refused a follow-up message as such, so a create call may do better.
   * `reason`: a sentence without its full stop. `isNotFound`: with a 404, which may come from a proxy.
   */
  | { readonly kind: 'refused'; readonly reason: string; readonly isNotFound: boolean }
  /**
   * The service may have accepted it, so an agent job or a message of this run may exist. `namedId`: an
   * id in a response to a create call that could not be used. It may be the agent job's.
   */
  | { readonly kind: 'in-doubt'; readonly namedId: string | undefined };

const NOT_ACCEPTED: CallState = { kind: 'not-accepted' };

/** Ends a run, and says what is known of its create or message call. */
export abstract class EndingError extends Error {
  readonly call: CallState;

  constructor(message: string, call: CallState, options?: ErrorOptions) {
    super(message, options);
    this.call = call;
  }
}

/** The runner cancelled the step with a signal. */
export class CancelledError extends EndingError {
  override readonly name = 'CancelledError';
  readonly signal: string;

  constructor(signal: string, call = NOT_ACCEPTED) {
    super(`stopped by ${signal}`, call);
    this.signal = signal;
  }
}

/** `heading` says in a few words what could not be done; the message says why, and what to do. */
export class RunError extends EndingError {
  override readonly name = 'RunError';
  readonly heading: string;

  constructor(
    heading: string,
    message: string,
    { call = NOT_ACCEPTED, cause }: ErrorOptions & { readonly call?: CallState } = {},
  ) {
    super(message, call, { cause });
    this.heading = heading;
  }
}

/** Headings of errors that arise in several places. */
export const CHANGES_NOT_FOUND = 'The changes could not be found';
export const COVERAGE_NOT_KNOWN = 'What earlier runs covered is not known';
export const LAST_JOB_NOT_KNOWN = 'The last agent job of this step is not known';

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

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
