import { backoffMs, MESSAGE_GRACE_MS } from '../effects/retry.ts';
import {
  endOf,
  type FollowedJob,
  isActive,
  type Job,
  type JobEnd,
  type WaitEnding,
} from '../model/agent-job.ts';
import type { Annotation } from '../model/annotation.ts';
import { NEW_JOB_MS } from '../model/record.ts';
import { formatDuration } from '../text/duration.ts';
import { quote } from '../text/escape.ts';
import { pluralize } from '../text/words.ts';
import type { Fault, Result } from './results.ts';

/** The pull request's link may be filled a moment after `completed`. */
const LINK_PAUSE_MS = 2_000;
/** How long the read that confirms an end is retried. */
const MAX_CONFIRM_MS = 30_000;
/** The last read is made this long before the deadline. */
const LAST_READ_MS = 1_000;
/** The longest pause between two reads. A longer one would blind the step. */
const MAX_READ_PAUSE_MS = 10 * 60_000;
/** While nothing changes, a line is logged this often. */
const HEARTBEAT_MS = 60_000;

/** How the wait came to its agent job. Times are on the clock's scale, in ms. */
export type WaitOrigin =
  /** This run's create call was accepted. A 404 just after is tolerated. */
  | { readonly kind: 'created'; readonly atMs: number }
  /**
   * A follow-up message was accepted, here or, `isFollowed`, by an earlier attempt. Then a 404 before
   * the agent job is seen is tolerated.
   */
  | { readonly kind: 'messaged'; readonly atMs: number; readonly isFollowed: boolean }
  /** It is an earlier attempt's. A 404 before it is seen is tolerated. */
  | { readonly kind: 'followed' }
  /**
   * It is an earlier run's, which has to end before this one sends. `messagedAtMs`: when it may have got
   * a follow-up message.
   */
  | { readonly kind: 'earlier'; readonly messagedAtMs: number | undefined }
  /** Its id was given, or it was seen before. */
  | { readonly kind: 'given' };

/** What the wait is for. */
export interface WaitPlan {
  readonly pollIntervalMs: number;
  /** On the clock's scale, in ms. */
  readonly deadline: number;
  readonly origin: WaitOrigin;
  /** Only one successful read is wanted (`wait: false`). */
  readonly isSingleRead: boolean;
}

/** When the follow-up message was accepted, if the wait is for what comes of one. */
export function messageAtMs({ origin }: Pick<WaitPlan, 'origin'>): number | undefined {
  if (origin.kind === 'messaged') return origin.atMs;
  return origin.kind === 'earlier' ? origin.messagedAtMs : undefined;
}

/** What people are told of a decision. */
interface WaitNews {
  readonly log?: string | undefined;
  readonly warning?: Omit<Annotation, 'level'> | undefined;
}

/** What to do after a read: pause and read again, or stop. */
export type WaitDecision = WaitNews & { readonly state: WaitState } & (
    | { readonly action: 'pause'; readonly ms: number }
    | { readonly action: 'stop'; readonly ending: WaitEnding }
  );

/** When something is decided, and by what. `random` is from 0 to below 1. `show` quotes a text. */
export interface Moment {
  readonly plan: WaitPlan;
  readonly now: number;
  readonly random: number;
  readonly show: typeof quote;
}

export type WaitState = Readonly<ReturnType<typeof initialWaitState>>;

/** The state at first. `job` is a call's response; an end in it counts only after a create call. */
export function initialWaitState({ plan, now }: Moment, job: Job | undefined) {
  const end = job && plan.origin.kind === 'created' ? endOf(job) : undefined;
  const ended = job && end && { ...job, end };
  const first: FollowedJob | undefined = job && { ...job, end };
  return {
    startedAtMs: now,
    reads: 0,
    /** Failed reads in a row, and the error of the last. */
    failures: 0,
    lastError: undefined as string | undefined,
    /** The agent job as last read, or as in the response to the create or message call. */
    job: first,
    /** A read of this wait showed the agent job. */
    wasSeen: false,
    /** When the first of the last 404s in a row came. */
    notFoundFromMs: undefined as number | undefined,
    loggedStatus: job?.status,
    loggedAtMs: now,
    /** When a read of this wait last showed it at work, on the clock's scale. */
    lastActiveAtMs: undefined as number | undefined,
    hasWarnedOfStatus: false,
    /** An end that counts while the agent job is read once more: for its link, or to confirm it. */
    confirming: ended && { job: ended, untilMs: now + MAX_CONFIRM_MS, isForLink: false },
  };
}

