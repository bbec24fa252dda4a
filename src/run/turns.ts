/** A run with a ledger: turns, each of which decides anew, until one of them ends the run. */
import type { AgentJob } from '../agent/job.ts';
import { waitForEnd, watchJob } from '../agent/watch.ts';
import type { RunChanges } from '../changes/run-changes.ts';
import type { Send } from '../ledger/decide.ts';
import type { Ledger, Recorded, Turn } from '../ledger/ledger.ts';
import { type EndedCall, hasEnded, type SentCall } from '../ledger/state.ts';
import { CALL_WITHIN_MS, READ_MS, RERUN_MS, STUCK_MS } from '../limits.ts';
import { type CallState, knowing, type Result } from '../report/ending.ts';
import { earlierEndText, ledgerWarning } from '../report/wording.ts';
import { quote } from '../text/escape.ts';
import { announce, resultOfUnsent, sentLine, settleBy, withDocsPull } from './call.ts';
import type { CallRooms } from './rooms.ts';

export interface TurnRooms extends CallRooms {
  readonly ledger: Ledger;
  readonly changes: Pick<RunChanges, 'compose' | 'overview'>;
}

/** A turn after which the run decides again. */
interface Again {
  readonly again: 'lost-race' | 'claim-expired' | 'message-refused' | 'not-found';
}

/** Never rejects. Nothing was sent if the ledger or the changes cannot be read. */
export async function takeTurns(rooms: TurnRooms): Promise<Result> {
  const { ledger } = rooms;
  try {
    const result = await knowing({}, async () => {
      for (let isMessageRefused = false; ; ) {
        const turn = await ledger.next({ isMessageRefused });
        const ended = await takeTurn(rooms, turn);
        if (!('again' in ended)) return ended;
        isMessageRefused ||= ended.again === 'message-refused';
      }
    });
    return { ...result, ...ledger.known() };
  } finally {
    await ledger.takeBack();
  }
}

async function takeTurn(rooms: TurnRooms, turn: Turn): Promise<Result | Again> {
  switch (turn.kind) {
    case 'skip': {
      const changes = await rooms.changes.overview(turn.start);
      return { ending: { kind: 'skipped', reason: turn.reason }, changes };
    }
    case 'follow':
      return followEarlier(rooms, turn.call);
    case 'send':
      return send(rooms, turn);
  }
}

/** Composes the prompt, claims, and calls. */
async function send(rooms: TurnRooms, turn: Send): Promise<Result | Again> {
  const { ledger, inputs, effects } = rooms;
  const { clock, runner } = effects;
  const { recipient } = turn;
  const appendedTo = recipient?.pull ?? undefined;
  const composed = await rooms.changes.compose(turn.start, appendedTo);
  return knowing<Again>({ ...composed, appendedTo }, async () => {
    const warn = () => {
      for (const warning of turn.warnings)
        runner.annotate('warning', 'Docs agent: earlier runs', ledgerWarning(warning));
    };
    if (inputs.dryRun) {
      warn();
      return { ending: { kind: 'dry-run' } };
    }
    const claim = await ledger.claim(turn, composed.codePullRequests);
    if (claim === undefined) return { again: 'lost-race' };
    warn();
    const callBy = claim.claimedAt + CALL_WITHIN_MS;
    if (clock.now() >= callBy) return { again: 'claim-expired' };

    const sent = await rooms.agent.send(composed.prompt, callBy, recipient?.job);
    if (sent.kind === 'refused' && sent.takesNoMessage) {
      const job = quote(recipient?.job ?? '');
      runner.info(`Agent job ${job} takes no messages (${sent.said}). Creating a new agent job.`);
      return { again: 'message-refused' };
    }
    if (sent.kind === 'in-doubt')
      await ledger.record(claim.call, sent, 'That the response was lost', settleBy(rooms));
    if (sent.kind !== 'accepted') return resultOfUnsent(sent, effects);
    const { job } = sent;
    const call = { ...claim.call, job: job.id, at: clock.date() };
    announce(rooms, job.id, sentLine(job.id, recipient !== undefined));
    const kind = inputs.wait ? 'accepted' : 'started';
    // Time is left for following it.
    const half = clock.now() + (effects.deadline - clock.now()) / 2;
    const until = Math.min(settleBy(rooms), half);
    const recorded = await ledger.record(call, { kind }, `Agent job ${quote(job.id)}`, until);
    const isRecorded = isInLedger(recorded);
    return knowing({ job, call: stateOf(rooms, call, isRecorded) }, () =>
      followCall(rooms, call, isRecorded, job),
    );
  });
}

