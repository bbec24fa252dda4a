/** Composes the prompt of a run. */

import { type ChangesOverview, overviewOf } from '../changes/changes.ts';
import { appendOnly, composePrompt } from '../changes/compose.ts';
import { StepError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';
import { pluralize, shortRef } from '../text/words.ts';
import type { Context } from './context.ts';
import type { FoundChanges } from './found-changes.ts';

export interface Composed {
  readonly prompt: string;
  /** Of this repository's pull requests, those whose changes the prompt includes. */
  readonly codePullRequests: readonly number[];
}

/** What the prompt includes besides the instruction. */
export interface Included {
  /** `undefined` for a prompt alone. */
  readonly changes:
    | {
        readonly repo: Repository;
        readonly found: FoundChanges;
        readonly start: string | undefined;
      }
    | undefined;
  /** The link of the open pull request to add to. */
  readonly appendTo: string | undefined;
}

/** Throws a `StepError` if the changes cannot be read, or if the prompt holds the key. */
export async function compose(
  context: Context,
  instruction: string,
  { changes, appendTo }: Included,
): Promise<Composed> {
  const { inputs, facts, effects, tell } = context;
  const alone = appendTo === undefined ? instruction : appendOnly(instruction, appendTo);
  const found = await changes?.found.from(changes.start);
  let composed: Composed = { prompt: alone, codePullRequests: [] };
  if (changes !== undefined && found?.kind === 'changes') {
    const overview = overviewOf(found.changes);
    tell({ changes: overview });
    effects.runner.info(changesLine(overview));
    for (const warning of overview.warnings)
      effects.runner.annotate('warning', 'Docs agent: the changes', warning);
    if (inputs.changes !== 'none') {
      const options = { level: inputs.changes, repo: changes.repo, facts, appendTo };
      const prompt = await composePrompt(instruction, found.changes, options);
      composed = { prompt, codePullRequests: found.changes.codePullRequests };
    }
  }
  const { prompt } = composed;
  if (inputs.adminApiKey !== undefined && prompt.includes(inputs.adminApiKey)) {
    const message =
      'The prompt holds the key of `adminApiKey`, so nothing was sent. Delete this key in your Mintlify dashboard, because the repository shows it, and save a new one.';
    throw new StepError('key', message);
  }
  tell({ prompt, appendedTo: appendTo, codePullRequests: composed.codePullRequests });
  return composed;
}

function changesLine({ from, to, commits, selectedFiles }: ChangesOverview): string {
  const range = from === '' ? `at ${shortRef(to)}` : `from ${shortRef(from)} to ${shortRef(to)}`;
  return `Changes ${range}: ${pluralize(commits, 'commit')}, ${pluralize(selectedFiles, 'file')}.`;
}
