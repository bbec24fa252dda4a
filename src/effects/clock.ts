import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from './effects.ts';

/** The machine's own clock. */
export const clock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  random: () => Math.random(),
  async handleSignals() {
    // Node checks for signals between its timers and its immediates. A timer can run before that
    // check, and so can the first immediate when the step continues from input that was just read.
    await nextTurn();
    await nextTurn();
  },
  async sleep(ms, signal) {
    const end = performance.now() + ms;
    // Node's timers count whole milliseconds and may fire slightly early. They hold up to 2^31 - 1
    // ms, and the longest wait here is a day.
    for (let leftMs = ms; ; leftMs = end - performance.now()) {
      await delay(Math.ceil(leftMs), undefined, { signal }).catch(() => undefined);
      if (signal.aborted || performance.now() >= end) return;
    }
  },
};
