import { type FollowedJob, unread, type WaitEnding } from '../agent/job.ts';
import type { Runner } from '../effects/effects.ts';
import { InputError, type Inputs } from '../inputs/inputs.ts';
import type { ChangesOverview, SkipReason } from '../lib/changes-overview.ts';
import { CancelledError, messageOf, RunError } from '../lib/errors.ts';
import { quote } from '../lib/escape.ts';
import type { Press } from '../lib/press.ts';
import type { RunFacts } from '../lib/run-facts.ts';

/** Every way a run can end. What is known of the agent job is in {@link Known}. */
export type Ending =
  | WaitEnding
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'dry-run' }
  /** The pull request (`owner/name#123`) was closed before what the agent added to it was seen. */
  | { readonly kind: 'missed'; readonly name: string }
  /** `mayBeAccepted` is about a create or message call that the cancel interrupted. */
  | ({ readonly kind: 'cancelled' } & Pick<CancelledError, 'signal' | 'mayBeAccepted' | 'namedId'>)
  | { readonly kind: 'bad-inputs'; readonly problems: readonly string[] }
  | ({ readonly kind: 'error' } & Pick<
      RunError,
      'heading' | 'message' | 'mayBeAccepted' | 'namedId'
    >);

/** What is known of a run, as far as it came. Each step of the run makes the next one from it. */
export interface Known {
  readonly facts: RunFacts;
  /** Missing when they cannot be used. */
  readonly inputs: Inputs | undefined;
  /** The prompt that was sent or would be sent, with the changes. */
  readonly prompt: string | undefined;
  readonly changes: ChangesOverview | undefined;
  /** The agent job as last read. Its fields are empty until they are known. */
  readonly job: FollowedJob;
  /** The service accepted the create or message call of this run. */
  readonly isAccepted: boolean;
  /** The attempt of this workflow run that created the agent job, when an earlier one did. */
  readonly resumedFrom: number | undefined;
  /** The open pull request that the prompt is added to, as `owner/name#123`. */
  readonly appendedTo: string | undefined;
  /** Why the prompt is not added to an open pull request: a whole sentence. */
  readonly whyNew: string | undefined;
  /** The pull request had been open before this step. */
  readonly isUpdated: boolean;
  /** A check of this run showed the agent job. */
  readonly wasSeen: boolean;
  /** How often the agent job was read. */
  readonly checks: number;
  /** The error of the last read, if it failed. */
  readonly lastError: string | undefined;
}

export const nothingKnown = (facts: RunFacts): Known => ({
  facts,
  inputs: undefined,
  prompt: undefined,
  changes: undefined,
  job: unread(''),
  isAccepted: false,
  resumedFrom: undefined,
  appendedTo: undefined,
  whyNew: undefined,
  isUpdated: false,
  wasSeen: false,
  checks: 0,
  lastError: undefined,
});

/** A run that has ended. */
export interface RunResult extends Known {
  readonly ending: Ending;
  /** What "Re-run failed jobs" will do. `undefined` when that is not certain. */
  readonly press: Press | undefined;
  /** If its changes came to nothing, the next run of this step sends them again. */
  readonly isCaughtUp: boolean;
  readonly tookMs: number;
  /** Milliseconds since 1970. */
  readonly endedAtMs: number;
}

/** The ending of a run that threw. `redact` removes secrets from texts that come from outside. */
export function endingOfError(error: unknown, redact: Runner['redact']): Ending {
  if (error instanceof CancelledError) {
    const { signal, mayBeAccepted, namedId } = error;
    return { kind: 'cancelled', signal, mayBeAccepted, namedId: namedId && redact(namedId) };
  }
  if (error instanceof InputError) return { kind: 'bad-inputs', problems: error.problems };
  if (error instanceof RunError) {
    const { heading, message, mayBeAccepted, namedId } = error;
    return { kind: 'error', heading, message, mayBeAccepted, namedId: namedId && redact(namedId) };
  }
  const heading = 'Unexpected error';
  const message = `${heading}: ${quote(redact(messageOf(error)))}. This is a bug in the action. Please report it at https://github.com/docs-agent/docs-agent-job/issues.`;
  return { kind: 'error', heading, message, mayBeAccepted: false, namedId: undefined };
}
