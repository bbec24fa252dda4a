import { describe, expect, test } from 'vitest';
import type { GitHub, KeptAnnotation } from '../../../src/github/github.ts';
import { identityOf } from '../../../src/history/identity.ts';
import { NOTHING_EARLIER, type Sending } from '../../../src/history/sending.ts';
import { readVerdict, type VerdictQuery } from '../../../src/history/verdict.ts';
import type { Judged } from '../../../src/model/agent-job.ts';
import { GitHubError } from '../../../src/model/errors.ts';
import type { Start } from '../../../src/model/start.ts';
import { FACTS, RecordingRunner } from '../../support/fakes.ts';
import * as records from '../../support/records.ts';
import {
  ASKED,
  commit,
  fakeTime,
  judgeOf,
  kept,
  NONE,
  TODO,
  UNKNOWN,
  UNREADABLE,
  workflowJob,
} from '../../support/records.ts';

/** This run is #5, in attempt 2; run #4 is before it, and run #6 after it. */
const asked: VerdictQuery['asked'] = {
  task: { kind: 'create', instruction: 'x' },
  ...{ projectId: 'p', changes: 'files', paths: [], skip: [], since: 'last-success' },
  ...{ workflowJob: '502 null', githubToken: 'token', pullRequest: 'new' },
  ...{ rerun: 'resume', dryRun: false, wait: true },
};
const IDENTITY = identityOf(asked, FACTS);
const RANGE = { from: commit('a'), to: commit('b') };
const OWN = { from: commit('c'), to: commit('e') };

interface World {
  /** By the workflow job's id. */
  readonly left?: Readonly<Record<number, readonly KeptAnnotation[]>>;
  readonly states?: Readonly<Record<string, string | Judged>>;
  readonly asked?: Partial<typeof asked>;
  readonly query?: Partial<VerdictQuery>;
  readonly github?: Partial<GitHub>;
}

