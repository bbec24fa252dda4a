import type { GitHub } from '../github/github.ts';
import { type KeptRecords, keptRecords, type Step } from './kept-records.ts';
import type { StepRecord } from './record.ts';

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
  /** An agent job may exist. `other-inputs`: a record may be this step's or another's. */
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
  step: Step,
): EarlierAttempt | undefined {
  if (flaw !== undefined) {
    return { kind: 'stop', why: flaw === 'full' ? flaw : 'unreadable', attempt };
  }
  const { messagedJobId: jobId } = step;
  // A message that another agent job accepted is not the one that would be sent now.
  const own = records.filter(
    ({ what }) => jobId === undefined || what.kind !== 'job' || what.id === jobId,
  );
  if (own.length === 0) return undefined;
  const record = chooseRecord(own, step);
  switch (record?.what.kind) {
    case 'job':
      return { kind: 'follow', attempt, jobId: record.what.id, record };
    case 'none':
      return { kind: 'fresh' };
    case 'unknown':
      return { kind: 'stop', why: 'unknown', attempt };
    case 'asked':
      return { kind: 'create-allowed', attempt };
    case undefined:
      return own.every(({ what }) => what.kind === 'none')
        ? { kind: 'fresh' }
        : { kind: 'stop', why: 'other-inputs', attempt };
  }
}

/** The record that is certainly this step's, `undefined` when none is. */
function chooseRecord(
  own: readonly StepRecord[],
  { inputs, isComposite }: Step,
): StepRecord | undefined {
  const same = own.filter((record) => record.inputs === inputs);
  if (same.length === 0) {
    // A prompt may hold the time, for example.
    return own.length === 1 && !isComposite ? own[0] : undefined;
  }
  // A step that followed one agent job and then created another writes two records.
  const outcomes = new Set(
    same.map(({ what }) => (what.kind === 'job' ? `job ${what.id}` : what.kind)),
  );
  return outcomes.size === 1 || !isComposite ? same.at(-1) : undefined;
}
