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
  /** The hash of `paths`. */
  readonly pathsHash: string;
  readonly part: Part;
  /** Where the part of a skipped step starts: if `paths` changes, earlier skips count again. */
  readonly skippedFrom: string | undefined;
}

/** The plan of a run that does not know its changes yet. `begin` is where its event says they start. */
export const earlyPlan = (
  identity: Identity,
  pathsHash: string,
  begin: string | undefined,
): RecordPlan => ({
  identity,
  pathsHash,
  part: { begin: begin !== undefined && isCommitId(begin) ? begin : undefined, open: [] },
  skippedFrom: undefined,
});

/**
 * The plan of a run that knows its changes. `range.from` is where they really start, which differs
 * from what earlier runs covered when GitHub no longer knows that commit. Throws a `RunError` when
 * the record would be too long to be kept.
 */
export function planOf(
  early: RecordPlan,
  { covered, open, lastId, skippedFrom }: Sending,
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
  const isSameStart = isFromRuns && range.from === covered.sha;
  const plan = { ...early, part, skippedFrom: isSameStart ? skippedFrom : range?.from };
  if (hasRoomForJob({ ...early.identity, ...part })) return plan;
  // Without the last agent job a later run only creates a new one.
  const shorter = { ...part, last: undefined };
  if (hasRoomForJob({ ...early.identity, ...shorter })) return { ...plan, part: shorter };
  throw new RunError(COVERAGE_NOT_KNOWN, TOO_LONG);
}

const TOO_LONG =
  'Too many agent jobs of earlier runs are still running, so the record of this run would be too long to be kept. No prompt was sent. Run this again when some of them have ended, or name a start in `since`.';

/** The record of a step from which `what` came. */
export function recordOf(plan: RecordPlan, what: Recorded, isUnseen = false): StepRecord {
  const { identity, part, skippedFrom } = plan;
  const from = what.kind === 'none' ? skippedFrom : part.from;
  return { what, ...identity, ...part, from, isUnseen };
}

/** The record of a step that nothing relevant had changed for. */
export const skipRecord = (plan: RecordPlan): StepRecord =>
  recordOf(plan, { kind: 'none', pathsHash: plan.pathsHash });

/** The record of a re-run that asked a person: a copy of the part that it asked about. */
export function askedRecord(early: RecordPlan, about: StepRecord | undefined): StepRecord {
  const maybe = about !== undefined && 'maybe' in about.what ? about.what.maybe : undefined;
  const { begin, from, to, open = [], last } = about ?? early.part;
  const part = { begin: begin ?? early.part.begin, from, to, open, last };
  return { what: { kind: 'asked', maybe }, ...early.identity, ...part };
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
      return record.what.maybe === undefined ? 'asks' : 'checks';
    case 'asked':
      return 'sends';
    case 'none':
    case undefined:
      return undefined;
  }
}
