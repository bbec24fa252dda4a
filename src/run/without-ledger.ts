/** What no ledger remembers: a prompt alone, changes with `since: event`, and a given agent job. */
import type { AgentJob } from '../agent/job.ts';
import { waitForEnd, watchJob } from '../agent/watch.ts';
import { type Composed, openRunChanges, promptAlone } from '../changes/run-changes.ts';
import type { ChangingSubject } from '../changes/starts.ts';
import { StepError } from '../errors.ts';
import { openRepository } from '../git/repository.ts';
import { CALL_WITHIN_MS } from '../limits.ts';
import { knowing, type Result } from '../report/ending.ts';
import { quote } from '../text/escape.ts';
import { announce, resultOfUnsent, sentLine, settleBy, withDocsPull } from './call.ts';
import { type Rooms, repositoryAccess } from './rooms.ts';

/** A prompt alone needs neither git nor GitHub. Throws a `StepError`, and nothing was sent then. */
export async function sendWithoutLedger(
  rooms: Rooms,
  instruction: string,
  subject: ChangingSubject | undefined,
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
    if (rooms.inputs.dryRun) return { ending: { kind: 'dry-run' } };
    warnOfRerun(rooms);
    return callOnce(rooms, composed.prompt);
  });

/** The input `jobId`: follows an agent job, or sends it a message first. */
export async function followGiven(rooms: Rooms, jobId: string): Promise<Result> {
  const { inputs, agent } = rooms;
  const { prompt } = inputs;
  if (inputs.dryRun) return { ending: { kind: 'dry-run' }, prompt };
  if (prompt === undefined) {
    announce(rooms, jobId, `Following agent job ${quote(jobId)}.`);
    return knowing({ call: { kind: 'accepted', jobId, rerun: 'follows' } }, () =>
      inputs.wait ? followToEnd(rooms, jobId, null) : lookOnce(rooms, jobId),
    );
  }
  warnOfRerun(rooms);
  // Whether it has a pull request already: the output `prOperation` says so.
  const before = await agent.read(jobId);
  const appendedTo = ('job' in before && before.job.prLink) || undefined;
  return knowing({ prompt, appendedTo }, () => callOnce(rooms, prompt, jobId));
}

/** Sends a prompt without a ledger: as a message, if there is an agent job for it. */
async function callOnce(rooms: Rooms, prompt: string, messageTo?: string): Promise<Result> {
  const { agent, inputs, effects } = rooms;
  const { clock } = effects;
  const sent = await agent.send(prompt, clock.now() + CALL_WITHIN_MS, messageTo);
  if (sent.kind !== 'accepted') return resultOfUnsent(sent, effects);
  const { job } = sent;
  announce(rooms, job.id, sentLine(job.id, messageTo !== undefined));
  const messagedAt = messageTo === undefined ? null : clock.date();
  return knowing({ job, call: { kind: 'accepted', jobId: job.id, rerun: 'sends' } }, async () =>
    inputs.wait ? followToEnd(rooms, job.id, messagedAt, job) : { ending: { kind: 'started' } },
  );
}

/** `messagedAt` (in ms since 1970) and `accepted` are those of this run's call, if it made one. */
async function followToEnd(
  rooms: Rooms,
  jobId: string,
  messagedAt: number | null,
  accepted?: AgentJob,
): Promise<Result> {
  const { agent, inputs, effects } = rooms;
  const watch = watchJob(agent, jobId, messagedAt, effects);
  const end = await waitForEnd(watch, inputs.pollIntervalMs, effects);
  return withDocsPull(rooms, end, watch.job ?? accepted, settleBy(rooms));
}

/** `wait: false` without a prompt: how the agent job stands now. */
async function lookOnce(rooms: Rooms, jobId: string): Promise<Result> {
  const watch = watchJob(rooms.agent, jobId, null, rooms.effects);
  const seen = await watch.look();
  if (seen.kind === 'active') return { ending: { kind: 'started' }, job: seen.job };
  if (seen.kind !== 'unreadable') return withDocsPull(rooms, seen, watch.job, settleBy(rooms));
  const message = `Agent job ${quote(jobId)} could not be read (${seen.said})`;
  throw new StepError('job-unreadable', message);
}

/** An earlier attempt may also have ended before this step. */
function warnOfRerun({ facts, effects }: Rooms): void {
  if (facts.attempt === 1) return;
  const message =
    'This is a re-run, and nothing remembers what an earlier attempt sent. If its summary names an agent job, this attempt sends the prompt a second time. To follow that one instead, cancel this run, and start a new run with `jobId` set to its ID and without a prompt.';
  effects.runner.annotate('warning', 'Docs agent: this may be sent twice', message);
}
