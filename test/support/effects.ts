import type { Effects } from '../../src/effects.ts';
import { TestClock } from './clock.ts';
import { RecordingRunner } from './runner.ts';

/** What a run does to the world: it has a day, nobody cancels it, and it reaches no service. */
export function effectsOf<More extends Partial<Effects>>(more: More) {
  const { signal } = new AbortController();
  const effects = {
    clock: new TestClock(),
    runner: new RecordingRunner(),
    fetch: () => Promise.reject(new Error('nothing is there')),
    signal,
    lateSignal: signal,
    deadline: 24 * 3_600_000,
  };
  return { ...effects, ...more };
}
