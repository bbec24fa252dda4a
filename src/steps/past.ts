/** What other runs of this step say about this one, if it has to know. */
import { NOTHING_EARLIER, type Verdict } from '../history/verdict.ts';
import type { SendingContext } from './context.ts';
import { type AfterAttempts, lookBack } from './look-back.ts';
import { startsBy } from './starts-by.ts';

/** Throws as `lookBack` does, and a `RunError` when the event cannot be read. */
export async function askOtherRuns(
  context: SendingContext,
  after: AfterAttempts,
): Promise<Verdict> {
  const { pullRequest, dryRun } = context.inputs;
  const by = startsBy(context);
  if (by.kind === 'runs' || pullRequest === 'append') return lookBack(context, by, after);
  if (dryRun) await after.past.checkPermissions();
  return after.range === undefined ? NOTHING_EARLIER : lookBack(context, by, after);
}
