/** Decides what earlier attempts of this run mean for this one. */
import { GitHubError, isHidden, tokenAdvice } from '../github/errors.ts';
import {
  decideByAttempts,
  type Follow,
  type GoOn,
  mayExistError,
  newestOf,
  type Stop,
} from '../history/attempts.ts';
import { HistoryNotKnown } from '../history/history-not-known.ts';
import { newerRunWithChanges } from '../history/other-runs.ts';
import type { FollowEarlier, Overtaken } from '../history/verdict.ts';
import { newestWithRange, type RangeRecord } from '../model/record.ts';
import { RunError } from '../model/run-error.ts';
import { uncalledRecord } from '../record/make-record.ts';
import { type PastReader, warn } from './past.ts';
import { toWrite } from './records.ts';
import { isRerunWith, permissionsOf, type SendingContext } from './run-context.ts';
import { afterDoubt, eventChanges, whoSetsStart } from './start-source.ts';

/** Earlier attempts don't stop this one from sending. */
export interface AfterAttempts {
  readonly kind: 'go-on';
  /** The newest record of an earlier attempt that says which changes this run covers. */
  readonly attemptsRecord: RangeRecord | undefined;
  /**
   * A person has decided to send the prompt, or the token lacks a permission and can't gain it in
   * this re-run.
   */
  readonly ignoresPullHistory: boolean;
  /** A warning has named a permission that the token lacks. */
  readonly isPermissionMissing: boolean;
}

/**
 * Reads what earlier attempts of this run recorded. Throws a `RunError` when it can't decide
 * whether to send.
 */
export async function lookBackOnAttempts(
  context: SendingContext,
  past: PastReader,
): Promise<FollowEarlier | Overtaken | AfterAttempts> {
  const { effects, earlyBody, task, tell } = context;
  const isResuming = isRerunWith('resume', context);
  const decision = isResuming ? await decideOrWarn(context, past) : undefined;
  if (decision?.kind === 'follow') {
    const { jobId } = decision;
    const { agentJobs } = past;
    const [wasActive, lastError] = [agentJobs.wasActive(jobId), agentJobs.errorOf(jobId)];
    return { ...decision, wasActive, lastError };
  }
  if (decision?.kind === 'stop') {
    const by = await newerRunIfKnown(context, past);
    if (by !== undefined) return { kind: 'overtaken', by };
    const after = afterDoubt(context, decision.why === 'hidden');
    tell({ record: toWrite(uncalledRecord(earlyBody, { kind: 'asked' })) });
    throw mayExistError(decision, task.kind, after);
  }
  if (decision !== undefined) effects.runner.info(decision.why);
  const isPermissionMissing = isResuming && decision === undefined;
  return {
    kind: 'go-on',
    attemptsRecord: decision?.attemptsRecord,
    ignoresPullHistory: isPermissionMissing || decision?.wasAsked === true,
    isPermissionMissing,
  };
}

/**
 * Returns the newer run that covers this run's changes, so that there is nothing to ask a person.
 * Without the history, the person is asked.
 */
async function newerRunIfKnown(
  context: SendingContext,
  { step, time, patience }: PastReader,
): Promise<number | undefined> {
  const { effects, github, earlyBody } = context;
  if (whoSetsStart(context) !== 'runs') return undefined;
  const { kind, head } = eventChanges(effects);
  if (kind === 'pull-request') return undefined;
  const own = { start: earlyBody.eventStart, head };
  const noWait = { ...patience, sendsNothing: true };
  try {
    return await newerRunWithChanges(await github(), await step(), own, noWait, time);
  } catch (error) {
    if (error instanceof GitHubError || error instanceof HistoryNotKnown) return undefined;
    throw error;
  }
}

type OnAttempts = Follow | Stop | (GoOn & { readonly attemptsRecord: RangeRecord | undefined });

/** Returns `undefined`, with a warning, when the token lacks the permission. */
async function decideOrWarn(
  context: SendingContext,
  { attempts, agentJobs }: PastReader,
): Promise<OnAttempts | undefined> {
  const { inputs, task } = context;
  try {
    // Without the token, a re-run could create a second agent job.
    if (inputs.githubToken === '') throw new GitHubError('bad-token', '`githubToken` is empty');
    const known = await attempts();
    const messagedJobId = task.kind === 'message' ? task.jobId : undefined;
    const decision = await decideByAttempts(known, { messagedJobId, judge: agentJobs.judge });
    if (decision.kind !== 'go-on') return decision;
    return { ...decision, attemptsRecord: await newestOf(known, newestWithRange) };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    // Continue only when a permission is missing, because a re-run can't gain one.
    if (!isHidden(error)) {
      const heading = 'A re-run stopped: earlier attempts could not be looked up';
      // A re-run uses its commit's workflow file, so advice to edit the file would not help.
      const again =
        error.kind === 'bad-token'
          ? 'Correct the secret that `githubToken` is read from, then press "Re-run failed jobs" again'
          : 'Press "Re-run failed jobs" again';
      const message = `Nothing was sent, because an earlier attempt may have created an agent job or sent the message: ${error.message}. ${again}.`;
      throw new RunError(heading, message, { cause: error });
    }
    const unknown = 'Earlier attempts could not be looked up';
    const advice = tokenAdvice(error, permissionsOf(context));
    warn(
      context,
      `${unknown}: ${error.message}. ${advice}. They count as if they had sent nothing.`,
    );
    return undefined;
  }
}
