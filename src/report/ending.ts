/** How a run can end, and what is known by then. */
import type { AgentJob } from '../agent/job.ts';
import type { ChangesOverview } from '../changes/run-changes.ts';
import { Cancelled, messageOf, StepError, type Topic } from '../errors.ts';
import type { RunFacts } from '../github/event.ts';
import type { ReadableDocsPull } from '../github/pull-requests.ts';
import type { Inputs } from '../inputs.ts';
import type { LedgerScope } from '../ledger/state.ts';
import { quote } from '../text/escape.ts';

export type Ending =
  | { readonly kind: 'pull-request' | 'no-changes' | 'archived' | 'failed' }
  | {
      readonly kind: 'pull-request-ended';
      readonly link: string;
      readonly how: 'merged' | 'closed';
    }
  | { readonly kind: 'gone'; readonly said: string }
  | { readonly kind: 'timed-out'; readonly lastError: string | undefined }
  | { readonly kind: 'cancelled'; readonly signal: string }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'started' }
  | { readonly kind: 'dry-run' }
  /** `topic` and `about` are those of a `StepError`. */
  | {
      readonly kind: 'error';
      readonly topic: Topic;
      readonly about: string;
      readonly message: string;
    };

export const SKIPPED = {
  covered: 'The ledger covers these changes: a run sent them, left them out, or began after them.',
  'not-on-branch':
    'This commit is no longer on its branch: a force push removed it, or the branch was deleted.',
  'branch-deleted': 'This push deleted the branch or tag.',
  'merge-group': 'The push after the merge sends these changes.',
  'no-changes': 'The commits leave every file as it was.',
  'no-matching-files': 'No changed file matches `paths`.',
  'all-skipped': 'Every commit is left out by `skip` or its built-in rules.',
  'no-start':
    'Neither the event nor an earlier run says where the changes start. To set it yourself, start a new run with `since`.',
  'since-ahead': "`since` is ahead of this run's commit.",
  'all-documented': "`since` is this run's commit, so everything up to it is documented.",
  'in-doubt': 'A newer run may have sent these changes. Its error says what to check.',
  'no-secrets':
    'GitHub gives no secrets to forks, pull requests from forks, or Dependabot, so `adminApiKey` is empty.',
} as const;

export type SkipReason = keyof typeof SKIPPED;

/** If the step's time is over, that is why git or a request failed. */
export function endingOfError(error: unknown, isTimeOver = false): Ending {
  if (error instanceof Cancelled) return { kind: 'cancelled', signal: error.signal };
  if (error instanceof StepError) {
    const { topic, message, about } = error;
    const isCutOff = isTimeOver && ['network', 'git', 'git-network', 'github'].includes(topic);
    return { kind: 'error', topic: isCutOff ? 'cut-off' : topic, message, about };
  }
  const message = `This is a bug in the action: ${quote(messageOf(error))}`;
  return { kind: 'error', topic: 'unexpected', message, about: '' };
}

export type CallState =
  | { readonly kind: 'not-sent' }
  /** `rerun` is what "Re-run failed jobs" does while the agent job is active. */
  | { readonly kind: 'accepted'; readonly jobId: string; readonly rerun: 'follows' | 'sends' }
  /** The service may have taken the call. `jobId` is the id in an unusable response. */
  | { readonly kind: 'in-doubt'; readonly jobId: string | undefined };

/** Everything that is known about a run. Each step adds to it, and the report is written from it. */
export interface Known {
  readonly facts: Pick<RunFacts, 'serverUrl' | 'repository'>;
  readonly inputs?: Pick<Inputs, 'task' | 'projectId' | 'since' | 'timeoutMs' | 'sendsChanges'>;
  /** The prompt that was, or in a dry run would be, sent. */
  readonly prompt?: string;
  readonly changes?: ChangesOverview;
  readonly call: CallState;
  readonly job?: AgentJob | undefined;
  /** The pull request of the agent job after the end, where the token may read it. */
  readonly docsPull?: ReadableDocsPull;
  /** The link of the open pull request that the prompt was added to. */
  readonly appendedTo?: string | undefined;
  /** Of this repository's pull requests, those whose changes the prompt includes. */
  readonly codePullRequests?: readonly number[];
  readonly ledger?: { readonly ref: string; readonly scope: LedgerScope };
}
