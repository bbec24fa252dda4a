/** Reads what this step recorded in a run, as far as GitHub keeps it. */
import type { Clock } from '../effects/effects.ts';
import { once } from '../effects/once.ts';
import { unlessNotFound } from '../github/errors.ts';
import type { GitHub, KeptAnnotation, WorkflowJob } from '../github/github.ts';
import { isSameOutcome, type StepRecord } from '../model/record.ts';
import type { RunFacts } from '../model/run-facts.ts';
import { recordIn } from '../record/record-line.ts';

/** The step that looks back. */
export interface Step extends Pick<RunFacts, 'runId' | 'attempt' | 'repository' | 'isComposite'> {
  readonly key: string;
  readonly thisWorkflowJob: WorkflowJob;
  /**
   * Reads the annotations of `thisWorkflowJob`, at most once. Rejects if the token lacks the
   * permission.
   */
  readonly proveAccess: () => Promise<unknown>;
}

/** The part of the clock that looking back needs, with a pause that a cancel ends. */
export interface PausingClock extends Pick<Clock, 'now' | 'date'> {
  /** Resolves after `ms` milliseconds. Throws the signal's reason after a cancel. */
  pause(ms: number): Promise<void>;
}

/** What the step left in one attempt of a run. */
export type AttemptRecords =
  /** The records of one call, in the order of writing. */
  | { readonly kind: 'records'; readonly records: readonly StepRecord[] }
  | { readonly kind: 'none' }
  /** What the step did there is unknown. */
  | { readonly kind: 'hidden' }
  /** GitHub no longer has the annotations of the workflow job. */
  | { readonly kind: 'forgotten' };

/** Says why a step's record is hidden. `where` is like `run #7`. No trailing period. */
export const hiddenIn = (where: string): string =>
  `what this step did in ${where} cannot be read: its workflow job has too many annotations or shows none, a record was cut or masked, or several steps or workflow jobs share a name`;

/** How to keep records readable from then on, as part of a sentence. */
export const KEEP_READABLE =
  'give this step a workflow job of its own with a name of its own, and use a longer secret if a short one masks parts of ids';

/** An attempt of a run. Its records are read on first use. */
export interface Attempt {
  readonly number: number;
  /** Rejects with a `GitHubError` when GitHub fails. */
  readonly read: () => Promise<AttemptRecords>;
}

/**
 * Returns the attempts of a run with these workflow jobs, newest first. All the jobs have the
 * step's name. Ignores jobs that `if:` skipped, because they ran no step.
 */
export function attemptsOf(
  github: Pick<GitHub, 'annotations'>,
  listed: readonly WorkflowJob[],
  step: Step,
  time: PausingClock,
): readonly Attempt[] {
  // GitHub has no check run for a skipped job, and responds to a request for its annotations with
  // 404. https://github.com/cli/cli/issues/3577
  const jobs = listed.filter((job) => !isSkipped(job));
  const numbers = [...new Set(jobs.map(({ run_attempt }) => run_attempt))];
  return numbers
    .sort((a, b) => b - a)
    .map((number) => ({
      number,
      read: once(async () => {
        const found: WorkflowJobRecords[] = [];
        for (const job of jobs) {
          if (job.run_attempt !== number) continue;
          const annotations = await keptAnnotations(github, job, step, time);
          const isCarriedOver = annotations?.length === 0 && isCopy(job, jobs);
          if (!isCarriedOver) found.push(recordsInWorkflowJob(annotations, job, step, time));
        }
        return recordsInAttempt(found, step.key);
      }),
    }));
}

/** Whether `if:` skipped the workflow job. */
export const isSkipped = ({ conclusion }: WorkflowJob) => conclusion === 'skipped';

/**
 * Whether the workflow job may be a copy that a partial re-run carried over from an earlier
 * attempt, with another ID and the same times. A copy has no annotations.
 */
function isCopy({ name, completed_at, run_attempt }: WorkflowJob, jobs: readonly WorkflowJob[]) {
  const isOriginal = (other: WorkflowJob) =>
    other.run_attempt < run_attempt && other.name === name && other.completed_at === completed_at;
  return completed_at !== undefined && jobs.some(isOriginal);
}

/**
 * The records in one workflow job, from every step of this action, and whether some may be missing.
 */
interface WorkflowJobRecords {
  readonly records: readonly StepRecord[];
  readonly missing: 'none' | 'hidden' | 'forgotten';
}

