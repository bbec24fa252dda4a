import { checkAccess, checkCertificates } from './agent/access.ts';
import { type AgentApi, createAgentApi } from './agent/api.ts';
import { describeWait, readOnce, waitForEarlier, waitForEnd } from './agent/wait.ts';
import type { WaitOrigin, WaitPlan } from './agent/wait-decision.ts';
import type { Changes } from './changes/find/found.ts';
import { pauseForSignals } from './changes/find/pause.ts';
import type { ComposedPrompt, News } from './changes/write/prompt.ts';
import type { Effects, Runner } from './effects/effects.ts';
import type { GitHub, GitHubAccess, WorkflowEvent } from './github/github.ts';
import { findAddition } from './history/addition.ts';
import { identityOf } from './history/identity.ts';
import { type AgentJobs, createAgentJobs } from './history/judge.ts';
import {
  askedRecord,
  calledRecord,
  earlyPlan,
  planOf,
  pressOf,
  type RecordPlan,
  recordOf,
} from './history/plan.ts';
import { createPulls, type Pulls } from './history/pulls.ts';
import { fitsAnnotation, lineOf, RECORD_TITLE } from './history/record-line.ts';
import { type Appended, findTarget, lastJobNotKnown, type Target } from './history/target.ts';
import { judgePart, readVerdict, type Sending, type VerdictQuery } from './history/verdict.ts';
import {
  InputError,
  type Inputs,
  parseInputs,
  type RawInputs,
  type SendingTask,
} from './inputs/inputs.ts';
import { readPromptFile } from './inputs/prompt-file.ts';
import { cameToNothing, endOf, fateOf, unread } from './model/agent-job.ts';
import type { ChangesOverview, SkipReason } from './model/changes.ts';
import {
  CHANGES_NOT_FOUND,
  EndingError,
  GitHubError,
  messageOf as messageOfError,
  RunError,
} from './model/errors.ts';
import { type StepRecord, unixSeconds } from './model/record.ts';
import type { RunFacts } from './model/run-facts.ts';
import { newerRunHasThem } from './model/start.ts';
import { endingOfError, type Known, nothingKnown } from './report/ending.ts';
import { reportOn, writeReport } from './report/report.ts';
import { quote } from './text/escape.ts';
import { once } from './text/once.ts';
import { pullRequestAt } from './text/pull-request-link.ts';
import { pluralize, withoutFullStop } from './text/words.ts';

/** Everything that a run does outside its own memory. */
export interface RunEffects extends Effects {
  /** Loads the client of GitHub's API. It is called only when that is needed. */
  readonly openGitHub: (access: GitHubAccess) => Promise<GitHub>;
  /** Throws a `GitHubError` when the event's file cannot be read. */
  readonly readEvent: () => WorkflowEvent;
}

/**
 * One run of the action: inputs, what came before, prompt, agent job, report. Every run ends with one
 * report. Returns whether the step succeeds, and never rejects.
 */
export async function run(raw: RawInputs, facts: RunFacts, effects: RunEffects): Promise<boolean> {
  const { clock, runner } = effects;
  const startedAtMs = clock.now();
  let known = nothingKnown(facts);
  let ending: Known['ending'];
  try {
    for await (known of story(known, raw, effects)) ending = known.ending;
  } catch (error) {
    ending = endingOfError(error, runner.redact);
  }
  ending ??= endingOfError(new Error('the run has no ending'), runner.redact);
  const ended = { ...known, ending };
  const result = {
    ...ended,
    press: pressAfter(ended),
    tookMs: clock.now() - startedAtMs,
    endedAtMs: clock.date(),
  };
  // Before the closing annotation: GitHub keeps a limited number of them.
  const { record, isRecordWritten } = result;
  if (record !== undefined && !isRecordWritten) writeRecord(record, runner);
  return writeReport(reportOn(result, runner.clean), runner);
}

/** Leaves the record where later attempts and runs read it. */
const writeRecord = (record: StepRecord, runner: Runner) =>
  runner.annotate('notice', RECORD_TITLE, lineOf(record));

