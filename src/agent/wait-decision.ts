import { formatDuration } from '../lib/duration.ts';
import { backoffMs, MESSAGE_GRACE_MS } from '../lib/retry.ts';
import { pluralize, quote } from '../lib/text.ts';
import { endOf, isActive, type Job, type JobEnd, type WaitEnding } from './job.ts';
import type { ReadResult } from './results.ts';

/** An agent job created here may not be readable at once. */
const NOT_FOUND_GRACE_MS = 30_000;
/** The pull request's link may be filled a moment after `completed`. */
const LINK_PAUSE_MS = 2_000;
/** How long the second read for the link is retried. */
const MAX_LINK_WAIT_MS = 30_000;
/** The last read is made this long before the deadline. */
const LAST_READ_MS = 1_000;
/** While nothing changes, a line is logged this often. */
const HEARTBEAT_MS = 60_000;

/** What the wait is for. Times are on the clock's scale, in ms. */
export interface WaitPlan {
  readonly pollIntervalMs: number;
  readonly deadline: number;
  /** When this run created the agent job, if it did. */
  readonly createdAt?: number;
  /** When the follow-up message was accepted, if one was sent. */
  readonly messageAt?: number;
  /** Only one successful read is wanted (`wait: false`). */
  readonly once?: boolean;
}

export interface WaitState {
  readonly startedAt: number;
  readonly reads: number;
  /** Failed reads in a row, and the error of the last. */
  readonly failures: number;
  readonly lastError: string | undefined;
  /** The agent job as last read, or as the service answered when it was created or messaged. */
  readonly job: Job | undefined;
  /** How it ended, once an end was read that counts. */
  readonly end: JobEnd | undefined;
  readonly loggedStatus: string | undefined;
  readonly loggedAt: number;
  readonly hasBeenActive: boolean;
  readonly hasWarnedOfStatus: boolean;
  /** Set while a completed agent job is read again for its link, `until` this time at most. */
  readonly awaitingLink: { readonly job: Job; readonly until: number } | undefined;
}

/** What to do after a read: pause and read again, or stop. `log` and `warning` are for people. */
export type WaitDecision =
  | {
      readonly action: 'pause';
      readonly ms: number;
      readonly state: WaitState;
      readonly log: string | undefined;
      readonly warning: string | undefined;
    }
  | {
      readonly action: 'stop';
      readonly state: WaitState;
      readonly ending: WaitEnding;
      readonly log: string | undefined;
    };

/** The state before the first read; `job` is the answer to the create or message call. */
export function initialWaitState(now: number, job: Job | undefined): WaitState {
  return {
    startedAt: now,
    reads: 0,
    failures: 0,
    lastError: undefined,
    job,
    end: undefined,
    loggedStatus: job?.status,
    loggedAt: now,
    hasBeenActive: false,
    hasWarnedOfStatus: false,
    awaitingLink: undefined,
  };
}

/** Decides after one read. Pure; `random` is from 0 to below 1. */
export function decideAfter(
  plan: WaitPlan,
  before: WaitState,
  read: ReadResult,
  now: number,
  random: number,
): WaitDecision {
  const state = { ...before, reads: before.reads + 1 };
  switch (read.kind) {
    case 'job':
      return afterJob(
        plan,
        { ...state, failures: 0, lastError: undefined, job: read.job },
        read.job,
        now,
      );
    case 'temporary':
      return afterError(plan, state, read.error, now, random, read.retryAfterMs);
    case 'not-found': {
      const isYoung = plan.createdAt !== undefined && now - plan.createdAt < NOT_FOUND_GRACE_MS;
      return isYoung
        ? afterError(plan, state, read.error, now, random)
        : giveUp(state, { kind: 'not-found', error: errorOf(read) }, now);
    }
    case 'untrusted':
      // A connection that was trusted before may be trusted again.
      return state.job === undefined
        ? giveUp(state, { kind: 'unreadable', error: errorOf(read) }, now)
        : afterError(plan, state, read.error, now, random);
    case 'refused':
      return giveUp(state, { kind: 'unreadable', error: errorOf(read) }, now);
  }
}

/** What went wrong, and what to do about it. */
function errorOf({ error, advice }: { readonly error: string; readonly advice: string }): string {
  return `${error}. ${advice}`;
}

