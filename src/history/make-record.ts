import type { ChangeRange } from '../model/changes.ts';
import type { Added, Called, RecordBody, Settled, StepRecord, Uncalled } from '../model/record.ts';
import { COVERAGE_NOT_KNOWN, RunError } from '../model/run-error.ts';
import { isObjectId } from '../text/id.ts';
import { newRunSince } from '../text/words.ts';
import { hasRoomForJob, MAX_CODE_PULLS } from './record-line.ts';
import type { Sending } from './verdict.ts';

/**
 * The record of a run that doesn't know its changes yet. `begin` is where its event says they
 * start.
 */
export function earlyBodyOf(key: string, begin: string | undefined): RecordBody {
  const isCommit = begin !== undefined && isObjectId(begin.replace(/\^$/, ''));
  return { key, begin: isCommit ? begin : undefined, open: [], pulls: [] };
}

/**
 * Returns the record of a run that knows its changes. `range.from` is where they actually start,
 * which differs from what earlier runs covered if GitHub no longer has that commit. `pulls` are the
 * pull requests of this repository in the prompt. `own` is the hash of a pull request's own
 * changes. Throws a `RunError` when the record is too long to keep.
 */
export function bodyOf(
  early: RecordBody,
  { start, open, last }: Pick<Sending, 'start' | 'open' | 'last'>,
  range: ChangeRange | undefined,
  pulls: readonly number[],
  own?: string,
): RecordBody {
  const body: RecordBody = {
    ...early,
    from: range?.from,
    to: range?.to,
    own,
    open: start?.kind === 'from' && range !== undefined ? open : [],
    last: typeof last === 'object' ? { id: last.id, at: last.at } : last,
    pulls: pulls.slice(0, MAX_CODE_PULLS),
  };
  // A re-run only needs the numbers for an output.
  const withoutPulls = { ...body, pulls: [] };
  // Without the last agent job, a later run merely creates a new one.
  const shortest = { ...withoutPulls, last: undefined };
  const fitting = [body, withoutPulls, shortest].find(hasRoomForJob);
  if (fitting === undefined) throw new RunError(COVERAGE_NOT_KNOWN, TOO_LONG);
  return fitting;
}

const TOO_LONG = `No prompt was sent, because too many agent jobs of earlier runs are still running to keep a record of them all. Press "Re-run failed jobs" when some of them have ended, or ${newRunSince('the first change to send')}.`;

/** The record of a step that hasn't made a call. */
export const uncalledRecord = (body: RecordBody, what: Uncalled): StepRecord => ({
  what,
  ...body,
  own: undefined,
});

/**
 * The record of a skipped step on a pull request that knew what all earlier runs had sent, so that
 * later runs need not look at those again.
 */
export const settledRecord = (body: RecordBody, { at, own, last }: Settled): StepRecord => ({
  what: { kind: 'none' },
  ...body,
  at,
  own,
  last: body.last ?? last,
});

/** The record of a step whose call was, or may have been, accepted. `at` is in Unix seconds. */
export const calledRecord = (
  body: RecordBody,
  what: Called,
  at: number,
  added?: Added,
): StepRecord => ({ what, ...body, at, added });
