/** The input `jobId`: following an agent job, or sending it a message first. It has no ledger. */
import { watchJob } from '../agent/watch.ts';
import { StepError } from '../errors.ts';
import type { Task } from '../inputs.ts';
import { knowing, type Result } from '../report/ending.ts';
import { quote } from '../text/escape.ts';
import { announce, callOnce, endBy, endWith, followToEnd } from './call.ts';
import { type CallingRooms, hasAgent, type Rooms } from './rooms.ts';
import { warnOfRerun } from './without-ledger.ts';

export async function followGiven(
  rooms: Rooms,
  task: Exclude<Task, { kind: 'create' }>,
): Promise<Result> {
  const { jobId } = task;
  const prompt = task.kind === 'message' ? { prompt: task.instruction } : {};
  if (rooms.inputs.dryRun || !hasAgent(rooms)) return { ending: { kind: 'dry-run' }, ...prompt };
  if (task.kind === 'follow') {
    announce(rooms, jobId, `Following agent job ${quote(jobId)}.`);
    return knowing({ call: { kind: 'accepted', jobId, rerun: 'follows' } }, () =>
      rooms.inputs.wait ? followToEnd(rooms, jobId, null) : lookOnce(rooms, jobId),
    );
  }
  warnOfRerun(rooms);
  // Whether it has a pull request already: the output `prOperation` says so.
  const before = await rooms.agent.read(jobId);
  const appendedTo = ('job' in before && before.job.prLink) || undefined;
  return knowing({ ...prompt, appendedTo }, () => callOnce(rooms, task.instruction, jobId));
}

/** `wait: false` without a prompt: how the agent job stands now. */
async function lookOnce(rooms: CallingRooms, jobId: string): Promise<Result> {
  const { agent, effects, deadline } = rooms;
  const watch = watchJob(agent, jobId, null, { ...effects, deadline });
  const seen = await watch.look();
  if (seen.kind === 'active') return { ending: { kind: 'started' }, job: seen.job };
  if (seen.kind !== 'unreadable') return endWith(rooms, seen, watch.job, endBy(rooms));
  const message = `Agent job ${quote(jobId)} could not be read (${seen.said})`;
  throw new StepError('job-unreadable', message);
}
