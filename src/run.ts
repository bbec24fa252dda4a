import { type AgentApi, createAgentApi } from './agent/api.ts';
import { endOf, type Job, type JobEnd, type WaitEnding } from './agent/job.ts';
import { type JobRecord, noticeOf } from './agent/record.ts';
import { waitForEnd } from './agent/wait.ts';
import type { WaitPlan, WaitState } from './agent/wait-step.ts';
import { formatDuration } from './duration.ts';
import type { Effects } from './effects/effects.ts';
import { AgentApiError, messageOf, OutputError } from './errors.ts';
import { type Inputs, parseInputs, type RawInputs, type RunFacts } from './inputs.ts';
import { appendChanges, readInstruction } from './prompt.ts';
import {
  type ChangesOverview,
  type Ending,
  endingOfError,
  type RunResult,
} from './report/ending.ts';
import { reportOn, writeReport } from './report/report.ts';
import { count, quote } from './text.ts';

/**
 * One run of the action: inputs, prompt (with changes), agent job, report. Every way through ends in
 * one report. Returns whether the step succeeds; does not reject.
 */
export async function run(raw: RawInputs, facts: RunFacts, effects: Effects): Promise<boolean> {
  const { clock, runner } = effects;
  const progress = new Progress();
  const startedAt = clock.now();
  let ending: Ending;
  try {
    ending = await runToEnding(raw, facts, effects, progress);
  } catch (error) {
    ending = endingOfError(error, runner.redact);
    if (error instanceof AgentApiError) progress.jobId ??= error.jobId;
  }
  const result: RunResult = {
    ...progress,
    facts,
    tookMs: clock.now() - startedAt,
    endedAt: clock.date(),
    ending,
  };
  return writeReport(reportOn(result), runner);
}

/** What has become known so far; it survives a thrown error. */
class Progress {
  inputs: Inputs | undefined;
  prompt: string | undefined;
  changes: ChangesOverview | undefined;
  jobId: string | undefined;
  job: Job | undefined;
  end: JobEnd | undefined;
  isAccepted = false;
  resumedFrom: number | undefined;
  reads = 0;
  /** A read said that the agent job had not ended. */
  wasRunning = false;
  lastError: string | undefined;
}

/** What every part of a run works with. */
interface Run {
  readonly inputs: Inputs;
  readonly facts: RunFacts;
  readonly effects: Effects;
  readonly api: AgentApi;
  /** On the clock's scale, in ms. */
  readonly deadline: number;
  readonly progress: Progress;
}

async function runToEnding(
  raw: RawInputs,
  facts: RunFacts,
  effects: Effects,
  progress: Progress,
): Promise<Ending> {
  const { clock, runner, signal } = effects;
  // First of all, before anything could print them.
  for (const secret of [raw.adminApiKey, raw.githubToken]) {
    if (secret !== undefined) runner.mask(secret);
  }
  const inputs = parseInputs(raw, facts);
  progress.inputs = inputs;
  progress.jobId = inputs.jobId;
  checkOutputs(effects);
  runner.info(`Project ${quote(inputs.projectId)} at ${inputs.baseUrl}`);

  const deadline = clock.now() + inputs.timeoutMs;
  const api = createAgentApi({ ...inputs, deadline }, effects);
  const run: Run = { inputs, facts, effects, api, deadline, progress };
  const resumed = await resume(run);
  if (resumed !== undefined) return resumed;

  const composed = await composePrompt(run);
  if (composed.ending !== undefined) return composed.ending;
  if (inputs.dryRun) return { kind: 'dry-run' };
  signal.throwIfAborted();
  return inputs.jobId === undefined
    ? createAndWait(run, composed.prompt ?? '')
    : followJob(run, inputs.jobId, composed.prompt);
}

/** Finds out while it costs nothing that the outputs, and with them the id, would be lost. */
function checkOutputs({ runner }: Effects): void {
  try {
    runner.checkOutputs();
  } catch (cause) {
    const message = `The runner's file for outputs cannot be written (${quote(messageOf(cause))}), so no agent job was created. Check the environment variable \`GITHUB_OUTPUT\` and the disk of the runner.`;
    throw new OutputError(message, { cause });
  }
}

async function composePrompt({ inputs, effects, deadline, progress }: Run) {
  if (inputs.instruction === undefined) return {};
  const { runner } = effects;
  const instruction = await readInstruction(inputs.instruction, effects.files);
  progress.prompt = runner.redact(instruction);
  const composed = await appendChanges(instruction, inputs, deadline, effects);
  progress.changes = composed.changes;
  if (composed.kind === 'skipped') {
    return { ending: { kind: 'skipped', changes: composed.changes } as const };
  }
  progress.prompt = runner.redact(composed.text);
  return { prompt: composed.text };
}

/**
 * In a later attempt of a workflow run: follows the agent job that an earlier attempt of this step
 * created or sent its message to. `undefined` when there is none, or it came to nothing.
 */
async function resume(run: Run): Promise<Ending | undefined> {
  const { inputs, facts, effects, progress } = run;
  const isFollowedOnly = inputs.instruction === undefined;
  if (facts.attempt <= 1 || inputs.rerun === 'create' || inputs.dryRun || isFollowedOnly) {
    return undefined;
  }
  const { runner } = effects;
  const earlier = await lookForEarlierJob(run);
  if (earlier.kind === 'unknown') {
    const message = `Whether an earlier attempt of this workflow run has an agent job is not known: ${earlier.why}. This attempt does not resume one.`;
    runner.annotate('warning', 'Docs agent: no earlier attempt resumed', message);
    return undefined;
  }
  if (earlier.kind === 'none') {
    runner.info('No earlier attempt of this workflow run has an agent job of this step.');
    return undefined;
  }
  const { jobId, attempt } = earlier;
  const job = `Agent job ${quote(jobId)} of attempt ${attempt}`;
  runner.info(`${job} is followed, and no prompt is sent.`);
  putOutId(run, jobId);
  progress.resumedFrom = attempt;
  const hasMessage = inputs.jobId !== undefined;
  const ending = await wait(run, jobId, hasMessage ? { messageAt: effects.clock.now() } : {});
  if (hasMessage || !cameToNothing(ending, progress)) return ending;

  runner.info(`${job} ${ending.kind === 'ended' ? 'failed' : 'is gone'}. A new one is created.`);
  Object.assign(progress, new Progress(), { inputs });
  return undefined;
}

