import { formatDuration } from '../lib/duration.ts';
import { backoffMs, MAX_READ_PAUSE_MS, MESSAGE_GRACE_MS } from '../lib/retry.ts';
import { pluralize, quote } from '../lib/text.ts';
import { endOf, isActive, type Job, type JobEnd, type WaitEnding } from './job.ts';
import type { ReadResult, Show } from './results.ts';

/** An agent job may not be readable at once, and a single 404 may come from a proxy. */
const NOT_FOUND_GRACE_MS = 30_000;
/** The pull request's link may be filled a moment after `completed`. */
const LINK_PAUSE_MS = 2_000;
/** How long the read that confirms an end is retried. */
const MAX_CONFIRM_MS = 30_000;
/** The last read is made this long before the deadline. */
const LAST_READ_MS = 1_000;
/** While nothing changes, a line is logged this often. */
const HEARTBEAT_MS = 60_000;

/** What the wait is for. Times are on the clock's scale, in ms. */
export interface WaitPlan {
  readonly pollIntervalMs: number;
  readonly deadline: number;
  /** When the create call of this run was accepted, if it made one. A 404 just after is tolerated. */
  readonly acceptedAtMs?: number;
  /** When the follow-up message was accepted, if one was sent. */
  readonly messageAtMs?: number;
  /**
   * When an agent job that an earlier attempt recorded began to be followed. A 404 just after is
   * tolerated too, unless the agent job was seen in this wait.
   */
  readonly followedFromMs?: number;
  /** Only one successful read is wanted (`wait: false`). */
  readonly once?: boolean;
}

export interface WaitState {
  readonly startedAtMs: number;
  readonly reads: number;
  /** Failed reads in a row, and the error of the last. */
  readonly failures: number;
  readonly lastError: string | undefined;
  /** The agent job as last read, or as the service answered when it was created or messaged. */
  readonly job: Job | undefined;
  /** How it ended, once an end was read that counts. */
  readonly end: JobEnd | undefined;
  /** A read of this wait showed the agent job. */
  readonly wasSeen: boolean;
  readonly loggedStatus: string | undefined;
  readonly loggedAtMs: number;
  readonly hasBeenActive: boolean;
  readonly hasWarnedOfStatus: boolean;
  /** An end that counts while the agent job is read once more, `untilMs` at most. */
  readonly confirming:
    | {
        readonly job: Job;
        readonly end: JobEnd;
        readonly untilMs: number;
        /** It is read for its link. Otherwise the response to its creation said the end. */
        readonly isForLink: boolean;
      }
    | undefined;
}

export interface WaitWarning {
  readonly title: string;
  readonly message: string;
}

/** What to do after a read: pause and read again, or stop. `log` and `warning` are for people. */
export type WaitDecision =
  | {
      readonly action: 'pause';
      readonly ms: number;
      readonly state: WaitState;
      readonly log: string | undefined;
      readonly warning: WaitWarning | undefined;
    }
  | {
      readonly action: 'stop';
      readonly state: WaitState;
      readonly ending: WaitEnding;
      readonly log: string | undefined;
      readonly warning: WaitWarning | undefined;
    };

/**
 * The state before the first read; `job` is the response to the create or message call. An end in
 * the response to a create call counts.
 */
export function initialWaitState(
  now: number,
  job: Job | undefined,
  { acceptedAtMs }: Pick<WaitPlan, 'acceptedAtMs'> = {},
): WaitState {
  const end = job === undefined || acceptedAtMs === undefined ? undefined : endOf(job);
  return {
    startedAtMs: now,
    reads: 0,
    failures: 0,
    lastError: undefined,
    job,
    end,
    wasSeen: false,
    loggedStatus: job?.status,
    loggedAtMs: now,
    hasBeenActive: false,
    hasWarnedOfStatus: false,
    confirming:
      job === undefined || end === undefined
        ? undefined
        : { job, end, untilMs: now + MAX_CONFIRM_MS, isForLink: false },
  };
}

