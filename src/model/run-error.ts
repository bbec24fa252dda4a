/**
 * Errors are divided by what the run does next. They contain no secrets. Untrusted text in a
 * message is between backticks (`quote` in escape.ts).
 */

/** What an error knows about the run's create or message call. */
export type CallState =
  /** There was no call, or the service certainly didn't accept it. */
  | { readonly kind: 'not-accepted' }
  /**
   * The service rejected a follow-up message as invalid, so a create call may succeed. `reason` is
   * a sentence without a trailing period. `isNotFound` marks a 404, which may come from a proxy.
   */
  | { readonly kind: 'refused'; readonly reason: string; readonly isNotFound: boolean }
  /**
   * The service may have accepted the call, so an agent job or a message of this run may exist.
   * `namedId` is the ID in an unusable response to a create call. It may be the new agent job's.
   */
  | { readonly kind: 'in-doubt'; readonly namedId: string | undefined };

const NOT_ACCEPTED: CallState = { kind: 'not-accepted' };

/** Ends a run, and carries what is known about its create or message call. */
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

/** `heading` says in a few words what failed. The message says why, and what to do next. */
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

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
