/**
 * Errors are split by what the run does next. They hold no secrets; untrusted text in a message
 * stands between backticks (`quote` in text.ts).
 */

/** The inputs cannot be used; nothing was requested. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: { readonly cause?: unknown }) {
    super(problems.join('\n'), options);
    this.problems = problems;
  }
}

/** What is known of a create or message call after it broke off. */
interface CallFate {
  /** The service may have accepted it, so an agent job or a message of this run may exist. */
  readonly mayBeAccepted: boolean;
  /** The agent job's id, where it is known although the answer could not be used. */
  readonly jobId?: string | undefined;
}

/** The runner told the step to stop, by a signal. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
  readonly signal: string;
  readonly mayBeAccepted: boolean;
  readonly jobId: string | undefined;

  constructor(signal: string, { mayBeAccepted, jobId }: CallFate = { mayBeAccepted: false }) {
    super(`stopped by ${signal}`);
    this.signal = signal;
    this.mayBeAccepted = mayBeAccepted;
    this.jobId = jobId;
  }
}

/** The agent job could not be created or messaged, or the answer could not be understood. */
export class AgentApiError extends Error {
  override readonly name = 'AgentApiError';
  /** What could not be done, in a few words. */
  readonly heading: string;
  readonly mayBeAccepted: boolean;
  readonly jobId: string | undefined;

  constructor(
    heading: string,
    message: string,
    { mayBeAccepted, jobId }: CallFate,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.heading = heading;
    this.mayBeAccepted = mayBeAccepted;
    this.jobId = jobId;
  }
}

/** The runner's files for outputs cannot be written; no agent job was created. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/** GitHub's API did not give what was asked of it. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError';
  readonly kind: 'missing' | 'forbidden' | 'rate-limited' | 'failed';

  constructor(kind: GitHubError['kind'], message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

/** To a token without a permission GitHub says 403, or 404 as if there were nothing. */
export function mayLackPermission(error: unknown): error is GitHubError {
  return error instanceof GitHubError && (error.kind === 'forbidden' || error.kind === 'missing');
}

/** Where the changes start was asked for by name and cannot be had; no agent job was created. */
export class SinceError extends Error {
  override readonly name = 'SinceError';
}

/**
 * A variable that the runner sets in every workflow is missing or empty, so the action cannot tell
 * which repository, commit or run it works for; no agent job was created.
 */
export class WorkflowContextError extends Error {
  override readonly name = 'WorkflowContextError';

  constructor(variable: string) {
    super(
      `\`${variable}\` is not set, and \`changes\`, \`paths\` and \`rerun\` need it. The runner sets it in every GitHub Actions workflow; set it yourself when you run the action elsewhere`,
    );
  }
}

/** The text of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
