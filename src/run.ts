import { type AgentApi, createAgentApi } from './agent/api.ts';
import { endOf, type Job, NO_JOB, type WaitEnding } from './agent/job.ts';
import { waitForEnd } from './agent/wait.ts';
import type { WaitPlan } from './agent/wait-decision.ts';
import type { Effects } from './effects/effects.ts';
import type { GitHub, OpenGitHub } from './github/github.ts';
import { type Inputs, parseInputs, type RawInputs, type Task } from './inputs/inputs.ts';
import { readPromptFile } from './inputs/prompt-file.ts';
import { formatDuration } from './lib/duration.ts';
import { CancelledError, messageOf, RunError } from './lib/errors.ts';
import { MESSAGE_GRACE_MS } from './lib/retry.ts';
import type { RunFacts } from './lib/run-facts.ts';
import { pluralize, quote } from './lib/text.ts';
import { composePrompt } from './prompt.ts';
import type { EarlierJob, EarlierJobResult } from './records/earlier-job.ts';
import { fitsAnnotation, hashOf, noticeOf } from './records/record.ts';
import { type Ending, endingOfError, type Known, nothingKnown } from './report/ending.ts';
import { reportOn, writeReport } from './report/report.ts';

/** Everything that a run does outside its own memory. */
export interface RunEffects extends Effects {
  readonly openGitHub: OpenGitHub;
}

/**
 * One run of the action: inputs, prompt (with changes), agent job, report. Every run ends with one
 * report. Returns whether the step succeeds, and never rejects.
 */
export async function run(raw: RawInputs, facts: RunFacts, effects: RunEffects): Promise<boolean> {
  const { clock, runner } = effects;
  const startedAtMs = clock.now();
  let known = nothingKnown(facts);
  const learn = (more: Partial<Known>) => {
    known = { ...known, ...more };
  };
  const ending = await story(raw, facts, effects, learn).catch((error: unknown) =>
    endingOfError(error, runner.redact),
  );
  const tookMs = clock.now() - startedAtMs;
  const result = { ...known, ending, tookMs, endedAtMs: clock.date() };
  return writeReport(reportOn(result, runner.redact), runner);
}

/** What every part of a run works with. */
interface Run {
  readonly inputs: Inputs;
  readonly facts: RunFacts;
  readonly effects: RunEffects;
  readonly api: AgentApi;
  /** On the clock's scale, in ms. */
  readonly deadline: number;
  /** Keeps what was learned for the report, whatever happens next. */
  readonly learn: (more: Partial<Known>) => void;
}

/** Tells one run from its inputs to its ending. */
async function story(
  raw: RawInputs,
  facts: RunFacts,
  effects: RunEffects,
  learn: Run['learn'],
): Promise<Ending> {
  const { clock, runner, signal, files } = effects;
  maskSecrets(raw, effects);
  const file =
    raw.promptFile === undefined || raw.prompt !== undefined
      ? undefined
      : await readPromptFile(raw.promptFile, files);
  const inputs = parseInputs(raw, facts, file);
  const { task } = inputs;
  learn({ inputs, job: task.kind === 'create' ? NO_JOB : { ...NO_JOB, id: task.jobId } });
  checkOutputs(effects);
  runner.info(`Project ${quote(inputs.projectId)} at ${inputs.baseUrl}`);

  const deadline = clock.now() + inputs.timeoutMs;
  const api = createAgentApi({ ...inputs, deadline }, effects);
  const run: Run = { inputs, facts, effects, api, deadline, learn };
  if (task.kind === 'follow') {
    return inputs.dryRun ? { kind: 'dry-run' } : wait(run, task.jobId, NO_JOB, {});
  }
  learn({ prompt: task.instruction });
  const resumed = await resume(run, task);
  if (resumed !== undefined) return resumed;

  const composed = await composePrompt(task.instruction, inputs, deadline, {
    ...effects,
    lastCovered: async () => ({ kind: 'nothing', isFirstRun: true }),
  });
  learn({ changes: composed.changes });
  if (composed.kind === 'skipped') return { kind: 'skipped', reason: composed.reason };
  const prompt = composed.text;
  learn({ prompt });
  // Large responses of GitHub take a while to handle, and Node handles signals only after that. A
  // cancel that came meanwhile counts now, before anything is sent.
  if (composed.changes !== undefined || facts.attempt > 1) await clock.sleep(0, signal);
  signal.throwIfAborted();
  if (inputs.dryRun) return { kind: 'dry-run' };
  return task.kind === 'create' ? create(run, task, prompt) : message(run, task, prompt);
}

