import { type AgentApi, createAgentApi } from './agent/api.ts';
import { type Job, stateOf } from './agent/job.ts';
import { waitForEnd } from './agent/wait.ts';
import type { WaitEnd } from './agent/wait-state.ts';
import { formatDuration } from './duration.ts';
import type { Effects, Runner } from './effects/effects.ts';
import {
  AgentApiError,
  CancelledError,
  InputError,
  messageOf,
  SinceError,
  WorkflowContextError,
} from './errors.ts';
import { type Inputs, parseInputs, type RawInputs, type RunFacts } from './inputs.ts';
import { appendChanges, type ComposedPrompt, readInstruction } from './prompt.ts';
import type { Ending, RunRecord } from './report/ending.ts';
import { deliver, reportOn } from './report/report.ts';
import { count, quote } from './text.ts';

/**
 * One run of the action: inputs, prompt (with changes), job, report. Every way through ends in one
 * report. Returns whether the step succeeds; does not reject.
 */
export async function run(raw: RawInputs, facts: RunFacts, effects: Effects): Promise<boolean> {
  const known = new Known();
  const startedAt = effects.clock.now();
  let ending: Ending;
  try {
    ending = await story(raw, facts, effects, known);
  } catch (error) {
    ending = endingOf(error);
    if (error instanceof AgentApiError) known.jobId ??= error.jobId;
  }
  const record: RunRecord = {
    ...known,
    tookMs: effects.clock.now() - startedAt,
    endedAt: effects.clock.date(),
    ending,
  };
  return deliver(reportOn(record), effects.runner);
}

/** What has become known so far, kept apart from the story so that a failure cannot take it along. */
class Known {
  inputs: Inputs | undefined;
  prompt: string | undefined;
  changes: string | undefined;
  jobId: string | undefined;
  job: Job | undefined;
  reads = 0;
}

async function story(
  raw: RawInputs,
  facts: RunFacts,
  effects: Effects,
  known: Known,
): Promise<Ending> {
  const { clock, runner, signal } = effects;
  // First of all, before anything could print them.
  for (const secret of [raw.adminApiKey, raw.githubToken]) {
    if (secret !== undefined) runner.mask(secret);
  }
  const inputs = parseInputs(raw, facts);
  known.inputs = inputs;
  known.jobId = inputs.jobId;
  const deadline = clock.now() + inputs.timeoutMs;
  runner.info(`Docs agent for project ${quote(inputs.projectId)} at ${inputs.baseUrl}`);

  if (inputs.instruction !== undefined) {
    known.prompt = await readInstruction(inputs.instruction, effects.files);
    const composed = await appendChanges(known.prompt, inputs, deadline, effects);
    known.changes = lineOf(composed.changes);
    if (composed.kind === 'skipped') {
      const { files: changedFiles, base } = composed.changes;
      return { kind: 'skipped', changedFiles, base };
    }
    known.prompt = composed.text;
  }
  signal.throwIfAborted();

  const api = createAgentApi({ ...inputs, deadline }, effects);
  const hand = await handOver(inputs, known.prompt, api, effects, known);
  signal.throwIfAborted();
  if (!inputs.wait && hand.accepted !== undefined) return { kind: 'started', job: hand.accepted };

  const jobId = hand.jobId;
  runner.info(
    `Reading job ${quote(jobId)} ${inputs.wait ? `every ${formatDuration(inputs.pollIntervalMs)}, for ${formatDuration(inputs.timeoutMs)} at most` : 'once'}.`,
  );
  const end = await waitForEnd(
    { pollIntervalMs: inputs.pollIntervalMs, deadline, once: !inputs.wait, ...hand.since },
    { job: hand.accepted, firstPauseMs: hand.accepted === undefined ? 0 : inputs.pollIntervalMs },
    () => api.readJob(jobId),
    (state) => {
      known.reads = state.reads;
      known.job = state.job;
    },
    effects,
  );
  return endingOfWait(end, jobId);
}