/**
 * The run, step by step. Each value is what is known by then, so that an error in the next step ends
 * the run with all of it. The last one has an ending.
 */
type Story = AsyncGenerator<Known, void, void>;

/** What every step of a run works with. */
interface RunContext {
  readonly inputs: Inputs;
  readonly facts: RunFacts;
  readonly effects: RunEffects;
  /** Missing without a key, which only a dry run may lack. */
  readonly api: AgentApi | undefined;
  /** On the clock's scale, in ms. */
  readonly deadline: number;
  /** Opens GitHub's API when it is first needed. */
  readonly github: () => Promise<GitHub>;
  readonly pulls: Pulls;
  readonly agentJobs: AgentJobs;
  /** To call often during long work. */
  readonly handleSignals: () => Promise<void>;
}

/** A run that sends a prompt, unless an earlier attempt or a newer run has. */
interface SendingContext extends RunContext {
  readonly task: SendingTask;
  /** The plan of its record before its changes are known. */
  readonly early: RecordPlan;
}

/** No dry run: it has a key. */
type Calling<C extends RunContext> = C & { readonly api: AgentApi };

async function* story(nothing: Known, raw: RawInputs, effects: RunEffects): Story {
  const { facts } = nothing;
  const { clock, runner } = effects;
  const inputs = await readInputs(raw, facts, effects);
  if (inputs instanceof InputError) {
    // Inputs that cannot be used may still tell which step this is.
    const early = inputs.inputs && (await earlyPlanOf(inputs.inputs, facts, effects, true));
    const record = inputs.inputs && todoOf(inputs.inputs, early);
    const isForkWithoutKey = facts.isFork && raw.adminApiKey === undefined;
    yield {
      ...nothing,
      record,
      ending: isForkWithoutKey
        ? { kind: 'skipped', reason: 'fork' }
        : { kind: 'bad-inputs', problems: inputs.problems },
    };
    return;
  }
  const { task, timeoutMs, adminApiKey } = inputs;
  const early = await earlyPlanOf(inputs, facts, effects);
  const known: Known = {
    ...nothing,
    inputs,
    job: unread(task.kind === 'create' ? '' : task.jobId),
    prompt: task.kind === 'follow' ? undefined : task.instruction,
    record: todoOf(inputs, early),
  };
  yield known;
  runner.checkOutputs();
  runner.info(`Project ${quote(inputs.projectId)} at ${inputs.baseUrl}`);
  checkCertificates(effects.http);
  const deadline = clock.now() + timeoutMs;
  const api =
    adminApiKey === undefined
      ? undefined
      : createAgentApi({ ...inputs, adminApiKey, deadline }, effects);
  const access = { ...effects, token: inputs.githubToken, deadline, timeoutMs };
  const github = once(() => effects.openGitHub(access));
  const pulls = createPulls(github, facts.serverUrl);
  // Agent jobs of earlier runs are read to know what they covered. Only a dry run has no key.
  const readJob =
    api &&
    ((id: string, isNew: boolean) => readOnce(api, id, { timeoutMs, deadline, isNew }, effects));
  const agentJobs = createAgentJobs(readJob, pulls, () => clock.date());
  const handleSignals = pauseForSignals(effects, deadline);
  const used = { api, deadline, github, pulls, agentJobs, handleSignals };
  const context: RunContext = { inputs, facts, effects, ...used };
  if (task.kind === 'follow' || early === undefined) {
    yield* follow(context, known, { origin: { kind: 'given' }, isSingleRead: !inputs.wait });
    return;
  }
  yield* sendOnce({ ...context, task, early }, known);
}

