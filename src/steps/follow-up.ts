/** Follows an agent job to its end, then reads its pull request. */
import { onClock } from '../agent/wait.ts';
import { isCalling, setJobId } from '../core/core-context.ts';
import { type Followed, type FollowOptions, follow } from '../core/follow.ts';
import { docsPullHidden } from '../github/docs-pull-reader.ts';
import { isHidden } from '../github/errors.ts';
import type { FollowEarlier } from '../history/verdict.ts';
import { endOf, type FollowedJob, unreadJob } from '../model/agent-job.ts';
import type { DocsPullSummary, PullBefore } from '../model/docs-pull.ts';
import type { StepRecord } from '../model/record.ts';
import type { Ending } from '../report/ending.ts';
import { pullRequestAt } from '../text/pull-request-link.ts';
import { checkAddition, linkOfSent, type Sent } from './added.ts';
import type { RecordedCall } from './call.ts';
import type { Prepared } from './compose.ts';
import { toWrite } from './records.ts';
import type { RunContext, SendingContext } from './run-context.ts';

/** Follows the agent job in `jobId`. */
export async function followGiven(context: RunContext, jobId: string): Promise<Ending> {
  const isSingleRead = !context.inputs.wait;
  return followToEnd(context, unreadJob(jobId), { isSingleRead });
}

/** Follows the agent job of an earlier attempt. */
export async function followEarlier(
  context: SendingContext,
  { jobId, attempt, record, wasActive, lastError }: FollowEarlier,
): Promise<Ending> {
  const { inputs, effects, task, tell } = context;
  const { runner, clock } = effects;
  setJobId(jobId, runner);
  const isMessage = record.added !== undefined || task.kind === 'message';
  const job = unreadJob(jobId);
  tell({
    job,
    prompt: undefined,
    resumedFrom: attempt,
    record: toWrite(record),
    codePulls: record.codePulls,
    pullBefore: pullBeforeIn(record, jobId, isMessage),
  });
  const messagedAtMs = isMessage ? onClock(record.at ?? 0, clock) : undefined;
  const sent = {
    record,
    link: '',
    lookedAtBy: 'unknown',
    isEarlier: true,
    isWarned: false,
  } as const;
  // A newer run may have overtaken this one. Then nobody else checks this agent job, so wait for
  // its end, even with `wait: false`.
  const isSingleRead = !inputs.wait && record.range === undefined;
  const options = { messagedAtMs, wasActive, lastError, isSingleRead, attempt };
  return followToEnd(context, job, options, sent);
}

/** What the record of the call says about the pull request from before it. */
function pullBeforeIn({ added, last }: StepRecord, jobId: string, isMessage: boolean): PullBefore {
  if (typeof added === 'object') return { kind: 'existing', number: String(added.number) };
  const hadPull = added === 'missed' || (typeof last === 'object' && last.id === jobId);
  if (hadPull) return { kind: 'existing', number: undefined };
  return { kind: isMessage ? 'unknown' : 'none' };
}

/** Follows the agent job that accepted this run's prompt, unless nothing needs to wait for it. */
export async function followCalled(
  context: SendingContext,
  { call, job, record }: RecordedCall,
  { lookedAtBy, target }: Prepared,
): Promise<Ending> {
  const { inputs, effects } = context;
  const { runner, clock, signal } = effects;
  // An end in the response to a message is from before the message.
  const end = call.kind === 'create' ? endOf(job) : undefined;
  if (!inputs.wait && lookedAtBy !== 'nobody') {
    signal.throwIfAborted();
    return end === undefined ? { kind: 'started' } : { kind: 'ended', end };
  }
  if (!inputs.wait) {
    runner.info('Later runs may not look at this one, so it waits for the agent job.');
  }
  const messagedAtMs = call.kind === 'message' ? clock.now() : undefined;
  const firstPauseMs = end === undefined ? inputs.pollIntervalMs : 0;
  // The response to a message has the link from before it.
  const link = call.kind === 'message' ? (call.appended?.link ?? job.prLink) : '';
  const isWarned = target?.kind === 'create' && target.isPullHidden === true;
  const sent = { record, link, lookedAtBy, isEarlier: false, isWarned };
  const options = { messagedAtMs, isSingleRead: false, firstPauseMs };
  return followToEnd(context, job, options, sent);
}

const MAY_BE_OLD =
  'This attempt has not seen the agent at work since the follow-up message, so this end may be the one before the message. Look at the agent job before you rely on it.';

/** A dry run ends here. `sent` is missing in a step that only follows. */
async function followToEnd(
  context: RunContext,
  first: FollowedJob,
  options: FollowOptions,
  sent?: Sent,
): Promise<Ending> {
  if (!isCalling(context)) return { kind: 'dry-run' };
  const linkOf = sent && ((job: FollowedJob) => linkOfSent(job, sent));
  const followed = await follow(context, first, { ...options, ...(linkOf && { linkOf }) });
  if (followed.ending.kind !== 'ended') return followed.ending;
  return afterEnd(context, followed, options.messagedAtMs !== undefined, sent);
}

/** Reads the pull request of an agent job that has ended, and what a message added to it. */
async function afterEnd(
  context: RunContext,
  { ending, job, pullLink, wasActive }: Followed,
  hasMessage: boolean,
  sent: Sent | undefined,
): Promise<Ending> {
  const { effects, tell } = context;
  const addition = sent && (await checkAddition(context, job, sent, wasActive));
  const ended = addition?.ending ?? ending;
  // A pull request that has moved since says nothing of a message of this attempt: its end may
  // still be the one before. An earlier attempt's message is old enough.
  const isEarlierCertain = sent?.isEarlier && addition?.isCertain;
  const mayBeOld = hasMessage && !wasActive && !isEarlierCertain;
  if (mayBeOld && ended.kind === 'ended') {
    effects.runner.annotate('warning', 'Docs agent: the end may be an old one', MAY_BE_OLD);
  }
  tell({ docs: await docsPullOf(context, pullLink, sent) });
  return ended;
}

/** How long to spend reading the docs pull request for the report, in ms. */
const DOCS_LIMIT_MS = 5_000;

/**
 * An unreadable docs pull request is left out of the report. Warn, once, only if the next run needs
 * to add to it, because each run would then create a new agent job.
 */
async function docsPullOf(
  { github, facts, inputs, effects }: RunContext,
  link: string,
  sent: Sent | undefined,
): Promise<DocsPullSummary | undefined> {
  const pull = pullRequestAt(facts.serverUrl, link);
  if (pull === undefined || inputs.githubToken === '') return undefined;
  try {
    return await (await github()).docsPull(pull.repository, Number(pull.number), DOCS_LIMIT_MS);
  } catch (error) {
    const isNewPull = inputs.pullRequest === 'append' && sent?.record.added === undefined;
    if (isNewPull && !sent?.isWarned && isHidden(error)) {
      const why = docsPullHidden(`${pull.repository}#${pull.number}`);
      const message = `The next run cannot add to this pull request and creates a new agent job, because ${why}.`;
      effects.runner.annotate('warning', 'Docs agent: pull request', message);
    }
    return undefined;
  }
}
