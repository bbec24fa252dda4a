import { describe, expect, test } from 'vitest';
import type { WorkflowJob, WorkflowRun } from '../../../src/github/github.ts';
import type { Annotation } from '../../../src/lib/annotation.ts';
import { GitHubError, RunError } from '../../../src/lib/errors.ts';
import type { Step } from '../../../src/records/attempts.ts';
import { type Coverage, findCoverage, type ReadJob } from '../../../src/records/coverage.ts';
import { partOf } from '../../../src/records/history.ts';
import { noticeOf, type Recorded, type StepRecord } from '../../../src/records/record.ts';

const KEY = '0123456789abcdef';
const OTHER_KEY = '00000000000000ff';
const PATHS = 'aaaaaaaaaaaaaaaa';
const commit = (digit: string) => digit.repeat(40);

/** Run #n has the id 100 n, and its workflow job in attempt a the id 100 n + a. */
function workflowJob(run: number, more: Partial<WorkflowJob> = {}): WorkflowJob {
  const run_attempt = more.run_attempt ?? 1;
  const id = 100 * run + run_attempt;
  const status = 'completed';
  return { id, run_id: 100 * run, name: 'docs', run_attempt, status, runner_name: 'r', ...more };
}

function workflowRun(run_number: number, more: Partial<WorkflowRun> = {}): WorkflowRun {
  return {
    id: 100 * run_number,
    workflow_id: 7,
    run_number,
    status: 'completed',
    head_branch: 'main',
    head_repository: { full_name: 'o/r' },
    ...more,
  };
}

const CURRENT = 900;
const query: Step = {
  thisJob: workflowJob(CURRENT),
  runId: 100 * CURRENT,
  attempt: 1,
  repository: 'o/r',
  key: KEY,
  inputs: KEY,
  pathsHash: PATHS,
  isComposite: false,
  messagedJobId: undefined,
};

const job = (id: string): Recorded => ({ kind: 'job', id });
const none = (pathsHash: string): Recorded => ({ kind: 'none', pathsHash });

function notice(what: Recorded, more: Partial<StepRecord> = {}): Annotation {
  const record = { what, key: KEY, inputs: KEY, open: [], ...more };
  return { level: 'notice', ...noticeOf(record, 'Read on.') };
}

/** What a run left that covered the changes from commit `a` to `b`. */
const RANGE = { from: commit('a'), to: commit('b') };
const UNREADABLE: Annotation = { level: 'notice', title: '', message: '(for later runs) v=2' };
const FULL = Array.from({ length: 50 }, (): Annotation => {
  return { level: 'warning', title: 'lint', message: 'unused' };
});

interface Listed {
  readonly runs: readonly WorkflowRun[];
  /** By run number. Runs that are not here have one completed workflow job. */
  readonly jobs?: Readonly<Record<number, readonly WorkflowJob[]>>;
  /** By the workflow job's id. */
  readonly kept?: Readonly<Record<number, readonly Annotation[]>>;
}

function gitHub({ runs, jobs = {}, kept = {} }: Listed) {
  const requested: string[] = [];
  return {
    requested,
    run: async (id: number) => {
      requested.push(`run ${id}`);
      return workflowRun(id / 100);
    },
    async *runs(workflowId: number, branch: string) {
      requested.push(`runs of ${workflowId} on ${branch}`);
      yield { total: runs.length, runs };
    },
    workflowJobs: async (id: number) => {
      requested.push(`jobs of ${id}`);
      return jobs[id / 100] ?? [workflowJob(id / 100)];
    },
    annotations: async (id: number) => {
      requested.push(`annotations of ${id}`);
      return kept[id] ?? [];
    },
  };
}

/** Statuses by the agent jobs' ids. An agent job without one is no longer known. */
function service(statuses: Readonly<Record<string, string>>) {
  const read: string[] = [];
  const readJob: ReadJob = async (id) => {
    read.push(id);
    const status = statuses[id];
    const prLink = `https://github.com/o/r/pull/${id.length}`;
    return status === undefined ? undefined : { status, prLink };
  };
  return { read, readJob };
}

