import { describe, expect, test } from 'vitest';
import type { KeptAnnotation, WorkflowJob, WorkflowRun } from '../../../src/github/github.ts';
import { type EarlierRuns, lookThroughRuns } from '../../../src/history/runs.ts';
import type { Judged } from '../../../src/model/agent-job.ts';
import { GitHubError } from '../../../src/model/errors.ts';
import type { StepRecord } from '../../../src/model/record.ts';
import type { Start } from '../../../src/model/start.ts';
import {
  ASKED,
  commit,
  FULL,
  fakeTime,
  judgeOf,
  kept,
  NONE,
  OTHER,
  stepIn,
  TODO,
  UNREADABLE,
  workflowJob,
} from '../../support/records.ts';

/** This run. Its changes end at commit `e`. */
const CURRENT = 500;
const HEAD = commit('e');
/** What a run left that covered the changes from commit `a` to `b`. */
const RANGE = { from: commit('a'), to: commit('b') };

function workflowRun(run_number: number, more: Partial<WorkflowRun> = {}): WorkflowRun {
  return {
    ...{ id: run_number, workflow_id: 7, run_number, status: 'completed', head_branch: 'main' },
    head_repository: { full_name: 'o/r' },
    ...more,
  };
}

interface World {
  /** Newest first. Numbers are completed runs. */
  readonly runs?: readonly (number | WorkflowRun)[];
  readonly total?: number;
  /** By run number. Runs that are not here have one completed workflow job. */
  readonly jobs?: Readonly<Record<number, readonly WorkflowJob[]>>;
  /** By the workflow job's id. */
  readonly left?: Readonly<Record<number, readonly KeptAnnotation[]>>;
  readonly states?: Readonly<Record<string, string | Judged>>;
  readonly branch?: string | undefined;
  readonly isComposite?: boolean;
  readonly wants?: Partial<Parameters<typeof lookThroughRuns>[3]>;
  /** Parts of GitHub that work otherwise. */
  readonly github?: Partial<Parameters<typeof lookThroughRuns>[0]>;
}

async function look(world: World) {
  const { runs = [8], jobs = {}, left = {}, states = {}, wants, isComposite = false } = world;
  const branch = 'branch' in world ? world.branch : 'main';
  const listed = runs.map((run) => (typeof run === 'number' ? workflowRun(run) : run));
  const requested: string[] = [];
  const github = {
    run: async (id: number) => {
      requested.push(`run ${id}`);
      return workflowRun(id, { head_branch: branch });
    },
    async *runs(workflowId: number, of: string) {
      requested.push(`runs of ${workflowId} on ${of}`);
      yield { total: world.total ?? listed.length, runs: listed };
    },
    workflowJobs: async (id: number) => {
      requested.push(`jobs of ${id}`);
      return jobs[id] ?? [workflowJob(id)];
    },
    annotations: async (id: number) => {
      requested.push(`annotations of ${id}`);
      return left[id] ?? [];
    },
    // The commits are in the order of their letters.
    compare: async (base: string, head: string) => {
      const status = base < head ? 'ahead' : base === head ? 'identical' : 'behind';
      return { status } as never;
    },
    ...world.github,
  };
  const time = fakeTime();
  const { judge, read } = judgeOf(states);
  const wanted = { isCoverageWanted: true, isLastWanted: false, isBehindWanted: true, ...wants };
  const query = { ...wanted, wayOut: 'Name a start.', judge, time };
  const found = await lookThroughRuns(github, stepIn(CURRENT, 1, { isComposite }), HEAD, query);
  return { found, requested, read, waited: time.now() };
}

/** What one record in the run before says. */
const saidBy = async (annotation: KeptAnnotation, states: World['states'] = {}) =>
  (await look({ left: { 801: [annotation] }, states })).found;

function from(digit: string, more: Partial<EarlierRuns> & { earlier?: readonly object[] } = {}) {
  const { earlier = [], ...others } = more;
  const sha = commit(digit);
  return {
    ...{ start: { kind: 'from', sha, earlier }, open: [], skippedFrom: sha },
    ...{ lastId: expect.anything(), isBehind: false, warnings: [] },
    ...others,
  };
}

const nothing = (more: Partial<Extract<Start, { kind: 'nothing' }>> = {}) => ({
  start: { kind: 'nothing', isFirstRun: false, begins: [], unrecorded: 0, ...more },
  open: [],
  warnings: [],
});

