/** Decides what other runs of this step mean for this one. */
import { changesErrorOf } from '../github/changes-not-found.ts';
import { GitHubError, tokenAdvice, unlessNotFound } from '../github/errors.ts';
import {
  HistoryNotKnown,
  isHistoryError,
  WorkflowElsewhere,
} from '../history/history-not-known.ts';
import { lookThroughRuns, type OtherRuns } from '../history/other-runs.ts';
import { mayHaveBeenSent, startAfter } from '../history/start-after.ts';
import { NOTHING_EARLIER, type Verdict } from '../history/verdict.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { RangeRecord } from '../model/record.ts';
import { COVERAGE_NOT_KNOWN, LAST_JOB_NOT_KNOWN, messageOf, RunError } from '../model/run-error.ts';
import type { Start } from '../model/start.ts';
import { capitalize, newRunSince, withoutFullStop } from '../text/words.ts';
import { lastJobOf, targetOf } from './last-job.ts';
import type { AfterAttempts } from './look-back-on-attempts.ts';
import { type PastReader, warn } from './past.ts';
import { permissionsOf, type SendingContext } from './run-context.ts';
import { eventChanges, whoSetsStart } from './start-source.ts';

/**
 * Reads what other runs of this step recorded, and waits for the step's last agent job if the
 * prompt may go to it. Throws a `RunError` when the event can't be read, or when it can't decide
 * whether to send and from where.
 */
export async function lookBackOnRuns(
  context: SendingContext,
  past: PastReader,
  after: AfterAttempts,
): Promise<Verdict> {
  const { inputs } = context;
  const who = whoSetsStart(context);
  const start = startOf(after.attemptsRecord);
  if (who !== 'runs' && inputs.pullRequest !== 'append') {
    // Only a dry run looks further than this run needs.
    if (inputs.dryRun) await past.checkPermissions();
    return { ...NOTHING_EARLIER, start };
  }
  try {
    return await askOtherRuns(context, past, who === 'runs', after);
  } catch (error) {
    if (who !== 'person') throw runErrorOf(error, context, who === 'runs');
    if (!isHistoryError(error)) throw error;
    // A named start begins a new history and ignores older records.
    const cause = error instanceof RunError ? (error.cause ?? error) : error;
    const advice =
      cause instanceof GitHubError ? tokenAdvice(cause, permissionsOf(context)) : undefined;
    const reason = withoutFullStop(messageOf(cause));
    const sentences = [reason, advice].filter((text) => text !== undefined);
    const why = `The last agent job of this step could not be looked up: ${sentences.join('. ')}.`;
    return { ...NOTHING_EARLIER, start, target: { kind: 'create', why, level: 'warning' } };
  }
}

/** Decides from other runs' records where the changes start and where the prompt goes. */
async function askOtherRuns(
  context: SendingContext,
  past: PastReader,
  isStartWanted: boolean,
  { attemptsRecord, isPermissionMissing }: AfterAttempts,
): Promise<Verdict> {
  const { inputs, effects, github, earlyBody } = context;
  const { step, time, patience } = past;
  const start = attemptsRecord?.range.from ?? earlyBody.eventStart;
  const own = isStartWanted ? { start, head: eventChanges(effects).head } : undefined;
  const query = { own, isLastWanted: inputs.pullRequest === 'append' };
  const runs = await lookThroughRuns(await github(), await step(), query, patience, time);
  for (const warning of runs.warnings) warn(context, warning);
  if (runs.overtakenBy !== undefined) return { kind: 'overtaken', by: runs.overtakenBy };
  if (runs.olderRuns.recorded === 0 && !isPermissionMissing) await past.checkPermissions();
  // Wait before judging the records, so that an end during the wait counts. The changes aren't
  // known yet, so a run with nothing to send may wait too.
  const lastJob = await lastJobOf(context, past, runs.last);
  return {
    ...NOTHING_EARLIER,
    start: isStartWanted
      ? await startAfterRuns(context, past, runs, attemptsRecord)
      : startOf(attemptsRecord),
    last: lastJob.last,
    target: await targetOf(context, past, lastJob),
    lookedAtBy: runs.hasNewerRange ? 'nobody' : isStartWanted ? 'next' : 'unknown',
  };
}

