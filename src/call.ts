/** Making the call, and following its agent job to its end. */
import { refusalError, type Sent } from './agent/agent.ts';
import type { AgentJob, JobEnd } from './agent/job.ts';
import { waitForEnd, watchJob } from './agent/watch.ts';
import type { CallingContext, Context } from './context.ts';
import { messageOf, StepError } from './errors.ts';
import type { Task } from './inputs.ts';
import { type CallOutcome, record, STUCK_MS, standingOf } from './ledger/settle.ts';
import { type CoveringEnd, isCovering, type SentCall } from './ledger/state.ts';
import type { Turn } from './ledger/turn.ts';
import type { Ending } from './report/ending.ts';
import type { Session } from './session.ts';
import { quote } from './text/escape.ts';

type SendResult =
  | { readonly kind: 'accepted'; readonly call: SentCall }
  /** Decide again. */
  | { readonly kind: 'claim-expired' | 'message-refused' };

/** Other runs count a claim as in doubt after 10 minutes, so an old one is renewed before the call. */
const CALL_WITHIN_MS = 2 * 60_000;
/** With these the service says that this agent job takes no message, so a new one may be created. */
const MESSAGE_REFUSED: readonly (number | undefined)[] = [400, 404, 405, 410, 422];

/**
 * Makes the call, at most once, and records what became of it. Throws a `StepError` if the service
 * did not take it, or may have taken it.
 */
