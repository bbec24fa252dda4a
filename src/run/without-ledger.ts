/** A prompt that no ledger remembers: without changes, or with `since: event`. */
import { type Composed, openRunChanges, promptAlone } from '../changes/run-changes.ts';
import { openRepository } from '../git/repository.ts';
import type { Task } from '../inputs.ts';
import { knowing, type Result } from '../report/ending.ts';
import { callOnce } from './call.ts';
import type { PlanWithoutLedger } from './plan.ts';
import { hasAgent, type Rooms, repositoryAccess } from './rooms.ts';

/** A prompt alone needs neither git nor GitHub. Throws a `StepError`, and nothing was sent then. */
export async function sendWithoutLedger(
  rooms: Rooms,
  { instruction }: Extract<Task, { kind: 'create' }>,
  { subject }: PlanWithoutLedger,
): Promise<Result> {
  if (subject === undefined) return sendComposed(rooms, promptAlone(instruction, undefined));
  // The repository is deleted on return, so `await` the result.
  await using repo = await openRepository(repositoryAccess(rooms));
  const changes = openRunChanges({ ...rooms, ...rooms.effects, subject, repo, instruction });
  const { start } = await changes.target();
  const reason = await changes.nothingFrom(start);
  if (reason !== undefined)
    return { ending: { kind: 'skipped', reason }, changes: await changes.overview(start) };
  return await sendComposed(rooms, await changes.compose(start, undefined));
}

const sendComposed = (rooms: Rooms, composed: Composed): Promise<Result> =>
  knowing(composed, async () => {
    if (rooms.inputs.dryRun || !hasAgent(rooms)) return { ending: { kind: 'dry-run' } };
    warnOfRerun(rooms);
    return callOnce(rooms, composed.prompt);
  });

/** An earlier attempt may also have ended before this step. */
export function warnOfRerun({ facts, effects }: Rooms): void {
  if (facts.attempt === 1) return;
  const message =
    'This is a re-run, and nothing remembers what an earlier attempt sent. If its summary names an agent job, this attempt sends the prompt a second time. To follow that one instead, cancel this run, and start a new run with `jobId` set to its ID and without a prompt.';
  effects.runner.annotate('warning', 'Docs agent: this may be sent twice', message);
}
