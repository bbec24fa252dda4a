/** A notice, warning or error of a workflow job, as written and as GitHub keeps it. */
export interface Annotation {
  readonly level: 'notice' | 'warning' | 'error';
  readonly title: string;
  /** Lines are separated by `\n`. */
  readonly message: string;
}

/**
 * The runner cuts an annotation's message after this many UTF-16 units.
 * https://github.com/actions/runner/blob/main/src/Runner.Worker/ExecutionContext.cs
 */
export const MAX_MESSAGE_LENGTH = 4_096;
