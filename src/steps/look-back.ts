/** What earlier attempts and runs of this step say about this one. */
import { readOnce, waitForEarlier } from '../agent/wait.ts';
import { changesErrorOf, startAnew } from '../changes/find/changes-not-found.ts';
import { once } from '../effects/retry.ts';
import { GitHubError, tokenAdvice, unlessNotFound } from '../github/errors.ts';
import {
  decideByAttempts,
  earlierAttempts,
  type Follow,
  mayExist,
  newestOf,
  type Send,
  type Stop,
} from '../history/attempts.ts';
import { mayBeSent, startAfter } from '../history/earlier-work.ts';
import { type AgentJobs, createAgentJobs } from '../history/judge.ts';
import type { Attempt, Step, Time } from '../history/kept.ts';
import { recordOf } from '../history/plan.ts';
import { laterJob } from '../history/pull-request-history.ts';
import { pullReader, type ReadPull } from '../history/pulls.ts';
import { lookThroughRuns, type OtherRuns } from '../history/runs.ts';
import { RunsNotKnown, WorkflowElsewhere } from '../history/runs-not-known.ts';
import { parseWorkflowJob } from '../history/step-key.ts';
import { findTarget, isCallOver } from '../history/target.ts';
import { type Following, NOTHING_EARLIER, type Sending, type Verdict } from '../history/verdict.ts';
import { findThisJob } from '../history/workflow-job.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { COVERAGE_NOT_KNOWN, LAST_JOB_NOT_KNOWN, messageOf, RunError } from '../model/errors.ts';
import { type LastJob, lastJobIn, newestRange, type RangeRecord } from '../model/record.ts';
import { capitalize, newRunSince, withoutFullStop } from '../text/words.ts';
import type { SendingContext } from './context.ts';
import { toWrite } from './records.ts';
import { headToName, type StartsBy } from './starts-by.ts';

/** Earlier attempts do not keep this one from sending. */
export interface AfterAttempts {
  readonly kind: 'send';
  readonly past: Past;
  /** What an earlier attempt has on record as this run's changes. */
  readonly range: RangeRecord | undefined;
  /**
   * A person has decided that the prompt is sent, or the token may not read what came before and never
   * will in this re-run.
   */
  readonly isDecided: boolean;
}

/** What the earlier attempts of this run say. Throws a `RunError` when it cannot be known whether to send. */
export async function askAttempts(context: SendingContext): Promise<Following | AfterAttempts> {
  const { inputs, facts, effects, early, task, tell } = context;
  const past = pastOf(context);
  const isResuming = facts.attempt > 1 && inputs.rerun === 'resume' && !inputs.dryRun;
  const decision = isResuming ? await decideOnAttempts(context, past) : undefined;
  if (decision?.kind === 'follow') {
    return { ...decision, wasActive: past.agentJobs.wasActive(decision.jobId) };
  }
  if (decision?.kind === 'stop') {
    const head = headToName(context);
    tell({ record: toWrite(recordOf(early, { kind: 'asked' })) });
    throw mayExist(decision, task.kind, head);
  }
  if (decision !== undefined) effects.runner.info(decision.why);
  const isDecided = isResuming && (decision === undefined || decision.isAsked);
  return { kind: 'send', past, range: decision?.range, isDecided };
}

/**
 * Reads what other runs of this step have left behind, and waits for its last agent job if the prompt
 * may go to that. Throws a `RunError` when it cannot be known whether, or from where, to send.
 */
export async function lookBack(
  context: SendingContext,
  startsBy: StartsBy,
  { past, range: own }: AfterAttempts,
): Promise<Verdict> {
  const { inputs } = context;
  if (startsBy.kind !== 'runs' && inputs.pullRequest !== 'append') {
    return { ...NOTHING_EARLIER, ...ofOwnRange(own) };
  }
  try {
    return await askOtherRuns(context, past, startsBy, own);
  } catch (error) {
    if (startsBy.kind !== 'named') throw stopOf(error, context, startsBy.kind === 'runs');
    if (!isNotKnown(error)) throw error;
    // A named start begins a new history, whatever the records of the old one say.
    const cause = error.cause ?? error;
    const advice =
      cause instanceof GitHubError ? tokenAdvice(cause, permissionsOf(inputs)) : undefined;
    const reason = withoutFullStop(messageOf(cause));
    const sentences = [reason, advice].filter((text) => text !== undefined);
    const why = `The last agent job of this step could not be looked up: ${sentences.join('. ')}.`;
    return {
      ...NOTHING_EARLIER,
      ...ofOwnRange(own),
      target: { kind: 'create', why, level: 'warning' },
    };
  }
}

