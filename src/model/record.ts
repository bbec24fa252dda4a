/** What a step leaves behind for later attempts and runs. record-line.ts writes and reads it. */

/**
 * What came of a step.
 * - `job`: the service accepted its call.
 * - `none`: nothing was to be documented.
 * - `todo`: certainly nothing was sent by this attempt.
 * - `unknown`: the service may have accepted the call.
 * - `asked`: a re-run stopped and asked a person.
 */
export type Recorded = Called | Uncalled;
/** A call was made. */
export type Called = { readonly kind: 'job'; readonly id: string } | { readonly kind: 'unknown' };
export type Uncalled = { readonly kind: 'none' | 'todo' | 'asked' };

/**
 * A follow-up message whose addition is not certain yet. `missed`: what the agent added may have
 * reached nobody, because its pull request was merged or closed by then.
 */
export type Added = Addition | 'missed';

interface Addition {
  /** The pull request before the message, and the commit that it ended at. */
  readonly number: number;
  readonly head: string;
  /** When the message was sent, in Unix seconds. */
  readonly at: number;
}

/** An agent job that was not certainly done, with the commit that its changes start from. */
export interface OpenJob {
  readonly id: string;
  readonly from: string;
  /** Its changes went to it as a follow-up message. */
  readonly added?: Added | undefined;
}

/** An agent job, and when it was last called, in Unix seconds. */
export interface CalledJob {
  readonly id: string;
  readonly at: number;
}

/** What a record says whatever came of its step. Commits are object ids. */
export interface RecordBody {
  /** A 64-bit hash in hexadecimal that tells this step from others. */
  readonly key: string;
  /**
   * Where the event's own changes start, if its payload says so. `<commit>^` is its parent. Missing
   * under `since: auto`: such a run covers only its own event, and others pass over it.
   */
  readonly begin?: string | undefined;
  /**
   * The changes from here to `to` are this step's range. `from` is missing when there was no start, and
   * both are where other runs do not build on this one: under `since: auto` with an event that says
   * itself where its changes start, and before the changes are known.
   */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /**
   * On a pull request under `last-success`, in the place of `begin`, `from`, `to` and `open`: a 64-bit
   * hash in hexadecimal of its changes as they were sent. The record of a call has it, and that of a run
   * that was skipped, because exactly these were certainly covered.
   */
  readonly own?: string | undefined;
  /** Earlier agent jobs that were not certainly done. The one that starts first comes first. */
  readonly open: readonly OpenJob[];
  /**
   * The agent job of this step before this run, for `pullRequest: append`; `none` when no older run
   * that could be read names one, so that none has to be looked at again.
   */
  readonly last?: CalledJob | 'none' | undefined;
  /** The numbers of the code pull requests that the prompt told. */
  readonly pulls: readonly number[];
}

/** What a step leaves behind. GitHub keeps it as an annotation, where later runs read it. */
export interface StepRecord extends RecordBody {
  readonly what: Recorded;
  /**
   * When the call was made, whether or not the service has accepted it, in Unix seconds. Of `none`, on a
   * pull request: when the step began to look at all runs before. What decided then is in this record,
   * and without `own`, none of them had sent anything.
   */
  readonly at?: number | undefined;
  /** The call was a follow-up message, and what the agent added is not certain yet. */
  readonly added?: Added | undefined;
}

/** What was certain about the changes of a pull request when a step looked at all runs before. */
export interface Settled {
  /** When it began to look, in Unix seconds. */
  readonly at: number;
  /** What an agent job has covered. `undefined`: nothing was ever sent. */
  readonly own: string | undefined;
  /** That agent job. */
  readonly last: CalledJob | undefined;
}

/** A record that says which changes are its step's range. */
export type RangeRecord = StepRecord & { readonly to: string };
const hasRange = (record: StepRecord): record is RangeRecord => record.to !== undefined;

/**
 * The record of a call that sent changes of a pull request, or may have, or of a run that was skipped and
 * knew what the runs before it had sent.
 */
export type OwnRecord = StepRecord & {
  readonly what: Called | { readonly kind: 'none' };
  readonly at: number;
};
function hasOwn(record: StepRecord): record is OwnRecord {
  const { kind } = record.what;
  const isCalled = kind === 'job' || kind === 'unknown';
  return record.at !== undefined && (kind === 'none' || (isCalled && record.own !== undefined));
}

/** Whether two records say the same of what came of a step. */
export const isSameOutcome = ({ what: a }: StepRecord, { what: b }: StepRecord): boolean =>
  a.kind === 'job' && b.kind === 'job' ? a.id === b.id : a.kind === b.kind;

/** The newest record with a `to`. */
export const newestRange = (records: readonly StepRecord[]) => records.findLast(hasRange);

/** The newest record that says what was sent of a pull request. */
export const newestOwn = (records: readonly StepRecord[]) => records.findLast(hasOwn);

/** The last agent job that a record names. */
export interface LastJob extends CalledJob {
  /** When it may have got a follow-up message whose end nobody has seen, in Unix seconds. */
  readonly messagedAt: number | undefined;
  /** The number of the pull request that the message was for, while what it added is not certain. */
  readonly messagedPull: number | undefined;
}

/** What the newest of the records that names an agent job, or none, says. Oldest record first. */
export function lastJobIn(records: readonly StepRecord[]): LastJob | 'none' | undefined {
  for (const { what, at = 0, added, last } of records.toReversed()) {
    if (what.kind === 'job') {
      const messagedPull = typeof added === 'object' ? added.number : undefined;
      return { id: what.id, at, messagedAt: added === undefined ? undefined : at, messagedPull };
    }
    if (last === 'none') return last;
    // One that was carried on does not say whether its last call was a message.
    if (last !== undefined) return { ...last, messagedAt: last.at, messagedPull: undefined };
  }
  return undefined;
}

/** Whole Unix seconds. */
export const unixSeconds = (ms: number) => Math.floor(ms / 1_000);

/**
 * An agent takes minutes, so after this many ms (2 h) the call before is over: a message that has
 * changed nothing by then changes nothing, and an agent job that has not ended hangs.
 */
export const CALL_OVER_MS = 2 * 60 * 60_000;

/** What "Re-run failed jobs" will do: follow the agent job, send the prompt, or stop and ask a person. */
export type RerunEffect = 'follows' | 'sends' | 'asks';
