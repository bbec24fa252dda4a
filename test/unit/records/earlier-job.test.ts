import { describe, expect, test } from 'vitest';
import type { WorkflowJob } from '../../../src/github/github.ts';
import type { Annotation } from '../../../src/lib/annotation.ts';
import { GitHubError } from '../../../src/lib/errors.ts';
import { type EarlierJobQuery, findEarlierJob } from '../../../src/records/earlier-job.ts';
import { type JobRecord, noticeOf } from '../../../src/records/record.ts';

const query: EarlierJobQuery = {
  runId: 500,
  attempt: 3,
  runnerName: 'GitHub Actions 7',
  event: 'created',
  projectId: 'p',
  step: 'docs',
  instructionHash: 'c0ffee00',
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

const notice = (record: Partial<JobRecord> = {}): Annotation => ({
  level: 'notice',
  ...noticeOf({
    event: 'created',
    jobId: 'job_1',
    projectId: 'p',
    step: 'docs',
    instructionHash: 'c0ffee00',
    ...record,
  }),
});

function gitHub(
  listed: readonly WorkflowJob[],
  kept: Readonly<Record<number, readonly Annotation[]>>,
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
  test('is the one of the latest earlier attempt, and older attempts are not read', async () => {
    const github = gitHub(jobs, {
      10: [notice({ jobId: 'job_old' })],
      20: [notice({ jobId: 'job_new' })],
      30: [notice({ jobId: 'job_own' })],
    });
    expect(await findEarlierJob(github, query)).toEqual({
      kind: 'known',
      job: { jobId: 'job_new', attempt: 2 },
    });
    expect(github.asked).toEqual([20]);
  });

  test('is searched for further back when an attempt was carried over without annotations', async () => {
    const github = gitHub(jobs, { 10: [notice()] });
    expect(await findEarlierJob(github, query)).toEqual({
      kind: 'known',
      job: { jobId: 'job_1', attempt: 1 },
    });
    expect(github.asked).toEqual([20, 10]);
  });

  test.each([
    { promise: 'is not one of another project', record: { projectId: 'other' } },
    { promise: 'is not one of another step', record: { step: 'docs_2' } },
    { promise: 'is not one that only accepted a message', record: { event: 'accepted-message' } },
  ] as const)('$promise', async ({ record }) => {
    const github = gitHub(jobs, { 20: [notice(record)] });
    expect(await findEarlierJob(github, query)).toEqual({ kind: 'known', job: undefined });
  });

  test('is the one that the message is for', async () => {
    const event = 'accepted-message';
    const github = gitHub(jobs, {
      20: [notice({ event, jobId: 'job_2' })],
      10: [notice({ event, jobId: 'job_1' })],
    });
    expect(await findEarlierJob(github, { ...query, event, jobId: 'job_1' })).toEqual({
      kind: 'known',
      job: { jobId: 'job_1', attempt: 1 },
    });
  });

  test('is the one with the same instruction when two steps share a name', async () => {
    const github = gitHub(jobs, {
      20: [notice({ jobId: 'job_a', instructionHash: 'deadbeef' }), notice({ jobId: 'job_b' })],
    });
    expect(await findEarlierJob(github, query)).toEqual({
      kind: 'known',
      job: { jobId: 'job_b', attempt: 2 },
    });
  });

  test('is found even if the runner masked the project in its record', async () => {
    const { title, message } = notice();
    const masked = {
      level: 'notice' as const,
      title,
      message: message.replace('project=p', 'project=***'),
    };
    expect(await findEarlierJob(gitHub(jobs, { 20: [masked] }), query)).toEqual({
      kind: 'known',
      job: { jobId: 'job_1', attempt: 2 },
    });
  });

  test.each([
    { promise: 'its record was cut', change: (text: string) => text.slice(0, -4) },
    {
      promise: 'its id was masked',
      change: (text: string) => text.replace('job=job_1', 'job=***'),
    },
  ])('is not known when $promise', async ({ change }) => {
    const { title, message } = notice();
    const changed = { level: 'notice' as const, title, message: change(message) };
    expect(await findEarlierJob(gitHub(jobs, { 20: [changed] }), query)).toEqual({
      kind: 'unknown',
      reason: 'the record of attempt 2 cannot be read',
    });
  });

  test('is known even if GitHub fails for an older attempt', async () => {
    const github = {
      workflowJobs: async () => jobs,
      annotations: async (id: number) => {
        if (id === 10) throw new GitHubError('failed', 'HTTP 502');
        return [notice()];
      },
    };
    expect(await findEarlierJob(github, query)).toEqual({
      kind: 'known',
      job: { jobId: 'job_1', attempt: 2 },
    });
  });

  test.each([
    { name: 'GITHUB_RUN_ID', missing: { runId: 0 } },
    { name: 'GITHUB_RUN_ATTEMPT', missing: { attempt: Number.NaN } },
    { name: 'RUNNER_NAME', missing: { runnerName: '' } },
    { name: 'GITHUB_ACTION', missing: { step: '' } },
  ])('is not known without $name, and the reason names it', async ({ name, missing }) => {
    expect(await findEarlierJob(gitHub(jobs, {}), { ...query, ...missing })).toEqual({
      kind: 'unknown',
      reason: `\`${name}\` is not set`,
    });
  });

  test.each([
    { promise: 'ended on this runner', other: { runnerName: current.runnerName } },
    { promise: 'runs on another runner', other: { status: 'in_progress' } },
    {
      promise: 'ran on this runner in another attempt',
      other: { ...current, runAttempt: 2 },
    },
  ])('is searched for even if another workflow job $promise', async ({ other }) => {
    const listed = [...jobs, workflowJob(32, 3, { ...other, name: 'lint' })];
    const github = gitHub(listed, { 20: [notice()] });
    expect(await findEarlierJob(github, query)).toEqual({
      kind: 'known',
      job: { jobId: 'job_1', attempt: 2 },
    });
  });

  test('is found among other notices and a record that cannot be read', async () => {
    const other = { level: 'notice' as const, title: 'Lint', message: 'Unused variable' };
    const unreadable = { ...notice(), message: 'x' };
    const github = gitHub(jobs, { 10: [notice()], 20: [other, unreadable, other] });
    expect(await findEarlierJob(github, query)).toEqual({
      kind: 'known',
      job: { jobId: 'job_1', attempt: 1 },
    });
  });

  test('is not searched for in other workflow jobs of the matrix', async () => {
    const other = workflowJob(21, 2, { name: 'docs (eu)' });
    const github = gitHub([...jobs, other], { 21: [notice()] });
    expect(await findEarlierJob(github, query)).toEqual({ kind: 'known', job: undefined });
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
      reason: `GitHub lists ${which} of attempt 3 in progress on runner \`GitHub Actions 7\``,
    });
  });

  test.each([
    { kind: 'forbidden', permission: 'actions: read', fails: 'workflowJobs' },
    { kind: 'not-found', permission: 'actions: read', fails: 'workflowJobs' },
    { kind: 'forbidden', permission: 'checks: read', fails: 'annotations' },
  ] as const)(
    'is not known without `$permission` ($kind), and the reason names it',
    async (row) => {
      const refuse = () => Promise.reject(new GitHubError(row.kind, 'HTTP 403'));
      const github = { ...gitHub(jobs, {}), [row.fails]: refuse };
      expect(await findEarlierJob(github, query)).toEqual({
        kind: 'unknown',
        reason: `HTTP 403. Give the workflow job \`permissions:\` with \`${row.permission}\``,
      });
    },
  );

  test('is not known with a token that GitHub refuses, and no permission is named', async () => {
    const workflowJobs = () => Promise.reject(new GitHubError('bad-token', 'HTTP 401'));
    expect(await findEarlierJob({ ...gitHub(jobs, {}), workflowJobs }, query)).toEqual({
      kind: 'unknown',
      reason: 'HTTP 401. Check `githubToken`, or leave it out to use the token of the workflow',
    });
  });

  test('is not known without several variables, and the reason names all of them', async () => {
    const missing = { ...query, runId: 0, step: '' };
    expect(await findEarlierJob(gitHub(jobs, {}), missing)).toEqual({
      kind: 'unknown',
      reason: '`GITHUB_RUN_ID`, `GITHUB_ACTION` is not set',
    });
  });

  test('is not known when GitHub fails, and the reason names no permission', async () => {
    const fails = () => Promise.reject(new GitHubError('failed', 'HTTP 502'));
    expect(await findEarlierJob({ ...gitHub(jobs, {}), workflowJobs: fails }, query)).toEqual({
      kind: 'unknown',
      reason: 'HTTP 502',
    });
  });

  test('is not searched for any more after an unexpected error, which is thrown', async () => {
    const breaks = () => Promise.reject(new TypeError('a bug'));
    const broken = { ...gitHub(jobs, {}), annotations: breaks };
    await expect(findEarlierJob(broken, query)).rejects.toThrow('a bug');
  });
});
