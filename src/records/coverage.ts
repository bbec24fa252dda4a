import type { GitHub, WorkflowRun } from '../github/github.ts';
import type { EarlierWork } from '../lib/covered.ts';
import { RunError, unlessNotFound } from '../lib/errors.ts';
import { quote } from '../lib/text.ts';
import { keptRecords, type Step } from './attempts.ts';
import { MAX_ANNOTATIONS, type OpenJob, type StepRecord } from './record.ts';

/** Reads an agent job, `undefined` if the service does not know it. Rejects only to end the step. */
export type ReadJob = (id: string) => Promise<ReadResult | undefined>;
type ReadResult = { readonly status: string; readonly prLink: string } | { readonly error: string };

/** What the agent jobs of earlier runs have covered. Warnings are whole sentences. */
export type Coverage = Awaited<ReturnType<typeof findCoverage>>;

/** At most this many runs are looked through. */
const MAX_RUNS = 50;

/**
 * Looks through the other runs of this workflow on this branch, newest first, until one has a
 * record of this step with a `to`, and reads the agent jobs in it. Without `readJob` (a dry run
 * without a key) each agent job counts as covered. Throws a `RunError` when it cannot be known
 * what is covered, and a `GitHubError` when GitHub fails.
 */
export async function findCoverage(
  github: Pick<GitHub, 'run' | 'runs' | 'workflowJobs' | 'annotations'>,
  step: Step,
  readJob: ReadJob | undefined,
) {
  const current = await github.run(step.runId);
  const { workflow_id, head_branch } = current;
  const warnings: string[] = [];
  let runs = 0;
  // Without a branch GitHub would list the runs of every branch.
  for await (const run of head_branch ? runsOf(github.runs(workflow_id, head_branch)) : []) {
    // For a first attempt only the runs before it. Runs of forks do not count.
    const isOther = step.attempt > 1 ? run.id !== current.id : run.run_number < current.run_number;
    if (!isOther || run.head_repository?.full_name !== step.repository) continue;
    if (runs === MAX_RUNS) {
      throw notKnown(
        `The last ${MAX_RUNS} runs of this workflow on this branch have no record of this step, and there are older ones. Name the start of the changes once with \`since\`: a commit, a tag or a branch. The next run starts where that one ended.`,
      );
    }
    runs += 1;
    const found = await recordOfRun(github, run, step);
    const isNewer = run.run_number > current.run_number;
    // If the record of a newer run cannot be read, the run after it sends its changes again.
    if (isNewer && (found.record !== undefined || found.warnings.length > 0)) {
      return { kind: 'newer', runNumber: run.run_number } as const;
    }
    warnings.push(...found.warnings);
    if (found.record !== undefined) return coverageOf(found.record, step, readJob, warnings);
  }
  return { kind: 'nothing', isFirstRun: runs === 0, warnings } as const;
}

async function* runsOf(pages: ReturnType<GitHub['runs']>) {
  for await (const { runs } of pages) yield* runs;
}

/** A record that says how far its run came. */
type RangeRecord = StepRecord & { readonly to: string };
const hasRange = (record: StepRecord): record is RangeRecord => record.to !== undefined;

/** The newest record of this step in one run, through all of its attempts, and what is in doubt. */
async function recordOfRun(
  github: Pick<GitHub, 'workflowJobs' | 'annotations'>,
  { id, run_number, status: runStatus }: WorkflowRun,
  step: Step,
): Promise<{ record?: RangeRecord; warnings: readonly string[] }> {
  const { name } = step.thisJob;
  // A run may have been deleted since GitHub listed it. That list needs the same permission.
  const listed = (await unlessNotFound(() => github.workflowJobs(id))) ?? [];
  const jobs = listed.filter((job) => job.name === name);
  // The list lags: it may not say yet that a workflow job of a completed run has completed.
  const isRunOver = runStatus === 'completed';
  if (!isRunOver && jobs.some(({ status }) => status === 'in_progress')) {
    throw notKnown(
      `Workflow job ${quote(name)} of run #${run_number} is still running. Which changes that run covers is known only when it ends. Run this again after that. To make the runs of this workflow wait for each other, add \`concurrency:\` with \`group: \${{ github.workflow }}-\${{ github.ref }}\` and \`cancel-in-progress: false\` to the workflow.`,
    );
  }
  const completed = jobs.filter(({ status }) => isRunOver || status === 'completed');
  const warnings: string[] = [];
  for await (const { attempt, records, flaw } of keptRecords(github, completed, step)) {
    const where = `run #${run_number}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
    if (step.isComposite && records.length > 1) {
      throw notKnown(
        `Two steps of a composite action have left records in ${where} that cannot be told apart. Use one step of this action in a composite action, or name a \`since\`.`,
      );
    }
    const record = records.findLast(hasRange);
    const doubt = 'If that run created an agent job, its changes may be sent again.';
    if (flaw === 'unreadable') warnings.push(`A record of ${where} cannot be read. ${doubt}`);
    if (flaw === 'full') {
      warnings.push(
        `GitHub keeps ${MAX_ANNOTATIONS} annotations of a workflow job, and those of ${where} hold no record of this step. ${doubt}`,
      );
    }
    if (record?.what.kind === 'unknown' && record.from !== undefined) {
      warnings.push(
        `The agent job of ${where} may have been created: the service gave no usable response. Its changes are sent again.`,
      );
    }
    if (record !== undefined) return { record, warnings };
  }
  return { warnings };
}

/**
 * What the newest record and its agent jobs say. The agent jobs are in the order of their starts.
 * The changes start again at the first one that failed. Those before it that are still at work are
 * carried over if they had changes before that start.
 */
async function coverageOf(
  { what, from, to, open }: RangeRecord,
  { pathsHash }: Step,
  readJob: ReadJob | undefined,
  warnings: string[],
) {
  if (readJob === undefined && (open.length > 0 || what.kind === 'job')) warnings.push(NOT_READ);
  const isOwnJob = what.kind === 'job' && from !== undefined;
  const earlier: EarlierWork[] = [];
  const running: OpenJob[] = [];
  let firstMissing: string | undefined;
  for (const job of isOwnJob ? [...open, { id: what.id, from }] : open) {
    const read = await readJob?.(job.id);
    if (read !== undefined && 'error' in read) {
      throw notKnown(
        `Agent job ${quote(job.id)} of an earlier run cannot be read (${read.error}), so it is not known whether it has covered its changes. Run this again once Mintlify's agent API responds.`,
      );
    }
    if (read === undefined || read.status === 'completed' || read.status === 'archived') continue;
    const state = read.status === 'failed' ? 'failed' : 'running';
    earlier.push({ jobId: job.id, state, prLink: read.prLink });
    if (state === 'failed') firstMissing ??= job.from;
    else if (firstMissing === undefined) running.push(job);
  }
  const hasOtherPaths = what.kind === 'none' && what.pathsHash !== pathsHash;
  if (what.kind === 'unknown' || hasOtherPaths) firstMissing ??= from;
  const sha = firstMissing ?? to;
  return {
    kind: 'from',
    sha,
    earlier,
    /** The agent jobs that the next record carries over. */
    open: running.filter((job) => job.from !== sha),
    /** `sha`, or before it: from here no agent job has had the changes, as `paths` left them out. */
    skippedFrom: firstMissing === undefined && what.kind === 'none' ? (from ?? to) : sha,
    warnings,
  } as const;
}

const NOT_READ =
  'Without `adminApiKey` the agent jobs of earlier runs cannot be read. Each of them counts as completed.';

const notKnown = (message: string) =>
  new RunError('What earlier runs covered is not known', `${message} No prompt was sent.`);