/** The agent job had failed before this attempt, or the service no longer knows it. */
function cameToNothing(ending: WaitEnding, { wasRunning }: Progress): boolean {
  if (ending.kind === 'ended') return ending.end === 'failed' && !wasRunning;
  return ending.kind === 'unreadable' && ending.reason === 'not-found';
}

/** GitHub's side is loaded here only, so that a first attempt starts no slower. */
async function lookForEarlierJob({ inputs, facts, effects, deadline }: Run) {
  if (inputs.githubToken === '') {
    return { kind: 'unknown', why: '`githubToken` is empty' } as const;
  }
  const { clock, runner, signal, openGitHub } = effects;
  const { findEarlierJob } = await import('./agent/earlier-job.ts');
  const token = inputs.githubToken;
  const github = await openGitHub({ token, clock, runner, signal, deadline });
  return findEarlierJob(github, {
    ...facts,
    event: inputs.jobId === undefined ? 'created' : 'accepted-message',
    projectId: inputs.projectId,
    jobId: inputs.jobId,
  });
}

async function createAndWait(run: Run, prompt: string): Promise<Ending> {
  const { inputs, effects, api, progress } = run;
  const { clock, runner, signal } = effects;
  runner.info(`Creating an agent job with a prompt of ${count(prompt.length, 'character')}.`);
  let job: Job;
  try {
    job = await api.createJob(prompt);
  } catch (error) {
    // The answer could not be used, but its id could be read.
    if (error instanceof AgentApiError && error.jobId !== undefined) {
      announce(run, 'created', error.jobId);
    }
    throw error;
  }
  progress.job = job;
  announce(run, 'created', job.id);
  const createdAt = clock.now();
  const end = endOf(job);
  progress.end = end;
  if (!inputs.wait) {
    signal.throwIfAborted();
    return end === undefined ? { kind: 'started', job } : { kind: 'ended', end, job };
  }
  return wait(run, job.id, { createdAt }, end === undefined ? inputs.pollIntervalMs : 0);
}

/** Follows a job that is given, after the follow-up message if there is one. */
async function followJob(run: Run, jobId: string, prompt: string | undefined): Promise<Ending> {
  const { inputs, effects, api, progress } = run;
  const { clock, runner, signal } = effects;
  if (prompt === undefined) return wait(run, jobId, {});
  const size = count(prompt.length, 'character');
  runner.info(`Sending agent job ${quote(jobId)} a follow-up message of ${size}.`);
  const job = await api.sendMessage(jobId, prompt);
  progress.job = job;
  announce(run, 'accepted-message', jobId);
  if (!inputs.wait) {
    signal.throwIfAborted();
    return { kind: 'started', job };
  }
  return wait(run, jobId, { messageAt: clock.now() }, inputs.pollIntervalMs);
}

function putOutId({ effects, progress }: Pick<Run, 'effects' | 'progress'>, jobId: string): void {
  progress.jobId = jobId;
  try {
    effects.runner.setOutput('jobId', jobId);
  } catch {
    // The report writes it again, and says so if that fails as well.
  }
}

/** Puts the id out at once, and leaves the record for a re-run, so that nothing later can lose it. */
function announce(
  { inputs, facts, effects, progress }: Run,
  event: JobRecord['event'],
  jobId: string,
) {
  const { runner } = effects;
  putOutId({ effects, progress }, jobId);
  progress.isAccepted = true;
  const { projectId } = inputs;
  const { title, message } = noticeOf({ event, jobId, projectId, step: facts.step });
  runner.annotate('notice', title, message);
}

async function wait(
  { inputs, effects, api, deadline, progress }: Run,
  jobId: string,
  since: Pick<WaitPlan, 'createdAt' | 'messageAt'>,
  firstPauseMs = 0,
): Promise<WaitEnding> {
  effects.signal.throwIfAborted();
  effects.runner.info(whatIsWaitedFor(inputs, jobId, since.messageAt !== undefined));
  return waitForEnd(
    { pollIntervalMs: inputs.pollIntervalMs, deadline, once: !inputs.wait, ...since },
    { job: progress.job, firstPauseMs },
    () => api.readJob(jobId),
    ({ reads, job, end, lastError }: WaitState) => {
      const wasRunning = progress.wasRunning || (job !== undefined && endOf(job) === undefined);
      Object.assign(progress, { reads, job, end, lastError, wasRunning });
    },
    effects,
  );
}

function whatIsWaitedFor(inputs: Inputs, jobId: string, hasMessage: boolean): string {
  const job = `agent job ${quote(jobId)}`;
  if (!inputs.wait) return `Reading ${job} once.`;
  const times = `It is read every ${formatDuration(inputs.pollIntervalMs)}, for up to ${formatDuration(inputs.timeoutMs)}.`;
  return hasMessage
    ? `Waiting for ${job} to work on the message and end. An end that is read in the first 30 s may be the one before the message. ${times}`
    : `Waiting for ${job} to end. ${times}`;
}
