/** What the authors of the changes wrote about them: changelogs, and other documentation. */
import type { Commit } from '../../github/github.ts';
import { linesOf } from '../../text/escape.ts';
import type { Selection } from '../find/found.ts';
import { isDocs, kindOf } from '../rank/rank.ts';
import {
  bytesOf,
  type Clean,
  oneLine,
  portionOf,
  type Sharer,
  shareRoom,
  takeLines,
} from '../rank/room.ts';

/** All changelogs have this much together. */
const MAX_BYTES = 10_000;
const MAX_NAMES_LISTED = 20;
const MAX_NAME_LENGTH = 100;
/** How much of a line is compared, and of a commit message, in UTF-16 units. */
const MAX_COMPARED_LENGTH = 500;
const MAX_MESSAGE_LENGTH = 2_000;

const INDENT = '    ';
/** Stands where lines are left out: a changelog may have been changed in old parts, too. */
const GAP = '…';
const CUT = INDENT + GAP;

/**
 * The added lines of each changelog, also of those that `paths` leaves out, but for lines that `notes`
 * or a commit have already. `pause` is called after each commit. It may wait, or throw to stop.
 */
export async function changelogLines(
  { files }: Pick<Selection, 'files'>,
  commits: readonly Commit[],
  notes: string,
  pause: () => Promise<void>,
) {
  const changelogs = files.filter(
    ({ filename, patch }) => patch !== undefined && kindOf(filename) === 'changelog',
  );
  if (changelogs.length === 0) return { lines: [], isCut: false };
  const told = new Set(linesOf(notes).map(essence));
  for (const { commit } of commits) {
    for (const line of linesOf(commit.message.slice(0, MAX_MESSAGE_LENGTH)))
      told.add(essence(line));
    await pause();
  }
  const sharers: Sharer[] = [];
  for (const { filename, patch = '' } of changelogs) {
    const added = addedLines(patch).filter((line) => line === '' || !told.has(essence(line)));
    const lines = withoutEmptyParts(added).map((line) => (line === '' ? '' : INDENT + line));
    if (lines.length > 0) sharers.push(changelogSharer(`- ${filename}`, lines));
    await pause();
  }
  const portions = shareRoom(sharers, MAX_BYTES);
  return {
    lines: portions.flatMap(({ lines }) => lines),
    isCut: portions.length < sharers.length || portions.some(({ isCut }) => isCut),
  };
}

/** A line of documentation that changed and that `paths` leaves out, if there is any. */
export function docsNotSelected({ files, selected }: Selection, clean: Clean): readonly string[] {
  if (selected.length === files.length) return [];
  const isSelected = new Set(selected.map(({ filename }) => filename));
  const names = files
    .map(({ filename }) => filename)
    .filter((name) => isDocs(name) && !isSelected.has(name));
  if (names.length === 0) return [];
  const shown = names
    .slice(0, MAX_NAMES_LISTED)
    .map((name) => oneLine(name, MAX_NAME_LENGTH, clean));
  const more = names.length > shown.length ? ', …' : '';
  return [`also changed, not selected: ${shown.join(', ')}${more}`];
}

/** The lines that a patch adds, and not only moves, with a mark where others stand between them. */
function addedLines(patch: string): readonly string[] {
  const lines = linesOf(patch);
  const removed = new Set(
    lines.filter((line) => line.startsWith('-')).map((line) => line.slice(1)),
  );
  return lines.flatMap((line) => {
    if (line.startsWith('@@')) return [GAP];
    const text = line.slice(1).trimEnd();
    return line.startsWith('+') && (text === '' || !removed.has(line.slice(1))) ? [text] : [];
  });
}

/** What a line says without what tools add: marks, links, the kind of commit, and its numbers. */
const essence = (line: string) =>
  line
    .slice(0, MAX_COMPARED_LENGTH)
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/^\s*(?:[-*+>]|\d+\.)?\s*/, '')
    .replace(/^\w+(?:\([^()]*\))?!?:\s|^\*\*[^*]*\*\*:?\s/, '')
    .replace(/(?:\s*\((?:#\d+|[0-9a-f]{7,40})\)|[,.])+$/, '')
    .replace(/[`'"*_]/g, '')
    .trim()
    .toLowerCase();

/** Without headings that have no text below them, and without blank lines and gaps in a row or at an end. */
export function withoutEmptyParts(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  const isSpace = (line = GAP) => line === '' || line === GAP;
  /** The level of the heading that follows, more than any for text, and none at an end. */
  let next = 0;
  for (const line of lines.toReversed()) {
    const level = /^#{1,6}(?= )/.exec(line)?.[0].length;
    if (line === GAP) next = 0;
    if (level !== undefined && next <= level) continue;
    if (!isSpace(line)) next = level ?? Number.POSITIVE_INFINITY;
    else if (isSpace(kept.at(-1))) {
      if (line === GAP && kept.length > 0) kept[kept.length - 1] = GAP;
      continue;
    }
    kept.push(line);
  }
  while (kept.length > 0 && isSpace(kept.at(-1))) kept.pop();
  return kept.reverse();
}

/** A changelog of which the end may be cut. */
function changelogSharer(title: string, lines: readonly string[]): Sharer {
  const whole = portionOf([title, ...lines]);
  const minBytes = Math.min(whole.bytes, bytesOf([title, CUT]));
  const cutTo = (maxBytes: number) =>
    portionOf([title, ...takeLines(lines, maxBytes - bytesOf([title, CUT])), CUT], true);
  return { minBytes, whole, cutTo };
}
