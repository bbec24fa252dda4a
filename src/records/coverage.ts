import type { GitHub, WorkflowJob, WorkflowRun } from '../github/github.ts';
import type { Covered, EarlierWork } from '../lib/covered.ts';
import { isNotFound, RunError } from '../lib/errors.ts';
import { quote } from '../lib/text.ts';
import { byAttempt, keptRecords } from './kept-records.ts';
import type { OpenJob, Recorded, StepRecord } from './record.ts';
import type { OwnWorkflowJob } from './workflow-job.ts';

/** Which step asks what its earlier runs have covered. */
export interface CoverageQuery {
  readonly thisJob: OwnWorkflowJob;
  /** `GITHUB_RUN_ATTEMPT` */
  readonly attempt: number;
  /** `owner/name`: runs of forks do not count. */
  readonly repository: string;
  readonly key: string;
  readonly pathsHash: string;
  /** `GITHUB_ACTION_PATH` is set: the steps of a composite action share a name. */
  readonly isComposite: boolean;
}

/** Reads an agent job. It rejects only when the step is to end. */
export type ReadJob = (id: string) => Promise<
  | { readonly kind: 'job'; readonly status: string; readonly prLink: string }
  | { readonly kind: 'not-found' }
  /** The service could not say what became of it. */
  | { readonly kind: 'failed'; readonly error: string }
>;

/** What the agent jobs of earlier runs have covered. Warnings are whole sentences. */
export type Coverage =
  | (Extract<Covered, { kind: 'from' }> & {
      /** The agent jobs that the next record carries over. */
      readonly open: readonly OpenJob[];
      /**
       * Where the changes start that no agent job has had, because they did not match `paths`. It is
       * `sha` or before it.
       */
      readonly skippedFrom: string;
      readonly warnings: readonly string[];
    })
  | (Extract<Covered, { kind: 'nothing' }> & { readonly warnings: readonly string[] })
  /** This run is run again, and the changes are the part of a newer run. */
  | { readonly kind: 'newer'; readonly runNumber: number };

/** At most this many runs are looked through. */
const MAX_RUNS = 50;

/**
 * Looks through the other runs of this workflow on this branch, newest first, until one has a
 * record of this step with a `to`, and reads the agent jobs in it. Without `readJob` (a dry run
 * without a key) each agent job counts as covered. Throws a `RunError` when it cannot be known
 * what is covered, and a `GitHubError` when GitHub fails.
 * https://docs.github.com/rest/actions/workflow-runs#list-workflow-runs-for-a-workflow
 */
export async function findCoverage(
  github: Pick<GitHub, 'run' | 'runs' | 'workflowJobs' | 'annotations'>,
  query: CoverageQuery,
  readJob: ReadJob | undefined,
): Promise<Coverage> {
  const current = await github.run(query.thisJob.run_id);
  const warnings: string[] = [];
  let runs = 0;
  for await (const run of otherRuns(github, current, query)) {
    if (runs === MAX_RUNS) throw tooManyRuns();
    runs += 1;
    const { record, flaws, where } = await recordOfRun(github, run, query);
    const isNewer = run.run_number > current.run_number;
    // If the record of a newer run cannot be read, the run after it sends its changes again.
    if (isNewer && (record !== undefined || flaws.length > 0)) {
      return { kind: 'newer', runNumber: run.run_number };
    }
    warnings.push(...flaws);
    if (record !== undefined) return coverageOf(record, where, query, readJob, warnings);
  }
  return { kind: 'nothing', isFirstRun: runs === 0, warnings };
}

/** For a first attempt only the runs before it. Newest first. */
async function* otherRuns(
  github: Pick<GitHub, 'runs'>,
  current: WorkflowRun,
  { attempt, repository }: CoverageQuery,
): AsyncGenerator<WorkflowRun> {
  // Without a branch GitHub would list the runs of every branch.
  if (!current.head_branch) return;
  for await (const run of github.runs(current.workflow_id, current.head_branch)) {
    const isOther = attempt > 1 ? run.id !== current.id : run.run_number < current.run_number;
    if (isOther && run.head_repository?.full_name === repository) yield run;
  }
}

/** A record that says how far its run came. */
type RangeRecord = StepRecord & { readonly to: string };

const hasRange = (record: StepRecord): record is RangeRecord => record.to !== undefined;

interface RecordOfRun {
  readonly record: RangeRecord | undefined;
  /** Warnings about attempts whose record is missing or cannot be read. */
  readonly flaws: readonly string[];
  /** The run and its attempt, as people know them. */
  readonly where: string;
}

