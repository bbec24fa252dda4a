import { describe, expect, test } from 'vitest';
import type { Standing } from '../../../src/agent/job.ts';
import { StepError } from '../../../src/errors.ts';
import { decide } from '../../../src/ledger/decide.ts';
import type { DocsPullState, Outside, Snapshot } from '../../../src/ledger/outside.ts';
import { PULL, shown } from '../../support/agent-job.ts';
import { askedOf, callOf, type Given, HOUR_MS, NOW, stateOf, worldOf } from './given.ts';

/** What run 2 decides about a push from B to D, with what this says instead. */
async function decided(given: Given, read: Partial<Snapshot> = {}) {
  const { outside, clock, store } = worldOf(given);
  const snapshot = { ...(await store.read()), ...read };
  const options = { now: clock.date, ignored: new Set<string>() };
  return decide(askedOf(given.asked), snapshot, outside, options);
}

const UNREADABLE: Standing = { kind: 'unreadable', said: 'HTTP 503' };
const NOT_FOUND: Standing = { kind: 'not-found', said: 'HTTP 404' };
const running = callOf({ job: 'job_1' });
const doubt = callOf({ end: 'unknown' });
const since = (commit: string) => ({ since: { typed: commit, start: commit } });

test('(1) an entry of this run and attempt under another key means that two steps share it', async () => {
  const error = { topic: 'ledger-shared' };
  await expect(decided({ runs: [callOf({ run: 2 })] })).rejects.toMatchObject(error);
});

test.for([
  ['has ended', { end: 'no-changes' }, shown('failed'), 'follow'],
  ['is active', {}, shown(), 'follow'],
  ['cannot be read now', { at: NOW - 3 * HOUR_MS }, UNREADABLE, 'follow'],
  ['has completed', {}, shown('completed'), 'follow'],
  ['has failed', {}, shown('failed'), 'send'],
  ['is not found', {}, NOT_FOUND, 'send'],
  ['is active after 2 hours', { at: NOW - 2 * HOUR_MS }, shown(), 'send'],
] as const)('(2) for a re-run whose agent job %s', async ([, more, look, kind]) => {
  const call = { ...running, run: 2, ...more };
  // Whatever a typed `since` says.
  const decision = await decided({
    asked: { attempt: 2 },
    runs: [call],
    looks: [look],
    target: since('A'),
  });
  const removed = { state: { runs: [] }, earlier: [{ call }] };
  expect(decision).toMatchObject(kind === 'follow' ? { kind, call } : { kind, ...removed });
});

describe('(3) skips, but not with a typed `since`,', () => {
  const tag = { asked: { scope: 'tag' }, target: { isCurrent: false } } as const;
  test.for([
    ['a commit that is covered', { covered: 'D' }, {}, 'covered'],
    ['a commit before it', { covered: 'E' }, {}, 'covered'],
    ['a commit that is not on its branch', {}, { branchTip: 'C' }, 'not-on-branch'],
    ['a commit of a deleted branch', {}, { branchTip: undefined }, 'not-on-branch'],
    ['a tag that was moved', tag, {}, 'tag-moved'],
  ] as const)('%s', async ([, given, read, reason]) => {
    expect(await decided(given, read)).toMatchObject({ kind: 'skip', reason, earlier: [] });
    const typed = { ...given, target: { ...('target' in given && given.target), ...since('A') } };
    expect(await decided(typed, read)).toMatchObject({ kind: 'send', start: 'A' });
  });

  test('but stops if `covered` is gone', async () => {
    const given = { covered: 'gone' };
    await expect(decided(given)).rejects.toMatchObject({ topic: 'covered-gone' });
    expect(await decided({ ...given, target: since('A') })).toMatchObject({ kind: 'send' });
  });
});

