/** The rules of the ledger, each a function of the state and of what was asked for it. CONTRIBUTING.md lists them. */
import type { Ended } from '../agent/job.ts';
import { CALLING_MS } from '../limits.ts';
import {
  type Call,
  COVERING_ENDS,
  type CoveringEnd,
  editCall,
  hasEnded,
  hasJob,
  type LedgerScope,
  type SentCall,
  type State,
  withoutCall,
} from './state.ts';

/** What a run asks its ledger for. */
export interface Asked extends Pick<Call, 'key' | 'run' | 'attempt'> {
  readonly scope: LedgerScope;
  /** Not if the prompt has no changes. */
  readonly sendsChanges: boolean;
  readonly appends: boolean;
  /** A person asked for these changes, so they are sent also if they were sent before. */
  readonly isAskedFor: boolean;
  /** Keys of the calls that had ended before that, which do not count as covering. */
  readonly ignored?: ReadonlySet<string> | undefined;
  readonly isDryRun: boolean;
}

/** What the run would send now. */
export interface Target {
  readonly to: string;
  readonly head: string;
  /** Where the changes start by the event, if it says. */
  readonly start: string | undefined;
  /** Where the changes start by the input `since`, and what a person typed, if not `event`. */
  readonly since: { readonly typed: string | undefined; readonly start: string } | undefined;
  /** Of a tag: whether it is still at this commit. */
  readonly isCurrent: boolean;
}

/** (1) Two steps share a ledger if it has an entry of this run and attempt under another key. */
export const isShared = ({ runs }: State, { key, run, attempt }: Asked): boolean =>
  runs.some((call) => call.run === run && call.attempt === attempt && call.key !== key);

/** (2) The call of an earlier attempt, which a re-run follows. */
export const earlierAttempt = ({ runs }: State, { run, isDryRun }: Asked): SentCall | undefined =>
  isDryRun ? undefined : runs.filter((call) => call.run === run).find(hasJob);

/**
 * (3) Whether what the run would send is covered. On a branch, `isBehindCovered` says it. A pull
 * request's changes are covered if they were sent last, a tag's if they were ever sent.
 */
export function isCovered(
  { runs }: State,
  { scope, ignored }: Asked,
  to: string,
  isBehindCovered: boolean,
): boolean {
  if (scope === 'heads') return isBehindCovered;
  const ended = runs.filter(
    (call) => hasEnded(call) && call.to !== null && !ignored?.has(call.key),
  );
  return scope === 'pull' ? ended[0]?.to === to : ended.some((call) => call.to === to);
}

/**
 * (4) The call to look at before sending: the newest one if it is still running, else the newest one
 * for the same changes if that is open.
 */
export function callBefore(
  { runs }: State,
  asked: Asked,
  target: Target | undefined,
  now: number,
): Call | undefined {
  const [newest] = runs;
  const isOpen = newest !== undefined && !hasEnded(newest);
  if (isOpen && (hasJob(newest) || isCalling(newest, asked, now))) return newest;
  const alike = runs.find((call) => isAlike(call, asked, target));
  if (alike !== undefined && !hasEnded(alike)) return alike;
  // A push to a pull request in doubt has another `to`, and sends all of its changes again.
  const isDoubt = isOpen && newest.to !== null && asked.scope === 'pull' && asked.sendsChanges;
  return isDoubt ? newest : undefined;
}

function isAlike(call: Call, { run, scope, sendsChanges }: Asked, target: Target | undefined) {
  if (!sendsChanges) return call.run === run;
  return scope === 'heads' ? call.to !== null : call.to === target?.to;
}

/** (4) Another run has claimed, and may be calling now. */
export const isCalling = ({ end, run, job, at }: Call, asked: Asked, now: number): boolean =>
  job === null && end === null && run !== asked.run && now - at < CALLING_MS;

/** (5) Where the changes start. `undefined` if nothing says. */
export const startOf = ({ covered }: State, target: Target | undefined): string | undefined =>
  target?.since?.start ?? covered ?? target?.start;

/** (6) The call whose agent job gets the prompt as a message, if its pull request is still open. */
export const callToAppendTo = ({ runs }: State): SentCall | undefined => {
  const last = runs.find(({ pull }) => pull !== null);
  return last !== undefined && hasJob(last) ? last : undefined;
};

/** What became of a call. */
export type Outcome =
  /** The service certainly did not take it, or it was cancelled before. */
  | { readonly kind: 'not-sent' }
  | { readonly kind: 'in-doubt' }
  | { readonly kind: 'accepted' }
  /** It was accepted, and nobody waits for its end. */
  | { readonly kind: 'started' }
  | Ended;

/** Whether an outcome covers what was sent. */
export const covers = (outcome: Outcome): outcome is Outcome & { kind: CoveringEnd } =>
  COVERING_ENDS.some((end) => end === outcome.kind);

/**
 * (7, 8) The state after what became of a call: one that covers moves `covered` to what it sent, unless
 * that `isBehindCovered`; one that covers nothing leaves no entry.
 */
export function stateAfter(
  state: State,
  { key, job, at, to, messageTo }: Call,
  outcome: Outcome,
  scope: LedgerScope,
  isBehindCovered: boolean,
): State {
  if (outcome.kind === 'in-doubt') return editCall(state, key, { end: 'unknown' });
  if (outcome.kind === 'accepted') return editCall(state, key, { job, at, end: null });
  if (!covers(outcome)) return withoutCall(state, key);
  const pull = outcome.kind === 'started' ? null : outcome.job.prLink || messageTo;
  const covered = scope === 'heads' && to !== null && !isBehindCovered ? to : state.covered;
  return { ...editCall(state, key, { job, at, end: outcome.kind, pull }), covered };
}
