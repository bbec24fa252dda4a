import type { Clock } from '../effects/effects.ts';
import { once } from '../effects/retry.ts';
import type { GitHub, WorkflowJob } from '../github/github.ts';
import { unlessNotFound } from '../model/errors.ts';
import { type Identity, outcomeOf, type StepRecord } from '../model/record.ts';
import type { RunFacts } from '../model/run-facts.ts';
import { MAX_ANNOTATIONS, recordIn } from './record-line.ts';

/** The step that looks back. */
export interface Step
  extends Identity,
    Pick<RunFacts, 'runId' | 'attempt' | 'repository' | 'isComposite'> {
  readonly thisJob: WorkflowJob;
}

/** What of the clock is needed here. */
export interface Time extends Pick<Clock, 'now' | 'date'> {
  /** Resolves after `ms` milliseconds. Throws the signal's reason after a cancel. */
  pause(ms: number): Promise<void>;
}

/**
 * Why a record may be missing, the worst first.
 * - `full`: GitHub keeps no more annotations of the workflow job.
 * - `crowded`: the runner sends no more notices of the composite action that the step is part of.
 * - `unreadable`: the record of a step was cut or masked, or has another version.
 * - `missing`: the workflow job failed or is recent, and GitHub shows none of its annotations.
 * - `forgotten`: GitHub no longer has the annotations of the workflow job.
 */
const FLAWS = ['full', 'crowded', 'unreadable', 'missing', 'forgotten'] as const;
export type Flaw = (typeof FLAWS)[number];

/** What the step left in one attempt of a run. */
export type Kept =
  /** In the order of writing. `isAlone`: no other step can have its name. */
  | {
      readonly kind: 'own';
      readonly records: readonly StepRecord[];
      readonly isAlone: boolean;
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly flaw: Flaw }
  /** Records with this step's key, which may be another step's. */
  | { readonly kind: 'ambiguous'; readonly records: readonly StepRecord[] };

/** An attempt of a run. What the step left in it is read when it is first needed. */
export interface Attempt {
  readonly number: number;
  /** Rejects with a `GitHubError` when GitHub fails. */
  readonly read: () => Promise<Kept>;
}

/** The attempts of a run that have these workflow jobs, which all have the step's name; newest first. */
export function attemptsOf(
  github: Pick<GitHub, 'annotations'>,
  jobs: readonly WorkflowJob[],
  step: Step,
  time: Time,
): readonly Attempt[] {
  const numbers = [...new Set(jobs.map(({ run_attempt }) => run_attempt))];
  return numbers
    .sort((a, b) => b - a)
    .map((number) => ({
      number,
      read: once(async () => {
        const found: JobRecords[] = [];
        for (const job of jobs) {
          if (job.run_attempt !== number) continue;
          const kept = await recordsOf(github, job, step, time);
          const isCarriedOver = kept.isEmpty && isCopy(job, jobs);
          if (!isCarriedOver) found.push(kept);
        }
        return tellApart(found, step);
      }),
    }));
}

/**
 * Whether the workflow job may be a copy that a partial re-run carried over from an earlier attempt:
 * it has another id, and the same times. A copy has no annotations.
 */
function isCopy(job: WorkflowJob, jobs: readonly WorkflowJob[]): boolean {
  const { name, completed_at, run_attempt } = job;
  const isOriginal = (other: WorkflowJob) =>
    other.run_attempt < run_attempt && other.name === name && other.completed_at === completed_at;
  return completed_at !== undefined && jobs.some(isOriginal);
}

/** The records in one workflow job, of every step of this action. */
interface JobRecords {
  readonly records: readonly StepRecord[];
  readonly flaw: Flaw | undefined;
  /** It has no annotation at all. */
  readonly isEmpty: boolean;
}

/** Which of the records are this step's. Workflow jobs may share a name, and steps a key. */
function tellApart(jobs: readonly JobRecords[], { key, isComposite }: Step): Kept {
  const isOwn = (record: StepRecord) => record.key === key;
  const records = jobs.flatMap((job) => job.records.filter(isOwn));
  if (records.length === 0) {
    const flaw = FLAWS.find((one) => jobs.some((job) => job.flaw === one));
    return flaw === undefined ? { kind: 'none' } : { kind: 'unreadable', flaw };
  }
  const owners = jobs.filter((job) => job.records.some(isOwn));
  const areOthersNamed = jobs.every((job) => job.records.length > 0);
  const isOneStep = !isComposite || new Set(records.map(outcomeOf)).size === 1;
  return owners.length === 1 && areOthersNamed && isOneStep
    ? { kind: 'own', records, isAlone: jobs.length === 1 && !isComposite }
    : { kind: 'ambiguous', records };
}

/**
 * The runner sends at most this many notices of a step, and counts a composite action as one.
 * https://github.com/actions/runner/blob/main/src/Runner.Worker/ExecutionContext.cs
 */
const MAX_NOTICES = 10;
/** GitHub annotates every failure, so a failed workflow job without an annotation is not known. */
const FAILURES = ['failure', 'timed_out'];
/** Annotations can appear some seconds after the workflow job completed. */
const FRESH_MS = 60_000;
const FRESH_TRIES = 3;
const FRESH_PAUSE_MS = 5_000;
/**
 * GitHub keeps checks for as long as the repository's setting says, which is a day at least.
 * https://docs.github.com/organizations/managing-organization-settings/configuring-the-retention-period-for-github-actions-artifacts-and-logs-in-your-organization
 */
const KEPT_MS = 24 * 60 * 60_000;

async function recordsOf(
  github: Pick<GitHub, 'annotations'>,
  job: WorkflowJob,
  { thisJob, isComposite }: Step,
  time: Time,
): Promise<JobRecords> {
  // A 404 counts only if the annotations of this workflow job can be read.
  const read = () =>
    unlessNotFound(
      () => github.annotations(job.id),
      () => github.annotations(thisJob.id),
    );
  const ageMs = () => time.date() - Date.parse(job.completed_at ?? '');
  let annotations = await read();
  const isFresh = ageMs() < FRESH_MS;
  for (let tries = 0; isFresh && annotations?.length === 0 && tries < FRESH_TRIES; tries += 1) {
    await time.pause(FRESH_PAUSE_MS);
    annotations = await read();
  }
  if (annotations === undefined) {
    const isForgotten = ageMs() > KEPT_MS;
    return { records: [], flaw: isForgotten ? 'forgotten' : 'missing', isEmpty: false };
  }
  const found = annotations.map(recordIn).filter((record) => record !== undefined);
  const records = found.filter((record) => record !== 'unreadable');
  const flawOf = (): Flaw | undefined => {
    if (annotations.length >= MAX_ANNOTATIONS) return 'full';
    const notices = annotations.filter(({ level }) => level === 'notice').length;
    if (isComposite && notices >= MAX_NOTICES) return 'crowded';
    if (records.length < found.length) return 'unreadable';
    const hasFailed = FAILURES.includes(job.conclusion ?? '');
    return annotations.length === 0 && hasFailed ? 'missing' : undefined;
  };
  return { records, flaw: flawOf(), isEmpty: annotations.length === 0 };
}
