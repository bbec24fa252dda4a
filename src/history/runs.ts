/** What the other runs of this workflow on this branch left on record. */
import type { GitHub, WorkflowRun } from '../github/github.ts';
import { unlessNotFound } from '../model/errors.ts';
import {
  type LastJob,
  lastJobIn,
  newestRange,
  type RangeRecord,
  type StepRecord,
} from '../model/record.ts';
import { quote } from '../text/escape.ts';
import { pluralize } from '../text/words.ts';
import { attemptsOf, hiddenIn, type Step, type Time } from './kept.ts';

/** Why it cannot be known what other runs did: a sentence without its full stop. */
export class RunsNotKnown extends Error {}

export interface RunsQuery {
  /** Where do the changes start, and will a later run look at this one? */
  readonly isStartWanted: boolean;
  /** Which agent job did this step call last? */
  readonly isLastWanted: boolean;
  /** Nothing is sent, so a run that is in progress is not waited for. */
  readonly isDryRun: boolean;
  /** The commit at which the changes of this run end. */
  readonly head: string;
}

/** What the other runs of this step have on record. */
export interface OtherRuns {
  /** A newer run has a range on record, so no later run will look at this one. */
  readonly isBehind: boolean;
  /** The newer run that has the changes of this one. */
  readonly newer: { readonly runNumber: number } | undefined;
  /** The range of the newest older run that has one. */
  readonly range: RangeOfRun | undefined;
  /** The last agent job that older runs name; `none` when they name none. `undefined`: not known. */
  readonly last: LastJob | 'none' | undefined;
  /** Where the events of older runs say that their changes start; oldest first. */
  readonly begins: readonly string[];
  /** How many older runs were looked through, and in how many this step left a record, or its job none. */
  readonly runs: number;
  readonly recorded: number;
  readonly unrecorded: number;
  /** Whole sentences. */
  readonly warnings: readonly string[];
}

export interface RangeOfRun {
  readonly runNumber: number;
  readonly record: RangeRecord;
}

export const NO_OTHER_RUNS: OtherRuns = {
  isBehind: false,
  newer: undefined,
  range: undefined,
  last: undefined,
  begins: [],
  runs: 0,
  recorded: 0,
  unrecorded: 0,
  warnings: [],
};

type Api = Pick<GitHub, 'run' | 'runs' | 'workflowJobs' | 'annotations' | 'statusOf'>;

/** At most this many older runs are looked through, and as many newer ones: the nearest. */
const MAX_RUNS = 50;

/**
 * Looks through the other runs of this workflow on this branch and in this repository: the newer
 * ones for these changes, and the older ones, newest first, until one has changes on record. Throws
 * `RunsNotKnown` when what they did cannot be known, and a `GitHubError` when GitHub fails.
 */
export async function lookThroughRuns(
  github: Api,
  step: Step,
  query: RunsQuery,
  time: Time,
): Promise<OtherRuns> {
  const listed = await listRuns(github, step);
  const warnings: string[] = [];
  const read = (run: WorkflowRun) => recordsOfRun(github, run, step, query, time, warnings);
  const { isBehind, newer } = query.isStartWanted
    ? await lookThroughNewer(github, listed.newer.slice(-MAX_RUNS), read, step, query.head)
    : NO_OTHER_RUNS;
  if (newer !== undefined) return { ...NO_OTHER_RUNS, isBehind, newer, warnings };
  const older = await lookThroughOlder(listed.older, read, query, warnings);
  const { range, recorded, runs } = older;
  if (query.isStartWanted && range === undefined) {
    const hasMore = listed.isCut || listed.older.length > MAX_RUNS;
    if (listed.isCut && runs < MAX_RUNS) throw new RunsNotKnown(listIsCut(runs));
    if (hasMore && recorded > 0) throw new RunsNotKnown(TOO_MANY_RUNS);
  }
  return { isBehind, newer, ...older, warnings };
}

