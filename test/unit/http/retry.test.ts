import { describe, expect, test } from 'vitest';
import { Cancelled } from '../../../src/errors.ts';
import { backoffMs, parseRetryAfter, retry, type Try } from '../../../src/http.ts';
import { TestClock } from '../../support/clock.ts';

const again: Try<string> = { kind: 'again', error: new Error('HTTP 503') };
const done: Try<string> = { kind: 'done', value: 'done' };

/** Tries with the given results in turn, the last one for ever. Returns when the tries started. */
function start(results: readonly Try<string>[], deadline = Number.POSITIVE_INFINITY) {
  const clock = new TestClock({ random: () => 0 });
  const cancel = new AbortController();
  const startedAt: number[] = [];
  const lines: string[] = [];
  const attempt = async () => {
    startedAt.push(clock.now());
    const result = results[Math.min(startedAt.length, results.length) - 1];
    if (result === undefined) throw new Error('no result');
    return result;
  };
  const options = {
    clock,
    signal: cancel.signal,
    deadline,
    log: (line: string) => void lines.push(line),
  };
  return { result: retry(attempt, options), clock, cancel, startedAt, lines };
}

describe('retry', () => {
  test('tries again with a longer pause each time, and says so', async () => {
    const { result, startedAt, lines } = start([again, again, again, done]);
    expect(await result).toBe('done');
    expect(startedAt).toEqual([0, 500, 1_500, 3_500]);
    expect(lines[1]).toBe('HTTP 503. Trying again in 1 s.');
  });

  test('throws the last error once the next try would start after the deadline', async () => {
    const { result, clock, startedAt } = start([again], 10_000);
    await expect(result).rejects.toThrow('HTTP 503');
    expect(startedAt).toEqual([0, 500, 1_500, 3_500, 7_500]);
    expect(clock.now()).toBe(7_500);
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
  [1, 0, undefined, 500],
  [1, 0.5, undefined, 750],
  [4, 0, undefined, 4_000],
  [99, 0, undefined, 30_000],
  [1, 0, 5_000, 5_000],
  [6, 0, 1_000, 16_000],
] as const)(
  'failure %d with random %d and Retry-After %s waits %d ms',
  ([failures, random, retryAfterMs, ms]) => {
    expect(backoffMs(failures, random, retryAfterMs)).toBe(ms);
  },
);

test.for([
  ['0', 0],
  ['120', 120_000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 30_000],
  ['Sun, 06 Nov 1994 08:49:00 GMT', 0],
  ['soon', undefined],
  [null, undefined],
] as const)('Retry-After %j asks to wait %s ms', ([header, ms]) => {
  expect(parseRetryAfter(header, Date.UTC(1994, 10, 6, 8, 49, 7))).toBe(ms);
});