/** Decides after one read. */
export function decideAfter(at: Moment, before: WaitState, read: Result): WaitDecision {
  const { plan, now } = at;
  const state = { ...before, reads: before.reads + 1 };
  if (read.kind === 'job') return afterJob(at, state, read.job);
  const error = `${read.error}. ${read.advice}`;
  if (read.kind === 'not-found') {
    const { notFoundFromMs = now } = state;
    // Tolerated for 30 s: from the creation here, or, of an earlier attempt's agent job that no read
    // has shown yet, from its first 404.
    const fromMs = toleratedFromMs(plan.origin, state.wasSeen, notFoundFromMs);
    const leftMs = fromMs + NEW_JOB_MS - now;
    return leftMs > 0
      ? afterFault(at, { ...state, notFoundFromMs }, { ...read, retryAfterMs: undefined }, leftMs)
      : giveUp(at, state, { kind: 'not-found', error });
  }
  if (read.kind === 'gone') return giveUp(at, state, { kind: 'not-found', error });
  // A connection that was trusted before may be trusted again.
  const isUntrusted = read.kind === 'untrusted' && state.job === undefined;
  return isUntrusted || read.kind === 'refused'
    ? giveUp(at, state, { kind: 'unreadable', error })
    : afterFault(at, { ...state, notFoundFromMs: undefined }, read);
}

/** From when on a 404 is tolerated for 30 s; `-Infinity` when none is. */
function toleratedFromMs(origin: WaitOrigin, wasSeen: boolean, notFoundFromMs: number): number {
  if (origin.kind === 'created') return origin.atMs;
  const isFollowed =
    origin.kind === 'followed' || (origin.kind === 'messaged' && origin.isFollowed);
  return isFollowed && !wasSeen ? notFoundFromMs : Number.NEGATIVE_INFINITY;
}

function afterJob(at: Moment, before: WaitState, job: Job): WaitDecision {
  const { plan, now } = at;
  const { confirming } = before;
  const lastActiveAtMs = isActive(job) ? now : before.lastActiveAtMs;
  const end = endOf(job);
  const read = { ...before, failures: 0, lastError: undefined, wasSeen: true, lastActiveAtMs };
  const state = { ...read, job: { ...job, end: before.job?.end } };
  if (end === undefined) {
    if (plan.isSingleRead) return { action: 'stop', state, ending: { kind: 'started' } };
    // What seemed to be the message's end was the one before it, if the agent begins only now.
    const isFirstActive = lastActiveAtMs !== undefined && before.lastActiveAtMs === undefined;
    const isBeginning = messageAtMs(plan) !== undefined && isFirstActive;
    const working = { ...read, job: { ...job, end }, confirming: undefined };
    return confirming?.isForLink && !isBeginning
      ? stopAtEnd(at, state, confirming.job)
      : keepWaiting(at, working, job, plan.pollIntervalMs);
  }
  const ended = { ...job, end };
  const sentAtMs = messageAtMs(plan);
  if (sentAtMs !== undefined && lastActiveAtMs === undefined) {
    // Just after a message, a read may still show the old end.
    const leftMs = sentAtMs + MESSAGE_GRACE_MS - now;
    if (leftMs > 0) {
      return plan.isSingleRead
        ? { action: 'stop', state, ending: { kind: 'started' } }
        : keepWaiting(at, state, job, Math.min(plan.pollIntervalMs, leftMs));
    }
  }
  if (plan.isSingleRead) return stopAtEnd(at, state, ended);
  if (end === 'no-changes' && !confirming?.isForLink) {
    const forLink = { job: ended, untilMs: now + MAX_CONFIRM_MS, isForLink: true };
    return pauseDecision(at, { ...read, job: ended, confirming: forLink }, LINK_PAUSE_MS);
  }
  return stopAtEnd(at, state, ended);
}