/** The coverage that one record in the run before makes. */
function coverageOf(annotations: readonly Annotation[], statuses: Record<string, string> = {}) {
  const github = gitHub({ runs: [workflowRun(8)], kept: { 801: annotations } });
  return findCoverage(github, query, service(statuses).readJob);
}

function from(digit: string, more: Partial<Extract<Coverage, { kind: 'from' }>> = {}) {
  const sha = commit(digit);
  return { kind: 'from', sha, earlier: [], open: [], skippedFrom: sha, warnings: [], ...more };
}

const work = (jobId: string, state: 'failed' | 'running', overlaps = state === 'failed') => ({
  ...{ jobId, state, overlaps, prLink: `https://github.com/o/r/pull/${jobId.length}` },
});

describe('what earlier runs have covered', () => {
  test('is known after five requests when the run before has a record', async () => {
    const runs = [workflowRun(CURRENT), workflowRun(8), workflowRun(7)];
    const github = gitHub({ runs, kept: { 801: [notice(job('j1'), RANGE)] } });
    const { read, readJob } = service({ j1: 'completed' });
    expect(await findCoverage(github, query, readJob)).toEqual(from('b'));
    // The fifth is the one for this workflow job, which is made before.
    expect(github.requested).toEqual([
      `run ${100 * CURRENT}`,
      'runs of 7 on main',
      'jobs of 800',
      'annotations of 801',
    ]);
    expect(read).toEqual(['j1']);
  });

  test.each([
    { status: 'completed', expected: from('b') },
    { status: 'archived', expected: from('b') },
    {
      status: 'active',
      expected: from('b', {
        earlier: [work('j1', 'running')],
        open: [{ id: 'j1', from: commit('a') }],
      }),
    },
    {
      status: 'a status of tomorrow',
      expected: from('b', {
        earlier: [work('j1', 'running')],
        open: [{ id: 'j1', from: commit('a') }],
      }),
    },
    { status: 'failed', expected: from('a', { earlier: [work('j1', 'failed')] }) },
  ])('by an agent job that is $status', async ({ status, expected }) => {
    expect(await coverageOf([notice(job('j1'), RANGE)], { j1: status })).toEqual(expected);
  });

  test('by an agent job that the service no longer knows ends where it ended', async () => {
    expect(await coverageOf([notice(job('j1'), RANGE)])).toEqual(from('b'));
  });

  test('starts again at the first agent job that failed, and carries over only those before it', async () => {
    const open = [
      { id: 'j1', from: commit('1') },
      { id: 'j2', from: commit('2') },
      { id: 'j3', from: commit('3') },
    ];
    const record = notice(job('j4'), { from: commit('4'), to: commit('b'), open });
    const statuses = { j1: 'active', j2: 'failed', j3: 'active', j4: 'failed' };
    expect(await coverageOf([record], statuses)).toEqual(
      from('2', {
        earlier: [
          work('j1', 'running'),
          work('j2', 'failed'),
          work('j3', 'running', true),
          work('j4', 'failed'),
        ],
        open: [{ id: 'j1', from: commit('1') }],
      }),
    );
  });

  test('drops what has ended and keeps the order of what has not', async () => {
    const open = [
      { id: 'j1', from: commit('1') },
      { id: 'j2', from: commit('2') },
    ];
    const record = notice(job('j3'), { ...RANGE, open });
    const coverage = await coverageOf([record], { j1: 'active', j2: 'archived', j3: 'active' });
    expect(coverage).toMatchObject({
      sha: commit('b'),
      open: [
        { id: 'j1', from: commit('1') },
        { id: 'j3', from: commit('a') },
      ],
    });
  });

  test('does not carry over an agent job that had no changes', async () => {
    const same = { from: commit('b'), to: commit('b') };
    expect(await coverageOf([notice(job('j1'), same)], { j1: 'active' })).toEqual(
      from('b', { earlier: [work('j1', 'running')] }),
    );
  });

  test('does not depend on an agent job whose prompt held no changes', async () => {
    const github = gitHub({
      runs: [workflowRun(8)],
      kept: { 801: [notice(job('j1'), { to: commit('b') })] },
    });
    const { read, readJob } = service({ j1: 'failed' });
    expect(await findCoverage(github, query, readJob)).toEqual(from('b'));
    expect(read).toEqual([]);
  });

  test.each<{ promise: string; what: Recorded; more: Partial<StepRecord>; start: string }>([
    { promise: 'the same paths', what: none(PATHS), more: RANGE, start: 'b' },
    { promise: 'other paths', what: none(OTHER_KEY), more: RANGE, start: 'a' },
    {
      promise: 'other paths on a first night',
      what: none(OTHER_KEY),
      more: { to: commit('b') },
      start: 'b',
    },
  ])('by a run that found nothing relevant under $promise', async ({ what, more, start }) => {
    expect(await coverageOf([notice(what, more)])).toMatchObject({
      sha: commit(start),
      warnings: [],
    });
  });

  test('by a run that found nothing relevant starts again where an agent job before it failed', async () => {
    const open = [{ id: 'j1', from: commit('1') }];
    const record = notice(none(PATHS), { ...RANGE, open });
    expect(await coverageOf([record], { j1: 'failed' })).toEqual(
      from('1', { earlier: [work('j1', 'failed')] }),
    );
  });

  test('starts again where an agent job may have been created, with a warning', async () => {
    expect(await coverageOf([notice({ kind: 'unknown' }, RANGE)])).toEqual(
      from('a', {
        warnings: [
          'The agent job of run #8 may have been created: the service gave no usable response. Its changes are sent again.',
        ],
      }),
    );
  });

  test('ends where an agent job without changes may have been created', async () => {
    expect(await coverageOf([notice({ kind: 'unknown' }, { to: commit('b') })])).toEqual(from('b'));
  });

  test.each([
    {
      promise: 'cannot be read',
      annotations: [UNREADABLE],
      warning:
        'A record of run #8 cannot be read. If that run created an agent job, its changes may be sent again.',
    },
    {
      promise: 'had no room',
      annotations: FULL,
      warning:
        'GitHub keeps 50 annotations of a workflow job, and those of run #8 hold no record of this step. If that run created an agent job, its changes may be sent again.',
    },
  ])('is what the run before says where a record $promise', async ({ annotations, warning }) => {
    const github = gitHub({
      runs: [workflowRun(8), workflowRun(7)],
      kept: { 801: annotations, 701: [notice(job('j1'), RANGE)] },
    });
    expect(await findCoverage(github, query, service({}).readJob)).toEqual(
      from('b', { warnings: [warning] }),
    );
  });

  test('is not changed by records that say nothing about changes, or are of another step', async () => {
    const github = gitHub({
      runs: [workflowRun(8), workflowRun(7), workflowRun(6)],
      jobs: { 7: [workflowJob(7), workflowJob(7, { id: 799, name: 'docs (2)' })] },
      kept: {
        801: [notice({ kind: 'asked' }), notice(job('auto'))],
        701: [notice(job('x'), { ...RANGE, key: OTHER_KEY }), ...FULL.slice(2)],
        799: [notice(job('x'), RANGE)],
        601: [notice(job('j1'), { from: commit('c'), to: commit('d') })],
      },
    });
    expect(await findCoverage(github, query, service({}).readJob)).toEqual(from('d'));
  });

  test('is what the newest attempt with a record says', async () => {
    const attempts = [1, 2, 3].map((run_attempt) => workflowJob(8, { run_attempt }));
    const github = gitHub({
      runs: [workflowRun(8)],
      jobs: { 8: attempts },
      kept: {
        801: [notice(job('j1'), { from: commit('1'), to: commit('2') })],
        802: [notice(job('j2'), RANGE)],
        803: [notice({ kind: 'asked' })],
      },
    });
    expect(await findCoverage(github, query, service({ j2: 'failed' }).readJob)).toMatchObject({
      sha: commit('a'),
    });
  });

  test('is read from a workflow job that has completed in a run that goes on', async () => {
    const github = gitHub({
      runs: [workflowRun(8, { status: 'in_progress' })],
      jobs: {
        8: [workflowJob(8), workflowJob(8, { id: 899, name: 'deploy', status: 'in_progress' })],
      },
      kept: { 801: [notice(job('j1'), RANGE)] },
    });
    expect(await findCoverage(github, query, service({}).readJob)).toEqual(from('b'));
  });

  test('is read from a completed run whose workflow job is still listed in progress', async () => {
    const github = gitHub({
      runs: [workflowRun(8)],
      jobs: { 8: [workflowJob(8, { status: 'in_progress' })] },
      kept: { 801: [notice(job('j1'), RANGE)] },
    });
    expect(await findCoverage(github, query, service({}).readJob)).toEqual(from('b'));
  });

  test('leaves out runs of forks and, in a first attempt, newer runs', async () => {
    const record = [notice(job('x'), RANGE)];
    const github = gitHub({
      runs: [
        workflowRun(901),
        workflowRun(CURRENT, { status: 'in_progress' }),
        workflowRun(8, { head_repository: { full_name: 'fork/r' } }),
        workflowRun(7, { head_repository: null }),
      ],
      kept: { 90101: record, 90001: record, 801: record, 701: record },
    });
    expect(await findCoverage(github, query, service({}).readJob)).toEqual({
      kind: 'nothing',
      isFirstRun: true,
      warnings: [],
    });
  });

  test('is nothing where no earlier run has a record', async () => {
    const github = gitHub({ runs: [workflowRun(8)], kept: { 801: [UNREADABLE] } });
    expect(await findCoverage(github, query, service({}).readJob)).toEqual({
      kind: 'nothing',
      isFirstRun: false,
      warnings: [expect.stringContaining('run #8')],
    });
  });

  test.each([undefined, ''])('is nothing on the branch %j', async (head_branch) => {
    const github = {
      ...gitHub({ runs: [workflowRun(8)], kept: { 801: [notice(job('x'), RANGE)] } }),
      run: async () => workflowRun(CURRENT, { head_branch }),
    };
    expect(await findCoverage(github, query, service({}).readJob)).toMatchObject({
      kind: 'nothing',
    });
  });

  test('counts each agent job as covered in a dry run without a key, and says so', async () => {
    const record = notice(job('j1'), { ...RANGE, open: [{ id: 'j0', from: commit('0') }] });
    const github = gitHub({ runs: [workflowRun(8)], kept: { 801: [record] } });
    expect(await findCoverage(github, query, undefined)).toEqual(
      from('b', {
        warnings: [
          'Without `adminApiKey` the agent jobs of earlier runs cannot be read. Each of them counts as completed.',
        ],
      }),
    );
    const idle = gitHub({ runs: [workflowRun(8)], kept: { 801: [notice(none(PATHS), RANGE)] } });
    expect(await findCoverage(idle, query, undefined)).toMatchObject({ warnings: [] });
  });
});

