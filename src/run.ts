import { type AgentApi, createAgentApi } from './agent/api.ts';
import { endOf, type Job, NO_JOB } from './agent/job.ts';
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
import { History, type LookBack } from './records/history.ts';
import type { Recorded } from './records/record.ts';
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
  return writeReport(reportOn(result, runner.clean), runner);
}

/** What every part of a run works with. */
interface Run {
  readonly inputs: Inputs;
  readonly facts: RunFacts;
  readonly effects: RunEffects;
  readonly api: AgentApi;
  /** On the clock's scale, in ms. */
  readonly deadline: number;
  /** Opens GitHub's API when it is first needed. */
  readonly github: () => Promise<GitHub>;
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
  const isFileUsed = raw.promptFile !== undefined && raw.prompt === undefined;
  const file = isFileUsed ? await readPromptFile(raw.promptFile, files) : undefined;
  const inputs = parseInputs(raw, facts, file);
  const { task, timeoutMs, githubToken: token } = inputs;
  learn({ inputs, job: task.kind === 'create' ? NO_JOB : unread(task.jobId) });
  checkOutputs(effects);
  runner.info(`Project ${quote(inputs.projectId)} at ${inputs.baseUrl}`);

  const deadline = clock.now() + timeoutMs;
  const api = createAgentApi({ ...inputs, deadline }, effects);
  const github = once(() => effects.openGitHub({ ...effects, token, deadline, timeoutMs }));
  const run: Run = { inputs, facts, effects, api, deadline, github, learn };
  if (task.kind === 'follow') {
    return inputs.dryRun ? { kind: 'dry-run' } : wait(run, unread(task.jobId), {});
  }
  learn({ prompt: task.instruction });
  const history = historyOf(run, task);
  const resumed = await resume(run, task, history);
  if (resumed !== undefined) return resumed;

