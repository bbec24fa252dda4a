/** Reads what the other runs of this workflow on this branch recorded. */

import { unlessNotFound } from '../github/errors.ts';
import type { WorkflowJob, WorkflowRun } from '../github/github.ts';
import {
  type LastJob,
  lastJobIn,
  newestWithRange,
  type RangeRecord,
  type StepRecord,
} from '../model/record.ts';
import type { RunCounts } from '../model/start.ts';
import { quote } from '../text/escape.ts';
import { capitalize } from '../text/words.ts';
import {
  attemptsOf,
  hiddenIn,
  isSkipped,
  KEEP_READABLE,
  type PausingClock,
  type Step,
} from './annotations.ts';
import { HistoryNotKnown } from './history-not-known.ts';
import { limitRequests, MAX_REQUESTS, RequestsSpent, type RunsApi } from './requests.ts';
import { listRuns, type RunList } from './run-list.ts';

/** What a search may wait for. */
export interface Patience {
  /**
   * The run sends nothing, so it doesn't wait for a run whose workflow job of this name is in
   * progress. A dry run warns instead.
   */
  readonly sendsNothing: boolean;
  /**
   * The step's `timeout`. Waiting for a list that includes this run takes at most a third of it.
   */
  readonly timeoutMs: number;
  /** When the step's time is up, on the clock's scale. */
  readonly deadline: number;
}

/** What to find out from other runs. */
export interface RunsQuery {
  /**
   * This run's changes, to find out where they start now and whether a newer run has them.
   * `undefined` if the search needs only the last agent job.
   */
  readonly own: OwnSpan | undefined;
  /** Find out which agent job this step called last. */
  readonly isLastWanted: boolean;
}

/** What is known about a run's changes without other runs. */
export interface OwnSpan {
  /** Where they start: by an earlier attempt, or by the event. `<commit>^` is the parent. */
  readonly start: string | undefined;
  /** The commit at which they end. */
  readonly head: string;
}

/** What the other runs of this step recorded. */
export interface OtherRuns {
  /** A newer run recorded a range, so no later run looks at this one. */
  readonly hasNewerRange: boolean;
  /** The number of the newer run that covers this run's changes. */
  readonly overtakenBy: number | undefined;
  /** The newest older run that recorded a range. */
  readonly older: RunWithRange | undefined;
  /**
   * The last agent job that older runs name. `none` if they name none, and `undefined` if unknown.
   */
  readonly last: LastJob | 'none' | undefined;
  /** Where the events of older runs say that their changes start, oldest first. */
  readonly eventStarts: readonly string[];
  readonly olderRuns: RunCounts;
  /** Complete sentences. */
  readonly warnings: readonly string[];
}

/** A record that says which changes a run covers, and that run's number. */
export interface RunWithRange {
  readonly runNumber: number;
  readonly record: RangeRecord;
}

export const NO_OTHER_RUNS: OtherRuns = {
  hasNewerRange: false,
  overtakenBy: undefined,
  older: undefined,
  last: undefined,
  eventStarts: [],
  olderRuns: { read: 0, recorded: 0, unrecorded: 0 },
  warnings: [],
};

/** The most newer runs to read, nearest first. */
const MAX_NEWER = 50;
/** After this many older runs in a row without this workflow job, the step's history has ended. */
export const MAX_WITHOUT_WORKFLOW_JOB = 50;
/**
 * If this many attempts of older runs left no record, the step is new, even if there are more runs.
 */
export const ENOUGH_ATTEMPTS = 50;

/** The tools of a search through other runs, and what it has seen so far. */
export interface Look {
  readonly github: RunsApi;
  readonly step: Step;
  readonly patience: Patience;
  readonly time: PausingClock;
  readonly warnings: string[];
  /** The search has seen a record of this step. */
  hasRecord: boolean;
}

/**
 * Searches the other runs of this workflow on this branch in this repository: newer ones for this
 * run's changes, and older ones, newest first, until one has recorded changes. Makes at most
 * `MAX_REQUESTS` requests. Throws `HistoryNotKnown` when it can't determine what they did, and a
 * `GitHubError` when GitHub fails.
 */
