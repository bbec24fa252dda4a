import { once } from '../effects/once.ts';
import { unlessNotFound } from '../github/errors.ts';
import type { GitHub, WorkflowJob } from '../github/github.ts';
import { RunError } from '../model/run-error.ts';
import type { RunFacts } from '../model/run-facts.ts';
import { quote } from '../text/escape.ts';

/**
 * Returns the workflow job that runs this step. With an ID, reads that job directly, because
 * GitHub's lists lag behind. Without one, looks for the job of this attempt that runs on this
 * runner and hasn't completed. Throws a `RunError` when that is ambiguous, and a `GitHubError` when
 * GitHub fails.
 */
export async function findThisWorkflowJob(
  github: Pick<GitHub, 'workflowJob' | 'workflowJobs'>,
  id: number | undefined,
  { runId, attempt, runnerName }: Pick<RunFacts, 'runId' | 'attempt' | 'runnerName'>,
): Promise<WorkflowJob> {
  if (!Number.isSafeInteger(runId) || runId <= 0) throw notKnown('`GITHUB_RUN_ID` is not set');
  if (!Number.isSafeInteger(attempt)) throw notKnown('`GITHUB_RUN_ATTEMPT` is not a number');
  const listed = once(() => github.workflowJobs(runId));
  if (id !== undefined) {
    const alone = await unlessNotFound(() => github.workflowJob(id), listed);
    const job = alone ?? (await listed()).find((candidate) => candidate.id === id);
    if (job !== undefined && (job.run_id ?? runId) === runId) return job;
    throw notKnown(`Workflow job ${id} is not one of workflow run ${runId}`);
  }
  if (runnerName === '') throw notKnown('`RUNNER_NAME` is not set');
  const unfinished = (await listed()).filter(
    (job) => job.run_attempt === attempt && job.status !== 'completed',
  );
  const [job, ...others] = unfinished.filter((candidate) => candidate.runner_name === runnerName);
  const where = `workflow job of attempt ${attempt} on runner ${quote(runnerName)}`;
  if (job === undefined) throw notKnown(`GitHub lists no running ${where}`);
  if (others.length > 0) throw notKnown(`GitHub lists more than one running ${where}`);
  // The list lags behind. This may still be this runner's previous job, and the queued one this
  // job.
  if (unfinished.some((other) => other.status === 'queued' && other.runner_name === undefined)) {
    throw notKnown(`GitHub still lists queued workflow jobs beside the ${where}`);
  }
  return job;
}

function notKnown(reason: string): RunError {
  const message = `Nothing was sent, because it is not known which workflow job runs this step: ${reason}. Press "Re-run failed jobs", or start a new run.`;
  return new RunError('The workflow job is not known', message, { cause: new Error(reason) });
}
