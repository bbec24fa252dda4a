/** Whether what a follow-up message asked for has certainly reached the agent job's pull request. */
import type { Fate } from '../model/agent-job.ts';
import { type Added, CALL_OVER_MS } from '../model/record.ts';
import type { KnownPull } from './pulls.ts';

/** What became of an addition, of an agent job that has ended well. */
type AdditionFate = Extract<Fate, 'covered' | 'missed' | 'uncertain'>;

/**
 * What this step itself has seen of the agent job decides, and then the pull request. `lastActiveMs`:
 * when this step last read it as `active` since the message, if it did; both times in ms since 1970.
 */
export function fateOfAddition(
  added: Added,
  pull: Pick<KnownPull, 'kind' | 'number' | 'head' | 'endedMs'>,
  lastActiveMs: number | undefined,
  nowMs: number,
): AdditionFate {
  if (added === 'missed') return 'missed';
  if (pull.number !== added.number) return 'covered';
  const wasActive = lastActiveMs !== undefined;
  const isLate = (ms: number) => ms - added.at * 1_000 > CALL_OVER_MS;
  if (pull.kind === 'open') {
    return wasActive || pull.head !== added.head || isLate(nowMs) ? 'covered' : 'uncertain';
  }
  const endedMs = pull.endedMs ?? nowMs;
  // The agent was not done. Its head says nothing here: others push, too.
  if (wasActive && lastActiveMs > endedMs) return 'missed';
  return wasActive || isLate(endedMs) ? 'covered' : 'missed';
}
