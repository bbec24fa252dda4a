/** The patches that have room, and as much of each as its share holds. */
import type { ChangedFile } from '../../github/github.ts';
import { pluralize } from '../../text/words.ts';
import type { Kind, RankedFile } from './kinds.ts';
import { bytesOf, takeLines } from './lines.ts';
import { shareOf } from './share.ts';

/** The kinds of files in the order in which they take their room. */
const GROUPS: readonly Kind[] = ['changelog', 'source', 'text', 'internal', 'test', 'project'];
/** What all files of a kind have at most, in bytes, where not everything fits. */
const MAX_BYTES: Partial<Record<Kind, number>> = { changelog: 20_000, test: 20_000 };
/** With less room than this a patch says nothing. */
const MIN_BYTES = 300;

/** A patch that may be told. It is read again where it is shown: the lines of all take much memory. */
export interface Patch extends RankedFile {
  /** Of the whole, with its header. */
  readonly bytes: number;
  /** What it needs to say anything, if it is cut: with less room it is only named. */
  readonly leastBytes: number;
}

/** The patches that may be told. A removed file is only named. */
export function patchesOf(files: readonly RankedFile[]): readonly Patch[] {
  return files.flatMap(({ file, kind }) => {
    if (!file.patch || file.status === 'removed' || kind === 'bare') return [];
    const lines = linesToTell(file, kind);
    if (lines.length === 0) return [];
    const bytes = bytesOf([headerOf(file), ...lines]);
    return [{ file, kind, bytes, leastBytes: leastOf(file, lines) }];
  });
}

/** Of a patch that is cut, with the first changed line of the hunk that adds the most. */
function leastOf(file: ChangedFile, lines: readonly string[]): number {
  const [first] = byAdditions(hunksOf(lines));
  const beginning = first?.lines.slice(0, first.lines.findIndex(isChange) + 1) ?? [];
  return Math.max(MIN_BYTES, bytesOf([headerOf(file), noteOf(lines.length), ...beginning]));
}

const isChange = (line: string) => /^[+-]/.test(line);

/** A header begins with `===` and a note with `[`. No line of a patch begins with either. */
const headerOf = ({ filename }: ChangedFile) => `=== ${filename}`;
const noteOf = (left: number) => `[cut: ${pluralize(left, 'line')} left out]`;

/** Of a changelog only what is added, and where: an old part may be corrected, too. */
function linesToTell({ patch = '' }: ChangedFile, kind: Kind): readonly string[] {
  const lines = patch.split('\n').map(patchLine);
  if (kind !== 'changelog') return lines;
  const isAdded = (line = '') => line.startsWith('+');
  const told = lines.filter((line) => isAdded(line) || line.startsWith('@@'));
  return told.filter((line, index) => isAdded(line) || isAdded(told[index + 1]));
}

/** Text that does not begin like a line of a patch is not git's. It becomes an unchanged line. */
function patchLine(text: string): string {
  const line = text.replace(/\r$/, '');
  return /^(?:[ +\\-]|@@)/.test(line) ? line : ` ${line}`;
}

/**
 * The patches that fit, by groups and in each in the order of the list. Within a group there is one
 * share, and what a group leaves goes to the next.
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
 * The patches of a group that say something with their share of its room: as many as can, those that need
 * the least before others, and the first ones before the last.
 */
function shareIn(group: readonly Patch[], room: number) {
  const byNeed = group.toSorted((a, b) => a.leastBytes - b.leastBytes);
  const shareOfFirst = (count: number) => {
    const sizes = byNeed.slice(0, count).map(({ bytes }) => bytes);
    return shareOf(sizes, room);
  };
  // With each one more the share shrinks, and the need of the last one grows.
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
 * The hunks that add the most lines, as many as fit, in the file's order; of the first of them the
 * beginning if it is too long alone. Nothing if no changed line fits.
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
