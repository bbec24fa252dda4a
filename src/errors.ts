/** What can fail, by what helps, and its section of the help page. `report/advice.ts` has the advice. */
export const SECTION_OF = {
  inputs: 'inputs',
  'key-missing': 'inputs',
  'key-refused': 'key',
  'key-forbidden': 'key',
  'key-in-prompt': 'key',
  service: 'service',
  credits: 'service',
  'prompt-too-long': 'service',
  'rate-limit': 'service',
  'job-unreadable': 'service',
  network: 'network',
  'git-network': 'network',
  certificates: 'network',
  'in-doubt': 'in-doubt',
  'other-run': 'timeout',
  /** Of any error once `timeout` is over. */
  'cut-off': 'timeout',
  'write-denied': 'permissions',
  'repository-denied': 'permissions',
  'token-refused': 'permissions',
  'github-permission': 'permissions',
  'github-token': 'permissions',
  'ledger-busy': 'ledger',
  'ledger-refused': 'ledger',
  'ledger-shared': 'ledger',
  'ledger-unreadable': 'ledger',
  git: 'git',
  'git-missing': 'git',
  'repository-moved': 'git',
  'temporary-folder': 'git',
  'commit-gone': 'changes',
  'covered-gone': 'changes',
  event: 'changes',
  'pull-request-start': 'changes',
  'pull-request-unknown': 'changes',
  'since-ambiguous': 'changes',
  'since-unknown': 'changes',
  'since-unrelated': 'changes',
  github: 'github',
  'event-file': 'unexpected',
  /** Our own fault. */
  unexpected: 'unexpected',
} as const;

export type Topic = keyof typeof SECTION_OF;

/**
 * Something that a person has to fix. The message says what failed and what the other side said, as a
 * sentence without its period; the topic, what to do next. Untrusted text in the message is quoted
 * (`quote` in text/escape.ts).
 */
export class StepError extends Error {
  override readonly name: string = 'StepError';
  readonly topic: Topic;
  /** What the advice names: a ref, a permission, or a start. Untrusted. */
  readonly detail: string;

  constructor(topic: Topic, message: string, options: ErrorOptions & { detail?: string } = {}) {
    super(message, options);
    this.topic = topic;
    this.detail = options.detail ?? '';
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
