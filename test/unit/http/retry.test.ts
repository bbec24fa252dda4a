import { describe, expect, test } from 'vitest';
import { Cancelled } from '../../../src/errors.ts';
import { backoffMs, parseRetryAfter, retry, type Try } from '../../../src/http.ts';
import { TestClock } from '../../support/clock.ts';
import { effectsOf } from '../../support/effects.ts';
import { RecordingRunner } from '../../support/runner.ts';

const again: Try<string> = { value: 'failed', again: { why: 'HTTP 503' } };
const done: Try<string> = { value: 'done' };

/** Tries with the given results in turn, the last one for ever. Returns when the tries started. */
function start(results: readonly Try<string>[], deadline = Number.POSITIVE_INFINITY) {
  const clock = new TestClock({ random: () => 0 });
  const cancel = new AbortController();
  const runner = new RecordingRunner();
  const startedAt: number[] = [];
  const attempt = async () => {
    startedAt.push(clock.now());
    return results[Math.min(startedAt.length, results.length) - 1] ?? done;
  };
  const result = retry(attempt, effectsOf({ clock, signal: cancel.signal, deadline, runner }));
  return { result, clock, cancel, runner, startedAt };
}

describe('retry', () => {
  test('tries again with a longer pause each time, and says so', async () => {
    const { result, startedAt, runner } = start([again, again, again, done]);
    expect(await result).toBe('done');
    expect(startedAt).toEqual([0, 500, 1_500, 3_500]);
    expect(runner.log[1]).toBe('HTTP 503. Trying again in 1 s.');
  });

  test('returns the last value once the next try would start after the deadline', async () => {
    const { result, clock, startedAt } = start([again], 10_000);
    expect(await result).toBe('failed');
    expect(startedAt).toEqual([0, 500, 1_500, 3_500, 7_500]);
    expect(clock.now()).toBe(7_500);
  });

  test('does not try again after a pause in which the machine slept past the deadline', async () => {
    const { result, clock, startedAt } = start([again, done], 10_000);
    clock.at(100, () => clock.advance(10_000));
    expect(await result).toBe('failed');
    expect(startedAt).toEqual([0]);
  });

  test('ends a pause with the reason of the signal', async () => {
    const { result, clock, cancel, startedAt } = start([again]);
    const cancelled = new Cancelled('SIGTERM');
    clock.at(600, () => cancel.abort(cancelled));
    await expect(result).rejects.toBe(cancelled);
    expect(startedAt).toEqual([0, 500]);
  });
});

test.for([
  [1, 0.5, undefined, 750],
  [99, 0, undefined, 30_000],
  [1, 0, 5_000, 5_000],
  [6, 0, 1_000, 16_000],
] as const)(
  'failure %d with random %d and Retry-After %s waits %d ms',
  ([n, random, asked, ms]) => {
    expect(backoffMs(n, random, asked)).toBe(ms);
  },
);

test.for([
  ['0', 0],
  ['120', 120_000],
  ['20, 20', 20_000],
  ['1.5', 1_500],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 30_000],
  ['Sun, 06 Nov 1994 08:49:00 GMT', 0],
  ['soon', undefined],
  [null, undefined],
] as const)('Retry-After %j asks to wait %s ms', ([header, ms]) => {
  expect(parseRetryAfter(header, Date.UTC(1994, 10, 6, 8, 49, 7))).toBe(ms);
});