describe('a run that is run again', () => {
  const again = { ...query, thisJob: workflowJob(5), runId: 500, attempt: 2 };

  test.each([
    { promise: 'has a record', annotations: [notice(none(PATHS), RANGE)] },
    { promise: 'may have created an agent job', annotations: [notice({ kind: 'unknown' }, RANGE)] },
    { promise: 'has a record that cannot be read', annotations: [UNREADABLE] },
  ])('leaves its changes to a newer one that $promise', async ({ annotations }) => {
    const github = gitHub({
      runs: [workflowRun(9), workflowRun(8), workflowRun(5), workflowRun(4)],
      kept: { 801: annotations, 401: [notice(job('j1'), RANGE)] },
    });
    const { read, readJob } = service({});
    expect(await findCoverage(github, again, readJob)).toEqual({ kind: 'newer', runNumber: 8 });
    expect(read).toEqual([]);
  });

  test('starts where an older one ended, and not where its own attempts did', async () => {
    const github = gitHub({
      runs: [workflowRun(9), workflowRun(5), workflowRun(4)],
      kept: {
        901: [notice(job('auto'))],
        501: [notice(job('own'), { from: commit('b'), to: commit('c') })],
        401: [notice(job('j1'), RANGE)],
      },
    });
    expect(await findCoverage(github, again, service({}).readJob)).toEqual(from('b'));
  });

  test('stops while a newer one is in progress', async () => {
    const github = gitHub({
      runs: [workflowRun(9, { status: 'in_progress' }), workflowRun(5)],
      jobs: { 9: [workflowJob(9, { status: 'in_progress' })] },
    });
    await expect(findCoverage(github, again, service({}).readJob)).rejects.toThrow(
      'Workflow job `docs` of run #9 is still running',
    );
  });
});

