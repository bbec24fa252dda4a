import type { Coverage } from './coverage.ts';
import type { Recorded, StepRecord } from './record.ts';

/**
 * What the record of this run says about changes. `range.from` is where they really start, which
 * differs from the coverage when GitHub no longer knows that commit. A named `since` has no coverage.
 */
export function partOf(
  coverage: Exclude<Coverage, { kind: 'newer' }> | undefined,
  range: { readonly from: string | undefined; readonly to: string },
  what: Recorded,
): Pick<StepRecord, 'from' | 'to' | 'open'> {
  if (coverage?.kind !== 'from') return { ...range, open: [] };
  const { sha, open, skippedFrom } = coverage;
  // If `paths` changes, the changes of every run that skipped them count again.
  const isSkippedAgain = what.kind === 'none' && range.from === sha;
  return { from: isSkippedAgain ? skippedFrom : range.from, to: range.to, open };
}
