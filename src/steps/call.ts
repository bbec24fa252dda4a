/** The create call or the follow-up message, at most once. */
import type { WaitOrigin } from '../agent/wait-decision.ts';
import type { ComposedPrompt } from '../changes/write/prompt.ts';
import { calledRecord, type RecordPlan, recordOf } from '../history/plan.ts';
import type { Sending } from '../history/sending.ts';
import type { Appended, Target } from '../history/target.ts';
import type { SendingTask } from '../inputs/inputs.ts';
import { endOf, unread } from '../model/agent-job.ts';
import { EndingError } from '../model/errors.ts';
import { unixSeconds } from '../model/record.ts';
import type { Known } from '../report/ending.ts';
import { quote } from '../text/escape.ts';
import { pluralize } from '../text/words.ts';
import { type Calling, type SendingContext, type Story, setJobId, writeRecord } from './context.ts';
import { wait, waitsForEnd } from './follow.ts';

/** One call, with the prompt that it sends. */
export type Call =
  | { readonly kind: 'create'; readonly prompt: string }
  | {
      readonly kind: 'message';
      readonly prompt: string;
      readonly jobId: string;
      /** The open pull request that it adds to. Missing when a person typed the agent job's id. */
      readonly appended?: Appended;
    };

/**
 * The calls in their order: the second one only if the service certainly refuses the first as such.
 * What cannot be added to an open pull request gets an agent job of its own.
 */
export function callsOf(
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

export interface CallPlan {
  readonly record: RecordPlan;
  readonly laterRuns: Sending['laterRuns'];
}

/** Makes the first call that the service does not refuse as such, and follows what comes of it. */
export async function* call(
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
    const state = error instanceof EndingError ? error.call : undefined;
    if (state?.kind === 'refused' && mayReturn) return state.reason;
    const isUncertain = state?.kind === 'uncertain';
    const record = isUncertain ? recordOf(plan.record, { kind: 'unknown' }) : before.record;
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
