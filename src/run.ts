import { checkAccess, checkCertificates } from './agent/access.ts';
import { type AgentApi, createAgentApi } from './agent/api.ts';
import { cameToNothing, endOf, type FollowedJob, fateOf, type Job, unread } from './agent/job.ts';
import { createJudge } from './agent/judge.ts';
import { describeWait, readOnce, waitForEnd } from './agent/wait.ts';
import type { WaitOrigin, WaitPlan } from './agent/wait-decision.ts';
import type { Effects, Runner } from './effects/effects.ts';
import type { GitHub, GitHubAccess, WorkflowEvent } from './github/github.ts';
import {
  InputError,
  type Inputs,
  parseInputs,
  type RawInputs,
  type SendingTask,
} from './inputs/inputs.ts';
import { readPromptFile } from './inputs/prompt-file.ts';
import { type Judge, newerRunHasThem } from './lib/covered.ts';
import { CHANGES_NOT_FOUND, EndingError, GitHubError, RunError } from './lib/errors.ts';
import { quote } from './lib/escape.ts';
import { once } from './lib/once.ts';
import type { RunFacts } from './lib/run-facts.ts';
import { pluralize } from './lib/words.ts';
import { type ComposedPrompt, composePrompt } from './prompt.ts';
import { identityOf } from './records/identity.ts';
import {
  askedRecord,
  earlyPlan,
  planOf,
  pressOf,
  type RecordPlan,
  recordOf,
} from './records/plan.ts';
import { type Appended, type PullState, readPull } from './records/pull-request.ts';
import { fitsAnnotation, lineOf, RECORD_TITLE, type StepRecord } from './records/record.ts';
import {
  chooseTarget,
  readVerdict,
  type Sending,
  type Verdict,
  type VerdictQuery,
} from './records/verdict.ts';
import { type Ending, endingOfError, type Known, nothingKnown } from './report/ending.ts';
import { reportOn, writeReport } from './report/report.ts';

/** Everything that a run does outside its own memory. */
export interface RunEffects extends Effects {
  /** Loads the client of GitHub's API. It is called only when that is needed. */
  readonly openGitHub: (access: GitHubAccess) => Promise<GitHub>;
  /** Throws a `GitHubError` when the event's file cannot be read. */
  readonly readEvent: () => WorkflowEvent;
}

/**
 * One run of the action: inputs, verdict, plan, agent job, report. Every run ends with one report.
 * Returns whether the step succeeds, and never rejects.
 */
export async function run(raw: RawInputs, facts: RunFacts, effects: RunEffects): Promise<boolean> {
  const { clock, runner } = effects;
  const startedAtMs = clock.now();
  const ended = await tell(raw, facts, effects);
  const { record, isRecordWritten } = ended;
  const result = {
    ...ended,
    press: pressAfter(ended),
    isCaughtUp: record?.from !== undefined && !ended.isBehind,
    tookMs: clock.now() - startedAtMs,
    endedAtMs: clock.date(),
  };
  const isSuccess = await writeReport(reportOn(result, runner.clean), runner);
  if (record !== undefined && !isRecordWritten) writeRecord(record, runner);
  return isSuccess;
}

/** Leaves the record where later attempts and runs read it. */
const writeRecord = (record: StepRecord, runner: Runner) =>
  runner.annotate('notice', RECORD_TITLE, lineOf(record));

/** What is known of the run, and what it leaves behind. Each step of the run makes the next one. */
interface Row extends Known {
  /** Missing in a dry run, and in a run that only follows an agent job. */
  readonly record: StepRecord | undefined;
  readonly isRecordWritten: boolean;
  /** Earlier attempts and runs do not keep this one from sending. */
  readonly isSendingDecided: boolean;
  /** A check of this run showed the agent job at work. */
  readonly wasActive: boolean;
  /** No later run will look at this one. */
  readonly isBehind: boolean;
}

type Ended = Row & { readonly ending: Ending };

/** What every part of a run works with. */
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
  readonly readPull: (link: string) => Promise<PullState>;
}

