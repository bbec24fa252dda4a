/** The input `jobId`: follows a given agent job, with a prompt after sending it as a message. */
import { watchJob } from '../agent/watch.ts';
import type { Task } from '../inputs.ts';
import type { Ending } from '../report/ending.ts';
import type { CallingContext } from './context.ts';
import { readDocsPull, waitFor } from './follow.ts';
import { CALL_WITHIN_MS, lostError, refusedError, tellAccepted } from './send.ts';

/** Throws what `send` throws. A re-run with a prompt sends it again. */
export async function followGiven(
  context: CallingContext,
  task: Exclude<Task, { kind: 'create' }>,
): Promise<Ending> {
  const { inputs, effects, tell } = context;
  const { clock } = effects;
  let messagedAt: number | null = null;
  if (task.kind === 'message') {
    await message(context, task.jobId, task.instruction);
    messagedAt = clock.date();
    if (!inputs.wait) return { kind: 'started' };
  } else {
    tell({ call: { kind: 'accepted', jobId: task.jobId, rerun: 'follows' } });
    effects.runner.setOutput('jobId', task.jobId);
  }
  const waited = inputs.wait
    ? await waitFor(context, task.jobId, messagedAt)
    : await lookOnce(context, task.jobId);
  if (waited.kind !== 'ended') return waited;
  if (waited.job.prLink !== '') await readDocsPull(context, waited.job.prLink);
  return { kind: waited.end };
}

async function message(context: CallingContext, jobId: string, instruction: string): Promise<void> {
  const { agent, effects, tell } = context;
  const { clock, signal } = effects;
  // Whether it has a pull request already: the output `prOperation` says so.
  const before = await agent.read(jobId);
  if (before.kind === 'job' && before.job.prLink !== '') tell({ appendedTo: before.job.prLink });
  const sent = await agent.message(jobId, instruction, clock.now() + CALL_WITHIN_MS);
  if (sent.kind === 'refused') throw refusedError(sent);
  if (sent.kind === 'in-doubt') {
    tell({ call: { kind: 'in-doubt', jobId: sent.jobId } });
    signal.throwIfAborted();
    throw lostError(sent);
  }
  tellAccepted(context, sent.job);
}

/** `wait: false` without a prompt: how the agent job stands now. */
async function lookOnce(context: CallingContext, jobId: string) {
  const { agent, effects, tell } = context;
  const watch = watchJob(agent, jobId, null, effects);
  const seen = await watch.look();
  if (watch.job !== undefined) tell({ job: watch.job });
  return seen.kind === 'ended' || seen.kind === 'gone' ? seen : ({ kind: 'started' } as const);
}