export async function lookThroughRuns(
  api: RunsApi,
  step: Step,
  query: RunsQuery,
  patience: Patience,
  time: PausingClock,
): Promise<OtherRuns> {
  const { own } = query;
  return withinRequests(async () => {
    const { look, list } = await beginLook(api, step, patience, time);
    const { hasNewerRange, overtakenBy, overlappedBy } =
      own === undefined ? NO_NEWER_RUNS : await lookThroughNewer(look, list.newer, own);
    const overtaken = { ...NO_OTHER_RUNS, hasNewerRange, warnings: look.warnings };
    if (overtakenBy !== undefined) return { ...overtaken, overtakenBy };
    const { whyIncomplete, attempts, ...found } = await lookThroughOlder(look, list, query);
    // What comes before the newer run's start is in the range of an older run.
    if (overlappedBy !== undefined && found.older !== undefined) {
      return { ...overtaken, overtakenBy: overlappedBy };
    }
    const isMissing = own === undefined ? found.last === undefined : found.older === undefined;
    if (isMissing && whyIncomplete !== undefined) {
      const isNew = !look.hasRecord && attempts >= ENOUGH_ATTEMPTS;
      if (!isNew) throw new HistoryNotKnown(whyIncomplete);
    }
    return { hasNewerRange, overtakenBy, ...found, warnings: look.warnings };
  });
}

/**
 * Returns the number of the newer run that covers this run's changes. Throws as `lookThroughRuns`
 * does.
 */
export async function newerRunWithChanges(
  api: RunsApi,
  step: Step,
  own: OwnSpan,
  patience: Patience,
  time: PausingClock,
): Promise<number | undefined> {
  return withinRequests(async () => {
    const { look, list } = await beginLook(api, step, patience, time);
    const { overtakenBy, overlappedBy } = await lookThroughNewer(look, list.newer, own);
    if (overtakenBy !== undefined || overlappedBy === undefined) return overtakenBy;
    const { older } = await lookThroughOlder(look, list, { own, isLastWanted: false });
    return older && overlappedBy;
  });
}

/** Throws `HistoryNotKnown` when the search spends its requests before it has a result. */
export async function withinRequests<T>(search: () => Promise<T>): Promise<T> {
  try {
    return await search();
  } catch (error) {
    throw error instanceof RequestsSpent ? new HistoryNotKnown(TOO_MANY_RUNS) : error;
  }
}

/**
 * Begins a search through other runs, whose calls throw `RequestsSpent` after `MAX_REQUESTS`
 * requests. Throws `HistoryNotKnown` when GitHub's list of runs isn't trustworthy.
 */
export async function beginLook(
  api: RunsApi,
  step: Step,
  patience: Patience,
  time: PausingClock,
): Promise<{ readonly look: Look; readonly list: RunList }> {
  const github = limitRequests(api);
  const look: Look = { github, step, patience, time, warnings: [], hasRecord: false };
  const list = await listRuns(github, step, patience.timeoutMs, time);
  if (!list.hasThisRun) {
    if (!patience.sendsNothing) throw new HistoryNotKnown(LIST_IS_OLD, LATER_REMEDY);
    look.warnings.push(`${LIST_IS_OLD}. This dry run uses the list as it is.`);
  }
  return { look, list };
}

const LATER_REMEDY = { isTemporary: true, again: 'later' };

const LIST_IS_OLD =
  "GitHub's list of the runs of this workflow on this branch does not include this run, so it may be old or incomplete";
export const TOO_MANY_RUNS = `the runs of this workflow on this branch that ${MAX_REQUESTS} requests to GitHub can reach do not say what was covered, and there are more`;
export const LIST_IS_CUT =
  'the runs of this workflow on this branch that GitHub lists (1,000 at most) do not say what was covered, and there are more';