/** Where the changes start and where the prompt goes, by what other runs have on record. */
async function askOtherRuns(
  context: SendingContext,
  past: Past,
  startsBy: StartsBy,
  own: RangeRecord | undefined,
): Promise<Verdict> {
  const { inputs, facts, github } = context;
  const { step, agentJobs, readPull, time } = past;
  const isStartWanted = startsBy.kind === 'runs';
  const isLastWanted = inputs.pullRequest === 'append';
  const query = {
    ...{ isStartWanted, isLastWanted, isDryRun: inputs.dryRun, timeoutMs: inputs.timeoutMs },
    head: isStartWanted ? startsBy.head : '',
  };
  const runs = await lookThroughRuns(await github(), await step(), query, time);
  for (const warning of runs.warnings) warn(context, warning);
  if (runs.newer !== undefined) return { kind: 'overtaken', by: runs.newer.runNumber };
  if (runs.recorded === 0) await past.checkPermissions();
  const ownLast =
    isLastWanted && facts.attempt > 1 ? await lastOfAttempts(past, inputs.rerun) : undefined;
  const last = isLastWanted ? laterJob(ownLast, runs.last) : undefined;
  // Before anything is judged, so that an end that was waited for counts; and so also before it is
  // known whether there is anything to send.
  const { atWork } = await waitForLast(context, past, last);
  const after = isStartWanted ? await startAfterRuns(context, past, runs, own) : ofOwnRange(own);
  const isTargetWanted = isLastWanted && atWork === undefined;
  return {
    ...NOTHING_EARLIER,
    ...after,
    last,
    atWork,
    target: isTargetWanted
      ? await findTarget(last, agentJobs.judge, readPull, time.date())
      : undefined,
    laterRuns: runs.isBehind ? 'none' : isStartWanted ? 'next' : 'unknown',
  };
}

/** What the past is read with. */
export interface Past {
  readonly step: () => Promise<Step>;
  readonly attempts: () => Promise<readonly Attempt[]>;
  readonly agentJobs: AgentJobs;
  readonly readPull: ReadPull;
  readonly time: Time;
  /** Warns of a permission that later runs need, where nothing else has read with it. */
  readonly checkPermissions: () => Promise<void>;
}

function pastOf(context: SendingContext): Past {
  const { inputs, facts, effects, early, api, deadline, github } = context;
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
    const thisJob = await findThisJob(await github(), id, facts);
    const probe = once(async () => (await github()).annotations(thisJob.id));
    return { ...facts, key: early.key, thisJob, probe };
  });
  const readPull = pullReader(github, facts.serverUrl);
  // Only a dry run has no key.
  const readJob = api && ((id: string) => readOnce(api, id, { timeoutMs, deadline }, effects));
  return {
    step,
    attempts: once(async () => earlierAttempts(await github(), await step(), time)),
    agentJobs: createAgentJobs(readJob, readPull, time.date),
    readPull,
    time,
    checkPermissions: once(() => checkPermissions(context, step)),
  };
}

/**
 * Without the two permissions the first run goes well, and the next one stops, or a re-run creates a second
 * agent job. This workflow job itself is read with both.
 */
async function checkPermissions(
  { github, inputs, effects }: SendingContext,
  step: () => Promise<Step>,
): Promise<void> {
  if (inputs.githubToken === '') return;
  let permission = 'actions: read';
  try {
    const { thisJob } = await step();
    permission = 'checks: read';
    await (await github()).annotations(thisJob.id);
  } catch (error) {
    if (!(error instanceof GitHubError || error instanceof RunError)) throw error;
    // Any other failure says nothing of later runs.
    const isMissing = error instanceof GitHubError && /forbidden|not-found/.test(error.kind);
    if (!isMissing) return;
    const message = `The token lacks \`${permission}\`, and without that the next run stops or a re-run creates a second agent job. ${tokenAdvice(error, permissionsOf(inputs))}.`;
    effects.runner.annotate('warning', 'Docs agent: a permission is missing', message);
  }
}

