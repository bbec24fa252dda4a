/** What the end of a call does to the ledger, and how it gets there. */
import type { Standing } from '../agent/watch.ts';
import type { Clock } from '../effects.ts';
import { messageOf } from '../errors.ts';
import type { Outside } from './outside.ts';
import {
  type Call,
  type CoveringEnd,
  editCall,
  isOpen,
  type LedgerScope,
  type SentCall,
  type State,
  withoutCall,
} from './state.ts';
import type { Snapshot, Store } from './store.ts';

/** An agent job that is still active after this long counts as failed. Agents take minutes. */
export const STUCK_MS = 2 * 60 * 60_000;

export type CallStanding =
  | { readonly kind: 'running' }
  | { readonly kind: 'covered'; readonly end: CoveringEnd; readonly pull: string | null }
  | { readonly kind: 'failed'; readonly why: 'failed' | 'gone' | 'stuck' | 'merged' | 'closed' };

export type EndedStanding = Exclude<CallStanding, { kind: 'running' }>;

/** Reads the agent job of a call once. */
export async function readStanding(
  call: SentCall,
  outside: Pick<Outside, 'now' | 'look' | 'docsPullState'>,
): Promise<CallStanding> {
  // Before the request, whose response may come late.
  const ageMs = outside.now() - call.at;
  const seen = await outside.look(call);
  // Read again at the next look, while time is left.
  if (seen.kind === 'unreadable') return { kind: 'running' };
  if (seen.kind !== 'active') return standingOf(call, seen, outside);
  return ageMs < STUCK_MS ? { kind: 'running' } : { kind: 'failed', why: 'stuck' };
}

/** What an end of the agent job means for the call. Reads the pull request of a message. */
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
  return covered !== null && (await isBehind(to, covered)) ? covered : to;
}

export interface Recorder {
  readonly store: Store;
  readonly scope: LedgerScope;
  readonly outside: Pick<Outside, 'isBehind'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

type RecordedCall = Pick<Call, 'key' | 'run' | 'job'>;

/** What became of a call, as far as the ledger is concerned. */
export type CallOutcome =
  /** The service certainly did not take it, or it was cancelled before. */
  | { readonly kind: 'not-sent' }
  | { readonly kind: 'in-doubt' }
  /** `at`: the time of the response, in ms since 1970. With `isFinal`, nobody waits for its end. */
  | {
      readonly kind: 'accepted';
      readonly job: string;
      readonly at: number;
      readonly isFinal: boolean;
    }
  | EndedStanding;

type Recorded =
  | { readonly kind: 'recorded' }
  /** Another run has settled the call, or the ledger has no entry of it. */
  | { readonly kind: 'not-open'; readonly found: Call | undefined }
  | { readonly kind: 'failed'; readonly said: string };

const PAUSE_MS = 1_000;
/** So that a pause is over before the 5 s after a cancel are. */
const MAX_PAUSES = 3;

/** Tries until `until` (on the clock's scale, in ms). Never rejects: the caller warns. */
export async function record(
  recorder: Recorder,
  call: RecordedCall,
  outcome: CallOutcome,
  until: number,
): Promise<Recorded> {
  const { store, clock, signal } = recorder;
  const attempt = async ({ tip, state }: Snapshot): Promise<Recorded> => {
    const found = state.runs.find(({ key }) => key === call.key);
    if (found === undefined || !isOpen(found)) return { kind: 'not-open', found };
    const [next, sentence] = await edited(recorder, state, call, outcome);
    const pushed = await store.push(tip, next, `Run ${call.run}: ${sentence}`);
    return pushed.kind === 'pushed' ? { kind: 'recorded' } : { kind: 'failed', said: pushed.said };
  };
  let read = store.latest;
  for (let failures = 1; ; failures += 1) {
    const recorded = await read()
      .then(attempt)
      .catch((error: unknown): Recorded => ({ kind: 'failed', said: messageOf(error) }));
    if (recorded.kind !== 'failed') return recorded;
    const pauseMs = PAUSE_MS * Math.min(failures, MAX_PAUSES) * (0.5 + clock.random());
    if (signal.aborted || clock.now() + pauseMs >= until) return recorded;
    await clock.sleep(pauseMs, signal).catch(() => undefined);
    read = store.read;
  }
}

async function edited(
  { scope, outside }: Recorder,
  state: State,
  { key, job }: RecordedCall,
  outcome: CallOutcome,
): Promise<readonly [State, string]> {
  switch (outcome.kind) {
    case 'not-sent':
      return [withoutCall(state, key), 'nothing was sent'];
    case 'in-doubt':
      return [editCall(state, key, { end: 'unknown' }), 'the response was lost'];
    case 'accepted': {
      const known = editCall(state, key, { job: outcome.job, at: outcome.at });
      const started = { kind: 'covered', end: 'started', pull: null } as const;
      const next = outcome.isFinal ? await settled(known, key, started, scope, outside) : known;
      return [next, `agent job ${outcome.job} has the prompt`];
    }
    case 'covered':
    case 'failed': {
      // The agent job may be new to the ledger, if it could not be recorded before.
      const next = await settled(editCall(state, key, { job }), key, outcome, scope, outside);
      const isCovered = outcome.kind === 'covered';
      return [next, isCovered ? `ended as ${outcome.end}` : `covered nothing (${outcome.why})`];
    }
  }
}
