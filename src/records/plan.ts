import type { CoveredRange } from '../lib/changes-overview.ts';
import { COVERAGE_NOT_KNOWN, RunError } from '../lib/errors.ts';
import type { Press } from '../lib/press.ts';
import {
  hasRoomForJob,
  type Identity,
  isCommitId,
  type Part,
  type Recorded,
  type StepRecord,
} from './record.ts';
import type { Sending } from './verdict.ts';

/** What a step will leave behind, whatever comes of it. */
export interface RecordPlan {
  readonly identity: Identity;
  readonly part: Part;
}

/** The plan of a run that does not know its changes yet. `begin` is where its event says they start. */
export const earlyPlan = (identity: Identity, begin: string | undefined): RecordPlan => ({
  identity,
  part: { begin: begin !== undefined && isCommitId(begin) ? begin : undefined, open: [] },
});

/**
 * The plan of a run that knows its changes. `range.from` is where they really start, which differs
 * from what earlier runs covered when GitHub no longer knows that commit. Throws a `RunError` when
 * the record would be too long to be kept.
 */
export function planOf(
  early: RecordPlan,
  { covered, open, lastId }: Sending,
  range: CoveredRange | undefined,
): RecordPlan {
  const isFromRuns = covered?.kind === 'from' && range !== undefined;
  const part = {
    ...early.part,
    from: range?.from,
    to: range?.to,
    open: isFromRuns ? open : [],
    last: lastId,
  };
  if (hasRoomForJob({ ...early.identity, ...part })) return { ...early, part };
  // Without the last agent job a later run only creates a new one.
  const shorter = { ...part, last: undefined };
  if (hasRoomForJob({ ...early.identity, ...shorter })) return { ...early, part: shorter };
  throw new RunError(COVERAGE_NOT_KNOWN, TOO_LONG);
}

const TOO_LONG =
  'Too many agent jobs of earlier runs are still running, so the record of this run would be too long to be kept. No prompt was sent. Run this again when some of them have ended, or name a start in `since`.';

/** The record of a step from which `what` came. */
export function recordOf(plan: RecordPlan, what: Recorded, isUnseen = false): StepRecord {
  return { what, ...plan.identity, ...plan.part, isUnseen };
}

/** The record of a re-run that asked a person: a copy of the part that it asked about. */
export function askedRecord(early: RecordPlan, about: StepRecord | undefined): StepRecord {
  const { begin, from, to, open = [], last } = about ?? early.part;
  const part = { begin: begin ?? early.part.begin, from, to, open, last };
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
): Press | undefined {
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
