import { headNamedBy } from '../changes/find/event.ts';
import { planOf, recordOf } from '../history/plan.ts';
import { NOTHING_EARLIER } from '../history/verdict.ts';
import { readsChanges, type SendingContext } from './context.ts';

/**
 * Whether a person says that everything up to the commit of this run is done: they typed its id as
 * `since`. Then later runs start there, whatever earlier runs and attempts did.
 */
export function isAllDone({ inputs, effects, early, isAlwaysRecorded, tell }: SendingContext) {
  if (!readsChanges(inputs)) return false;
  // On any other event than `workflow_dispatch` the inputs cannot be used.
  const head = headNamedBy(inputs.since, effects.readEvent);
  if (head === undefined) return false;
  const plan = planOf(early, NOTHING_EARLIER, { from: head, to: head }, []);
  if (isAlwaysRecorded) tell({ record: recordOf(plan, { kind: 'none' }) });
  return true;
}
