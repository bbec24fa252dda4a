import { type Job, type JobEnd, NO_JOB, type WaitEnding } from '../agent/job.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { ChangesOverview, SkipReason } from '../lib/changes-overview.ts';
import { CancelledError, InputError, messageOf, RunError } from '../lib/errors.ts';
import type { RunFacts } from '../lib/run-facts.ts';
import { quote } from '../lib/text.ts';

/** Every way a run can end. What is known of the agent job is in {@link Known}. */
export type Ending =
  | WaitEnding
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'dry-run' }
  /** `mayBeAccepted` is about a create or message call that the cancel interrupted. */
  | ({ readonly kind: 'cancelled' } & Pick<CancelledError, 'signal' | 'mayBeAccepted'>)
  | { readonly kind: 'bad-inputs'; readonly problems: readonly string[] }
  | ({ readonly kind: 'error' } & Pick<RunError, 'heading' | 'message' | 'mayBeAccepted'>);

/** What is known of a run so far. Each step that learns more replaces it. */
export type Known = Readonly<ReturnType<typeof nothingKnown>>;

export const nothingKnown = (facts: RunFacts) => ({
  facts,
  /** Missing when they cannot be used. */
  inputs: undefined as Inputs | undefined,
  /** The prompt that was sent or would be sent, with the changes. */
  prompt: undefined as string | undefined,
  changes: undefined as ChangesOverview | undefined,
  /** The agent job as last read. Its fields are empty until they are known. */
  job: NO_JOB as Job,
  /** How the agent job ended, once an end was read that counts. */
  end: undefined as JobEnd | undefined,
  /** The service accepted the create or message call of this run. */
  isAccepted: false,
  /** A re-run can find the agent job. */
  isResumable: false,
  /** The attempt of this workflow run that created the agent job, when an earlier one did. */
  resumedFrom: undefined as number | undefined,
  /** How often the agent job was read. */
  checks: 0,
  /** The error of the last read, if it failed. */
  lastError: undefined as string | undefined,
});

/** A run that has ended. */
export interface RunResult extends Known {
  readonly ending: Ending;
  readonly tookMs: number;
  /** Milliseconds since 1970. */
  readonly endedAtMs: number;
}

/** The ending of a run that threw. `redact` removes secrets from texts that come from outside. */
export function endingOfError(error: unknown, redact: (text: string) => string): Ending {
  if (error instanceof CancelledError) {
    return { kind: 'cancelled', signal: error.signal, mayBeAccepted: error.mayBeAccepted };
  }
  if (error instanceof InputError) return { kind: 'bad-inputs', problems: error.problems };
  if (error instanceof RunError) {
    const { heading, message, mayBeAccepted } = error;
    return { kind: 'error', heading, message, mayBeAccepted };
  }
  const heading = 'Unexpected error';
  const message = `${heading}: ${quote(redact(messageOf(error)))}. This is a bug in the action. Please report it at https://github.com/docs-agent/docs-agent-job/issues.`;
  return { kind: 'error', heading, message, mayBeAccepted: false };
}
