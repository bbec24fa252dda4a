/** How a run can end, and what is known by then. */
import type { AgentJob, Ended } from '../agent/job.ts';
import type { Changes } from '../changes/compose.ts';
import type { RunFacts } from '../github/event.ts';
import type { ReadableDocsPull } from '../github/pull-requests.ts';
import type { Inputs } from '../inputs.ts';
import type { EarlierEnd, SkippedReason } from '../ledger/decide.ts';
import type { LedgerScope } from '../ledger/state.ts';

export type Ending =
  /** An agent job may have ended before this run read it. */
  | { readonly kind: 'pull-request' | 'no-changes' | 'archived' | 'failed' }
  | Exclude<Ended, { job: AgentJob }>
  | { readonly kind: 'merged' | 'closed'; readonly link: string }
  | { readonly kind: 'timed-out'; readonly lastError: string | undefined }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'started' | 'dry-run' }
  /** By a `Cancelled`, a `StepError`, or a fault of ours. */
  | { readonly kind: 'stopped'; readonly error: unknown };

export type SkipReason = SkippedReason | 'branch-deleted' | 'merge-group' | 'no-secrets';

export const SKIPPED: Readonly<Record<SkipReason, string>> = {
  covered:
    'These changes are covered: a run sent them, left them out, or was told to start after them.',
  'not-on-branch':
    'This commit is no longer on its branch: a force push removed it, or the branch was deleted.',
  'tag-moved': 'This tag is at another commit now, or was deleted.',
  'branch-deleted': 'This push deleted the branch or tag.',
  'merge-group': 'The push after the merge sends these changes.',
  'no-changes': 'No file differs between the start and the end of these changes.',
  'no-matching-files': 'No changed file matches `paths`.',
  'all-skipped': 'Every commit is left out by `skip` or its built-in rules.',
  'no-start':
    'Neither the event nor an earlier run says where the changes start. To set it yourself, start a new run with `since`.',
  'since-ahead': "`since` is ahead of this run's commit.",
  'all-documented': "`since` is this run's commit, so everything up to it is documented.",
  'in-doubt': 'A newer run may have sent these changes. Its error says what to check.',
  'no-secrets':
    'GitHub gives no secrets to forks, pull requests from forks, or Dependabot, so `adminApiKey` is empty.',
};

export type CallState =
  /** `rerun` is what "Re-run failed jobs" does while the agent job is active. */
  | { readonly kind: 'accepted'; readonly jobId: string; readonly rerun: 'follows' | 'sends' }
  /** The service may have taken the call. `jobId` is the id in an unusable response. */
  | { readonly kind: 'in-doubt'; readonly jobId: string | undefined };

/** What is known about a run, as far as it got. */
export interface Known {
  readonly facts: RunFacts;
  readonly inputs?: Inputs;
  readonly ledger?: { readonly ref: string; readonly scope: LedgerScope };
  /** Whether a later run on the branch also sends what this one did not. Missing if nobody knows. */
  readonly isRemembered?: boolean | undefined;
  /** Ends of agent jobs of earlier runs that this run recorded. */
  readonly earlier?: readonly EarlierEnd[];
  /** The prompt that was, or in a dry run would be, sent. */
  readonly prompt?: string | undefined;
  readonly changes?: Changes | undefined;
  /** Of this repository's pull requests, those whose changes the prompt includes. */
  readonly codePullRequests?: readonly number[];
  /** The link of the open pull request that the prompt was added to. */
  readonly appendedTo?: string | undefined;
  /** Missing if nothing was sent. */
  readonly call?: CallState | undefined;
  readonly job?: AgentJob | undefined;
  /** The pull request of the agent job after the end, where the token may read it. */
  readonly docsPull?: ReadableDocsPull | undefined;
}

/** How a run, or a step of it, ended, and what was known then. */
export interface Result extends Partial<Known> {
  readonly ending: Ending;
}

export type Report = Known & Result;

/**
 * Turns an error of a step into its result, and adds what is known. The step's own fields count more,
 * even `undefined`. Never rejects.
 */
export async function knowing<Other extends object = never>(
  known: Partial<Known>,
  step: () => Promise<Result | NoInfer<Other>>,
): Promise<Result | Other> {
  const result = await step().catch(
    (error: unknown): Result => ({ ending: { kind: 'stopped', error } }),
  );
  return 'ending' in result ? { ...known, ...result } : result;
}