const work = (jobId: string, state: string, overlaps: boolean) => {
  return { jobId, state, overlaps, prLink: 'https://github.com/o/r/pull/1' };
};
const openJob = (id: string, digit: string, isAdded = false) => {
  return { id, from: commit(digit), isAdded };
};
/** Run numbers, newest first. */
const manyRuns = (count: number) => Array.from({ length: count }, (_, index) => 400 - index);

describe('what earlier runs have covered', () => {
  test('is known after four requests when the run before has a record', async () => {
    const left = { 801: [kept('j1', RANGE)] };
    const states = { j1: 'completed' };
    const { found, requested, read } = await look({ runs: [CURRENT, 8, 7], left, states });
    expect(found).toEqual(from('b', { lastId: 'j1' }));
    expect((await look({ left, states, isComposite: true })).found).toEqual(found);
    // The fifth is the one for this workflow job, which is made before.
    expect(requested).toEqual(['run 500', 'runs of 7 on main', 'jobs of 8', 'annotations of 801']);
    expect(read).toEqual(['j1']);
  });

  const running = { earlier: [work('j1', 'running', false)], open: [openJob('j1', 'a')] };
  test.each<{ state: string; expected: object }>([
    { state: 'gone', expected: from('b') },
    { state: 'active', expected: from('b', running) },
    { state: 'missed', expected: from('a', { earlier: [work('j1', 'missed', true)] }) },
  ])('by an agent job that is $state', async ({ state, expected }) => {
    const states: World['states'] = state === 'gone' ? {} : { j1: state };
    expect(await saidBy(kept('j1', RANGE), states)).toEqual(expected);
  });

  test('starts again at the first agent job that failed, and carries over only those before it', async () => {
    const open = [openJob('j1', '1'), openJob('j2', '2'), openJob('j3', '3'), openJob('j4', '3')];
    const record = kept('j5', { from: commit('4'), to: commit('b'), open });
    const states = { j1: 'active', j2: 'failed', j3: 'active', j4: 'completed', j5: 'failed' };
    expect(await saidBy(record, states)).toEqual(
      from('2', {
        earlier: [
          work('j1', 'running', false),
          work('j2', 'failed', true),
          work('j3', 'running', true),
          work('j4', 'completed', true),
          work('j5', 'failed', true),
        ],
        open: [openJob('j1', '1')],
      }),
    );
  });

  test('does not depend on an agent job that had no changes', async () => {
    const same = { from: commit('b'), to: commit('b') };
    expect(await saidBy(kept('j1', same), { j1: 'active' })).toMatchObject({ open: [] });
    const left = { 801: [kept('j1', { to: commit('b') })] };
    const { found, read } = await look({ left, states: { j1: 'failed' } });
    expect(found).toEqual(from('b'));
    expect(read).toEqual([]);
  });

  test('asks whether what was added to a pull request was seen, where no record says so', async () => {
    const open = [openJob('j1', '1', true)];
    const left = { 801: [kept('j2', { ...RANGE, open, isUnseen: true })] };
    const { read, found } = await look({ left, states: { j1: 'active', j2: 'active' } });
    expect(read).toEqual(['j1, unseen', 'j2, unseen']);
    expect(found.open).toEqual([...open, openJob('j2', 'a', true)]);
    const seen = [kept('j2', { ...RANGE, isUnseen: true }), kept('j2', RANGE)];
    for (const records of [seen, seen.toReversed()]) {
      expect((await look({ left: { 801: records } })).read).toEqual(['j2']);
    }
  });

  test.each([
    { promise: '10 s ago', seconds: -10, waits: 20_000 },
    { promise: 'an hour from now, by a clock that differs,', seconds: 3_600, waits: 0 },
  ])('is read again if an addition that ended $promise would count', async ({ seconds, waits }) => {
    const completed_at = new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
    const jobs = { 8: [workflowJob(8, 1, { completed_at })] };
    const left = { 801: [kept('j1', { ...RANGE, isUnseen: true })] };
    expect((await look({ jobs, left, states: { j1: 'completed' } })).waited).toBe(waits);
  });

  const otherPaths = { kind: 'none', pathsHash: OTHER } as const;
  const noStart = { to: commit('b') };
  test.each<{ promise: string; record: KeptAnnotation; start: string; skipped: string }>([
    { promise: 'nothing relevant', record: kept(NONE, RANGE), start: 'b', skipped: 'a' },
    { promise: 'other paths', record: kept(otherPaths, RANGE), start: 'a', skipped: 'a' },
    { promise: 'no start', record: kept(otherPaths, noStart), start: 'b', skipped: 'b' },
    { promise: 'no way to send', record: kept(TODO, RANGE), start: 'a', skipped: 'a' },
  ])('by a run that had $promise', async ({ record, start, skipped }) => {
    const expected = from(start, { skippedFrom: commit(skipped), lastId: undefined });
    expect(await saidBy(record)).toEqual(expected);
  });

  test.each([
    { promise: 'a person was asked about', record: kept(ASKED, RANGE) },
    { promise: 'is not known', record: kept({ kind: 'unknown', maybe: 'req_42' }, RANGE) },
  ])('starts again, with a warning, at an agent job that $promise', async ({ record }) => {
    const warnings = [
      'The agent job of run #8 may have been created: the service gave no usable response. Its changes are sent again.',
    ];
    expect(await saidBy(record)).toEqual(from('a', { warnings, lastId: undefined }));
  });

  test('is what became of an id in an unusable response that the service knows', async () => {
    const said = (kind: 'unknown' | 'asked', state: string) =>
      saidBy(kept({ kind, maybe: 'j7' }, RANGE), { j7: state });
    const completed = { start: { sha: commit('b') }, warnings: [] };
    expect(await said('unknown', 'completed')).toMatchObject(completed);
    expect(await said('asked', 'failed')).toMatchObject({ start: { sha: commit('a') } });
  });

  test('is found behind records without a range, and records of other steps', async () => {
    const { found } = await look({
      runs: [8, 7, 6],
      jobs: { 7: [workflowJob(7), workflowJob(7, 1, { id: 799, name: 'docs (2)' })] },
      left: {
        801: [kept(ASKED), kept('auto')],
        701: [kept('x', { ...RANGE, key: OTHER }), ...FULL.slice(2)],
        799: [kept('x', RANGE)],
        601: [kept('j1', { from: commit('c'), to: commit('d') })],
      },
    });
    expect(found).toEqual(from('d', { lastId: 'auto' }));
  });

  test('is what the newest attempt with a range says', async () => {
    const jobs = { 8: [1, 2, 3].map((attempt) => workflowJob(8, attempt)) };
    const oldest = kept('j1', { from: commit('1'), to: commit('2') });
    const left = { 801: [oldest], 802: [kept('j2', RANGE)], 803: [kept(ASKED)] };
    const { found } = await look({ jobs, left, states: { j2: 'failed' } });
    expect(found).toMatchObject({ start: { sha: commit('a') } });
  });

  test('is read while the run goes on, and while the list lags behind a completed run', async () => {
    const status = 'in_progress';
    const left = { 801: [kept('j1', RANGE)] };
    const jobs = [workflowJob(8), workflowJob(8, 1, { id: 899, name: 'x', status })];
    const goesOn = await look({ runs: [workflowRun(8, { status })], jobs: { 8: jobs }, left });
    expect(goesOn.found).toEqual(from('b'));
    const lags = await look({ jobs: { 8: [workflowJob(8, 1, { status })] }, left });
    expect(lags.found).toEqual(from('b'));
  });

  test('leaves out runs of forks', async () => {
    const head_repository = { full_name: 'fork/r' };
    const runs = [workflowRun(8, { head_repository }), workflowRun(7, { head_repository: null })];
    const left = { 801: [kept('x', RANGE)], 701: [kept('x', RANGE)] };
    expect((await look({ runs, left })).found).toMatchObject(nothing({ isFirstRun: true }));
  });

  test.each([undefined, ''])('is nothing on the branch %j', async (branch) => {
    const { found, requested } = await look({ branch, left: { 801: [kept('x', RANGE)] } });
    expect(found).toMatchObject(nothing({ isFirstRun: true }));
    expect(requested).toEqual(['run 500']);
  });

  test('counts each agent job as covered in a dry run without a key, and says so once', async () => {
    const unread = { kind: 'not-read' } as const;
    const record = kept('j1', { ...RANGE, open: [openJob('j0', '0')] });
    const warnings = [
      'Without `adminApiKey` the agent jobs of earlier runs cannot be read. Each of them counts as completed.',
    ];
    expect(await saidBy(record, { j0: unread, j1: unread })).toEqual(from('b', { warnings }));
  });
});