function afterJob(plan: WaitPlan, before: WaitState, job: Job, now: number): WaitDecision {
  const state = { ...before, hasBeenActive: before.hasBeenActive || isActive(job) };
  const end = endOf(job);
  if (end === undefined) {
    if (plan.once) return stop(state, { kind: 'started', job });
    if (state.awaitingLink !== undefined) {
      return stopWithoutLink(state, state.awaitingLink.job, now);
    }
    return keepWaiting(plan, state, job, plan.pollIntervalMs, now);
  }
  // Just after a message, a read may still show the old end.
  const endCountsAt =
    plan.messageAt === undefined || state.hasBeenActive ? now : plan.messageAt + MESSAGE_GRACE_MS;
  if (now < endCountsAt && !plan.once) {
    return keepWaiting(plan, state, job, Math.min(plan.pollIntervalMs, endCountsAt - now), now);
  }
  if (end === 'no-changes' && state.awaitingLink === undefined && !plan.once) {
    const awaitingLink = { job, until: now + MAX_LINK_WAIT_MS };
    return pauseDecision(plan, { ...state, end, awaitingLink }, LINK_PAUSE_MS, now);
  }
  return stopAtEnd({ ...state, end }, end, job, now);
}

function stopAtEnd(state: WaitState, end: JobEnd, job: Job, now: number): WaitDecision {
  const took = formatDuration(now - state.startedAt);
  const log = `The agent job is ${quote(job.status)} after ${took} (${pluralize(state.reads, 'read')}).`;
  return stop(state, { kind: 'ended', end, job }, log);
}

/** The agent job had completed, but no link appeared. */
function stopWithoutLink(state: WaitState, job: Job, now: number): WaitDecision {
  return stopAtEnd({ ...state, job }, 'no-changes', job, now);
}

function keepWaiting(
  plan: WaitPlan,
  state: WaitState,
  job: Job,
  pauseMs: number,
  now: number,
): WaitDecision {
  const isNews = job.status !== state.loggedStatus;
  const hasEnded = endOf(job) !== undefined;
  const isUnknown = !hasEnded && !isActive(job);
  const status = quote(job.status);
  const took = formatDuration(now - state.startedAt);
  const line = hasEnded
    ? `The agent job still has the status ${status} from before the message. Waiting for the agent to begin.`
    : `The agent job is ${isNews ? '' : 'still '}${status} after ${took} (${pluralize(state.reads, 'read')}).`;
  const warning =
    isUnknown && !state.hasWarnedOfStatus
      ? `The status ${status} is not known to this action. The step keeps waiting.`
      : undefined;
  return pauseDecision(
    plan,
    {
      ...state,
      loggedStatus: job.status,
      hasWarnedOfStatus: state.hasWarnedOfStatus || isUnknown,
    },
    pauseMs,
    now,
    { line, isDue: isNews || isHeartbeatDue(state, now), warning },
  );
}

function isHeartbeatDue({ loggedAt }: WaitState, now: number): boolean {
  return now - loggedAt >= HEARTBEAT_MS;
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
  const pauseMs = backoffMs(state.failures, retryAfterMs, random);
  if (state.awaitingLink !== undefined && now + pauseMs >= state.awaitingLink.until) {
    return stopWithoutLink(state, state.awaitingLink.job, now);
  }
  const ms = pauseWithin(plan, pauseMs, now);
  const line = `The agent job could not be read: ${error}. Reading it again in ${formatDuration(ms)} (${pluralize(state.failures, 'failure')} in a row).`;
  const isDue = state.failures === 1 || ms > HEARTBEAT_MS || isHeartbeatDue(state, now);
  return pauseDecision(plan, state, pauseMs, now, { line, isDue });
}

/** Stops with `ending`, unless the agent job had completed and only its link was awaited. */
function giveUp(state: WaitState, ending: WaitEnding, now: number): WaitDecision {
  if (state.awaitingLink !== undefined) return stopWithoutLink(state, state.awaitingLink.job, now);
  return stop(state, ending);
}

function stop(state: WaitState, ending: WaitEnding, log?: string): WaitDecision {
  return { action: 'stop', state, ending, log };
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
  news?: { readonly line: string; readonly isDue: boolean; readonly warning?: string | undefined },
): WaitDecision {
  if (now >= plan.deadline) return stopAtDeadline(before, now);
  const log = news?.isDue ? news.line : undefined;
  return {
    action: 'pause',
    ms: pauseWithin(plan, pauseMs, now),
    state: log === undefined ? before : { ...before, loggedAt: now },
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
export function stopAtDeadline(state: WaitState, now: number): WaitDecision {
  return giveUp(state, { kind: 'timed-out', lastError: state.lastError }, now);
}
