/** What a call and its agent job come to, with a ledger and without. */
import { type Refused, refusalError, type Sent } from '../agent/agent.ts';
import type { AgentJob } from '../agent/job.ts';
import { messageOf, StepError } from '../errors.ts';
import { SETTLE_MS } from '../limits.ts';
import type { Ending, Result } from '../report/ending.ts';
import { quote } from '../text/escape.ts';
import type { CallRooms } from './rooms.ts';

/** How a run ends whose call was not accepted. */
export function resultOfUnsent(
  sent: Refused | Extract<Sent, { kind: 'in-doubt' }>,
  { signal }: CallRooms['effects'],
): Result {
  if (sent.kind === 'refused') {
    const error = refusalError('Mintlify did not accept the prompt', sent);
    return { ending: { kind: 'stopped', error } };
  }
  const lost = new StepError('in-doubt', `The response was lost (${sent.said})`);
  return {
    ending: { kind: 'stopped', error: signal.aborted ? signal.reason : lost },
    call: { kind: 'in-doubt', jobId: sent.jobId },
  };
}

export const sentLine = (id: string, isMessage: boolean) =>
  isMessage ? `Sent a message to agent job ${quote(id)}.` : `Created agent job ${quote(id)}.`;

/** Logs a line, and puts out the id of an agent job at once, so that nothing loses it. */
export function announce({ effects }: Pick<CallRooms, 'effects'>, id: string, line: string): void {
  effects.runner.info(line);
  try {
    effects.runner.setOutput('jobId', id);
  } catch (error) {
    // The report sets it again, and says so if that fails too.
    effects.runner.debug(messageOf(error));
  }
}

/** Nothing that follows the end of an agent job holds the step for longer. On the clock's scale. */
export const settleBy = ({ effects }: CallRooms): number =>
  Math.min(effects.deadline, effects.clock.now() + SETTLE_MS);

/** An ending whose pull request is in the summary, if the token may read it. */
export async function withDocsPull(
  rooms: CallRooms,
  ending: Ending,
  job: AgentJob | undefined,
  until: number,
): Promise<Result> {
  if (job === undefined) return { ending };
  const isOver = ending.kind === 'timed-out' || ending.kind === 'stopped';
  if (isOver || job.prLink === '') return { ending, job };
  const github = rooms.github.with({ deadline: until });
  // The token may not read it. After a cancel, the ending still stands.
  const docsPull = await github.docsPull(job.prLink).catch(() => undefined);
  return { ending, job, docsPull };
}
