import { describe, expect, test } from 'vitest';
import { GitHubError } from '../../../src/github/errors.ts';
import type {
  GitHub,
  KeptAnnotation,
  WorkflowJob,
  WorkflowRun,
} from '../../../src/github/github.ts';
import type { Step } from '../../../src/history/annotations.ts';
import {
  lookThroughRuns,
  NO_OTHER_RUNS,
  type OtherRuns,
  type Patience,
  type RunsQuery,
} from '../../../src/history/other-runs.ts';
import type { StepRecord } from '../../../src/model/record.ts';
import {
  ASKED,
  commit,
  fakeTime,
  kept,
  NONE,
  recordOf,
  stepIn,
  TODO,
  UNREADABLE,
  workflowJob,
} from '../../support/records.ts';

/** This run. Its changes end at commit `e`. */
const CURRENT = 500;
const HEAD = commit('e');
/** What a run left that covered the changes from commit `a` to `b`. */
const RANGE = { range: { from: commit('a'), to: commit('b') } };

function workflowRun(run_number: number, more: Partial<WorkflowRun> = {}): WorkflowRun {
  return {
    ...{ id: run_number, workflow_id: 7, run_number, status: 'completed', head_branch: 'main' },
    head_repository: { full_name: 'o/r' },
    ...more,
  };
}

interface World {
  /** Besides this run, newest first. Numbers are completed runs. */
  readonly runs?: readonly (number | WorkflowRun)[];
  readonly total?: number;
  /** By run number. Runs that are not here have one completed workflow job. */
  readonly jobs?: Readonly<Record<number, readonly WorkflowJob[]>>;
  /** By the workflow job's id. */
  readonly left?: Readonly<Record<number, readonly KeptAnnotation[]>>;
  readonly branch?: string | undefined;
  readonly step?: Partial<Step>;
  readonly wants?: Partial<RunsQuery>;
  readonly patience?: Partial<Patience>;
  readonly time?: ReturnType<typeof fakeTime>;
  /** Parts of GitHub that work otherwise. */
  readonly github?: Partial<GitHub>;
}

