import type { GitHub } from '../effects/effects.ts';
import { GitHubError, messageOf } from '../errors.ts';
import { quote } from '../text.ts';
import { type JobRecord, recordIn } from './record.ts';

/** Where this attempt stands, and which record it looks for. */
export interface EarlierJobQuery {
  readonly runId: number;
  /** `GITHUB_RUN_ATTEMPT`, from 2. */
  readonly attempt: number;
  /** `RUNNER_NAME` */
  readonly runnerName: string;
  readonly event: JobRecord['event'];
  readonly projectId: string;
  readonly step: string;
  /** The agent job that the message is for; any when a job would be created. */
  readonly jobId: string | undefined;
}

export type EarlierJob =
  | { readonly kind: 'found'; readonly jobId: string; readonly attempt: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly why: string };

/**
 * The agent job that the same step created, or sent the message to, in an earlier attempt of this
 * workflow run. A workflow job's id is that of its check run, whose annotations hold the records.
 * Throws only what is not GitHub's failure.
 * https://docs.github.com/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run
 * https://docs.github.com/rest/checks/runs#list-check-run-annotations
 */
export async function findEarlierJob(
  github: Pick<GitHub, 'workflowJobs' | 'annotations'>,
  query: EarlierJobQuery,
): Promise<EarlierJob> {
  try {
    const jobs = await withPermission('actions: read', () => github.workflowJobs(query.runId));
    const names = new Set(
      jobs
        .filter(({ runAttempt }) => runAttempt === query.attempt)
        .filter(
          ({ status, runnerName }) => status === 'in_progress' && runnerName === query.runnerName,
        )
        .map(({ name }) => name),
    );
    const [name, ...others] = names;
    if (name === undefined || others.length > 0) {
      const which = name === undefined ? 'no workflow job' : 'more than one workflow job';
      const why = `GitHub lists ${which} of attempt ${query.attempt} in progress on runner ${quote(query.runnerName)}`;
      return { kind: 'unknown', why };
    }
    const earlier = jobs
      .filter((job) => job.name === name && job.runAttempt < query.attempt)
      .sort((a, b) => b.runAttempt - a.runAttempt);
    for (const { id, runAttempt } of earlier) {
      const notices = await withPermission('checks: read', () => github.annotations(id));
      const found = notices.map(recordIn).find((record) => record && isLookedFor(record, query));
      if (found) return { kind: 'found', jobId: found.jobId, attempt: runAttempt };
    }
    return { kind: 'none' };
  } catch (error) {
    if (error instanceof GitHubError) return { kind: 'unknown', why: messageOf(error) };
    throw error;
  }
}

function isLookedFor(record: JobRecord, query: EarlierJobQuery): boolean {
  return (
    record.event === query.event &&
    record.projectId === query.projectId &&
    record.step === query.step &&
    (query.jobId === undefined || record.jobId === query.jobId)
  );
}

/** To a token without a permission GitHub says 403, or 404 as if there were nothing. */
async function withPermission<T>(permission: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isRefused =
      error instanceof GitHubError && (error.kind === 'forbidden' || error.kind === 'missing');
    if (!isRefused) throw error;
    const message = `${error.message}. Give the workflow job \`permissions:\` with \`${permission}\``;
    throw new GitHubError(error.kind, message, { cause: error });
  }
}
