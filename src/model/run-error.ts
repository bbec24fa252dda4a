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

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
