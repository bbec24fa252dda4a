/** The ledger's git ref as the place to read and write. */
import { ledgerTip, pushRef, readRef } from '../git/ledger-ref.ts';
import type { Repository } from '../git/repository.ts';
import type { Snapshot, Store } from './outside.ts';
import { EMPTY, parseState } from './state.ts';

interface StoreOptions {
  readonly repo: Repository;
  readonly ref: string;
  /** What each read of a branch's ledger brings along. */
  readonly branch: string | undefined;
  /** Commits that the run needs first, which the same request brings. */
  readonly commits: readonly string[];
}

/** Stores of one run share what they know of the ref. */
export function openStore(
  options: StoreOptions,
  memory: { latest?: Snapshot | undefined } = {},
): Store {
  const { repo, ref, branch, commits } = options;
  async function read(): Promise<Snapshot> {
    const { tip, message, branchTip } = await readRef(repo, ref, { branch, commits });
    const state = message === undefined ? EMPTY : parseState(ref, message);
    memory.latest = { tip, state, branchTip };
    return memory.latest;
  }
  return {
    ref,
    read,
    latest: async () => memory.latest ?? read(),
    tip: () => ledgerTip(repo, ref),
    async push(tip, state, sentence) {
      const before = memory.latest;
      // Until it is known what became of this push.
      memory.latest = undefined;
      const pushed = await pushRef(repo, ref, tip, `${sentence}\n\n${JSON.stringify(state)}\n`);
      if (pushed.kind === 'pushed')
        memory.latest = { tip: pushed.tip, state, branchTip: before?.branchTip };
      if (pushed.kind === 'denied') memory.latest = before;
      return pushed;
    },
    with: (limits) => openStore({ ...options, repo: repo.with(limits) }, memory),
  };
}
