import { describe, expect, test } from 'vitest';
import { type EarlierJobQuery, findEarlierJob } from '../../../src/agent/earlier-job.ts';
import { type JobRecord, noticeOf } from '../../../src/agent/record.ts';
import type { CheckAnnotation, WorkflowJob } from '../../../src/effects/effects.ts';
import { GitHubError } from '../../../src/errors.ts';

const query: EarlierJobQuery = {
  runId: 500,
  attempt: 3,
  runnerName: 'GitHub Actions 7',
  event: 'created',
  projectId: 'p',
  step: 'docs',
  jobId: undefined,
};

const workflowJob = (id: number, runAttempt: number, more: Partial<WorkflowJob> = {}) => ({
  id,
  name: 'docs',
  runAttempt,
  status: 'completed',
  runnerName: 'GitHub Actions 1',
  ...more,
});
const current = workflowJob(30, 3, { status: 'in_progress', runnerName: 'GitHub Actions 7' });
const jobs = [workflowJob(10, 1), workflowJob(20, 2), current];

const notice = (record: Partial<JobRecord> = {}): CheckAnnotation => ({
  level: 'notice',
  ...noticeOf({ event: 'created', jobId: 'job_1', projectId: 'p', step: 'docs', ...record }),
});

function gitHub(
  listed: readonly WorkflowJob[],
  kept: Readonly<Record<number, readonly CheckAnnotation[]>>,
) {
  const asked: number[] = [];
  return {
    asked,
    workflowJobs: async () => listed,
    annotations: async (id: number) => {
      asked.push(id);
      return kept[id] ?? [];
    },
  };
}

describe('the agent job of an earlier attempt', () => {
  test('is the one that the latest earlier attempt created', async () => {
    const github = gitHub(jobs, {
      10: [notice({ jobId: 'job_old' })],
      20: [notice({ jobId: 'job_new' })],
      30: [notice({ jobId: 'job_own' })],
    });
    expect(await findEarlierJob(github, query)).toEqual({
      kind: 'found',
      jobId: 'job_new',
      attempt: 2,
    });
    expect(github.asked).toEqual([20]);
  });

  test('is looked for further back when an attempt was carried over without annotations', async () => {
    const github = gitHub(jobs, { 10: [notice()] });
    expect(await findEarlierJob(github, query)).toEqual({
      kind: 'found',
      jobId: 'job_1',
      attempt: 1,
    });
    expect(github.asked).toEqual([20, 10]);
  });

  test.each([
    { promise: 'of another project is not taken', record: { projectId: 'other' } },
    { promise: 'of another step is not taken', record: { step: 'docs_2' } },
    { promise: 'that only took a message is not taken', record: { event: 'accepted-message' } },
  ] as const)('$promise', async ({ record }) => {
    const github = gitHub(jobs, { 20: [notice(record)] });
    expect(await findEarlierJob(github, query)).toEqual({ kind: 'none' });
  });

  test('that took the message is the one that the message is for', async () => {
    const event = 'accepted-message';
    const github = gitHub(jobs, {
      20: [notice({ event, jobId: 'job_2' })],
      10: [notice({ event, jobId: 'job_1' })],
    });
    expect(await findEarlierJob(github, { ...query, event, jobId: 'job_1' })).toEqual({
      kind: 'found',
      jobId: 'job_1',
      attempt: 1,
    });
  });

  test('of another leg of the matrix is not looked at', async () => {
    const other = workflowJob(21, 2, { name: 'docs (eu)' });
    const github = gitHub([...jobs, other], { 21: [notice()] });
    expect(await findEarlierJob(github, query)).toEqual({ kind: 'none' });
    expect(github.asked).toEqual([20, 10]);
  });

  test.each([
    {
      promise: 'no workflow job of this attempt runs on this runner',
      listed: jobs.slice(0, 2),
      which: 'no workflow job',
    },
    {
      promise: 'this attempt has two workflow jobs on runners of this name',
      listed: [...jobs, { ...current, id: 31, name: 'docs (eu)' }],
      which: 'more than one workflow job',
    },
  ])('is not known when $promise', async ({ listed, which }) => {
    expect(await findEarlierJob(gitHub(listed, {}), query)).toEqual({
      kind: 'unknown',
      why: `GitHub lists ${which} of attempt 3 in progress on runner \`GitHub Actions 7\``,
    });
  });

  test.each([
    { kind: 'forbidden', permission: 'actions: read', fails: 'workflowJobs' },
    { kind: 'missing', permission: 'actions: read', fails: 'workflowJobs' },
    { kind: 'forbidden', permission: 'checks: read', fails: 'annotations' },
  ] as const)('is not known without `$permission` ($kind), which is named', async (row) => {
    const refuse = () => Promise.reject(new GitHubError(row.kind, 'HTTP 403'));
    const github = { ...gitHub(jobs, {}), [row.fails]: refuse };
    expect(await findEarlierJob(github, query)).toEqual({
      kind: 'unknown',
      why: `HTTP 403. Give the workflow job \`permissions:\` with \`${row.permission}\``,
    });
  });

  test('is not known when GitHub fails, and no permission is blamed', async () => {
    const fails = () => Promise.reject(new GitHubError('failed', 'HTTP 502'));
    expect(await findEarlierJob({ ...gitHub(jobs, {}), workflowJobs: fails }, query)).toEqual({
      kind: 'unknown',
      why: 'HTTP 502',
    });
  });

  test('a fault of our own is thrown, not taken for one of GitHub', async () => {
    const breaks = () => Promise.reject(new TypeError('a bug'));
    const broken = { ...gitHub(jobs, {}), annotations: breaks };
    await expect(findEarlierJob(broken, query)).rejects.toThrow('a bug');
  });
});
