import type { Runner } from '../effects/effects.ts';
import type { Inputs } from '../inputs/inputs.ts';
import {
  type FollowedJob,
  type LastAtWork,
  unreadJob,
  type WaitEnding,
} from '../model/agent-job.ts';
import type { ChangesOverview, SkipReason } from '../model/changes.ts';
import type { DocsPullSummary, PullBefore } from '../model/docs-pull.ts';
import type { LookedAtBy, RerunEffect, StepRecord } from '../model/record.ts';
import { type CallState, CancelledError, messageOf, RunError } from '../model/run-error.ts';
import type { RunFacts } from '../model/run-facts.ts';
import { quote } from '../text/escape.ts';

/** Every way a run can end. {@link Known} holds what is known about the agent job. */
export type Ending =
  | WaitEnding
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  /** The newer run with this number covers this run's changes. */
  | { readonly kind: 'overtaken'; readonly by: number }
  | { readonly kind: 'dry-run' }
  /**
   * The agent's additions may have reached nobody: no read showed the pull request open after them.
   */
  | {
      readonly kind: 'missed';
      readonly name: string;
      readonly link: string;
      readonly how: 'merged' | 'closed' | undefined;
    }
  /** The step's last agent job didn't end in time, so nothing was sent. */
  | ({ readonly kind: 'last-at-work' } & LastAtWork)
  | ({ readonly kind: 'cancelled' } & Pick<CancelledError, 'signal' | 'call'>)
  | { readonly kind: 'bad-inputs'; readonly problems: readonly string[] }
  | ({ readonly kind: 'error' } & Pick<RunError, 'heading' | 'message' | 'call'>);

/** What is known about a run so far. Each step adds to it. */
export interface Known {
  readonly facts: RunFacts;
  /** Missing when the inputs are unusable. */
  readonly inputs: Inputs | undefined;
  /** The prompt that was or would be sent, including the changes. */
  readonly prompt: string | undefined;
  readonly changes: ChangesOverview | undefined;
  /** The code pull requests that the prompt describes. */
  readonly codePulls: readonly number[];
  /** The agent job as last read. Fields are empty until they are known. */
  readonly job: FollowedJob;
  /** The service accepted this run's create or message call. */
  readonly isAccepted: boolean;
  /** The earlier attempt of this workflow run that made the call, if any. */
  readonly resumedFrom: number | undefined;
  /** The docs pull request after the end, if the token may read it. */
  readonly docs: DocsPullSummary | undefined;
  /** The open pull request that the prompt adds to, as `owner/name#123`. */
  readonly appendedTo: string | undefined;
  /** Why the prompt didn't go to an open pull request, as a complete sentence. */
  readonly whyNew: string | undefined;
  readonly pullBefore: PullBefore;
  /** The head of the pull request has moved since the message. */
  readonly hasChanged: boolean;
  /** The link to the agent job's pull request, or to the one that the message was for. */
  readonly pullLink: string;
  /** A warning about the pull request, shown below it in the summary. */
  readonly pullWarning: string | undefined;
  /** A check of this run showed the agent job. */
  readonly wasSeen: boolean;
  /** How many times the agent job was read. */
  readonly checks: number;
  /** The error of the last read, if it failed. */
  readonly lastError: string | undefined;
  /**
   * The record that the step leaves. Missing in a dry run, in a run that only follows, and when
   * nothing was sent and no later run looks for a record.
   */
  readonly record: LeftRecord | undefined;
  /** Earlier attempts and runs don't stop this one from sending. */
  readonly isSendingDecided: boolean;
  readonly lookedAtBy: LookedAtBy;
}

/** A record, and whether it has been written yet. */
export interface LeftRecord {
  readonly content: StepRecord;
  readonly isWritten: boolean;
}

/** A run that has ended. */
export interface RunResult extends Known {
  readonly ending: Ending;
  /** What "Re-run failed jobs" does next. `undefined` when that is uncertain. */
  readonly rerunEffect: RerunEffect | undefined;
  readonly tookMs: number;
  /** In ms since 1970. */
  readonly endedAtMs: number;
}

export const nothingKnown = (facts: RunFacts): Known => ({
  facts,
  inputs: undefined,
  prompt: undefined,
  changes: undefined,
  codePulls: [],
  job: unreadJob(''),
  isAccepted: false,
  resumedFrom: undefined,
  docs: undefined,
  appendedTo: undefined,
  whyNew: undefined,
  pullBefore: { kind: 'none' },
  hasChanged: false,
  pullLink: '',
  pullWarning: undefined,
  wasSeen: false,
  checks: 0,
  lastError: undefined,
  record: undefined,
  isSendingDecided: false,
  lookedAtBy: 'unknown',
});

/**
 * Converts an error that a run threw to its ending. `redact` removes secrets from untrusted text.
 */
export function endingOfError(error: unknown, redact: Runner['redact']): Ending {
  if (error instanceof CancelledError) {
    return { kind: 'cancelled', signal: error.signal, call: redacted(error.call, redact) };
  }
  if (error instanceof RunError) {
    const { heading, message } = error;
    return { kind: 'error', heading, message, call: redacted(error.call, redact) };
  }
  const heading = 'Unexpected error';
  const message = `${heading}: ${quote(redact(messageOf(error)))}. This is a bug in the action. Please report it at https://github.com/docs-agent/docs-agent-job/issues.`;
  return { kind: 'error', heading, message, call: { kind: 'not-accepted' } };
}

function redacted(call: CallState, redact: Runner['redact']): CallState {
  const isNamed = call.kind === 'in-doubt' && call.namedId !== undefined;
  return isNamed ? { ...call, namedId: redact(call.namedId) } : call;
}