async function look(world: World) {
  const { runs = [8], jobs = {}, left = {}, wants, step } = world;
  const branch = 'branch' in world ? world.branch : 'main';
  const others = runs.map((run) => (typeof run === 'number' ? workflowRun(run) : run));
  const listed = [...others, workflowRun(CURRENT, { status: 'in_progress' })];
  listed.sort((a, b) => b.run_number - a.run_number);
  const requested: string[] = [];
  const github = {
    run: async (id: number) => {
      requested.push(`run ${id}`);
      return workflowRun(id, { head_branch: branch });
    },
    async *runs(workflowId: number, of: string | undefined) {
      for (let at = 0; at < listed.length; at += 100) {
        requested.push(`runs of ${workflowId} on ${of}`);
        yield { total: world.total ?? listed.length, runs: listed.slice(at, at + 100) };
      }
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
    compareStatus: async (_repository: string, base: string, head: string) =>
      base < head ? 'ahead' : base === head ? 'identical' : 'behind',
    mergeBase: async (a: string, b: string) => (a < b ? a : b),
    ...world.github,
  };
  const { time = fakeTime() } = world;
  const own = { start: undefined, head: HEAD };
  const query = { own, isLastWanted: false, ...wants };
  const limits = { timeoutMs: 30 * 60_000, deadline: 30 * 60_000 };
  const patience = { sendsNothing: false, ...limits, ...world.patience };
  const found = await lookThroughRuns(github, stepIn(CURRENT, 1, step), query, patience, time);
  return { found, requested, waited: time.now() };
}

/** Run #8, or another, with what it recorded. */
function olderRun(what: Parameters<typeof recordOf>[0], more: Partial<StepRecord> = {}, run = 8) {
  return { older: { runNumber: run, record: recordOf(what, { ...RANGE, ...more }) } };
}

/** What all older runs say, none of which names an agent job. */
const found = (more: Partial<OtherRuns> = {}): OtherRuns => {
  return { ...NO_OTHER_RUNS, last: 'none', ...more };
};
/** Run numbers, newest first. */
const manyRuns = (count: number) => Array.from({ length: count }, (_, index) => 400 - index);

describe('the range of the run before', () => {
  test('is what the newest attempt with a range says', async () => {
    const jobs = { 8: [1, 2, 3].map((attempt) => workflowJob(8, attempt)) };
    const oldest = kept('j1', { range: { from: commit('1'), to: commit('2') } });
    const left = { 801: [oldest], 802: [kept('j2', RANGE)], 803: [kept(ASKED)] };
    expect((await look({ jobs, left })).found).toMatchObject(olderRun('j2'));
  });

  test('is of two records that differ only in what is certain the one that is', async () => {
    const added = { number: 12, head: commit('9'), at: 1_750_000_000 };
    const both = [kept('j1', { ...RANGE, added }), kept('j1', RANGE)];
    for (const annotations of [both, both.toReversed()]) {
      expect((await look({ left: { 801: annotations } })).found).toMatchObject(olderRun('j1'));
    }
    const alone = await look({ left: { 801: [kept('j1', { ...RANGE, added })] } });
    expect(alone.found).toMatchObject(olderRun('j1', { added }));
  });

  test('is read while the run goes on, and while the list lags behind a completed run', async () => {
    const status = 'in_progress';
    const left = { 801: [kept('j1', RANGE)] };
    const jobs = [workflowJob(8), workflowJob(8, 1, { id: 899, name: 'x', status })];
    const goesOn = await look({ runs: [workflowRun(8, { status })], jobs: { 8: jobs }, left });
    expect(goesOn.found).toMatchObject(olderRun('j1'));
    const lags = await look({ jobs: { 8: [workflowJob(8, 1, { status })] }, left });
    expect(lags.found).toMatchObject(olderRun('j1'));
    expect(lags.waited).toBe(0);
  });

  test('is not looked for in runs of forks', async () => {
    const head_repository = { full_name: 'fork/r' };
    const runs = [workflowRun(8, { head_repository }), workflowRun(7, { head_repository: null })];
    const left = { 801: [kept('x', RANGE)], 701: [kept('x', RANGE)] };
    expect((await look({ runs, left })).found).toEqual(found());
  });

  test.each([undefined, ''])('is nothing on the branch %j', async (branch) => {
    const { found: runs, requested } = await look({ branch, left: { 801: [kept('x', RANGE)] } });
    expect(runs).toEqual(found());
    expect(requested).toEqual(['run 500']);
  });
});

describe('where no run has changes on record', () => {
  test('the oldest starts of their events come first, and runs without a record are counted', async () => {
    const begin = (...digits: string[]) =>
      digits.map((one) => kept(TODO, { eventStart: commit(one) }));
    const left = { 801: begin('7'), 601: [...begin('4', '5'), kept(TODO)] };
    const { found: runs } = await look({ runs: [8, 7, 6, 5], jobs: { 5: [] }, left });
    const eventStarts = [commit('5'), commit('7')];
    expect(runs).toEqual(
      found({ eventStarts, olderRuns: { read: 4, recorded: 2, unrecorded: 1 } }),
    );
  });

  test('of hundreds that left no record, the step is new after 120 requests', async () => {
    const { found: runs, requested } = await look({ runs: manyRuns(300) });
    expect(runs).toEqual(
      found({ last: undefined, olderRuns: { read: 59, recorded: 0, unrecorded: 59 } }),
    );
    expect(requested).toHaveLength(120);
  });

  test('of hundreds without this workflow job, the history ends after 50, at the `begin` before them', async () => {
    const runs = manyRuns(300);
    const [, second, ...others] = runs;
    const jobs = Object.fromEntries(
      others.map((run) => [run, [workflowJob(run, 1, { name: 'x' })]]),
    );
    const left = { [`${second}01`]: [kept(TODO, { eventStart: commit('4') })] };
    const { found: seen, requested } = await look({ runs, jobs, left });
    const eventStarts = [commit('4')];
    expect(seen).toEqual(
      found({ eventStarts, olderRuns: { read: 52, recorded: 1, unrecorded: 1 } }),
    );
    expect(requested).toHaveLength(2 + 4 + 50);
  });

  test.each<World & { promise: string; error: RegExp }>([
    {
      promise: 'of more with a record than the requests reach',
      ...{ runs: manyRuns(61), left: { 40001: [kept(TODO)] } },
      error: /^the runs .* that 120 requests to GitHub can reach do not say what was covered, and /,
    },
    {
      promise: 'of more than the requests reach after newer ones',
      ...{ runs: [...Array.from({ length: 20 }, (_, n) => 700 - n), ...manyRuns(61)] },
      error: /^the runs .* that 120 requests to GitHub can reach do not say what was covered, and /,
    },
    {
      promise: 'of more with a record than the requests reach, for the last agent job alone',
      ...{ runs: manyRuns(61), left: { 40001: [kept(TODO)] } },
      wants: { own: undefined, isLastWanted: true },
      error: /^the runs .* that 120 requests to GitHub can reach do not say what was covered, and /,
    },
    {
      promise: 'of some with a record in a list that GitHub cut',
      ...{ runs: [8, 7], left: { 801: [kept(TODO)] }, total: 1_200 },
      error: /^the runs .* that GitHub lists \(1,000 at most\) do not say what was covered, and /,
    },
    {
      promise: 'of a few in a list that GitHub cut',
      ...{ runs: [8, 7], total: 1_200 },
      error: /^the runs .* that GitHub lists \(1,000 at most\) do not say what was covered, and /,
    },
  ])('$promise, it is not known', async ({ error, promise: _, ...world }) => {
    await expect(look(world)).rejects.toThrow(error);
  });

  test('the requests of a long list count for each of its pages', async () => {
    const [name, count] = ['x', 250];
    const others = (run: number) =>
      Array.from({ length: count }, () => workflowJob(run, 1, { name }));
    const attempts = (run: number) => [1, 2, 3].map((attempt) => workflowJob(run, attempt));
    const jobs = Object.fromEntries(
      manyRuns(60).map((run) => [run, [...attempts(run), ...others(run)]]),
    );
    const { found: runs } = await look({ runs: manyRuns(60), jobs });
    // Two, and for each run three pages of workflow jobs and three lists of annotations.
    expect(runs.olderRuns.read).toBe(Math.floor((120 - 2) / 6));
  });
});

describe('a pause costs no change', () => {
  const left = { 401: [kept('j1', RANGE)] };
  const after = olderRun('j1', {}, 4);
  const skipped = { conclusion: 'skipped' };
  const pauses: readonly (readonly [string, World])[] = [
    ['55 dry runs', { runs: manyRuns(55) }],
    ['900 runs that were skipped', { runs: manyRuns(390).map((run) => workflowRun(run, skipped)) }],
    [
      '90 runs whose workflow job was skipped',
      {
        runs: manyRuns(90),
        jobs: Object.fromEntries(manyRuns(90).map((run) => [run, [workflowJob(run, 1, skipped)]])),
      },
    ],
    [
      '90 runs that were pushed out before they had a workflow job',
      { runs: manyRuns(90), jobs: Object.fromEntries(manyRuns(90).map((run) => [run, []])) },
    ],
    [
      '90 runs whose matrix was skipped, beside another workflow job',
      {
        runs: manyRuns(90),
        step: { thisWorkflowJob: workflowJob(500, 1, { name: 'docs (a)', status: 'in_progress' }) },
        jobs: Object.fromEntries([
          ...manyRuns(90).map((run) => [
            run,
            [workflowJob(run, 1, skipped), workflowJob(run, 1, { name: 'x' })],
          ]),
          [4, [workflowJob(4, 1, { name: 'docs (a)' })]],
        ]),
      },
    ],
  ];
  test.each(pauses)('of %s', async (_, { runs = [], ...world }) => {
    const { found: seen, requested } = await look({ ...world, runs: [...runs, 4], left });
    expect(seen).toMatchObject(after);
    expect(requested.length).toBeLessThanOrEqual(120);
  });

  test('of a run that was skipped when it was run again, after it had sent', async () => {
    const runs = [workflowRun(8, { ...skipped, run_attempt: 2 }), 7];
    const jobs = { 8: [workflowJob(8), workflowJob(8, 2, skipped)] };
    const both = { 801: [kept('j1', RANGE)], 701: [kept('j0', RANGE)] };
    expect((await look({ runs, jobs, left: both })).found).toMatchObject(olderRun('j1'));
  });
});

describe('a list of runs', () => {
  /** Lists by branch, each as GitHub responds with it, the last one again and again; and without it. */
  async function lookIn(
    lists: readonly (readonly number[])[],
    all: readonly number[],
    patience = {},
  ) {
    const asked: string[] = [];
    const github = {
      async *runs(_: number, branch: string | undefined) {
        const listed = branch ? (lists[asked.length] ?? lists.at(-1) ?? []) : all;
        for (let at = 0; at < Math.max(1, listed.length); at += 3) {
          asked.push(branch ?? 'all branches');
          const other = (run: number) => ({ head_branch: run % 2 === 0 ? 'main' : 'other' });
          const runs = listed
            .slice(at, at + 3)
            .map((run) => workflowRun(run, branch ? {} : other(run)));
          yield { total: listed.length, runs };
        }
      },
    };
    const runs = { 8001: [kept('j80', RANGE)], 801: [kept('j1', RANGE)] };
    const left = { ...runs, 701: [kept('x', RANGE)], 601: [kept('j0', RANGE)] };
    const looked = await look({ github, left, patience });
    return { ...looked, asked };
  }

  test('that lacks this run is requested again for 2 min', async () => {
    const lists = [[], [6], [6], [500, 8, 6]];
    const { found: seen, waited, asked } = await lookIn(lists, []);
    expect(seen).toMatchObject(olderRun('j1'));
    expect([waited, asked]).toEqual([35_000, Array.from({ length: 4 }, () => 'main')]);
  });

  test('is then requested without the branch', async () => {
    const { found: seen, waited, asked } = await lookIn([[6]], [501, 500, 9, 8, 7, 6]);
    expect(seen).toMatchObject(olderRun('j1'));
    expect([waited, asked.at(-1)]).toEqual([120_000, 'all branches']);
  });

  test('costs a third of `timeout` at most', async () => {
    const { waited } = await lookIn([[6]], [500, 8], { timeoutMs: 60_000 });
    expect(waited).toBe(20_000);
  });

  test('that never has this run stops the step, and a dry run goes on with a warning', async () => {
    const old =
      "GitHub's list of the runs of this workflow on this branch does not include this run";
    await expect(lookIn([[6]], [6])).rejects.toThrow(`${old}, so it may be old or incomplete`);
    const dry = await lookIn([[6]], [8, 6], { sendsNothing: true });
    expect(dry.found).toMatchObject(olderRun('j1'));
    expect(dry.found.warnings).toEqual([expect.stringContaining(old)]);
  });

  test.each([
    ['reversed', [6, 8, 500]],
    ['reversed over several pages', [1, 2, 3, 6, 8, 500]],
    ['with this run at the end', [6, 8, 4, 3, 2, 500]],
  ])('that is %s is read whole and sorted', async (_, listed) => {
    const { found: seen, asked } = await lookIn([listed], []);
    expect(seen).toMatchObject(olderRun('j1'));
    expect(asked).toHaveLength(Math.ceil(listed.length / 3));
  });

  test('is read no further than ten pages', async () => {
    const older = Array.from({ length: 80 }, (_, n) => 80 - n);
    const { asked } = await lookIn([[500, ...older]], []);
    expect(asked).toHaveLength(10);
  });
});

describe('a newer run', () => {
  const ofOlder = { 401: [kept('j1', RANGE)] };
  const [before, behind] = [commit('a'), commit('f')];

  test.each<{ promise: string; range: StepRecord['range']; hasThem?: true; hasNewerRange?: false }>(
    [
      { promise: 'ends at the head', range: { from: before, to: HEAD }, hasThem: true },
      { promise: 'had nothing to start from', range: { from: undefined, to: behind } },
      { promise: 'has no range', range: undefined, hasNewerRange: false },
    ],
  )('that $promise has the changes: $hasThem', async ({ range, hasThem, hasNewerRange = true }) => {
    const left = { ...ofOlder, 60001: [kept(TODO, { range })] };
    const { found: runs } = await look({ runs: [600, 4], left });
    const newer = { overtakenBy: 600, older: undefined };
    expect(runs).toMatchObject({ ...(hasThem ? newer : olderRun('j1', {}, 4)), hasNewerRange });
  });

  test.each([
    { promise: "merged this run's commits after a force push", end: 'ahead', hasThem: true },
    { promise: 'left them behind in a force push', end: 'diverged', hasThem: false },
  ] as const)('that $promise has them: $hasThem', async ({ end, hasThem }) => {
    const left = { ...ofOlder, 60001: [kept('j6', { range: { from: before, to: behind } })] };
    const compareStatus = async (_repository: string, base: string) =>
      base === HEAD ? end : 'diverged';
    const { found: runs } = await look({ runs: [600, 4], left, github: { compareStatus } });
    expect(runs.overtakenBy).toEqual(hasThem ? 600 : undefined);
  });

  // Commits `a` to `c` are in a line. A force push moved the branch from `c` to another line.
  test.each([
    { start: commit('a'), common: commit('b'), hasThem: false },
    { start: commit('b'), common: commit('b'), hasThem: true },
    { start: `${commit('b')}^`, common: commit('b'), hasThem: false },
    { start: `${commit('c')}^`, common: commit('b'), hasThem: true },
    { start: commit('b'), common: commit('c'), from: commit('c'), hasThem: false },
    { start: commit('c'), common: commit('c'), from: commit('c'), hasThem: true },
  ])('that merged commits from $common on has those from $start on: $hasThem', async (row) => {
    const { start, common, hasThem, from = commit('d') } = row;
    const newer = { 60001: [kept('j6', { range: { from, to: behind } })] };
    const inLine = (base: string, end: string) =>
      base < end ? 'ahead' : base === end ? 'identical' : 'behind';
    const compareStatus = async (_repository: string, base: string, end: string) =>
      base === commit('d') ? 'diverged' : inLine(base, end);
    const github = { compareStatus, mergeBase: async () => common };
    const wants = { own: { start, head: HEAD } };
    const { found: first } = await look({ runs: [600, 4], left: newer, github, wants });
    expect(first.overtakenBy).toEqual(hasThem ? 600 : undefined);
    // An older run's range has what comes before.
    const left = { ...ofOlder, ...newer };
    const { found: behindOlder } = await look({ runs: [600, 4], left, github, wants });
    expect(behindOlder.overtakenBy).toBe(600);
  });

  test('that starts at a commit which GitHub no longer has does not have them', async () => {
    const left = { ...ofOlder, 60001: [kept(TODO, { range: { from: before, to: behind } })] };
    const compareStatus = () => Promise.reject(new GitHubError('not-found', 'HTTP 404'));
    const { found: runs } = await look({ runs: [600, 4], left, github: { compareStatus } });
    expect(runs).toMatchObject({ overtakenBy: undefined, hasNewerRange: true });
  });

  test('is looked for among the 50 next ones', async () => {
    const runs = [...Array.from({ length: 60 }, (_, n) => 700 - n), 4];
    const { requested } = await look({ runs, left: ofOlder });
    const newer = requested.filter((line) => /^jobs of [67]/.test(line));
    expect([newer.length, newer[0], newer.at(-1)]).toEqual([50, 'jobs of 641', 'jobs of 690']);
  });
});

describe('a run in progress', () => {
  const status = 'in_progress';
  const busy = {
    jobs: { 8: [workflowJob(8, 1, { status })], 600: [workflowJob(600, 1, { status })] },
    github: { run: async (id: number) => workflowRun(id, { status }) },
  };

  test.each([600, 8])('is waited for 2 min, and then it is not known: #%d', async (number) => {
    const requested: number[] = [];
    const run = async (id: number) => {
      requested.push(id);
      return workflowRun(id, { status });
    };
    const runs = [workflowRun(number, { status })];
    const lines = [
      '`concurrency:` with `group: $' +
        '{{ github.workflow }}-$' +
        '{{ github.ref }}$' +
        "{{ inputs.dryRun && '-dry-run' || '' }}`",
      '`cancel-in-progress: false`',
    ].join(' and ');
    await expect(look({ ...busy, runs, github: { run } })).rejects.toMatchObject({
      message: `workflow job \`docs\` of run #${number} is still running`,
      remedy: { advice: expect.stringContaining(lines), again: 'when that has ended' },
    });
    // Every 5 s, and this run once.
    expect(requested).toHaveLength(1 + 24);
  });

  test('is waited for no longer than the time that is left', async () => {
    const runs = [workflowRun(8, { status })];
    const time = fakeTime();
    const looked = look({ ...busy, runs, time, patience: { deadline: 12_000 } });
    await expect(looked).rejects.toThrow('workflow job `docs` of run #8 is still running');
    expect(time.now()).toBe(5_000);
  });

  test('is read as soon as it has completed', async () => {
    const runs = [workflowRun(600, { status })];
    const left = { 60001: [kept(TODO)] };
    const { found: seen, waited } = await look({ ...busy, runs, github: {}, left });
    expect(seen).toEqual(found());
    expect(waited).toBe(5_000);
  });

  test.each(['waiting', 'queued'])('does not count while its workflow job is %s', async (state) => {
    const { found: seen, requested } = await look({
      runs: [workflowRun(8, { status: state }), 7],
      jobs: { 8: [workflowJob(8, 1, { status: state })] },
      left: { 801: [kept('x', RANGE)], 701: [kept('j1', RANGE)] },
    });
    expect(seen).toMatchObject(olderRun('j1', {}, 7));
    expect(requested).not.toContain('annotations of 801');
  });

  test('is not waited for by a dry run, to which it has sent nothing', async () => {
    const runs = [workflowRun(600, { status }), workflowRun(8, { status }), 7];
    const left = { 701: [kept('j1', RANGE)] };
    const { found: seen, waited } = await look({
      ...busy,
      runs,
      left,
      patience: { sendsNothing: true },
    });
    expect(seen).toMatchObject({
      ...olderRun('j1', {}, 7),
      overtakenBy: undefined,
      hasNewerRange: false,
    });
    const inProgress = (number: number) =>
      `Run #${number} is in progress. This dry run shows the prompt as if that run sent nothing.`;
    expect(seen.warnings).toEqual([inProgress(600), inProgress(8)]);
    expect(waited).toBe(0);
  });
});

describe('the last agent job', () => {
  const wants = { own: undefined, isLastWanted: true };
  const at = 1_750_000_000;
  const added = { number: 12, head: commit('9'), at };

  test.each<{ promise: string; left: readonly KeptAnnotation[]; last: object | 'none' }>([
    {
      promise: 'one with a message that is not certain',
      left: [kept('j8', { at, added })],
      last: { id: 'j8', at, messagedAt: at },
    },
    {
      promise: 'an earlier one',
      left: [kept(TODO, { last: { id: 'j6', at } })],
      last: { id: 'j6', at, messagedAt: at },
    },
    { promise: 'none', left: [kept(TODO)], last: { id: 'j7', at: 0, messagedAt: undefined } },
    { promise: 'that there is none', left: [kept(TODO, { last: 'none' })], last: 'none' },
  ])('is what the newest record says that names $promise', async ({ left, last }) => {
    const { found: runs } = await look({
      runs: [8, 7],
      left: { 801: left, 701: [kept('j7')] },
      wants,
    });
    expect(runs).toMatchObject({ older: undefined, last, hasNewerRange: false });
    expect((await look({ runs: [8, 7], wants })).found.last).toBe('none');
  });

  test('is what the newest attempt says, also if an older one cannot be read', async () => {
    const jobs = { 8: [workflowJob(8), workflowJob(8, 2)] };
    const left = { 801: [UNREADABLE], 802: [kept('j2', { at })] };
    expect((await look({ jobs, left, wants })).found).toMatchObject({ last: { id: 'j2', at } });
  });

  const behind = { 801: [kept(NONE, RANGE)], 701: [kept('j7')] };
  test('behind a range that is known is not worth a stop: a new agent job is created', async () => {
    const left = { ...behind, 701: [UNREADABLE] };
    const { found: runs } = await look({ runs: [8, 7], left, wants: { isLastWanted: true } });
    expect(runs).toMatchObject({ ...olderRun(NONE), last: undefined });
    expect(runs.warnings).toEqual([
      expect.stringMatching(
        /^The last agent job of this step could not be looked up, because what this step did in run #7 /,
      ),
    ]);
    // Alone it is.
    await expect(look({ runs: [7], left, wants })).rejects.toThrow('what this step did in run #7');
    // Without a record that names one, none of them is certain.
    const silent = { ...left, 801: [kept(NONE, RANGE)] };
    expect(
      (await look({ runs: [8], left: silent, wants: { isLastWanted: true } })).found.last,
    ).toBe('none');
  });
});

describe('when GitHub fails', () => {
  const runs = [8, 7];
  const left = { 701: [kept('j1', RANGE)] };
  const failing = (kind: GitHubError['kind']) => Promise.reject(new GitHubError(kind, 'said so'));

  test('runs that were deleted meanwhile do not count', async () => {
    const workflowJobs = async (id: number) =>
      id === 8 ? failing('not-found') : [workflowJob(id)];
    const run = async (id: number) => (id === 8 ? failing('not-found') : workflowRun(CURRENT));
    const deleted = await look({ runs, left, github: { workflowJobs, run } });
    expect(deleted.found).toMatchObject(olderRun('j1', {}, 7));
    const stopped = look({ runs, left, github: { workflowJobs } });
    await expect(stopped).rejects.toThrow('GitHub shows run #8 and not its workflow jobs');
  });
});