describe('where it is not known what is covered, the step stops', () => {
  test('while an older run is in progress, and names the lines that are missing', async () => {
    const github = gitHub({
      runs: [workflowRun(8, { status: 'in_progress' }), workflowRun(7)],
      jobs: { 8: [workflowJob(8, { status: 'in_progress' })] },
      kept: { 701: [notice(job('j1'), RANGE)] },
    });
    const found = findCoverage(github, query, service({}).readJob);
    await expect(found).rejects.toBeInstanceOf(RunError);
    await expect(found).rejects.toThrow(
      'Workflow job `docs` of run #8 is still running. Which changes that run covers is known only when it ends. Run this again after that. To make the runs of this workflow wait for each other, add `concurrency:` with `group: $' +
        '{{ github.workflow }}-$' +
        '{{ github.ref }}` and `cancel-in-progress: false` to the workflow.',
    );
  });

  test.each(['waiting', 'queued', 'pending'])('but not while one is %s', async (status) => {
    const github = gitHub({
      runs: [workflowRun(8, { status }), workflowRun(7)],
      jobs: { 8: [workflowJob(8, { status })] },
      kept: { 801: [notice(job('x'), RANGE)], 701: [notice(job('j1'), RANGE)] },
    });
    expect(await findCoverage(github, query, service({}).readJob)).toEqual(from('b'));
    expect(github.requested).not.toContain('annotations of 801');
  });

  test('but not while another workflow job of an older run is in progress', async () => {
    const github = gitHub({
      runs: [workflowRun(8, { status: 'in_progress' }), workflowRun(7)],
      jobs: { 8: [workflowJob(8, { name: 'deploy', status: 'in_progress' })] },
      kept: { 701: [notice(job('j1'), RANGE)] },
    });
    expect(await findCoverage(github, query, service({}).readJob)).toEqual(from('b'));
  });

  test('when the service cannot say what became of an agent job', async () => {
    const github = gitHub({ runs: [workflowRun(8)], kept: { 801: [notice(job('j1'), RANGE)] } });
    const found = findCoverage(github, query, async () => {
      return { error: 'HTTP 500' };
    });
    await expect(found).rejects.toBeInstanceOf(RunError);
    await expect(found).rejects.toThrow(
      'Agent job `j1` of an earlier run cannot be read (HTTP 500)',
    );
  });

  test.each([
    { count: 50, expected: { kind: 'nothing', isFirstRun: false, warnings: [] } },
    { count: 51, expected: 'The last 50 runs of this workflow on this branch have no record' },
  ])('after 50 runs without a record, of $count', async ({ count, expected }) => {
    const runs = Array.from({ length: count }, (_, index) => workflowRun(200 - index));
    const found = await findCoverage(gitHub({ runs }), query, service({}).readJob).catch(
      (error: Error) => error.message,
    );
    expect(found).toEqual(
      typeof expected === 'string' ? expect.stringContaining(expected) : expected,
    );
  });

  test('at the 50th run if that has a record, it goes on', async () => {
    const runs = Array.from({ length: 60 }, (_, index) => workflowRun(200 - index));
    const github = gitHub({ runs, kept: { 15101: [notice(job('j1'), RANGE)] } });
    expect(await findCoverage(github, query, service({}).readJob)).toEqual(from('b'));
  });

  test('when two steps of a composite action left records that cannot be told apart', async () => {
    const github = gitHub({
      runs: [workflowRun(8)],
      kept: { 801: [notice(job('j1'), RANGE), notice(job('j2'), { ...RANGE, inputs: OTHER_KEY })] },
    });
    const found = findCoverage(github, { ...query, isComposite: true }, service({}).readJob);
    await expect(found).rejects.toBeInstanceOf(RunError);
    await expect(found).rejects.toThrow('composite action');
    expect(await findCoverage(github, query, service({ j2: 'failed' }).readJob)).toMatchObject({
      earlier: [work('j2', 'failed')],
    });
  });
});

