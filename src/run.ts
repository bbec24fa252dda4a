import { type AgentApi, createAgentApi } from './agent/api.ts';
import { cameToNothing, endOf, type Job, NO_JOB, unread } from './agent/job.ts';
import { describeWait, readOnce, waitForEnd } from './agent/wait.ts';
import type { WaitPlan } from './agent/wait-decision.ts';
import type { Effects } from './effects/effects.ts';
import type { GitHub, GitHubAccess } from './github/github.ts';
import { type Inputs, parseInputs, type RawInputs, type SendingTask } from './inputs/inputs.ts';
import { readPromptFile } from './inputs/prompt-file.ts';
import { CancelledError, RunError } from './lib/errors.ts';
import { once } from './lib/once.ts';
import type { RunFacts } from './lib/run-facts.ts';
import { pluralize, quote } from './lib/text.ts';
import { composePrompt } from './prompt.ts';
import type { Follow } from './records/attempts.ts';
import { createHistory, type History } from './records/history.ts';
import { type Ending, endingOfError, type Known, nothingKnown } from './report/ending.ts';
import { reportOn, writeReport } from './report/report.ts';

/** Everything that a run does outside its own memory. */
export interface RunEffects extends Effects {
  /** Loads the client of GitHub's API. It is called only when that is needed. */
  readonly openGitHub: (access: GitHubAccess) => Promise<GitHub>;
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
  const result = { ...known, ending, tookMs: clock.now() - startedAtMs, endedAtMs: clock.date() };
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

/** A run that sends a prompt, unless an earlier attempt has. */
interface SendingRun extends Run {
  readonly task: SendingTask;
  readonly history: History;
}

/** Tells one run from its inputs to its ending. */
async function story(
  raw: RawInputs,
  facts: RunFacts,
  effects: RunEffects,
  learn: Run['learn'],
): Promise<Ending> {
  const { clock, runner, signal, files } = effects;
  for (const secret of [raw.adminApiKey, raw.githubToken]) {
    // A mask with white space around the secret would not cover the secret alone.
    if (secret !== undefined) runner.mask(secret.trim());
  }
  const isFileUsed = raw.promptFile !== undefined && raw.prompt === undefined;
  const file = isFileUsed ? await readPromptFile(raw.promptFile, files) : undefined;
  const inputs = parseInputs(raw, facts, runner.clean, file);
  const { task, timeoutMs, githubToken: token } = inputs;
  learn({ inputs, job: task.kind === 'create' ? NO_JOB : unread(task.jobId) });
  runner.checkOutputs();
  runner.info(`Project ${quote(inputs.projectId)} at ${inputs.baseUrl}`);

  const deadline = clock.now() + timeoutMs;
  const api = createAgentApi({ ...inputs, deadline }, effects);
  const github = once(() => effects.openGitHub({ ...effects, token, deadline, timeoutMs }));
  const run: Run = { inputs, facts, effects, api, deadline, github, learn };
  if (task.kind === 'follow') {
    return inputs.dryRun ? { kind: 'dry-run' } : wait(run, unread(task.jobId));
  }
  learn({ prompt: task.instruction });
  const history = historyOf(run, task);
  const sending: SendingRun = { ...run, task, history };
  const isResuming = facts.attempt > 1 && inputs.rerun === 'resume' && !inputs.dryRun;
  const earlier = isResuming ? await history.lookBack() : undefined;
  const resumed = earlier && (await followEarlier(sending, earlier));
  if (resumed !== undefined) return resumed;

  const source = { github, lastCovered: history.lastCovered };
  const composed = await composePrompt(task.instruction, inputs, source, effects);
  // Stops when the record of this run would be too long to be kept.
  await history.setRange(composed.range);
  learn({ changes: composed.changes });
  if (composed.kind === 'skipped') {
    if (!inputs.dryRun) history.recordSkip(composed.reason);
    return { kind: 'skipped', reason: composed.reason };
  }
  learn({ prompt: composed.text });
  // Node handles no signal while it reads a large response. A cancel from then counts now.
  if (composed.changes !== undefined) await clock.sleep(0, signal);
  signal.throwIfAborted();
  return inputs.dryRun ? { kind: 'dry-run' } : send(sending, composed.text);
}

function historyOf(run: Run, task: SendingTask) {
  const { inputs, facts, api, deadline, effects, learn } = run;
  const limit = { timeoutMs: inputs.timeoutMs, deadline };
  return createHistory({
    ...run,
    task,
    runner: effects.runner,
    // Agent jobs of earlier runs are read to know what they covered. Only a dry run has no key.
    readJob: inputs.adminApiKey === '' ? undefined : (id) => readOnce(api, id, limit, effects),
    // Without a name of the step, no re-run can tell its record from others.
    onRecord: (isKept) => learn({ isResumable: isKept && facts.step !== '' }),
  });
}

/**
 * Follows the agent job of an earlier attempt to its end. Returns `undefined` when that one came to
 * nothing before this attempt, so that the prompt is to be sent: only the first read decides it. A
 * message that was accepted is never sent again.
 */
async function followEarlier(run: SendingRun, earlier: Follow): Promise<Ending | undefined> {
  const { task, history, effects, facts, inputs, learn } = run;
  const { jobId, attempt } = earlier;
  const { clock, runner } = effects;
  const id = quote(runner.clean(jobId));
  runner.info(`Following agent job ${id} from attempt ${attempt}. No prompt is sent.`);
  learn({ prompt: undefined, resumedFrom: attempt, isResumable: true });
  learnJob(run, unread(jobId));
  const isUseless = (job: Job) => task.kind === 'create' && cameToNothing(job);
  let first: Job | undefined;
  const onSeen = (job: Job) => {
    if (first === undefined && !isUseless(job)) history.recordFollowed(earlier);
    first ??= job;
  };
  // It was accepted earlier: an end that is read in the first 30 s may be the one before it.
  const message = task.kind === 'message' ? { messageAtMs: clock.now() } : {};
  const ending = await wait(run, unread(jobId), { isFollowed: true, ...message, onSeen });
  const isGone = task.kind === 'create' && first === undefined && ending.kind === 'not-found';
  const isSentAgain = isGone || (first !== undefined && isUseless(first));
  if (!isSentAgain) return ending;
  const reason = isGone
    ? 'is no longer known to the service'
    : `had already ended as ${quote(first?.status ?? '')}`;
  runner.info(`Agent job ${id} ${reason}, so the prompt is sent again.`);
  learn({ ...nothingKnown(facts), inputs, prompt: task.instruction });
  return undefined;
}

/** Sends the prompt, at most once, and follows what comes of it. */
async function send(run: SendingRun, prompt: string): Promise<Ending> {
  const { task, inputs, effects, api, learn } = run;
  const { clock, runner, signal } = effects;
  const size = pluralize(prompt.length, 'character');
  runner.info(
    task.kind === 'create'
      ? `Creating an agent job with a prompt of ${size}.`
      : `Sending agent job ${quote(task.jobId)} a follow-up message of ${size}.`,
  );
  const call = task.kind === 'create' ? api.createJob(prompt) : api.sendMessage(task.jobId, prompt);
  const job = await call.catch((error: unknown) => {
    keepFailure(run, error);
    throw error;
  });
  keepAccepted(run, job);
  // An end in the response to a message is the one before the message.
  const end = task.kind === 'create' ? endOf(job) : undefined;
  learn({ end });
  if (inputs.wait) {
    const at = clock.now();
    const accepted = task.kind === 'create' ? { acceptedAtMs: at } : { messageAtMs: at };
    const firstPauseMs = end === undefined ? inputs.pollIntervalMs : 0;
    return wait(run, job, { ...accepted, firstPauseMs });
  }
  signal.throwIfAborted();
  return end === undefined ? { kind: 'started' } : { kind: 'ended', end };
}

/** Keeps what is known of a call that failed: its response may have held an id all the same. */
function keepFailure(run: SendingRun, error: unknown): void {
  if (!(error instanceof RunError || error instanceof CancelledError)) return;
  const { jobId, mayBeAccepted } = error;
  const isCreated = mayBeAccepted && run.task.kind === 'create' && jobId !== undefined;
  if (isCreated) keepAccepted(run, unread(jobId));
  else if (mayBeAccepted) run.history.recordDoubt();
  // What is left is a message's own agent job, or an id in the response of a refused call.
  if (!isCreated && jobId !== undefined) learnJob(run, unread(jobId));
}

/** Sets the output and writes the record at once, so that no later error loses the id. */
function keepAccepted(run: SendingRun, job: Job): void {
  learnJob(run, job);
  run.learn({ isAccepted: true });
  run.history.recordAccepted(job.id);
}

/** Keeps the agent job for the report, and sets the output `jobId`. */
function learnJob({ effects, learn }: Run, job: Job): void {
  learn({ job });
  try {
    effects.runner.setOutput('jobId', job.id);
  } catch {
    // The report writes it again, and says so if that fails as well.
  }
}

interface WaitOptions extends Pick<WaitPlan, 'acceptedAtMs' | 'messageAtMs' | 'isFollowed'> {
  readonly firstPauseMs?: number;
  /** Called after each read, from the first one that shows the agent job. */
  readonly onSeen?: (job: Job) => void;
}

/** Reads the agent job until it ends. `before` is what is known of it so far. */
async function wait(
  { inputs, effects, api, deadline, learn }: Run,
  before: Job,
  { firstPauseMs = 0, onSeen, ...origin }: WaitOptions = {},
): Promise<Ending> {
  const { pollIntervalMs, timeoutMs } = inputs;
  const plan: WaitPlan = { pollIntervalMs, deadline, isSingleRead: !inputs.wait, ...origin };
  effects.signal.throwIfAborted();
  effects.runner.info(describeWait(before.id, plan, timeoutMs));
  return waitForEnd(
    plan,
    { job: before.status === '' ? undefined : before, firstPauseMs },
    () => api.readJob(before.id),
    ({ reads, job = before, end, lastError, wasSeen }) => {
      if (wasSeen) onSeen?.(job);
      learn({ checks: reads, job, end, lastError });
    },
    effects,
  );
}
