import { expect, test } from 'vitest';
import { decide } from '../../../src/ledger/decide.ts';
import type { Outside } from '../../../src/ledger/outside.ts';
import { standingOf } from '../../../src/ledger/settle.ts';
import { type Call, EMPTY } from '../../../src/ledger/state.ts';

const HOUR_MS = 3_600_000;
const CALL = { attempt: 1, at: 0, message: null, pull: null, codePullRequests: [] };
const DOUBT: Call = { ...CALL, key: 'b', run: 2, to: 'B', job: null, end: 'unknown' };
const RUN = { key: 'c', run: 3, attempt: 1, scope: 'pull', tracksChanges: true } as const;
const ABOUT = { ...RUN, appends: false, isDryRun: false };
const since = async () => undefined;
const ANEW = { isMessageRefused: false };

test('of a pull request, a running agent job for the same changes comes before a doubt about others', async () => {
  const running: Call = { ...CALL, key: 'a', run: 1, to: 'A', job: 'job_a', end: null };
  const outside = {
    now: () => HOUR_MS,
    since,
    target: async () => ({ to: 'A', head: 'head', start: 'start' }),
    look: async () => ({ kind: 'active' }),
  } as unknown as Outside;
  const state = { v: 1, covered: null, runs: [DOUBT, running] } as const;
  expect(await decide(ABOUT, state, outside, ANEW)).toMatchObject({
    ...{ kind: 'wait', call: { job: 'job_a' }, warnings: [] },
  });
});

test('a re-run follows its agent job, whatever `since` and the changes are now', async () => {
  const gone = async () => {
    throw new Error('`since` names nothing');
  };
  const run = { ...ABOUT, attempt: 2, scope: 'prompts', tracksChanges: false } as const;
  const own: Call = { ...CALL, key: 'a', run: 3, to: null, job: 'job_a', end: 'no-changes' };
  const outside = { now: () => 0, since: gone } as unknown as Outside;
  const state = { v: 1, covered: null, runs: [own] } as const;
  const follow = { kind: 'resume', call: { job: 'job_a' } };
  expect(await decide(run, state, outside, ANEW)).toMatchObject(follow);
});

test('with `since: event`, nothing is sent where nothing has to be', async () => {
  const outside = { now: () => 0, since, nothingToSend: async () => 'all-skipped' };
  const run = { ...ABOUT, scope: 'prompts', tracksChanges: false } as const;
  const decision = decide(run, EMPTY, outside as unknown as Outside, ANEW);
  expect(await decision).toMatchObject({ kind: 'skip', reason: 'all-skipped' });
});

test('a prompt without changes sends none again, whatever is in doubt', async () => {
  const outside = {
    now: () => HOUR_MS,
    since,
    nothingToSend: async () => undefined,
  } as unknown as Outside;
  const run = { ...ABOUT, tracksChanges: false, appends: true };
  const state = { v: 1, covered: null, runs: [DOUBT] } as const;
  expect(await decide(run, state, outside, ANEW)).toMatchObject({ kind: 'send', warnings: [] });
});

test('a re-run does not wait for the claim of its own earlier attempt, but warns', async () => {
  const claim: Call = { ...CALL, key: 'a', run: 3, to: null, job: null, end: null };
  const outside = { now: () => 60_000, since, nothingToSend: since } as unknown as Outside;
  const run = { ...ABOUT, attempt: 2, scope: 'prompts', tracksChanges: false } as const;
  const decision = decide(run, { v: 1, covered: null, runs: [claim] }, outside, ANEW);
  expect(await decision).toMatchObject({ kind: 'send', warnings: [{ kind: 'doubt' }] });
});

test.each([
  ['pull', 'start', 'start'],
  ['pull', undefined, 'head'],
  ['heads', 'start', 'head'],
] as const)(
  'a skip that cannot be recorded names a `since` (%s, by the event %s: %s)',
  async (scope, start, toType) => {
    const outside = {
      ...{ now: () => 0, since, target: async () => ({ to: 'head', head: 'head', start }) },
      ...{ isOnBranch: async () => true, nothingToSend: async () => 'no-matching-files' },
    } as unknown as Outside;
    const decision = await decide({ ...ABOUT, scope }, EMPTY, outside, ANEW);
    expect(decision).toMatchObject({ kind: 'skip', since: toType });
  },
);

test('a `covered` that GitHub does not have any more stops the step, which asks for a `since`', async () => {
  const outside = {
    ...{ now: () => 0, since, isBehind: async () => undefined, isOnBranch: async () => true },
    target: async () => ({ to: 'head', head: 'head', start: 'start' }),
  } as unknown as Outside;
  const decision = decide(
    { ...ABOUT, scope: 'heads' },
    { ...EMPTY, covered: 'gone' },
    outside,
    ANEW,
  );
  await expect(decision).rejects.toThrow(/up to `gone`.* Start a new run with `since` set to/);
});

test.each([
  ['open', { kind: 'covered', end: 'pull-request', pull: 'new' }],
  ['unreadable', { kind: 'covered', end: 'pull-request', pull: 'new' }],
  ['merged', { kind: 'failed', why: 'merged' }],
  ['closed', { kind: 'failed', why: 'closed' }],
] as const)('a message whose pull request is %s at its end', async (state, standing) => {
  const call: Call = { ...CALL, key: 'a', run: 1, to: null, job: 'job_a', end: null };
  const job = {
    id: 'job_a',
    status: 'completed',
    prLink: 'new',
    repository: '',
    ref: '',
    json: '',
  };
  const seen = { kind: 'ended', end: 'pull-request', job } as const;
  const outside = { docsPullState: async () => state };
  expect(await standingOf({ ...call, message: 'link' }, seen, outside)).toEqual(standing);
});
