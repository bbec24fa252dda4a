/** Waiting for an agent job: of this run, of an earlier attempt, or the one that `jobId` names. */
import type { JobEnd } from './agent/job.ts';
import { waitForEnd, watchJob } from './agent/watch.ts';
import type { CallingContext, Context } from './context.ts';
import { messageOf, StepError } from './errors.ts';
import type { Task } from './inputs.ts';
import { record, STUCK_MS, standingOf } from './ledger/settle.ts';
import { type CoveringEnd, isCovering, type SentCall } from './ledger/state.ts';
import type { Ending } from './report/ending.ts';
import {
  type AcceptedCall,
  acceptedJob,
  CALL_WITHIN_MS,
  setJobId,
  warnNotRecorded,
} from './send.ts';
import type { Session } from './session.ts';
import { quote } from './text/escape.ts';

/** A person needs a while to re-run. By then, an agent job of two hours is given up. */
const RERUN_MS = 10 * 60_000;

/** A re-run that continues with the call of an earlier attempt, which may have ended. */
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
  if (!isCovering(end)) return followToEnd(context, session, { call, isRecorded: true });
  // For the outputs. The ledger has what matters if Mintlify does not show it now.
  const read = await agent.read(call.job);
  const known = { id: call.job, status: '', prLink: call.pull ?? '', repository: '', ref: '' };
  const job = read.kind === 'job' ? read.job : { ...known, json: '' };
  tell({ job: { ...job, prLink: job.prLink || known.prLink } });
  return endWith(context, end, call.pull);
}

/**
 * Waits for the end, and settles the call. Throws a `StepError` if the service refuses a read, or if
 * GitHub cannot show the pull request of a message, and the signal's reason after a cancel.
 */
export async function followToEnd(
  context: CallingContext,
  { recorder, outside }: Session,
  { call, isRecorded }: AcceptedCall,
): Promise<Ending> {
  const { inputs, effects, deadline, tell } = context;
  if (!inputs.wait) return { kind: 'started' };
  const waited = await waitFor(context, call.job, call.message === null ? null : call.at);
  if (waited.kind === 'timed-out') {
    if (effects.clock.date() >= call.at + STUCK_MS - RERUN_MS)
      tell({ call: { kind: 'accepted', jobId: call.job, rerun: 'sends' } });
    return waited;
  }
  const standing = await standingOf(call, waited, outside);
  if (isRecorded) {
    const { settledBefore, error } = await record(recorder, call, standing, deadline);
    if (error !== undefined)
      warnNotRecorded(context, `how agent job ${quote(call.job)} ended`, error);
    // Later runs build on what another run has recorded.
    if (settledBefore !== undefined && isCovering(settledBefore.end))
      return endWith(context, settledBefore.end, settledBefore.pull);
  }
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
    acceptedJob(context, await agent.message(jobId, task.instruction, until));
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
  const message = `Agent job ${quote(jobId)} could not be read (${seen.said}). Check \`jobId\` and \`projectId\`, then start a new run.`;
  throw new StepError('service', message);
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

async function endWith(
  context: Context,
  end: JobEnd | CoveringEnd,
  pull: string | null,
): Promise<Ending> {
  if (pull !== null) await readDocsPull(context, pull);
  return { kind: end };
}

/** What the summary shows of the pull request, where the token may read it. */
async function readDocsPull({ github, effects, tell }: Context, link: string): Promise<void> {
  try {
    const docsPull = await github().docsPull(link);
    if (docsPull.kind !== 'unreadable') tell({ docsPull });
  } catch (error) {
    effects.signal.throwIfAborted();
    effects.runner.debug(`The pull request could not be read: ${messageOf(error)}`);
  }
}
