import type { Clock, Effects } from '../effects/effects.ts';
import { type Job, type JobRead, MESSAGE_GRACE_MS, type WaitEnding } from '../model/agent-job.ts';
import { formatDuration } from '../text/duration.ts';
import { quote } from '../text/escape.ts';
import type { AgentApi } from './api.ts';
import type { Result } from './results.ts';
import {
  decideAfter,
  initialWaitState,
  type Moment,
  NOT_FOUND_MS,
  oldEndLeftMs,
  pauseDecision,
  type WaitPlan,
  type WaitState,
} from './wait-decision.ts';

/** How a wait ended, or the error that ended it, with the state of what it read. */
type Waited = { readonly state: WaitState } & (
  | { readonly kind: 'decided'; readonly ending: WaitEnding }
  | { readonly kind: 'threw'; readonly error: unknown }
);

/** What is known before a wait, and how long to pause before the first read, in ms. */
export interface BeforeWait {
  readonly job: Job | undefined;
  /** This step has read the agent job as `active` since its last message. */
  readonly wasActive: boolean;
  /** Why this step could not read the agent job before. */
  readonly lastError?: string | undefined;
  readonly firstPauseMs: number;
}

/**
 * Reads an agent job until it ends or the deadline passes. Never rejects: after a cancel, `error`
 * is the signal's reason.
 */
export async function waitForEnd(
  plan: WaitPlan,
  before: BeforeWait,
  read: () => Promise<Result>,
  { clock, runner, signal }: Pick<Effects, 'clock' | 'runner' | 'signal'>,
): Promise<Waited> {
  const show = (status: string) => quote(runner.clean(status));
  const moment = (): Moment => ({ plan, now: clock.now(), random: clock.random(), show });
  const first = moment();
  const { job, wasActive, lastError, firstPauseMs } = before;
  const state = initialWaitState(first.now, job, wasActive, lastError);
  let decision = pauseDecision(first, state, firstPauseMs);
  try {
    while (decision.action === 'pause') {
      await clock.sleep(decision.ms, signal);
      signal.throwIfAborted();
      if (clock.now() >= plan.deadline) {
        decision = pauseDecision(moment(), decision.state, 0);
      } else {
        const result = await read();
        // Ignore a read that a cancel aborted.
        if (result.kind !== 'job') signal.throwIfAborted();
        decision = decideAfter(moment(), decision.state, result);
      }
      // An end counts even if a cancel arrives with it.
      if (decision.action === 'pause') signal.throwIfAborted();
      if (decision.log !== undefined) runner.info(decision.log);
      const { warning } = decision;
      if (warning !== undefined) runner.annotate('warning', warning.title, warning.message);
    }
  } catch (error) {
    return { kind: 'threw', state: decision.state, error };
  }
  return { kind: 'decided', state: decision.state, ending: decision.ending };
}

/** Converts Unix seconds to ms on the clock's scale. A time in the future becomes now. */
export const onClock = (at: number, clock: Pick<Clock, 'now' | 'date'>): number =>
  clock.now() - Math.max(0, clock.date() - at * 1_000);

/** How long {@link readOnce} retries, as a share of `timeout`. */
const MAX_SHARE = 1 / 3;
/** Long enough for a 404 to count. */
const MIN_RETRY_MS = NOT_FOUND_MS + 10_000;
const RETRY_INTERVAL_MS = 1_000;

/**
 * Reads an agent job of an earlier run or attempt once. Retries failures for a third of `timeout`,
 * or 40 s if that is longer, and then returns the last error. Throws the signal's reason after a
 * cancel.
 */
