/** Waiting for the agent job of this run, or of an earlier attempt. */
import { waitForEnd, watchJob } from '../agent/watch.ts';
import { messageOf } from '../errors.ts';
import { record } from '../ledger/record.ts';
import { standingOf } from '../ledger/settle.ts';
import { type Call, type CoveringEnd, isCovering } from '../ledger/state.ts';
import type { Ending } from '../report/ending.ts';
import { quote } from '../text/escape.ts';
import type { CallingContext, Context } from './context.ts';
import { type AcceptedCall, warnNotRecorded } from './send.ts';
import type { Session } from './session.ts';

/** A re-run that continues with the call of an earlier attempt, which may have ended. */
export async function resume(
  context: CallingContext,
  session: Session,
  call: Call & { readonly job: string },
): Promise<Ending> {
  const { agent, effects, tell } = context;
  const { attempt, codePullRequests, message, end } = call;
  tell({ call: { kind: 'accepted', jobId: call.job, rerun: 'follows' }, codePullRequests });
  if (message !== null) tell({ appendedTo: message });
  effects.runner.setOutput('jobId', call.job);
  effects.runner.info(`Attempt ${attempt} sent the prompt to agent job ${quote(call.job)}.`);
  if (!isCovering(end)) return followToEnd(context, session, { call, isRecorded: true });
  // For the outputs. The ledger has what matters if Mintlify does not show it now.
  const read = await agent.read(call.job);
  const known = { id: call.job, status: '', prLink: call.pull ?? '', repository: '', ref: '' };
  tell({ job: read.kind === 'job' ? read.job : { ...known, json: '' } });
  return endWith(context, end, call.pull);
}

/** Waits for the end, and settles the call. */
export async function followToEnd(
  context: CallingContext,
  { recorder }: Session,
  { call, isRecorded }: AcceptedCall,
): Promise<Ending> {
  const { inputs, deadline } = context;
  if (!inputs.wait) return { kind: 'started' };
  const waited = await waitFor(context, call.job, call.message === null ? null : call.at);
  if (waited.kind === 'timed-out') return waited;
  const standing = await standingOf(call, waited, recorder.outside);
  if (isRecorded) {
    const { settledBefore, error } = await record(recorder, call, standing, deadline);
    if (error !== undefined) warnNotRecorded(context, error);
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

/** Polls until the agent job ends or `timeout` is over. */
export async function waitFor(context: CallingContext, jobId: string, messagedAt: number | null) {
  const { agent, inputs, effects, deadline, tell } = context;
  const watch = watchJob(agent, jobId, messagedAt, effects);
  try {
    const { pollIntervalMs } = inputs;
    return await waitForEnd(watch, { ...effects, pollIntervalMs, deadline });
  } finally {
    if (watch.job !== undefined) tell({ job: watch.job });
  }
}

async function endWith(context: Context, end: CoveringEnd, pull: string | null): Promise<Ending> {
  if (pull !== null) await readDocsPull(context, pull);
  return { kind: end };
}

/** What the summary shows of the pull request, where the token may read it. */
export async function readDocsPull(
  { github, effects, tell }: Context,
  link: string,
): Promise<void> {
  try {
    const docsPull = await github().docsPull(link);
    if (docsPull.kind !== 'unreadable') tell({ docsPull });
  } catch (error) {
    effects.signal.throwIfAborted();
    effects.runner.debug(`The pull request could not be read: ${messageOf(error)}`);
  }
}
