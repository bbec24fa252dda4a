/** The create or message call, and what becomes of its claim. */
import { refusalError, type Sent } from './agent/agent.ts';
import type { AgentJob } from './agent/job.ts';
import type { CallingContext, Context } from './context.ts';
import { messageOf, StepError } from './errors.ts';
import { type Outcome, record } from './ledger/settle.ts';
import type { SentCall } from './ledger/state.ts';
import type { Session, SessionTurn } from './session.ts';
import { quote } from './text/escape.ts';
import { firstSentence } from './text/words.ts';

export interface AcceptedCall {
  readonly call: SentCall;
  /** False for a prompt alone whose token may not write. */
  readonly isRecorded: boolean;
}

type SendResult =
  | ({ readonly kind: 'accepted' } & AcceptedCall)
  /** Decide again: the claim is too old, or the agent job takes no message. */
  | { readonly kind: 'claim-expired' | 'message-refused' };

/** Other runs count a claim as in doubt after 10 minutes, so an old one is renewed before the call. */
export const CALL_WITHIN_MS = 2 * 60_000;
/** With these the service says that this agent job takes no message, so a new one may be created. */
const MESSAGE_REFUSED: readonly (number | undefined)[] = [400, 404, 405, 410, 422];

/**
 * Makes the call, at most once, and records what became of it. Throws a `StepError` if the service
 * did not take it, or may have taken it, and the signal's reason after a cancel.
 */
export async function send(
  context: CallingContext,
  { recorder }: Session,
  turn: Extract<SessionTurn, { kind: 'send' }>,
): Promise<SendResult> {
  const { agent, inputs, effects, deadline, tell } = context;
  const { claim, appendTo, prompt, claimedAt, isRecorded } = turn;
  const { clock, runner } = effects;
  const until = claimedAt + CALL_WITHIN_MS;
  if (clock.now() >= until) return { kind: 'claim-expired' };
  const note = async (outcome: Outcome, untilMs = deadline) => {
    if (!isRecorded) return false;
    const { error } = await record(recorder, claim, outcome, untilMs);
    if (error !== undefined) {
      const job = outcome.kind === 'accepted' ? `agent job ${quote(outcome.job)}` : 'the outcome';
      warnNotRecorded(context, job, error);
    }
    return error === undefined;
  };
  let sent: Sent;
  try {
    sent = await (appendTo === undefined
      ? agent.create(prompt, until)
      : agent.message(appendTo.job, prompt, until));
  } catch (error) {
    // Cancelled before the service could take it.
    await note({ kind: 'not-sent' });
    throw error;
  }
  if (appendTo && sent.kind === 'refused' && MESSAGE_REFUSED.includes(sent.status)) {
    const job = quote(appendTo.job);
    runner.info(
      `Agent job ${job} does not accept messages (${sent.said}). Creating a new agent job.`,
    );
    return { kind: 'message-refused' };
  }
  if (sent.kind !== 'accepted')
    await note({ kind: sent.kind === 'refused' ? 'not-sent' : 'in-doubt' });
  const job = acceptedJob(context, sent);
  const call = { ...claim, job: job.id, at: clock.date() };
  // The end of the agent job is recorded once more, so this does not use up `timeout`.
  const half = clock.now() + (deadline - clock.now()) / 2;
  const outcome = { kind: 'accepted', job: job.id, at: call.at, isFinal: !inputs.wait } as const;
  if (await note(outcome, half))
    tell({ call: { kind: 'accepted', jobId: job.id, rerun: 'follows' } });
  return { kind: 'accepted', call, isRecorded };
}

/**
 * The agent job of an accepted call, whose id becomes an output at once, so that nothing loses it.
 * Throws a `StepError` if the call was refused or its response lost, and the signal's reason after a
 * cancel.
 */
export function acceptedJob(context: Context, sent: Sent): AgentJob {
  const { effects, tell } = context;
  const { runner, signal } = effects;
  if (sent.kind === 'refused') throw refusalError('Mintlify did not accept the prompt', sent);
  if (sent.kind === 'in-doubt') {
    tell({ call: { kind: 'in-doubt', jobId: sent.jobId } });
    signal.throwIfAborted();
    throw new StepError('in-doubt', `The response was lost (${sent.said}).`);
  }
  const { job } = sent;
  tell({ call: { kind: 'accepted', jobId: job.id, rerun: 'sends' }, job });
  setJobId(context, job.id);
  runner.info(`Agent job ${quote(job.id)} has the prompt.`);
  return job;
}

/** Never throws: the report sets it again, and says so if that fails too. */
export function setJobId({ effects }: Context, id: string): void {
  try {
    effects.runner.setOutput('jobId', id);
  } catch (error) {
    effects.runner.debug(messageOf(error));
  }
}

/** `what` the ledger does not know. */
export function warnNotRecorded({ effects }: Context, what: string, error: string): void {
  const message = `The ledger does not know ${what} (${quote(firstSentence(error))}). The next run may have to send these changes again.`;
  effects.runner.annotate('warning', 'Docs agent: the ledger could not be written', message);
}
