/** Builds the data about the changes: what happened, commits, files, and patches. */
import type { FileDiff } from '../git/diff.ts';
import type { RunFacts } from '../github/event.ts';
import { cut } from '../text/escape.ts';
import { pluralize } from '../text/words.ts';
import type { Changes } from './changes.ts';
import { commitLines } from './commits.ts';
import { fileLines, filesHeading, type ListedFile, shownPath } from './files.ts';
import { whatHappened } from './happened.ts';
import { beginningOf, bytesOf, firstOf, indented, lineBytes, oneLine, readable } from './lines.ts';
import { patchesOf, sharePatches } from './patches.ts';

/** The limit for release notes or a pull request's description, in UTF-16 units. */
const MAX_DESCRIPTION_LENGTH = 20_000;
/** What is kept for the last part, the names of files whose patch has no room. */
const MAX_NAMES = 20;
const MAX_NAMES_BYTES = 5_000;
const MAX_NAME_LENGTH = 300;

export interface BlockOptions {
  readonly level: 'files' | 'diff';
  readonly facts: Pick<RunFacts, 'eventName' | 'ref' | 'payload'>;
  /** The files whose contents were read. */
  readonly diffs: readonly FileDiff[];
  /** The selected files whose contents were not read, because nobody documents their lines. */
  readonly bare: Changes['selected'];
}

export interface Block {
  readonly lines: readonly string[];
  readonly hasPatches: boolean;
}

/**
 * Builds the data in at most `room` bytes, of which there are at least 40,000. Each part takes a
 * share of what is left at most, and patches take the rest.
 */
export function blockOf(changes: Changes, options: BlockOptions, room: number): Block {
  const { level, facts, diffs, bare } = options;
  const { commits, pull, compareUrl, from, to } = changes;
  const happened = whatHappened(facts, pull);
  let lines: readonly string[] = [];
  let left = room;
  const add = (more: readonly string[]) => {
    lines = [...lines, ...more];
    left -= bytesOf(more);
  };
  const shown = (text: string) => oneLine(text, MAX_NAME_LENGTH);
  const start = from === '' ? [] : [`compare: ${shown(compareUrl)}`, `from: ${shown(from)}`];
  add([`what happened: ${happened.line}`, ...start, `to: ${shown(to)}`]);
  const description = cut(readable(happened.description), MAX_DESCRIPTION_LENGTH);
  add(titled(`${happened.title}:`, beginningOf(indented(description, '    '), left / 3)));
  const { needed, skipped } = commitLines(commits, pull?.number, left / 2);
  add(titled('commits, oldest first:', needed));
  add(titled('no documentation needed:', skipped));
  const listed: readonly ListedFile[] = [...diffs, ...bare].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
  add(titled(filesHeading(changes, listed), fileLines(listed, left / 2)));
  if (level === 'files') return { lines, hasPatches: false };
  const patches = sharePatches(patchesOf(diffs), left - MAX_NAMES_BYTES);
  add(titled('patches:', patches.lines));
  add(titled('no room for the patches of:', namesOf(patches.withoutRoom)));
  return { lines, hasPatches: patches.lines.length > 0 };
}

/** A part of the block after a blank line. Empty without lines. */
const titled = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', title, ...lines];

function namesOf(paths: readonly string[]): readonly string[] {
  const names = paths.slice(0, MAX_NAMES).map((path) => `- ${shownPath(path)}`);
  // The rest is for the titles of the last two parts and for the last line.
  const shown = firstOf(names, lineBytes, MAX_NAMES_BYTES - 200);
  const more = paths.length - shown.length;
  return more === 0 ? shown : [...shown, `- ${pluralize(more, 'more file')}`];
}
