/**
 * The record that a step leaves for later attempts and runs. record-line.ts writes and reads it.
 */

/**
 * The outcome of a step.
 * - `job`: the service accepted its call.
 * - `none`: nothing needs to be sent.
 * - `todo`: this attempt certainly sent nothing.
 * - `unknown`: the service may have accepted the call.
 * - `asked`: this attempt stopped, so that a person decides whether to send the prompt.
 */
export type Recorded = Called | Uncalled;
/** A call was made. */
export type Called = { readonly kind: 'job'; readonly id: string } | { readonly kind: 'unknown' };
export type Uncalled = { readonly kind: 'none' | 'todo' | 'asked' };

/**
 * A follow-up message whose addition is not yet certain. `missed` means that the addition may have
 * reached nobody, because the pull request was merged or closed by then.
 */
export type Added = Addition | 'missed';

interface Addition {
  /** The pull request and its head commit before the message. */
  readonly number: number;
  readonly head: string;
  /** When the message was sent, in Unix seconds. */
  readonly at: number;
}

/** An agent job that may not be done, with the commit at which its changes start. */
export interface PendingJob {
  readonly id: string;
  readonly from: string;
  /** The job got these changes as a follow-up message. */
  readonly added?: Added | undefined;
}

/** The changes that a run covers. Without `from`, they have no start. Commits are object IDs. */
export interface Range {
  readonly from: string | undefined;
  readonly to: string;
}

/** An agent job, and when it was last called, in Unix seconds. */
export interface CalledJob {
  readonly id: string;
  readonly at: number;
}

/** The part of a record that doesn't depend on the step's outcome. Commits are object IDs. */
export interface RecordBody {
  /** A 64-bit hash in hexadecimal that identifies this step. */
  readonly key: string;
  /**
   * Where the event's own changes start, if its payload says so. `<commit>^` is the parent. Missing
   * under `since: auto`, where it is only for this run.
   */
  readonly eventStart?: string | undefined;
  /**
   * The changes of this step, even those that its prompt leaves out. Missing when other runs don't
   * build on this one: before the changes are known, and under `since: auto` if the event defines
   * where its changes start.
   */
  readonly range?: Range | undefined;
  /**
   * On a pull request under `last-success`, replaces `eventStart`, `range` and `pending`: a
   * 64-bit hash in hexadecimal of the changes as sent. In the record of a call, and of a run that
   * was skipped because exactly these changes were certainly covered.
   */
  readonly ownHash?: string | undefined;
  /** Earlier agent jobs that may not be done, ordered by where their changes start. */
  readonly pending: readonly PendingJob[];
  /**
   * The step's agent job before this run, for `pullRequest: append`. `none` means that no readable
   * older run names one, so that later runs need not look again. In the record of a message to the
   * agent job in `jobId`, this job if it had a pull request before. In the record of a skipped run
   * on a pull request, the job that covered its changes.
   */
  readonly last?: CalledJob | 'none' | undefined;
  /** The numbers of the code pull requests in the prompt. */
  readonly codePulls: readonly number[];
}

/** The record that a step leaves. GitHub keeps it as an annotation, where later runs read it. */
export interface StepRecord extends RecordBody {
  readonly what: Recorded;
  /**
   * When the call was made, accepted or not, in Unix seconds. In a `none` record of a pull request:
   * when the step began to read all earlier runs. The record then includes what they decided.
   * Without `ownHash`, none of them had sent anything.
   */
  readonly at?: number | undefined;
  /** Set if the call was a follow-up message whose addition is not yet certain. */
  readonly added?: Added | undefined;
}

/** What was certain about a pull request's changes when a step read all earlier runs. */
export interface Settled {
  /** When the step began to read them, in Unix seconds. */
  readonly at: number;
  /** The changes that an agent job has covered. `undefined` if nothing was ever sent. */
  readonly ownHash: string | undefined;
  /** The agent job that covered them. */
  readonly last: CalledJob | undefined;
}

/** A record that says which changes the step covers. */
export type RangeRecord = StepRecord & { readonly range: Range };
const hasRange = (record: StepRecord): record is RangeRecord => record.range !== undefined;

/**
 * The record of a call that sent, or may have sent, changes of a pull request, or of a skipped run
 * that knew what earlier runs had sent.
 */
export type PullRecord = StepRecord & {
  readonly what: Called | { readonly kind: 'none' };
  readonly at: number;
};
function saysWhatWasSent(record: StepRecord): record is PullRecord {
  const { kind } = record.what;
  const isCalled = kind === 'job' || kind === 'unknown';
  return record.at !== undefined && (kind === 'none' || (isCalled && record.ownHash !== undefined));
}

/** Whether two records have the same outcome. */
export const isSameOutcome = ({ what: a }: StepRecord, { what: b }: StepRecord): boolean =>
  a.kind === 'job' && b.kind === 'job' ? a.id === b.id : a.kind === b.kind;

/** The newest record with a range. */
export const newestWithRange = (records: readonly StepRecord[]) => records.findLast(hasRange);

/** The newest record that says what was sent of a pull request. */
export const newestPullRecord = (records: readonly StepRecord[]) =>
  records.findLast(saysWhatWasSent);

/** The last agent job that a record names. */
export interface LastJob extends CalledJob {
  /**
   * When the job may have got a follow-up message, in Unix seconds, if no run has seen the end
   * since.
   */
  readonly messagedAt: number | undefined;
  /** The number of the pull request that the message was for, while its addition is uncertain. */
  readonly messagedPull: number | undefined;
}

/** The agent job, or `none`, in the newest record that names either. `records` are oldest first. */
export function lastJobIn(records: readonly StepRecord[]): LastJob | 'none' | undefined {
  for (const { what, at = 0, added, last } of records.toReversed()) {
    if (what.kind === 'job') {
      const messagedPull = typeof added === 'object' ? added.number : undefined;
      return { id: what.id, at, messagedAt: added === undefined ? undefined : at, messagedPull };
    }
    if (last === 'none') return last;
    // A job carried over from an older record doesn't say whether its last call was a message.
    if (last !== undefined) return { ...last, messagedAt: last.at, messagedPull: undefined };
  }
  return undefined;
}

/**
 * Which later run checks what became of this one.
 * - `next`: the next one, unless a person gives it a start.
 * - `nobody`: a newer run recorded a range, so this run waits for its agent job to end.
 * - `unknown`: this run hasn't determined that.
 */
export type LookedAtBy = 'next' | 'nobody' | 'unknown';

/** Whole Unix seconds. */
export const unixSeconds = (ms: number) => Math.floor(ms / 1_000);

/**
 * The longest time that an agent can work on a prompt, in ms (2 h). Agents take minutes, so later
 * than this, a message changes nothing more, and an agent job that hasn't ended hangs.
 */
export const WORK_OVER_MS = 2 * 60 * 60_000;

/** What "Re-run failed jobs" does next: follow the agent job, send the prompt, or stop and ask. */
export type RerunEffect = 'follows' | 'sends' | 'asks';
