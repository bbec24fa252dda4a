/** What a run reads, waits for, and writes. */
import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { shown } from '../../support/agent-job.ts';
import { callOf, HOUR_MS, MINUTE_MS, NOW, stateOf, worldOf } from './given.ts';

const ANEW = { isMessageRefused: false };
const running = callOf({ job: 'job_1' });
const active = shown('active');

/** Decides until a claim is made. */
async function claim(ledger: Ledger) {
  for (;;) {
    const turn = await ledger.next(ANEW);
    const claimed = turn.kind === 'send' && (await ledger.claim(turn, [41]));
    if (claimed) return claimed.call;
  }
}

test.for([
  ['nothing if nothing changes', { covered: 'D' }, []],
  ['nothing in a dry run', { asked: { isDryRun: true } }, []],
  ['what is covered now', {}, [stateOf([], 'D')]],
] as const)('a run that skips writes %s', async ([, given, expected]) => {
  const { ledger, pushed } = worldOf({
    ...given,
    outside: { nothingFrom: async () => 'no-start' },
  });
  expect(await ledger.next(ANEW)).toMatchObject({ kind: 'skip' });
  expect(pushed).toEqual(expected);
});

describe('a round of waiting', () => {
  test('asks for the tip and for the agent job, and reads nothing until that has ended', async () => {
    const looks = [active, active, active, shown('completed')];
    const { ledger, requests } = worldOf({ runs: [running], looks });
    await ledger.next(ANEW);
    const rounds = ['tip', 'look', 'tip', 'look', 'tip', 'look'];
    expect(requests).toEqual(['read', 'look', ...rounds, 'read', 'look']);
  });

  test('reads the ledger once that has moved', async () => {
    const { ledger, requests, clock, write } = worldOf({ runs: [running] });
    clock.at(15_000, () => write(stateOf([], 'D')));
    expect(await ledger.next(ANEW)).toMatchObject({ kind: 'skip', reason: 'covered' });
    expect(requests).toEqual(['read', 'look', 'tip', 'look', 'tip', 'read']);
  });

  test.for([
    ['a claim without an agent job is in doubt', callOf(), 10 * MINUTE_MS, { warnings: [{}] }],
    ['an agent job is stuck', running, 2 * HOUR_MS, { earlier: [{ end: { kind: 'stuck' } }] }],
  ] as const)('counts the time after which %s', async ([, call, ms, expected]) => {
    const { ledger, requests, clock } = worldOf({ runs: [call], waitUntil: 3 * HOUR_MS });
    expect(await ledger.next(ANEW)).toMatchObject({ kind: 'send', ...expected });
    expect(clock.now()).toBe(ms);
    expect(requests.filter((name) => name === 'read')).toHaveLength(2);
  });

  test.for([
    ['while the agent job is active', NOW, active],
    ['while it cannot be read', NOW - 3 * HOUR_MS, { kind: 'unreadable', said: 'HTTP 503' }],
  ] as const)('counts until half of `timeout` is over, %s', async ([, at, look]) => {
    const given = { runs: [{ ...running, at }], looks: [look], waitUntil: 150_000 };
    const { ledger, clock, runner, requests } = worldOf(given);
    await expect(ledger.next(ANEW)).rejects.toMatchObject({ topic: 'other-run' });
    expect([clock.now(), requests.filter((name) => name === 'read')]).toEqual([150_000, ['read']]);
    const line = 'Agent job `job_1` of workflow run 1 is still active.';
    expect(runner.log).toEqual([line, `${line} Waiting for 1 min.`, `${line} Waiting for 2 min.`]);
  });
});

describe('a claim', () => {
  test('is tried 20 times, and the error has what the server said last', async () => {
    const { ledger, tries } = worldOf({ pushes: 0 });
    const message = expect.stringContaining('in 20 tries (`no 20`), so nothing was sent');
    await expect(claim(ledger)).rejects.toMatchObject({ topic: 'ledger-busy', message });
    expect(tries).toHaveLength(20);
  });

  test.for([
    ['heads', {}, 'start a new run with `since` set to `B`'],
    ['heads', { start: undefined }, 'start a new run'],
    ['pull', {}, expect.stringMatching(/^push to the pull request again, or .*`codePullRequest`$/)],
  ] as const)('that %s is denied with %j names what to start', async ([scope, target, detail]) => {
    const { ledger } = worldOf({ asked: { scope }, target, pushes: 0, refusal: 'denied' });
    await expect(claim(ledger)).rejects.toMatchObject({ topic: 'write-denied', detail });
  });
});

test('after a cancel, a claim is taken back for 2 s', async () => {
  const cancel = new AbortController();
  const { ledger, tries } = worldOf({ pushes: 1, signals: { signal: cancel.signal } });
  await claim(ledger);
  cancel.abort();
  await ledger.takeBack();
  expect(tries.at(-1)).toBeLessThan(2);
  expect(tries.length).toBeGreaterThan(2);
});

test('what became of a call is recorded although another run took the call for a doubt', async () => {
  const { ledger, pushed } = worldOf({ runs: [callOf({ end: 'unknown' })] });
  // From the response on, as the clocks of the rules run.
  const accepted = { ...running, at: NOW + 1 };
  const recorded = await ledger.recordOnce(accepted, { kind: 'accepted' }, 15_000);
  expect(recorded).toEqual({ kind: 'recorded' });
  expect(pushed).toEqual([stateOf([accepted])]);
});

test('nothing is tried again once the time after a cancel is over', async () => {
  const { ledger, tries } = worldOf({
    runs: [running],
    pushes: 0,
    signals: { lateSignal: AbortSignal.abort() },
  });
  await ledger.record(running, { kind: 'in-doubt' }, 'It', 60_000);
  expect(tries).toHaveLength(1);
});