describe('(4)', () => {
  const warns = { kind: 'send', warnings: [{ kind: 'doubt' }] };
  const sends = { kind: 'send', warnings: [] };
  const isDryRun = { isDryRun: true };
  test.for([
    ['warns of a call in doubt', { runs: [doubt] }, warns],
    [
      'warns of its own earlier claim',
      { runs: [callOf({ run: 2 })], asked: { attempt: 2 } },
      warns,
    ],
    ['does not warn of a doubt that is covered', { runs: [doubt], covered: 'C' }, sends],
    ['does not warn of one up to a typed `since`', { runs: [doubt], target: since('C') }, sends],
    ['warns of one after a typed `since`', { runs: [doubt], target: since('B') }, warns],
    [
      'leaves a doubt to a newer run',
      { runs: [{ ...doubt, to: 'E' }] },
      { kind: 'skip', reason: 'in-doubt', state: { covered: null, runs: [{ end: 'unknown' }] } },
    ],
    [
      'warns of a doubt about other changes of a pull request',
      { runs: [doubt], asked: { scope: 'pull' } },
      warns,
    ],
    [
      'does not warn of a doubt about another tag',
      { runs: [doubt], asked: { scope: 'tags' } },
      sends,
    ],
    [
      'does not warn a prompt without changes',
      { runs: [doubt], asked: { sendsChanges: false, scope: 'pull' } },
      sends,
    ],
    [
      'but warns that of its own earlier claim',
      { runs: [doubt, callOf({ run: 2 })], asked: { attempt: 2, sendsChanges: false } },
      warns,
    ],
    [
      'a dry run takes a running agent job for one that covers',
      { runs: [{ ...running, to: 'D' }], asked: isDryRun },
      { kind: 'skip', reason: 'covered', earlier: [] },
    ],
    [
      'a dry run takes a run that is calling for one that covers',
      { runs: [callOf({ to: 'D' })], asked: isDryRun },
      { kind: 'skip', reason: 'covered' },
    ],
    [
      'settles a call of what is covered, and does not move that back',
      { runs: [running], looks: [shown('archived')], covered: 'D', target: { to: 'E' } },
      { ...sends, state: { covered: 'D', runs: [{ end: 'archived' }] } },
    ],
    [
      'sends a pull request that is as it was before the last time',
      { runs: ['C', 'D'].map((to) => callOf({ to, end: 'archived' })), asked: { scope: 'pull' } },
      sends,
    ],
  ] as const)('%s', async ([, given, expected]) => {
    expect(await decided(given)).toMatchObject(expected);
  });

  const message = callOf({ job: 'job_1', message: PULL });
  const away = () => Promise.reject(new StepError('github', 'HTTP 503'));
  const is = (state: DocsPullState) => async () => state;
  test.for([
    ['open', is('open'), 'no-changes', 'C'],
    ['unreadable', is('unreadable'), 'no-changes', 'C'],
    ['elsewhere', is('elsewhere'), 'no-changes', 'C'],
    ['not to be read for now', away, 'no-changes', 'C'],
    ['merged', is('merged'), 'merged', 'B'],
    ['closed', is('closed'), 'closed', 'B'],
  ] as const)(
    'settles a message whose pull request is %s',
    async ([, docsPullState, end, start]) => {
      const looks = [shown('completed')];
      const decision = await decided({ runs: [message], looks, outside: { docsPullState } });
      const runs = start === 'C' ? [{ ...message, end, pull: PULL }] : [];
      const settled = { start, state: { covered: start, runs }, earlier: [{ end: { kind: end } }] };
      expect(decision).toMatchObject({ kind: 'send', ...settled });
    },
  );
});

describe('(5) the changes', () => {
  const PULL_LEDGER = { scope: 'pull' } as const;
  const nothing = { nothingFrom: async () => 'all-skipped' } satisfies Partial<Outside>;
  const completed = { runs: [running], looks: [shown('completed')] };
  test.for([
    ['up to its own commit are documented', { target: since('D') }, 'all-documented', 'D'],
    ['that need nothing are covered', { outside: nothing }, 'all-skipped', 'D'],
    ['but not in a pull request', { outside: nothing, asked: PULL_LEDGER }, 'all-skipped', 'A'],
  ] as const)('%s', async ([, given, reason, covered]) => {
    const decision = await decided({ covered: 'A', ...given });
    expect(decision).toMatchObject({ kind: 'skip', reason, state: { covered } });
  });

  test('up to a `since` ahead are a mistake, which changes nothing', async () => {
    const given = { ...completed, target: since('E') };
    const nothing = { earlier: [], state: stateOf([running]) };
    expect(await decided(given)).toMatchObject({ reason: 'since-ahead', ...nothing });
  });

  test.for([
    ['start where the event says, and a first run covers what is before them', {}, 'B', 'B'],
    ['start at `covered`', { covered: 'C' }, 'C', 'C'],
    ['of a pull request cover no commit', { asked: PULL_LEDGER, ...completed }, 'B', null],
  ] as const)('%s', async ([, given, start, covered]) => {
    expect(await decided(given)).toMatchObject({ kind: 'send', start, state: { covered } });
  });
});

describe('(6) with `append`, to a docs pull request that is', () => {
  const last = callOf({ job: 'job_1', pull: PULL, end: 'pull-request' });
  const before = { ...last, job: 'job_0', pull: `${PULL}0` };
  test.for([
    ['open', last, []],
    ['merged', undefined, []],
    ['closed', undefined, []],
    ['unreadable', undefined, [{ kind: 'unreadable', link: PULL }]],
    ['elsewhere', undefined, [{ kind: 'elsewhere', link: PULL }]],
  ] as const)('%s', async ([state, appendTo, warnings]) => {
    const outside = { docsPullState: async () => state };
    const given = { runs: [last, before], asked: { appends: true }, outside };
    const message = appendTo === undefined ? null : PULL;
    expect(await decided(given)).toMatchObject({ appendTo, warnings, claim: { message } });
    const refused = { ...given, asked: { appends: false } };
    expect(await decided(refused)).toMatchObject({ appendTo: undefined, warnings: [] });
  });
});
