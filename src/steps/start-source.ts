/** Decides who sets the start of a run's changes. */
import { type EventRange, rangeOf } from '../changes/find/event.ts';
import { GitHubError } from '../github/errors.ts';
import type { WorkflowEvent } from '../github/github.ts';
import { CHANGES_NOT_FOUND, RunError } from '../model/run-error.ts';
import { isTyped } from '../model/run-facts.ts';
import { isNamedStart } from '../model/start.ts';
import { capitalize, newRunSince } from '../text/words.ts';
import { type RunEffects, readsChanges, type SendingContext } from './run-context.ts';

/** Earlier runs, a person, or neither set the start. `head` is where the changes end. */
export type StartSource =
  | { readonly kind: 'runs'; readonly head: string }
  | { readonly kind: 'named' | 'other' };

/** Throws a `RunError` when the event can't be read. */
export function startSourceOf({ inputs, effects }: SendingContext): StartSource {
  const { since } = inputs;
  if (!readsChanges(inputs)) return { kind: 'other' };
  if (isNamedStart(since)) return { kind: 'named' };
  const { kind, head } = eventRange(effects);
  return since === 'last-success' || kind === 'none' ? { kind: 'runs', head } : { kind: 'other' };
}

/** Throws a `RunError` when the event can't be read. */
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

/**
 * The commit that a person can set as `since` in a new run to declare everything done. `undefined`
 * when no later run would start there. Throws what `startSourceOf` throws.
 */
export function headForNewRun(context: SendingContext): string | undefined {
  const by = startSourceOf(context);
  const range = eventRange(context.effects);
  if (by.kind === 'other' || range.kind === 'pull-request') return undefined;
  // A fixed `since` in the workflow file is also where later runs start.
  return by.kind === 'runs' || isTyped(context.facts.eventName) ? range.head : undefined;
}
