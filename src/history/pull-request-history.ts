/** Reads what earlier runs sent of a pull request's own changes. */
import type { WorkflowRun } from '../github/github.ts';
import type { Judge } from '../model/agent-job.ts';
import {
  type CalledJob,
  type LastJob,
  lastJobIn,
  newestPullRecord,
  type PullRecord,
} from '../model/record.ts';
import { type EarlierWork, stateOf } from '../model/start.ts';
import { timeIn } from '../text/duration.ts';
import type { Attempt, PausingClock, Step } from './annotations.ts';
import { HistoryNotKnown } from './history-not-known.ts';
import {
  beginLook,
  ENOUGH_ATTEMPTS,
  isSkippedRun,
  LIST_IS_CUT,
  MAX_WITHOUT_WORKFLOW_JOB,
  type Patience,
  recordsOfRun,
  TOO_MANY_RUNS,
  withinRequests,
} from './other-runs.ts';
import { RequestsSpent, type RunsApi } from './requests.ts';
import { cannotBeRead, NOT_READ } from './start-after.ts';

/**
 * The newest call that sent, or may have sent, changes of the pull request, from its own record or
 * from that of a run that was skipped since.
 */
export interface SentCall {
  readonly record: PullRecord;
  /** `undefined` if an earlier attempt of this run made the call and it came to nothing. */
  readonly runNumber: number | undefined;
}

export interface PullHistory {
  readonly sent: SentCall | undefined;
  /** The last agent job that these runs name, or `none`. */
  readonly last: LastJob | 'none';
  /** Complete sentences. */
  readonly warnings: readonly string[];
}

/** Where to look for calls. */
export interface PullScope {
  /** The earlier attempts of this run. */
  readonly attempts: readonly Attempt[];
  /** The calls of these attempts count. Otherwise they don't, no matter which record names them. */
  readonly isResuming: boolean;
  /** Older runs don't count. */
  readonly isNewerOnly?: boolean;
  /** Find out which agent job this step called last. */
  readonly isLastWanted?: boolean;
}

/** How far the clocks of two runners and of GitHub may differ. */
const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * Searches the earlier attempts of this run, and all other runs on this branch, older and newer.
 * The latest call decides, no matter which run made it. Ignores runs in which nothing happened
 * since that call. Throws `HistoryNotKnown` when it can't determine what they did, and a
 * `GitHubError` when GitHub fails.
 */
export async function lookThroughPullHistory(
  api: RunsApi,
  step: Step,
  { attempts, isResuming, isNewerOnly = false, isLastWanted = false }: PullScope,
  patience: Patience,
  time: PausingClock,
): Promise<PullHistory> {
  const calls: SentCall[] = [];
  const ownCalls: SentCall[] = [];
  let last: LastJob | 'none' | undefined;
  for (const { read } of attempts) {
    const kept = await read();
    if (kept.kind !== 'records') continue;
    const record = newestPullRecord(kept.records);
    // A skipped attempt made no call.
    const isCall = record !== undefined && record.what.kind !== 'none';
    if (isCall) ownCalls.push({ record, runNumber: undefined });
  }
  if (isResuming) calls.push(...ownCalls);
  let [withoutWorkflowJob, attemptsRead] = [0, 0];
  const { look, list } = await withinRequests(() => beginLook(api, step, patience, time));
  let whyIncomplete: string | undefined;
  try {
    const newer = [...list.newer];
    while (withoutWorkflowJob < MAX_WITHOUT_WORKFLOW_JOB) {
      const run = newer.pop() ?? (isNewerOnly ? undefined : await list.nextOlder());
      if (run === undefined) {
        if (!isNewerOnly && list.isCut() && calls.length === 0) whyIncomplete = LIST_IS_CUT;
        break;
      }
      if (isSkippedRun(run) || !isAboutPull(run)) continue;
      const lookedAt = Math.max(...calls.map(({ record }) => record.at));
      if (isOverBefore(run, lookedAt)) continue;
      const one = await recordsOfRun(look, run, newestPullRecord);
      const { workflowJob, records, result } = one;
      attemptsRead += one.attempts;
      if (workflowJob === 'ran') withoutWorkflowJob = 0;
      if (workflowJob === 'none') withoutWorkflowJob += 1;
      // Keep looking for the last agent job if this record doesn't name one.
      const isEnough = result?.what.kind !== 'none' || !isLastWanted || result.last !== undefined;
      if (result && isEnough) calls.push({ record: result, runNumber: run.run_number });
      last = laterCalledJob(last, lastJobIn(records));
    }
  } catch (error) {
    if (!(error instanceof RequestsSpent)) throw error;
    whyIncomplete = TOO_MANY_RUNS;
  }
  const isNew = !look.hasRecord && attemptsRead >= ENOUGH_ATTEMPTS;
  if (whyIncomplete !== undefined && !isNew) throw new HistoryNotKnown(whyIncomplete);
  const latest = latestOf(calls);
  const ownCall = latest && ownCalls.find((call) => isAbout(latest, call));
  // Without `ownHash`, a skipped run says that nothing was sent.
  const known = latest?.record.ownHash === undefined ? undefined : latest;
  const sent = ownCall === undefined ? known : isResuming ? ownCall : undefined;
  return { sent, last: last ?? 'none', warnings: look.warnings };
}