/** Whether a run's only attempt ran no step, so that there is nothing to read. */
export const isSkippedRun = ({ conclusion, run_attempt: attempt }: WorkflowRun) =>
  conclusion === 'skipped' && (attempt ?? 1) === 1;

interface NewerRuns extends Pick<OtherRuns, 'hasNewerRange' | 'overtakenBy'> {
  /** The number of a newer run that has this run's head, and may lack its first changes. */
  readonly overlappedBy: number | undefined;
}

const NO_NEWER_RUNS: NewerRuns = {
  hasNewerRange: false,
  overtakenBy: undefined,
  overlappedBy: undefined,
};

/** Whether a newer run recorded a range, and which one covers this run's changes. */
async function lookThroughNewer(
  look: Look,
  listed: readonly WorkflowRun[],
  own: OwnSpan,
): Promise<NewerRuns> {
  const nearest = listed.filter((run) => !isSkippedRun(run)).slice(0, MAX_NEWER);
  let newer = NO_NEWER_RUNS;
  for (const run of nearest) {
    const { run_number: number } = run;
    const { result: record } = await recordsOfRun(look, run, newestWithRange);
    if (record === undefined) continue;
    newer = { ...newer, hasNewerRange: true };
    const contained = await containedIn(look, record, own);
    if (contained === 'all') return { ...newer, overtakenBy: number };
    if (contained === 'end') newer = { ...newer, overlappedBy: newer.overlappedBy ?? number };
  }
  return newer;
}

/**
 * How much of this run's changes a newer run's range contains. It has at least the end of them if
 * its own end contains this run's head, and its start doesn't. It has all of them unless they start
 * before it.
 */
async function containedIn(
  { github, step: { repository = '' } }: Look,
  { range: { from, to } }: RangeRecord,
  { start, head }: OwnSpan,
): Promise<'all' | 'end' | 'nothing'> {
  if (from === undefined) return 'nothing';
  const compare = (base: string, end: string) =>
    unlessNotFound(() => github.compareStatus(repository, base, end));
  const afterStart = await compare(from, head);
  if (afterStart !== 'ahead' && afterStart !== 'diverged') return 'nothing';
  if (to !== head && (await compare(head, to)) !== 'ahead') return 'nothing';
  if (start === undefined) return 'all';
  // After a force push, the newer run's start can be on a line of its own.
  const isAhead = afterStart === 'ahead';
  const common = isAhead ? from : await unlessNotFound(() => github.mergeBase(from, head));
  if (common === undefined) return 'end';
  const isParent = start.endsWith('^');
  const status = await compare(common, isParent ? start.slice(0, -1) : start);
  const isAfter = status === 'ahead' || (status === 'identical' && !isParent);
  return isAfter ? 'all' : 'end';
}

/**
 * Looks for the newest range and the last agent job. `whyIncomplete` says why there may be older
 * runs that were not read, if so.
 */
