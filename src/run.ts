import { type AgentApi, createAgentApi } from './agent/api.ts';
import { endOf, type Job, type JobEnd, type WaitEnding } from './agent/job.ts';
import { waitForEnd } from './agent/wait.ts';
import type { WaitPlan, WaitState } from './agent/wait-decision.ts';
import type { Effects } from './effects/effects.ts';
import type { GitHub, OpenGitHub } from './github/github.ts';
import { type Inputs, parseInputs, type RawInputs } from './inputs/inputs.ts';
import type { ChangesOverview } from './lib/changes-overview.ts';
import { formatDuration } from './lib/duration.ts';
import { AgentApiError, CancelledError, InputError, messageOf, OutputError } from './lib/errors.ts';
import { MESSAGE_GRACE_MS } from './lib/retry.ts';
import type { RunFacts } from './lib/run-facts.ts';
import { pluralize, quote } from './lib/text.ts';
import { composePrompt, readInstruction } from './prompt.ts';
import type { EarlierJob, EarlierJobResult } from './records/earlier-job.ts';
import { fitsAnnotation, hashOf, type JobRecord, noticeOf } from './records/record.ts';
import { type Ending, endingOfError, type RunResult } from './report/ending.ts';
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
  const progress = new Progress();
  const startedAt = clock.now();
  let ending: Ending;
  try {
    ending = await runToEnding(raw, facts, effects, progress);
  } catch (error) {
    ending = endingOfError(error, runner.redact);
  }
  const { prompt } = progress;
  const result: RunResult = {
    ...progress,
    prompt: prompt === undefined ? undefined : shownPrompt(prompt, runner.redact),
    promptLength: prompt?.length ?? 0,
    facts,
    tookMs: clock.now() - startedAt,
    endedAt: clock.date(),
    ending,
  };
  return writeReport(reportOn(result), runner);
}

/** More than a summary can show. */
const MAX_SHOWN_PROMPT = 1_100_000;
/** Longer than any secret in any encoding. */
const MAX_CUT_SECRET = 10_000;

/**
 * The beginning of the prompt without secrets. It is cut first, because removing secrets from many
 * megabytes takes a while. What may be left of a secret at the cut is then removed with the end.
 */
function shownPrompt(prompt: string, redact: (text: string) => string): string {
  const shown = redact(prompt.slice(0, MAX_SHOWN_PROMPT));
  return prompt.length <= MAX_SHOWN_PROMPT ? shown : shown.slice(0, -MAX_CUT_SECRET);
}

/** What the run knows so far. It is kept when an error is thrown. */
class Progress {
  inputs: Inputs | undefined;
  instruction = '';
  prompt: string | undefined;
  changes: ChangesOverview | undefined;
  jobId: string | undefined;
  job: Job | undefined;
  end: JobEnd | undefined;
  isAccepted = false;
  isResumable = false;
  resumedFrom: number | undefined;
  reads = 0;
  /** A read said that the agent job had not ended. */
  wasRunning = false;
  lastError: string | undefined;
}

/** What every part of a run works with. */
interface RunContext {
  readonly inputs: Inputs;
  readonly facts: RunFacts;
  readonly effects: RunEffects;
  readonly api: AgentApi;
  /** On the clock's scale, in ms. */
  readonly deadline: number;
  readonly progress: Progress;
}

async function runToEnding(
  raw: RawInputs,
  facts: RunFacts,
  effects: RunEffects,
  progress: Progress,
): Promise<Ending> {
  const { clock, runner, signal } = effects;
  // The secrets are masked first, before anything can print them.
  for (const secret of [raw.adminApiKey, raw.githubToken]) {
    // A mask with white space around the secret would not cover the secret alone.
    if (secret !== undefined) runner.mask(secret.trim());
  }
  const inputs = await checkedInputs(raw, facts, effects);
  progress.inputs = inputs;
  progress.jobId = inputs.jobId;
  checkOutputs(effects);
  runner.info(`Project ${quote(inputs.projectId)} at ${inputs.baseUrl}`);

  const deadline = clock.now() + inputs.timeoutMs;
  const api = createAgentApi({ ...inputs, deadline }, effects);
  const run: RunContext = { inputs, facts, effects, api, deadline, progress };
  const instruction = await readInstructionOf(run);
  const resumed = await resume(run, instruction);
  if (resumed !== undefined) return resumed;

  const composed = await promptOf(run, instruction);
  if (composed.ending !== undefined) return composed.ending;
  // Large answers of GitHub take a while to handle, and Node handles signals only after that. A
  // cancel that came meanwhile counts now, before anything is sent.
  if (progress.changes !== undefined || facts.attempt > 1) await clock.sleep(0, signal);
  signal.throwIfAborted();
  if (inputs.dryRun) return { kind: 'dry-run' };
  return inputs.jobId === undefined
    ? createAndWait(run, composed.prompt ?? '')
    : followJob(run, inputs.jobId, composed.prompt);
}