  const lastCovered = () => history.lastCovered((message) => warn(effects, message));
  const composed = await composePrompt(task.instruction, inputs, { github, lastCovered }, effects);
  history.setRange(composed.range);
  learn({ changes: composed.changes });
  if (composed.kind === 'skipped') {
    if (composed.range !== undefined && !inputs.dryRun) {
      record(run, history, 'none', 'Nothing was sent, because no relevant file changed.');
    }
    return { kind: 'skipped', reason: composed.reason };
  }
  const prompt = composed.text;
  learn({ prompt });
  history.checkRoom();
  // Large responses of GitHub take a while to handle, and Node handles signals only after that. A
  // cancel that came meanwhile counts now, before anything is sent.
  await clock.sleep(0, signal);
  signal.throwIfAborted();
  return inputs.dryRun ? { kind: 'dry-run' } : send(run, task, history, prompt);
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

/** An agent job of which only the id is known. */
const unread = (id: string): Job => ({ ...NO_JOB, id });

function warn({ runner }: Effects, message: string): void {
  runner.annotate('warning', 'Docs agent: earlier runs', message);
}

type SendingTask = Exclude<Task, { kind: 'follow' }>;

function historyOf({ inputs, facts, github, api, effects }: Run, task: SendingTask): History {
  const { projectId, changes, paths, since, workflowJob, adminApiKey } = inputs;
  const jobId = task.kind === 'message' ? task.jobId : undefined;
  return new History({
    call: task.kind,
    facts,
    projectId,
    prompt: { instruction: task.instruction, changes, paths, since, jobId },
    workflowJob,
    github,
    // Only a dry run has no key.
    readJob: adminApiKey === '' ? undefined : (id) => readOnce(api, inputs, id, effects),
  });
}

/** Reads an agent job of an earlier run. What fails is tried again for a third of `timeout`. */
async function readOnce(api: AgentApi, { timeoutMs }: Inputs, id: string, effects: Effects) {
  const deadline = effects.clock.now() + timeoutMs / 3;
  const ending = await waitForEnd(
    { pollIntervalMs: 1_000, deadline, once: true },
    { job: undefined, firstPauseMs: 0 },
    () => api.readJob(id),
    () => undefined,
    effects,
  );
  switch (ending.kind) {
    case 'ended':
    case 'started':
      return { ...ending.job, kind: 'job' } as const;
    case 'not-found':
      return ending;
    case 'unreadable':
      return { kind: 'failed', error: ending.error } as const;
    case 'timed-out':
      return { kind: 'failed', error: ending.lastError ?? 'no response' } as const;
  }
}

/** Sends the prompt, at most once, and follows what comes of it. */
async function send(
  run: Run,
  task: SendingTask,
  history: History,
  prompt: string,
): Promise<Ending> {
  const { inputs, effects, api, learn } = run;
  const { clock, runner, signal } = effects;
  const size = pluralize(prompt.length, 'character');
  runner.info(
    task.kind === 'create'
      ? `Creating an agent job with a prompt of ${size}.`
      : `Sending agent job ${quote(task.jobId)} a follow-up message of ${size}.`,
  );
  const call = task.kind === 'create' ? api.createJob(prompt) : api.sendMessage(task.jobId, prompt);
  const job = await call.catch((error: unknown) => {
    recordFailure(run, task, history, error);
    throw error;
  });
  recordAccepted(run, task, history, job);
  // An end in the response to a message is the one before it.
  const end = task.kind === 'create' ? endOf(job) : undefined;
  learn({ end });
  if (inputs.wait) {
    const now = clock.now();
    const since = task.kind === 'create' ? { acceptedAtMs: now } : { messageAtMs: now };
    return wait(run, job, since, end === undefined ? inputs.pollIntervalMs : 0);
  }
  signal.throwIfAborted();
  return end === undefined ? { kind: 'started' } : { kind: 'ended', end };
}

/** Remembers an agent job that may exist. Its id may have been in a response that was not usable. */
function recordFailure(run: Run, task: SendingTask, history: History, error: unknown): void {
  if (!(error instanceof RunError || error instanceof CancelledError)) return;
  const { jobId, mayBeAccepted } = error;
  if (jobId !== undefined) setJobIdOutput(run, unread(jobId));
  if (!mayBeAccepted) return;
  if (jobId !== undefined && task.kind === 'create') {
    recordAccepted(run, task, history, unread(jobId));
  } else {
    const sentence = 'The service may have accepted the request, but its response was lost.';
    record(run, history, { kind: 'unknown' }, sentence);
  }
}

/** Sets the output and writes the record at once, so that no later error loses the id. */
function recordAccepted(run: Run, task: SendingTask, history: History, job: Job): void {
  const id = quote(run.effects.runner.clean(job.id));
  setJobIdOutput(run, job);
  run.learn({ isAccepted: true });
  const what = task.kind === 'create' ? 'was created' : 'accepted the message';
  record(run, history, { kind: 'job', id: job.id }, `Agent job ${id} ${what}.`);
}

/** Writes what later attempts and runs need to know. */
function record(
  { effects, facts, learn }: Run,
  history: History,
  what: Recorded | 'none',
  sentence: string,
): void {
  const { title, message, isKept } = history.noticeOf(what, sentence);
  effects.runner.annotate('notice', title, message);
  learn({ isResumable: isKept && facts.step !== '' });
}

function setJobIdOutput({ effects, learn }: Run, job: Job): void {
  learn({ job });
  try {
    effects.runner.setOutput('jobId', job.id);
  } catch {
    // The report writes it again, and says so if that fails as well.
  }
}

/**
 * In a later attempt of a workflow run, follows the agent job that an earlier attempt of this step
 * created or sent its message to. Returns `undefined` when the prompt is to be sent.
 */
async function resume(run: Run, task: SendingTask, history: History): Promise<Ending | undefined> {
  const { inputs, facts, effects } = run;
  if (facts.attempt <= 1 || inputs.rerun === 'create' || inputs.dryRun) return undefined;
  const { runner } = effects;
  const asked =
    'This attempt stopped, because an agent job may exist. The next attempt sends the prompt.';
  const earlier = await history.lookBack(() => record(run, history, { kind: 'asked' }, asked));
  switch (earlier.kind) {
    case 'may-not-look':
      warn(
        effects,
        `Whether an earlier attempt has an agent job is not known: ${earlier.message}. This attempt sends the prompt.`,
      );
      return undefined;
    case 'fresh':
      runner.info('No earlier attempt of this step has an agent job.');
      return undefined;
    case 'create-allowed':
      runner.info(
        `Attempt ${earlier.attempt} asked whether an agent job exists. This attempt sends the prompt.`,
      );
      return undefined;
    case 'follow':
      return followEarlier(run, task, history, earlier);
  }
}

/** Follows it to its ending. Returns `undefined` when it came to nothing and a new one is needed. */
async function followEarlier(
  run: Run,
  task: SendingTask,
  history: History,
  { jobId, attempt, record: earlier }: Extract<LookBack, { kind: 'follow' }>,
): Promise<Ending | undefined> {
  const { effects, facts, inputs, learn } = run;
  const { clock, runner } = effects;
  const id = quote(runner.clean(jobId));
  runner.info(`Following agent job ${id} from attempt ${attempt}. No prompt is sent.`);
  learn({ prompt: undefined, resumedFrom: attempt, isResumable: true });
  setJobIdOutput(run, unread(jobId));
  let first: Job | undefined;
  const onRead = (job: Job) => {
    if (first !== undefined || job.status === '') return;
    first = job;
    if (task.kind === 'create' && cameToNothing(job)) return;
    history.setPartOf(earlier);
    record(
      run,
      history,
      { kind: 'job', id: jobId },
      `Agent job ${id} is followed from attempt ${attempt}.`,
    );
  };
  const now = clock.now();
  const since = { followedFromMs: now, ...(task.kind === 'message' ? { messageAtMs: now } : {}) };
  const ending = await wait(run, unread(jobId), since, 0, onRead);
  if (task.kind === 'message') return ending;
  const isGone = first === undefined && ending.kind === 'not-found';
  if (!isGone && (first === undefined || !cameToNothing(first))) return ending;

  const reason = isGone
    ? 'is no longer known to the service'
    : `had already ended as ${quote(first?.status ?? '')}`;
  runner.info(`Agent job ${id} ${reason}, so the prompt is sent again.`);
  learn({ ...nothingKnown(facts), inputs, prompt: task.instruction });
  return undefined;
}

/** Whether an agent job had ended without a result before this attempt began to follow it. */
const cameToNothing = (job: Job): boolean =>
  endOf(job) === 'failed' || (endOf(job) === 'archived' && job.prLink === '');

/** Reads the agent job until it ends. */
async function wait(
  { inputs, effects, api, deadline, learn }: Run,
  known: Job,
  since: Pick<WaitPlan, 'acceptedAtMs' | 'messageAtMs' | 'followedFromMs'>,
  firstPauseMs = 0,
  onRead?: (job: Job) => void,
): Promise<Ending> {
  effects.signal.throwIfAborted();
  effects.runner.info(whatIsWaitedFor(inputs, known, since.messageAtMs !== undefined));
  return waitForEnd(
    { pollIntervalMs: inputs.pollIntervalMs, deadline, once: !inputs.wait, ...since },
    { job: known.status === '' ? undefined : known, firstPauseMs },
    () => api.readJob(known.id),
    ({ reads, job = known, end, lastError }) => {
      onRead?.(job);
      learn({ checks: reads, job, end, lastError });
    },
    effects,
  );
}

function whatIsWaitedFor(inputs: Inputs, { id }: Job, hasMessage: boolean): string {
  const job = `agent job ${quote(id)}`;
  if (!inputs.wait) return `Checking ${job} once.`;
  const times = `Checking every ${formatDuration(inputs.pollIntervalMs)}, for up to ${formatDuration(inputs.timeoutMs)}.`;
  return hasMessage
    ? `Waiting for ${job} to work on the message and end. An end seen in the first ${formatDuration(MESSAGE_GRACE_MS)} may be from before the message. ${times}`
    : `Waiting for ${job} to end. ${times}`;
}

/** Calls `make` when the result is first needed. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
