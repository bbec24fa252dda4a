/** Recording what became of a call, on top of whatever others have recorded meanwhile. */
import type { Clock } from '../effects.ts';
import { messageOf } from '../errors.ts';
import type { LedgerScope } from './name.ts';
import type { Outside } from './outside.ts';
import { type EndedStanding, settled } from './settle.ts';
import { type Call, editCall, isOpen, type State, withoutCall } from './state.ts';
import type { Store } from './store.ts';

/** Where a call is recorded, and how long to try. */
export interface Recorder {
  readonly store: Store;
  readonly scope: LedgerScope;
  readonly outside: Pick<Outside, 'isBehind' | 'docsPullState'>;
  readonly clock: Clock;
  /** Aborts some seconds after a cancel, so that the end of a call can still be recorded. */
  readonly signal: AbortSignal;
}

type RecordedCall = Pick<Call, 'key' | 'run' | 'job'>;

/** What became of a call, as far as the ledger is concerned. */
export type Outcome =
  /** The service certainly did not take it, or it was cancelled before. */
  | { readonly kind: 'not-sent' }
  /** The response was lost. */
  | { readonly kind: 'in-doubt' }
  /** `at`: the time of the response, in ms since 1970. With `isFinal`, nobody waits for its end. */
  | {
      readonly kind: 'accepted';
      readonly job: string;
      readonly at: number;
      readonly isFinal: boolean;
    }
  | EndedStanding;

/** `settledBefore`: another run had settled the call, and recorded this end. */
export interface Recorded {
  readonly settledBefore: Call | undefined;
  /** Why it could not be recorded. */
  readonly error: string | undefined;
}

const PAUSE_MS = 1_000;

/**
 * Records what became of a call, with new tries `until` time is up (on the clock's scale in ms).
 * Never rejects: the caller warns.
 */
export async function record(
  recorder: Recorder,
  call: RecordedCall,
  outcome: Outcome,
  until: number,
): Promise<Recorded> {
  const { store, clock, signal } = recorder;
  for (let tries = 0; ; tries += 1) {
    let error: string;
    try {
      const { tip, state } = await (tries === 0 ? store.latest() : store.read());
      const there = state.runs.find(({ key }) => key === call.key);
      if (there === undefined || !isOpen(there)) return { settledBefore: there, error: undefined };
      const next = await edited(recorder, state, call, outcome);
      const pushed = await store.push(tip, next, sentenceOf(call, outcome));
      if (pushed.kind === 'pushed') return { settledBefore: undefined, error: undefined };
      if (pushed.kind === 'refused') throw pushed.error;
      error = pushed.kind === 'denied' ? pushed.said : 'other runs kept writing to it';
    } catch (thrown) {
      error = messageOf(thrown);
    }
    const pauseMs = PAUSE_MS * (0.5 + clock.random());
    if (signal.aborted || clock.now() + pauseMs >= until)
      return { settledBefore: undefined, error };
    await clock.sleep(pauseMs, signal).catch(() => undefined);
  }
}

/** For people who read the history of the ref. */
function sentenceOf({ run }: RecordedCall, outcome: Outcome): string {
  switch (outcome.kind) {
    case 'not-sent':
      return `Run ${run}: nothing was sent`;
    case 'in-doubt':
      return `Run ${run}: the response was lost`;
    case 'accepted':
      return `Run ${run}: agent job ${outcome.job} has the prompt`;
    case 'covered':
      return `Run ${run}: ended as ${outcome.end}`;
    case 'failed':
      return `Run ${run}: covered nothing (${outcome.why})`;
  }
}

async function edited(
  { scope, outside }: Recorder,
  state: State,
  { key, job }: RecordedCall,
  outcome: Outcome,
): Promise<State> {
  switch (outcome.kind) {
    case 'not-sent':
      return withoutCall(state, key);
    case 'in-doubt':
      return editCall(state, key, { end: 'unknown' });
    case 'accepted': {
      const known = editCall(state, key, { job: outcome.job, at: outcome.at });
      const started = { kind: 'covered', end: 'started', pull: null } as const;
      return outcome.isFinal ? settled(known, key, started, scope, outside) : known;
    }
    case 'covered':
    case 'failed':
      // The agent job may be new to the ledger, if it could not be recorded before.
      return settled(editCall(state, key, { job }), key, outcome, scope, outside);
  }
}
