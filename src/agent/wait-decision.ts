import { backoffMs } from '../effects/retry.ts';
import {
  endOf,
  type FollowedJob,
  isActive,
  type Job,
  type JobEnd,
  MESSAGE_GRACE_MS,
  type WaitEnding,
} from '../model/agent-job.ts';
import type { Annotation } from '../model/annotation.ts';
import { formatDuration } from '../text/duration.ts';
import { quote } from '../text/escape.ts';
import { pluralize } from '../text/words.ts';
import type { Fault, Result } from './results.ts';

/** The link to the pull request may appear a moment after `completed`. */
const LINK_PAUSE_MS = 2_000;
/** How long before the deadline the last read starts. */
const LAST_READ_MS = 1_000;
/** The longest `Retry-After` to honor, because the step sees nothing during a pause. */
const MAX_READ_PAUSE_MS = 10 * 60_000;
/**
 * How long the service must keep responding with 404 before that counts. The service may not know a
 * new agent job at once, and a single 404 may come from a proxy.
 */
export const NOT_FOUND_MS = 30_000;
/** How often to log a line while nothing changes. */
const HEARTBEAT_MS = 60_000;

/** The settings of a wait. */
export interface WaitPlan {
  readonly pollIntervalMs: number;
  /** On the clock's scale, in ms. */
  readonly deadline: number;
  /**
   * When the service accepted a follow-up message, in ms on the clock's scale; `undefined` without
   * one. For a while afterwards, reads may still show the agent job as it was before.
   */
  readonly messagedAtMs: number | undefined;
  /** Stop after one successful read (`wait: false`). */
  readonly isSingleRead: boolean;
}

/** How much longer an end may be from before the follow-up message, in ms. 0 without a message. */
export const oldEndLeftMs = ({ messagedAtMs }: Pick<WaitPlan, 'messagedAtMs'>, now: number) =>
  messagedAtMs === undefined ? 0 : Math.max(0, messagedAtMs + MESSAGE_GRACE_MS - now);

/** What to show people about a decision. */
interface WaitNews {
  readonly log?: string | undefined;
  readonly warning?: Omit<Annotation, 'level'> | undefined;
}

/** What to do after a read: pause and read again, or stop. */
export type WaitDecision = WaitNews & { readonly state: WaitState } & (
    | { readonly action: 'pause'; readonly ms: number }
    | { readonly action: 'stop'; readonly ending: WaitEnding }
  );

/** The input to a decision. `random` is at least 0 and below 1. `show` quotes a text. */
export interface Moment {
  readonly plan: WaitPlan;
  readonly now: number;
  readonly random: number;
  readonly show: typeof quote;
}

export type WaitState = Readonly<ReturnType<typeof initialWaitState>>;

/**
 * The state at the start of a wait. `job` is the response to the create or message call.
 * `wasActive` means that this step has read the agent job as `active` since its last message.
 * `lastError` is that of an earlier read.
 */
export function initialWaitState(
  now: number,
  job: Job | undefined,
  wasActive = false,
  lastError?: string,
) {
  const first: FollowedJob | undefined = job && { ...job, end: undefined };
  return {
    startedAtMs: now,
    reads: 0,
    /** Failed reads in a row, and the error of the last one. */
    failures: 0,
    lastError,
    /** The agent job as last read, or as in the response to the create or message call. */
    job: first,
    /** A read of this wait showed the agent job. */
    wasSeen: false,
    /** When the current series of 404s started. */
    notFoundFromMs: undefined as number | undefined,
    loggedStatus: job?.status,
    loggedAtMs: now,
    /** This step has read the agent job as `active` since its last message. */
    wasActive,
    hasWarnedOfStatus: false,
    /** A job that completed without a link, to read once more in case the link appears. */
    awaitingLink: undefined as EndedJob | undefined,
  };
}

type EndedJob = Job & { readonly end: JobEnd };