async function lookThroughOlder(look: Look, list: RunList, { own, isLastWanted }: RunsQuery) {
  const isStartWanted = own !== undefined;
  let older: RunWithRange | undefined;
  let last: LastJob | 'none' | undefined;
  const olderRuns = { read: 0, recorded: 0, unrecorded: 0 };
  let [withoutWorkflowJob, attempts] = [0, 0];
  let whyIncomplete: string | undefined;
  const eventStarts: string[] = [];
  while (withoutWorkflowJob < MAX_WITHOUT_WORKFLOW_JOB) {
    const isRangeDue = isStartWanted && older === undefined;
    if (!isRangeDue && !(isLastWanted && last === undefined)) break;
    try {
      const run = await list.nextOlder();
      if (run === undefined) {
        if (list.isCut()) whyIncomplete = LIST_IS_CUT;
        break;
      }
      const wanted = (left: readonly StepRecord[]) =>
        isRangeDue ? newestWithRange(left) : lastJobIn(left);
      const one = isSkippedRun(run) ? SKIPPED : await recordsOfRun(look, run, wanted);
      const { records, workflowJob } = one;
      olderRuns.read += 1;
      attempts += one.attempts;
      if (records.length > 0) olderRuns.recorded += 1;
      else if (workflowJob === 'ran') olderRuns.unrecorded += 1;
      if (workflowJob === 'ran') withoutWorkflowJob = 0;
      if (workflowJob === 'none') withoutWorkflowJob += 1;
      const eventStart = records.findLast((record) => record.eventStart !== undefined)?.eventStart;
      if (eventStart !== undefined) eventStarts.unshift(eventStart);
      const record = isRangeDue ? newestWithRange(records) : undefined;
      if (record !== undefined) older = { runNumber: run.run_number, record };
      last ??= lastJobIn(records);
    } catch (error) {
      if (error instanceof RequestsSpent) {
        whyIncomplete = TOO_MANY_RUNS;
        break;
      }
      // The range is known. Without the last agent job, the step creates a new one.
      if (!(error instanceof HistoryNotKnown && isStartWanted) || isRangeDue) throw error;
      look.warnings.push(lastJobMissing(error.message));
      return { older, last, eventStarts, olderRuns, attempts, whyIncomplete };
    }
  }
  if (older !== undefined && isLastWanted && last === undefined && whyIncomplete !== undefined) {
    look.warnings.push(lastJobMissing(whyIncomplete));
  }
  const known = whyIncomplete === undefined ? 'none' : undefined;
  return { older, last: last ?? known, eventStarts, olderRuns, attempts, whyIncomplete };
}

/** `reason` follows `because`. */
const lastJobMissing = (reason: string) =>
  `The last agent job of this step could not be looked up, because ${reason}. A prompt goes to a new agent job.`;

/** What one run recorded, from its newest attempt to the first one with the wanted result. */
interface RunRecords<T> {
  /**
   * `none`: the run has other workflow jobs. `unclear`: the workflow job was skipped, or the run
   * has no workflow jobs, because it is waiting, was cancelled while waiting, or was deleted.
   */
  readonly workflowJob: 'ran' | 'none' | 'unclear';
  /** How many attempts of the workflow job were read. 1 for a run without it. */
  readonly attempts: number;
  /** Oldest first. */
  readonly records: readonly StepRecord[];
  /** The result that was wanted. */
  readonly result: T | undefined;
}

const SKIPPED: RunRecords<never> = {
  workflowJob: 'unclear',
  attempts: 0,
  records: [],
  result: undefined,
};

/**
 * Reads a run until `find` returns a result for one attempt's records. Throws `HistoryNotKnown`
 * when it can't determine what the run did.
 */
export async function recordsOfRun<T>(
  look: Look,
  run: WorkflowRun,
  find: (records: readonly StepRecord[]) => T | undefined,
): Promise<RunRecords<T>> {
  const { github, step, time } = look;
  const { jobs, workflowJob } = await workflowJobsOf(look, run);
  const records: StepRecord[] = [];
  let result: T | undefined;
  let attempts = workflowJob === 'none' ? 1 : 0;
  for (const { number, read } of attemptsOf(github, jobs, step, time)) {
    attempts += 1;
    const where = `run #${run.run_number}${number > 1 ? `, attempt ${number}` : ''}`;
    const kept = await read();
    if (kept.kind === 'hidden') throw new HistoryNotKnown(hiddenIn(where), HIDDEN_REMEDY);
    // Forgotten annotations prove nothing.
    if (kept.kind !== 'records') continue;
    look.hasRecord = true;
    records.unshift(...kept.records);
    result = find(kept.records);
    // An older attempt adds nothing to a newer one's result.
    if (result !== undefined) break;
  }
  return { workflowJob, attempts, records, result };
}

/** The remedy for hidden records. */
export const HIDDEN_REMEDY = {
  advice: capitalize(KEEP_READABLE),
  again: 'if that run has only just ended',
};

/** How long to wait for a run whose workflow job is still in progress, in ms. */
const IN_PROGRESS_MS = 2 * 60_000;
const IN_PROGRESS_PAUSE_MS = 5_000;

