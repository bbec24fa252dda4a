import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from './effects.ts';

/** The machine's own clock. */
export const clock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  random: () => Math.random(),
  async handleSignals() {
    // Node looks for signals between its timers and its immediates. A timer may come before that, and
    // so may the first immediate, when the step goes on from an input that was just read.
    await nextTurn();
    await nextTurn();
  },
  async sleep(ms, signal) {
    const end = performance.now() + ms;
    // Node's timers count whole milliseconds and may fire a little early. They hold at most
    // 2^31 - 1 ms, and the longest wait here is a day.
    for (let leftMs = ms; ; leftMs = end - performance.now()) {
      await delay(Math.ceil(leftMs), undefined, { signal }).catch(() => undefined);
      if (signal.aborted || performance.now() >= end) return;
    }
  },
};