function look(world: World) {
  const { left = {}, states = {} } = world;
  const requested: string[] = [];
  const run = (id: number) => ({
    ...{ id, workflow_id: 7, run_number: id, status: 'completed', head_branch: 'main' },
    ...{ head_sha: commit('e'), head_repository: { full_name: FACTS.repository ?? '' } },
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
    ...{ startsBy: 'runs', head: commit('e') },
    github: async () => github as GitHub,
    judge,
    time: fakeTime(),
    runner,
    ...world.query,
  };
  return { verdict: readVerdict(query), requested, runner };
}

const own = (what: Parameters<typeof kept>[0], more: Parameters<typeof kept>[1] = {}) =>
  kept(what, { ...IDENTITY, ...more });
/** Run #5, in its first attempt. */
const FIRST: Partial<VerdictQuery> = {
  facts: { ...FACTS, eventName: 'push', runId: 5, attempt: 1 },
};
const send = (more: Partial<Sending>): Sending => ({ ...NOTHING_EARLIER, ...more });
const recordOf = (...[what, more]: Parameters<typeof records.recordOf>) => {
  const record = records.recordOf(what, { ...IDENTITY, ...RANGE, ...more });
  return { ...record, to: record.to ?? RANGE.to };
};
const fromSha = (digit: string, isSentBefore = false): Start => {
  return { kind: 'from', sha: commit(digit), earlier: [], isSentBefore };
};

describe('what earlier attempts and runs say', () => {
  test('is not asked for in a first attempt whose start is not theirs', async () => {
    const github = () => Promise.reject(new Error('GitHub was opened'));
    for (const startsBy of ['other', 'named'] as const) {
      const { verdict } = look({ query: { ...FIRST, startsBy, github } });
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

  test('is where the last run ended, with the part that this follows from', async () => {
    const { verdict, runner } = look({ left: { 401: [own(NONE, RANGE)] }, query: FIRST });
    const part = { runNumber: 4, record: recordOf(NONE) };
    expect(await verdict).toEqual(send({ start: fromSha('b'), part, laterRuns: 'next' }));
    expect(runner.annotations).toEqual([]);
  });

  test('is where an agent job failed, and a warning where a call is in doubt', async () => {
    const left = { 401: [own('j1', RANGE)] };
    const { verdict } = look({ left, states: { j1: 'failed' }, query: FIRST });
    expect(await verdict).toMatchObject({ start: { sha: commit('a') } });
    const doubt = look({ left: { 401: [own(UNKNOWN, RANGE)] }, query: FIRST });
    expect(await doubt.verdict).toMatchObject({ start: fromSha('a', true) });
    const message = expect.stringMatching(/^The agent job of run #4 may have been created/);
    const title = 'Docs agent: earlier runs';
    expect(doubt.runner.annotations).toEqual([{ level: 'warning', title, message }]);
  });

  test('is that no run has changes on record', async () => {
    const begin = commit('7');
    const { verdict } = look({ left: { 401: [own(TODO, { begin })] }, query: FIRST });
    const counts = { runs: 1, recorded: 1, unrecorded: 0 };
    expect(await verdict).toMatchObject({
      start: { kind: 'nothing', begins: [begin], ...counts },
    });
  });

  test.each<Partial<typeof asked>>([{ dryRun: true }, { rerun: 'create' }])(
    'is not asked of earlier attempts with %o',
    async (inputs) => {
      const left = { 401: [own(NONE, RANGE)], 501: [own('j1', OWN)] };
      const { verdict, requested } = look({ asked: inputs, left });
      expect(await verdict).toMatchObject({ kind: 'send', start: fromSha('b') });
      expect(requested).not.toContain('annotations of 501');
    },
  );

  test('is the part of the earlier attempt, whatever other runs say', async () => {
    const open = [{ id: 'j0', from: commit('1') }];
    const left = { 401: [own('j1', RANGE)], 501: [own(ASKED, { ...OWN, open })] };
    const { verdict, runner } = look({ left });
    expect(await verdict).toEqual(send({ start: fromSha('c', true), open, laterRuns: 'next' }));
    expect(runner.log.at(-1)).toMatch(/^Attempt 1 stopped/);
  });

  test('is that a newer run has the changes, unless a person typed the prompt', async () => {
    const newer = own('j6', { from: commit('a'), to: commit('f') });
    const left = { 601: [newer], 501: [own(TODO, OWN)] };
    expect(await look({ left }).verdict).toEqual({ kind: 'skip', runNumber: 6 });
    for (const eventName of ['workflow_dispatch', 'repository_dispatch']) {
      const facts = { ...FACTS, eventName, runId: 5, attempt: 2 };
      const start = { kind: 'newer', runNumber: 6 } as const;
      const { verdict } = look({ left, query: { facts } });
      expect(await verdict).toEqual(send({ start, laterRuns: 'none' }));
    }
  });
});

describe('behind a newer run', () => {
  const left = { 601: [own('j6', { from: commit('e'), to: commit('f') })], 501: [own('j1', OWN)] };
  const states = { j1: 'active' };

  const wait = { wait: false };
  test('a step that sends waits, and a re-run that follows waits where it would not', async () => {
    const sends = look({ left, states, query: FIRST });
    expect(await sends.verdict).toMatchObject({ kind: 'send', laterRuns: 'none' });
    const follows = look({ left, states, asked: wait });
    expect(await follows.verdict).toMatchObject({ kind: 'follow', isBehind: true });
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
    query: { startsBy: 'other', github: () => Promise.reject(new GitHubError(kind, 'HTTP 4xx')) },
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
      says: '`contents: read`, `actions: read`, and `checks: read`. Then start a new run. No prompt was sent.',
    },
    {
      kind: 'failed',
      world: {},
      heading: 'The changes could not be found',
      says: 'said so. Run this again later. No prompt was sent.',
    },
    {
      kind: 'forbidden',
      world: { asked: { pullRequest: 'append' }, query: { ...FIRST, startsBy: 'other' } },
      heading: 'The last agent job of this step is not known',
      says: '`pull-requests: read`. Then start a new run, or set `pullRequest: new`, which does not look at earlier runs.',
    },
    {
      kind: 'failed',
      world: { asked: { pullRequest: 'append' }, query: { ...FIRST, startsBy: 'other' } },
      heading: 'The last agent job of this step is not known',
      says: 'Run this again later, or set `pullRequest: new`, which does not look at earlier runs.',
    },
  ])('stop the step with what to do ($kind): $heading', async ({ kind, world, heading, says }) => {
    const runs = () => Promise.reject(new GitHubError(kind, 'said so'));
    const { verdict } = look({ query: FIRST, github: { run: runs }, ...world });
    const message = expect.stringContaining(says);
    await expect(verdict).rejects.toMatchObject({ heading, message });
  });

  const asked = { pullRequest: 'append' } as const;
  const unreadable = (startsBy: VerdictQuery['startsBy']) =>
    look({ left: { 401: [UNREADABLE] }, asked, query: { ...FIRST, startsBy } });

  test('leave a named start alone: a new agent job is created', async () => {
    const { verdict, runner } = unreadable('named');
    expect(await verdict).toEqual(send({}));
    expect(runner.annotations[0]?.message).toMatch(
      /^Other runs could not be looked up, so a new agent job is created\. A record in run #4 cannot/,
    );
  });

  test('because the service cannot say what became of an agent job name the way out', async () => {
    const states = { j1: { kind: 'error', error: 'HTTP 500' } } as const;
    const { verdict } = look({ left: { 401: [own('j1', RANGE)] }, states, query: FIRST });
    await expect(verdict).rejects.toMatchObject({
      heading: 'What earlier runs covered is not known',
      message:
        'What became of agent job `j1` of an earlier run is not known: HTTP 500. If that passes, run this again. No prompt was sent. To go on without what earlier runs did, start a new run with `since` set to the commit before the first change to send. Later runs continue from there.',
    });
  });

  test.each([
    ['runs', /start a new run with `since` set to the commit before/],
    ['other', /start a new run with `pullRequest: new`/],
  ] as const)('because of a record name the way out (start by: %s)', async (startsBy, says) => {
    await expect(unreadable(startsBy).verdict).rejects.toThrow(says);
  });
});

describe('the last agent job, under `pullRequest: append`', () => {
  const left = { 401: [own('j1', { ...RANGE, at: 5 })] };
  const lastOf = async (world: World) => {
    const append = { pullRequest: 'append' } as const;
    const verdict = await look({ left, query: FIRST, ...world, asked: append }).verdict;
    if (verdict.kind !== 'send') throw new Error('nothing is sent');
    return verdict.last;
  };
  const last = { id: 'j1', at: 5, messagedAt: undefined };

  test('is that of an older run, also without changes', async () => {
    expect(await lastOf({})).toEqual(last);
    expect(await lastOf({ query: { ...FIRST, startsBy: 'other' } })).toEqual(last);
    expect(await lastOf({ query: { ...FIRST, startsBy: 'named' } })).toEqual(last);
  });

  test('is one that an earlier attempt names, whatever `rerun` says', async () => {
    const older = own('j4', RANGE);
    const named = own(TODO, { last: { id: 'j1', at: 5 } });
    const expected = { ...last, messagedAt: 5 };
    expect(await lastOf({ left: { 401: [older], 501: [named] }, query: {} })).toEqual(expected);
    // Also where the records of this run cannot be read.
    const workflowJobs = async (id: number) =>
      id === 5 ? Promise.reject(new GitHubError('failed', 'HTTP 503')) : [workflowJob(id)];
    const unread = look({
      left,
      asked: { pullRequest: 'append', rerun: 'create' },
      github: { workflowJobs },
    });
    expect(await unread.verdict).toMatchObject({ kind: 'send', last });
  });

  test('is certainly none where no record names one', async () => {
    expect(await lastOf({ left: {} })).toBe('none');
    expect(await lastOf({ left: { 401: [own(TODO, { last: 'none' })] } })).toBe('none');
  });

  test('is not looked for otherwise', async () => {
    expect(await look({ left, query: FIRST }).verdict).toMatchObject({ last: undefined });
  });
});
