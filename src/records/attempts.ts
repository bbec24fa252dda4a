import type { GitHub } from '../github/github.ts';
import { byAttempt, type KeptRecords, keptRecords } from './kept-records.ts';
import type { Recorded, StepRecord } from './record.ts';
import type { OwnWorkflowJob } from './workflow-job.ts';

/** Which step looks for what its earlier attempts have left behind. */
export interface AttemptQuery {
  readonly thisJob: OwnWorkflowJob;
  /** `GITHUB_RUN_ATTEMPT` */
  readonly attempt: number;
  readonly key: string;
  readonly inputs: string;
  /** `GITHUB_ACTION_PATH` is set: the steps of a composite action share a name. */
  readonly isComposite: boolean;
  /** The agent job that a follow-up message is for, `undefined` when one would be created. */
  readonly messagedJobId?: string | undefined;
}

/** What an earlier attempt says about this one. `attempt` is the earlier one. */
export type EarlierAttempt =
  | {
      readonly kind: 'follow';
      readonly attempt: number;
      readonly jobId: string;
      /** With the range of its changes, which stays that of this attempt. */
      readonly record: StepRecord;
    }
  /** There is no record, or nothing relevant had changed. */
  | { readonly kind: 'fresh' }
  /** An earlier attempt asked whether an agent job exists. This one was started all the same. */
  | { readonly kind: 'create-allowed'; readonly attempt: number }
  /**
   * An agent job may exist. `other-inputs`: there are records that may be this step's or another's.
   */
  | {
      readonly kind: 'stop';
      readonly attempt: number;
      readonly why: 'unknown' | 'unreadable' | 'full' | 'other-inputs';
    };

/**
 * Looks through the workflow jobs of this name in earlier attempts, newest first, for what this
 * step recorded. A workflow job that a partial re-run carried over has no annotations, so older
 * attempts are read until one has a record. Rejects with a `GitHubError` when GitHub fails:
 * `forbidden` and `not-found` mean that a permission is missing.
 * https://docs.github.com/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run
 * https://docs.github.com/rest/checks/runs#list-check-run-annotations
 */
export async function findEarlierAttempt(
  github: Pick<GitHub, 'workflowJobs' | 'annotations'>,
  query: AttemptQuery,
): Promise<EarlierAttempt> {
  const { run_id, name } = query.thisJob;
  const jobs = await github.workflowJobs(run_id);
  const earlier = jobs.filter((job) => job.name === name && job.run_attempt < query.attempt);
  for (const [attempt, ofAttempt] of byAttempt(earlier)) {
    const outcome = outcomeOf(await keptRecords(github, ofAttempt, query), attempt, query);
    if (outcome !== undefined) return outcome;
  }
  return { kind: 'fresh' };
}

/** What one attempt says, `undefined` when it says nothing. */
function outcomeOf(
  { records, flaw }: KeptRecords,
  attempt: number,
  query: AttemptQuery,
): EarlierAttempt | undefined {
  if (flaw !== undefined) {
    return { kind: 'stop', why: flaw === 'full' ? flaw : 'unreadable', attempt };
  }
  const own = records.filter((record) => !isOfOtherMessage(record, query));
  if (own.length === 0) return undefined;
  const record = chooseRecord(own, query);
  if (record !== undefined) return outcomeOfRecord(record, attempt);
  const nothingCreated = own.every(({ what }) => what.kind === 'none');
  return nothingCreated ? { kind: 'fresh' } : { kind: 'stop', why: 'other-inputs', attempt };
}

/** A message that another agent job accepted is not the one that would be sent now. */
function isOfOtherMessage({ what }: StepRecord, { messagedJobId }: AttemptQuery): boolean {
  return messagedJobId !== undefined && what.kind === 'job' && what.id !== messagedJobId;
}

/** The record that is certainly this step's, `undefined` when none is. */
function chooseRecord(
  own: readonly StepRecord[],
  { inputs, isComposite }: AttemptQuery,
): StepRecord | undefined {
  const same = own.filter((record) => record.inputs === inputs);
  // A step that followed one agent job and then created another writes two records.
  const last = same.at(-1);
  if (last !== undefined) {
    const isCertain = same.every(({ what }) => hasSameJob(what, last.what));
    return isCertain || !isComposite ? last : undefined;
  }
  // A prompt may hold the time, for example.
  return own.length === 1 && !isComposite ? own[0] : undefined;
}

function hasSameJob(a: Recorded, b: Recorded): boolean {
  return a.kind === 'job' && b.kind === 'job' ? a.id === b.id : a.kind === b.kind;
}

function outcomeOfRecord(record: StepRecord, attempt: number): EarlierAttempt {
  const { what } = record;
  switch (what.kind) {
    case 'job':
      return { kind: 'follow', attempt, jobId: what.id, record };
    case 'none':
      return { kind: 'fresh' };
    case 'unknown':
      return { kind: 'stop', why: 'unknown', attempt };
    case 'asked':
      return { kind: 'create-allowed', attempt };
  }
}
