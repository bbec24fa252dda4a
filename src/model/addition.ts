/**
 * Judges whether the additions that a follow-up message asked for have certainly reached the agent
 * job's pull request.
 */
import type { Fate } from './agent-job.ts';
import type { KnownDocsPull } from './docs-pull.ts';
import { type Added, WORK_OVER_MS } from './record.ts';

/** The outcome of an addition whose agent job ended well. */
type AdditionFate = Extract<Fate, 'covered' | 'missed' | 'uncertain'>;

/**
 * Judges by what this step has seen of the agent job, then by the pull request. `wasActive` means
 * that this step has read the agent job as `active` since the message: that settles an addition to
 * an open pull request, and rules one out for a pull request that was closed meanwhile. `nowMs` is
 * in ms since 1970.
 */
export function fateOfAddition(
  added: Added,
  pull: Pick<KnownDocsPull, 'kind' | 'number' | 'head' | 'endedMs'>,
  wasActive: boolean,
  nowMs: number,
): AdditionFate {
  if (added === 'missed') return 'missed';
  if (pull.number !== added.number) return 'covered';
  const isLate = (ms: number) => ms - added.at * 1_000 > WORK_OVER_MS;
  if (pull.kind === 'open') {
    return wasActive || pull.head !== added.head || isLate(nowMs) ? 'covered' : 'uncertain';
  }
  // No read showed the pull request open after the agent was done. A new head proves nothing here,
  // because somebody else may have pushed it. An open pull request can still get the additions.
  if (wasActive) return 'missed';
  return isLate(pull.endedMs ?? nowMs) ? 'covered' : 'missed';
}
