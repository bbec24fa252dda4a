import type { Effects } from '../effects/effects.ts';
import { formatDuration } from '../lib/duration.ts';
import { MESSAGE_GRACE_MS } from '../lib/retry.ts';
import { quote } from '../lib/text.ts';
import type { AgentApi } from './api.ts';
import type { Job, WaitEnding } from './job.ts';
import type { Result } from './results.ts';
import {
  decideAfter,
  initialWaitState,
  type Moment,
  pauseDecision,
  type WaitPlan,
  type WaitState,
} from './wait-decision.ts';

/**
 * Reads an agent job until it ends or the deadline passes, first after `firstPauseMs`. `onState`
 * gets the state after each read. Throws the signal's reason when cancelled.
 */
export async function waitForEnd(
  plan: WaitPlan,
  start: { readonly job: Job | undefined; readonly firstPauseMs: number },
  read: () => Promise<Result>,
  onState: (state: WaitState) => void,
  { clock, runner, signal }: Pick<Effects, 'clock' | 'runner' | 'signal'>,
): Promise<WaitEnding> {
  const show = (status: string) => quote(runner.clean(status));
  const moment = (): Moment => ({ plan, now: clock.now(), random: clock.random(), show });
  const begin = moment();
  let decision = pauseDecision(begin, initialWaitState(begin, start.job), start.firstPauseMs);
  while (decision.action === 'pause') {
    await clock.sleep(decision.ms, signal);
    signal.throwIfAborted();
    if (clock.now() >= plan.deadline) {
      decision = pauseDecision(moment(), decision.state, 0);
    } else {
      const result = await read();
      // A read that a cancel aborted does not count.
      if (result.kind !== 'job') signal.throwIfAborted();
      decision = decideAfter(moment(), decision.state, result);
    }
    onState(decision.state);
    // An end that was read counts even after a cancel.
    if (decision.action === 'pause') signal.throwIfAborted();
    if (decision.log !== undefined) runner.info(decision.log);
    const { warning } = decision;
    if (warning !== undefined) runner.annotate('warning', warning.title, warning.message);
  }
  return decision.ending;
}

/** How long {@link readOnce} retries, as a share of `timeout`. */
const MAX_SHARE = 1 / 3;
const RETRY_INTERVAL_MS = 1_000;

/**
 * An agent job of an earlier run, read once; what fails is retried, and its last error the result.
 * `undefined`: the service does not know it. Throws the signal's reason when cancelled.
 */
export async function readOnce(
  api: Pick<AgentApi, 'readJob'>,
  id: string,
  limit: { readonly timeoutMs: number; readonly deadline: number },
  effects: Pick<Effects, 'clock' | 'runner' | 'signal'>,
): Promise<Job | { readonly error: string } | undefined> {
  const { clock, runner } = effects;
  const deadline = Math.min(limit.deadline, clock.now() + limit.timeoutMs * MAX_SHARE);
  runner.info(`Checking agent job ${quote(runner.clean(id))} of an earlier run.`);
  let last: WaitState | undefined;
  const ending = await waitForEnd(
    { pollIntervalMs: RETRY_INTERVAL_MS, deadline, isSingleRead: true },
    { job: undefined, firstPauseMs: 0 },
    () => api.readJob(id),
    (state) => {
      last = state;
    },
    effects,
  );
  if (ending.kind === 'not-found') return undefined;
  if (ending.kind === 'unreadable') return { error: ending.error };
  return last?.job ?? { error: last?.lastError ?? 'no response' };
}

/** What the step waits for, in a line for the log. */
export function describeWait(id: string, plan: Omit<WaitPlan, 'deadline'>, timeoutMs: number) {
  const { pollIntervalMs, isSingleRead, messageAtMs } = plan;
  const job = `agent job ${quote(id)}`;
  if (isSingleRead) return `Checking ${job} once.`;
  const times = `Checking every ${formatDuration(pollIntervalMs)}, for up to ${formatDuration(timeoutMs)}.`;
  return messageAtMs === undefined
    ? `Waiting for ${job} to end. ${times}`
    : `Waiting for ${job} to work on the message and end. An end seen in the first ${formatDuration(MESSAGE_GRACE_MS)} may be from before the message. ${times}`;
}
