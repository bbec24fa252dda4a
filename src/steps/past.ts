/** What other runs of this step say about this one, if it has to know. */
import { type EventRange, rangeOf } from '../changes/find/event.ts';
import type { WorkflowEvent } from '../github/github.ts';
import { NOTHING_EARLIER, type Verdict } from '../history/verdict.ts';
import { CHANGES_NOT_FOUND, GitHubError, RunError } from '../model/errors.ts';
import { isNamedStart } from '../model/start.ts';
import { capitalize, newRunSince } from '../text/words.ts';
import { type RunEffects, readsChanges, type SendingContext } from './context.ts';
import { type AfterAttempts, lookBack, type StartsBy } from './look-back.ts';

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

function startsBy({ inputs, effects }: SendingContext): StartsBy {
  const { since } = inputs;
  if (!readsChanges(inputs)) return { kind: 'other' };
  if (isNamedStart(since)) return { kind: 'named' };
  const { kind, head } = eventRange(effects);
  return since === 'last-success' || kind === 'none' ? { kind: 'runs', head } : { kind: 'other' };
}

/** Throws a `RunError` when the event cannot be read. */
export const eventRange = (effects: RunEffects): EventRange => rangeOf(readEvent(effects));

function readEvent(effects: RunEffects): WorkflowEvent {
  try {
    return effects.readEvent();
  } catch (cause) {
    if (!(cause instanceof GitHubError)) throw cause;
    const message = `${cause.message}, so no prompt was sent. ${capitalize(newRunSince('the first change to send'))}.`;
    throw new RunError(CHANGES_NOT_FOUND, message, { cause });
  }
}
