/** Composes the prompt: the instruction, and below it what changed, as data. */
import { createHash } from 'node:crypto';
import { diffOf, type FileDiff } from '../git/diff.ts';
import type { Repository } from '../git/repository.ts';
import type { RunFacts } from '../github/event.ts';
import { blockOf } from './block.ts';
import type { Changes } from './changes.ts';
import { kindOf } from './kinds.ts';
import { bytesOf } from './lines.ts';
import { appendOnlySentences, appendSentences, blockSentences } from './sentences.ts';

/** The longest prompt with changes, in bytes of UTF-8. */
const MAX_PROMPT_BYTES = 200_000;

export interface ComposeOptions {
  readonly level: 'files' | 'diff';
  readonly facts: Pick<RunFacts, 'eventName' | 'ref' | 'payload'>;
  /** The link of the open pull request that the agent job of a follow-up message has. */
  readonly appendTo: string | undefined;
}

/**
 * Returns the prompt with the changes, at most 200 kB of UTF-8. Reads the contents of the files
 * that may have a patch, also for their counts alone. Throws a `StepError` if git can't read them.
 */
export async function composePrompt(
  instruction: string,
  changes: Changes,
  { repo, ...options }: ComposeOptions & { readonly repo: Repository },
): Promise<string> {
  const read = changes.selected.filter((file) => !isBare(file));
  const patchLimit = options.level === 'diff' ? MAX_PROMPT_BYTES : 0;
  return promptOf(instruction, changes, await diffOf(repo, read, { patchLimit }), options);
}

/** Composes the prompt once the contents are read. */
export function promptOf(
  instruction: string,
  changes: Changes,
  diffs: readonly FileDiff[],
  { level, facts, appendTo }: ComposeOptions,
): string {
  const around = (fence: string, data: readonly string[], hasPatches: boolean) => [
    instruction,
    '',
    ...(appendTo === undefined ? [] : appendSentences(appendTo)),
    ...blockSentences(fence, changes, hasPatches),
    fence,
    ...data,
    fence,
  ];
  const room = MAX_PROMPT_BYTES - bytesOf(around(fenceOf(''), [], true));
  const bare = changes.selected.filter(isBare);
  const { lines, hasPatches } = blockOf(changes, { level, facts, diffs, bare }, room);
  return joined(around(fenceOf(lines.join('\n')), lines, hasPatches));
}

/** Returns a follow-up message without changes, for the agent job that has the open pull request. */
export const appendOnly = (instruction: string, appendTo: string) =>
  joined([instruction, '', ...appendOnlySentences(appendTo)]);

const joined = (lines: readonly string[]) => `${lines.join('\n')}\n`;

const isBare = ({ path, isSubmodule }: Changes['files'][number]) =>
  isSubmodule || kindOf(path) === 'bare';

/**
 * The line around the data. The data can't contain it, because it can't contain its own hash. This
 * doesn't keep a model from believing what it reads there.
 */
const fenceOf = (content: string) =>
  `changes-${createHash('sha256').update(content).digest('hex').slice(0, 24)}`;
