/** Sections of .github/TROUBLESHOOTING.md, which errors link to. */
export type Topic =
  | 'inputs'
  | 'key'
  | 'service'
  | 'network'
  | 'in-doubt'
  | 'timeout'
  | 'permissions'
  | 'ledger'
  | 'git'
  | 'github'
  | 'changes'
  | 'agent-job'
  | 'unexpected';

/**
 * Something that a person has to fix. The message has at most three sentences: what failed, what the
 * other side said, and what to do next. Untrusted text in it is quoted (`quote` in text/escape.ts).
 */
export class StepError extends Error {
  override readonly name: string = 'StepError';
  readonly topic: Topic;

  constructor(topic: Topic, message: string, options?: ErrorOptions) {
    super(message, options);
    this.topic = topic;
  }
}

/**
 * The runner cancelled the step with a signal, like `SIGINT`. It is the reason of the run's signal,
 * and whatever waits for something outside rejects with it.
 */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
  readonly signal: string;

  constructor(signal: string) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
