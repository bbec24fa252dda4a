/**
 * Errors are split by what the run does next. They hold no secrets; untrusted text in a message
 * stands between backticks (`quote` in text.ts).
 */

/** The inputs cannot be used; nothing was requested. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** What is known of this run's create or message call after it broke off: not taken, or perhaps taken. */
export type JobExists = 'no' | 'maybe';

/** The run was told to stop by a signal. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
  readonly signal: string;
  readonly jobExists: JobExists;

  constructor(signal: string, jobExists: JobExists = 'no') {
    super(`stopped by ${signal}`);
    this.signal = signal;
    this.jobExists = jobExists;
  }
}

/** The job could not be created, messaged, read or understood. */
export class AgentApiError extends Error {
  override readonly name = 'AgentApiError';
  /** What could not be done; the message begins with it. */
  readonly title: string;
  readonly jobExists: JobExists;
  /** The job's id where it is known although the answer could not be used. */
  readonly jobId: string | undefined;

  constructor(title: string, detail: string, jobExists: JobExists, jobId?: string) {
    super(`${title}: ${detail}`);
    this.title = title;
    this.jobExists = jobExists;
    this.jobId = jobId;
  }
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

/** Where the changes start was asked for by name and cannot be had; no job was created. */
export class SinceError extends Error {
  override readonly name = 'SinceError';
}

/**
 * A variable that the runner sets in every workflow is missing or empty, so the action cannot tell
 * which repository, commit or run it works for; no job was created.
 */
export class WorkflowContextError extends Error {
  override readonly name = 'WorkflowContextError';

  constructor(variable: string) {
    super(
      `\`${variable}\` is not set, and \`changes\`, \`paths\` and \`rerun\` need it. The runner sets it in every GitHub Actions workflow; set it yourself when you run the action elsewhere`,
    );
  }
}

/** The innermost readable text of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
