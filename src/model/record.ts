/** What a step leaves behind for later attempts and runs. record-line.ts writes and reads it. */

/**
 * What came of a step.
 * - `job`: the service accepted its call.
 * - `none`: nothing was to be documented.
 * - `todo`: certainly nothing was sent by this attempt.
 * - `unknown`: the service may have accepted the call.
 * - `asked`: a re-run stopped and asked a person. The rest of its record is a copy of the attempt's
 *   that it asked about.
 */
export type Recorded =
  | { readonly kind: 'job'; readonly id: string }
  | { readonly kind: 'none' | 'todo' | 'unknown' | 'asked' };

/**
 * A follow-up message whose addition is not certain yet. `missed`: a step saw that the agent was still
 * at work when its pull request was merged or closed.
 */
export type Added = Addition | 'missed';

export interface Addition {
  /** The pull request before the message, and the commit that it ended at. */
  readonly number: number;
  readonly head: string;
  /** When the message was sent, in Unix seconds. */
  readonly at: number;
}

/** An agent job that had not ended, with the commit that its changes start from. */
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

/** What a run says about changes and about the agent jobs of its step. Commits are object ids. */
export interface RecordBody {
  /** Where the event's own changes start, if its payload says so. `<commit>^` is its parent. */
  readonly begin?: string | undefined;
  /** The changes from here to `to` are this step's part. Missing when there was no start. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Earlier agent jobs that had not ended. The one that starts first comes first. */
  readonly open: readonly OpenJob[];
  /**
   * The agent job of this step before this run, for `pullRequest: append`; `none` when there is
   * certainly none to add to, so that no older run has to be looked at.
   */
  readonly last?: CalledJob | 'none' | undefined;
  /** The numbers of the source pull requests that the prompt told. */
  readonly pulls: readonly number[];
}

/** What tells the records of a step from others: 64-bit hashes in hexadecimal. */
export interface Identity {
  /** Of what tells this step and its task from others. */
  readonly key: string;
  /** Of everything that makes the prompt. */
  readonly inputs: string;
}

/** What a step leaves behind. GitHub keeps it as an annotation, where later runs read it. */
export interface StepRecord extends Identity, RecordBody {
  readonly what: Recorded;
  /** When the call was made, in Unix seconds. */
  readonly at?: number | undefined;
  /** The call was a follow-up message, and what the agent added is not certain yet. */
  readonly added?: Added | undefined;
}

/** A record that says which changes are its step's part. */
export type RangeRecord = StepRecord & { readonly to: string };
export const hasRange = (record: StepRecord): record is RangeRecord => record.to !== undefined;

/** The same text for records that say the same. */
export function outcomeOf({ inputs, what }: StepRecord): string {
  return `${inputs} ${what.kind} ${what.kind === 'job' ? what.id : ''}`;
}

/** The newest record with a `to`; of two that differ only in `added`, the one without it. */
export function newestRange(records: readonly StepRecord[]): RangeRecord | undefined {
  const ranges = records.filter(hasRange);
  const newest = ranges.at(-1);
  if (newest?.added === undefined) return newest;
  const isCertain = (other: RangeRecord) =>
    other.added === undefined && outcomeOf(other) === outcomeOf(newest);
  return ranges.find(isCertain) ?? newest;
}

/** The last agent job that a record names. */
export interface LastJob extends CalledJob {
  /** When it may have got a follow-up message whose end nobody has seen, in Unix seconds. */
  readonly messagedAt: number | undefined;
}

/** What the newest of the records that names an agent job, or none, says. Oldest record first. */
export function lastJobIn(records: readonly StepRecord[]): LastJob | 'none' | undefined {
  for (const { what, at = 0, added, last } of records.toReversed()) {
    if (what.kind === 'job') {
      return { id: what.id, at, messagedAt: added === undefined ? undefined : at };
    }
    if (last === 'none') return last;
    // One that was carried on does not say whether its last call was a message.
    if (last !== undefined) return { ...last, messagedAt: last.at };
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

/**
 * For this long a 404 is tolerated, in ms: the service may not know a new agent job at once, and a
 * single 404 may come from a proxy.
 */
export const NEW_JOB_MS = 30_000;

/** What "Re-run failed jobs" will do: follow the agent job, send the prompt, or stop and ask a person. */
export type RerunEffect = 'follows' | 'sends' | 'asks';
