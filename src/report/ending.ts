import type { Job, JobEnd, WaitEnding } from '../agent/job.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { ChangesOverview } from '../lib/changes-overview.ts';
import {
  AgentApiError,
  CancelledError,
  ChangesError,
  InputError,
  messageOf,
  OutputError,
  SinceError,
  WorkflowContextError,
} from '../lib/errors.ts';
import type { RunFacts } from '../lib/run-facts.ts';
import { quote } from '../lib/text.ts';

/** Every way a run can end. */
export type Ending =
  | WaitEnding
  | { readonly kind: 'skipped'; readonly changes: ChangesOverview }
  | { readonly kind: 'dry-run' }
  /** By `signal`. `mayBeAccepted` is about a create or message call that the cancel interrupted. */
  | { readonly kind: 'cancelled'; readonly signal: string; readonly mayBeAccepted: boolean }
  | { readonly kind: 'bad-inputs'; readonly problems: readonly string[] }
  | {
      readonly kind: 'error';
      /** What could not be done, in a few words. */
      readonly heading: string;
      readonly message: string;
      readonly mayBeAccepted: boolean;
    };

/** All that is known when a run ends. Values that the run did not get to are missing. */
export interface RunResult {
  readonly facts: RunFacts;
  readonly inputs: Inputs | undefined;
  /** The prompt that was sent or would be sent, with the changes and without secrets. */
  readonly prompt: string | undefined;
  /** Of the whole prompt, in characters. */
  readonly promptLength: number;
  readonly changes: ChangesOverview | undefined;
  readonly jobId: string | undefined;
  readonly job: Job | undefined;
  /** How the agent job ended, once an end was read that counts. */
  readonly end: JobEnd | undefined;
  /** The service accepted the create or message call of this run. */
  readonly isAccepted: boolean;
  /** A re-run can find the agent job. */
  readonly isResumable: boolean;
  /** The attempt of this workflow run that created the agent job, when an earlier one did. */
  readonly resumedFrom: number | undefined;
  readonly reads: number;
  /** The error of the last read, if it failed. */
  readonly lastError: string | undefined;
  readonly tookMs: number;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
  readonly ending: Ending;
}

export type Outcome =
  | JobEnd
  | 'timed-out'
  | 'cancelled'
  | 'skipped'
  | 'started'
  | 'dry-run'
  | 'error';

/** The ending of a run that threw. `redact` removes secrets from texts that come from outside. */
export function endingOfError(error: unknown, redact: (text: string) => string): Ending {
  if (error instanceof CancelledError) {
    const { signal, mayBeAccepted } = error;
    return { kind: 'cancelled', signal, mayBeAccepted };
  }
  if (error instanceof InputError) return { kind: 'bad-inputs', problems: error.problems };
  if (error instanceof AgentApiError) {
    const { heading, message, mayBeAccepted } = error;
    return { kind: 'error', heading, message, mayBeAccepted };
  }
  if (error instanceof ChangesError) return errorEnding(error.heading, error.message);
  if (error instanceof SinceError) {
    return errorEnding('The start of the changes was not found', error.message);
  }
  if (error instanceof WorkflowContextError) {
    return errorEnding('This does not run in a GitHub Actions workflow', `${error.message}.`);
  }
  if (error instanceof OutputError) {
    return errorEnding('The outputs cannot be written', error.message);
  }
  return errorEnding(
    'Unexpected error',
    `Unexpected error: ${quote(redact(messageOf(error)))}. This is a bug in the action. Please report it at https://github.com/docs-agent/docs-agent-job/issues.`,
  );
}

const errorEnding = (heading: string, message: string): Ending => ({
  kind: 'error',
  heading,
  message,
  mayBeAccepted: false,
});
