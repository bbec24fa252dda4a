/** Follows an agent job to its end. */
import { describeWait, waitForEnd } from '../agent/wait.ts';
import type { FollowedJob, WaitEnding } from '../model/agent-job.ts';
import type { Calling, CoreContext } from './core-context.ts';

/** The options that differ between waits. */
export interface FollowOptions {
  /**
   * When the agent job got a follow-up message, in ms on the clock's scale; `undefined` without
   * one.
   */
  readonly messagedAtMs?: number | undefined;
  /** This step has read the agent job as `active` since that message. */
  readonly wasActive?: boolean;
  /** Why this step could not read the agent job before. */
  readonly lastError?: string | undefined;
  /** Stop after one successful read. */
  readonly isSingleRead: boolean;
  /** How long to wait before the first read, in ms. */
  readonly firstPauseMs?: number;
  /** The earlier attempt that created or messaged the agent job. */
  readonly attempt?: number;
  /**
   * Returns the link to the job's pull request. The default is the link that the service returns.
   */
  readonly linkOf?: (job: FollowedJob) => string;
}

export interface Followed {
  readonly ending: WaitEnding;
  readonly job: FollowedJob;
  readonly pullLink: string;
  /** This step has read the agent job as `active` since its last message. */
  readonly wasActive: boolean;
}

/** Reads the agent job until it ends. Throws the signal's reason after a cancel. */
export async function follow(
  context: Calling<CoreContext>,
  first: FollowedJob,
  options: FollowOptions,
): Promise<Followed> {
  const { inputs, effects, api, deadline, tell } = context;
  const { clock, runner, signal } = effects;
  const { pollIntervalMs, timeoutMs } = inputs;
  const { messagedAtMs, isSingleRead, attempt, firstPauseMs = 0, linkOf } = options;
  const { wasActive: wasActiveBefore = false, lastError: errorBefore } = options;
  const plan = { pollIntervalMs, deadline, messagedAtMs, isSingleRead };
  signal.throwIfAborted();
  runner.info(describeWait(runner.clean(first.id), plan, timeoutMs, clock.now(), attempt));
  const known = first.status === '' ? undefined : first;
  const before = {
    job: known,
    wasActive: wasActiveBefore,
    lastError: errorBefore,
    firstPauseMs,
  };
  const waited = await waitForEnd(plan, before, () => api.readJob(first.id), effects);
  const { reads: checks, job = first, lastError, wasSeen, wasActive } = waited.state;
  const pullLink = linkOf?.(job) ?? job.prLink;
  tell({ checks, job, lastError, wasSeen, pullLink });
  if (waited.kind === 'threw') throw waited.error;
  return { ending: waited.ending, job, pullLink, wasActive };
}