async function readInputs(
  raw: RawInputs,
  facts: RunFacts,
  { runner, files }: RunEffects,
): Promise<Inputs | InputError> {
  for (const secret of [raw.adminApiKey, raw.githubToken]) {
    // A mask with white space around the secret would not cover the secret alone.
    if (secret !== undefined) runner.mask(secret.trim());
  }
  const isFileUsed = raw.promptFile !== undefined && raw.prompt === undefined;
  const file = isFileUsed ? await readPromptFile(raw.promptFile, files) : undefined;
  try {
    return parseInputs(raw, facts, runner.clean, file);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

const readsChanges = ({ changes, paths }: Inputs) => changes !== 'none' || paths.length > 0;

/** The plan of the record before anything was asked. `undefined` for a run that only follows. */
async function earlyPlanOf(
  inputs: Inputs,
  facts: RunFacts,
  { readEvent }: RunEffects,
  isIncomplete = false,
) {
  const { task } = inputs;
  if (task.kind === 'follow') return undefined;
  const identity = identityOf({ ...inputs, task }, facts);
  // Of inputs that cannot be used, `since` may be missing.
  if (inputs.since === 'auto' && !isIncomplete) return earlyPlan(identity, undefined);
  const { beginOf } = await import('./changes/find/event.ts');
  return earlyPlan(identity, beginOf(readEvent));
}

const todoOf = ({ dryRun }: Inputs, early: RecordPlan | undefined) =>
  early === undefined || dryRun ? undefined : recordOf(early, { kind: 'todo' });

const BUSY_BRANCH =
  'A run that starts while the agent is at work creates a new agent job, so a busy branch gets several pull requests. Without `wait: false` and with `concurrency:`, each run waits for the one before it.';

/** Sends the prompt, unless what came before says otherwise. */
async function* sendOnce(context: SendingContext, known: Known): Story {
  const { effects, inputs, early, task } = context;
  const { runner, clock } = effects;
  if (inputs.pullRequest === 'append' && !inputs.wait) {
    runner.annotate('warning', 'Docs agent: `wait: false` with `pullRequest: append`', BUSY_BRANCH);
  }
  const query = await whatToLookFor(context);
  const verdict = await readVerdict(query);
  switch (verdict.kind) {
    case 'follow': {
      const { jobId, attempt, record, isSeen } = verdict;
      const id = quote(runner.clean(jobId));
      runner.info(`Following agent job ${id} from attempt ${attempt}. No prompt is sent.`);
      setJobId(jobId, runner);
      const isAppended = typeof record.last === 'object' && record.last.id === jobId;
      const isMessage = record.added !== undefined || task.kind === 'message';
      const followed: Known = {
        ...known,
        job: unread(jobId),
        prompt: undefined,
        resumedFrom: attempt,
        // The agent job is certain now, whatever the earlier attempt could know.
        record: { ...record, ...early.identity },
        sourcePulls: record.pulls,
        isUpdated: isMessage || isAppended,
      };
      yield followed;
      // It was accepted earlier: an end that is read in the first 30 s may be the one before it.
      const origin = originOfFollowed(isMessage, isSeen, clock.now());
      const isSingleRead = !waitsForEnd(context, verdict.isBehind);
      yield* follow(context, followed, { isSingleRead, origin });
      return;
    }
    case 'stop':
      yield { ...known, record: askedRecord(early, verdict.about) };
      throw verdict.error;
    case 'skip': {
      const reason = newerRunHasThem(verdict.runNumber);
      const changes = { kind: 'unknown', reason } as const;
      yield { ...known, changes, ending: { kind: 'skipped', reason: 'newer-run' } };
      return;
    }
    case 'send':
      yield* send(context, { ...known, isSendingDecided: true }, verdict, query);
  }
}

/** How the wait for an agent job of an earlier attempt begins. */
function originOfFollowed(isMessage: boolean, isSeen: boolean, atMs: number): WaitOrigin {
  if (isMessage) return { kind: 'messaged', atMs, isFollowed: !isSeen };
  return { kind: isSeen ? 'given' : 'followed' };
}

/** What earlier attempts and runs of this step are asked. */
async function whatToLookFor(context: SendingContext): Promise<VerdictQuery> {
  const { inputs, facts, effects, github, task, early, agentJobs } = context;
  const { clock, runner, signal } = effects;
  const pause = async (ms: number) => {
    await clock.sleep(ms, signal);
    signal.throwIfAborted();
  };
  return {
    facts,
    github,
    runner,
    judge: agentJobs.judge,
    asked: { ...inputs, task },
    identity: early.identity,
    ...(await whereChangesStart(context)),
    time: { now: () => clock.now(), date: () => clock.date(), pause },
  };
}

/** Whether earlier runs say where the changes start, and the commit at which they end. */
async function whereChangesStart({ inputs, effects }: RunContext) {
  const { since } = inputs;
  if (!readsChanges(inputs)) return { startsBy: 'other', head: '' } as const;
  if (since !== 'auto' && since !== 'last-success') return { startsBy: 'named', head: '' } as const;
  const { rangeOf } = await import('./changes/find/event.ts');
  const { kind, head } = rangeOf(readEvent(effects));
  const isFromRuns = since === 'last-success' || kind === 'none';
  return { startsBy: isFromRuns ? 'runs' : 'other', head } as const;
}

function readEvent(effects: RunEffects): WorkflowEvent {
  try {
    return effects.readEvent();
  } catch (cause) {
    if (!(cause instanceof GitHubError)) throw cause;
    const message = `${cause.message}. No prompt was sent.`;
    throw new RunError(CHANGES_NOT_FOUND, message, { cause });
  }
}

/** One call, with the prompt that it sends. */
type Call =
  | { readonly kind: 'create'; readonly prompt: string }
  | {
      readonly kind: 'message';
      readonly prompt: string;
      readonly jobId: string;
      /** The open pull request that it adds to. Missing when a person typed the agent job's id. */
      readonly appended?: Appended;
    };

/** Finds the changes and where the prompt goes, and sends it, unless nothing relevant has changed. */
async function* send(
  context: SendingContext,
  before: Known,
  verdict: Sending,
  query: VerdictQuery,
): Story {
  const { inputs, effects, task, early } = context;
  const { clock, signal } = effects;
  const isAppending = inputs.pullRequest === 'append';
  let sending = verdict;
  let found = await changesSince(context, sending);
  let known = withFound(context, before, sending, found);
  yield known;
  if (found?.skip !== undefined) {
    const record = known.record && { ...known.record, what: { kind: 'none' } as const };
    if (inputs.dryRun) await checkKey(context);
    yield { ...known, record, ending: { kind: 'skipped', reason: found.skip } };
    return;
  }
  let target = isAppending ? await targetFor(context, query, sending) : undefined;
  if (target?.kind === 'wait') {
    const { last } = target;
    const limitMs = Math.min(inputs.timeoutMs / 2, context.deadline - clock.now());
    if (!(await waitForLast(context, last, limitMs))) {
      yield { ...known, ending: { kind: 'last-at-work', lastId: last.id, limitMs } };
      return;
    }
    // What earlier runs covered may be known better now.
    if (sending.part !== undefined) {
      sending = { ...sending, ...(await judgePart(query, sending.part)) };
      found = await changesSince(context, sending);
      known = withFound(context, before, sending, found);
      yield known;
    }
    target = await targetFor(context, query, sending);
    if (target.kind === 'wait') {
      yield { ...known, ending: { kind: 'last-at-work', lastId: last.id, limitMs } };
      return;
    }
  }
  const { changes, ...texts } = await composed(context, found, target, known.isNextRunLooking);
  const calls = callsOf(task, texts, target);
  known = {
    ...known,
    changes,
    prompt: calls[0].prompt,
    appendedTo: target?.kind === 'append' ? target.appended.name : undefined,
    whyNew: target?.kind === 'create' && target.level !== 'none' ? target.why : undefined,
  };
  yield known;
  // Node handles no signal while it reads a large response. A cancel from then counts now.
  if (found !== undefined) await clock.handleSignals();
  signal.throwIfAborted();
  const { api } = context;
  if (inputs.dryRun || api === undefined) {
    yield* dryRun(context, known);
    return;
  }
  const plan = planOf(early, sending, found?.changes.range, known.sourcePulls);
  yield* call({ ...context, api }, known, calls, { record: plan, laterRuns: sending.laterRuns });
}

interface FoundChanges {
  readonly changes: Changes;
  /** Why nothing has to be sent. */
  readonly skip: SkipReason | undefined;
  readonly overview: ChangesOverview;
}

/** `undefined` when neither `changes` nor `paths` is used. */
async function changesSince(
  { inputs, effects, github, handleSignals: pause }: SendingContext,
  { start, laterRuns }: Sending,
): Promise<FoundChanges | undefined> {
  if (!readsChanges(inputs)) return undefined;
  const { findChanges, skipReason } = await import('./changes/find/changes.ts');
  const { tellChanges } = await import('./changes/write/prompt.ts');
  const { since, paths, skip, dryRun } = inputs;
  const isNextRunLooking = laterRuns === 'next';
  const query = { github, start, isNextRunLooking, since, paths, skip, pause };
  const changes = await findChanges(query);
  const reason = skipReason(changes);
  const { clean } = effects.runner;
  const told = { paths, skip, dryRun, skipReason: reason, start, clean };
  const { overview, news } = tellChanges(changes, told);
  tell(news, effects.runner);
  return { changes, skip: reason, overview };
}

function tell({ log, warnings }: News, runner: Runner): void {
  for (const line of log) runner.info(line);
  for (const { title, message } of warnings) runner.annotate('warning', title, message);
}

/** What is known once the changes were found: they are this run's part from now on. */
function withFound(
  { inputs, early }: SendingContext,
  before: Known,
  sending: Sending,
  found: FoundChanges | undefined,
): Known {
  const overview = found?.overview;
  const isTold = overview?.kind === 'known' && found?.skip === undefined;
  const sourcePulls = isTold ? overview.sourcePulls : [];
  const plan = planOf(early, sending, found?.changes.range, sourcePulls);
  return {
    ...before,
    changes: overview,
    sourcePulls,
    record: inputs.dryRun ? undefined : recordOf(plan, { kind: 'todo' }),
    isNextRunLooking: sending.laterRuns === 'next' && plan.part.from !== undefined,
  };
}

/** What is sent: the instruction alone where `changes` and `paths` are not used. */
async function composed(
  { inputs, effects, github, handleSignals: pause, task }: SendingContext,
  found: FoundChanges | undefined,
  target: Target | undefined,
  isNextRunLooking: boolean,
): Promise<Pick<ComposedPrompt, 'prompt' | 'message'> & Pick<Known, 'changes'>> {
  const { instruction } = task;
  if (found === undefined) return { prompt: instruction, message: instruction, changes: undefined };
  const { composePrompt } = await import('./changes/write/prompt.ts');
  const { clock, runner } = effects;
  const { prompt, message, overview, news } = await composePrompt(
    instruction,
    found.changes,
    found,
    {
      changes: inputs.changes,
      clock,
      clean: runner.clean,
      github,
      isNextRunLooking,
      addTo: target?.kind === 'append' ? target.appended : undefined,
      pause,
    },
  );
  tell(news, runner);
  return { prompt, message, changes: overview };
}

/** Where the prompt goes under `pullRequest: append`. The log says so. */
async function targetFor(
  { agentJobs, pulls, inputs, effects }: SendingContext,
  { startsBy }: VerdictQuery,
  { last }: Sending,
): Promise<Target> {
  const { clock, runner } = effects;
  const target = await findTarget(last, {
    judge: agentJobs.judge,
    pulls,
    mayWait: inputs.wait && !inputs.dryRun,
    isDryRun: inputs.dryRun,
    nowMs: clock.date(),
  }).catch((error: unknown): Target => {
    if (!(error instanceof GitHubError) && !(error instanceof RunError)) throw error;
    if (startsBy === 'named') {
      const reason = withoutFullStop(messageOfError(error.cause ?? error));
      const why = `Where the last agent job of this step stood is not known: ${reason}.`;
      return { kind: 'create', why, level: 'warning' };
    }
    throw error instanceof RunError ? error : lastJobNotKnown(error.message, error);
  });
  if (target.kind === 'append') {
    const { name, jobId } = target.appended;
    const job = quote(runner.clean(jobId));
    runner.info(`Pull request ${quote(name)} of agent job ${job} is open. The prompt goes to it.`);
  } else if (target.kind === 'create') {
    const sentence = `${target.why} A new agent job ${inputs.dryRun ? 'would be' : 'is'} created.`;
    if (target.level === 'notice' || target.level === 'warning') {
      runner.annotate(target.level, 'Docs agent: pull request', sentence);
    } else runner.info(sentence);
  }
  return target;
}

/** Waits for the last agent job of this step. Returns whether to go on: `false` if it is at work. */
async function waitForLast(
  { api, agentJobs, inputs, effects }: SendingContext,
  { id, messagedAt }: { readonly id: string; readonly messagedAt: number | undefined },
  limitMs: number,
): Promise<boolean> {
  if (api === undefined) return false;
  const { pollIntervalMs } = inputs;
  const waited = await waitForEarlier(api, { id, messagedAt, limitMs, pollIntervalMs }, effects);
  switch (waited.kind) {
    case 'still-at-work':
      return false;
    case 'unreadable':
      // What one more read gives decides, also under a named start.
      agentJobs.forget(id);
      return true;
    case 'forgotten':
      agentJobs.learn(id, undefined);
      return true;
    case 'ended':
      agentJobs.learn(id, waited);
      return true;
  }
}

/**
 * The calls in their order: the second one only if the service certainly refuses the first as such.
 * What cannot be added to an open pull request gets an agent job of its own.
 */
function callsOf(
  task: SendingTask,
  { prompt, message }: Pick<ComposedPrompt, 'prompt' | 'message'>,
  target: Target | undefined,
): readonly [Call, Call?] {
  if (task.kind === 'message') return [{ kind: 'message', prompt, jobId: task.jobId }];
  const create = { kind: 'create', prompt } as const;
  if (target?.kind !== 'append') return [create];
  const { appended } = target;
  return [{ kind: 'message', prompt: message, jobId: appended.jobId, appended }, create];
}

/** Ends a dry run. The report shows the prompt. */
async function* dryRun(context: RunContext, known: Known): Story {
  await checkKey(context);
  yield { ...known, ending: { kind: 'dry-run' } };
}

/** In a dry run, one free read of an agent job that cannot exist tells whether the key is good. */
async function checkKey({ api, effects }: RunContext): Promise<void> {
  if (api !== undefined) await checkAccess(api, effects);
}

interface CallPlan {
  readonly record: RecordPlan;
  readonly laterRuns: Sending['laterRuns'];
}

/** Makes the first call that the service does not refuse as such, and follows what comes of it. */
async function* call(
  context: Calling<SendingContext>,
  before: Known,
  [first, second]: readonly [Call, Call?],
  plan: CallPlan,
): Story {
  const { runner } = context.effects;
  const refusal = yield* callOnce(context, before, first, plan, second !== undefined);
  if (refusal === undefined || second === undefined) return;
  const why = `The service refused the follow-up message: ${refusal}.`;
  runner.annotate(
    'notice',
    'Docs agent: the follow-up message was refused',
    `${why} A new agent job is created instead.`,
  );
  const again: Known = {
    ...before,
    prompt: second.prompt,
    appendedTo: undefined,
    whyNew: why,
  };
  yield again;
  yield* callOnce(context, again, second, plan, false);
}

/**
 * Makes one call, at most once, and follows what comes of it. Returns why it was certainly refused as
 * such, if `mayReturn`; else that is thrown as any other error.
 */
async function* callOnce(
  context: Calling<SendingContext>,
  before: Known,
  one: Call,
  plan: CallPlan,
  mayReturn: boolean,
): AsyncGenerator<Known, string | undefined, void> {
  const { api, effects } = context;
  const { runner, clock } = effects;
  const size = pluralize(one.prompt.length, 'character');
  runner.info(
    one.kind === 'create'
      ? `Creating an agent job with a prompt of ${size}.`
      : `Sending agent job ${quote(runner.clean(one.jobId))} a follow-up message of ${size}.`,
  );
  const job = one.kind === 'create' ? before.job : unread(one.jobId);
  const sentAt = unixSeconds(clock.date());
  const result = await (one.kind === 'create'
    ? api.createJob(one.prompt)
    : api.sendMessage(one.jobId, one.prompt)
  ).catch((error: unknown) => ({ error }));
  if ('error' in result) {
    const { error } = result;
    const refusal = error instanceof RunError ? error.refusal : undefined;
    if (refusal !== undefined && mayReturn) return refusal;
    const mayBeAccepted = error instanceof EndingError && error.mayBeAccepted;
    const record = mayBeAccepted ? recordOf(plan.record, { kind: 'unknown' }) : before.record;
    yield { ...before, job, record };
    throw error;
  }
  // No later error loses the id.
  setJobId(result.id, runner);
  const appended = one.kind === 'message' ? one.appended : undefined;
  const added = appended && { number: appended.number, head: appended.head, at: sentAt };
  const record = calledRecord(plan.record, result.id, sentAt, added);
  const id = quote(runner.clean(result.id));
  runner.info(
    one.kind === 'create'
      ? `Agent job ${id} was created.`
      : `Agent job ${id} accepted the message.`,
  );
  writeRecord(record, runner);
  // An end in the response to a message is the one before the message.
  const end = one.kind === 'create' ? endOf(result) : undefined;
  const accepted: Known = {
    ...before,
    job: { ...result, end },
    isAccepted: true,
    record,
    isRecordWritten: true,
    isUpdated: one.kind === 'message' && (appended !== undefined || result.prLink !== ''),
  };
  yield accepted;
  if (!waitsForEnd(context, plan.laterRuns === 'none')) {
    effects.signal.throwIfAborted();
    yield {
      ...accepted,
      ending: end === undefined ? { kind: 'started' } : { kind: 'ended', end },
    };
    return undefined;
  }
  const atMs = clock.now();
  const origin: WaitOrigin =
    one.kind === 'create'
      ? { kind: 'created', atMs }
      : { kind: 'messaged', atMs, isFollowed: false };
  const firstPauseMs = end === undefined ? context.inputs.pollIntervalMs : 0;
  yield* wait(context, accepted, { origin, isSingleRead: false }, firstPauseMs, appended?.link);
  return undefined;
}

function setJobId(id: string, runner: Runner): void {
  try {
    runner.setOutput('jobId', id);
  } catch {
    // The report writes it again, and says so if that fails as well.
  }
}

/** Whether the step waits for the end of the agent job: behind a newer run whatever `wait` says. */
function waitsForEnd({ inputs, effects }: RunContext, isBehind: boolean): boolean {
  if (!inputs.wait && isBehind) {
    effects.runner.info('Later runs may not look at this one, so it waits for the agent job.');
  }
  return inputs.wait || isBehind;
}

/** What differs from wait to wait. */
type Way = Pick<WaitPlan, 'origin' | 'isSingleRead'>;

/** Follows an agent job that this attempt did not create, unless this is a dry run. */
async function* follow(context: RunContext, known: Known, way: Way): Story {
  const { inputs, api } = context;
  if (inputs.dryRun || api === undefined) yield* dryRun(context, known);
  else yield* wait({ ...context, api }, known, way, 0, undefined);
}

/** Reads the agent job until it ends. `link` is that of the pull request that it was to add to. */
async function* wait(
  context: Calling<RunContext>,
  before: Known,
  way: Way,
  firstPauseMs: number,
  link: string | undefined,
): Story {
  const { inputs, effects, api, deadline } = context;
  const { clock, runner, signal } = effects;
  const { pollIntervalMs, timeoutMs } = inputs;
  const plan: WaitPlan = { pollIntervalMs, deadline, ...way };
  const { job: first } = before;
  signal.throwIfAborted();
  runner.info(describeWait(first.id, plan, timeoutMs));
  const start = { job: first.status === '' ? undefined : first, firstPauseMs };
  const waited = await waitForEnd(plan, start, () => api.readJob(first.id), effects);
  const { reads: checks, job = first, lastError, wasSeen, lastActiveAtMs } = waited.state;
  const lastActiveMs =
    lastActiveAtMs === undefined ? undefined : clock.date() - (clock.now() - lastActiveAtMs);
  const read: Known = { ...before, checks, job, lastError, wasSeen, lastActiveMs };
  yield read;
  if ('error' in waited) throw waited.error;
  const ended: Known = { ...read, ending: waited.ending };
  yield ended;
  const seen = await seeAddition(context, ended, link);
  yield seen;
  yield { ...seen, docs: await docsPullOf(context, seen) };
}

/** The longest time for what the summary says of the docs pull request, in ms. */
const DOCS_LIMIT_MS = 5_000;

/** What the agent did, for the summary. Where it cannot be read, nothing is said of it. */
async function docsPullOf(
  { github, facts, inputs }: RunContext,
  { job, ending }: Known,
): Promise<Known['docs']> {
  const isDone = ending?.kind === 'ended' && ending.end !== 'no-changes';
  const pull = isDone ? pullRequestAt(facts.serverUrl, job.prLink) : undefined;
  if (pull === undefined || inputs.githubToken === '') return undefined;
  try {
    return await (await github()).pullPages(pull.repository, Number(pull.number), DOCS_LIMIT_MS);
  } catch {
    return undefined;
  }
}

/**
 * After a follow-up message to an agent job whose pull request was open: what the agent added counts
 * once it is certain that it reached the pull request.
 */
async function seeAddition(
  { pulls, effects }: RunContext,
  ended: Known,
  linkBefore = '',
): Promise<Known> {
  const { record, ending, job, lastActiveMs } = ended;
  const { runner, clock } = effects;
  const added = record?.added;
  const isDone = ending?.kind === 'ended' && fateOf(job) === 'covered';
  if (record === undefined || added === undefined || !isDone) return ended;
  const link = job.prLink === '' ? linkBefore : job.prLink;
  const watch = { lastActiveMs, nowMs: clock.date() };
  const found = await findAddition(pulls, link, added, watch).catch((error: unknown) => {
    if (!(error instanceof GitHubError)) throw error;
    return { kind: 'unknown', reason: error.message } as const;
  });
  if (found.kind === 'unknown') {
    const next = ended.isNextRunLooking ? ' The next run looks again.' : '';
    const message = `Whether the pull request has what the agent added is not known: ${found.reason}.${next}`;
    runner.annotate('warning', 'Docs agent: the pull request could not be checked', message);
    return ended;
  }
  const { fate, pull, hasAgentCommit } = found;
  if (fate === 'missed') {
    const missed: StepRecord = { ...record, added: 'missed' };
    const how = pull.kind === 'open' ? undefined : pull.kind;
    const isNews = added !== 'missed';
    return {
      ...ended,
      record: missed,
      isRecordWritten: ended.isRecordWritten && !isNews,
      ending: { kind: 'missed', name: pull.name, how },
    };
  }
  // Others push to it, too, and theirs is not the agent's work.
  const isUnchanged = pull.kind === 'open' && hasAgentCommit === false;
  const end = isUnchanged && ending.end === 'pull-request' ? 'no-changes' : ending.end;
  const known: Known = {
    ...ended,
    // An agent job may come back with another pull request.
    isUpdated: added !== 'missed' && added.number === pull.number,
    job: { ...job, end },
    ending: { kind: 'ended', end },
  };
  if (fate === 'uncertain') return known;
  return { ...known, record: { ...record, added: undefined }, isRecordWritten: false };
}

/** What "Re-run failed jobs" will do after this run. */
function pressAfter(ended: Known & Pick<Required<Known>, 'ending'>): Known['press'] {
  const { inputs, facts, record, job, isSendingDecided, ending } = ended;
  if (inputs === undefined || inputs.dryRun || !(facts.runId > 0)) return undefined;
  if (inputs.task.kind === 'follow') return 'follows';
  if (inputs.rerun === 'create') return 'sends';
  // The service may know the agent job again by then, or not.
  if (ending?.kind === 'not-found') return undefined;
  // Without a name of the step, no re-run can tell its record from others.
  if (facts.step === '' || (record !== undefined && !fitsAnnotation(record))) return undefined;
  const isNothing = ending?.kind === 'missed' || cameToNothing(job);
  const isSentAgain = inputs.task.kind === 'create' && isNothing;
  return pressOf(record, { cameToNothing: isSentAgain, isSendingDecided });
}
