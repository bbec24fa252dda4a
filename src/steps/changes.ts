/** The changes that a prompt tells. */

import { findChanges, skipReason } from '../changes/find/changes.ts';
import type { Changes } from '../changes/find/found.ts';
import {
  bareMessage,
  type ComposedPrompt,
  composePrompt,
  type News,
  tellChanges,
} from '../changes/write/prompt.ts';
import type { AddTo } from '../changes/write/sentences.ts';
import type { Runner } from '../effects/effects.ts';
import type { Sending } from '../history/verdict.ts';
import type { ChangesOverview, SkipReason } from '../model/changes.ts';
import type { SendingContext } from './context.ts';
import { withMissingPatches } from './patches.ts';

export interface FoundChanges {
  readonly changes: Changes;
  readonly overview: ChangesOverview;
  /** Why nothing has to be sent. */
  readonly skipReason: SkipReason | undefined;
}

/** Finds what has changed. Throws a `RunError` when that cannot be known. */
export async function findForPrompt(
  { inputs, effects, github }: SendingContext,
  { start, laterRuns }: Sending,
): Promise<FoundChanges> {
  const { since, paths, skip, dryRun } = inputs;
  const isNextRunLooking = laterRuns === 'next';
  const query = { github, start, isNextRunLooking, since, paths, skip };
  const changes = await findChanges(query);
  const reason = skipReason(changes);
  const { clean } = effects.runner;
  const told = { paths, skip, since, dryRun, skipReason: reason, start, clean };
  const { overview, news } = tellChanges(changes, told);
  announce(news, effects.runner);
  return { changes, overview, skipReason: reason };
}

/**
 * What is sent: as a prompt of its own, and as a `message` that adds to an open pull request. Throws a
 * `RunError` when GitHub fails.
 */
export async function composeWith(
  context: SendingContext,
  found: FoundChanges,
  addTo: AddTo | undefined,
  isNextRunLooking: boolean,
): Promise<ComposedPrompt> {
  const { inputs, effects, task } = context;
  const { runner } = effects;
  const { changes: level } = inputs;
  const isDiff = level === 'diff' && found.changes.kind === 'known';
  const changes = isDiff
    ? await withMissingPatches(context, found.changes, isNextRunLooking)
    : found.changes;
  const options = { changes: level, clean: runner.clean, addTo };
  const composed = composePrompt(task.instruction, changes, found, options);
  announce(composed.news, runner);
  return composed;
}

/** The same for a prompt that tells no changes. */
export function composeAlone({ effects, task }: SendingContext, addTo: AddTo) {
  const { instruction } = task;
  const message = bareMessage(instruction, addTo, effects.runner.clean);
  return { prompt: instruction, message, overview: undefined };
}

function announce({ log, warnings }: News, runner: Runner): void {
  for (const line of log) runner.info(line);
  for (const { title, message } of warnings) runner.annotate('warning', title, message);
}