/**
 * Returns what the step left, based on the workflow jobs with its name. Its own records decide,
 * even if others are missing there.
 */
function recordsInAttempt(jobs: readonly WorkflowJobRecords[], key: string): AttemptRecords {
  const owners = jobs
    .map(({ records }) => records.filter((record) => record.key === key))
    .filter((records) => records.length > 0);
  const [records = [], ...others] = owners;
  const [first] = records;
  if (first !== undefined) {
    const isOneStep = others.length === 0 && records.every((one) => isSameOutcome(one, first));
    return isOneStep ? { kind: 'records', records: certainLast(records) } : { kind: 'hidden' };
  }
  const missing = jobs.map((job) => job.missing);
  const kinds = ['hidden', 'forgotten'] as const;
  return { kind: kinds.find((kind) => missing.includes(kind)) ?? 'none' };
}

/**
 * Puts the certain outcome of an addition last. GitHub doesn't promise to keep annotations in
 * order, and callers take the last record of a call.
 */
const certainLast = (records: readonly StepRecord[]) => [
  ...records.filter(({ added }) => typeof added === 'object'),
  ...records.filter(({ added }) => typeof added !== 'object'),
];

/** GitHub keeps at most this many annotations of a workflow job. */
const MAX_ANNOTATIONS = 50;
/**
 * The runner sends at most this many notices per step, and counts a composite action as one step.
 * https://github.com/actions/runner/blob/main/src/Runner.Worker/ExecutionContext.cs
 */
const MAX_NOTICES = 10;
/**
 * Annotations can take some seconds to appear after a workflow job completes, and so can its
 * status. This runner's clock may be a minute ahead of GitHub's.
 */
const FRESH_MS = 2 * 60_000;
const FRESH_TRIES = 3;
const FRESH_PAUSE_MS = 5_000;
/**
 * GitHub keeps checks for as long as the repository's setting says, which is at least a day.
 * https://docs.github.com/organizations/managing-organization-settings/configuring-the-retention-period-for-github-actions-artifacts-and-logs-in-your-organization
 */
const KEPT_MS = 24 * 60 * 60_000;

const ageMs = ({ completed_at }: WorkflowJob, time: PausingClock) =>
  time.date() - Date.parse(completed_at ?? '');

/**
 * Returns `undefined` when GitHub no longer has the annotations of the workflow job, but still
 * shows those of `thisWorkflowJob`.
 */
async function keptAnnotations(
  github: Pick<GitHub, 'annotations'>,
  job: WorkflowJob,
  { proveAccess }: Step,
  time: PausingClock,
): Promise<readonly KeptAnnotation[] | undefined> {
  const read = () => unlessNotFound(() => github.annotations(job.id), proveAccess);
  let annotations = await read();
  const isFresh = job.completed_at === undefined || ageMs(job, time) < FRESH_MS;
  for (let tries = 0; isFresh && annotations?.length === 0 && tries < FRESH_TRIES; tries += 1) {
    await time.pause(FRESH_PAUSE_MS);
    annotations = await read();
  }
  return annotations;
}

/**
 * Whether the workflow job must have annotations. GitHub annotates every failure, and every cancel
 * of a job that a runner was working on. A job without a conclusion may have failed.
 */
const mustHaveAnnotations = ({ conclusion, runner_name: runner }: WorkflowJob) =>
  conclusion === undefined ||
  conclusion === 'failure' ||
  conclusion === 'timed_out' ||
  (conclusion === 'cancelled' && Boolean(runner));

function recordsInWorkflowJob(
  annotations: readonly KeptAnnotation[] | undefined,
  job: WorkflowJob,
  { isComposite }: Step,
  time: PausingClock,
): WorkflowJobRecords {
  if (annotations === undefined) {
    return { records: [], missing: ageMs(job, time) > KEPT_MS ? 'forgotten' : 'hidden' };
  }
  const found = annotations.map(recordIn).filter((record) => record !== undefined);
  const records = found.filter((record) => record !== 'unreadable');
  const notices = annotations.filter(({ level }) => level === 'notice').length;
  const isHidden =
    annotations.length >= MAX_ANNOTATIONS ||
    (isComposite && notices >= MAX_NOTICES) ||
    records.length < found.length ||
    (annotations.length === 0 && mustHaveAnnotations(job));
  return { records, missing: isHidden ? 'hidden' : 'none' };
}