/** The newest record of this step in one run, through all of its attempts. */
async function recordOfRun(
  github: Pick<GitHub, 'workflowJobs' | 'annotations'>,
  run: WorkflowRun,
  query: CoverageQuery,
): Promise<RecordOfRun> {
  const { thisJob, isComposite } = query;
  const jobs = (await jobsUnlessGone(github, run)).filter(({ name }) => name === thisJob.name);
  // The list lags: it may not say yet that a workflow job of a completed run has completed.
  const isOver = (job: WorkflowJob) => job.status === 'completed' || run.status === 'completed';
  if (jobs.some((job) => job.status === 'in_progress' && !isOver(job))) {
    throw inProgress(run, thisJob.name);
  }
  const flaws: string[] = [];
  for (const [attempt, ofAttempt] of byAttempt(jobs.filter(isOver))) {
    const where = `run #${run.run_number}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
    const { records, flaw } = await keptRecords(github, ofAttempt, query);
    if (isComposite && records.length > 1) throw sharedName(where);
    const record = records.findLast(hasRange);
    if (record !== undefined) return { record, flaws, where };
    if (flaw !== undefined && flaw !== 'gone') flaws.push(flawWarning(flaw, where));
  }
  return { record: undefined, flaws, where: `run #${run.run_number}` };
}

/** A run may have been deleted since GitHub listed it. That list needs the same permission. */
async function jobsUnlessGone(github: Pick<GitHub, 'workflowJobs'>, { id }: WorkflowRun) {
  try {
    return await github.workflowJobs(id);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** A part of the changes that earlier runs sent. Parts are in the order of their starts. */
interface Part {
  readonly from: string;
  readonly state: 'covered' | 'running' | 'missing';
  /** The agent job that had it, if it is known. */
  readonly work: EarlierWork | undefined;
}

/**
 * What the newest record and its agent jobs say. The changes start again at the first part that no
 * agent job has covered. Those still at work are carried over if they had changes before that.
 */
async function coverageOf(
  record: RangeRecord,
  where: string,
  { pathsHash }: CoverageQuery,
  readJob: ReadJob | undefined,
  warnings: string[],
): Promise<Coverage> {
  const { what, from, to, open } = record;
  const parts: Part[] = [];
  for (const job of open) parts.push(await partOfJob(job, readJob));
  if (from !== undefined) parts.push(await ownPart(what, from, pathsHash, readJob));
  const missing = parts.findIndex(({ state }) => state === 'missing');
  const start = parts[missing]?.from ?? to;
  const stillOpen = parts.flatMap(({ state, work, from: startOfPart }, index) => {
    const isCarried = state === 'running' && startOfPart !== start;
    const isBefore = missing === -1 || index < missing;
    return isCarried && isBefore && work ? [{ id: work.jobId, from: startOfPart }] : [];
  });
  if (what.kind === 'unknown' && from !== undefined) warnings.push(unknownWarning(where));
  if (readJob === undefined && (open.length > 0 || what.kind === 'job')) warnings.push(NOT_READ);
  return {
    kind: 'from',
    sha: start,
    earlier: parts.flatMap(({ work }) => (work ? [work] : [])),
    open: stillOpen,
    skippedFrom: missing === -1 && what.kind === 'none' ? (from ?? to) : start,
    warnings,
  };
}

/** The part of the run that wrote the record. */
async function ownPart(
  what: Recorded,
  from: string,
  pathsHash: string,
  readJob: ReadJob | undefined,
): Promise<Part> {
  switch (what.kind) {
    case 'job':
      return partOfJob({ id: what.id, from }, readJob);
    case 'none':
      return { from, state: what.pathsHash === pathsHash ? 'covered' : 'missing', work: undefined };
    case 'unknown':
      return { from, state: 'missing', work: undefined };
    case 'asked':
      return { from, state: 'covered', work: undefined };
  }
}

async function partOfJob({ id, from }: OpenJob, readJob: ReadJob | undefined): Promise<Part> {
  const covered: Part = { from, state: 'covered', work: undefined };
  const read = await readJob?.(id);
  if (read === undefined || read.kind === 'not-found') return covered;
  if (read.kind === 'failed') throw notReadable(id, read.error);
  const { status, prLink } = read;
  switch (status) {
    case 'completed':
    case 'archived':
      return covered;
    case 'failed':
      return { from, state: 'missing', work: { jobId: id, state: 'failed', prLink } };
    default:
      return { from, state: 'running', work: { jobId: id, state: 'running', prLink } };
  }
}

const NOT_READ =
  'Without `adminApiKey` the agent jobs of earlier runs cannot be read. Each of them counts as completed.';

function unknownWarning(where: string): string {
  return `The agent job of ${where} may have been created: the service gave no usable response. Its changes are sent again.`;
}

function flawWarning(flaw: 'unreadable' | 'full', where: string): string {
  const reason =
    flaw === 'full'
      ? `GitHub keeps 50 annotations of a workflow job, and those of ${where} hold no record of this step`
      : `A record of ${where} cannot be read`;
  return `${reason}. If that run created an agent job, its changes may be sent again.`;
}

function inProgress({ run_number }: WorkflowRun, name: string): RunError {
  return stopped(
    `Run #${run_number} of this workflow is still running its workflow job ${quote(name)}, and which changes it covers is known only when it ends. Run this again after that. To let the runs of this workflow wait for each other, add \`concurrency:\` with \`group: \${{ github.workflow }}-\${{ github.ref }}\` and \`cancel-in-progress: false\` to the workflow.`,
  );
}

function notReadable(id: string, error: string): RunError {
  return stopped(
    `Agent job ${quote(id)} of an earlier run cannot be read (${error}), so it is not known whether it has covered its changes. Run this again once Mintlify's agent API responds.`,
  );
}

function tooManyRuns(): RunError {
  return stopped(
    `The last ${MAX_RUNS} runs of this workflow on this branch have no record of this step, and there are older ones. Name the start of the changes once with \`since\`: a commit, a tag or a branch. The next run starts where that one ended.`,
  );
}

function sharedName(where: string): RunError {
  return stopped(
    `Two steps of a composite action have left records in ${where} that cannot be told apart. Use one step of this action in a composite action, or name a \`since\`.`,
  );
}

function stopped(message: string): RunError {
  return new RunError('What earlier runs covered is not known', `${message} No prompt was sent.`);
}
