/**
 * How GitHub lists the runs of a workflow. A branch's list comes from an index that lags behind.
 */

import { NEVER, SECOND } from './agents.ts';
import type { Choices } from './choices.ts';
import type { ListFault, Run } from './facts.ts';

/** Small pages test the order across several pages. The action reads at most ten. */
const MIN_PAGE = 3;
const PAGES = 9;

/**
 * What is wrong with the lists that an attempt gets, if anything. `last` is the newest run's
 * number.
 */
export function faultOf(choices: Choices, now: number, last: number): ListFault {
  const until = now + choices.of([30 * SECOND, 3 * SECOND, 90 * SECOND, NEVER]);
  return {
    kind: choices.of(['old', 'empty', 'reversed', 'mixed'] as const),
    until,
    // The list lacks the newest runs: one of them and all that follow.
    last: last - 1 - choices.below(4),
    isEverywhere: choices.oneIn(4),
  };
}

/** The runs as listed, of one branch or of all. GitHub lists at most `end` runs. */
export function listed(
  runs: readonly Run[],
  fault: ListFault | undefined,
  now: number,
  isOfBranch: boolean,
  end: number,
): readonly Run[] {
  const newestFirst = runs.toReversed();
  const isWrong = fault !== undefined && now < fault.until && (isOfBranch || fault.isEverywhere);
  if (!isWrong) return newestFirst;
  switch (fault.kind) {
    case 'empty':
      return [];
    case 'old':
      return newestFirst.filter(({ number }) => number <= fault.last);
    case 'reversed':
      return runs;
    case 'mixed': {
      // Every third run, then the next third, then the last, of those that GitHub lists.
      const newest = newestFirst.slice(0, end);
      const mixed = [0, 1, 2].flatMap((part) => newest.filter(({ number }) => number % 3 === part));
      return [...mixed, ...newestFirst.slice(end)];
    }
  }
}

/** The pages of a list, which GitHub ends after 1,000 runs, and this world possibly after fewer. */
export async function* pagesOf<T>(runs: readonly T[], end: number) {
  const last = Math.min(runs.length, end);
  const size = Math.max(MIN_PAGE, Math.ceil(runs.length / PAGES));
  for (let start = 0; start < Math.max(1, last); start += size) {
    yield { total: runs.length, runs: runs.slice(start, Math.min(last, start + size)) };
  }
}
