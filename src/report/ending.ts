import type { Runner } from '../effects/effects.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { type FollowedJob, unread, type WaitEnding } from '../model/agent-job.ts';
import type { ChangesOverview, SkipReason } from '../model/changes.ts';
import type { DocsPull } from '../model/docs-pull.ts';
import type { RerunEffect, StepRecord } from '../model/record.ts';
import { type CallState, CancelledError, messageOf, RunError } from '../model/run-error.ts';
import type { RunFacts } from '../model/run-facts.ts';
import { quote } from '../text/escape.ts';

/** Every way a run can end. What is known of the agent job is in {@link Known}. */
export type Ending =
  | WaitEnding
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  /** The run of this number is newer, and has the changes of this one. */
  | { readonly kind: 'overtaken'; readonly by: number }
  | { readonly kind: 'dry-run' }
  /** What the agent added may have reached nobody: no read showed the pull request open after that. */
  | {
      readonly kind: 'missed';
      readonly name: string;
      readonly link: string;
      readonly how: 'merged' | 'closed' | undefined;
    }
  /** The last agent job of this step did not end in time, so nothing was sent. */
  | { readonly kind: 'last-at-work'; readonly lastId: string; readonly limitMs: number }
  | ({ readonly kind: 'cancelled' } & Pick<CancelledError, 'signal' | 'call'>)
  | { readonly kind: 'bad-inputs'; readonly problems: readonly string[] }
  | ({ readonly kind: 'error' } & Pick<RunError, 'heading' | 'message' | 'call'>);

/** What is known of a run, as far as it came. Each step adds to it. */
export interface Known {
  readonly facts: RunFacts;
  /** Missing when they cannot be used. */
  readonly inputs: Inputs | undefined;
  /** The prompt that was sent or would be sent, with the changes. */
  readonly prompt: string | undefined;
  readonly changes: ChangesOverview | undefined;
  /** The code pull requests that the prompt tells. */
  readonly codePulls: readonly number[];
  /** The agent job as last read. Its fields are empty until they are known. */
  readonly job: FollowedJob;
  /** The service accepted the create or message call of this run. */
  readonly isAccepted: boolean;
  /** The attempt of this workflow run that made the call, when an earlier one did. */
  readonly resumedFrom: number | undefined;
  /** The docs pull request after the end, where the token may read it. */
  readonly docs: DocsPull | undefined;
  /** The open pull request that the prompt is added to, as `owner/name#123`. */
  readonly appendedTo: string | undefined;
  /** Why the prompt was not added to an open pull request: a whole sentence. */
  readonly whyNew: string | undefined;
  /** The pull request had been open before this step. */
  readonly isUpdated: boolean;
  /** The pull request does not end at the commit any more at which it ended before the message. */
  readonly hasChanged: boolean;
  /** The link of the agent job's pull request, or of the one that the message was for. */
  readonly pullLink: string;
  /** A warning about the pull request, which stands below it in the summary. */
  readonly pullWarning: string | undefined;
  /** A check of this run showed the agent job. */
  readonly wasSeen: boolean;
  /** How often the agent job was read. */
  readonly checks: number;
  /** The error of the last read, if it failed. */
  readonly lastError: string | undefined;
  /**
   * What the step leaves behind. Missing in a dry run, in a run that only follows, and where nothing was
   * sent and no later run looks for that.
   */
  readonly record: LeftRecord | undefined;
  /** Earlier attempts and runs do not keep this one from sending. */
  readonly isSendingDecided: boolean;
  /** This step has seen that the next run will look at what became of its changes. */
  readonly isNextRunLooking: boolean;
}

/** What a step leaves behind. */
export interface LeftRecord {
  readonly content: StepRecord;
  readonly isWritten: boolean;
}

/** A run that has ended. */
export interface RunResult extends Known {
  readonly ending: Ending;
  /** What "Re-run failed jobs" will do. `undefined` when that is not certain. */
  readonly rerunEffect: RerunEffect | undefined;
  readonly tookMs: number;
  /** Milliseconds since 1970. */
  readonly endedAtMs: number;
}

export const nothingKnown = (facts: RunFacts): Known => ({
  facts,
  inputs: undefined,
  prompt: undefined,
  changes: undefined,
  codePulls: [],
  job: unread(''),
  isAccepted: false,
  resumedFrom: undefined,
  docs: undefined,
  appendedTo: undefined,
  whyNew: undefined,
  isUpdated: false,
  hasChanged: false,
  pullLink: '',
  pullWarning: undefined,
  wasSeen: false,
  checks: 0,
  lastError: undefined,
  record: undefined,
  isSendingDecided: false,
  isNextRunLooking: false,
});

/** The ending of a run that threw. `redact` removes secrets from texts that come from outside. */
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