/** A run that sends a prompt, unless an earlier attempt or a newer run has. */
interface SendingContext extends RunContext {
  readonly task: SendingTask;
  /** The plan of its record before its changes are known. */
  readonly early: RecordPlan;
}

/** No dry run: it has a key. */
type Calling<C extends RunContext> = C & { readonly api: AgentApi };

/** Ends a run with an error, and with what was known before. */
const endWith =
  (row: Row, { runner }: RunEffects) =>
  (error: unknown): Ended => ({ ...row, ending: endingOfError(error, runner.redact) });

/** Tells one run from its inputs to its ending. */
async function tell(raw: RawInputs, facts: RunFacts, effects: RunEffects): Promise<Ended> {
  const nothing: Row = {
    ...nothingKnown(facts),
    record: undefined,
    isRecordWritten: false,
    isSendingDecided: false,
    wasActive: false,
    isBehind: false,
  };
  try {
    const inputs = await readInputs(raw, facts, effects);
    const early = await earlyPlanOf(inputs, facts, effects);
    const { task } = inputs;
    const job = unread(task.kind === 'create' ? '' : task.jobId);
    const prompt = task.kind === 'follow' ? undefined : task.instruction;
    const row: Row = { ...nothing, inputs, job, prompt, record: todoOf(inputs, early) };
    return await begin(row, inputs, early, effects).catch(endWith(row, effects));
  } catch (error) {
    // Inputs that cannot be used may still tell which step this is.
    const inputs = error instanceof InputError ? error.inputs : undefined;
    const early = inputs && (await earlyPlanOf(inputs, facts, effects, true));
    const record = inputs && early && todoOf(inputs, early);
    return endWith({ ...nothing, record }, effects)(error);
  }
}

async function readInputs(
  raw: RawInputs,
  facts: RunFacts,
  { runner, files }: RunEffects,
): Promise<Inputs> {
  for (const secret of [raw.adminApiKey, raw.githubToken]) {
    // A mask with white space around the secret would not cover the secret alone.
    if (secret !== undefined) runner.mask(secret.trim());
  }
  const isFileUsed = raw.promptFile !== undefined && raw.prompt === undefined;
  const file = isFileUsed ? await readPromptFile(raw.promptFile, files) : undefined;
  return parseInputs(raw, facts, runner.clean, file);
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
  const { beginOf } = await import('./changes/event.ts');
  return earlyPlan(identity, beginOf(readEvent));
}

const todoOf = ({ dryRun }: Inputs, early: RecordPlan | undefined) =>
  early === undefined || dryRun ? undefined : recordOf(early, { kind: 'todo' });

/** From usable inputs to the end. */
async function begin(
  row: Row,
  inputs: Inputs,
  early: RecordPlan | undefined,
  effects: RunEffects,
): Promise<Ended> {
  const { clock, runner } = effects;
  const { facts } = row;
  const { task, timeoutMs, adminApiKey, githubToken: token } = inputs;
  runner.checkOutputs();
  runner.info(`Project ${quote(inputs.projectId)} at ${inputs.baseUrl}`);
  checkCertificates(effects.http);
  const deadline = clock.now() + timeoutMs;
  const api =
    adminApiKey === undefined
      ? undefined
      : createAgentApi({ ...inputs, adminApiKey, deadline }, effects);
  const github = once(() => effects.openGitHub({ ...effects, token, deadline, timeoutMs }));
  const readState = (link: string) => readPull(github, facts.serverUrl, link);
  const context: RunContext = {
    inputs,
    facts,
    effects,
    api,
    deadline,
    github,
    readPull: readState,
  };
  if (task.kind === 'follow' || early === undefined) {
    return follow(context, row, { origin: { kind: 'given' }, isSingleRead: !inputs.wait });
  }
  const sending: SendingContext = { ...context, task, early };
  if (inputs.pullRequest === 'append' && !inputs.wait) {
    runner.annotate('warning', 'Docs agent: `wait: false` with `pullRequest: append`', BUSY_BRANCH);
  }
  const query = await whatToLookFor(sending);
  return onVerdict(sending, row, await readVerdict(query), query);
}