/** A re-run that resumes keeps the range of its earlier attempts where no other run has one on record. */
function ofOwnRange(own: RangeRecord | undefined): Partial<Sending> {
  if (own?.from === undefined) return {};
  const { from: sha, open } = own;
  return { start: { kind: 'from', sha, earlier: [], isSentBefore: mayBeSent(own) }, open };
}

export const warn = ({ effects }: SendingContext, message: string) =>
  effects.runner.annotate('warning', 'Docs agent: earlier runs', message);

type OnAttempts = Follow | Stop | (Send & { readonly range: RangeRecord | undefined });

/** `undefined` when the token may not ask: a warning says so. */
async function decideOnAttempts(
  context: SendingContext,
  { attempts, agentJobs }: Past,
): Promise<OnAttempts | undefined> {
  const { inputs, task } = context;
  try {
    // It is the one input whose absence could cost money.
    if (inputs.githubToken === '') throw new GitHubError('bad-token', '`githubToken` is empty');
    const known = await attempts();
    const messagedJobId = task.kind === 'message' ? task.jobId : undefined;
    const decision = await decideByAttempts(known, { messagedJobId, judge: agentJobs.judge });
    if (decision.kind !== 'send') return decision;
    return { ...decision, range: await newestOf(known, newestRange) };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const advice = tokenAdvice(error, ['actions: read', 'checks: read']);
    const reason = [error.message, advice].filter((text) => text !== undefined).join('. ');
    // Only without a permission the step goes on: this re-run may never do better.
    if (advice === undefined || error.kind === 'bad-token') {
      const heading = 'A re-run stopped: earlier attempts could not be looked up';
      const message = `Nothing was sent, because an earlier attempt may have created an agent job or sent the message: ${reason}. Press "Re-run failed jobs" again.`;
      throw new RunError(heading, message, { cause: error });
    }
    const unknown = 'Earlier attempts could not be looked up';
    warn(context, `${unknown}: ${reason}. This attempt goes on as if there were none.`);
    return undefined;
  }
}

/** Where the changes start by what the other runs have on record. */
async function startAfterRuns(
  context: SendingContext,
  { agentJobs }: Past,
  { range, begins, runs, recorded, unrecorded }: OtherRuns,
  own: RangeRecord | undefined,
): Promise<Partial<Sending>> {
  if (range === undefined) {
    const start = { kind: 'nothing', begins, runs, recorded, unrecorded } as const;
    return { start, ...ofOwnRange(own) };
  }
  const github = await context.github();
  const { start, open, warnings } = await startAfter(range, {
    judge: agentJobs.judge,
    isMessage: context.task.kind === 'message',
    own,
    commonCommit: async (a, b) => (a === b ? a : unlessNotFound(() => github.mergeBase(a, b))),
  });
  for (const warning of warnings) warn(context, warning);
  return { start, open };
}

/**
 * The last agent job that earlier attempts of this run name. Under `rerun: create` nobody was asked
 * about one that cannot be known. Throws `RunsNotKnown` then.
 */
export async function lastOfAttempts(
  { attempts }: Past,
  rerun: Inputs['rerun'],
): Promise<LastJob | 'none' | undefined> {
  try {
    return await newestOf(await attempts(), lastJobIn, { stopsAtHidden: rerun === 'create' });
  } catch (error) {
    // Records of other runs could be read, so an older agent job may get the prompt.
    if (error instanceof GitHubError) return undefined;
    throw error;
  }
}

/** The part of `timeout` that the wait for the last agent job may take. */
const WAIT_SHARE = 1 / 2;
/** For how long an agent job is waited for whose call should be over. A person may have sent it more. */
const OLD_WAIT_MS = 5 * 60_000;

/**
 * Waits for the last agent job of this step if that is still at work: two agents on the same pages
 * would conflict. `atWork` names it if it does not end in time, unless its call should be over: then it
 * hangs.
 */
