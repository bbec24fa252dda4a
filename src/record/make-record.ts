import type {
  Added,
  Called,
  LastJob,
  Range,
  RecordBody,
  Settled,
  StepRecord,
  Uncalled,
} from '../model/record.ts';
import { COVERAGE_NOT_KNOWN, RunError } from '../model/run-error.ts';
import type { Start } from '../model/start.ts';
import { isObjectId } from '../text/id.ts';
import { newRunSince } from '../text/words.ts';
import { hasRoomForJob, MAX_CODE_PULLS } from './record-line.ts';

/**
 * The record of a run that doesn't know its changes yet. `eventStart` is where its event says they
 * start.
 */
export function earlyBodyOf(key: string, eventStart: string | undefined): RecordBody {
  const isCommit = eventStart !== undefined && isObjectId(eventStart.replace(/\^$/, ''));
  return { key, eventStart: isCommit ? eventStart : undefined, pending: [], codePulls: [] };
}

/** What earlier runs determined. */
interface Before {
  readonly start: Start | undefined;
  readonly last: LastJob | 'none' | undefined;
}

/**
 * Returns the record of a run that knows its changes. `range.from` is where they actually start,
 * which differs from what earlier runs covered if GitHub no longer has that commit. `codePulls` are
 * the pull requests of this repository in the prompt. `ownHash` is the hash of a pull request's own
 * changes. Throws a `RunError` when the record is too long to keep.
 */
export function completeBodyOf(
  earlyBody: RecordBody,
  { start, last }: Before,
  range: Range | undefined,
  codePulls: readonly number[],
  ownHash?: string,
): RecordBody {
  const body: RecordBody = {
    ...earlyBody,
    range,
    ownHash,
    pending: start?.kind === 'from' && range !== undefined ? start.pending : [],
    last: typeof last === 'object' ? { id: last.id, at: last.at } : last,
    codePulls: codePulls.slice(0, MAX_CODE_PULLS),
  };
  // A re-run only needs the numbers for an output.
  const withoutCodePulls = { ...body, codePulls: [] };
  // Without the last agent job, a later run merely creates a new one.
  const shortest = { ...withoutCodePulls, last: undefined };
  const fitting = [body, withoutCodePulls, shortest].find(hasRoomForJob);
  if (fitting === undefined) throw new RunError(COVERAGE_NOT_KNOWN, TOO_LONG);
  return fitting;
}

const TOO_LONG = `No prompt was sent, because too many agent jobs of earlier runs are still running to keep a record of them all. Press "Re-run failed jobs" when some of them have ended, or ${newRunSince()}.`;

/** The record of a step that hasn't made a call, and so has sent no changes. */
export const uncalledRecord = (body: RecordBody, what: Uncalled): StepRecord => ({
  what,
  ...body,
  ownHash: undefined,
});

/**
 * The record of a skipped step on a pull request that knew what all earlier runs had sent, so that
 * later runs need not look at those again.
 */
export const settledRecord = (body: RecordBody, { at, ownHash, last }: Settled): StepRecord => ({
  what: { kind: 'none' },
  ...body,
  at,
  ownHash,
  last: body.last ?? last,
});

/** The record of a step whose call was, or may have been, accepted. `at` is in Unix seconds. */
export const calledRecord = (
  body: RecordBody,
  what: Called,
  at: number,
  added?: Added,
): StepRecord => ({ what, ...body, at, added });
