import { formatDuration } from '../duration.ts';
import { backoffMs } from '../retry.ts';
import { count, quote } from '../text.ts';
import { type Job, type JobEnd, type JobState, stateOf } from './job.ts';
import type { Reading } from './reading.ts';
import type { Step, WaitEnd, WaitPlan, WaitState } from './wait-state.ts';

/** A job created here may not be readable at once. */
const NOT_FOUND_GRACE_MS = 30_000;
/** An end read this long after a follow-up message is believed, seen `active` before or not. */
const MESSAGE_GRACE_MS = 30_000;
/** The pull request's link may be filled a moment after `completed`. */
const LINK_PAUSE_MS = 2_000;
/** How long the second look for the link is tried when reading fails. */
const LINK_PATIENCE_MS = 30_000;
/** A last read is made this long before the deadline rather than none after the last interval. */
const LAST_READ_MS = 1_000;
const HEARTBEAT_MS = 60_000;

/** Decides after one reading: sleep so long, or stop so. Pure; `random` is from 0 to below 1. */
export function next(
  plan: WaitPlan,
  before: WaitState,
  reading: Reading,
  now: number,
  random: number,
): Step {
  const state = { ...before, reads: before.reads + 1 };
  switch (reading.kind) {
    case 'job':
      return afterJob(
        plan,
        { ...state, failures: 0, fault: undefined, job: reading.job },
        reading.job,
        now,
      );
    case 'passing':
      return afterFault(plan, state, reading, now, random);
    case 'missing': {
      const isYoung = plan.createdAt !== undefined && now - plan.createdAt < NOT_FOUND_GRACE_MS;
      return isYoung
        ? afterFault(plan, state, reading, now, random)
        : unreadable(state, reading, now);
    }
    case 'untrusted':
      // A connection that was trusted before may be so again.
      return state.job === undefined
        ? unreadable(state, reading, now)
        : afterFault(plan, state, reading, now, random);
    case 'refused':
      return unreadable(state, reading, now);
  }
}

function afterJob(plan: WaitPlan, before: WaitState, job: Job, now: number): Step {
  const jobState = stateOf(job);
  const state = { ...before, seenActive: before.seenActive || jobState === 'active' };
  if (plan.once) return { do: 'stop', state, end: { kind: 'read-once', job } };
  if (jobState === 'active' || jobState === 'unknown') {
    if (state.linkAwaited !== undefined) return endWithoutLink(state, state.linkAwaited.job, now);
    return keepWaiting(plan, state, job, jobState, plan.pollIntervalMs, now);
  }
  const believedAt =
    plan.messageAt === undefined || state.seenActive ? now : plan.messageAt + MESSAGE_GRACE_MS;
  if (now < believedAt) {
    const pause = Math.min(plan.pollIntervalMs, believedAt - now);
    return keepWaiting(plan, state, job, jobState, pause, now);
  }
  if (jobState === 'no-changes' && state.linkAwaited === undefined) {
    const linkAwaited = { job, until: now + LINK_PATIENCE_MS };
    return sleep(plan, { ...state, linkAwaited }, LINK_PAUSE_MS, now);
  }
  return ended(state, jobState, job, now);
}

function ended(state: WaitState, end: JobEnd, job: Job, now: number): Step {
  const took = formatDuration(now - state.startedAt);
  const say = `The job is ${quote(job.status)} after ${took} (${count(state.reads, 'read')}).`;
  return { do: 'stop', state, end: { kind: 'ended', end, job }, say };
}

/** The end that was read before the second look for the link came to nothing. */
function endWithoutLink(state: WaitState, job: Job, now: number): Step {
  return ended({ ...state, job }, 'no-changes', job, now);
}

function keepWaiting(
  plan: WaitPlan,
  state: WaitState,
  job: Job,
  jobState: JobState,
  pauseMs: number,
  now: number,
): Step {
  const isNews = job.status !== state.saidStatus;
  const isUnknown = jobState === 'unknown' && !state.unknownStatusWarned;
  const since = formatDuration(now - state.startedAt);
  const isOld = jobState !== 'active' && jobState !== 'unknown';
  const line = isOld
    ? `The job still reads ${quote(job.status)}, as before the message. Waiting for it to start on the message.`
    : `The job is ${isNews ? '' : 'still '}${quote(job.status)} after ${since} (${count(state.reads, 'read')}).`;
  const say = speak(state, isNews, line, now);
  const step = sleep(
    plan,
    {
      ...state,
      saidStatus: job.status,
      saidAt: say === undefined ? state.saidAt : now,
      unknownStatusWarned: state.unknownStatusWarned || isUnknown,
    },
    pauseMs,
    now,
  );
  if (step.do === 'stop') return step;
  return {
    ...step,
    ...(say === undefined ? {} : { say }),
    ...(isUnknown
      ? { warn: `The status ${quote(job.status)} is not known to this action; it waits on.` }
      : {}),
  };
}

function afterFault(
  plan: WaitPlan,
  before: WaitState,
  reading: { readonly fault: string; readonly retryAfterMs?: number | undefined },
  now: number,
  random: number,
): Step {
  const state = { ...before, failures: before.failures + 1, fault: reading.fault };
  const pause = backoffMs(state.failures, reading.retryAfterMs, random);
  if (state.linkAwaited !== undefined && now + pause >= state.linkAwaited.until) {
    return endWithoutLink(state, state.linkAwaited.job, now);
  }
  const line = `The job could not be read: ${reading.fault}. Trying again (${count(state.failures, 'failure')} in a row).`;
  const say = speak(state, false, line, now);
  const step = sleep(
    plan,
    { ...state, saidAt: say === undefined ? state.saidAt : now },
    pause,
    now,
  );
  return say === undefined || step.do === 'stop' ? step : { ...step, say };
}

/** News is said at once, everything else at most once a minute. */
function speak(state: WaitState, isNews: boolean, line: string, now: number): string | undefined {
  return isNews || now - state.saidAt >= HEARTBEAT_MS ? line : undefined;
}

function unreadable(
  state: WaitState,
  { kind, fault }: Extract<Reading, { readonly fault: string }>,
  now: number,
): Step {
  return giveUp(state, { kind: kind === 'missing' ? 'missing' : 'unreadable', fault }, now);
}

/** Stops without having read an end, unless one was read before the second look for the link. */
function giveUp(state: WaitState, end: WaitEnd, now: number): Step {
  if (state.linkAwaited !== undefined) return endWithoutLink(state, state.linkAwaited.job, now);
  return { do: 'stop', state, end };
}

/** Sleeps, but never past the deadline, and wakes for a last read just before it. */
export function sleep(plan: WaitPlan, state: WaitState, pauseMs: number, now: number): Step {
  const left = plan.deadline - now;
  if (left <= 0) return outOfTime(state, now);
  const lastRead = left - LAST_READ_MS;
  return { do: 'sleep', ms: Math.min(pauseMs, lastRead > 0 ? lastRead : left), state };
}

/** The stop when the deadline has passed: an end that was read counts. */
export function outOfTime(state: WaitState, now: number): Step {
  return giveUp(state, { kind: 'timed-out', fault: state.fault }, now);
}
