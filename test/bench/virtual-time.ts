/**
 * Time for many runs in one process. It stands still while any run works, and jumps to the next
 * event once all of them wait, so that an hour of ten thousand runs takes seconds and has the same
 * result each time.
 */
import type { Clock } from '../../src/effects/effects.ts';

interface Event {
  readonly at: number;
  /** Events of the same time happen in the order in which they were added. */
  readonly order: number;
  readonly happen: () => void;
}

export class VirtualTime {
  #now = 0;
  #working = 0;
  #asked = 0;
  readonly #events: Event[] = [];
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Milliseconds since the start. */
  now(): number {
    return this.#now;
  }

  /** From 0 to below 1. */
  random(): number {
    return this.#random();
  }

  /** Resolves `ms` milliseconds later. Only to be called by a task of `runAll`. */
  wait(ms: number): Promise<void> {
    return new Promise((happen) => {
      this.#asked += 1;
      push(this.#events, { at: this.#now + Math.max(0, ms), order: this.#asked, happen });
      this.#stopWorking();
    });
  }

  /** Runs all tasks at once. The only thing a task may await that takes time is `wait`. */
  async runAll<T>(tasks: readonly (() => Promise<T>)[]): Promise<readonly T[]> {
    this.#working += tasks.length;
    return Promise.all(
      tasks.map(async (task) => {
        try {
          return await task();
        } finally {
          this.#stopWorking();
        }
      }),
    );
  }

  /** A clock for the action's own code. */
  clock(): Clock {
    return {
      now: () => this.#now,
      date: () => START_DATE + this.#now,
      random: () => this.#random(),
      sleep: (ms) => this.wait(ms),
    };
  }

  #stopWorking(): void {
    this.#working -= 1;
    if (this.#working > 0) return;
    const event = pop(this.#events);
    if (event === undefined) return;
    this.#now = event.at;
    this.#working += 1;
    event.happen();
  }
}

/** When virtual time starts, in ms since 1970. */
export const START_DATE = Date.UTC(2026, 0, 1);

/** Mulberry32: the same numbers for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// --- A binary heap of events, the earliest first ----------------------------------------------------

function isBefore(one: Event | undefined, other: Event | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined;
  return one.at === other.at ? one.order < other.order : one.at < other.at;
}

function push(heap: Event[], event: Event): void {
  let at = heap.length;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || !isBefore(event, parent)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = event;
}

function pop(heap: Event[]): Event | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const below = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
    const child = heap[below];
    if (child === undefined || !isBefore(child, last)) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = last;
  return first;
}
