/** How a run can end, and what is known by then. */
import type { AgentJob } from '../agent/job.ts';
import type { ChangesOverview } from '../changes/changes.ts';
import { Cancelled, messageOf, StepError, type Topic } from '../errors.ts';
import type { RunFacts } from '../github/event.ts';
import type { ReadableDocsPull } from '../github/pull-requests.ts';
import { InputErrors, type Inputs } from '../inputs.ts';
import type { LedgerScope } from '../ledger/name.ts';
import { quote } from '../text/escape.ts';
import type { SkipReason } from './skipped.ts';

export type Ending =
  /** The agent job ended (`known.job`). */
  | { readonly kind: 'pull-request' | 'no-changes' | 'archived' | 'failed' }
  /** The pull request that the message was for was merged or closed before the agent was done. */
  | {
      readonly kind: 'pull-request-ended';
      readonly link: string;
      readonly how: 'merged' | 'closed';
    }
  /** The service answered 404 for the agent job for 30 s. */
  | { readonly kind: 'gone'; readonly said: string }
  | { readonly kind: 'timed-out'; readonly lastError: string | undefined }
  | { readonly kind: 'cancelled'; readonly signal: string }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'started' }
  | { readonly kind: 'dry-run' }
  | { readonly kind: 'bad-inputs'; readonly problems: readonly string[] }
  | { readonly kind: 'error'; readonly topic: Topic; readonly message: string };

/** How a run ends that threw. Anything but the classes for people is a bug of this action. */
export function endingOfError(error: unknown): Ending {
  if (error instanceof Cancelled) return { kind: 'cancelled', signal: error.signal };
  if (error instanceof InputErrors) return { kind: 'bad-inputs', problems: error.problems };
  if (error instanceof StepError)
    return { kind: 'error', topic: error.topic, message: error.message };
  const message = `This is a bug in the action: ${quote(messageOf(error))}. Report it with the log at https://github.com/docs-agent/docs-agent-job/issues.`;
  return { kind: 'error', topic: 'unexpected', message };
}

/** What is known about the prompt of this run. */
export type CallState =
  /** No call was made, or the service certainly did not take it. */
  | { readonly kind: 'not-sent' }
  /**
   * The agent job has the prompt: from this run, or from an earlier one, which this run follows.
   * `rerun` is what "Re-run failed jobs" does while the agent job is active. It sends the prompt
   * again if no ledger holds the agent job.
   */
  | { readonly kind: 'accepted'; readonly jobId: string; readonly rerun: 'follows' | 'sends' }
  /** The service may have taken the call. `jobId` is the id in an unusable response. */
  | { readonly kind: 'in-doubt'; readonly jobId: string | undefined };

/** Everything that is known about a run. Each step adds to it, and the report is written from it. */
export interface Known {
  readonly facts: RunFacts;
  /** Missing while the inputs are unusable. */
  readonly inputs?: Inputs;
  /** The prompt that was, or in a dry run would be, sent. */
  readonly prompt?: string;
  readonly changes?: ChangesOverview;
  readonly call: CallState;
  /** The agent job as last read. */
  readonly job?: AgentJob;
  /** Its pull request as GitHub shows it after the end, where the token may read it. */
  readonly docsPull?: ReadableDocsPull;
  /** The link of the open pull request that the prompt was added to. */
  readonly appendedTo?: string | undefined;
  /** Of this repository's pull requests, those whose changes the prompt includes. */
  readonly codePullRequests?: readonly number[];
  readonly ledger?: { readonly ref: string; readonly scope: LedgerScope };
}