/**
 * A resuming re-run keeps the start of its earlier attempts unless another run recorded a range.
 */
function startOf(attemptsRecord: RangeRecord | undefined): Start | undefined {
  if (attemptsRecord === undefined) return undefined;
  const { range, pending } = attemptsRecord;
  const { from: sha } = range;
  const isSentBefore = mayHaveBeenSent(attemptsRecord);
  return sha === undefined ? undefined : { kind: 'from', sha, earlier: [], isSentBefore, pending };
}

/** Decides from other runs' records where the changes start. */
async function startAfterRuns(
  context: SendingContext,
  { agentJobs }: PastReader,
  { older, eventStarts, olderRuns }: OtherRuns,
  attemptsRecord: RangeRecord | undefined,
): Promise<Start> {
  if (older === undefined) {
    return startOf(attemptsRecord) ?? { kind: 'not-recorded', eventStarts, olderRuns };
  }
  const github = await context.github();
  const { start, warnings } = await startAfter(older, {
    judge: agentJobs.judge,
    isMessage: context.task.kind === 'message',
    attemptsRecord,
    commonCommit: async (a, b) => (a === b ? a : unlessNotFound(() => github.mergeBase(a, b))),
  });
  for (const warning of warnings) warn(context, warning);
  return start;
}

const WAY_OUT = `to go on without what earlier runs did, ${newRunSince()}`;
const WAY_OUT_OF_APPENDING =
  'to go on without it, start a new run with `pullRequest: new`, `dryRun: false` and, where it includes changes, `since` set to the commit before the first change to send';

/**
 * Says how to continue without other runs. A workflow that a ruleset brings in runs only for pull
 * requests and merge groups, which have their own start.
 */
function wayOutOf(error: HistoryNotKnown, inputs: Inputs, isStartWanted: boolean): string {
  if (error instanceof WorkflowElsewhere) return adviceWithoutOtherRuns(inputs, isStartWanted);
  return isStartWanted ? WAY_OUT : WAY_OUT_OF_APPENDING;
}

/** The settings with which a step needs no list of other runs, as part of a sentence. */
export function adviceWithoutOtherRuns({ pullRequest }: Inputs, isStartWanted: boolean): string {
  const settings = [
    ...(isStartWanted ? ['`since: auto`'] : []),
    ...(pullRequest === 'append' ? ['`pullRequest: new`'] : []),
  ];
  return `set ${settings.join(' and ')} in that workflow`;
}

/** Turns a failure to read other runs into the step's error. Returns any other error unchanged. */
function runErrorOf(error: unknown, context: SendingContext, isStartWanted: boolean): unknown {
  const { inputs, effects } = context;
  if (error instanceof HistoryNotKnown) {
    const heading = isStartWanted ? COVERAGE_NOT_KNOWN : LAST_JOB_NOT_KNOWN;
    const { advice, again } = error.remedy;
    const wayOut = wayOutOf(error, inputs, isStartWanted);
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
  const permissions = permissionsOf(context);
  if (isStartWanted) {
    const search = { since: inputs.since, event: effects.readEvent(), permissions };
    return changesErrorOf(error, search, 'unknown');
  }
  const advice = tokenAdvice(error, permissions);
  // A re-run would use the workflow file of its own commit, so ask for a new run.
  const next =
    advice === undefined ? 'Press "Re-run failed jobs" later' : `${advice}, then start a new run`;
  const message = `${error.message}, so no prompt was sent. ${next}, or set \`pullRequest: new\`, which does not look at earlier runs.`;
  return new RunError(LAST_JOB_NOT_KNOWN, message, { cause: error });
}