/** Returns the completed workflow jobs with this name in a run. */
async function workflowJobsOf(
  look: Look,
  run: WorkflowRun,
): Promise<Pick<RunRecords<unknown>, 'workflowJob'> & { readonly jobs: readonly WorkflowJob[] }> {
  const { name } = look.step.thisWorkflowJob;
  const { listed, isOver } = await waitForWorkflowJobs(look, run);
  if (listed === 'in-progress') {
    look.warnings.push(
      `Run #${run.run_number} is in progress. This dry run shows the prompt as if that run sent nothing.`,
    );
    return { jobs: [], workflowJob: 'ran' };
  }
  const own = listed.filter((job) => job.name === name);
  // The list lags behind, and may not show yet that a completed run's workflow job has completed.
  const jobs = isOver ? own : own.filter((job) => job.status === 'completed');
  if (jobs.some((job) => !isSkipped(job))) return { jobs, workflowJob: 'ran' };
  const mayHaveWorkflowJob = listed.some((job) => isSkipped(job) && isNamedAfter(name, job.name));
  const isWithout = isOver && listed.length > 0 && !mayHaveWorkflowJob;
  return { jobs, workflowJob: isWithout ? 'none' : 'unclear' };
}

/**
 * Returns a run's workflow jobs once none with this name is in progress. A dry run doesn't wait.
 * Throws `HistoryNotKnown` when a job is still in progress after a while.
 */
async function waitForWorkflowJobs({ github, step, patience, time }: Look, run: WorkflowRun) {
  const { name } = step.thisWorkflowJob;
  // Stop in time to say so: GitHub's client makes no request after the deadline.
  const lastMoment = patience.deadline - 2 * IN_PROGRESS_PAUSE_MS;
  const endsAt = Math.min(time.now() + IN_PROGRESS_MS, lastMoment);
  let { status } = run;
  let isWaiting = false;
  try {
    for (;;) {
      const listed = await unlessNotFound(() => github.workflowJobs(run.id));
      if (listed === undefined) {
        const isThere = (await unlessNotFound(() => github.run(run.id))) !== undefined;
        if (isThere) throw new HistoryNotKnown(noJobs(run.run_number), LATER_REMEDY);
        // The run was deleted after GitHub listed it.
        return { listed: [], isOver: true };
      }
      const isOver = status === 'completed';
      const isBusy = listed.some((job) => job.name === name && job.status === 'in_progress');
      if (isOver || !isBusy) return { listed, isOver };
      if (patience.sendsNothing) return { listed: 'in-progress', isOver } as const;
      if (time.now() >= endsAt) throw inProgress(name, run.run_number);
      isWaiting = true;
      await time.pause(IN_PROGRESS_PAUSE_MS);
      status = (await unlessNotFound(() => github.run(run.id)))?.status ?? 'completed';
    }
  } catch (error) {
    const isSpent = isWaiting && error instanceof RequestsSpent;
    throw isSpent ? inProgress(name, run.run_number) : error;
  }
}

/**
 * Whether a skipped workflow job may be the one with that name. GitHub doesn't expand the matrix or
 * the reusable workflow of a skipped job, so it lists `docs` in place of `docs (a)` and `docs /
 * build`.
 */
const isNamedAfter = (name: string, skipped: string) =>
  name === skipped || name.startsWith(`${skipped} (`) || name.startsWith(`${skipped} / `);

const noJobs = (runNumber: number) =>
  `GitHub shows run #${runNumber} and not its workflow jobs (HTTP 404)`;

const inProgress = (name: string, runNumber: number) =>
  new HistoryNotKnown(`workflow job ${quote(name)} of run #${runNumber} is still running`, {
    advice: `To make the runs of this workflow wait for each other, add \`concurrency:\` with \`group: \${{ github.workflow }}-\${{ github.ref }}\${{ inputs.dryRun && '-dry-run' || '' }}\` and \`cancel-in-progress: false\` to it`,
    again: 'when that has ended',
    isTemporary: true,
  });
