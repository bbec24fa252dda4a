/** How GitHub lists the runs of a workflow: those of a branch come from an index that lags. */

import { NEVER, SECOND } from './agents.ts';
import type { Choices } from './choices.ts';
import type { ListFault, Run } from './facts.ts';

/** Small pages show what the order of several is worth. More than ten are not read. */
const MIN_PAGE = 3;
const PAGES = 9;

/** What is wrong with the lists that an attempt gets, if anything is. `last`: the newest run's number. */
export function faultOf(choices: Choices, now: number, last: number): ListFault {
  const until = now + choices.of([30 * SECOND, 3 * SECOND, 90 * SECOND, NEVER]);
  return {
    kind: choices.of(['old', 'empty', 'reversed', 'mixed'] as const),
    until,
    // It lacks the newest runs, or one and all after it.
    last: last - 1 - choices.below(4),
    isEverywhere: choices.oneIn(4),
  };
}

/** The runs as they are listed, of one branch or of all. */
export function listed(
  runs: readonly Run[],
  fault: ListFault | undefined,
  now: number,
  isOfBranch: boolean,
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
    case 'mixed':
      // A third of them stands behind the others.
      return [0, 1, 2].flatMap((part) => newestFirst.filter(({ number }) => number % 3 === part));
  }
}

/** The pages of a list, which GitHub ends after some runs: after 1,000, or after fewer in this world. */
export async function* pagesOf<T>(runs: readonly T[], end: number) {
  const last = Math.min(runs.length, end);
  const size = Math.max(MIN_PAGE, Math.ceil(runs.length / PAGES));
  for (let start = 0; start < Math.max(1, last); start += size) {
    yield { total: runs.length, runs: runs.slice(start, Math.min(last, start + size)) };
  }
}
