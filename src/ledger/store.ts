/** The ledger as a place to read and write: its git ref. */
import { StepError } from '../errors.ts';
import { type Pushed, pushRef, readRef } from '../git/ledger-ref.ts';
import type { Repository } from '../git/repository.ts';
import { EMPTY, parseState, type State } from './state.ts';

/** The state of the ledger at a commit. Without a ledger, `tip` is `undefined`. */
export interface Snapshot {
  readonly tip: string | undefined;
  readonly state: State;
}

export interface Store {
  readonly ref: string;
  /** Throws a `StepError` if the ledger cannot be read. */
  read(): Promise<Snapshot>;
  /** The ledger as this run last read or wrote it. A push on top of an old one is rejected. */
  latest(): Promise<Snapshot>;
  /**
   * Writes the state, unless somebody else wrote since `tip`. `sentence` is for people who read the
   * ref's history.
   */
  push(tip: string | undefined, state: State, sentence: string): Promise<Pushed>;
}

/** `memory` is shared by the stores of a run. */
export function gitStore(repo: Repository, ref: string, memory: { latest?: Snapshot }): Store {
  async function read(): Promise<Snapshot> {
    const found = await readRef(repo, ref);
    const state = found === undefined ? EMPTY : parseState(ref, found.message);
    memory.latest = { tip: found?.tip, state };
    return memory.latest;
  }
  return {
    ref,
    read,
    latest: async () => memory.latest ?? read(),
    async push(tip, state, sentence) {
      // Until it is known what became of this push.
      delete memory.latest;
      const pushed = await pushRef(repo, ref, tip, `${sentence}\n\n${JSON.stringify(state)}\n`);
      if (pushed.kind === 'pushed') memory.latest = { tip: pushed.tip, state };
      return pushed;
    },
  };
}

/** A prompt alone goes out without a ledger, where git or a permission is missing. */
export const noStore = (ref: string): Store => ({
  ref,
  read: async () => ({ tip: undefined, state: EMPTY }),
  latest: async () => ({ tip: undefined, state: EMPTY }),
  push: async () => ({ kind: 'denied', said: 'there is no ledger' }),
});

/** Falls back to {@link noStore} where the token may not read. */
export function optionalStore(store: Store): Store {
  const { read, push } = noStore(store.ref);
  return {
    ...store,
    read: () => store.read().catch((error) => (isWithoutLedger(error) ? read() : rethrow(error))),
    push: (...given) =>
      store
        .push(...given)
        .catch((error) => (isWithoutLedger(error) ? push(...given) : rethrow(error))),
  };
}

const rethrow = (error: unknown) => Promise.reject(error);

export const isWithoutLedger = (error: unknown) =>
  error instanceof StepError && ['git', 'permissions'].includes(error.topic);