/** Decides after one read. Pure; `random` is from 0 to below 1; `show` quotes a status. */
export function decideAfter(
  plan: WaitPlan,
  before: WaitState,
  read: ReadResult,
  now: number,
  random: number,
  show = quote,
): WaitDecision {
  const state = { ...before, reads: before.reads + 1 };
  switch (read.kind) {
    case 'job':
      return afterJob(
        plan,
        { ...state, failures: 0, lastError: undefined, job: read.job, wasSeen: true },
        read.job,
        now,
        show,
      );
    case 'temporary':
      return afterError(plan, state, read.error, now, random, read.retryAfterMs);
    case 'not-found':
      return isNotFoundTolerated(plan, state, now)
        ? afterError(plan, state, read.error, now, random)
        : giveUp(plan, state, { kind: 'not-found', error: errorOf(read) }, now);
    case 'untrusted':
      // A connection that was trusted before may be trusted again.
      return state.job === undefined
        ? giveUp(plan, state, { kind: 'unreadable', error: errorOf(read) }, now)
        : afterError(plan, state, read.error, now, random);
    case 'refused':
      return giveUp(plan, state, { kind: 'unreadable', error: errorOf(read) }, now);
  }
}

function isNotFoundTolerated(
  { acceptedAtMs, followedFromMs }: WaitPlan,
  { wasSeen }: WaitState,
  now: number,
): boolean {
  const fromMs = acceptedAtMs ?? (wasSeen ? undefined : followedFromMs);
  return fromMs !== undefined && now - fromMs < NOT_FOUND_GRACE_MS;
}

/** What went wrong, and what to do about it. */
function errorOf({ error, advice }: { readonly error: string; readonly advice: string }): string {
  return `${error}. ${advice}`;
}

function afterJob(
  plan: WaitPlan,
  before: WaitState,
  job: Job,
  now: number,
  show: Show,
): WaitDecision {
  const state = { ...before, hasBeenActive: before.hasBeenActive || isActive(job) };
  const end = endOf(job);
  if (end === undefined) {
    if (plan.once) return stop(state, { kind: 'started', job });
    if (state.confirming === undefined) return keepWaiting(plan, state, job, now, show);
    // What seemed to be the message's end was the one before it, if the agent begins only now.
    const isBeginning = plan.messageAtMs !== undefined && !before.hasBeenActive && isActive(job);
    return isBeginning || !state.confirming.isForLink
      ? keepWaiting(plan, { ...state, end: undefined, confirming: undefined }, job, now, show)
      : stopAtConfirmed(plan, state, state.confirming, now);
  }
  // Just after a message, a read may still show the old end.
  const endCountsAtMs =
    plan.messageAtMs === undefined || state.hasBeenActive
      ? now
      : plan.messageAtMs + MESSAGE_GRACE_MS;
  if (now < endCountsAtMs && !plan.once) {
    const pollIntervalMs = Math.min(plan.pollIntervalMs, endCountsAtMs - now);
    return keepWaiting({ ...plan, pollIntervalMs }, state, job, now, show);
  }
  if (end === 'no-changes' && !state.confirming?.isForLink && !plan.once) {
    const confirming = { job, end, untilMs: now + MAX_CONFIRM_MS, isForLink: true };
    return pauseDecision(plan, { ...state, end, confirming }, LINK_PAUSE_MS, now);
  }
  return stopAtEnd(plan, { ...state, end }, end, job, now);
}

function stopAtEnd(
  plan: WaitPlan,
  state: WaitState,
  end: JobEnd,
  job: Job,
  now: number,
): WaitDecision {
  const took = formatDuration(now - state.startedAtMs);
  const log = `The agent job is ${quote(job.status)} after ${took} (${pluralize(state.reads, 'read')}).`;
  const mayBeOld = plan.messageAtMs !== undefined && !state.hasBeenActive;
  return stop(state, { kind: 'ended', end, job }, log, mayBeOld ? MAY_BE_OLD : undefined);
}

const MAY_BE_OLD: WaitWarning = {
  title: 'Docs agent: the end may be an old one',
  message:
    'The agent job was never seen at work after the follow-up message, so this end may be the one before the message. Look at the agent job before you rely on it.',
};

/** The agent job is as it was when its end was read first. What was read since does not count. */
function stopAtConfirmed(
  plan: WaitPlan,
  state: WaitState,
  { job, end }: NonNullable<WaitState['confirming']>,
  now: number,
): WaitDecision {
  return stopAtEnd(plan, { ...state, job, end }, end, job, now);
}

