/** Random choices that can be replayed and simplified. 0 is always the plainest one. */
export class Choices {
  /** All choices so far, in order. */
  readonly made: number[] = [];
  readonly #next: () => number;

  /**
   * Takes a seed, or earlier choices to replay. Beyond the end of a list, all choices are plain.
   */
  constructor(source: number | readonly number[]) {
    if (typeof source === 'number') {
      const random = randomFrom(source);
      this.#next = random;
    } else {
      let index = 0;
      this.#next = () => source[index++] ?? 0;
    }
  }

  /** From 0 to below `n`. */
  below(n: number): number {
    const chosen = Math.abs(Math.floor(this.#next())) % n;
    this.made.push(chosen);
    return chosen;
  }

  /** True once in `n` times. */
  oneIn(n: number): boolean {
    return this.below(n) === n - 1;
  }

  /** The first one is the plainest. */
  of<T>(all: readonly [T, ...T[]]): T {
    return all[this.below(all.length)] ?? all[0];
  }
}

/** https://gist.github.com/tommyettinger/46a874533244883189143505d203312c: a number below 2^32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Simplifies choices for as long as they stay broken: drops some, and makes others plain. */
export async function simplest(
  made: readonly number[],
  isBroken: (choices: readonly number[]) => Promise<boolean>,
): Promise<readonly number[]> {
  let best = made;
  const improve = async (candidate: readonly number[]) => {
    const isBetter = await isBroken(candidate);
    if (isBetter) best = candidate;
    return isBetter;
  };
  for (let before = -1; before !== weightOf(best); ) {
    before = weightOf(best);
    for (let size = 2 ** Math.floor(Math.log2(best.length || 1)); size >= 1; size /= 2) {
      for (let at = best.length - size; at >= 0; at -= size) {
        if (await improve(best.toSpliced(at, size))) continue;
        const part = best.slice(at, at + size);
        if (part.some((one) => one > 0)) {
          await improve(best.toSpliced(at, size, ...part.map(() => 0)));
        }
      }
    }
    for (let at = 0; at < best.length; at += 1) {
      while ((best[at] ?? 0) > 0 && (await improve(best.with(at, (best[at] ?? 0) - 1)))) {}
    }
  }
  return best;
}

const weightOf = (choices: readonly number[]) => choices.reduce((sum, one) => sum + one + 1, 0);
