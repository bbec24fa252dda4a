import type { GitHub, WorkflowJob } from '../github/github.ts';
import { isNotFound } from '../lib/errors.ts';
import { recordIn, type StepRecord } from './record.ts';

/** GitHub keeps at most this many annotations of a workflow job. */
const MAX_ANNOTATIONS = 50;

/** What one attempt of a workflow job has left behind for one step. */
export interface KeptRecords {
  /** In the order in which they were written. */
  readonly records: readonly StepRecord[];
  /**
   * Why a record of this step may be missing, when there is none: one of a step cannot be read,
   * there was no room for it, or GitHub has deleted the check run.
   */
  readonly flaw: 'unreadable' | 'full' | 'gone' | undefined;
}

/**
 * The records with `key` of one attempt. Names are not unique, so it may have several workflow jobs.
 * Rejects with a `GitHubError` when GitHub fails.
 */
export async function keptRecords(
  github: Pick<GitHub, 'annotations'>,
  jobs: readonly WorkflowJob[],
  { key, thisJob }: { readonly key: string; readonly thisJob: WorkflowJob },
): Promise<KeptRecords> {
  const records: StepRecord[] = [];
  let flaw: KeptRecords['flaw'];
  for (const { id } of jobs) {
    const annotations = await annotationsOf(github, id, thisJob);
    if (annotations === undefined) {
      flaw = 'gone';
      continue;
    }
    const found = annotations.map(recordIn).filter((record) => record !== undefined);
    const readable = found.filter((record) => record !== 'unreadable');
    records.push(...readable.filter((record) => record.key === key));
    if (readable.length < found.length) flaw = 'unreadable';
    else if (annotations.length >= MAX_ANNOTATIONS) flaw = 'full';
  }
  return { records, flaw: records.length === 0 ? flaw : undefined };
}

/**
 * GitHub deletes checks after some time, and answers with 404 then: `undefined`. It does the same
 * when a permission is missing, so that 404 counts only if the annotations of this workflow job can
 * be read.
 * https://docs.github.com/rest/checks/runs
 */
async function annotationsOf(
  github: Pick<GitHub, 'annotations'>,
  checkRunId: number,
  thisJob: WorkflowJob,
) {
  try {
    return await github.annotations(checkRunId);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await github.annotations(thisJob.id).catch(() => {
      throw error;
    });
    return undefined;
  }
}

/** The workflow jobs of each attempt, newest attempt first. */
export function byAttempt(
  jobs: readonly WorkflowJob[],
): readonly (readonly [attempt: number, jobs: readonly WorkflowJob[]])[] {
  // `Map.groupBy` is missing in Node 20.
  const attempts = [...new Set(jobs.map(({ run_attempt }) => run_attempt))].sort((a, b) => b - a);
  return attempts.map((attempt) => [
    attempt,
    jobs.filter(({ run_attempt }) => run_attempt === attempt),
  ]);
}