/** Stops with an end, and with the agent job as it was then. What was read since does not count. */
function stopAtEnd(at: Moment, before: WaitState, job: Job & { end: JobEnd }): WaitDecision {
  const { end } = job;
  const state = { ...before, job };
  const log = `The agent job is ${quote(job.status)} ${soFar(at, state)}.`;
  const mayBeOld = at.plan.origin.kind === 'messaged' && state.lastActiveAtMs === undefined;
  const warning = mayBeOld ? MAY_BE_OLD : undefined;
  return { action: 'stop', state, ending: { kind: 'ended', end }, log, warning };
}

const MAY_BE_OLD = {
  title: 'Docs agent: the end may be an old one',
  message:
    'The agent job was never seen at work after the follow-up message, so this end may be the one before the message. Look at the agent job before you rely on it.',
};

/** How long the wait has lasted, and how many reads it has made. */
const soFar = ({ now }: Moment, { startedAtMs, reads }: WaitState): string =>
  `after ${formatDuration(now - startedAtMs)} (${pluralize(reads, 'check')})`;

function keepWaiting(at: Moment, before: WaitState, job: Job, pauseMs: number): WaitDecision {
  const status = at.show(job.status);
  const isNews = job.status !== before.loggedStatus;
  const hasEnded = endOf(job) !== undefined;
  const line = hasEnded
    ? `The agent job still has the status ${status} from before the message. Waiting for the agent to begin.`
    : `The agent job is ${isNews ? '' : 'still '}${status} ${soFar(at, before)}.`;
  const log = isNews || at.now - before.loggedAtMs >= HEARTBEAT_MS ? line : undefined;
  const isUnknown = !hasEnded && !isActive(job);
  const unknown = {
    title: 'Docs agent: unknown status',
    message: `The status ${status} is not known to this action. The step keeps waiting.`,
  };
  const warning = isUnknown && !before.hasWarnedOfStatus ? unknown : undefined;
  const hasWarnedOfStatus = before.hasWarnedOfStatus || isUnknown;
  const state = { ...before, loggedStatus: job.status, hasWarnedOfStatus };
  return pauseDecision(at, state, pauseMs, { log, warning });
}

function afterFault(at: Moment, before: WaitState, fault: Fault, maxPauseMs = MAX_READ_PAUSE_MS) {
  const { plan, now } = at;
  const { error, retryAfterMs } = fault;
  // If the deadline cut this read short, the error of the read before it says more.
  const isCut = now >= plan.deadline && before.lastError !== undefined;
  const lastError = isCut ? before.lastError : error;
  const failures = before.failures + 1;
  const state = { ...before, failures, lastError };
  const pauseMs = Math.min(maxPauseMs, backoffMs(failures, at.random, retryAfterMs));
  const { confirming } = state;
  if (confirming && now + pauseMs >= confirming.untilMs) {
    return stopAtEnd(at, state, confirming.job);
  }
  const ms = pauseWithin(at, pauseMs);
  const line = `The agent job could not be read: ${error}. Checking again in ${formatDuration(ms)}, after ${pluralize(failures, 'failed check')}.`;
  const isDue = failures === 1 || ms > HEARTBEAT_MS || now - state.loggedAtMs >= HEARTBEAT_MS;
  return pauseDecision(at, state, pauseMs, { log: isDue ? line : undefined });
}

/** Stops with `ending`, unless the agent job had ended and was only to be read once more. */
function giveUp(at: Moment, state: WaitState, ending: WaitEnding): WaitDecision {
  if (state.confirming !== undefined) return stopAtEnd(at, state, state.confirming.job);
  return { action: 'stop', state, ending };
}

/** A pause before the next read, or the stop when the deadline has passed. */
export function pauseDecision(at: Moment, before: WaitState, pauseMs: number, news: WaitNews = {}) {
  if (at.now >= at.plan.deadline) return giveUp(at, before, { kind: 'timed-out' });
  const state = news.log === undefined ? before : { ...before, loggedAtMs: at.now };
  return { action: 'pause', ms: pauseWithin(at, pauseMs), state, ...news } as const;
}

/** Milliseconds of a pause, shortened so that one more read fits in before the deadline. */
function pauseWithin({ plan: { deadline }, now }: Moment, pauseMs: number): number {
  const leftMs = deadline - now;
  const lastReadMs = leftMs - LAST_READ_MS;
  return Math.min(pauseMs, lastReadMs > 0 ? lastReadMs : leftMs);
}