describe('where no run has changes on record', () => {
  test('the oldest starts of their events come first, and runs without a record are counted', async () => {
    const begin = (digit: string) => [kept(TODO, { begin: commit(digit) })];
    const left = { 801: begin('7'), 601: begin('5') };
    const { found } = await look({ runs: [8, 7, 6, 5], jobs: { 5: [] }, left });
    const begins = [commit('5'), commit('7')];
    expect(found).toMatchObject(nothing({ begins, unrecorded: 1 }));
  });

  test('of hundreds that left no record, the step is new, and 50 are looked through', async () => {
    const { found, requested } = await look({ runs: manyRuns(300) });
    expect(found).toMatchObject(nothing({ unrecorded: 50 }));
    expect(requested).toHaveLength(2 + 100);
  });

  test.each<World & { promise: string; error: RegExp }>([
    {
      promise: 'of 51 with records without a range',
      ...{ runs: manyRuns(51), left: { 40001: [kept(TODO)] } },
      error:
        /^The last 50 runs .* do not say what was covered, and there are older ones\. No prompt was sent\. Name a start\.$/,
    },
    {
      promise: 'of a list that GitHub cut',
      ...{ runs: [8, 7], total: 1_200 },
      error:
        /^GitHub does not list all runs .* only 2 older runs of this repository could be looked through\./,
    },
  ])('$promise, the step stops and says the way out', async ({ error, promise: _, ...world }) => {
    await expect(look(world)).rejects.toThrow(error);
  });
});

