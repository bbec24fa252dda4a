import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from './effects.ts';

/** The machine's own clock. */
export const clock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  random: () => Math.random(),
  async handleSignals() {
    // A timer that is due runs before the loop looks for signals, and an immediate after that. The
    // first one may have been set from the end of a turn, so only the second is behind a whole look.
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
