import type { GitHub, WorkflowJob } from '../github/github.ts';
import type { RunFacts } from '../lib/run-facts.ts';
import { unlessNotFound } from '../lib/unless-not-found.ts';
import { MAX_ANNOTATIONS, recordIn, type StepRecord } from './record.ts';

/** The step that looks back. */
export interface Step extends Pick<RunFacts, 'runId' | 'attempt' | 'repository' | 'isComposite'> {
  readonly thisJob: WorkflowJob;
  /** These three are hashes, as in its record. */
  readonly key: string;
  readonly inputs: string;
  readonly pathsHash: string;
  /** The agent job that a follow-up message is for, `undefined` when one would be created. */
  readonly messagedJobId: string | undefined;
}

/** An agent job of an earlier attempt, to follow. */
export interface Follow {
  readonly kind: 'follow';
  readonly attempt: number;
  readonly jobId: string;
  /** With the range of its changes, which stays that of this attempt. */
  readonly record: StepRecord;
}

/** An agent job may exist. `other-inputs`: a record may be this step's or another's. */
export interface Stop {
  readonly kind: 'stop';
  readonly attempt: number;
  readonly why: 'unknown' | 'unreadable' | 'full' | 'other-inputs';
}

/** What an earlier attempt says about this one. `attempt` is the earlier one. */
export type EarlierAttempt =
  | Follow
  | Stop
  /** There is no record, or nothing relevant had changed. */
  | { readonly kind: 'fresh' }
  /** An earlier attempt asked whether an agent job exists. This one was started all the same. */
  | { readonly kind: 'create-allowed'; readonly attempt: number };

/**
 * Looks through the workflow jobs of this name in earlier attempts, newest first, for what this
 * step recorded. A workflow job that a partial re-run carried over has no annotations, so older
 * attempts are read until one has a record. Rejects with a `GitHubError` when GitHub fails:
 * `forbidden` and `not-found` mean that a permission is missing.
 */
export async function findEarlierAttempt(
  github: Pick<GitHub, 'workflowJobs' | 'annotations'>,
  step: Step,
): Promise<EarlierAttempt> {
  const jobs = await github.workflowJobs(step.runId);
  const earlier = jobs.filter(
    ({ name, run_attempt }) => name === step.thisJob.name && run_attempt < step.attempt,
  );
  for await (const kept of keptRecords(github, earlier, step)) {
    const outcome = outcomeOf(kept, step);
    if (outcome !== undefined) return outcome;
  }
  return { kind: 'fresh' };
}

/** What one attempt says, `undefined` when it says nothing. */
function outcomeOf(
  { attempt, records, flaw }: KeptRecords,
  { inputs, isComposite, messagedJobId }: Step,
): EarlierAttempt | undefined {
  const stop = (why: Stop['why']): Stop => ({ kind: 'stop', attempt, why });
  if (flaw !== undefined) return stop(flaw === 'full' ? flaw : 'unreadable');
  // A message that another agent job accepted is not the one that would be sent now.
  const own = records.filter(
    ({ what }) => messagedJobId === undefined || what.kind !== 'job' || what.id === messagedJobId,
  );
  if (own.length === 0) return undefined;
  if (own.every(({ what }) => what.kind === 'none')) return { kind: 'fresh' };
  const record = chooseRecord(own, inputs, isComposite);
  switch (record?.what.kind) {
    case 'job':
      return { kind: 'follow', attempt, jobId: record.what.id, record };
    case 'none':
      return { kind: 'fresh' };
    case 'asked':
      return { kind: 'create-allowed', attempt };
    case 'unknown':
      return stop('unknown');
    case undefined:
      return stop('other-inputs');
  }
}

/** The record that is certainly this step's, `undefined` when none is. */
function chooseRecord(own: readonly StepRecord[], inputs: string, isComposite: boolean) {
  const same = own.filter((record) => record.inputs === inputs);
  // A prompt may hold the time, for example.
  if (same.length === 0) return own.length === 1 && !isComposite ? own[0] : undefined;
  // A step that followed one agent job and then created another writes two records.
  const outcomes = new Set(
    same.map(({ what }) => (what.kind === 'job' ? `job ${what.id}` : what.kind)),
  );
  return outcomes.size === 1 || !isComposite ? same.at(-1) : undefined;
}

/**
 * Why a record of a step may be missing: there was no room for it, one of a step cannot be read, or
 * GitHub has deleted the check run. What leaves most in doubt comes first: a re-run of a full one
 * must not create.
 */
const FLAWS = ['full', 'unreadable', 'gone'] as const;

/** What one attempt of a workflow job has left behind for one step. */
export interface KeptRecords {
  readonly attempt: number;
  /** In the order in which they were written. */
  readonly records: readonly StepRecord[];
  /** Only when there are no records. */
  readonly flaw: (typeof FLAWS)[number] | undefined;
}

/**
 * The records of the step in these workflow jobs, newest attempt first. Names are not unique, so an
 * attempt may have several of them. GitHub deletes checks after some time, and responds with 404
 * then. That counts only if the annotations of this workflow job can be read. Throws a
 * `GitHubError` when GitHub fails.
 */
export async function* keptRecords(
  github: Pick<GitHub, 'annotations'>,
  jobs: readonly WorkflowJob[],
  { key, thisJob }: Step,
): AsyncGenerator<KeptRecords> {
  // `Map.groupBy` is missing in Node 20.
  const attempts = new Set(jobs.map(({ run_attempt }) => run_attempt));
  for (const attempt of [...attempts].sort((a, b) => b - a)) {
    const records: StepRecord[] = [];
    const flaws = new Set<KeptRecords['flaw']>();
    for (const { id } of jobs.filter(({ run_attempt }) => run_attempt === attempt)) {
      const annotations = await unlessNotFound(
        () => github.annotations(id),
        () => github.annotations(thisJob.id),
      );
      const found = annotations?.map(recordIn).filter((record) => record !== undefined) ?? [];
      const readable = found.filter((record) => record !== 'unreadable');
      records.push(...readable.filter((record) => record.key === key));
      if (annotations === undefined) flaws.add('gone');
      else if (annotations.length >= MAX_ANNOTATIONS) flaws.add('full');
      if (readable.length < found.length) flaws.add('unreadable');
    }
    const flaw = records.length === 0 ? FLAWS.find((one) => flaws.has(one)) : undefined;
    yield { attempt, records, flaw };
  }
}
