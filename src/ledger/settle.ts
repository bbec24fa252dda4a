/** Settling: what the end of a call does to the ledger, for a run's own call and for another's. */
import type { Standing } from '../agent/watch.ts';
import type { LedgerScope } from './name.ts';
import type { Outside } from './outside.ts';
import {
  type Call,
  type CoveringEnd,
  editCall,
  type SentCall,
  type State,
  withoutCall,
} from './state.ts';

/** An agent job that is active for longer is given up. Agents take minutes. */
const STUCK_MS = 2 * 60 * 60_000;

/** How a call with an agent job stands. */
export type CallStanding =
  | { readonly kind: 'running' }
  /** It covers what was sent. */
  | { readonly kind: 'covered'; readonly end: CoveringEnd; readonly pull: string | null }
  /** It covers nothing, and is sent again. */
  | { readonly kind: 'failed'; readonly why: 'failed' | 'gone' | 'stuck' | 'merged' | 'closed' };

/** How a call has ended. */
export type EndedStanding = Exclude<CallStanding, { kind: 'running' }>;

/** Reads the agent job of a call, and of a message also whether its pull request is still open. */
export async function readStanding(
  call: SentCall,
  outside: Pick<Outside, 'now' | 'look' | 'docsPullState'>,
): Promise<CallStanding> {
  // Before the request, whose response may come late.
  const ageMs = outside.now() - call.at;
  const seen = await outside.look(call);
  if (seen.kind !== 'active') return standingOf(call, seen, outside);
  return ageMs < STUCK_MS ? { kind: 'running' } : { kind: 'failed', why: 'stuck' };
}

/** What an end of the agent job means for the call. */
export async function standingOf(
  call: Call,
  seen: Exclude<Standing, { kind: 'active' }>,
  { docsPullState }: Pick<Outside, 'docsPullState'>,
): Promise<EndedStanding> {
  if (seen.kind === 'gone') return { kind: 'failed', why: 'gone' };
  if (seen.end === 'failed') return { kind: 'failed', why: 'failed' };
  if (call.message !== null) {
    const state = await docsPullState(call.message);
    // The agent's last additions may have reached nobody.
    if (state === 'merged' || state === 'closed') return { kind: 'failed', why: state };
  }
  return { kind: 'covered', end: seen.end, pull: seen.job.prLink || call.message };
}

/**
 * The state after a call has ended: one that covers moves `covered` to what it sent, one that does
 * not leaves no entry.
 */
export async function settled(
  state: State,
  key: string,
  standing: EndedStanding,
  scope: LedgerScope,
  outside: Pick<Outside, 'isBehind'>,
): Promise<State> {
  const call = state.runs.find((one) => one.key === key);
  if (call === undefined) return state;
  if (standing.kind === 'failed') return withoutCall(state, key);
  const { end, pull } = standing;
  const covered = await movedTo(state, call.to, scope, outside);
  return { ...editCall(state, key, { end, pull }), covered };
}

/** `covered`, moved to a branch's commit unless that is behind it. */
export async function movedTo(
  { covered }: State,
  to: string | null,
  scope: LedgerScope,
  { isBehind }: Pick<Outside, 'isBehind'>,
): Promise<string | null> {
  if (to === null || scope !== 'heads') return covered;
  return covered !== null && (await isBehind(to, covered)) === true ? covered : to;
}
