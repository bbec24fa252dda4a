import type { ChangeRange } from '../model/changes.ts';
import { COVERAGE_NOT_KNOWN, RunError } from '../model/errors.ts';
import type {
  Added,
  Identity,
  RecordBody,
  Recorded,
  RerunEffect,
  StepRecord,
} from '../model/record.ts';
import { hasRoomForJob, isCommitId, MAX_PULLS } from './record-line.ts';
import type { Sending } from './sending.ts';

/** What a step will leave behind, whatever comes of it. */
export interface RecordPlan {
  readonly identity: Identity;
  readonly part: RecordBody;
}

/** The plan of a run that does not know its changes yet. `begin` is where its event says they start. */
export function earlyPlan(identity: Identity, begin: string | undefined): RecordPlan {
  const isCommit = begin !== undefined && isCommitId(begin.replace(/\^$/, ''));
  return { identity, part: { begin: isCommit ? begin : undefined, open: [], pulls: [] } };
}

/**
 * The plan of a run that knows its changes. `range.from` is where they really start, which differs
 * from what earlier runs covered when GitHub no longer knows that commit. `pulls`: the source pull
 * requests that the prompt tells. Throws a `RunError` when the record would be too long to be kept.
 */
export function planOf(
  early: RecordPlan,
  { start, open, last }: Pick<Sending, 'start' | 'open' | 'last'>,
  range: ChangeRange | undefined,
  pulls: readonly number[],
): RecordPlan {
  const part: RecordBody = {
    ...early.part,
    from: range?.from,
    to: range?.to,
    open: start?.kind === 'from' && range !== undefined ? open : [],
    last: typeof last === 'object' ? { id: last.id, at: last.at } : last,
    pulls: pulls.slice(0, MAX_PULLS),
  };
  // The numbers only become an output of a re-run.
  const withoutPulls = { ...part, pulls: [] };
  // Without the last agent job a later run only creates a new one.
  const shortest = { ...withoutPulls, last: undefined };
  const fitting = [part, withoutPulls, shortest].find((one) =>
    hasRoomForJob({ ...early.identity, ...one }),
  );
  if (fitting === undefined) throw new RunError(COVERAGE_NOT_KNOWN, TOO_LONG);
  return { ...early, part: fitting };
}

const TOO_LONG =
  'Too many agent jobs of earlier runs are still running, so the record of this run would be too long to be kept. No prompt was sent. Run this again when some of them have ended, or name a start in `since`.';

/** The record of a step from which `what` came. */
export const recordOf = ({ identity, part }: RecordPlan, what: Recorded): StepRecord => ({
  what,
  ...identity,
  ...part,
});

/** The record of a step whose call was accepted. `at`: in Unix seconds. */
export const calledRecord = (
  plan: RecordPlan,
  id: string,
  at: number,
  added: Added | undefined,
): StepRecord => ({ ...recordOf(plan, { kind: 'job', id }), at, added });

/** The record of a re-run that asked a person: a copy of the part that it asked about. */
export function askedRecord(early: RecordPlan, about: StepRecord | undefined): StepRecord {
  const { begin, from, to, open, last, pulls } = about ?? early.part;
  const part = { begin: begin ?? early.part.begin, from, to, open, last, pulls };
  return { what: { kind: 'asked' }, ...early.identity, ...part };
}

/**
 * What a press will do, by the record that this step leaves; `undefined` when that is not certain.
 * `cameToNothing`: the agent job ended without a result. `isSendingDecided`: this attempt knew that
 * no earlier one had sent the prompt.
 */
export function pressOf(
  record: StepRecord | undefined,
  state: { readonly cameToNothing: boolean; readonly isSendingDecided: boolean },
): RerunEffect | undefined {
  switch (record?.what.kind) {
    case 'job':
      return state.cameToNothing ? 'sends' : 'follows';
    case 'todo':
      return state.isSendingDecided ? 'sends' : undefined;
    case 'unknown':
      return 'asks';
    case 'asked':
      return 'sends';
    case 'none':
    case undefined:
      return undefined;
  }
}
