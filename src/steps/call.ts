/** Sends the prompt and records the result. */
import { readOnce } from '../agent/wait.ts';
import type { Calling } from '../core/core-context.ts';
import { type Accepted, type Call, send } from '../core/send.ts';
import { unreadJob } from '../model/agent-job.ts';
import { type RecordBody, type StepRecord, unixSeconds } from '../model/record.ts';
import { EndingError, RunError } from '../model/run-error.ts';
import { calledRecord } from '../record/make-record.ts';
import { fitsAnnotation } from '../record/record-line.ts';
import { quote } from '../text/escape.ts';
import { withoutFullStop } from '../text/words.ts';
import type { Calls } from './compose.ts';
import { toWrite, writeRecord } from './records.ts';
import type { SendingContext } from './run-context.ts';

/** The call that the service accepted, and the record that the step leaves. */
export interface RecordedCall extends Accepted {
  readonly record: StepRecord;
}

/**
 * Makes the first call, and the second if the service rejects the first as invalid. Throws a
 * `RunError` unless the service certainly accepted a call, and the signal's reason after a cancel.
 */
export async function callAgent(
  context: Calling<SendingContext>,
  [first, second]: Calls,
  body: RecordBody,
): Promise<RecordedCall> {
  const { effects, tell } = context;
  try {
    return await callOnce(context, first, body);
  } catch (error) {
    const isRefused = error instanceof EndingError && error.call.kind === 'refused';
    if (!isRefused || second === undefined) throw error;
    if (error.call.isNotFound && first.kind === 'message') await checkIsGone(context, first.jobId);
    const left = first.kind === 'message' && first.appended;
    const why = `The service refused the follow-up message: ${error.call.reason}.`;
    effects.runner.info(`${why} A new agent job is created instead.`);
    const open = left ? ` ${quote(left.name)} stays open: merge or close it.` : '';
    tell({ job: unreadJob(''), prompt: second.prompt, appendedTo: undefined });
    const accepted = await callOnce(context, second, body);
    // Only now is the open pull request left behind.
    tell({ whyNew: `${why}${open}` });
    effects.runner.annotate(
      'notice',
      'Docs agent: the follow-up message was refused',
      `${why}${open} A new agent job was created instead.`,
    );
    return accepted;
  }
}

/**
 * Throws a `RunError` unless the service no longer knows the agent job. A 404 in response to a
 * message isn't enough, because it may come from a proxy.
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
  const message = `The follow-up message got the response HTTP 404, but ${found}. Nothing was sent, and no new agent job was created. Press "Re-run failed jobs".`;
  throw new RunError('The follow-up message could not be sent', message);
}

/** Throws what `send` throws, after recording a call in doubt. */
async function callOnce(
  context: Calling<SendingContext>,
  call: Call,
  body: RecordBody,
): Promise<RecordedCall> {
  const { effects, tell } = context;
  const sentAt = unixSeconds(effects.clock.date());
  const accepted = await send(context, call).catch((error: unknown) => {
    const isInDoubt = error instanceof EndingError && error.call.kind === 'in-doubt';
    if (isInDoubt) tell({ record: toWrite(calledRecord(body, { kind: 'unknown' }, sentAt)) });
    throw error;
  });
  const record = recordOfCall(accepted, body, sentAt);
  tell({ record: writeRecord(record, effects) });
  return { ...accepted, record };
}

function recordOfCall(
  { call, job, pullBefore }: Accepted,
  body: RecordBody,
  at: number,
): StepRecord {
  const appended = call.kind === 'message' ? call.appended : undefined;
  const added = appended && { number: appended.number, head: appended.head, at };
  const called = calledRecord(body, { kind: 'job', id: job.id }, at, added);
  // Lets a re-run know that the agent job in `jobId` had a pull request before the message. Such a
  // step doesn't append, so it has no earlier agent job to name here.
  const withLast = { ...called, last: { id: job.id, at } };
  const hadPull = pullBefore.kind === 'existing' && appended === undefined;
  return hadPull && fitsAnnotation(withLast) ? withLast : called;
}