function lineOf(changes: ComposedPrompt['changes']): string | undefined {
  if (changes === undefined) return undefined;
  if (changes.kind === 'unknown') return `not known: ${changes.why}`;
  const { commits, files, selectedFiles, base, head } = changes;
  const selected =
    selectedFiles === files ? '' : `, ${selectedFiles} of them selected by \`paths\``;
  return `${count(commits, 'commit')} and ${count(files, 'changed file')}${selected}, from ${quote(base)} to ${quote(head)}`;
}

interface HandOver {
  readonly jobId: string;
  /** The job as the service answered the create or message call; missing when none was made. */
  readonly accepted: Job | undefined;
  readonly since: { readonly createdAt?: number; readonly messageAt?: number };
}

/** Creates the job, or sends the follow-up message, or does neither when a job is only followed. */
async function handOver(
  { jobId }: Inputs,
  prompt: string | undefined,
  api: AgentApi,
  { clock, runner }: Effects,
  known: Known,
): Promise<HandOver> {
  const size = prompt === undefined ? '' : count(prompt.length, 'character');
  if (jobId !== undefined) {
    if (prompt === undefined) return { jobId, accepted: undefined, since: {} };
    runner.info(`Sending job ${quote(jobId)} a follow-up message of ${size}.`);
    const job = await api.sendMessage(jobId, prompt);
    known.job = job;
    announce(runner, jobId, 'message sent', `Job ${quote(jobId)} took the message.`);
    return { jobId, accepted: job, since: { messageAt: clock.now() } };
  }
  runner.info(`Creating a job with a prompt of ${size}.`);
  const job = await api.createJob(prompt ?? '');
  known.job = job;
  known.jobId = job.id;
  announce(runner, job.id, 'job created', `Job ${quote(job.id)} was created.`);
  return { jobId: job.id, accepted: job, since: { createdAt: clock.now() } };
}

/** Puts the job's id out at once, so that nothing that happens later can lose it. */
function announce(runner: Runner, jobId: string, title: string, message: string): void {
  try {
    runner.setOutput('jobId', jobId);
  } finally {
    runner.annotate('notice', `Docs agent: ${title}`, message);
  }
}

function endingOfWait(end: WaitEnd, jobId: string): Ending {
  switch (end.kind) {
    case 'ended':
    case 'timed-out':
      return end;
    case 'read-once': {
      const state = stateOf(end.job);
      const isOpen = state === 'active' || state === 'unknown';
      return isOpen
        ? { kind: 'started', job: end.job }
        : { kind: 'ended', end: state, job: end.job };
    }
    case 'missing':
      return failed('There is no such job', `Job ${quote(jobId)} was not found: ${end.fault}`);
    case 'unreadable':
      return {
        ...failed(
          'The job could not be read',
          `Job ${quote(jobId)} could not be read: ${end.fault}`,
        ),
        isFollowable: true,
      };
  }
}

function endingOf(error: unknown): Ending {
  if (error instanceof CancelledError) {
    return { kind: 'cancelled', signal: error.signal, jobExists: error.jobExists };
  }
  if (error instanceof InputError) return failed('The inputs cannot be used', error.message);
  if (error instanceof SinceError)
    return failed('The start of the changes was not found', error.message);
  if (error instanceof WorkflowContextError) {
    return failed('Not in a GitHub Actions workflow', error.message);
  }
  if (error instanceof AgentApiError) {
    return {
      ...failed(error.title, error.message),
      jobExists: error.jobExists,
      isFollowable: error.jobExists === 'maybe',
    };
  }
  const message = `The action failed in a way it does not know: ${quote(messageOf(error))}. Please report this.`;
  return { ...failed('Unexpected error', message), isFollowable: true };
}

/** An ending after which there is no job, or none of this run's doing. */
function failed(title: string, message: string) {
  return { kind: 'error', title, message, jobExists: 'no', isFollowable: false } as const;
}
