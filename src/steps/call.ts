/** The create call or the follow-up message, at most once. */
import type { WaitOrigin } from '../agent/wait-decision.ts';
import { calledRecord, recordOf } from '../history/plan.ts';
import { endOf, type Job, unread } from '../model/agent-job.ts';
import { EndingError } from '../model/errors.ts';
import { type RecordBody, unixSeconds } from '../model/record.ts';
import type { Ending } from '../report/ending.ts';
import { quote } from '../text/escape.ts';
import { pluralize } from '../text/words.ts';
import { type Calling, isCalling, type SendingContext, setJobId, writeRecord } from './context.ts';
import { followToEnd } from './follow.ts';
import type { Call, Calls, Prepared } from './prompt.ts';

/**
 * Makes the first call that the service does not refuse as such, and follows what comes of it. A dry
 * run ends here.
 */
export async function callAndFollow(
  context: SendingContext,
  [first, second]: Calls,
  prepared: Prepared,
): Promise<Ending> {
  if (!isCalling(context)) return { kind: 'dry-run' };
  const { effects, tell } = context;
  try {
    return await callOnce(context, first, prepared);
  } catch (error) {
    const isRefused = error instanceof EndingError && error.call.kind === 'refused';
    if (!isRefused || second === undefined) throw error;
    const left = first.kind === 'message' && first.appended;
    const open = left ? ` ${quote(left.name)} stays open: merge or close it.` : '';
    const why = `The service refused the follow-up message: ${error.call.reason}.${open}`;
    effects.runner.annotate(
      'notice',
      'Docs agent: the follow-up message was refused',
      `${why} A new agent job is created instead.`,
    );
    tell({ job: unread(''), prompt: second.prompt, appendedTo: undefined, whyNew: why });
    return callOnce(context, second, prepared);
  }
}

/** Makes one call, at most once, and follows what comes of it. Throws as the call does. */
async function callOnce(
  context: Calling<SendingContext>,
  one: Call,
  prepared: Prepared,
): Promise<Ending> {
  const { inputs, effects, tell } = context;
  const { runner, clock } = effects;
  const { plan, isBehind, willBeJudged } = prepared;
  const sentAt = unixSeconds(clock.date());
  const accepted = await send(context, one, plan);
  // No later error loses the id.
  setJobId(accepted.id, runner);
  const appended = one.kind === 'message' ? one.appended : undefined;
  const added = appended && { number: appended.number, head: appended.head, at: sentAt };
  const record = calledRecord(plan, accepted.id, sentAt, added);
  const id = quote(runner.clean(accepted.id));
  runner.info(
    one.kind === 'create'
      ? `Agent job ${id} was created.`
      : `Agent job ${id} accepted the message.`,
  );
  writeRecord(record, runner);
  const job = { ...accepted, end: undefined };
  tell({
    job,
    isAccepted: true,
    record,
    isRecordWritten: true,
    isUpdated: one.kind === 'message' && (appended !== undefined || accepted.prLink !== ''),
  });
  // An end in the response to a message is the one before the message.
  const end = one.kind === 'create' ? endOf(accepted) : undefined;
  if (!inputs.wait && !isBehind) {
    effects.signal.throwIfAborted();
    return end === undefined ? { kind: 'started' } : { kind: 'ended', end };
  }
  if (!inputs.wait) {
    runner.info('Later runs may not look at this one, so it waits for the agent job.');
  }
  const atMs = clock.now();
  const origin: WaitOrigin =
    one.kind === 'create'
      ? { kind: 'created', atMs }
      : { kind: 'messaged', atMs, mayBeUnknown: false };
  const firstPauseMs = end === undefined ? inputs.pollIntervalMs : 0;
  const link = appended?.link ?? '';
  const sent = { record, link, willBeJudged, isEarlier: false };
  return followToEnd(context, job, { origin, isSingleRead: false, firstPauseMs, sent });
}

/** Throws as the call does. */
async function send(
  { api, effects, tell }: Calling<SendingContext>,
  one: Call,
  plan: RecordBody,
): Promise<Job> {
  const { runner } = effects;
  const size = pluralize(one.prompt.length, 'character');
  try {
    if (one.kind === 'create') {
      runner.info(`Creating an agent job with a prompt of ${size}.`);
      return await api.createJob(one.prompt);
    }
    const id = quote(runner.clean(one.jobId));
    runner.info(`Sending agent job ${id} a follow-up message of ${size}.`);
    tell({ job: unread(one.jobId) });
    return await api.sendMessage(one.jobId, one.prompt);
  } catch (error) {
    const isInDoubt = error instanceof EndingError && error.call.kind === 'in-doubt';
    if (isInDoubt) tell({ record: recordOf(plan, { kind: 'unknown' }) });
    throw error;
  }
}
