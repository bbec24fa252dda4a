import type { GitHub, WorkflowJob } from '../github/github.ts';
import { isNotFound } from '../lib/errors.ts';
import { quote } from '../lib/text.ts';

/** What the input `workflowJob` says. */
export interface WorkflowJobInput {
  /** `undefined` where the runner does not know it. */
  readonly id: number | undefined;
  /** JSON, empty without a matrix. */
  readonly matrix: string;
}

/** Reads `<check_run_id> <matrix as JSON>`. Either part may be missing, and `null` is no matrix. */
export function parseWorkflowJob(text: string): WorkflowJobInput {
  const digits = /^\s*(\d+)(?=\s|$)/.exec(text);
  const matrix = text.slice(digits?.[0].length ?? 0).trim();
  const id = Number(digits?.[1]);
  return {
    id: Number.isSafeInteger(id) && id > 0 ? id : undefined,
    matrix: matrix === 'null' ? '' : matrix,
  };
}

export interface ThisJobQuery {
  readonly id: number | undefined;
  /** `GITHUB_RUN_ID` */
  readonly runId: number;
  /** `GITHUB_RUN_ATTEMPT` */
  readonly attempt: number;
  /** `RUNNER_NAME` */
  readonly runnerName: string;
}

/** The workflow job that runs this step. Its run is the one that the runner names. */
export type OwnWorkflowJob = WorkflowJob & { readonly run_id: number };

export type ThisJob =
  | { readonly kind: 'known'; readonly job: OwnWorkflowJob }
  /** `reason` is a sentence without its full stop. */
  | { readonly kind: 'not-known'; readonly reason: string };

/**
 * The workflow job that runs this step. With an id, whatever the lists of GitHub still say about
 * it: they lag. Without one, the job of this attempt on this runner that has not completed, if that
 * is certain. Rejects with a `GitHubError` when GitHub fails.
 */
export async function findThisJob(
  github: Pick<GitHub, 'workflowJob' | 'workflowJobs'>,
  query: ThisJobQuery,
): Promise<ThisJob> {
  const { id, runId, attempt, runnerName } = query;
  if (!Number.isSafeInteger(runId) || runId <= 0) return notKnown('`GITHUB_RUN_ID` is not set');
  if (!Number.isSafeInteger(attempt)) return notKnown('`GITHUB_RUN_ATTEMPT` is not a number');
  if (id !== undefined) {
    const job = await jobById(github, id, runId);
    if (job !== undefined && (job.run_id ?? runId) === runId) return known(job, runId);
    return notKnown(`Workflow job ${id} is not one of workflow run ${runId}`);
  }
  if (runnerName === '') return notKnown('`RUNNER_NAME` is not set');
  const jobs = await github.workflowJobs(runId);
  const unfinished = jobs.filter(
    (job) => job.run_attempt === attempt && job.status !== 'completed',
  );
  const [job, ...others] = unfinished.filter((candidate) => candidate.runner_name === runnerName);
  const where = `workflow job of attempt ${attempt} on runner ${quote(runnerName)}`;
  if (job === undefined) return notKnown(`GitHub lists no running ${where}`);
  if (others.length > 0) return notKnown(`GitHub lists more than one running ${where}`);
  // The list lags. This may still be the job before on this runner, and the queued one this job.
  if (unfinished.some((other) => other.status === 'queued' && other.runner_name === undefined)) {
    return notKnown(`GitHub still lists queued workflow jobs beside the ${where}`);
  }
  return known(job, runId);
}

/**
 * GitHub answers with 404 also when a permission is missing. The list of the run tells these apart:
 * `undefined` if that does not have the id either. If it cannot be read, the 404 is passed on.
 */
async function jobById(
  github: Pick<GitHub, 'workflowJob' | 'workflowJobs'>,
  id: number,
  runId: number,
): Promise<WorkflowJob | undefined> {
  try {
    return await github.workflowJob(id);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const jobs = await github.workflowJobs(runId).catch(() => {
      throw error;
    });
    return jobs.find((job) => job.id === id);
  }
}

function known(job: WorkflowJob, runId: number): ThisJob {
  return { kind: 'known', job: { ...job, run_id: runId } };
}

function notKnown(reason: string): ThisJob {
  return { kind: 'not-known', reason };
}