/** Decides what to do after one read. */
export function decideAfter(at: Moment, before: WaitState, read: Result): WaitDecision {
  const state = { ...before, reads: before.reads + 1 };
  if (read.kind === 'job') return afterJob(at, state, read.job);
  const advice = read.advice === undefined ? '' : ` ${read.advice}`;
  const error = `${read.error}.${advice}`;
  if (read.kind === 'not-found') {
    const { notFoundFromMs = at.now } = state;
    const leftMs = notFoundFromMs + NOT_FOUND_MS - at.now;
    return leftMs > 0
      ? afterFault(at, { ...state, notFoundFromMs }, { ...read, retryAfterMs: undefined }, leftMs)
      : giveUp(at, state, { kind: 'not-found', error });
  }
  if (read.kind === 'gone') return giveUp(at, state, { kind: 'not-found', error });
  // If an earlier connection was trusted, a later one may be too.
  const isUntrusted = read.kind === 'untrusted' && state.job === undefined;
  return isUntrusted || read.kind === 'refused'
    ? giveUp(at, state, { kind: 'unreadable', error })
    : afterFault(at, { ...state, notFoundFromMs: undefined }, read);
}

/** Stops with `ending`, unless the agent job had already ended and this was the extra read. */
function giveUp(at: Moment, state: WaitState, ending: WaitEnding): WaitDecision {
  if (state.awaitingLink !== undefined) return stopAtEnd(at, state, state.awaitingLink);
  return { action: 'stop', state, ending };
}

function afterJob(at: Moment, before: WaitState, job: Job): WaitDecision {
  const { plan, now } = at;
  const { pollIntervalMs, isSingleRead } = plan;
  const { awaitingLink } = before;
  const wasActive = before.wasActive || isActive(job);
  const end = endOf(job);
  const state: WaitState = {
    ...before,
    failures: 0,
    lastError: undefined,
    notFoundFromMs: undefined,
    wasSeen: true,
    wasActive,
    job: { ...job, end: undefined },
    awaitingLink: undefined,
  };
  const isOld = !wasActive && oldEndLeftMs(plan, now) > 0;
  if (end === undefined || isOld) {
    if (isSingleRead) return { action: 'stop', state, ending: { kind: 'started' } };
    const pauseMs = isOld ? Math.min(pollIntervalMs, oldEndLeftMs(plan, now)) : pollIntervalMs;
    return keepWaiting(at, state, job, pauseMs);
  }
  const ended = { ...job, end };
  if (isSingleRead || end !== 'no-changes' || awaitingLink !== undefined) {
    return stopAtEnd(at, state, ended);
  }
  return pauseDecision(at, { ...state, job: ended, awaitingLink: ended }, LINK_PAUSE_MS);
}

/** Stops with the agent job as it ended, and ignores later reads. */
function stopAtEnd(at: Moment, before: WaitState, job: EndedJob): WaitDecision {
  const { end } = job;
  const state = { ...before, job };
  const log = `The agent job is ${quote(job.status)} ${soFar(at, state)}.`;
  return { action: 'stop', state, ending: { kind: 'ended', end }, log };
}

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
  // If the deadline cut this read short, the error of the previous read is more useful.
  const isCut = now >= plan.deadline && before.lastError !== undefined;
  const lastError = isCut ? before.lastError : error;
  const failures = before.failures + 1;
  const state = { ...before, failures, lastError };
  const pauseMs = Math.min(maxPauseMs, backoffMs(failures, at.random, retryAfterMs));
  const ms = pauseWithin(at, pauseMs);
  const line = `The agent job could not be read: ${error}. Checking again in ${formatDuration(ms)}, after ${pluralize(failures, 'failed check')}.`;
  const isDue = failures === 1 || ms > HEARTBEAT_MS || now - state.loggedAtMs >= HEARTBEAT_MS;
  return pauseDecision(at, state, pauseMs, { log: isDue ? line : undefined });
}

/** Pauses before the next read, or stops once the deadline has passed. */
export function pauseDecision(
  at: Moment,
  before: WaitState,
  pauseMs: number,
  news: WaitNews = {},
): WaitDecision {
  if (at.now >= at.plan.deadline) return giveUp(at, before, { kind: 'timed-out' });
  const state = news.log === undefined ? before : { ...before, loggedAtMs: at.now };
  return { action: 'pause', ms: pauseWithin(at, pauseMs), state, ...news };
}

/** The length of a pause in ms, shortened so that one more read fits before the deadline. */
function pauseWithin({ plan: { deadline }, now }: Moment, pauseMs: number): number {
  const leftMs = deadline - now;
  const lastReadMs = leftMs - LAST_READ_MS;
  return Math.min(pauseMs, lastReadMs > 0 ? lastReadMs : leftMs);
}