const BUSY_BRANCH =
  'A run that starts while the agent is at work creates a new agent job, so a busy branch gets several pull requests. Without `wait: false` and with `concurrency:`, each run waits for the one before it.';

/** What earlier attempts and runs of this step are asked. */
async function whatToLookFor(context: SendingContext): Promise<VerdictQuery> {
  const { inputs, facts, effects, github, task, early } = context;
  const { clock, runner, signal } = effects;
  const isResuming = facts.attempt > 1 && inputs.rerun === 'resume' && !inputs.dryRun;
  const pause = async (ms: number) => {
    await clock.sleep(ms, signal);
    signal.throwIfAborted();
  };
  return {
    facts,
    github,
    runner,
    isResuming,
    readPull: context.readPull,
    judge: judgeFor(context),
    asked: { ...inputs, task },
    identity: early.identity,
    ...(await whereChangesStart(context)),
    time: { now: () => clock.now(), date: () => clock.date(), pause },
  };
}

/** Whether earlier runs say where the changes start, and the commit at which they end. */
async function whereChangesStart({ inputs, effects }: RunContext) {
  const { since } = inputs;
  if (!readsChanges(inputs)) return { start: 'other', head: '' } as const;
  if (since !== 'auto' && since !== 'last-success') return { start: 'named', head: '' } as const;
  const { rangeOf } = await import('./changes/event.ts');
  const { kind, head } = rangeOf(readEvent(effects));
  const isFromRuns = since === 'last-success' || kind === 'none';
  return { start: isFromRuns ? 'runs' : 'other', head } as const;
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

/** Agent jobs of earlier runs are read to know what they covered. Only a dry run has no key. */
function judgeFor({ inputs, api, deadline, effects, readPull: readState }: RunContext): Judge {
  const { timeoutMs } = inputs;
  if (api === undefined) return createJudge(undefined, readState);
  const read = (id: string, isNew: boolean) =>
    readOnce(api, id, { timeoutMs, deadline, isNew }, effects);
  return createJudge(read, readState);
}

function onVerdict(
  context: SendingContext,
  row: Row,
  verdict: Verdict,
  query: VerdictQuery,
): Promise<Ended> | Ended {
  const { effects, early } = context;
  switch (verdict.kind) {
    case 'follow': {
      const { jobId, attempt, record, isSeen } = verdict;
      const id = quote(effects.runner.clean(jobId));
      effects.runner.info(`Following agent job ${id} from attempt ${attempt}. No prompt is sent.`);
      const isMessage = record.isUnseen || context.task.kind === 'message';
      const followed: Row = {
        ...learnJob(row, unread(jobId), effects),
        prompt: undefined,
        resumedFrom: attempt,
        // The agent job is certain now, whatever the earlier attempt could know.
        record: { ...record, ...early.identity },
        isUpdated: isMessage || (record.what.kind === 'job' && record.last === jobId),
      };
      // It was accepted earlier: an end that is read in the first 30 s may be the one before it.
      const origin = originOfFollowed(isMessage, isSeen, effects.clock.now());
      const isSingleRead = !waitsForEnd(context, verdict.isBehind);
      return follow(context, followed, { isSingleRead, origin }).catch(endWith(followed, effects));
    }
    case 'stop': {
      const record = askedRecord(early, verdict.about);
      return endWith({ ...row, record }, effects)(verdict.error);
    }
    case 'skip': {
      const reason = newerRunHasThem(verdict.runNumber);
      const changes = { kind: 'unknown', reason } as const;
      return { ...row, changes, ending: { kind: 'skipped', reason: 'newer-run' } };
    }
    case 'send':
      return makePlan(context, { ...row, isSendingDecided: true }, verdict, query);
  }
}

/** How the wait for an agent job of an earlier attempt begins. */
function originOfFollowed(isMessage: boolean, isSeen: boolean, atMs: number): WaitOrigin {
  if (isMessage) return { kind: 'messaged', atMs, isFollowed: !isSeen };
  return { kind: isSeen ? 'given' : 'followed' };
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

type Calls = readonly [first: Call, second?: Call];

/** What a run sends, and what its record says. */
interface Plan {
  /** The second one only if the service certainly refused the first as such. */
  readonly calls: Calls;
  readonly record: RecordPlan;
  /** No later run will look at this one. */
  readonly isBehind: boolean;
}

/** Composes the prompt, and carries the plan out unless nothing relevant has changed. */
async function makePlan(
  context: SendingContext,
  before: Row,
  verdict: Sending,
  query: VerdictQuery,
): Promise<Ended> {
  const { inputs, effects, task, early, github } = context;
  const { covered, lastId, isBehind } = verdict;
  const isAppending = inputs.pullRequest === 'append';
  const source = { github, covered, deadline: context.deadline };
  const composed = await composePrompt(task.instruction, inputs, source, effects);
  const { changes } = composed;
  const record = planOf(early, verdict, composed.range);
  const leaves = (left: StepRecord) => (inputs.dryRun ? undefined : left);
  const todo = leaves(recordOf(record, { kind: 'todo' }));
  const row: Row = { ...before, changes, record: todo };
  if (composed.kind === 'skipped') {
    const { reason } = composed;
    const none = leaves(recordOf(record, { kind: 'none' }));
    return { ...row, record: none, ending: { kind: 'skipped', reason } };
  }
  const target = isAppending ? await chooseTarget(query, lastId) : undefined;
  const appended = target?.appended;
  const calls = callsOf(task, composed, appended);
  const known: Row = {
    ...row,
    isBehind,
    prompt: calls[0].prompt,
    appendedTo: appended?.name,
    whyNew: target === undefined || appended !== undefined ? undefined : target.why,
  };
  return carryOut(context, known, { calls, record, isBehind }).catch(endWith(known, effects));
}

/** The calls of a plan. What cannot be added to an open pull request gets an agent job of its own. */
function callsOf(
  task: SendingTask,
  { text, appendedText }: Extract<ComposedPrompt, { kind: 'prompt' }>,
  appended: Appended | undefined,
): Calls {
  if (task.kind === 'message') return [{ kind: 'message', prompt: text, jobId: task.jobId }];
  const create = { kind: 'create', prompt: text } as const;
  if (appended === undefined) return [create];
  return [{ kind: 'message', prompt: appendedText, jobId: appended.jobId, appended }, create];
}

async function carryOut(context: SendingContext, row: Row, plan: Plan): Promise<Ended> {
  const { inputs, effects, api } = context;
  const { clock, signal, runner } = effects;
  // Node handles no signal while it reads a large response. A cancel from then counts now.
  if (row.changes !== undefined) await clock.handleSignals();
  signal.throwIfAborted();
  if (inputs.dryRun || api === undefined) return dryRun(context, row);
  const calling = { ...context, api };
  const [call, next] = plan.calls;
  const first = await send(calling, row, call, plan);
  if (!('refused' in first)) return first;
  if (next === undefined) return endWith(row, effects)(first.refused);
  const whyNew = `The follow-up message was refused: ${first.refused.refusal}. A new agent job is created instead.`;
  runner.annotate('notice', 'Docs agent: the follow-up message was refused', whyNew);
  const again: Row = { ...row, prompt: next.prompt, appendedTo: undefined, whyNew };
  const second = await send(calling, again, next, plan);
  return 'refused' in second ? endWith(again, effects)(second.refused) : second;
}

/** In a dry run, one free read of an agent job that cannot exist tells whether the key is good. */
async function dryRun({ api, effects }: RunContext, row: Row): Promise<Ended> {
  if (api !== undefined) await checkAccess(api, effects);
  return { ...row, ending: { kind: 'dry-run' } };
}

/** Makes one call, at most once, and follows what comes of it, unless it is certainly refused. */
async function send(
  context: Calling<SendingContext>,
  row: Row,
  call: Call,
  plan: Plan,
): Promise<Ended | { readonly refused: RunError }> {
  const { effects, api } = context;
  const { runner } = effects;
  const size = pluralize(call.prompt.length, 'character');
  runner.info(
    call.kind === 'create'
      ? `Creating an agent job with a prompt of ${size}.`
      : `Sending agent job ${quote(runner.clean(call.jobId))} a follow-up message of ${size}.`,
  );
  const target = call.kind === 'create' ? row : { ...row, job: unread(call.jobId) };
  let job: Job;
  try {
    job =
      call.kind === 'create'
        ? await api.createJob(call.prompt)
        : await api.sendMessage(call.jobId, call.prompt);
  } catch (error) {
    if (error instanceof RunError && error.refusal !== undefined && plan.calls.length > 1) {
      return { refused: error };
    }
    const mayBeAccepted = error instanceof EndingError && error.mayBeAccepted;
    const record = mayBeAccepted ? recordOf(plan.record, { kind: 'unknown' }) : target.record;
    return endWith({ ...target, record }, effects)(error);
  }
  const accepted = afterAcceptance(target, call, plan, job, effects);
  return waitAfter(context, accepted, call, plan).catch(endWith(accepted, effects));
}

/** Sets the output and writes the record at once, so that no later error loses the id. */
function afterAcceptance(row: Row, call: Call, plan: Plan, job: Job, effects: RunEffects): Row {
  const { runner } = effects;
  // An end in the response to a message is the one before the message.
  const end = call.kind === 'create' ? endOf(job) : undefined;
  const known = learnJob(row, { ...job, end }, effects);
  const isUnseen = call.kind === 'message' && call.appended !== undefined;
  const record = recordOf(plan.record, { kind: 'job', id: job.id }, isUnseen);
  const id = quote(runner.clean(job.id));
  const sentence =
    call.kind === 'create'
      ? `Agent job ${id} was created.`
      : `Agent job ${id} accepted the message.`;
  runner.info(sentence);
  writeRecord(record, runner);
  return {
    ...known,
    isAccepted: true,
    record,
    isRecordWritten: true,
    isUpdated: call.kind === 'message' && (isUnseen || job.prLink !== ''),
  };
}

/** Keeps the agent job for the report, and sets the output `jobId`. */
function learnJob(row: Row, job: FollowedJob, { runner }: RunEffects): Row {
  try {
    runner.setOutput('jobId', job.id);
  } catch {
    // The report writes it again, and says so if that fails as well.
  }
  return { ...row, job };
}

/** Whether the step waits for the end of the agent job: behind a newer run whatever `wait` says. */
function waitsForEnd({ inputs, effects }: RunContext, isBehind: boolean): boolean {
  if (!inputs.wait && isBehind) {
    effects.runner.info('Later runs may not look at this one, so it waits for the agent job.');
  }
  return inputs.wait || isBehind;
}

/** Follows an accepted call to the end of the agent job, if the step waits for it. */
async function waitAfter(
  context: Calling<SendingContext>,
  row: Row,
  call: Call,
  plan: Plan,
): Promise<Ended> {
  const { inputs, effects } = context;
  const { clock, signal } = effects;
  const { end } = row.job;
  if (!waitsForEnd(context, plan.isBehind)) {
    signal.throwIfAborted();
    const ending: Ending = end === undefined ? { kind: 'started' } : { kind: 'ended', end };
    return { ...row, ending };
  }
  const atMs = clock.now();
  const origin: WaitOrigin =
    call.kind === 'create'
      ? { kind: 'created', atMs }
      : { kind: 'messaged', atMs, isFollowed: false };
  const firstPauseMs = end === undefined ? inputs.pollIntervalMs : 0;
  const waited = await wait(context, row, { origin, isSingleRead: false }, firstPauseMs);
  const appended = call.kind === 'message' ? call.appended : undefined;
  return seeAddition(context, waited, appended).catch(endWith(waited, effects));
}

/** What differs from wait to wait. */
type Way = Pick<WaitPlan, 'origin' | 'isSingleRead'>;

/** Follows an agent job that this attempt did not create, unless this is a dry run. */
async function follow(context: RunContext, row: Row, way: Way): Promise<Ended> {
  const { inputs, api } = context;
  if (inputs.dryRun || api === undefined) return dryRun(context, row);
  const waited = await wait({ ...context, api }, row, way, 0);
  return seeAddition(context, waited, undefined).catch(endWith(waited, context.effects));
}

/** Reads the agent job until it ends. */
async function wait(
  { inputs, effects, api, deadline }: Calling<RunContext>,
  row: Row,
  way: Way,
  firstPauseMs: number,
): Promise<Ended> {
  const { pollIntervalMs, timeoutMs } = inputs;
  const plan: WaitPlan = { pollIntervalMs, deadline, ...way };
  const before = row.job;
  effects.signal.throwIfAborted();
  effects.runner.info(describeWait(before.id, plan, timeoutMs));
  const start = { job: before.status === '' ? undefined : before, firstPauseMs };
  const waited = await waitForEnd(plan, start, () => api.readJob(before.id), effects);
  const { reads: checks, job = before, lastError, wasSeen, hasBeenActive } = waited.state;
  const read: Row = { ...row, checks, job, lastError, wasSeen, wasActive: hasBeenActive };
  return 'error' in waited
    ? endWith(read, effects)(waited.error)
    : { ...read, ending: waited.ending };
}

/**
 * After a follow-up message to an agent job whose pull request was open: what the agent added counts
 * once the step has seen the pull request open after it. `before` is the pull request as it was before
 * the message, if that is known.
 */
async function seeAddition(
  context: RunContext,
  ended: Ended,
  before: Appended | undefined,
): Promise<Ended> {
  const { record, ending, job } = ended;
  const { runner } = context.effects;
  if (!record?.isUnseen || ending.kind !== 'ended' || fateOf(job) !== 'covered') return ended;
  const link = job.prLink === '' ? (before?.link ?? '') : job.prLink;
  const pull = await context.readPull(link).catch((error: unknown) => {
    if (!(error instanceof GitHubError)) throw error;
    return { kind: 'unknown', reason: error.message } as const;
  });
  if (pull.kind === 'unknown') {
    const message = `Whether the pull request is still open is not known: ${pull.reason}. The next run looks again.`;
    runner.annotate('warning', 'Docs agent: the pull request could not be checked', message);
    return ended;
  }
  if (pull.kind === 'closed') {
    return { ...ended, ending: { kind: 'missed', name: pull.name } };
  }
  const isUnchanged = before?.name === pull.name && before.head === pull.head;
  const end = isUnchanged && ending.end === 'pull-request' ? 'no-changes' : ending.end;
  // The end may be the one before the message. Then the next run looks again.
  const isSeen = ended.wasActive || (before !== undefined && !isUnchanged);
  const seen: StepRecord = { ...record, isUnseen: !isSeen };
  // An agent job may come back with another pull request.
  const isUpdated = before === undefined ? ended.isUpdated : before.name === pull.name;
  const row = { ...ended, record: seen, isRecordWritten: false, isUpdated, job: { ...job, end } };
  return { ...row, ending: { kind: 'ended', end } };
}

/** What "Re-run failed jobs" will do after this run. */
function pressAfter(ended: Ended) {
  const { inputs, facts, record, job, isSendingDecided, ending } = ended;
  if (inputs === undefined || inputs.dryRun || !(facts.runId > 0)) return undefined;
  if (inputs.task.kind === 'follow') return 'follows';
  if (inputs.rerun === 'create') return 'sends';
  // The service may know the agent job again by then, or not.
  if (ending.kind === 'not-found') return undefined;
  // Without a name of the step, no re-run can tell its record from others.
  if (facts.step === '' || (record !== undefined && !fitsAnnotation(record))) return undefined;
  const isNothing = ending.kind === 'missed' || cameToNothing(job);
  const isSentAgain = inputs.task.kind === 'create' && isNothing;
  return pressOf(record, { cameToNothing: isSentAgain, isSendingDecided });
}
