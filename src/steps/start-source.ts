/** Decides who sets the start of a run's changes. */

import { GitHubError } from '../github/errors.ts';
import { changesOfEvent, type EventChanges } from '../github/event.ts';
import type { WorkflowEvent } from '../github/github.ts';
import type { AfterDoubt } from '../history/attempts.ts';
import { CHANGES_NOT_FOUND, RunError } from '../model/run-error.ts';
import { isDispatched } from '../model/run-facts.ts';
import { isNamedStart } from '../model/start.ts';
import { quote } from '../text/escape.ts';
import { capitalize, newRun, newRunSince } from '../text/words.ts';
import { type RunEffects, readsChanges, type SendingContext } from './run-context.ts';

/**
 * Returns who sets the start of the changes: earlier runs, a person with `since`, or the event.
 * `nobody` in a step that reads no changes. Throws a `RunError` when the event can't be read.
 */
export function whoSetsStart({
  inputs,
  effects,
}: SendingContext): 'runs' | 'person' | 'event' | 'nobody' {
  const { since } = inputs;
  if (!readsChanges(inputs)) return 'nobody';
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
 * How to continue after a re-run of this step stopped because the prompt may have been sent.
 * `isHidden` means that later runs can't read what it recorded either. Throws what `whoSetsStart`
 * throws.
 */
export function afterDoubt(context: SendingContext, isHidden: boolean): AfterDoubt {
  const { inputs, facts, effects } = context;
  const ifSent = 'do not send the prompt again';
  const who = whoSetsStart(context);
  if (who === 'nobody') {
    const isAppending = inputs.pullRequest === 'append';
    const how = isAppending ? ' with `pullRequest: new` and `dryRun: false`' : '';
    return { ifSent, ifStopped: `start a new run${how}` };
  }
  const { kind, head } = eventChanges(effects);
  if (kind === 'pull-request') {
    const isSentAgain = inputs.since === 'last-success' && !isHidden;
    const again =
      'there is nothing to do, and the next run of the pull request sends its changes again';
    const ifStopped =
      'give this step a workflow job of its own with another name, and push to the pull request';
    return { ifSent: isSentAgain ? again : ifSent, ifStopped };
  }
  // A fixed `since` in the workflow file is also where later runs start.
  const isByRecords = who === 'runs' || (who === 'person' && isDispatched(facts.eventName));
  const fromHead = `${newRun(quote(head))}, which sends only later changes`;
  return { ifSent: isByRecords ? fromHead : ifSent, ifStopped: newRunSince() };
}
