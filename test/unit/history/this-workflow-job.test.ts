import { describe, expect, test } from 'vitest';
import { GitHubError } from '../../../src/github/errors.ts';
import type { WorkflowJob } from '../../../src/github/github.ts';
import { findThisWorkflowJob } from '../../../src/history/this-workflow-job.ts';
import { RunError } from '../../../src/model/run-error.ts';

const RUNNER = 'GitHub Actions 7';
const facts = { runId: 500, attempt: 2, runnerName: RUNNER };

const workflowJob = (id: number, more: Partial<WorkflowJob> = {}): WorkflowJob => ({
  ...{ id, run_id: 500, name: `docs ${id}`, run_attempt: 2 },
  ...{ status: 'in_progress', runner_name: RUNNER },
  ...more,
});

/** The error that stops the step. */
const notKnown = (reason: string) =>
  new RunError(
    'The workflow job is not known',
    `Nothing was sent, because it is not known which workflow job runs this step: ${reason}. Press "Re-run failed jobs", or start a new run.`,
  );

function gitHub(listed: readonly WorkflowJob[]) {
  return {
    workflowJob: async (id: number) => {
      const job = listed.find((candidate) => candidate.id === id);
      if (job === undefined) throw new GitHubError('not-found', 'HTTP 404');
      return job;
    },
    workflowJobs: async () => listed,
  };
}

describe('the workflow job that runs this step', () => {
  test('is the one with the id, also while GitHub says that it is not in progress and on no runner', async () => {
    for (const status of ['queued', 'completed']) {
      const own = workflowJob(2, { status, runner_name: undefined });
      // The answer does not always name its run.
      for (const job of [own, { ...own, run_id: undefined }]) {
        expect(await findThisWorkflowJob(gitHub([workflowJob(1), job]), 2, facts)).toEqual(job);
      }
    }
  });

  test('is, without an id, the one of this attempt on this runner that has not completed', async () => {
    const own = workflowJob(4);
    const before = [workflowJob(1, { run_attempt: 1 }), workflowJob(2, { status: 'completed' })];
    const other = workflowJob(3, { status: 'queued', runner_name: 'GitHub Actions 8' });
    expect(await findThisWorkflowJob(gitHub([...before, other, own]), undefined, facts)).toEqual(
      own,
    );
  });

  const where = `workflow job of attempt 2 on runner \`${RUNNER}\``;
  const queued = workflowJob(2, { status: 'queued' });
  test.each<[reason: string, jobs: readonly WorkflowJob[]]>([
    [`GitHub lists no running ${where}`, [workflowJob(1, { status: 'completed' })]],
    [`GitHub lists more than one running ${where}`, [workflowJob(1), queued]],
    [
      `GitHub still lists queued workflow jobs beside the ${where}`,
      [workflowJob(1), { ...queued, runner_name: undefined }],
    ],
  ])('is not known without an id: %s', async (reason, jobs) => {
    await expect(findThisWorkflowJob(gitHub(jobs), undefined, facts)).rejects.toThrow(
      notKnown(reason),
    );
  });

  test.each([
    { unset: { runId: 0 }, reason: '`GITHUB_RUN_ID` is not set' },
    { unset: { runId: Number.NaN }, reason: '`GITHUB_RUN_ID` is not set' },
    { unset: { attempt: Number.NaN }, reason: '`GITHUB_RUN_ATTEMPT` is not a number' },
    { unset: { runnerName: '' }, reason: '`RUNNER_NAME` is not set' },
  ])('is not known with $unset', async ({ unset, reason }) => {
    const github = gitHub([workflowJob(1, { runner_name: '' })]);
    await expect(findThisWorkflowJob(github, undefined, { ...facts, ...unset })).rejects.toThrow(
      notKnown(reason),
    );
  });

  test('is the one in the list of the run when GitHub does not know the id alone', async () => {
    const own = workflowJob(2);
    const github = {
      ...gitHub([own]),
      workflowJob: () => Promise.reject(new GitHubError('not-found', 'HTTP 404')),
    };
    expect(await findThisWorkflowJob(github, 2, facts)).toEqual(own);
    // Also that of another run.
    for (const other of [github, gitHub([workflowJob(9, { run_id: 499 })])]) {
      const reason = 'Workflow job 9 is not one of workflow run 500';
      await expect(findThisWorkflowJob(other, 9, facts)).rejects.toThrow(notKnown(reason));
    }
  });

  test('is not guessed when GitHub fails, and looked for in the list only by an unknown id', async () => {
    const noList = { workflowJobs: () => Promise.reject(new GitHubError('failed', 'HTTP 500')) };
    for (const kind of ['not-found', 'forbidden', 'bad-token', 'rate-limited', 'failed'] as const) {
      const error = new GitHubError(kind, 'said so');
      const list = kind === 'not-found' ? noList : gitHub([workflowJob(9)]);
      const github = { ...list, workflowJob: () => Promise.reject(error) };
      await expect(findThisWorkflowJob(github, 9, facts)).rejects.toBe(error);
    }
  });
});
