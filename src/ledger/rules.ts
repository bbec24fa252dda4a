/** The rules of the ledger, each a function of the state and of what was asked for it. CONTRIBUTING.md lists them. */
import type { Ended } from '../agent/job.ts';
import { CALLING_MS } from '../limits.ts';
import {
  type Call,
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
  readonly isDryRun: boolean;
}

/** What the run would send now. */
export interface Target {
  readonly to: string;
  readonly head: string;
  /** Where the changes start by the event, if it says. */
  readonly start: string | undefined;
  /** What a person typed, and where the changes start by it. */
  readonly since: { readonly typed: string; readonly start: string } | undefined;
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
 * request's changes are covered if they were sent last, a tag's if they were ever sent. `ignored` are
 * the keys of calls that do not count.
 */
export function isCovered(
  { runs }: State,
  { scope }: Asked,
  to: string,
  isBehindCovered: boolean,
  ignored: ReadonlySet<string>,
): boolean {
  if (scope === 'heads') return isBehindCovered;
  const ended = runs.filter((call) => hasEnded(call) && call.to !== null && !ignored.has(call.key));
  return scope === 'pull' ? ended[0]?.to === to : ended.some((call) => call.to === to);
}

/**
 * (4) The call to look at before sending: the newest one, then the newest for the same changes. Returns
 * the first that is open, and is still running or for the same changes.
 */
export function callBefore(
  { runs }: State,
  asked: Asked,
  target: Target | undefined,
  now: number,
): Call | undefined {
  const [newest] = runs;
  const alike = runs.find((call) => isAlike(call, asked, target));
  const found = [newest, alike].find(
    (call) =>
      call && !hasEnded(call) && (call === alike || hasJob(call) || isCalling(call, asked, now)),
  );
  // A push to a pull request in doubt has another `to`, and sends all of its changes again.
  const isDoubt = asked.scope === 'pull' && newest && !hasEnded(newest) && newest.to !== null;
  return found ?? (isDoubt && asked.sendsChanges ? newest : undefined);
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

/** Whether an end covers what was sent. */
export const covers = (
  standing: Ended,
): standing is Ended & { kind: Exclude<CoveringEnd, 'started'> } =>
  ['pull-request', 'no-changes', 'archived'].includes(standing.kind);

/**
 * (8) The state after a call has ended: one that covers moves `covered` to what it sent, unless that
 * `isBehindCovered`; one that does not leaves no entry.
 */
export function settled(
  state: State,
  { key, to, messageTo }: Call,
  end: Ended | { readonly kind: 'started' },
  scope: LedgerScope,
  isBehindCovered: boolean,
): State {
  if (end.kind !== 'started' && !covers(end)) return withoutCall(state, key);
  const pull = end.kind === 'started' ? null : end.job.prLink || messageTo;
  const covered = scope === 'heads' && to !== null && !isBehindCovered ? to : state.covered;
  return { ...editCall(state, key, { end: end.kind, pull }), covered };
}
