import { expect, test } from 'vitest';
import { clock } from '../../../src/effects/clock.ts';

test('a sleep ends early when it is cancelled, and the clock still works', async () => {
  const started = clock.now();
  await clock.sleep(60_000, AbortSignal.timeout(20));
  expect(clock.now() - started).toBeLessThan(30_000);
  await clock.sleep(5, new AbortController().signal);
  expect(clock.date()).toBeGreaterThan(Date.UTC(2026, 0, 1));
  expect(clock.random()).toBeLessThan(1);
});

test('a pause is never shorter than it was asked to be, in fractions of a millisecond too', async () => {
  const { signal } = new AbortController();
  const early: number[] = [];
  for (let ms = 0.05; ms < 4; ms += 0.37) {
    const start = clock.now();
    await clock.sleep(ms, signal);
    if (clock.now() - start < ms) early.push(ms);
  }
  expect(early).toEqual([]);
});
