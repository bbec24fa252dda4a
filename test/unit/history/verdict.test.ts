import { describe, expect, test } from 'vitest';
import type { GitHub, KeptAnnotation } from '../../../src/github/github.ts';
import { type Asked, hashOf, identityOf } from '../../../src/history/identity.ts';
import type { PullState } from '../../../src/history/pulls.ts';
import {
  chooseTarget,
  NOTHING_EARLIER,
  readVerdict,
  type VerdictQuery,
} from '../../../src/history/verdict.ts';
import type { Judged } from '../../../src/model/agent-job.ts';
import { GitHubError } from '../../../src/model/errors.ts';
import { FACTS, RecordingRunner } from '../../support/fakes.ts';
import {
  ASKED,
  commit,
  fakeTime,
  judgeOf,
  kept,
  TODO,
  UNKNOWN,
  UNREADABLE,
  workflowJob,
} from '../../support/records.ts';

/** This run is #5, in attempt 2; run #4 is before it, and run #6 after it. */
const asked: VerdictQuery['asked'] & Asked = {
  task: { kind: 'create', instruction: 'x' },
  ...{ projectId: 'p', changes: 'files', paths: [], since: 'last-success' },
  ...{ workflowJob: '502 null', githubToken: 'token', pullRequest: 'new' },
  ...{ dryRun: false, wait: true },
};
const IDENTITY = identityOf(asked, FACTS);
const RANGE = { from: commit('a'), to: commit('b') };
const OWN = { from: commit('c'), to: commit('e') };
const OPEN: PullState = { kind: 'open', name: 'o/r#1', head: commit('9') };

interface World {
  /** By the workflow job's id. */
  readonly left?: Readonly<Record<number, readonly KeptAnnotation[]>>;
  readonly states?: Readonly<Record<string, string | Judged>>;
  readonly pull?: PullState;
  readonly asked?: Partial<typeof asked>;
  readonly query?: Partial<VerdictQuery>;
  readonly github?: Partial<GitHub>;
}

function look(world: World) {
  const { left = {}, states = {}, pull = OPEN } = world;
  const requested: string[] = [];
  const run = (id: number) => ({
    ...{ id, workflow_id: 7, run_number: id, status: 'completed', head_branch: 'main' },
    head_repository: { full_name: FACTS.repository ?? '' },
  });
  const github: Partial<GitHub> = {
    workflowJob: async () => workflowJob(5, 2, { status: 'in_progress' }),
    workflowJobs: async (id) =>
      id === 5 ? [1, 2].map((n) => workflowJob(5, n)) : [workflowJob(id)],
    run: async (id) => run(id),
    runs: async function* () {
      requested.push('runs');
      yield { total: 3, runs: [6, 5, 4].map(run) };
    },
    annotations: async (id) => {
      requested.push(`annotations of ${id}`);
      return left[id] ?? [];
    },
    compare: async (base, head) => ({ status: base < head ? 'ahead' : 'identical' }) as never,
    ...world.github,
  };
  const runner = new RecordingRunner();
  const { judge } = judgeOf(states);
  const query: VerdictQuery = {
    asked: { ...asked, ...world.asked },
    identity: IDENTITY,
    facts: { ...FACTS, eventName: 'push', runId: 5, attempt: 2 },
    ...{ isResuming: true, start: 'runs', head: commit('e') },
    github: async () => github as GitHub,
    judge,
    readPull: async () => pull,
    time: fakeTime(),
    runner,
    ...world.query,
  };
  const verdict = readVerdict(query);
  /** Where the prompt goes, once the verdict is to send it. */
  const target = async () => {
    const found = await verdict;
    if (found.kind !== 'send') throw new Error('nothing is sent');
    return chooseTarget(query, found.lastId);
  };
  return { verdict, target, requested, runner };
}

const own = (what: Parameters<typeof kept>[0], more: Parameters<typeof kept>[1] = {}) =>
  kept(what, { ...IDENTITY, ...more });
const FIRST: Partial<VerdictQuery> = { isResuming: false };
const send = (more: object) => ({ ...NOTHING_EARLIER, ...more });
const fromSha = (digit: string) => ({ kind: 'from', sha: commit(digit), earlier: [] });

