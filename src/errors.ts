/** What can fail, by what helps. `report/advice.ts` has the advice, and the heading of the help page. */
export type Topic =
  | 'inputs'
  | 'certificates'
  | 'network'
  // Mintlify
  | 'key-refused'
  | 'key-forbidden'
  | 'key-in-prompt'
  | 'credits'
  | 'prompt-too-long'
  | 'rate-limit'
  | 'service'
  | 'job-unreadable'
  | 'in-doubt'
  | 'other-run'
  // The ledger
  | 'ledger-busy'
  | 'ledger-refused'
  | 'ledger-shared'
  | 'ledger-unreadable'
  | 'covered-gone'
  | 'write-denied'
  // Git
  | 'git'
  | 'git-missing'
  | 'git-network'
  | 'commit-gone'
  | 'repository-denied'
  | 'repository-moved'
  | 'temporary-folder'
  | 'token-refused'
  // GitHub's API
  | 'github'
  | 'github-permission'
  | 'github-token'
  // What changed
  | 'event'
  | 'event-file'
  | 'pull-request-start'
  | 'pull-request-unknown'
  | 'since-ambiguous'
  | 'since-unknown'
  | 'since-unrelated'
  // Of any error: `timeout` was over, or it is our own fault
  | 'cut-off'
  | 'unexpected';

/**
 * Something that a person has to fix. The message says what failed and what the other side said, as a
 * sentence without its period; the topic, what to do next. Untrusted text in the message is quoted
 * (`quote` in text/escape.ts).
 */
export class StepError extends Error {
  override readonly name: string = 'StepError';
  readonly topic: Topic;
  /** What the advice names: a ref, a permission, or a start. Untrusted. */
  readonly about: string;

  constructor(topic: Topic, message: string, options: ErrorOptions & { about?: string } = {}) {
    super(message, options);
    this.topic = topic;
    this.about = options.about ?? '';
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
