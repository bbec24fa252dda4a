import { describe, expect, test } from 'vitest';
import { createAgentJobs, type JobRead } from '../../../src/history/judge.ts';
import type { PullState, Pulls } from '../../../src/history/pulls.ts';
import type { JudgeQuery } from '../../../src/model/agent-job.ts';
import { commit } from '../../support/records.ts';
import { jobOf } from '../../support/results.ts';

const PR = 'https://github.com/acme/docs/pull/1';
const NOW_MS = Date.UTC(2026, 0, 1);
/** A Unix time so many seconds ago. */
const ago = (seconds: number) => NOW_MS / 1_000 - seconds;
const ADDED = { number: 1, head: commit('a'), at: ago(60) };

const notAsked = () => Promise.reject(new Error('GitHub was asked'));
const NO_PULLS: Pulls = { read: notAsked, commits: notAsked };

const pull = (kind: 'open' | 'closed'): PullState => ({
  ...{ kind, repository: 'acme/docs', number: 1, name: 'acme/docs#1', link: PR },
  ...{ head: commit('a'), endedMs: kind === 'open' ? undefined : NOW_MS - 30_000 },
});

const pullsThatSay = (state: PullState): Pulls => ({
  read: async (link) => {
    expect(link).toBe(PR);
    return state;
  },
  commits: async () => [{ sha: commit('a'), parents: [], commit: {} }],
});

const agentJobs = (read: JobRead, pulls = NO_PULLS) =>
  createAgentJobs(
    async () => read,
    pulls,
    () => NOW_MS,
  );

const judged = (read: JobRead, query: Partial<JudgeQuery> = {}, pulls?: Pulls) =>
  agentJobs(read, pulls).judge({ id: 'job_1', ...query });

const job = (status: string, prLink = PR) => jobOf({ status, prLink });

test.each<{ status: string; prLink?: string; fate: string; cameToNothing: boolean }>([
  { status: 'active', fate: 'running', cameToNothing: false },
  { status: 'a status of tomorrow', fate: 'running', cameToNothing: false },
  { status: 'completed', fate: 'covered', cameToNothing: false },
  { status: 'completed', prLink: '', fate: 'covered', cameToNothing: false },
  { status: 'archived', fate: 'covered', cameToNothing: false },
  { status: 'archived', prLink: '', fate: 'covered', cameToNothing: true },
  { status: 'failed', fate: 'failed', cameToNothing: true },
  { status: 'failed', prLink: '', fate: 'failed', cameToNothing: true },
])('an agent job that is $status with the link "$prLink" is $fate', async (row) => {
  const { status, prLink = PR, fate, cameToNothing } = row;
  const known = { kind: 'known', status, prLink, fate, cameToNothing };
  expect(await judged(job(status, prLink))).toEqual(known);
});

describe('an agent job whose addition is not certain', () => {
  const hidden: PullState = { kind: 'unknown', reason: 'HTTP 403' };
  test.each<{ status: string; state: PullState; expected: object }>([
    { status: 'completed', state: pull('open'), expected: { fate: 'uncertain' } },
    { status: 'completed', state: pull('closed'), expected: { fate: 'missed' } },
    { status: 'archived', state: pull('closed'), expected: { fate: 'missed' } },
    { status: 'completed', state: hidden, expected: { kind: 'error', error: 'HTTP 403' } },
  ])('is judged by its pull request: $status, $state.kind', async (row) => {
    const { status, state, expected } = row;
    const said = await judged(job(status), { added: ADDED }, pullsThatSay(state));
    expect(said).toMatchObject(expected);
    const isMissed = 'fate' in expected && expected.fate === 'missed';
    expect(said.kind !== 'known' || said.cameToNothing === isMissed).toBe(true);
  });

  test.each(['active', 'failed'])('is judged without it while it is %s', async (status) => {
    const fate = status === 'active' ? 'running' : 'failed';
    expect(await judged(job(status), { added: ADDED })).toMatchObject({ fate });
  });

  test('missed its pull request where a step has seen that, without a look at GitHub', async () => {
    const missed = { kind: 'known', fate: 'missed', cameToNothing: true };
    expect(await judged(job('completed'), { added: 'missed' })).toMatchObject(missed);
  });
});

