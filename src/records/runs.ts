import type { GitHub, WorkflowJob, WorkflowRun } from '../github/github.ts';
import type { Covered, EarlierWork, Judge } from '../lib/covered.ts';
import { COVERAGE_NOT_KNOWN, LAST_JOB_NOT_KNOWN, RunError, unlessNotFound } from '../lib/errors.ts';
import { quote } from '../lib/escape.ts';
import { MESSAGE_GRACE_MS } from '../lib/retry.ts';
import { pluralize, withoutFullStop } from '../lib/words.ts';
import { lastNamedIn, newestRange } from './attempts.ts';
import { type Flaw, type Kept, keptIn, type Step, type Time } from './kept.ts';
import { MAX_ANNOTATIONS, type OpenJob, type RangeRecord, type StepRecord } from './record.ts';

/** What the other runs of this step say. */
export interface EarlierRuns {
  /** `undefined` when it was not asked for. */
  readonly covered: Covered | undefined;
  /** Agent jobs that have not ended, and whose changes come before those of this run. */
  readonly open: readonly OpenJob[];
  /** The newest agent job of this step that a record names. */
  readonly lastId: string | null | undefined;
  /** A newer run has a part on record, so no later run will look at this one. */
  readonly isBehind: boolean;
  /** Whole sentences. */
  readonly warnings: readonly string[];
}

export interface RunsQuery {
  /** Where do the changes start? */
  readonly isCoverageWanted: boolean;
  /** Which agent job did this step create last? */
  readonly isLastWanted: boolean;
  /** Will a later run look at this one? */
  readonly isBehindWanted: boolean;
  /** What else a person can do when the step stops. Whole sentences. */
  readonly wayOut: string;
  readonly judge: Judge;
  readonly time: Time;
}

type Api = Pick<GitHub, 'run' | 'runs' | 'workflowJobs' | 'annotations' | 'compare'>;

/** At most this many older runs are looked through, and as many newer ones. */
const MAX_RUNS = 50;

/**
 * Looks through the other runs of this workflow on this branch and in this repository: the newer
 * ones for these changes, and the older ones, newest first, until one has changes on record. Throws a
 * `RunError` when it cannot be known what they covered, and a `GitHubError` when GitHub fails.
 */
export async function lookThroughRuns(
  github: Api,
  step: Step,
  head: string,
  query: RunsQuery,
): Promise<EarlierRuns> {
  try {
    return await walkThrough(github, step, head, query);
  } catch (error) {
    if (!(error instanceof NotKnown)) throw error;
    const heading = query.isCoverageWanted ? COVERAGE_NOT_KNOWN : LAST_JOB_NOT_KNOWN;
    const message = `${error.message}. No prompt was sent. ${query.wayOut}`;
    throw new RunError(heading, message, { cause: error });
  }
}

async function walkThrough(
  github: Api,
  step: Step,
  head: string,
  query: RunsQuery,
): Promise<EarlierRuns> {
  const { isCoverageWanted, isLastWanted, isBehindWanted, time } = query;
  const current = await github.run(step.runId);
  const listed = new RunList(github, current, step);
  const newer = await listed.newer();
  let isBehind = false;
  let covered: Covered | undefined;
  for (const run of isBehindWanted ? newer.slice(-MAX_RUNS) : []) {
    const found = await recordOfRun(github, run, step, time);
    if (found.range === undefined) continue;
    isBehind = true;
    if (!isCoverageWanted) break;
    if (await hasChanges(github, found.range, head)) {
      covered = { kind: 'newer', runNumber: run.run_number };
      break;
    }
  }
  const walk = new Walk();
  let part: CoveredPart | undefined;
  const isCoverageDue = () => isCoverageWanted && covered === undefined && part === undefined;
  const isLastDue = () => isLastWanted && walk.lastId === undefined;
  for await (const run of listed.older()) {
    if (!(isCoverageDue() || isLastDue()) || walk.runs === MAX_RUNS) {
      walk.hasMore = true;
      break;
    }
    const found = await recordOfRun(github, run, step, time).catch((error: unknown) => {
      // What is left to find is the last agent job. Without it a new one is created.
      if (!(error instanceof NotKnown && isCoverageWanted) || isCoverageDue()) throw error;
      walk.warnings.push(`${error.message}. So the last agent job of this step is not known.`);
    });
    if (found === undefined) break;
    walk.add(found);
    if (isCoverageDue() && found.range) {
      part = await partLeftBy(found.range, run.run_number, found.freshMs, query);
    }
  }
  // Where no record names one, no older run has to be looked at again.
  const lastId = walk.lastId ?? (isLastWanted ? null : undefined);
  const shared = { isBehind, lastId };
  if (part !== undefined) {
    return { ...shared, ...part, warnings: [...part.warnings, ...walk.warnings] };
  }
  const nothing = { open: [], warnings: walk.warnings };
  if (!isCoverageWanted || covered !== undefined) return { ...shared, ...nothing, covered };
  const isCut = walk.runs < MAX_RUNS && listed.isCut;
  if (isCut || (walk.recorded > 0 && walk.hasMore)) throw new NotKnown(whyUnknown(walk, isCut));
  const { unrecorded, begins, runs } = walk;
  const isFirstRun = runs === 0;
  return { ...shared, ...nothing, covered: { kind: 'nothing', isFirstRun, begins, unrecorded } };
}

