/** Builds the data about the changes: what happened, commits, files, and patches. */
import type { FileDiff } from '../git/diff.ts';
import type { RunFacts } from '../github/event.ts';
import { cut } from '../text/escape.ts';
import type { Changes } from './changes.ts';
import { commitLines } from './commits.ts';
import { fileLines, filesHeading, isBare, patchLines, shownPath } from './files.ts';
import { beginningOf, bytesOf, firstFiles, indented, oneLine, quoted, readable } from './lines.ts';

/** The limit for release notes or a pull request's description, in UTF-16 units. */
const MAX_DESCRIPTION_LENGTH = 20_000;
const MAX_NAME_LENGTH = 300;
/** What is kept for the last part, the names of files whose patch has no room. */
const MAX_FILES = 20;
const MAX_FILES_BYTES = 5_000;

export interface BlockOptions {
  readonly level: 'files' | 'diff';
  readonly facts: Pick<RunFacts, 'eventName' | 'ref' | 'payload'>;
}

/**
 * Builds the data in at most `room` bytes, of which there are at least 40,000. Each part takes a
 * share of what is left at most, and patches take the rest. `diffs` are the files that were read.
 */
export function blockOf(
  changes: Changes,
  diffs: readonly FileDiff[],
  { level, facts }: BlockOptions,
  room: number,
) {
  const { commits, pull, compareUrl, from, to, selected } = changes;
  let lines: readonly string[] = [];
  let left = room;
  const add = (more: readonly string[]) => {
    lines = [...lines, ...more];
    left -= bytesOf(more);
  };
  const happened = whatHappened(facts, pull);
  const start = from === '' ? [] : [`compare: ${shown(compareUrl)}`, `from: ${shown(from)}`];
  add([`what happened: ${happened.line}`, ...start, `to: ${shown(to)}`]);
  const description = cut(readable(happened.description), MAX_DESCRIPTION_LENGTH);
  add(titled(`${happened.title}:`, beginningOf(indented(description, '    '), left / 3)));
  const { needed, skipped } = commitLines(commits, pull?.number, left / 2);
  add(titled('commits, oldest first:', needed));
  add(titled('no documentation needed:', skipped));
  const listed = [...diffs, ...selected.filter(isBare)].sort((a, b) => (a.path < b.path ? -1 : 1));
  add(titled(filesHeading(changes, listed), fileLines(listed, left / 2)));
  if (level === 'files') return { lines, hasPatches: false };
  const patches = patchLines(diffs, left - MAX_FILES_BYTES);
  add(titled('patches:', patches.lines));
  const names = patches.withoutRoom.map((path) => `- ${shownPath(path)}`);
  // The rest is for the titles of the last two parts and for the last line.
  const rest = firstFiles(names, MAX_FILES, MAX_FILES_BYTES - 200);
  add(titled('no room for the patches of:', rest));
  return { lines, hasPatches: patches.lines.length > 0 };
}

const shown = (text = '') => oneLine(text, MAX_NAME_LENGTH);

/** What started the run, such as `push to main`, and what its author wrote about it. */
function whatHappened(
  { eventName, ref, payload: { release } }: BlockOptions['facts'],
  pull: Changes['pull'],
) {
  if (pull !== undefined) {
    const { number, title, author = 'ghost', headBranch, baseBranch, body } = pull;
    const line = `pull request #${number} ${quoted(title, MAX_NAME_LENGTH)} by ${shown(author)}, ${shown(headBranch)} into ${shown(baseBranch)}`;
    return { line, title: 'description of the pull request', description: body };
  }
  if (release !== undefined) {
    const { tag_name: tag = '', name = tag, body = '' } = release;
    const named = name === tag ? '' : ` (${shown(name)})`;
    return { line: `release ${shown(tag)}${named}`, title: 'release notes', description: body };
  }
  const [, kind, name] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? [];
  const pushed = kind === 'tags' ? `tag ${shown(name)}` : `push to ${shown(name)}`;
  return { line: eventName === 'push' ? pushed : shown(eventName), title: '', description: '' };
}

const titled = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', title, ...lines];
