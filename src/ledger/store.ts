/** The ledger as a place to read and write: its git ref. */
import { StepError, type Topic } from '../errors.ts';
import { PushDenied, pushRef, readRef } from '../git/ledger-ref.ts';
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
   * ref's history. Throws a `StepError` if nobody could write.
   */
  push(tip: string | undefined, state: State, sentence: string): Promise<Pushed>;
}

export type Pushed =
  | { readonly kind: 'pushed' | 'rejected' }
  /** The token may not write. `said` is what the server said. */
  | { readonly kind: 'denied'; readonly said: string };

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
      try {
        const message = `${sentence}\n\n${JSON.stringify(state)}\n`;
        const pushed = await pushRef(repo, ref, tip, message);
        if (pushed === undefined) return { kind: 'rejected' };
        memory.latest = { tip: pushed, state };
        return { kind: 'pushed' };
      } catch (error) {
        if (error instanceof PushDenied) return { kind: 'denied', said: error.said };
        throw error;
      }
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

/** Falls back to {@link noStore} where the token may not read, or the server takes no push. */
export function optionalStore(store: Store): Store {
  const { ref, read, push } = noStore(store.ref);
  const orNothing = (error: unknown) => (isWithoutLedger(error) ? read() : rethrow(error));
  return {
    ref,
    read: () => store.read().catch(orNothing),
    latest: () => store.latest().catch(orNothing),
    push: (...given) =>
      store.push(...given).catch((error) => (isRefused(error) ? push(...given) : rethrow(error))),
  };
}

const rethrow = (error: unknown) => Promise.reject(error);

const hasTopic = (error: unknown, topics: readonly Topic[]): boolean =>
  error instanceof StepError && topics.includes(error.topic);

/** Whether git, or a permission, is missing. */
export const isWithoutLedger = (error: unknown) => hasTopic(error, ['git', 'permissions']);

/** A hook may refuse the push, too. */
const isRefused = (error: unknown) => hasTopic(error, ['git', 'permissions', 'ledger']);
