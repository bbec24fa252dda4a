/** Gathers what a step needs to read its past. */
import { readOnce, waitForEarlier } from '../agent/wait.ts';
import { once } from '../effects/once.ts';
import { docsPullReader, type ReadDocsPull } from '../github/docs-pull-reader.ts';
import { GitHubError, tokenAdvice } from '../github/errors.ts';
import { type AgentJobs, createAgentJobs } from '../history/agent-jobs.ts';
import type { Attempt, Step, Time } from '../history/annotations.ts';
import { earlierAttempts, newestOf } from '../history/attempts.ts';
import { laterCalledJob } from '../history/pull-request-history.ts';
import { findTarget, isCallOver, type Target } from '../history/target.ts';
import { findThisWorkflowJob } from '../history/this-workflow-job.ts';
import type { Sending } from '../history/verdict.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { type LastJob, lastJobIn } from '../model/record.ts';
import { RunError } from '../model/run-error.ts';
import { parseWorkflowJob } from '../record/step-key.ts';
import type { SendingContext } from './run-context.ts';

export interface PastReader {
  readonly step: () => Promise<Step>;
  readonly attempts: () => Promise<readonly Attempt[]>;
  readonly agentJobs: AgentJobs;
  readonly readDocsPull: ReadDocsPull;
  readonly time: Time;
  /** Warns about a missing permission that later runs need, if nothing else has tested it. */
  readonly checkPermissions: () => Promise<void>;
}

export function pastReader(context: SendingContext): PastReader {
  const { inputs, facts, effects, earlyBody, api, deadline, github } = context;
  const { clock, signal } = effects;
  const { timeoutMs } = inputs;
  const time: Time = {
    now: () => clock.now(),
    date: () => clock.date(),
    async pause(ms) {
      await clock.sleep(ms, signal);
      signal.throwIfAborted();
    },
  };
  const step = once(async () => {
    const { id } = parseWorkflowJob(inputs.workflowJob);
    const thisWorkflowJob = await findThisWorkflowJob(await github(), id, facts);
    const probe = once(async () => (await github()).annotations(thisWorkflowJob.id));
    return { ...facts, key: earlyBody.key, thisWorkflowJob, probe };
  });
  const readDocsPull = docsPullReader(github, facts.serverUrl);
  // Missing only in a dry run, which may have no key.
  const readJob = api && ((id: string) => readOnce(api, id, { timeoutMs, deadline }, effects));
  return {
    step,
    attempts: once(async () => earlierAttempts(await github(), await step(), time)),
    agentJobs: createAgentJobs(readJob, readDocsPull, time.date),
    readDocsPull,
    time,
    checkPermissions: once(() => checkPermissions(context, step)),
  };
}

/**
 * Without these two permissions, the first run succeeds, but the next one stops, or a re-run
 * creates a second agent job. Reading this workflow job itself needs both.
 */
async function checkPermissions(
  { github, inputs, effects }: SendingContext,
  step: () => Promise<Step>,
): Promise<void> {
  if (inputs.githubToken === '') return;
  let permission = 'actions: read';
  try {
    const { thisWorkflowJob } = await step();
    permission = 'checks: read';
    await (await github()).annotations(thisWorkflowJob.id);
  } catch (error) {
    if (!(error instanceof GitHubError || error instanceof RunError)) throw error;
    // Any other failure doesn't affect later runs.
    const isMissing = error instanceof GitHubError && /forbidden|not-found/.test(error.kind);
    if (!isMissing) return;
    const message = `The token lacks \`${permission}\`, and without that the next run stops or a re-run creates a second agent job. ${tokenAdvice(error, permissionsOf(inputs))}.`;
    effects.runner.annotate('warning', 'Docs agent: a permission is missing', message);
  }
}

export const warn = ({ effects }: SendingContext, message: string) =>
  effects.runner.annotate('warning', 'Docs agent: earlier runs', message);

/** The token permissions that looking back needs. */
export const permissionsOf = ({ pullRequest }: Inputs): readonly string[] => [
  'contents: read',
  'actions: read',
  'checks: read',
  ...(pullRequest === 'append' ? ['pull-requests: read'] : []),
];

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

/**
 * Returns the step's last agent job under `pullRequest: append`, and waits for it if it is working.
 * `others` is the one that other runs name. Throws what `lastJobOfAttempts` throws.
 */
export async function lastJobOf(
  context: SendingContext,
  past: PastReader,
  others: LastJob | 'none' | undefined,
) {
  const { inputs, facts } = context;
  if (inputs.pullRequest !== 'append') {
    return { last: undefined, lastAtWork: undefined, hasWaited: false };
  }
  const ofThisRun = facts.attempt > 1 ? await lastJobOfAttempts(past, inputs.rerun) : undefined;
  const last = laterCalledJob(ofThisRun, others);
  return { last, ...(await waitForLastJob(context, past, last)) };
}

/**
 * Decides under `pullRequest: append` where the prompt goes, unless the last agent job is working.
 */
export async function targetOf(
  { inputs }: SendingContext,
  { agentJobs, readDocsPull, time }: PastReader,
  last: LastJob | 'none' | undefined,
  lastAtWork: Sending['lastAtWork'],
): Promise<Target | undefined> {
  if (inputs.pullRequest !== 'append' || lastAtWork !== undefined) return undefined;
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
): Promise<Pick<Sending, 'lastAtWork'> & { readonly hasWaited: boolean }> {
  const { clock } = effects;
  const notWaited = { lastAtWork: undefined, hasWaited: false };
  if (typeof last !== 'object' || api === undefined || inputs.dryRun) return notWaited;
  if (!(await agentJobs.isAtWork(last))) return notWaited;
  const { id, messagedAt } = last;
  const isOld = isCallOver(last, clock.date());
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