describe('just after a follow-up message', () => {
  test.each<{ promise: string; query: Partial<JudgeQuery>; fate: string }>([
    { promise: '29 s', query: { messagedAt: ago(29) }, fate: 'running' },
    { promise: '30 s', query: { messagedAt: ago(30) }, fate: 'covered' },
    { promise: '-1 s, by a clock that differs', query: { messagedAt: ago(-1) }, fate: 'covered' },
    {
      promise: '29 s, to add to a pull request',
      query: { added: { ...ADDED, at: ago(29) } },
      fate: 'running',
    },
  ])('an end is believed by its age: $promise', async ({ query, fate }) => {
    const known = { kind: 'known', fate, cameToNothing: false };
    expect(await judged(job('completed'), query)).toMatchObject(known);
  });

  test('a failure may be the one before it', async () => {
    const running = { fate: 'running', cameToNothing: false };
    expect(await judged(job('failed'), { messagedAt: ago(29) })).toMatchObject(running);
  });

  test('an end is believed at once where a wait has seen the agent at work since', async () => {
    const { judge, learn } = agentJobs(undefined);
    learn('job_1', { job: job('completed'), lastActiveMs: NOW_MS - 5_000 });
    const query = { id: 'job_1', messagedAt: ago(29) };
    expect(await judge(query)).toMatchObject({ kind: 'known', fate: 'covered' });
  });
});

test('an agent job that the service does not know or show is no verdict', async () => {
  const error = { error: 'HTTP 500' };
  expect(await judged(undefined, { added: ADDED })).toEqual({ kind: 'forgotten' });
  expect(await judged(error, { added: ADDED })).toEqual({ kind: 'error', ...error });
});

test('without a key no agent job is read', async () => {
  const { judge } = createAgentJobs(undefined, NO_PULLS, () => NOW_MS);
  expect(await judge({ id: 'job_1', added: ADDED })).toEqual({ kind: 'not-read' });
});

describe('each agent job', () => {
  /** Says in turn what was read, and keeps what was asked for. */
  function inTurn(...reads: readonly JobRead[]) {
    const asked: unknown[] = [];
    const read = async (...query: unknown[]) => reads[asked.push(query) - 1];
    return { asked, ...createAgentJobs(read, NO_PULLS, () => NOW_MS) };
  }

  test('is read once, and that of an earlier attempt as a new one', async () => {
    const { asked, judge } = inTurn(job('active'), job('completed'));
    await judge({ id: 'job_1', isNew: true });
    await judge({ id: 'job_2' });
    expect(await judge({ id: 'job_2' })).toMatchObject({ fate: 'covered' });
    expect(asked).toEqual([
      ['job_1', true],
      ['job_2', false],
    ]);
  });

  test('is read again where that failed, or where the service did not know it', async () => {
    const { asked, judge } = inTurn({ error: 'HTTP 500' }, undefined, job('failed'));
    await judge({ id: 'job_1' });
    await judge({ id: 'job_1' });
    expect(await judge({ id: 'job_1' })).toMatchObject({ fate: 'failed' });
    expect(asked).toHaveLength(3);
  });

  test('is read again where a wait could no longer read it', async () => {
    const { asked, judge, forget } = inTurn(job('active'), job('failed'));
    await judge({ id: 'job_1' });
    forget('job_1');
    expect(await judge({ id: 'job_1' })).toMatchObject({ fate: 'failed' });
    expect(asked).toHaveLength(2);
  });

  test('is what a wait has seen of it, whatever was read before', async () => {
    const { asked, judge, learn } = inTurn(job('active'));
    await judge({ id: 'job_1' });
    learn('job_1', { job: job('completed'), lastActiveMs: NOW_MS });
    expect(await judge({ id: 'job_1' })).toMatchObject({ fate: 'covered' });
    learn('job_1', undefined);
    expect(await judge({ id: 'job_1' })).toEqual({ kind: 'forgotten' });
    expect(asked).toHaveLength(1);
  });
});
