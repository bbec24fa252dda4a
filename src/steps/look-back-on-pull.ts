/**
 * Handles `since: last-success` on a pull request: its own changes, and whether they were sent
 * before.
 */
import { skipReason } from '../changes/find/find-changes.ts';
import type { Changes } from '../changes/find/found.ts';
import { GitHubError, isHidden, tokenAdvice } from '../github/errors.ts';
import { newestOf } from '../history/attempts.ts';
import {
  HistoryNotKnown,
  isHistoryError,
  WorkflowElsewhere,
} from '../history/history-not-known.ts';
import {
  judgeSent,
  lookThroughPullHistory,
  type SentBefore,
} from '../history/pull-request-history.ts';
import type { Target } from '../history/target.ts';
import { NOTHING_EARLIER, type Sending } from '../history/verdict.ts';
import { type Settled, unixSeconds } from '../model/record.ts';
import { COVERAGE_NOT_KNOWN, LAST_JOB_NOT_KNOWN, RunError } from '../model/run-error.ts';
import { uncalledRecord } from '../record/make-record.ts';
import { capitalize } from '../text/words.ts';
import { findRunChanges } from './find-run-changes.ts';
import { lastJobOf, targetOf } from './last-job.ts';
import type { AfterAttempts } from './look-back-on-attempts.ts';
import { adviceWithoutOtherRuns } from './look-back-on-runs.ts';
import { type PastReader, warn } from './past.ts';
import { toWrite } from './records.ts';
import { isRerunWith, permissionsOf, readsChanges, type SendingContext } from './run-context.ts';
import { eventChanges } from './start-source.ts';

/** A pull request's own changes, and what earlier runs recorded about them. */
export interface PullLookBack {
  readonly changes: Changes;
  readonly sending: Sending;
}

/** Every later run of the pull request checks this one. */
const NEXT_RUN_LOOKS: Sending = { ...NOTHING_EARLIER, lookedAtBy: 'next' };

/**
 * Earlier runs aren't read, so an agent job may already have some of these changes. `sent` has the
 * effect that changes which were reverted since aren't skipped.
 */
const SENDING_ANYWAY: Sending = {
  ...NEXT_RUN_LOOKS,
  sent: { ownHash: undefined, isDone: false, covered: undefined, earlier: [], warnings: [] },
};

/**
 * Returns `undefined` unless the run sends a pull request's own changes and looks back. Throws a
 * `RunError` when the changes can't be found, or when it can't decide whether to send them.
 */
export async function lookBackOnPull(
  context: SendingContext,
  past: PastReader,
  { ignoresPullHistory }: AfterAttempts,
): Promise<PullLookBack | undefined> {
  const { inputs, effects } = context;
  if (!readsChanges(inputs) || inputs.since !== 'last-success') return undefined;
  if (eventChanges(effects).kind !== 'pull-request') return undefined;
  const changes = await findOwn(context);
  // Applies no matter what earlier runs sent.
  if (skipReason(changes, inputs) === 'no-documentation-needed')
    return { changes, sending: NEXT_RUN_LOOKS };
  if (ignoresPullHistory || (await wasAsked(context, past))) {
    const sent = await sentByNewer(context, past, changes);
    if (sent !== undefined) return { changes, sending: { ...NEXT_RUN_LOOKS, sent } };
    const target = inputs.pullRequest === 'append' ? LAST_JOB_NOT_LOOKED_UP : undefined;
    return { changes, sending: { ...SENDING_ANYWAY, target } };
  }
  try {
    return await readPullHistory(context, past, changes);
  } catch (error) {
    throw pullErrorOf(error, context);
  }
}

const LAST_JOB_NOT_LOOKED_UP: Target = {
  kind: 'create',
  level: 'notice',
  why: 'This re-run does not look at earlier runs, so the last agent job of this step is not known.',
};

/** Every later run of the pull request sends its own changes again. */
const findOwn = (context: SendingContext) => findRunChanges(context, undefined, 'next');

/**
 * Whether a person has decided to send, or nobody can know. Under `rerun: create`, earlier attempts
 * don't decide otherwise.
 */
async function wasAsked(context: SendingContext, past: PastReader): Promise<boolean> {
  if (!isRerunWith('create', context)) return false;
  try {
    return (await newestOf(await past.attempts(), (all) => all.at(-1)))?.what.kind === 'asked';
  } catch (error) {
    if (isHidden(error)) return true;
    if (error instanceof GitHubError) return false;
    throw error;
  }
}

/**
 * Returns what newer runs sent, if an agent job has exactly these changes from one of them. A newer
 * run may send them after this run stops, for example with the permission that was missing. Ignores
 * unreadable runs, because a person has already decided.
 */