/** Masks the secrets before anything can print them. */
function maskSecrets({ adminApiKey, githubToken }: RawInputs, { runner }: Effects): void {
  for (const secret of [adminApiKey, githubToken]) {
    // A mask with white space around the secret would not cover the secret alone.
    if (secret !== undefined) runner.mask(secret.trim());
  }
}

/** Checks that outputs can be written, before an agent job exists whose id would be lost. */
function checkOutputs({ runner }: Effects): void {
  try {
    runner.checkOutputs();
  } catch (cause) {
    const message = `The runner's file for outputs cannot be written (${quote(messageOf(cause))}), so no agent job was created. Check the environment variable \`GITHUB_OUTPUT\` and the disk of the runner.`;
    throw new RunError('The outputs cannot be written', message, { cause });
  }
}

type SendingTask = Exclude<Task, { kind: 'follow' }>;

async function create(run: Run, task: SendingTask, prompt: string): Promise<Ending> {
  const { inputs, effects, api } = run;
  effects.runner.info(
    `Creating an agent job with a prompt of ${pluralize(prompt.length, 'character')}.`,
  );
  const job = await api.createJob(prompt).catch((error: unknown) => {
    // The response could not be used, but the agent job's id could be read from it.
    const isOfCall = error instanceof RunError || error instanceof CancelledError;
    if (isOfCall && error.jobId !== undefined) {
      recordAccepted(run, task, { ...NO_JOB, id: error.jobId });
    }
    throw error;
  });
  recordAccepted(run, task, job);
  const end = endOf(job);
  run.learn({ end });
  const createdAt = effects.clock.now();
  if (inputs.wait) {
    const firstPauseMs = end === undefined ? inputs.pollIntervalMs : 0;
    return wait(run, job.id, job, { createdAt }, firstPauseMs);
  }
  effects.signal.throwIfAborted();
  return end === undefined ? { kind: 'started' } : { kind: 'ended', end };
}

async function message(
  run: Run,
  task: Extract<Task, { kind: 'message' }>,
  prompt: string,
): Promise<Ending> {
  const { inputs, effects, api } = run;
  const size = pluralize(prompt.length, 'character');
  effects.runner.info(`Sending agent job ${quote(task.jobId)} a follow-up message of ${size}.`);
  const job = await api.sendMessage(task.jobId, prompt);
  recordAccepted(run, task, job);
  if (inputs.wait) {
    return wait(run, job.id, job, { messageAt: effects.clock.now() }, inputs.pollIntervalMs);
  }
  effects.signal.throwIfAborted();
  return { kind: 'started' };
}

/**
 * Sets the output and writes the record for re-runs at once, so that no later error loses the id.
 */
function recordAccepted({ inputs, facts, effects, learn }: Run, task: SendingTask, job: Job): void {
  setJobIdOutput(effects, job.id);
  const notice = noticeOf({
    event: task.kind === 'create' ? 'created' : 'accepted-message',
    jobId: job.id,
    projectId: inputs.projectId,
    step: facts.step,
    instructionHash: hashOf(task.instruction),
  });
  learn({ job, isAccepted: true, isResumable: facts.step !== '' && fitsAnnotation(notice) });
  effects.runner.annotate('notice', notice.title, notice.message);
}

function setJobIdOutput({ runner }: Effects, jobId: string): void {
  try {
    runner.setOutput('jobId', jobId);
  } catch {
    // The report writes it again, and says so if that fails as well.
  }
}

/** Reads the agent job until it ends. `job` is what is known of it. */
async function wait(
  { inputs, effects, api, deadline, learn }: Run,
  jobId: string,
  job: Job,
  since: Pick<WaitPlan, 'createdAt' | 'messageAt'>,
  firstPauseMs = 0,
  onRead?: (job: Job) => void,
): Promise<WaitEnding> {
  effects.signal.throwIfAborted();
  effects.runner.info(whatIsWaitedFor(inputs, jobId, since.messageAt !== undefined));
  return waitForEnd(
    { pollIntervalMs: inputs.pollIntervalMs, deadline, once: !inputs.wait, ...since },
    { job: job.status === '' ? undefined : job, firstPauseMs },
    () => api.readJob(jobId),
    ({ reads, job = { ...NO_JOB, id: jobId }, end, lastError }) => {
      onRead?.(job);
      learn({ checks: reads, job, end, lastError });
    },
    effects,
  );
}

