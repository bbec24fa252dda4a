/**
 * A clock whose time passes only in its own sleeps, so that a test of hours takes no time: once every
 * run sleeps, time jumps to the sleeper that wakes first. Requests and processes take no time.
 *
 * Two runs that share a clock have to be started through `join`: without, a sleep of one of them could
 * jump past what the other is about to do. A run that waits for something else than a sleep of this
 * clock holds the time for all, so whoever makes it wait has to end that without this clock.
 */
import type { Clock } from '../../src/effects.ts';

interface Sleeper {
  readonly atMs: number;
  /** False for `at`, which holds up nobody. */
  readonly isRun: boolean;
  readonly wake: () => void;
}

const STARTED_AT = Date.UTC(2026, 10, 2, 9);

export class TestClock implements Clock {
  readonly random: () => number;
  #nowMs = 0;
  #sleepers: readonly Sleeper[] = [];
  #runs = 0;
  #isScheduled = false;

  constructor({ random = (): number => 0.5 } = {}) {
    this.random = random;
  }

  now = (): number => this.#nowMs;

  date = (): number => STARTED_AT + this.#nowMs;

  sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    let onAbort = (): void => undefined;
    const woken = new Promise<void>((resolve, reject) => {
      const sleeper = this.#add(ms, true, resolve);
      onAbort = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason);
      };
    });
    signal.addEventListener('abort', onAbort);
    await woken.finally(() => signal.removeEventListener('abort', onAbort));
  };

  /** Calls a function in `ms`, if time gets that far: `clock.at(40_000, () => cancel.abort())`. */
  at(ms: number, wake: () => void): void {
    this.#add(ms, false, wake);
  }

  /** Runs one of several that share this clock. */
  async join<T>(run: () => Promise<T>): Promise<T> {
    this.#runs += 1;
    try {
      return await run();
    } finally {
      this.#runs -= 1;
      this.#schedule();
    }
  }

  /** Lets time pass at once, without waking anybody in between. */
  advance(ms: number): void {
    this.#nowMs += ms;
  }

  #add(ms: number, isRun: boolean, wake: () => void): Sleeper {
    const sleeper = { atMs: this.#nowMs + Math.max(0, ms), isRun, wake };
    this.#sleepers = [...this.#sleepers, sleeper].sort((a, b) => a.atMs - b.atMs);
    this.#schedule();
    return sleeper;
  }

  /** Looks again once everything that can go on without I/O has. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#wakeNext();
    });
  }

  #wakeNext(): void {
    const asleep = this.#sleepers.filter(({ isRun }) => isRun).length;
    if (asleep < Math.max(1, this.#runs)) return;
    const [next, ...others] = this.#sleepers;
    if (next === undefined) return;
    this.#sleepers = others;
    this.#nowMs = Math.max(this.#nowMs, next.atMs);
    next.wake();
    this.#schedule();
  }
}