export async function waitForLast(
  { inputs, effects, api, deadline }: SendingContext,
  { agentJobs }: Past,
  last: LastJob | 'none' | undefined,
): Promise<Pick<Sending, 'atWork'> & { readonly hasWaited: boolean }> {
  const { clock } = effects;
  const notWaited = { atWork: undefined, hasWaited: false };
  if (typeof last !== 'object' || api === undefined || inputs.dryRun) return notWaited;
  if (!(await agentJobs.isAtWork(last))) return notWaited;
  const { id, messagedAt } = last;
  const isOld = isCallOver(last, clock.date());
  const { pollIntervalMs, timeoutMs } = inputs;
  const leftMs = Math.min(timeoutMs * WAIT_SHARE, deadline - clock.now());
  const limitMs = isOld ? Math.min(leftMs, OLD_WAIT_MS) : leftMs;
  const wasActive = agentJobs.wasActive(id);
  const wait = { id, messagedAt, wasActive, limitMs, pollIntervalMs };
  const { isOver, read } = await waitForEarlier(api, wait, effects);
  agentJobs.learn(id, read);
  const atWork = isOver || isOld ? undefined : { lastId: id, limitMs };
  return { atWork, hasWaited: true };
}

/** What earlier runs did cannot be known. */
const isNotKnown = (error: unknown): error is Error =>
  error instanceof GitHubError || error instanceof RunError || error instanceof RunsNotKnown;

const WAY_OUT = `to go on without what earlier runs did, ${newRunSince('the first change to send')}`;
const WAY_OUT_OF_APPENDING =
  'to go on without it, start a new run with `pullRequest: new`, `dryRun: false` and, where it includes changes, `since` set to the commit before the first change to send';

/** Such a workflow runs for pull requests and merge groups alone, which have a start of their own. */
function wayOutOf(
  error: RunsNotKnown,
  { inputs, effects }: SendingContext,
  isStartWanted: boolean,
): string {
  if (!(error instanceof WorkflowElsewhere)) return isStartWanted ? WAY_OUT : WAY_OUT_OF_APPENDING;
  const advice = withoutOtherRuns(inputs, isStartWanted);
  const event = effects.readEvent();
  const isPull = event.payload.pull_request !== undefined;
  return isPull ? `${advice}. ${startAnew({ since: inputs.since, event })}` : advice;
}

/** How a step needs no list of other runs. Part of a sentence. */
export function withoutOtherRuns({ pullRequest }: Inputs, isStartWanted: boolean): string {
  const settings = [
    ...(isStartWanted ? ['`since: auto`'] : []),
    ...(pullRequest === 'append' ? ['`pullRequest: new`'] : []),
  ];
  return `set ${settings.join(' and ')} in that workflow`;
}

/** What looking back needs of the token. */
const permissionsOf = ({ pullRequest }: Inputs): readonly string[] => [
  ...['contents: read', 'actions: read', 'checks: read'],
  ...(pullRequest === 'append' ? ['pull-requests: read'] : []),
];

/** The error of a step that cannot know what earlier runs did. Anything else stays as it is. */
function stopOf(error: unknown, context: SendingContext, isStartWanted: boolean): unknown {
  const { inputs, effects } = context;
  if (error instanceof RunsNotKnown) {
    const heading = isStartWanted ? COVERAGE_NOT_KNOWN : LAST_JOB_NOT_KNOWN;
    const { advice, again } = error.remedy;
    const wayOut = wayOutOf(error, context, isStartWanted);
    const sentences = [
      `No prompt was sent, because ${error.message}`,
      ...(advice === undefined ? [] : [advice]),
      again === undefined
        ? capitalize(wayOut)
        : `Press "Re-run failed jobs" ${again} or, ${wayOut}`,
    ];
    return new RunError(heading, `${sentences.join('. ')}.`, { cause: error });
  }
  if (!(error instanceof GitHubError)) return error;
  const permissions = permissionsOf(inputs);
  if (isStartWanted) {
    const search = { since: inputs.since, event: effects.readEvent() };
    return changesErrorOf(error, search, permissions, false);
  }
  const advice = tokenAdvice(error, permissions);
  // A re-run would use the workflow file of its commit.
  const next =
    advice === undefined ? 'Press "Re-run failed jobs" later' : `${advice}, then start a new run`;
  const message = `${error.message}, so no prompt was sent. ${next}, or set \`pullRequest: new\`, which does not look at earlier runs.`;
  return new RunError(LAST_JOB_NOT_KNOWN, message, { cause: error });
}
