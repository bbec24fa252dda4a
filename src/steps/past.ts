/** What earlier attempts and runs of this step say about this one, if it has to know. */
import { rangeOf } from '../changes/find/event.ts';
import type { WorkflowEvent } from '../github/github.ts';
import { NOTHING_EARLIER, type Verdict } from '../history/verdict.ts';
import { CHANGES_NOT_FOUND, GitHubError, RunError } from '../model/errors.ts';
import { isNamedStart } from '../model/start.ts';
import { capitalize, newRunSince } from '../text/words.ts';
import { type RunEffects, readsChanges, type SendingContext } from './context.ts';
import { lookBack, type StartsBy } from './look-back.ts';

/** Throws as `lookBack` does, and a `RunError` when the event cannot be read. */
export async function askThePast(context: SendingContext): Promise<Verdict> {
  const { inputs, facts } = context;
  const by = startsBy(context);
  const isAnyWanted = facts.attempt > 1 || by.kind === 'runs' || inputs.pullRequest === 'append';
  return isAnyWanted ? lookBack(context, by) : NOTHING_EARLIER;
}

function startsBy({ inputs, effects }: SendingContext): StartsBy {
  const { since } = inputs;
  if (!readsChanges(inputs)) return { kind: 'other' };
  if (isNamedStart(since)) return { kind: 'named' };
  const { kind, head } = rangeOf(readEvent(effects));
  return since === 'last-success' || kind === 'none' ? { kind: 'runs', head } : { kind: 'other' };
}

function readEvent(effects: RunEffects): WorkflowEvent {
  try {
    return effects.readEvent();
  } catch (cause) {
    if (!(cause instanceof GitHubError)) throw cause;
    const message = `${cause.message}, so no prompt was sent. ${capitalize(newRunSince('the first change to send'))}.`;
    throw new RunError(CHANGES_NOT_FOUND, message, { cause });
  }
}
