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
  const by = startsBy(context);
  const isAnyWanted =
    after.range !== undefined || by.kind === 'runs' || context.inputs.pullRequest === 'append';
  return isAnyWanted ? lookBack(context, by, after) : NOTHING_EARLIER;
}