export async function readOnce(
  api: Pick<AgentApi, 'readJob'>,
  id: string,
  limit: { readonly timeoutMs: number; readonly deadline: number },
  effects: Pick<Effects, 'clock' | 'runner' | 'signal'>,
): Promise<JobRead> {
  const { clock, runner } = effects;
  const retryMs = Math.max(MIN_RETRY_MS, limit.timeoutMs * MAX_SHARE);
  const deadline = Math.min(limit.deadline, clock.now() + retryMs);
  runner.info(`Checking the earlier agent job ${quote(runner.clean(id))}.`);
  const pollIntervalMs = RETRY_INTERVAL_MS;
  const waited = await waitForEnd(
    { pollIntervalMs, deadline, isSingleRead: true, messagedAtMs: undefined },
    { job: undefined, wasActive: false, firstPauseMs: 0 },
    () => api.readJob(id),
    effects,
  );
  return readIn(waited);
}

/** Converts a finished wait to the job it read. Throws the error that ended the wait. */
function readIn(waited: Waited): JobRead {
  if (waited.kind === 'threw') throw waited.error;
  const { ending, state } = waited;
  if (ending.kind === 'not-found') return { kind: 'not-found' };
  if (ending.kind === 'unreadable')
    return { kind: 'error', error: ending.error, isTemporary: false };
  const { job, lastError = 'no response' } = state;
  if (job === undefined) return { kind: 'error', error: lastError, isTemporary: true };
  return { kind: 'read', job, wasActive: state.wasActive, wasWaitedFor: false };
}

export interface EarlierWait {
  readonly id: string;
  /** When the agent job may have got a follow-up message, in Unix seconds. */
  readonly messagedAt: number | undefined;
  /** This step has read the agent job as `active` since then. */
  readonly wasActive: boolean;
  /** The longest time to wait, in ms. */
  readonly limitMs: number;
  readonly pollIntervalMs: number;
}

/**
 * Waits for an agent job of an earlier run to end. `isOver` is false if time ran out. Throws the
 * signal's reason after a cancel.
 */
export async function waitForEarlier(
  api: Pick<AgentApi, 'readJob'>,
  { id, messagedAt, wasActive, limitMs, pollIntervalMs }: EarlierWait,
  effects: Pick<Effects, 'clock' | 'runner' | 'signal'>,
): Promise<{ readonly isOver: boolean; readonly read: JobRead }> {
  const { clock, runner } = effects;
  const times = `Checking every ${formatDuration(pollIntervalMs)}, for up to ${formatDuration(limitMs)}.`;
  runner.info(
    `Waiting for agent job ${quote(runner.clean(id))}, the last one of this step, to end, so that two agents do not work on the same pages. ${times}`,
  );
  const messagedAtMs = messagedAt === undefined ? undefined : onClock(messagedAt, clock);
  const deadline = clock.now() + limitMs;
  const waited = await waitForEnd(
    { pollIntervalMs, deadline, isSingleRead: false, messagedAtMs },
    { job: undefined, wasActive, firstPauseMs: 0 },
    () => api.readJob(id),
    effects,
  );
  const read = readIn(waited);
  const isOver = !(waited.kind === 'decided' && waited.ending.kind === 'timed-out');
  return { isOver, read: read.kind === 'read' ? { ...read, wasWaitedFor: isOver } : read };
}

/** Describes in one log line what the step waits for. */
export function describeWait(
  id: string,
  plan: Omit<WaitPlan, 'deadline'>,
  timeoutMs: number,
  now: number,
  attempt?: number,
): string {
  const { pollIntervalMs, isSingleRead } = plan;
  const job = `agent job ${quote(id)}`;
  const isOldEndLeft = oldEndLeftMs(plan, now) !== 0;
  const toWork = isOldEndLeft ? ' to work on the message and end' : ' to end';
  const grace = formatDuration(MESSAGE_GRACE_MS);
  return [
    attempt !== undefined
      ? `Following ${job} from attempt ${attempt}. No prompt is sent.`
      : !isSingleRead && `Waiting for ${job}${toWork}.`,
    isOldEndLeft && `An end seen in the first ${grace} may be from before the message.`,
    isSingleRead
      ? `Checking ${attempt === undefined ? job : 'it'} once.`
      : `Checking every ${formatDuration(pollIntervalMs)}, for up to ${formatDuration(timeoutMs)}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}