/** Checks the inputs and the prompt file together, so that every problem is reported at once. */
async function checkedInputs(raw: RawInputs, facts: RunFacts, effects: Effects): Promise<Inputs> {
  try {
    return parseInputs(raw, facts);
  } catch (error) {
    if (
      !(error instanceof InputError) ||
      raw.promptFile === undefined ||
      raw.prompt !== undefined
    ) {
      throw error;
    }
    const problems = await problemsOfFile(raw.promptFile.trim(), effects);
    throw new InputError([...error.problems, ...problems], { cause: error });
  }
}

async function problemsOfFile(path: string, { files }: Effects): Promise<readonly string[]> {
  try {
    await readInstruction({ from: 'promptFile', path }, files);
    return [];
  } catch (error) {
    return error instanceof InputError ? error.problems : [];
  }
}

async function readInstructionOf({
  inputs,
  effects,
  progress,
}: RunContext): Promise<string | undefined> {
  if (inputs.instruction === undefined) return undefined;
  const instruction = await readInstruction(inputs.instruction, effects.files);
  progress.prompt = instruction;
  progress.instruction = instruction;
  return instruction;
}

/** Checks that outputs can be written, before an agent job exists whose id would be lost. */
function checkOutputs({ runner }: Effects): void {
  try {
    runner.checkOutputs();
  } catch (cause) {
    const message = `The runner's file for outputs cannot be written (${quote(messageOf(cause))}), so no agent job was created. Check the environment variable \`GITHUB_OUTPUT\` and the disk of the runner.`;
    throw new OutputError(message, { cause });
  }
}

async function promptOf(run: RunContext, instruction: string | undefined) {
  const { inputs, effects, deadline, progress } = run;
  if (instruction === undefined) return {};
  const composed = await composePrompt(instruction, inputs, deadline, {
    ...effects,
    lastCovered: async () => ({ kind: 'nothing', isFirstRun: true }),
  });
  progress.changes = composed.changes;
  if (composed.kind === 'skipped') {
    return { ending: { kind: 'skipped', changes: composed.changes } as const };
  }
  progress.prompt = composed.text;
  return { prompt: composed.text };
}

/**
 * In a later attempt of a workflow run, follows the agent job that an earlier attempt of this step
 * created or sent its message to. Returns `undefined` when there is none, or when a new one is
 * needed.
 */
async function resume(
  run: RunContext,
  instruction: string | undefined,
): Promise<Ending | undefined> {
  const { inputs, facts, effects } = run;
  const isFirst = facts.attempt <= 1;
  if (isFirst || inputs.rerun === 'create' || inputs.dryRun || instruction === undefined) {
    return undefined;
  }
  const { runner } = effects;
  const earlier = await openAndFindEarlierJob(run, instruction);
  if (earlier.kind === 'unknown') {
    const next = inputs.jobId === undefined ? 'creates a new one' : 'sends the message';
    const message = `Could not find out whether an earlier attempt has an agent job: ${earlier.reason}. This attempt ${next}.`;
    runner.annotate('warning', 'Docs agent: no earlier attempt resumed', message);
    return undefined;
  }
  if (earlier.job === undefined) {
    runner.info('No earlier attempt of this step has an agent job.');
    return undefined;
  }
  return followEarlierJob(run, earlier.job);
}

/** Follows it to its ending. Returns `undefined` when it came to nothing and a new one is needed. */
async function followEarlierJob(run: RunContext, { jobId, attempt }: EarlierJob) {
  const { inputs, effects, progress } = run;
  const { clock, runner } = effects;
  runner.info(`Following agent job ${quote(jobId)} from attempt ${attempt}. No prompt is sent.`);
  const { instruction, prompt } = progress;
  progress.prompt = undefined;
  setJobIdOutput(run, jobId);
  progress.resumedFrom = attempt;
  const hasMessage = inputs.jobId !== undefined;
  const ending = await wait(run, jobId, hasMessage ? { messageAt: clock.now() } : {});
  if (hasMessage || !needsNewJob(ending, progress)) return ending;

  const reason = ending.kind === 'ended' ? 'had failed' : 'is no longer known to the service';
  runner.info(`Agent job ${quote(jobId)} ${reason}, so it is not followed.`);
  Object.assign(progress, new Progress(), { inputs, instruction, prompt });
  return undefined;
}