/** Whether the record of a skipped run refers to this call. */
const isAbout = ({ record: { what, last } }: SentCall, { record: call }: SentCall): boolean =>
  what.kind === 'none' &&
  call.what.kind === 'job' &&
  typeof last === 'object' &&
  call.what.id === last.id &&
  call.at === last.at;

/** Whether a run may be about a pull request. The records of any other run have another key. */
const isAboutPull = ({ event = '' }: WorkflowRun) =>
  event === '' || event.startsWith('pull_request');

function latestOf(calls: readonly SentCall[]): SentCall | undefined {
  let latest = calls[0];
  for (const call of calls) {
    if (latest === undefined || calledAt(call) > calledAt(latest)) latest = call;
  }
  return latest;
}

/** In Unix seconds. A skipped run refers to an earlier call, or to none. */
const calledAt = ({ record: { what, at, last } }: SentCall): number =>
  what.kind !== 'none' ? at : typeof last === 'object' ? last.at : 0;

/** Whether nothing happened in a run after `at` (in Unix seconds), as far as GitHub says. */
function isOverBefore({ status, updated_at: updatedAt = '' }: WorkflowRun, at: number): boolean {
  const updatedMs = timeIn(updatedAt);
  return (
    status === 'completed' && updatedMs !== undefined && updatedMs < at * 1_000 - CLOCK_SKEW_MS
  );
}

/** Returns the job that was called later. Any job takes precedence over `none`. */
export function laterCalledJob(
  one: LastJob | 'none' | undefined,
  other: LastJob | 'none' | undefined,
): LastJob | 'none' | undefined {
  if (typeof one === 'object' && typeof other === 'object') {
    return other.at > one.at ? other : one;
  }
  return typeof other === 'object' ? other : (one ?? other);
}

/** The outcome of the newest call. */
export interface SentBefore {
  /** The hash of the changes that the call sent, if known. */
  readonly ownHash: string | undefined;
  /** An agent job has the changes, and has ended well or is working. */
  readonly isDone: boolean;
  /** That agent job, and when it was called, if it has certainly ended well. */
  readonly covered: CalledJob | undefined;
  /** The call's agent job, if the next one should know about it. */
  readonly earlier: readonly EarlierWork[];
  /** Complete sentences. */
  readonly warnings: readonly string[];
}

/**
 * Judges the outcome of the newest call. `isMessage` means that the step sends follow-up messages
 * to the agent job in `jobId`. Throws `HistoryNotKnown` when the service or GitHub can't answer.
 */
export async function judgeSent(
  { record, runNumber }: SentCall,
  judge: Judge,
  isMessage: boolean,
): Promise<SentBefore> {
  const { what, at, ownHash, added, last } = record;
  const isOfThisRun = runNumber === undefined;
  const before = { ownHash, isDone: false, covered: undefined, earlier: [], warnings: [] };
  if (what.kind === 'unknown') {
    const warning = `The prompt of run #${runNumber} may have been sent: the service gave no usable response. The pull request is sent again.`;
    return { ...before, warnings: isOfThisRun ? [] : [warning] };
  }
  const called = what.kind === 'job' ? { id: what.id, at } : last;
  // A skipped run with `ownHash` names its agent job.
  if (typeof called !== 'object') return before;
  const judged = await judge({ id: called.id, added, ...(isMessage && { messagedAt: called.at }) });
  switch (judged.kind) {
    case 'error':
      throw new HistoryNotKnown(cannotBeRead(called.id, judged.error), {
        isTemporary: judged.isTemporary,
        again: 'later',
      });
    case 'not-read':
      return { ...before, isDone: true, warnings: [NOT_READ] };
    case 'not-found':
      return { ...before, isDone: !isOfThisRun, covered: isOfThisRun ? undefined : called };
    case 'known': {
      const { fate, prLink } = judged;
      const hasFailed = fate === 'failed' || fate === 'missed';
      const isCovered = fate === 'covered' && !isOfThisRun;
      const work = { jobId: called.id, state: stateOf(fate), overlaps: true, prLink };
      // An agent job of this run came to nothing, or this attempt would follow it.
      return {
        ...before,
        isDone: !hasFailed && !isOfThisRun,
        covered: isCovered ? called : undefined,
        // The agent job has what it needs, and its result is unknown so far.
        earlier: fate === 'running' ? [] : [work],
      };
    }
  }
}