export async function send(
  context: CallingContext,
  { recorder }: Session,
  turn: Extract<Turn, { kind: 'send' }>,
): Promise<SendResult> {
  const { agent, inputs, effects, deadline, tell } = context;
  const { claim, appendTo, prompt, claimedAt } = turn;
  const { clock, runner } = effects;
  const until = claimedAt + CALL_WITHIN_MS;
  if (clock.now() >= until) return { kind: 'claim-expired' };
  const note = async (outcome: CallOutcome, untilMs = deadline) => {
    const recorded = await record(recorder, claim, outcome, untilMs);
    if (recorded.kind === 'failed') {
      const what = outcome.kind === 'accepted' ? `agent job ${quote(outcome.job)}` : 'the outcome';
      warnNotRecorded(context, what, recorded.said);
    }
    return recorded.kind === 'recorded';
  };
  let sent: Sent;
  try {
    sent = await agent.send(prompt, until, appendTo?.job);
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
  return { kind: 'accepted', call };
}

/**
 * The agent job of an accepted call, whose id becomes an output at once, so that nothing loses it.
 * Throws a `StepError` if the call was refused or its response lost.
 */
function acceptedJob(context: Context, sent: Sent): AgentJob {
  const { effects, tell } = context;
  const { runner, signal } = effects;
  if (sent.kind === 'refused') throw refusalError('Mintlify did not accept the prompt', sent);
  if (sent.kind === 'in-doubt') {
    tell({ call: { kind: 'in-doubt', jobId: sent.jobId } });
    signal.throwIfAborted();
    throw new StepError('in-doubt', `The response was lost (${sent.said})`);
  }
  const { job } = sent;
  tell({ call: { kind: 'accepted', jobId: job.id, rerun: 'sends' }, job });
  setJobId(context, job.id);
  runner.info(`Agent job ${quote(job.id)} has the prompt.`);
  return job;
}

/** Never throws: the report sets it again, and says so if that fails too. */
function setJobId({ effects }: Context, id: string): void {
  try {
    effects.runner.setOutput('jobId', id);
  } catch (error) {
    effects.runner.debug(messageOf(error));
  }
}

function warnNotRecorded({ effects }: Context, what: string, error: string): void {
  const message = `The ledger does not know ${what} (${quote(error)}). The next run may have to send these changes again.`;
  effects.runner.annotate('warning', 'Docs agent: the ledger could not be written', message);
}

/** How long a person may need to re-run. An agent job that is active too long counts as failed. */
const RERUN_MS = 10 * 60_000;

/** Continues with the call of an earlier attempt, which may have ended. */
export async function resume(
  context: CallingContext,
  session: Session,
  call: SentCall,
): Promise<Ending> {
  const { agent, effects, tell } = context;
  const { attempt, codePullRequests, message, end } = call;
  tell({ call: { kind: 'accepted', jobId: call.job, rerun: 'follows' }, codePullRequests });
  if (message !== null) tell({ appendedTo: message });
  setJobId(context, call.job);
  effects.runner.info(`Attempt ${attempt} sent the prompt to agent job ${quote(call.job)}.`);
  if (!isCovering(end)) return followToEnd(context, session, call);
  // For the outputs. The ledger has what matters if Mintlify does not show it now.
  const read = await agent.read(call.job);
  const known = { id: call.job, status: '', prLink: call.pull ?? '', repository: '', ref: '' };
  const job = read.kind === 'job' ? read.job : { ...known, json: '' };
  tell({ job: { ...job, prLink: job.prLink || known.prLink } });
  return endWith(context, end, call.pull);
}

/**
 * Waits for the end, and settles the call. Throws a `StepError` if the service refuses a read, or if
 * GitHub cannot show the pull request of a message.
 */
export async function followToEnd(
  context: CallingContext,
  { recorder, outside }: Session,
  call: SentCall,
): Promise<Ending> {
  const { inputs, effects, deadline, tell } = context;
  if (!inputs.wait) return { kind: 'started' };
  const messagedAt = call.message === null ? null : call.at;
  const waited = await waitFor(context, call.job, messagedAt).finally(() => {
    if (effects.clock.date() >= call.at + STUCK_MS - RERUN_MS)
      tell({ call: { kind: 'accepted', jobId: call.job, rerun: 'sends' } });
  });
  if (waited.kind === 'timed-out') return waited;
  const standing = await standingOf(call, waited, outside);
  const recorded = await record(recorder, call, standing, deadline);
  if (recorded.kind === 'failed')
    warnNotRecorded(context, `how agent job ${quote(call.job)} ended`, recorded.said);
  // Later runs build on what another run has recorded.
  const settledBefore = recorded.kind === 'not-open' ? recorded.found : undefined;
  if (settledBefore && isCovering(settledBefore.end))
    return endWith(context, settledBefore.end, settledBefore.pull);
  if (standing.kind === 'covered') return endWith(context, standing.end, standing.pull);
  switch (standing.why) {
    case 'merged':
    case 'closed':
      return { kind: 'pull-request-ended', link: call.message ?? '', how: standing.why };
    case 'failed':
    case 'stuck':
      return { kind: 'failed' };
    case 'gone':
      return { kind: 'gone', said: waited.kind === 'gone' ? waited.said : '' };
  }
}

/**
 * The input `jobId`: follows this agent job, with a prompt after sending it as a message, which a
 * re-run sends again. Throws what `acceptedJob` throws.
 */
export async function followGiven(
  context: CallingContext,
  task: Exclude<Task, { kind: 'create' }>,
): Promise<Ending> {
  const { agent, inputs, effects, tell } = context;
  const { clock } = effects;
  const { jobId } = task;
  let messagedAt: number | null = null;
  if (task.kind === 'message') {
    // Whether it has a pull request already: the output `prOperation` says so.
    const before = await agent.read(jobId);
    if (before.kind === 'job' && before.job.prLink !== '') tell({ appendedTo: before.job.prLink });
    const until = clock.now() + CALL_WITHIN_MS;
    acceptedJob(context, await agent.send(task.instruction, until, jobId));
    messagedAt = clock.date();
    if (!inputs.wait) return { kind: 'started' };
  } else {
    tell({ call: { kind: 'accepted', jobId, rerun: 'follows' } });
    setJobId(context, jobId);
  }
  const waited = inputs.wait
    ? await waitFor(context, jobId, messagedAt)
    : await lookOnce(context, jobId);
  if (waited.kind !== 'ended') return waited;
  return endWith(context, waited.end, waited.job.prLink || null);
}

/** `wait: false` without a prompt: how the agent job stands now. */
async function lookOnce({ agent, effects, tell }: CallingContext, jobId: string) {
  const watch = watchJob(agent, jobId, null, effects);
  const seen = await watch.look();
  if (watch.job !== undefined) tell({ job: watch.job });
  if (seen.kind === 'active') return { kind: 'started' } as const;
  if (seen.kind !== 'unreadable') return seen;
  const message = `Agent job ${quote(jobId)} could not be read (${seen.said})`;
  throw new StepError('job-unreadable', message);
}

async function waitFor(context: CallingContext, jobId: string, messagedAt: number | null) {
  const { agent, inputs, effects, deadline, tell } = context;
  const watch = watchJob(agent, jobId, messagedAt, effects);
  try {
    const { pollIntervalMs } = inputs;
    return await waitForEnd(watch, { ...effects, pollIntervalMs, deadline });
  } finally {
    if (watch.job !== undefined) tell({ job: watch.job });
  }
}

/** Where the token may read the pull request, the summary shows it. */
async function endWith(
  { github, effects, tell }: Context,
  end: JobEnd | CoveringEnd,
  pull: string | null,
): Promise<Ending> {
  try {
    const docsPull = pull === null ? undefined : await github.docsPull(pull);
    if (docsPull && docsPull.kind !== 'unreadable') tell({ docsPull });
  } catch (error) {
    effects.signal.throwIfAborted();
    effects.runner.debug(`The pull request could not be read: ${messageOf(error)}`);
  }
  return { kind: end };
}
