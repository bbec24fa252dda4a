/** What every step of a run works with. */
import type { AgentApi } from '../agent/api.ts';
import type { Effects, Runner } from '../effects/effects.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { RunFacts } from '../model/run-facts.ts';
import type { Known } from '../report/ending.ts';

/**
 * Merges newly learned facts into what is known about the run. Steps call it as soon as they learn
 * something, so that the report of a later error includes it.
 */
export type Tell = (learned: Partial<Known>) => void;

export interface CoreContext {
  readonly inputs: Inputs;
  readonly facts: RunFacts;
  readonly effects: Effects;
  /** `undefined` without a key, which only a dry run may omit. */
  readonly api: AgentApi | undefined;
  /** On the clock's scale, in ms. */
  readonly deadline: number;
  readonly tell: Tell;
}

/** The context of a run that isn't a dry run, and therefore has a key. */
export type Calling<C extends CoreContext> = C & { readonly api: AgentApi };

export const isCalling = <C extends CoreContext>(context: C): context is Calling<C> =>
  context.api !== undefined && !context.inputs.dryRun;

export function setJobId(id: string, runner: Runner): void {
  try {
    runner.setOutput('jobId', id);
  } catch {
    // The report sets this output again, and says so if that fails too.
  }
}