describe('what earlier attempts and runs say', () => {
  test('is not asked for in a first attempt whose start is not theirs', async () => {
    const github = () => Promise.reject(new Error('GitHub was opened'));
    for (const start of ['other', 'named'] as const) {
      const { verdict } = look({ query: { ...FIRST, start, github } });
      expect(await verdict).toEqual(NOTHING_EARLIER);
    }
  });

  test('is an agent job to follow, before any other run is looked at', async () => {
    const states = { j1: 'active' };
    const waits: World = { left: { 501: [own('j1', OWN)] }, states };
    const hasNoRange: World = { left: { 501: [own('j1')] }, states, asked: { wait: false } };
    for (const world of [waits, hasNoRange]) {
      const { verdict, requested } = look(world);
      const followed = { kind: 'follow', jobId: 'j1', attempt: 1, isBehind: false };
      expect(await verdict).toMatchObject(followed);
      expect(requested).toEqual(['annotations of 501']);
    }
  });

  test('is a stop, with the record that it is about', async () => {
    const { verdict } = look({ left: { 501: [own(UNKNOWN, OWN)] } });
    expect(await verdict).toMatchObject({
      kind: 'stop',
      error: { heading: 'A re-run stopped: an agent job may exist' },
      about: { what: UNKNOWN, ...OWN },
    });
  });

  test('is where the last run ended, by the hash of `paths` in its record', async () => {
    const paths = ['src/**'];
    const none = own({ kind: 'none', pathsHash: hashOf(paths) }, RANGE);
    const { verdict } = look({ asked: { paths }, left: { 401: [none] }, query: FIRST });
    expect(await verdict).toEqual(send({ start: fromSha('b'), skippedFrom: commit('a') }));
  });

  test('is the part of the earlier attempt, whatever other runs say', async () => {
    const open = [{ id: 'j0', from: commit('1'), isAdded: false }];
    const left = { 401: [own('j1', RANGE)], 501: [own(ASKED, { ...OWN, open })] };
    const { verdict, runner } = look({ left });
    expect(await verdict).toEqual(send({ start: fromSha('c'), open, skippedFrom: commit('c') }));
    expect(runner.log.at(-1)).toMatch(/^Attempt 1 stopped/);
  });

  test('is that a newer run has the changes, unless a person typed the prompt', async () => {
    const newer = own('j6', { from: commit('a'), to: commit('f') });
    const left = { 601: [newer], 501: [own(TODO, OWN)] };
    expect(await look({ left }).verdict).toEqual({ kind: 'skip', runNumber: 6 });
    for (const eventName of ['workflow_dispatch', 'repository_dispatch']) {
      const facts = { ...FACTS, eventName, runId: 5, attempt: 2 };
      const start = { kind: 'newer', runNumber: 6 };
      const { verdict } = look({ left, query: { facts } });
      expect(await verdict).toEqual(send({ start, isBehind: true }));
    }
  });
});

describe('behind a newer run', () => {
  const left = { 601: [own('j6', { from: commit('e'), to: commit('f') })], 501: [own('j1', OWN)] };
  const states = { j1: 'active' };

  const wait = { wait: false };
  test('a step that sends waits, and a re-run that follows waits where it would not', async () => {
    for (const world of [{ query: FIRST }, { asked: wait }]) {
      expect(await look({ left, states, ...world }).verdict).toMatchObject({ isBehind: true });
    }
  });

  test('or where GitHub cannot say so, a re-run that follows waits, and says why', async () => {
    const github = { run: () => Promise.reject(new GitHubError('failed', 'HTTP 503')) };
    const { verdict, runner } = look({ left, states, asked: wait, github });
    expect(await verdict).toMatchObject({ isBehind: true });
    const message =
      'Other runs could not be looked up, so this step waits for the end of the agent job. HTTP 503.';
    expect(runner.annotations).toEqual([
      { level: 'warning', title: 'Docs agent: earlier runs', message },
    ]);
  });
});

describe('an earlier attempt that cannot be looked for', () => {
  const failing = (kind: GitHubError['kind']): World => ({
    query: { start: 'other', github: () => Promise.reject(new GitHubError(kind, 'HTTP 4xx')) },
  });

  test.each<[promise: string, world: World, says: string]>([
    ['no token', { asked: { githubToken: '' } }, '`githubToken` is empty. Check `githubToken`'],
    ['a failure', failing('failed'), 'HTTP 4xx. Nothing was sent.'],
  ])('stops the step: %s', async (_, world, says) => {
    const { verdict, runner } = look(world);
    await expect(verdict).rejects.toMatchObject({
      heading: 'A re-run stopped: earlier attempts could not be looked up',
      message: expect.stringContaining(says),
    });
    expect(runner.annotations).toEqual([]);
  });

  test('for a missing permission is warned of, and this attempt goes on', async () => {
    for (const kind of ['forbidden', 'not-found'] as const) {
      const { verdict, runner } = look(failing(kind));
      expect(await verdict).toEqual(NOTHING_EARLIER);
      const said = /`actions: read` and `checks: read`\. This attempt goes on/;
      const message = expect.stringMatching(said);
      expect(runner.annotations).toMatchObject([{ level: 'warning', message }]);
    }
  });
});

