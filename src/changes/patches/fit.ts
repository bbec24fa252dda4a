/** Selects the patches that fit, and cuts each to its share. */
import type { ChangedFile } from '../../github/github.ts';
import { pluralize } from '../../text/words.ts';
import type { Kind, RankedFile } from './kinds.ts';
import { bytesOf, takeLines } from './lines.ts';
import { shareOf } from './share.ts';

/** The kinds of files in the order in which they take up room. */
const GROUPS: readonly Kind[] = ['changelog', 'source', 'text', 'internal', 'test', 'project'];
/** The most room for all files of a kind, in bytes, when not everything fits. */
const MAX_BYTES: Partial<Record<Kind, number>> = { changelog: 20_000, test: 20_000 };
/** With less room than this, a patch is no use. */
const MIN_BYTES = 300;

/**
 * A patch that may be included. Its lines are parsed again when shown, because keeping them all
 * takes much memory.
 */
export interface Patch extends RankedFile {
  /** The size of the whole patch with its header. */
  readonly bytes: number;
  /**
   * The least size at which a cut patch is of use. With less room, only the file's name is listed.
   */
  readonly leastBytes: number;
}

/** Returns the patches that may be included. Only the name of a removed file is listed. */
export function patchesOf(files: readonly RankedFile[]): readonly Patch[] {
  return files.flatMap(({ file, kind }) => {
    if (!file.patch || file.status === 'removed' || kind === 'bare') return [];
    const lines = linesToTell(file, kind);
    if (lines.length === 0) return [];
    const bytes = bytesOf([headerOf(file), ...lines]);
    return [{ file, kind, bytes, leastBytes: leastOf(file, lines) }];
  });
}

/** The least size of a cut patch: up to the first changed line of the hunk that adds the most. */
function leastOf(file: ChangedFile, lines: readonly string[]): number {
  const [first] = byAdditions(hunksOf(lines));
  const beginning = first?.lines.slice(0, first.lines.findIndex(isChange) + 1) ?? [];
  return Math.max(MIN_BYTES, bytesOf([headerOf(file), noteOf(lines.length), ...beginning]));
}

const isChange = (line: string) => /^[+-]/.test(line);

/** A header starts with `===` and a note with `[`. No line of a patch starts with either. */
const headerOf = ({ filename }: ChangedFile) => `=== ${filename}`;
const noteOf = (left: number) => `[cut: ${pluralize(left, 'line')} left out]`;

/**
 * Of a changelog, includes only added lines and where they are, because an old section may be
 * corrected too.
 */
function linesToTell({ patch = '' }: ChangedFile, kind: Kind): readonly string[] {
  const lines = patch.split('\n').map(patchLine);
  if (kind !== 'changelog') return lines;
  const isAdded = (line = '') => line.startsWith('+');
  const told = lines.filter((line) => isAdded(line) || line.startsWith('@@'));
  return told.filter((line, index) => isAdded(line) || isAdded(told[index + 1]));
}

/** A line that doesn't start like a line of a patch isn't git's. It becomes an unchanged line. */
function patchLine(text: string): string {
  const line = text.replace(/\r$/, '');
  return /^(?:[ +\\-]|@@)/.test(line) ? line : ` ${line}`;
}

/**
 * Selects the patches that fit, group by group, each in list order. The patches of a group have one
 * maximum size, and room that a group leaves goes to the next.
 */
export function sharePatches(patches: readonly Patch[], room: number) {
  const areAllWhole = patches.reduce((sum, { bytes }) => sum + bytes, 0) <= room;
  let left = room;
  const shown = new Map<Patch, readonly string[]>();
  let cut = 0;
  for (const kind of GROUPS) {
    const group = patches.filter((patch) => patch.kind === kind);
    const own = areAllWhole ? left : Math.min(left, MAX_BYTES[kind] ?? left);
    const { telling, share } = shareIn(group, own);
    for (const patch of telling) {
      const { file, bytes } = patch;
      const lines = linesToTell(file, kind);
      const isWhole = bytes <= share;
      const kept = isWhole ? lines : cutPatch(file, lines, share);
      if (kept.length === 0) continue;
      if (!isWhole) cut += 1;
      shown.set(patch, [headerOf(file), ...kept]);
      left -= bytesOf([headerOf(file), ...kept]);
    }
  }
  return {
    lines: [...shown.values()].flat(),
    cut,
    unlisted: GROUPS.flatMap((kind) =>
      patches.filter((patch) => patch.kind === kind && !shown.has(patch)),
    ).map(({ file }) => file.filename),
  };
}

/**
 * Selects as many patches of a group as are of use with their share of its room. Patches that need
 * less go first, and among equals the first in the list.
 */
function shareIn(group: readonly Patch[], room: number) {
  const byNeed = group.toSorted((a, b) => a.leastBytes - b.leastBytes);
  const shareOfFirst = (count: number) => {
    const sizes = byNeed.slice(0, count).map(({ bytes }) => bytes);
    return shareOf(sizes, room);
  };
  // With each further patch, the share shrinks, and the need of the last one grows.
  let [least, most] = [0, group.length];
  while (least < most) {
    const count = Math.ceil((least + most) / 2);
    const { leastBytes = 0 } = byNeed[count - 1] ?? {};
    if (leastBytes <= shareOfFirst(count)) least = count;
    else most = count - 1;
  }
  const telling = new Set(byNeed.slice(0, least));
  return { telling: group.filter((patch) => telling.has(patch)), share: shareOfFirst(least) };
}

/**
 * Keeps the hunks that add the most lines, as many as fit, in file order. If the first of them is
 * too long on its own, keeps its beginning. Returns nothing if no changed line fits.
 */
function cutPatch(file: ChangedFile, lines: readonly string[], maxBytes: number) {
  const room = maxBytes - bytesOf([headerOf(file), noteOf(lines.length)]);
  const hunks = hunksOf(lines);
  const ranked = byAdditions(hunks);
  const fitting = new Set<Hunk>();
  let left = room;
  for (const hunk of ranked) {
    const bytes = bytesOf(hunk.lines);
    if (bytes > left) continue;
    fitting.add(hunk);
    left -= bytes;
  }
  const [first] = ranked;
  const kept =
    first === undefined || fitting.has(first)
      ? hunks.filter((hunk) => fitting.has(hunk)).flatMap((hunk) => hunk.lines)
      : takeLines(first.lines, room);
  return kept.some(isChange) ? [...kept, noteOf(lines.length - kept.length)] : [];
}

interface Hunk {
  readonly lines: readonly string[];
  readonly additions: number;
}

const byAdditions = (hunks: readonly Hunk[]) => hunks.toSorted((a, b) => b.additions - a.additions);

function hunksOf(lines: readonly string[]): readonly Hunk[] {
  const starts = lines.flatMap((line, index) =>
    index === 0 || line.startsWith('@@') ? [index] : [],
  );
  return starts.map((start, index) => {
    const own = lines.slice(start, starts[index + 1]);
    const additions = own.filter((line) => line.startsWith('+')).length;
    return { lines: own, additions };
  });
}
