import { describe, expect, test } from 'vitest';
import type { Standing } from '../../../src/agent/job.ts';
import { StepError } from '../../../src/errors.ts';
import { decide } from '../../../src/ledger/decide.ts';
import type { DocsPullState, Outside } from '../../../src/ledger/outside.ts';
import { PULL, shown } from '../../support/agent-job.ts';
import { askedOf, callOf, type Given, HOUR_MS, NOW, stateOf, worldOf } from './given.ts';

/** What run 2 decides about a push from B to D, with what this says instead. */
async function decided(given: Given) {
  const { outside, clock, store } = worldOf(given);
  return decide(askedOf(given.asked), await store.read(), outside, clock.date);
}

const UNREADABLE: Standing = { kind: 'unreadable', said: 'HTTP 503' };
const running = callOf({ job: 'job_1' });
const completed = { runs: [running], looks: [shown('completed')] };
const doubt = callOf({ end: 'unknown' });
const since = (commit: string) => ({ since: { typed: commit, start: commit } });

test.for([
  ['cannot be read now', UNREADABLE, { kind: 'follow' }],
  ['has failed', shown('failed'), { kind: 'send', state: { runs: [] }, earlier: [{}] }],
] as const)('(2) for a re-run whose agent job %s', async ([, look, expected]) => {
  const call = { ...running, run: 2, at: NOW - 3 * HOUR_MS };
  // Whatever a typed `since` says.
  const given = { asked: { attempt: 2 }, runs: [call], looks: [look], target: since('A') };
  expect(await decided(given)).toMatchObject(expected);
});

describe('(4)', () => {
  const warns = { kind: 'send', warnings: [{ kind: 'doubt' }] };
  const sends = { kind: 'send', warnings: [] };
  test.for([
    ['warns of a call in doubt', { runs: [doubt] }, warns],
    [
      'warns of its own earlier claim',
      { runs: [callOf({ run: 2 })], asked: { attempt: 2 } },
      warns,
    ],
    ['does not warn of a doubt that is covered', { runs: [doubt], covered: 'C' }, sends],
    ['warns of one after a typed `since`', { runs: [doubt], target: since('B') }, warns],
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
      'a dry run takes a run that is calling for one that covers',
      { runs: [callOf({ to: 'D' })], asked: { isDryRun: true } },
      { kind: 'skip', reason: 'covered' },
    ],
    [
      'settles a call of what is covered, and does not move that back',
      { runs: [running], looks: [shown('archived')], covered: 'D', target: { to: 'E' } },
      { ...sends, state: { covered: 'D', runs: [{ end: 'archived' }] } },
    ],
    [
      'settles a call of a pull request, which covers no commit',
      { ...completed, asked: { scope: 'pull' } },
      { ...sends, start: 'B', state: { covered: null } },
    ],
    [
      'sends a pull request that is as it was before the last time',
      { runs: ['C', 'D'].map((to) => callOf({ to, end: 'archived' })), asked: { scope: 'pull' } },
      sends,
    ],
  ] as const)('%s', async ([, given, expected]) => {
    expect(await decided(given)).toMatchObject(expected);
  });

  const message = callOf({ job: 'job_1', messageTo: PULL });
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
  const nothing = { nothingFrom: async () => 'all-skipped' } satisfies Partial<Outside>;
  test.for([
    ['up to its own commit are documented', { target: since('D') }, 'all-documented', 'D'],
    ['that need nothing are covered', { outside: nothing }, 'all-skipped', 'D'],
    [
      'but not in a pull request',
      { outside: nothing, asked: { scope: 'pull' } },
      'all-skipped',
      'A',
    ],
  ] as const)('%s', async ([, given, reason, covered]) => {
    const decision = await decided({ covered: 'A', ...given });
    expect(decision).toMatchObject({ kind: 'skip', reason, state: { covered } });
  });

  test('up to a `since` ahead are a mistake, which changes nothing', async () => {
    const given = { ...completed, target: since('E') };
    const nothing = { earlier: [], state: stateOf([running]) };
    expect(await decided(given)).toMatchObject({ reason: 'since-ahead', ...nothing });
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
  ] as const)('%s', async ([state, recipient, warnings]) => {
    const outside = { docsPullState: async () => state };
    const given = { runs: [last, before], asked: { appends: true }, outside };
    expect(await decided(given)).toMatchObject({ recipient, warnings });
    const refused = { ...given, asked: { appends: false } };
    expect(await decided(refused)).toMatchObject({ recipient: undefined, warnings: [] });
  });
});