/** What the older runs have said so far. */
class Walk {
  runs = 0;
  /** Runs with a record of this step, and runs with its workflow job and without one. */
  recorded = 0;
  unrecorded = 0;
  /** There are more runs before those that were looked through. */
  hasMore = false;
  /** Oldest first. */
  readonly begins: string[] = [];
  /** Whole sentences. */
  readonly warnings: string[] = [];
  lastId: string | null | undefined;

  add({ hasJob, records }: RunRecords): void {
    this.runs += 1;
    const begin = records.findLast((record) => record.begin !== undefined)?.begin;
    if (begin !== undefined) this.begins.unshift(begin);
    if (records.length > 0) this.recorded += 1;
    else if (hasJob) this.unrecorded += 1;
    if (this.lastId === undefined) this.lastId = lastNamedIn(records);
  }
}

function whyUnknown({ runs }: Walk, isCut: boolean): string {
  return isCut
    ? `GitHub does not list all runs of this workflow on this branch: it ends the list at 1,000 runs, and only ${pluralize(runs, 'older run')} of this repository could be looked through`
    : `The last ${MAX_RUNS} runs of this workflow on this branch do not say what was covered, and there are older ones`;
}

/** The other runs of this workflow on this branch. Runs of forks do not count. */
class RunList {
  readonly #pages: AsyncIterator<{
    readonly total: number;
    readonly runs: readonly WorkflowRun[];
  }>;
  readonly #current: WorkflowRun;
  readonly #repository: string | undefined;
  #waiting: WorkflowRun[] = [];
  #listed = 0;
  #total = 0;

  constructor(github: Api, current: WorkflowRun, { repository }: Step) {
    const { workflow_id, head_branch } = current;
    // Without a branch GitHub would list the runs of every branch.
    const pages = head_branch ? github.runs(workflow_id, head_branch) : noPages();
    this.#pages = pages[Symbol.asyncIterator]();
    this.#current = current;
    this.#repository = repository;
  }

  /** Whether GitHub has more runs than it lists. Known when all of them were read. */
  get isCut(): boolean {
    return this.#total > this.#listed;
  }

  /** Those that are newer than this run, newest first. */
  async newer(): Promise<readonly WorkflowRun[]> {
    const newer: WorkflowRun[] = [];
    while (await this.#fill()) {
      const [next] = this.#waiting;
      if (next === undefined || next.run_number < this.#current.run_number) break;
      this.#waiting.shift();
      if (next.id !== this.#current.id) newer.push(next);
    }
    return newer;
  }

  /** Those that are older, newest first. */
  async *older(): AsyncGenerator<WorkflowRun> {
    while (await this.#fill()) {
      const next = this.#waiting.shift();
      if (next !== undefined && next.id !== this.#current.id) yield next;
    }
  }

  /** Reads pages until a run is waiting. Returns whether there is one. */
  async #fill(): Promise<boolean> {
    while (this.#waiting.length === 0) {
      const { value: page, done } = await this.#pages.next();
      if (done) return false;
      this.#total = page.total;
      this.#listed += page.runs.length;
      this.#waiting = page.runs.filter(
        ({ head_repository }) => head_repository?.full_name === this.#repository,
      );
    }
    return true;
  }
}

async function* noPages() {
  // A tag or a deleted branch has no list.
}

/** What one run has on record, of all of its attempts. */
interface RunRecords {
  readonly hasJob: boolean;
  /** Oldest first. */
  readonly records: readonly StepRecord[];
  /** The record that counts for other runs. */
  readonly range: RangeRecord | undefined;
  /** For how long what the service says of its call may still be old. */
  readonly freshMs: number;
}

