/** Answers the ledger's questions with GitHub, git and Mintlify. */
import type { Agent } from '../agent/client.ts';
import { type Watch, watchJob } from '../agent/watch.ts';
import type { Repository } from '../git/repository.ts';
import type { Outside } from '../ledger/outside.ts';
import type { Context, RunEffects } from './context.ts';
import type { FoundChanges } from './found-changes.ts';

/** A run about changes has `found`; a prompt alone has none, and may have no `repo`. */
export function createOutside(
  context: Context,
  repo: Repository | undefined,
  found: FoundChanges | undefined,
): Outside {
  const { agent, effects, github, tell } = context;
  return {
    now: () => effects.clock.date(),
    async target() {
      return needed(found).target();
    },
    isBehind: async (commit, other) => github().isBehind(commit, other),
    async isOnBranch(branch, head) {
      const tip = await needed(repo).tip(branch);
      return tip !== undefined && (await github().isBehind(head, tip)) === true;
    },
    async nothingToSend(start) {
      const reading = await needed(found).from(start);
      if (reading.kind === 'changes') return undefined;
      if (reading.reason !== 'no-start') tell({ changes: reading.overview });
      return reading.reason;
    },
    look: agent === undefined ? unasked : createLook(agent, effects),
    async docsPullState(link) {
      return (await github().docsPull(link)).kind;
    },
  };
}

/**
 * Reads agent jobs of other runs. Each call is watched across reads, because only 404 for 30 s says
 * that one is gone. One that cannot be read now is read again at the next look, while time is left.
 */
export function createLook(
  agent: Agent,
  effects: Pick<RunEffects, 'clock' | 'runner' | 'signal'>,
): Outside['look'] {
  const watches = new Map<string, Watch>();
  return async ({ key, job, message, at }) => {
    const watch = watches.get(key) ?? watchJob(agent, job, message === null ? null : at, effects);
    watches.set(key, watch);
    const seen = await watch.look();
    return seen.kind === 'unreadable' ? { kind: 'active' } : seen;
  };
}

/** A dry run without a key. */
const unasked: Outside['look'] = () => Promise.reject(new Error('A dry run reads no agent job.'));

/** The rules ask only what a run of this kind has. */
function needed<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The ledger asked for something that this run lacks.');
  return value;
}