describe('a newer run', () => {
  const older = { 401: [kept('j1', RANGE)] };
  const [before, behind] = [commit('a'), commit('f')];

  test.each<{ promise: string; part: Partial<StepRecord>; hasThem?: true; isBehind?: false }>([
    { promise: 'starts before the head', part: { from: before, to: behind }, hasThem: true },
    { promise: 'ends at the head', part: { from: before, to: HEAD }, hasThem: true },
    { promise: 'starts at the head', part: { from: HEAD, to: behind } },
    { promise: 'ends before the head', part: { from: before, to: commit('c') } },
    { promise: 'had nothing to start from', part: { to: behind } },
    { promise: 'has no range', part: {}, isBehind: false },
  ])('that $promise has the changes: $hasThem', async ({ part, hasThem, isBehind = true }) => {
    const left = { ...older, 60001: [kept(TODO, part)] };
    const { found } = await look({ runs: [600, CURRENT, 4], left });
    const last = { kind: 'from', sha: commit('b') };
    const start = hasThem ? { kind: 'newer', runNumber: 600 } : last;
    expect(found).toMatchObject({ start, isBehind });
  });

  test('is looked for only to know whether a later run will look at this one', async () => {
    const wants = { isCoverageWanted: false };
    const left = { ...older, 60001: [kept('j9', { from: before, to: behind })] };
    const { found, requested } = await look({ runs: [600, CURRENT, 4], left, wants });
    expect(found).toMatchObject({ start: undefined, isBehind: true, lastId: undefined });
    expect(requested.slice(2)).toEqual(['jobs of 600', 'annotations of 60001']);
  });

  test('in progress is waited for, and then the step stops and names the lines that are missing', async () => {
    const status = 'in_progress';
    const busy = {
      runs: [workflowRun(600, { status }), workflowRun(CURRENT)],
      jobs: { 600: [workflowJob(600, 1, { status })] },
      github: { run: async (id: number) => workflowRun(id, { status }) },
    };
    await expect(look(busy)).rejects.toThrow(
      'Workflow job `docs` of run #600 is still running, and what it did is known only when it ends. Run this again after that. To make the runs of this workflow wait for each other, add `concurrency:` with `group: $' +
        '{{ github.workflow }}-$' +
        '{{ github.ref }}` and `cancel-in-progress: false` to the workflow. No prompt was sent. Name a start.',
    );
    const { found, waited } = await look({ ...busy, github: {}, left: { 60001: [kept(TODO)] } });
    expect(found).toMatchObject(nothing({ isFirstRun: true }));
    expect(waited).toBe(5_000);
  });
});

describe('the last agent job', () => {
  const wants = { isCoverageWanted: false, isLastWanted: true, isBehindWanted: false };

  test.each<{ promise: string; left: readonly KeptAnnotation[]; lastId: string | null }>([
    { promise: 'an agent job', left: [kept('j8')], lastId: 'j8' },
    { promise: 'an earlier one', left: [kept(TODO, { last: 'j6' })], lastId: 'j6' },
    { promise: 'none', left: [kept(TODO)], lastId: 'j7' },
    { promise: 'that there is none', left: [kept(TODO, { last: null })], lastId: null },
  ])('is what the newest record says that names $promise', async ({ left, lastId }) => {
    const { found } = await look({ runs: [8, 7], left: { 801: left, 701: [kept('j7')] }, wants });
    expect(found).toMatchObject({ start: undefined, lastId, isBehind: false });
    expect((await look({ runs: [8, 7], wants })).found).toMatchObject({ lastId: null });
  });

  test('is looked for past the run that says what was covered', async () => {
    const older = kept('j7', { from: commit('1'), to: commit('a') });
    const left = { 801: [kept(NONE, RANGE)], 701: [older] };
    const { found } = await look({ runs: [8, 7], left, wants: { isLastWanted: true } });
    expect(found).toEqual(from('b', { skippedFrom: commit('a'), lastId: 'j7' }));
  });

  test('stops under its own name', async () => {
    const heading = 'The last agent job of this step is not known';
    await expect(look({ left: { 801: [UNREADABLE] }, wants })).rejects.toMatchObject({ heading });
  });
});