/** How long a run is waited for whose workflow job is still in progress, in ms. */
const IN_PROGRESS_MS = 30_000;
const IN_PROGRESS_PAUSE_MS = 5_000;

/** Throws a `RunError` when what the run has on record cannot be known. */
async function recordOfRun(
  github: Pick<GitHub, 'run' | 'workflowJobs' | 'annotations'>,
  run: WorkflowRun,
  step: Step,
  time: Time,
): Promise<RunRecords> {
  const jobs = await completedJobs(github, run, step, time);
  const records: StepRecord[] = [];
  let range: RangeRecord | undefined;
  for await (const { attempt, kept } of keptIn(github, jobs, step, time)) {
    const where = `run #${run.run_number}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
    const own = ownRecords(kept, where);
    records.unshift(...own);
    range ??= newestRange(own);
    // An older attempt adds nothing to a part that is known.
    if (range !== undefined) break;
  }
  return { hasJob: jobs.length > 0, records, range, freshMs: freshForMs(jobs, time) };
}

/** For how long what the service says of a call of these workflow jobs may still be old, in ms. */
function freshForMs(jobs: readonly WorkflowJob[], time: Time): number {
  const ends = jobs.map(({ completed_at }) => Date.parse(completed_at ?? ''));
  const endedAt = Math.max(...ends.filter((end) => !Number.isNaN(end)));
  const leftMs = endedAt + MESSAGE_GRACE_MS - time.date();
  // A clock that differs from GitHub's must not hold the step for longer.
  return leftMs <= MESSAGE_GRACE_MS ? Math.max(0, leftMs) : 0;
}

function ownRecords(kept: Kept, where: string): readonly StepRecord[] {
  switch (kept.kind) {
    case 'own':
      return kept.records;
    case 'none':
      return [];
    case 'unreadable':
      // GitHub deletes the checks of old runs.
      if (kept.flaw === 'gone') return [];
      throw new NotKnown(describeFlaw(kept.flaw, where));
    case 'ambiguous':
      throw new NotKnown(
        `Several steps have left records in ${where} that cannot be told apart, because their workflow jobs or steps share a name. Give each workflow job, and each step in a composite action, a name of its own`,
      );
  }
}

function describeFlaw(flaw: Exclude<Flaw, 'gone'>, where: string): string {
  switch (flaw) {
    case 'full':
      return `GitHub keeps ${MAX_ANNOTATIONS} annotations of a workflow job, and those of ${where} hold no record of this step. Give this step a workflow job of its own`;
    case 'crowded':
      return `The runner sends ten notices of a composite action, and those of ${where} hold no record of this step. Give this step a workflow job of its own`;
    case 'unreadable':
      return `A record in ${where} cannot be read: it was cut, a mask hides a part of it, or another version of this action wrote it. If a short secret masks parts of ids, use a longer one`;
    case 'missing':
      return `The workflow job of ${where} failed or is recent, and GitHub shows none of its annotations. If it has just ended, run this again in a minute`;
  }
}

/** The workflow jobs of this name in a run. Waits a while for those that are in progress. */
async function completedJobs(
  github: Pick<GitHub, 'run' | 'workflowJobs'>,
  run: WorkflowRun,
  { thisJob: { name } }: Step,
  time: Time,
) {
  const endsAt = time.now() + IN_PROGRESS_MS;
  let { status } = run;
  for (;;) {
    const listed = await unlessNotFound(() => github.workflowJobs(run.id));
    // A run may have been deleted since GitHub listed it.
    if (listed === undefined) {
      const isThere = (await unlessNotFound(() => github.run(run.id))) !== undefined;
      if (isThere) throw new NotKnown(noJobs(run.run_number));
      return [];
    }
    const jobs = listed.filter((job) => job.name === name);
    // The list lags: it may not say yet that a workflow job of a completed run has completed.
    if (status === 'completed') return jobs;
    if (!jobs.some((job) => job.status === 'in_progress')) {
      return jobs.filter((job) => job.status === 'completed');
    }
    if (time.now() >= endsAt) throw new NotKnown(inProgress(name, run.run_number));
    await time.pause(IN_PROGRESS_PAUSE_MS);
    status = (await unlessNotFound(() => github.run(run.id)))?.status ?? 'completed';
  }
}

const noJobs = (runNumber: number) =>
  `GitHub shows run #${runNumber} and not its workflow jobs (HTTP 404), so what it did is not known. If that passes, run this again`;

const inProgress = (name: string, runNumber: number) =>
  `Workflow job ${quote(name)} of run #${runNumber} is still running, and what it did is known only when it ends. Run this again after that. To make the runs of this workflow wait for each other, add \`concurrency:\` with \`group: \${{ github.workflow }}-\${{ github.ref }}\` and \`cancel-in-progress: false\` to the workflow`;

/** Whether the part of a newer run contains the changes up to `head`, and starts before it. */
async function hasChanges(
  github: Pick<GitHub, 'compare'>,
  { from, to }: RangeRecord,
  head: string,
): Promise<boolean> {
  if (from === undefined) return false;
  const leads = async (base: string, end: string) =>
    (await unlessNotFound(() => github.compare(base, end)))?.status === 'ahead';
  return (await leads(from, head)) && (to === head || (await leads(head, to)));
}

type CoveredPart = Pick<EarlierRuns, 'covered' | 'open' | 'warnings'>;

/**
 * What became of the part of one run, and of the agent jobs before it. The changes start again at
 * the first of them that failed. Those before it that are still at work are carried over.
 */
async function partLeftBy(
  record: RangeRecord,
  runNumber: number,
  freshMs: number,
  { judge, time }: RunsQuery,
): Promise<CoveredPart> {
  const { what, from, to, open, isUnseen = false } = record;
  const warnings = new Set<string>();
  const earlier: (Omit<EarlierWork, 'overlaps'> & { readonly job: OpenJob })[] = [];
  let start: string | undefined;
  /** How many of the agent jobs had changes before the start. */
  let before = Number.POSITIVE_INFINITY;
  const startAt = (from: string) => {
    if (start !== undefined) return;
    start = from;
    before = earlier.length;
  };
  const add = async (job: OpenJob, freshForMs = 0) => {
    const options = { isUnseen: job.isAdded, isNew: freshForMs > 0 };
    let judged = await judge(job.id, options);
    const mayBeOld = job.isAdded && judged.kind === 'known' && judged.fate === 'covered';
    // Just after a follow-up message an agent job may still read as ended.
    if (mayBeOld && freshForMs > 0) {
      await time.pause(freshForMs);
      judged = await judge(job.id, { ...options, isAgain: true });
    }
    if (judged.kind === 'error') throw new NotKnown(cannotBeRead(job.id, judged.error));
    if (judged.kind === 'not-read') warnings.add(NOT_READ);
    if (judged.kind !== 'known') return;
    const { fate, prLink } = judged;
    if (fate === 'failed' || fate === 'missed') startAt(job.from);
    const state = fate === 'covered' ? 'completed' : fate;
    earlier.push({ job, jobId: job.id, state, prLink });
  };
  for (const job of open) await add(job);
  if (from !== undefined) {
    if (what.kind === 'job') await add({ id: what.id, from, isAdded: isUnseen }, freshMs);
    const isInDoubt = what.kind === 'unknown' || what.kind === 'asked';
    if (isInDoubt) warnings.add(inDoubt(runNumber, record));
    if (what.kind === 'todo' || isInDoubt) startAt(from);
  }
  const sha = start ?? to;
  const told = earlier.map(({ job, ...work }, index) => {
    const overlaps = index >= before || (start !== undefined && job.from === start);
    return { job, work: { ...work, overlaps } };
  });
  return {
    covered: { kind: 'from', sha, earlier: told.map(({ work }) => work).filter(isTold) },
    open: told
      .filter(({ work, job }) => work.state === 'running' && !work.overlaps && job.from !== sha)
      .map(({ job }) => job),
    warnings: [...warnings],
  };
}

/** An agent job that completed with none of these changes is of no interest to the agent. */
const isTold = ({ state, overlaps }: EarlierWork) => state !== 'completed' || overlaps;

const NOT_READ =
  'Without `adminApiKey` the agent jobs of earlier runs cannot be read. Each of them counts as completed.';
const inDoubt = (runNumber: number, { last }: StepRecord) =>
  typeof last === 'string'
    ? `The prompt of run #${runNumber} may have been sent: the service gave no usable response. Its changes are sent again.`
    : `The agent job of run #${runNumber} may have been created: the service gave no usable response. Its changes are sent again.`;
const cannotBeRead = (id: string, error: string) =>
  `What became of agent job ${quote(id)} of an earlier run is not known: ${withoutFullStop(error)}. If that passes, run this again`;

/** Why it cannot be known what earlier runs covered: a sentence without its full stop. */
class NotKnown extends Error {}