function keepWaiting(
  plan: WaitPlan,
  state: WaitState,
  job: Job,
  now: number,
  show: Show,
): WaitDecision {
  const isNews = job.status !== state.loggedStatus;
  const hasEnded = endOf(job) !== undefined;
  const isUnknown = !hasEnded && !isActive(job);
  const status = show(job.status);
  const took = formatDuration(now - state.startedAtMs);
  const line = hasEnded
    ? `The agent job still has the status ${status} from before the message. Waiting for the agent to begin.`
    : `The agent job is ${isNews ? '' : 'still '}${status} after ${took} (${pluralize(state.reads, 'read')}).`;
  const warning =
    isUnknown && !state.hasWarnedOfStatus
      ? {
          title: 'Docs agent: unknown status',
          message: `The status ${status} is not known to this action. The step keeps waiting.`,
        }
      : undefined;
  return pauseDecision(
    plan,
    {
      ...state,
      loggedStatus: job.status,
      hasWarnedOfStatus: state.hasWarnedOfStatus || isUnknown,
    },
    plan.pollIntervalMs,
    now,
    { line, isDue: isNews || isHeartbeatDue(state, now), warning },
  );
}

function isHeartbeatDue({ loggedAtMs }: WaitState, now: number): boolean {
  return now - loggedAtMs >= HEARTBEAT_MS;
}

function afterError(
  plan: WaitPlan,
  before: WaitState,
  error: string,
  now: number,
  random: number,
  retryAfterMs?: number,
): WaitDecision {
  // If the deadline cut this read short, the error of the read before it says more.
  const isCut = now >= plan.deadline && before.lastError !== undefined;
  const lastError = isCut ? before.lastError : error;
  const state = { ...before, failures: before.failures + 1, lastError };
  const pauseMs = Math.min(MAX_READ_PAUSE_MS, backoffMs(state.failures, retryAfterMs, random));
  if (state.confirming !== undefined && now + pauseMs >= state.confirming.untilMs) {
    return stopAtConfirmed(plan, state, state.confirming, now);
  }
  const ms = pauseWithin(plan, pauseMs, now);
  const line = `The agent job could not be read: ${error}. Reading it again in ${formatDuration(ms)} (${pluralize(state.failures, 'failure')} in a row).`;
  const isDue = state.failures === 1 || ms > HEARTBEAT_MS || isHeartbeatDue(state, now);
  return pauseDecision(plan, state, pauseMs, now, { line, isDue });
}

/** Stops with `ending`, unless the agent job had ended and was only to be read once more. */
function giveUp(plan: WaitPlan, state: WaitState, ending: WaitEnding, now: number): WaitDecision {
  return state.confirming === undefined
    ? stop(state, ending)
    : stopAtConfirmed(plan, state, state.confirming, now);
}

function stop(
  state: WaitState,
  ending: WaitEnding,
  log?: string,
  warning?: WaitWarning,
): WaitDecision {
  return { action: 'stop', state, ending, log, warning };
}

/**
 * A pause before the next read. It never goes past the deadline: the last read is made just before
 * it. `news.line` is logged when it is due.
 */
export function pauseDecision(
  plan: WaitPlan,
  before: WaitState,
  pauseMs: number,
  now: number,
  news?: {
    readonly line: string;
    readonly isDue: boolean;
    readonly warning?: WaitWarning | undefined;
  },
): WaitDecision {
  if (now >= plan.deadline) return stopAtDeadline(plan, before, now);
  const log = news?.isDue ? news.line : undefined;
  return {
    action: 'pause',
    ms: pauseWithin(plan, pauseMs, now),
    state: log === undefined ? before : { ...before, loggedAtMs: now },
    log,
    warning: news?.warning,
  };
}

/** Milliseconds of a pause, shortened so that one more read fits in before the deadline. */
function pauseWithin({ deadline }: WaitPlan, pauseMs: number, now: number): number {
  const leftMs = deadline - now;
  const lastReadMs = leftMs - LAST_READ_MS;
  return Math.min(pauseMs, lastReadMs > 0 ? lastReadMs : leftMs);
}

/** Stops because the deadline has passed. An end that was read counts. */
export function stopAtDeadline(plan: WaitPlan, state: WaitState, now: number): WaitDecision {
  return giveUp(plan, state, { kind: 'timed-out', lastError: state.lastError }, now);
}
