/** Finds the step's last agent job, waits for it, and decides whether it gets the prompt. */
import { waitForEarlier } from '../agent/wait.ts';
import { GitHubError } from '../github/errors.ts';
import { newestOf } from '../history/attempts.ts';
import { laterCalledJob } from '../history/pull-request-history.ts';
import { type AtWork, findTarget, isWorkOver, type Target } from '../history/target.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { LastAtWork } from '../model/agent-job.ts';
import { type LastJob, lastJobIn } from '../model/record.ts';
import type { PastReader } from './past.ts';
import type { SendingContext } from './run-context.ts';

/**
 * Returns the last agent job that earlier attempts of this run recorded. Under `rerun: create`,
 * nothing has asked a person about an unreadable one, so this throws `HistoryNotKnown` for it.
 */
async function lastJobOfAttempts(
  { attempts }: PastReader,
  rerun: Inputs['rerun'],
): Promise<LastJob | 'none' | undefined> {
  try {
    return await newestOf(await attempts(), lastJobIn, { stopsAtHidden: rerun === 'create' });
  } catch (error) {
    // The records of other runs may be readable, so an older agent job can still get the prompt.
    if (error instanceof GitHubError) return undefined;
    throw error;
  }
}

/** The step's last agent job under `pullRequest: append`, once there is no need to wait for it. */
interface LastJobAfterWait {
  /** `undefined` if unknown, and without `append`. */
  readonly last: LastJob | 'none' | undefined;
  /** Set if the job didn't end in time. */
  readonly lastAtWork: LastAtWork | undefined;
  readonly hasWaited: boolean;
}

const NOT_APPENDING: LastJobAfterWait = {
  last: undefined,
  lastAtWork: undefined,
  hasWaited: false,
};

/**
 * Returns the step's last agent job under `pullRequest: append`, and waits for it if it is working.
 * `others` is the one that other runs name. Throws what `lastJobOfAttempts` throws.
 */
export async function lastJobOf(
  context: SendingContext,
  past: PastReader,
  others: LastJob | 'none' | undefined,
): Promise<LastJobAfterWait> {
  const { inputs, facts } = context;
  if (inputs.pullRequest !== 'append') return NOT_APPENDING;
  const ofThisRun = facts.attempt > 1 ? await lastJobOfAttempts(past, inputs.rerun) : undefined;
  const last = laterCalledJob(ofThisRun, others);
  return { last, ...(await waitForLastJob(context, past, last)) };
}

/** Decides under `pullRequest: append` where the prompt goes. */
export async function targetOf(
  { inputs }: SendingContext,
  { agentJobs, readDocsPull, time }: PastReader,
  { last, lastAtWork }: LastJobAfterWait,
): Promise<Target | AtWork | undefined> {
  if (inputs.pullRequest !== 'append') return undefined;
  if (lastAtWork !== undefined) return { kind: 'at-work', lastAtWork };
  return findTarget(last, agentJobs.judge, readDocsPull, time.date());
}

/** The largest share of `timeout` to spend on waiting for the last agent job. */
const WAIT_SHARE = 1 / 2;
/**
 * How long to wait for an agent job whose call should be over, in ms. A person may have sent it
 * more.
 */
const OLD_WAIT_MS = 5 * 60_000;

/**
 * Waits for the step's last agent job if it is still working, because two agents on the same pages
 * would conflict. `lastAtWork` is set if the job doesn't end in time, unless its call should be
 * over: such a job counts as hung.
 */
async function waitForLastJob(
  { inputs, effects, api, deadline }: SendingContext,
  { agentJobs }: PastReader,
  last: LastJob | 'none' | undefined,
): Promise<Omit<LastJobAfterWait, 'last'>> {
  const { clock } = effects;
  const notWaited = { lastAtWork: undefined, hasWaited: false };
  if (typeof last !== 'object' || api === undefined || inputs.dryRun) return notWaited;
  if (!(await agentJobs.isAtWork(last))) return notWaited;
  const { id, messagedAt } = last;
  const isOld = isWorkOver(last, clock.date());
  const { pollIntervalMs, timeoutMs } = inputs;
  const shareMs = timeoutMs * WAIT_SHARE;
  const leftMs = deadline - clock.now();
  const limitMs = Math.min(shareMs, leftMs, isOld ? OLD_WAIT_MS : shareMs);
  const wasActive = agentJobs.wasActive(id);
  const wait = { id, messagedAt, wasActive, limitMs, pollIntervalMs };
  const { isOver, read } = await waitForEarlier(api, wait, effects);
  agentJobs.learn(id, read);
  const lastAtWork =
    isOver || isOld ? undefined : { lastId: id, limitMs, isHalf: shareMs <= leftMs };
  return { lastAtWork, hasWaited: true };
}