describe('when GitHub fails', () => {
  const record = { 701: [notice(job('j1'), RANGE)] };
  const runs = [workflowRun(8), workflowRun(7)];
  const error = (kind: GitHubError['kind']) => new GitHubError(kind, 'said so');

  test.each(['run', 'workflowJobs', 'annotations'] as const)(
    'at %s, its error is passed on',
    async (call) => {
      const failed = error('forbidden');
      const github = { ...gitHub({ runs, kept: record }), [call]: () => Promise.reject(failed) };
      await expect(findCoverage(github, query, service({}).readJob)).rejects.toBe(failed);
    },
  );

  test('a run that was deleted meanwhile does not count', async () => {
    const github = gitHub({ runs, kept: record });
    const workflowJobs = async (id: number) => {
      if (id === 800) throw error('not-found');
      return github.workflowJobs(id);
    };
    const found = findCoverage({ ...github, workflowJobs }, query, service({}).readJob);
    expect(await found).toEqual(from('b'));
  });

  test('annotations that have expired do not count, if others can be read', async () => {
    const github = gitHub({ runs, kept: record });
    const annotations = async (id: number) => {
      if (id === 801) throw error('not-found');
      return github.annotations(id);
    };
    const found = findCoverage({ ...github, annotations }, query, service({}).readJob);
    expect(await found).toEqual(from('b'));
  });

  test('annotations that have expired hide no record that cannot be read', async () => {
    const jobs = { 8: [workflowJob(8), workflowJob(8, { id: 899 })] };
    const github = gitHub({ runs, jobs, kept: { ...record, 801: [UNREADABLE] } });
    const annotations = async (id: number) => {
      if (id === 899) throw error('not-found');
      return github.annotations(id);
    };
    const found = findCoverage({ ...github, annotations }, query, service({}).readJob);
    expect(await found).toMatchObject({
      warnings: [expect.stringContaining('A record of run #8 cannot be read')],
    });
  });

  test('annotations that cannot be read at all are a missing permission', async () => {
    const failed = error('not-found');
    const github = { ...gitHub({ runs }), annotations: () => Promise.reject(failed) };
    await expect(findCoverage(github, query, service({}).readJob)).rejects.toBe(failed);
  });
});