describe('other runs that cannot be looked for', () => {
  test.each<{ kind: GitHubError['kind']; world: World; heading: string; says: string }>([
    {
      kind: 'forbidden',
      world: {},
      heading: 'The changes could not be found',
      says: '`contents: read`, `actions: read`, and `checks: read`. The next run has all of these changes. No prompt was sent.',
    },
    {
      kind: 'failed',
      world: { asked: { pullRequest: 'append' }, query: { ...FIRST, start: 'other' } },
      heading: 'The last agent job of this step is not known',
      says: 'Run this again later, or set `pullRequest: new`, which does not look at earlier runs.',
    },
  ])('stop the step with what to do ($kind)', async ({ kind, world, heading, says }) => {
    const runs = () => Promise.reject(new GitHubError(kind, 'said so'));
    const { verdict } = look({ query: FIRST, github: { run: runs }, ...world });
    const message = expect.stringContaining(says);
    await expect(verdict).rejects.toMatchObject({ heading, message });
  });

  const asked = { pullRequest: 'append' } as const;
  const unreadable = (start: VerdictQuery['start']) =>
    look({ left: { 401: [UNREADABLE] }, asked, query: { ...FIRST, start } });

  test('leave a named start alone: a new agent job is created', async () => {
    const { verdict, runner } = unreadable('named');
    expect(await verdict).toEqual(send({ lastId: null }));
    expect(runner.annotations[0]?.message).toMatch(
      /^Other runs could not be looked up, so a new agent job is created\. A record in run #4 cannot/,
    );
  });

  test.each([
    ['runs', /start a new run with `since` set to the commit before/],
    ['other', /start a new run with `pullRequest: new`/],
  ] as const)('because of a record name the way out (start: %s)', async (start, says) => {
    await expect(unreadable(start).verdict).rejects.toThrow(says);
  });
});

describe('`pullRequest: append`', () => {
  const left = { 401: [own('j1', RANGE)] };
  const shared: World = { left, query: FIRST, states: { j1: 'completed' } };
  const adding = (world: World) => look({ ...shared, ...world, asked: { pullRequest: 'append' } });
  const link = 'https://github.com/o/r/pull/1';
  const appended = { jobId: 'j1', name: 'o/r#1', link, head: commit('9') };

  test('adds to the last agent job, or to one that an earlier attempt names, if that is open', async () => {
    const target = async (world: World) => (await adding(world).target()).appended;
    expect(await target({})).toEqual(appended);
    // Also without changes.
    expect(await target({ query: { ...FIRST, start: 'other' } })).toEqual(appended);
    const named = { 401: [own('j4', RANGE)], 501: [own(TODO, { last: 'j1' })] };
    expect(await target({ left: named, query: {} })).toEqual(appended);
    // Also where the records of this run cannot be read.
    const workflowJobs = async (id: number) =>
      id === 5 ? Promise.reject(new GitHubError('failed', 'HTTP 503')) : [workflowJob(id)];
    expect(await target({ github: { workflowJobs } })).toEqual(appended);
    expect(await target({ pull: { ...OPEN, kind: 'closed' } })).toBeUndefined();
  });

  test('says in the log where the prompt goes, and warns where it could not know', async () => {
    const open = adding({});
    await open.target();
    const said = 'Pull request `o/r#1` of agent job `j1` is open. The prompt goes to it.';
    expect(open.runner.log).toEqual([said]);
    const hidden = adding({ pull: { kind: 'unknown', reason: 'it is hidden' } });
    await hidden.target();
    const message = 'A new agent job is needed, because it is hidden.';
    expect(hidden.runner.annotations).toEqual([
      { level: 'warning', title: 'Docs agent: pull request', message },
    ]);
  });

  test('stops when GitHub fails to show the pull request, but not under a named start', async () => {
    const readPull = () => Promise.reject(new GitHubError('failed', 'HTTP 503'));
    const { target, runner } = adding({ query: { ...FIRST, start: 'named', readPull } });
    expect((await target()).appended).toBeUndefined();
    expect(runner.annotations[0]?.message).toMatch(/^A new agent job is needed, .* HTTP 503\.$/);
    const stopped = adding({ query: { ...FIRST, start: 'other', readPull } }).target();
    const heading = 'The last agent job of this step is not known';
    await expect(stopped).rejects.toMatchObject({ heading });
  });
});