/** Continues with the call of an earlier attempt, which may have ended. */
async function followEarlier(rooms: TurnRooms, call: SentCall): Promise<Result | Again> {
  const { job: jobId, attempt, codePullRequests } = call;
  announce(rooms, jobId, `Attempt ${attempt} sent the prompt to agent job ${quote(jobId)}.`);
  const appendedTo = call.messageTo ?? undefined;
  const known = { codePullRequests, appendedTo, call: stateOf(rooms, call, true) };
  const result = await knowing(known, async () => {
    if (!hasEnded(call)) return followCall(rooms, call, true, undefined);
    // For the outputs. The ledger has what matters if Mintlify does not show it now.
    const read = await rooms.agent.read(jobId);
    const unread = { id: jobId, status: '', prLink: '', repository: '', ref: '', json: '' };
    return resultOfRecorded(rooms, call, 'job' in read ? read.job : unread, settleBy(rooms));
  });
  const { ending } = result;
  if (ending.kind !== 'not-found') return result;
  // Its entry is removed, so the next turn sends.
  const warning = earlierEndText({ call, end: ending });
  rooms.effects.runner.annotate('warning', 'Docs agent: an earlier run', warning);
  return { again: 'not-found' };
}

/** Waits for the end of a call's agent job, and settles the call. */
async function followCall(
  rooms: TurnRooms,
  call: SentCall,
  wasRecorded: boolean,
  accepted: AgentJob | undefined,
): Promise<Result> {
  const { ledger, inputs, effects } = rooms;
  if (!inputs.wait) return { ending: { kind: 'started' } };
  let isRecorded = wasRecorded;
  const tryAgain = async () => {
    if (isRecorded) return;
    const until = Math.min(effects.deadline, effects.clock.now() + READ_MS);
    const recorded = await ledger.recordOnce(call, { kind: 'accepted' }, until);
    isRecorded = isInLedger(recorded);
  };
  const messagedAt = call.messageTo === null ? null : call.at;
  const watch = watchJob(rooms.agent, call.job, messagedAt, effects);
  const end = await waitForEnd(watch, inputs.pollIntervalMs, effects, tryAgain);
  const job = watch.job ?? accepted;
  const known = { job, call: stateOf(rooms, call, isRecorded) };
  if (end.kind === 'timed-out' || end.kind === 'stopped') return { ending: end, ...known };
  return knowing(known, async () => {
    const until = settleBy(rooms);
    const settled = await ledger.settle(call, end, until);
    return 'key' in settled
      ? resultOfRecorded(rooms, settled, job, until)
      : withDocsPull(rooms, settled, job, until);
  });
}

const resultOfRecorded = (
  rooms: TurnRooms,
  { end, pull }: EndedCall,
  job: AgentJob | undefined,
  until: number,
): Promise<Result> =>
  withDocsPull(rooms, { kind: end }, job && { ...job, prLink: job.prLink || (pull ?? '') }, until);

/** Another run may have settled the call, but somebody may also have deleted the ref. */
const isInLedger = (recorded: Recorded) =>
  recorded.kind === 'recorded' || (recorded.kind === 'not-open' && recorded.found !== undefined);

/** What a re-run does, for as long as the agent job goes on. */
function stateOf({ effects }: TurnRooms, call: SentCall, isRecorded: boolean): CallState {
  const isInTime = effects.clock.date() < call.at + STUCK_MS - RERUN_MS;
  return { kind: 'accepted', jobId: call.job, rerun: isRecorded && isInTime ? 'follows' : 'sends' };
}
