/** The create call or the follow-up message, at most once. */
import { readOnce } from '../agent/wait.ts';
import { calledRecord } from '../history/plan.ts';
import { fitsAnnotation } from '../history/record-line.ts';
import { type FollowedJob, type Job, unread } from '../model/agent-job.ts';
import { EndingError, RunError } from '../model/errors.ts';
import { type RecordBody, type StepRecord, unixSeconds } from '../model/record.ts';
import { quote } from '../text/escape.ts';
import { pluralize, withoutFullStop } from '../text/words.ts';
import { type Calling, type SendingContext, setJobId, writeRecord } from './context.ts';
import type { Call, Calls } from './prompt.ts';

/** What the service has accepted. */
export interface Accepted {
  readonly call: Call;
  /** The agent job as the response shows it. */
  readonly job: FollowedJob;
  /** What the step leaves behind. */
  readonly record: StepRecord;
}

/**
 * Makes the first call that the service does not refuse as such. Throws a `RunError` when no call was
 * certainly accepted, and the signal's reason after a cancel.
 */
export async function callAgent(
  context: Calling<SendingContext>,
  [first, second]: Calls,
  plan: RecordBody,
): Promise<Accepted> {
  const { effects, tell } = context;
  try {
    return await callOnce(context, first, plan);
  } catch (error) {
    const isRefused = error instanceof EndingError && error.call.kind === 'refused';
    if (!isRefused || second === undefined) throw error;
    if (error.call.isNotFound && first.kind === 'message') await checkIsGone(context, first.jobId);
    const left = first.kind === 'message' && first.appended;
    const open = left ? ` ${quote(left.name)} stays open: merge or close it.` : '';
    const why = `The service refused the follow-up message: ${error.call.reason}.${open}`;
    effects.runner.annotate(
      'notice',
      'Docs agent: the follow-up message was refused',
      `${why} A new agent job is created instead.`,
    );
    tell({ job: unread(''), prompt: second.prompt, appendedTo: undefined, whyNew: why });
    return callOnce(context, second, plan);
  }
}

/**
 * Throws a `RunError` unless the service no longer knows the agent job: a 404 in response to a message
 * alone may come from a proxy.
 */
async function checkIsGone(
  { api, inputs, deadline, effects }: Calling<SendingContext>,
  jobId: string,
): Promise<void> {
  const { timeoutMs } = inputs;
  const read = await readOnce(api, jobId, { timeoutMs, deadline }, effects);
  if (read.kind === 'not-found') return;
  const id = quote(effects.runner.clean(jobId));
  const found =
    read.kind === 'read'
      ? `the service still shows agent job ${id}`
      : `agent job ${id} could not be read: ${withoutFullStop(read.error)}`;
  const message = `The service did not take the follow-up message (HTTP 404), but ${found}. No new agent job was created. Press "Re-run failed jobs".`;
  throw new RunError('The follow-up message could not be sent', message);
}

/** Makes one call, at most once, and leaves its record. Throws as `send` does. */
async function callOnce(
  context: Calling<SendingContext>,
  call: Call,
  plan: RecordBody,
): Promise<Accepted> {
  const { effects, tell } = context;
  const { runner, clock } = effects;
  const sentAt = unixSeconds(clock.date());
  const accepted = await send(context, call, plan, sentAt);
  // No later error loses the id.
  setJobId(accepted.id, runner);
  const appended = call.kind === 'message' ? call.appended : undefined;
  const added = appended && { number: appended.number, head: appended.head, at: sentAt };
  const called = calledRecord(plan, { kind: 'job', id: accepted.id }, sentAt, added);
  // So a re-run knows that the pull request of a typed agent job was open before the message.
  const wasOpen = call.kind === 'message' && appended === undefined && accepted.prLink !== '';
  const withLast = { ...called, last: { id: accepted.id, at: sentAt } };
  const record = wasOpen && fitsAnnotation(withLast) ? withLast : called;
  const id = quote(runner.clean(accepted.id));
  runner.info(
    call.kind === 'create'
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
    isUpdated: wasOpen || appended !== undefined,
  });
  return { call, job, record };
}

/** Throws a `RunError` when the call was not certainly accepted, and the signal's reason after a cancel. */
async function send(
  { api, effects, tell }: Calling<SendingContext>,
  call: Call,
  plan: RecordBody,
  sentAt: number,
): Promise<Job> {
  const { runner } = effects;
  const size = pluralize(call.prompt.length, 'character');
  try {
    if (call.kind === 'create') {
      runner.info(`Creating an agent job with a prompt of ${size}.`);
      return await api.createJob(call.prompt);
    }
    const id = quote(runner.clean(call.jobId));
    runner.info(`Sending agent job ${id} a follow-up message of ${size}.`);
    tell({ job: unread(call.jobId) });
    return await api.sendMessage(call.jobId, call.prompt);
  } catch (error) {
    const isInDoubt = error instanceof EndingError && error.call.kind === 'in-doubt';
    if (isInDoubt) tell({ record: calledRecord(plan, { kind: 'unknown' }, sentAt) });
    throw error;
  }
}
