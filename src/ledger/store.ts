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
  read(): Promise<Snapshot>;
  /** As this run last read or wrote it. A push on top of an old one is rejected. */
  latest(): Promise<Snapshot>;
  /** Writes the state, unless somebody else wrote since `tip`. `sentence` is for people. */
  push(tip: string | undefined, state: State, sentence: string): Promise<Pushed>;
}

/**
 * An optional ledger, of a prompt alone, is empty and takes nothing where git or a permission is
 * missing. `memory` is shared by the stores of a run.
 */
export function openStore(
  repo: Repository | undefined,
  ref: string,
  isOptional: boolean,
  memory: { latest?: Snapshot | undefined },
): Store {
  const orWithout = (error: unknown) => {
    if (isOptional && isWithoutLedger(error)) return undefined;
    throw error;
  };
  async function read(): Promise<Snapshot> {
    const found = repo && (await readRef(repo, ref).catch(orWithout));
    const state = found === undefined ? EMPTY : parseState(ref, found.message);
    memory.latest = { tip: found?.tip, state };
    return memory.latest;
  }
  return {
    ref,
    read,
    latest: async () => memory.latest ?? read(),
    async push(tip, state, sentence) {
      const before = memory.latest;
      // Until it is known what became of this push.
      memory.latest = undefined;
      const message = `${sentence}\n\n${JSON.stringify(state)}\n`;
      const tried = repo && (await pushRef(repo, ref, tip, message).catch(orWithout));
      const pushed: Pushed = tried ?? { kind: 'denied', said: 'there is no ledger' };
      if (pushed.kind === 'pushed') memory.latest = { tip: pushed.tip, state };
      if (pushed.kind === 'denied') memory.latest = before;
      return pushed;
    },
  };
}

export const isWithoutLedger = (error: unknown) =>
  error instanceof StepError && /^(git|ledger|write|repo|token|temp)/.test(error.topic);
