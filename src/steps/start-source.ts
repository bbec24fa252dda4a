/** Decides who sets the start of a run's changes. */

import { GitHubError } from '../github/errors.ts';
import { changesOfEvent, type EventChanges } from '../github/event.ts';
import type { WorkflowEvent } from '../github/github.ts';
import { CHANGES_NOT_FOUND, RunError } from '../model/run-error.ts';
import { isTyped } from '../model/run-facts.ts';
import { isNamedStart } from '../model/start.ts';
import { capitalize, newRunSince } from '../text/words.ts';
import { type RunEffects, readsChanges, type SendingContext } from './run-context.ts';

/**
 * Returns who sets the start: earlier runs, a person with `since`, or the event. A step that reads
 * no changes has no start, which counts as `event`. Throws a `RunError` when the event can't be
 * read.
 */
export function whoSetsStart({ inputs, effects }: SendingContext): 'runs' | 'person' | 'event' {
  const { since } = inputs;
  if (!readsChanges(inputs)) return 'event';
  if (isNamedStart(since)) return 'person';
  const { kind } = eventChanges(effects);
  return since === 'last-success' || kind === 'none' ? 'runs' : 'event';
}

/** Throws a `RunError` when the event can't be read. */
export const eventChanges = (effects: RunEffects): EventChanges =>
  changesOfEvent(readEvent(effects));

function readEvent(effects: RunEffects): WorkflowEvent {
  try {
    return effects.readEvent();
  } catch (cause) {
    if (!(cause instanceof GitHubError)) throw cause;
    const message = `${cause.message}, so no prompt was sent. ${capitalize(newRunSince())}.`;
    throw new RunError(CHANGES_NOT_FOUND, message, { cause });
  }
}

/**
 * The commit that a person can set as `since` in a new run to declare everything done. `undefined`
 * when no later run would start there. Throws what `whoSetsStart` throws.
 */
export function headForNewRun(context: SendingContext): string | undefined {
  const who = whoSetsStart(context);
  const { kind, head } = eventChanges(context.effects);
  if (who === 'event' || kind === 'pull-request') return undefined;
  // A fixed `since` in the workflow file is also where later runs start.
  return who === 'runs' || isTyped(context.facts.eventName) ? head : undefined;
}
