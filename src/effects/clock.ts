import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './effects.ts';

/** The machine's own clock. */
export const clock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  random: () => Math.random(),
  async sleep(ms, signal) {
    // Node's timers hold at most 2^31 - 1 ms; the longest wait here is a day.
    await delay(ms, undefined, { signal }).catch(() => undefined);
  },
};