function whatIsWaitedFor(inputs: Inputs, jobId: string, hasMessage: boolean): string {
  const job = `agent job ${quote(jobId)}`;
  if (!inputs.wait) return `Checking ${job} once.`;
  const times = `Checking every ${formatDuration(inputs.pollIntervalMs)}, for up to ${formatDuration(inputs.timeoutMs)}.`;
  return hasMessage
    ? `Waiting for ${job} to work on the message and end. An end seen in the first ${formatDuration(MESSAGE_GRACE_MS)} may be from before the message. ${times}`
    : `Waiting for ${job} to end. ${times}`;
}

/**
 * In a later attempt of a workflow run, follows the agent job that an earlier attempt of this step
 * created or sent its message to. Returns `undefined` when there is none, or when a new one is
 * needed.
 */
async function resume(run: Run, task: SendingTask): Promise<Ending | undefined> {
  const { inputs, facts, effects } = run;
  if (facts.attempt <= 1 || inputs.rerun === 'create' || inputs.dryRun) return undefined;
  const { runner } = effects;
  const earlier = await openAndFindEarlierJob(run, task);
  if (earlier.kind === 'unknown') {
    const next = task.kind === 'create' ? 'creates a new one' : 'sends the message';
    const message = `Could not find out whether an earlier attempt has an agent job: ${earlier.reason}. This attempt ${next}.`;
    runner.annotate('warning', 'Docs agent: no earlier attempt resumed', message);
    return undefined;
  }
  if (earlier.job === undefined) {
    runner.info('No earlier attempt of this step has an agent job.');
    return undefined;
  }
  return followEarlierJob(run, task, earlier.job);
}

/** Follows it to its ending. Returns `undefined` when it came to nothing and a new one is needed. */
async function followEarlierJob(run: Run, task: SendingTask, { jobId, attempt }: EarlierJob) {
  const { effects, learn } = run;
  const { clock, runner } = effects;
  runner.info(`Following agent job ${quote(jobId)} from attempt ${attempt}. No prompt is sent.`);
  const unread = { ...NO_JOB, id: jobId };
  learn({ prompt: undefined, job: unread, resumedFrom: attempt });
  setJobIdOutput(effects, jobId);
  const isMessage = task.kind === 'message';
  let wasRunning = false;
  const ending = await wait(
    run,
    jobId,
    unread,
    isMessage ? { messageAt: clock.now() } : {},
    0,
    (job) => {
      wasRunning ||= job.status !== '' && endOf(job) === undefined;
    },
  );
  const isOver = ending.kind === 'ended' && ending.end === 'failed' && !wasRunning;
  if (isMessage || !(isOver || ending.kind === 'not-found')) return ending;

  const reason = isOver ? 'had failed' : 'is no longer known to the service';
  runner.info(`Agent job ${quote(jobId)} ${reason}, so it is not followed.`);
  const { inputs: _inputs, ...nothing } = nothingKnown(run.facts);
  learn({ ...nothing, prompt: task.instruction });
  return undefined;
}

/** Loads the code for GitHub's API only here, so that a first attempt does not start slower. */
async function openAndFindEarlierJob(
  { inputs, facts, effects, deadline }: Run,
  task: SendingTask,
): Promise<EarlierJobResult> {
  const { openGitHub, runner } = effects;
  const { githubToken: token, timeoutMs } = inputs;
  if (token === '') return { kind: 'unknown', reason: '`githubToken` is empty' };
  const { findEarlierJob } = await import('./records/earlier-job.ts');
  let github: GitHub;
  try {
    github = await openGitHub({ ...effects, token, deadline, timeoutMs });
  } catch (error) {
    return { kind: 'unknown', reason: quote(runner.redact(messageOf(error))) };
  }
  return findEarlierJob(github, {
    ...facts,
    event: task.kind === 'create' ? 'created' : 'accepted-message',
    projectId: inputs.projectId,
    instructionHash: hashOf(task.instruction),
    jobId: task.kind === 'message' ? task.jobId : undefined,
  });
}