const TOO_MANY_RUNS = `The last ${MAX_RUNS} runs of this workflow on this branch do not say what was covered, and there are older ones`;
const listIsCut = (runs: number) =>
  `GitHub does not list all runs of this workflow on this branch: it ends the list at 1,000 runs, and only ${pluralize(runs, 'older run')} of this repository could be looked through`;

/** The other runs of this workflow on this branch, newest first. */
interface RunList {
  readonly newer: readonly WorkflowRun[];
  /** More than are looked through, if there are more. */
  readonly older: readonly WorkflowRun[];
  /** GitHub has more runs than it lists. */
  readonly isCut: boolean;
}

/** Runs of forks do not count. */
async function listRuns(github: Pick<Api, 'run' | 'runs'>, step: Step): Promise<RunList> {
  const current = await github.run(step.runId);
  const newer: WorkflowRun[] = [];
  const older: WorkflowRun[] = [];
  // A tag or a deleted branch has no list. Without a branch GitHub would list the runs of every one.
  if (!current.head_branch) return { newer, older, isCut: false };
  let listed = 0;
  let total = 0;
  for await (const page of github.runs(current.workflow_id, current.head_branch)) {
    listed += page.runs.length;
    total = page.total;
    for (const run of page.runs) {
      const isOwn = run.head_repository?.full_name === step.repository;
      if (!isOwn || run.id === current.id) continue;
      if (run.run_number > current.run_number) newer.push(run);
      else older.push(run);
    }
    if (older.length > MAX_RUNS) return { newer, older, isCut: false };
  }
  return { newer, older, isCut: total > listed };
}

type Read = (run: WorkflowRun) => Promise<RunRecords>;

/** Whether a newer run has a range on record, and which of them has the changes of this one. */
async function lookThroughNewer(
  github: Pick<Api, 'statusOf'>,
  runs: readonly WorkflowRun[],
  read: Read,
  { repository = '' }: Step,
  head: string,
): Promise<Pick<OtherRuns, 'isBehind' | 'newer'>> {
  let isBehind = false;
  for (const run of runs) {
    const { range } = await read(run);
    if (range === undefined) continue;
    isBehind = true;
    if (await containsHead(github, repository, range, head)) {
      return { isBehind, newer: { runNumber: run.run_number } };
    }
  }
  return { isBehind, newer: undefined };
}

/** Whether the range of a newer run contains the changes up to `head`, and starts before it. */
async function containsHead(
  github: Pick<Api, 'statusOf'>,
  repository: string,
  { from, to }: RangeRecord,
  head: string,
): Promise<boolean> {
  if (from === undefined) return false;
  const leads = async (base: string, end: string) =>
    (await unlessNotFound(() => github.statusOf(repository, base, end))) === 'ahead';
  return (await leads(from, head)) && (to === head || (await leads(head, to)));
}

/** Looks for the newest range, and for the last agent job. */
async function lookThroughOlder(
  older: readonly WorkflowRun[],
  read: Read,
  { isStartWanted, isLastWanted }: RunsQuery,
  warnings: string[],
) {
  let range: RangeOfRun | undefined;
  let last: LastJob | 'none' | undefined;
  let [runs, recorded, unrecorded] = [0, 0, 0];
  const begins: string[] = [];
  for (const run of older.slice(0, MAX_RUNS)) {
    const isRangeDue = isStartWanted && range === undefined;
    if (!isRangeDue && !(isLastWanted && last === undefined)) break;
    const found = await read(run).catch((error: unknown) => {
      // What is left to find is the last agent job. Without it a new one is created.
      if (!(error instanceof RunsNotKnown && isStartWanted) || isRangeDue) throw error;
      warnings.push(`${error.message}. So the last agent job of this step is not known.`);
    });
    if (found === undefined) return { range, last, begins, runs, recorded, unrecorded };
    const { records } = found;
    runs += 1;
    if (records.length > 0) recorded += 1;
    else if (found.hasJob) unrecorded += 1;
    const begin = records.findLast((record) => record.begin !== undefined)?.begin;
    if (begin !== undefined) begins.unshift(begin);
    if (isRangeDue && found.range !== undefined) {
      range = { runNumber: run.run_number, record: found.range };
    }
    last ??= lastJobIn(records);
  }
  return { range, last: last ?? 'none', begins, runs, recorded, unrecorded };
}