async function sentByNewer(
  { task, github }: SendingContext,
  { agentJobs, step, time, patience }: PastReader,
  changes: Changes,
): Promise<SentBefore | undefined> {
  const scope = { attempts: [], isResuming: false, isNewerOnly: true };
  try {
    const [api, self] = [await github(), await step()];
    const history = await lookThroughPullHistory(api, self, scope, patience, time);
    if (history.sent === undefined) return undefined;
    const sent = await judgeSent(history.sent, agentJobs.judge, task.kind === 'message');
    const isSame = changes.kind === 'known' && sent.ownHash === changes.ownHash;
    return sent.isDone && isSame ? sent : undefined;
  } catch (error) {
    if (isHistoryError(error)) return undefined;
    throw error;
  }
}

async function readPullHistory(
  context: SendingContext,
  past: PastReader,
  found: Changes,
): Promise<PullLookBack> {
  const { inputs, facts, effects, task } = context;
  const { agentJobs, step, time, patience } = past;
  const isResuming = isRerunWith('resume', context);
  const attempts = facts.attempt > 1 && !inputs.dryRun ? await past.attempts() : [];
  const github = await context.github();
  const lookedAt = unixSeconds(effects.clock.date());
  const scope = { attempts, isResuming, isLastWanted: inputs.pullRequest === 'append' };
  const history = await lookThroughPullHistory(github, await step(), scope, patience, time);
  const lastJob = await lastJobOf(context, past, history.last);
  const sent =
    history.sent && (await judgeSent(history.sent, agentJobs.judge, task.kind === 'message'));
  for (const warning of [...history.warnings, ...(sent?.warnings ?? [])]) warn(context, warning);
  if (history.sent === undefined) await past.checkPermissions();
  const { last, hasWaited } = lastJob;
  const target = await targetOf(context, past, lastJob);
  // New commits may have arrived during the wait.
  const changes = hasWaited ? await findOwn(context) : found;
  // The list of runs may lack those that are newer than a re-run.
  const settled = facts.attempt === 1 ? settledBy(sent, lookedAt) : undefined;
  return { changes, sending: { ...NEXT_RUN_LOOKS, last, target, sent, settled } };
}

/** What later runs need not look up again, if that is certain. */
function settledBy(sent: SentBefore | undefined, at: number): Settled | undefined {
  if (sent === undefined) return { at, ownHash: undefined, last: undefined };
  return sent.covered && { at, ownHash: sent.ownHash, last: sent.covered };
}

const SEND_ANYWAY_ADVICE =
  'To send the pull request to a new agent job, whatever earlier runs did, press "Re-run failed jobs"';

/**
 * Turns a failure to read earlier runs into the step's error, and returns any other error
 * unchanged. A new run by hand has no pull request, so if the failure is permanent, the record lets
 * a re-run send.
 */
function pullErrorOf(error: unknown, context: SendingContext): unknown {
  const { inputs, earlyBody, tell } = context;
  const notKnown = error instanceof RunError ? error.cause : error;
  const heading = error instanceof RunError ? LAST_JOB_NOT_KNOWN : COVERAGE_NOT_KNOWN;
  const stop = (sentences: readonly string[], isTemporary: boolean, again?: string) => {
    const isAsking = !isTemporary && !inputs.dryRun;
    if (isAsking) tell({ record: toWrite(uncalledRecord(earlyBody, { kind: 'asked' })) });
    const next = again === undefined ? [] : [`Press "Re-run failed jobs" ${again}`];
    const all = [...sentences, ...(isTemporary ? next : isAsking ? [SEND_ANYWAY_ADVICE] : [])];
    return new RunError(heading, `${all.join('. ')}.`, { cause: error });
  };
  if (notKnown instanceof HistoryNotKnown) {
    const { again, isTemporary = false } = notKnown.remedy;
    const isElsewhere = notKnown instanceof WorkflowElsewhere;
    const advice = isElsewhere
      ? capitalize(adviceWithoutOtherRuns(inputs, true))
      : notKnown.remedy.advice;
    const why = `No prompt was sent, because ${notKnown.message}`;
    return stop(advice === undefined ? [why] : [why, advice], isTemporary, again);
  }
  if (!(error instanceof GitHubError)) return error;
  const { kind, message } = error;
  const advice = tokenAdvice(error, permissionsOf(context));
  const isTemporary = !['forbidden', 'not-found', 'too-large'].includes(kind);
  const why = `${message}, so no prompt was sent`;
  return stop(advice === undefined ? [why] : [why, advice], isTemporary, 'later');
}