/** The agent job had failed before this attempt, or the service no longer knows it. */
function needsNewJob(ending: WaitEnding, { wasRunning }: Progress): boolean {
  if (ending.kind === 'ended') return ending.end === 'failed' && !wasRunning;
  return ending.kind === 'not-found';
}

/** Loads the code for GitHub's API only here, so that a first attempt does not start slower. */
async function openAndFindEarlierJob(
  { inputs, facts, effects, deadline }: RunContext,
  instruction: string,
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
    event: inputs.jobId === undefined ? 'created' : 'accepted-message',
    projectId: inputs.projectId,
    instructionHash: hashOf(instruction),
    jobId: inputs.jobId,
  });
}

async function createAndWait(run: RunContext, prompt: string): Promise<Ending> {
  const { inputs, effects, api, progress } = run;
  const { clock, runner, signal } = effects;
  runner.info(`Creating an agent job with a prompt of ${pluralize(prompt.length, 'character')}.`);
  let job: Job;
  try {
    job = await api.createJob(prompt);
  } catch (error) {
    // The answer could not be used, but the agent job's id could be read from it.
    const isOfCall = error instanceof AgentApiError || error instanceof CancelledError;
    if (isOfCall && error.jobId !== undefined) recordAccepted(run, 'created', error.jobId);
    throw error;
  }
  progress.job = job;
  recordAccepted(run, 'created', job.id);
  const createdAt = clock.now();
  const end = endOf(job);
  progress.end = end;
  if (!inputs.wait) {
    signal.throwIfAborted();
    return end === undefined ? { kind: 'started', job } : { kind: 'ended', end, job };
  }
  return wait(run, job.id, { createdAt }, end === undefined ? inputs.pollIntervalMs : 0);
}

/**
 * Follows the agent job that `jobId` names, after sending the follow-up message if there is one.
 */
async function followJob(
  run: RunContext,
  jobId: string,
  prompt: string | undefined,
): Promise<Ending> {
  const { inputs, effects, api, progress } = run;
  const { clock, runner, signal } = effects;
  if (prompt === undefined) return wait(run, jobId, {});
  const size = pluralize(prompt.length, 'character');
  runner.info(`Sending agent job ${quote(jobId)} a follow-up message of ${size}.`);
  const job = await api.sendMessage(jobId, prompt);
  progress.job = job;
  recordAccepted(run, 'accepted-message', jobId);
  if (!inputs.wait) {
    signal.throwIfAborted();
    return { kind: 'started', job };
  }
  return wait(run, jobId, { messageAt: clock.now() }, inputs.pollIntervalMs);
}

function setJobIdOutput(
  { effects, progress }: Pick<RunContext, 'effects' | 'progress'>,
  jobId: string,
): void {
  progress.jobId = jobId;
  try {
    effects.runner.setOutput('jobId', jobId);
  } catch {
    // The report writes it again, and says so if that fails as well.
  }
}

/**
 * Sets the output and writes the record for re-runs at once, so that no later error loses the id.
 */
function recordAccepted(
  { inputs, facts, effects, progress }: RunContext,
  event: JobRecord['event'],
  jobId: string,
) {
  const { runner } = effects;
  setJobIdOutput({ effects, progress }, jobId);
  progress.isAccepted = true;
  const { projectId } = inputs;
  const instructionHash = hashOf(progress.instruction);
  const notice = noticeOf({ event, jobId, projectId, step: facts.step, instructionHash });
  progress.isResumable = facts.step !== '' && fitsAnnotation(notice);
  runner.annotate('notice', notice.title, notice.message);
}

async function wait(
  { inputs, effects, api, deadline, progress }: RunContext,
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
    ? `Waiting for ${job} to work on the message and end. An end that is read in the first ${formatDuration(MESSAGE_GRACE_MS)} may be the one before the message. ${times}`
    : `Waiting for ${job} to end. ${times}`;
}
