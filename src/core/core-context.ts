/** What every step of a run works with. */
import type { AgentApi } from '../agent/api.ts';
import type { Effects, Runner } from '../effects/effects.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { RunFacts } from '../model/run-facts.ts';
import type { Known } from '../report/ending.ts';

/**
 * Adds to what is known of the run. A step calls it as soon as it knows something, so that an error
 * after it ends the run with all that is known.
 */
export type Tell = (learned: Partial<Known>) => void;

export interface CoreContext {
  readonly inputs: Inputs;
  readonly facts: RunFacts;
  readonly effects: Effects;
  /** Missing without a key, which only a dry run may lack. */
  readonly api: AgentApi | undefined;
  /** On the clock's scale, in ms. */
  readonly deadline: number;
  readonly tell: Tell;
}

/** No dry run, so that it has a key. */
export type Calling<C extends CoreContext> = C & { readonly api: AgentApi };

export const isCalling = <C extends CoreContext>(context: C): context is Calling<C> =>
  context.api !== undefined && !context.inputs.dryRun;

export function setJobId(id: string, runner: Runner): void {
  try {
    runner.setOutput('jobId', id);
  } catch {
    // The report writes it again, and says so if that fails as well.
  }
}