/** What one run has on record, from its newest attempt to the first one that has a range. */
interface RunRecords {
  /** The run has this workflow job. */
  readonly hasJob: boolean;
  /** Oldest first. */
  readonly records: readonly StepRecord[];
  /** The record that counts for other runs. */
  readonly range: RangeRecord | undefined;
}

/** Throws `RunsNotKnown` when what the run has on record cannot be known. */
async function recordsOfRun(
  github: Pick<Api, 'run' | 'workflowJobs' | 'annotations'>,
  run: WorkflowRun,
  step: Step,
  { isDryRun }: RunsQuery,
  time: Time,
  warnings: string[],
): Promise<RunRecords> {
  const jobs = await jobsOf(github, run, step, isDryRun, time);
  if (jobs === 'in-progress') {
    warnings.push(
      `Run #${run.run_number} is in progress. This dry run shows the prompt as if that run sent nothing.`,
    );
    return { hasJob: true, records: [], range: undefined };
  }
  const records: StepRecord[] = [];
  let range: RangeRecord | undefined;
  for (const { number, read } of attemptsOf(github, jobs, step, time)) {
    const where = `run #${run.run_number}${number > 1 ? `, attempt ${number}` : ''}`;
    const kept = await read();
    if (kept.kind === 'hidden') throw new RunsNotKnown(`${hiddenIn(where)}. ${MAY_BE_LATE}`);
    // What GitHub has forgotten says nothing.
    if (kept.kind !== 'own') continue;
    records.unshift(...kept.records);
    range = newestRange(kept.records);
    // An older attempt adds nothing to a range that is known.
    if (range !== undefined) break;
  }
  return { hasJob: jobs.length > 0, records, range };
}

const MAY_BE_LATE = 'If that run has only just ended, run this again first';

/** How long a run is waited for whose workflow job is still in progress, in ms. */
const IN_PROGRESS_MS = 2 * 60_000;
const IN_PROGRESS_PAUSE_MS = 5_000;

/**
 * The completed workflow jobs of this name in a run. Waits a while for those that are in progress, but
 * for a dry run, which is told that there are some.
 */
async function jobsOf(
  github: Pick<Api, 'run' | 'workflowJobs'>,
  run: WorkflowRun,
  { thisJob: { name } }: Step,
  isDryRun: boolean,
  time: Time,
) {
  const endsAt = time.now() + IN_PROGRESS_MS;
  let { status } = run;
  for (;;) {
    const listed = await unlessNotFound(() => github.workflowJobs(run.id));
    // A run may have been deleted since GitHub listed it.
    if (listed === undefined) {
      const isThere = (await unlessNotFound(() => github.run(run.id))) !== undefined;
      if (isThere) throw new RunsNotKnown(noJobs(run.run_number));
      return [];
    }
    const jobs = listed.filter((job) => job.name === name);
    // The list lags: it may not say yet that a workflow job of a completed run has completed.
    if (status === 'completed') return jobs;
    if (!jobs.some((job) => job.status === 'in_progress')) {
      return jobs.filter((job) => job.status === 'completed');
    }
    if (isDryRun) return 'in-progress';
    if (time.now() >= endsAt) throw new RunsNotKnown(inProgress(name, run.run_number));
    await time.pause(IN_PROGRESS_PAUSE_MS);
    status = (await unlessNotFound(() => github.run(run.id)))?.status ?? 'completed';
  }
}

const noJobs = (runNumber: number) =>
  `GitHub shows run #${runNumber} and not its workflow jobs (HTTP 404), so what it did is not known. If that passes, run this again`;

const inProgress = (name: string, runNumber: number) =>
  `Workflow job ${quote(name)} of run #${runNumber} is still running, and what it did is known only when it ends. Run this again after that. To make the runs of this workflow wait for each other, add \`concurrency:\` with \`group: \${{ github.workflow }}-\${{ github.ref }}\` and \`cancel-in-progress: false\` to the workflow`;
