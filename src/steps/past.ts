/** Gathers what looking back needs. */
import { readOnce } from '../agent/wait.ts';
import { once } from '../effects/once.ts';
import { docsPullReader, type ReadDocsPull } from '../github/docs-pull-reader.ts';
import { GitHubError, isHidden, tokenAdvice } from '../github/errors.ts';
import { type AgentJobs, createAgentJobs } from '../history/agent-jobs.ts';
import type { Attempt, PausingClock, Step } from '../history/annotations.ts';
import { earlierAttempts } from '../history/attempts.ts';
import type { Patience } from '../history/other-runs.ts';
import { findThisWorkflowJob } from '../history/this-workflow-job.ts';
import { RunError } from '../model/run-error.ts';
import { parseWorkflowJob } from '../record/step-key.ts';
import { permissionsOf, type SendingContext } from './run-context.ts';

export interface PastReader {
  readonly step: () => Promise<Step>;
  readonly attempts: () => Promise<readonly Attempt[]>;
  readonly agentJobs: AgentJobs;
  readonly readDocsPull: ReadDocsPull;
  readonly time: PausingClock;
  readonly patience: Patience;
  /** Warns about a missing permission that later runs need, if nothing else has tested it. */
  readonly checkPermissions: () => Promise<void>;
}

export function pastReader(context: SendingContext): PastReader {
  const { inputs, facts, effects, earlyBody, api, deadline, github } = context;
  const { clock, signal } = effects;
  const { timeoutMs } = inputs;
  const time: PausingClock = {
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
    const proveAccess = once(async () => (await github()).annotations(thisWorkflowJob.id));
    return { ...facts, key: earlyBody.key, thisWorkflowJob, proveAccess };
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
    patience: { sendsNothing: inputs.dryRun, timeoutMs, deadline },
    checkPermissions: once(() => checkPermissions(context, step)),
  };
}

/**
 * Without these two permissions, the first run succeeds, but the next one stops, or a re-run
 * creates a second agent job. Reading this workflow job itself needs both.
 */
async function checkPermissions(context: SendingContext, step: () => Promise<Step>): Promise<void> {
  const { inputs, effects } = context;
  if (inputs.githubToken === '') return;
  let permission = 'actions: read';
  try {
    const { proveAccess } = await step();
    permission = 'checks: read';
    await proveAccess();
  } catch (error) {
    // Any other failure of GitHub doesn't affect later runs.
    if (!(error instanceof GitHubError)) {
      if (error instanceof RunError) return;
      throw error;
    }
    if (!isHidden(error)) return;
    const message = `The token lacks \`${permission}\`, and without that the next run stops or a re-run creates a second agent job. ${tokenAdvice(error, permissionsOf(context))}.`;
    effects.runner.annotate('warning', 'Docs agent: a permission is missing', message);
  }
}

export const warn = ({ effects }: SendingContext, message: string) =>
  effects.runner.annotate('warning', 'Docs agent: earlier runs', message);