describe('where it is not known what is covered, the step stops', () => {
  test('but not while a run is waiting', async () => {
    const { found, requested } = await look({
      runs: [workflowRun(8, { status: 'waiting' }), 7],
      jobs: { 8: [workflowJob(8, 1, { status: 'waiting' })] },
      left: { 801: [kept('x', RANGE)], 701: [kept('j1', RANGE)] },
    });
    expect(found).toEqual(from('b'));
    expect(requested).not.toContain('annotations of 801');
  });

  const left = { 801: [kept('j1', RANGE)] };
  const ofOneName = { 8: [workflowJob(8), workflowJob(8, 1, { id: 899 })] };
  test.each<World & { promise: string; error: RegExp }>([
    {
      promise: 'a record of a re-run cannot be read',
      ...{ jobs: { 8: [workflowJob(8, 2)] }, left: { 802: [UNREADABLE] } },
      error:
        /^A record in run #8, attempt 2 cannot be read: it was cut, a mask hides a part of it, or another version/,
    },
    {
      promise: 'a check run is full',
      left: { 801: FULL },
      error:
        /^GitHub keeps 50 annotations of a workflow job, .* Give this step a workflow job of its own\./,
    },
    {
      promise: 'a failed workflow job shows no annotation',
      jobs: { 8: [workflowJob(8), workflowJob(8, 2, { conclusion: 'failure' })] },
      error:
        /^The workflow job of run #8, attempt 2 failed or is recent, and GitHub shows none of its annotations\./,
    },
    {
      promise: 'the service cannot say what became of an agent job',
      ...{ left, states: { j1: { kind: 'error', error: 'HTTP 500' } } },
      error:
        /^What became of agent job `j1` of an earlier run is not known: HTTP 500\. If that passes, run this again\./,
    },
    {
      promise: 'two workflow jobs of one name have records of one key',
      ...{ jobs: ofOneName, left: { ...left, 899: [kept('j2', RANGE)] } },
      error:
        /^Several steps have left records in run #8 that cannot be told apart, .* a name of its own\./,
    },
    {
      promise: 'two workflow jobs of one name have one record',
      ...{ jobs: ofOneName, left },
      error: /^Several steps have left records in run #8 that cannot be told apart,/,
    },
  ])('because $promise', async ({ promise: _, error, ...world }) => {
    const stopped = look(world);
    await expect(stopped).rejects.toThrow(error);
    await expect(stopped).rejects.toThrow(/\. No prompt was sent\. Name a start\.$/);
    const heading = 'What earlier runs covered is not known';
    await expect(stopped).rejects.toMatchObject({ name: 'RunError', heading });
  });
});

describe('when GitHub fails', () => {
  const runs = [8, 7];
  const left = { 701: [kept('j1', RANGE)] };
  const failing = (kind: GitHubError['kind']) => Promise.reject(new GitHubError(kind, 'said so'));

  test('its error is passed on', async () => {
    for (const call of ['run', 'workflowJobs', 'annotations']) {
      const failed = look({ runs, left, github: { [call]: () => failing('forbidden') } });
      await expect(failed).rejects.toMatchObject({ name: 'GitHubError', kind: 'forbidden' });
    }
  });

  test('runs that were deleted meanwhile, and annotations that have expired, do not count', async () => {
    const workflowJobs = async (id: number) =>
      id === 8 ? failing('not-found') : [workflowJob(id)];
    const run = async (id: number) => (id === 8 ? failing('not-found') : workflowRun(CURRENT));
    const deleted = await look({ runs, left, github: { workflowJobs, run } });
    expect(deleted.found).toEqual(from('b'));
    const stopped = look({ runs, left, github: { workflowJobs } });
    await expect(stopped).rejects.toThrow('GitHub shows run #8 and not its workflow jobs');
    const annotations = async (id: number) => (id === 801 ? failing('not-found') : left[701]);
    expect((await look({ runs, left, github: { annotations } })).found).toEqual(from('b'));
  });
});