describe('what the new record says about changes', () => {
  const open = [{ id: 'j1', from: commit('1') }];
  const coverage: Coverage = {
    kind: 'from',
    sha: commit('a'),
    earlier: [],
    open,
    skippedFrom: commit('9'),
    warnings: [],
  };
  const range = { from: commit('a'), to: commit('b') };

  test('is its range and the agent jobs that were carried over', () => {
    expect(partOf(coverage, range, job('j2'))).toEqual({ ...range, open });
    expect(partOf(coverage, range, { kind: 'unknown' })).toEqual({ ...range, open });
  });

  test('is all that no agent job has had when it skips once more', () => {
    expect(partOf(coverage, range, none(PATHS))).toEqual({ ...range, from: commit('9'), open });
  });

  test('is where the changes really start when GitHub no longer knows the commit before', () => {
    const other = { from: commit('c'), to: commit('d') };
    expect(partOf(coverage, other, none(PATHS))).toEqual({ ...other, open });
    expect(partOf(coverage, other, job('j2'))).toEqual({ ...other, open });
  });

  test.each<Coverage | undefined>([undefined, { kind: 'nothing', isFirstRun: true, warnings: [] }])(
    'is its range alone after %o',
    (before) => {
      expect(partOf(before, range, job('j2'))).toEqual({ ...range, open: [] });
      const first = { from: undefined, to: commit('b') };
      expect(partOf(before, first, none(PATHS))).toEqual({ ...first, open: [] });
    },
  );

  test('keeps changes that several runs skipped, until `paths` selects other files', async () => {
    const first = await coverageOf([notice(none(PATHS), RANGE)]);
    expect(first).toMatchObject({ kind: 'from', sha: commit('b') });
    const second = partOf(
      first.kind === 'from' ? first : undefined,
      { from: commit('b'), to: commit('c') },
      none(PATHS),
    );
    expect(await coverageOf([notice(none(PATHS), second)])).toMatchObject({ sha: commit('c') });
    expect(await coverageOf([notice(none(OTHER_KEY), second)])).toMatchObject({ sha: commit('a') });
  });
});
