import type { ChangedFile } from '../../github/github.ts';
import { pluralize } from '../../text/words.ts';
import {
  DECLARING_SHARE,
  type Declared,
  declares,
  GROUPS,
  groupOf,
  isForUsers,
  type Kind,
  MAX_GROUP_BYTES,
  OUTLINE_SHARE,
} from './rank.ts';
import { bytesOf, type Portion, portionOf, type Sharer, shareRoom, takeLines } from './room.ts';

/** With less room than this a patch says nothing. */
const MIN_PATCH_BYTES = 300;
/** The longest lines that say where a patch was cut. */
const MAX_NOTE_BYTES = 140;

/** A patch whose lines were looked through. */
export interface Patch {
  readonly path: string;
  readonly group: number;
  /** How many names its lines declare, or declare no more. */
  readonly declarations: number;
  /** The declarations that it adds. */
  readonly added: readonly string[];
  readonly sharer: Sharer;
}

/**
 * The patches that fit, each under a header. Which have room, rank.ts says. One that does not fit is cut:
 * its hunks that declare something stay first, and the declarations of the others are listed.
 * A header begins with `===` and a note with `[`. No line of a patch begins with either.
 */
export function sharePatches(patches: readonly Patch[], maxBytes: number) {
  const numbers = Array.from({ length: GROUPS }, (_, number) => number);
  const groups = numbers.map((group) =>
    patches
      .filter((patch) => patch.group === group)
      .sort((a, b) => b.declarations - a.declarations),
  );
  const limitOf = (group: number) => MAX_GROUP_BYTES[group] ?? Number.POSITIVE_INFINITY;
  const needs = groups.map((group, number) =>
    Math.min(limitOf(number), sum(group.map(({ sharer }) => sharer.whole.bytes))),
  );
  const needOfOthers = sum(needs.slice(1));
  let left = maxBytes;
  const portions = new Map<Patch, Portion>();
  for (const [number, group] of groups.entries()) {
    const declaring = Math.max(Math.floor(left * DECLARING_SHARE), left - needOfOthers);
    const shared = shareRoom(
      group.map(({ sharer }) => sharer),
      number === 0 ? declaring : Math.min(left, limitOf(number)),
    );
    for (const [rank, portion] of shared.entries()) {
      left -= portion.bytes;
      const patch = group[rank];
      if (patch !== undefined) portions.set(patch, portion);
    }
  }
  // Of each group in the order of the list, so that the files of a folder stay together.
  const shown = numbers.flatMap((group) =>
    patches.filter((patch) => patch.group === group).flatMap((patch) => portions.get(patch) ?? []),
  );
  return {
    lines: shown.flatMap(({ lines }) => lines),
    cut: shown.filter(({ isCut }) => isCut).length,
    notListed: groups.flat().flatMap((patch) => (portions.has(patch) ? [] : [patch.path])),
  };
}

interface Hunk extends Portion {
  /** Its lines that declare something. */
  readonly declaring: readonly string[];
}

/** Looks through the patch of a file, if it has one that a writer may want to read. */
export function patchOf({ filename, patch, status }: ChangedFile, kind: Kind): Patch | undefined {
  if (patch === undefined || status === 'removed') return undefined;
  if (kind === 'bare' || kind === 'changelog') return undefined;
  const lines = patch.split('\n').map(patchLine);
  const isOpen = kind === 'insider' && isForUsers(lines);
  const declared = declarationsIn(filename, lines);
  const starts = lines.flatMap((line, index) =>
    index === 0 || line.startsWith('@@') ? [index] : [],
  );
  const hunks = starts.map((start, index): Hunk => {
    const own = lines.slice(start, starts[index + 1]);
    return { ...portionOf(own), declaring: own.filter((line) => declared.has(line)) };
  });
  const header = `=== ${filename}`;
  const whole = portionOf([header, ...lines]);
  const minBytes = Math.max(MIN_PATCH_BYTES, bytesOf([header]) + MAX_NOTE_BYTES);
  const isMember = (line: string) => declared.get(line)?.what === 'member';
  const declarations = sum([...declared.values()].map(({ names }) => names));
  const cutTo = (maxBytes: number) => cutPatch(header, hunks, isMember, maxBytes);
  return {
    path: filename,
    group: groupOf(isOpen ? 'source' : kind, declarations),
    declarations,
    added: textsOf(declared, '+'),
    sharer: { minBytes: Math.min(whole.bytes, minBytes), whole, cutTo },
  };
}

/** The added and removed lines that declare something. One that only moved in the file is none. */
function declarationsIn(path: string, lines: readonly string[]) {
  const declaredBy = declares(path);
  const found = new Map<string, Declared>();
  for (const line of lines) {
    // Lines that did not change tell where a list of exports begins.
    const declared = declaredBy(line);
    if (declared !== undefined && /^[+-]/.test(line)) found.set(line, declared);
  }
  for (const line of [...found.keys()]) {
    const other = `${line.startsWith('+') ? '-' : '+'}${line.slice(1)}`;
    if (found.delete(other)) found.delete(line);
  }
  return found;
}

/** The declarations that a removed file had. */
export function declarationsOf({ filename, patch = '' }: ChangedFile): readonly string[] {
  const lines = patch.split('\n').map((line) => line.replace(/\r$/, ''));
  return textsOf(declarationsIn(filename, lines), '-');
}

const textsOf = (declared: ReadonlyMap<string, unknown>, mark: '+' | '-') =>
  [...declared.keys()].filter((line) => line.startsWith(mark)).map((line) => line.slice(1).trim());

type IsMember = (line: string) => boolean;

/**
 * Not all of the hunks fit. Those that declare something are kept first, in the file's order, and
 * the declarations of the others are listed. If not even one fits, the beginning of one is kept.
 * One that only removes lines is left out first: those often went to another hunk.
 */
function cutPatch(
  header: string,
  hunks: readonly Hunk[],
  isMember: IsMember,
  maxBytes: number,
): Portion {
  const room = maxBytes - bytesOf([header]) - MAX_NOTE_BYTES;
  const rank = ({ declaring }: Hunk) =>
    declaring.length === 0 ? 2 : declaring.every(isMember) ? 1 : 0;
  const telling = hunks.filter((hunk) => rank(hunk) < 2 || adds(hunk));
  const ranked = (telling.length > 0 ? telling : hunks).toSorted((a, b) => rank(a) - rank(b));
  const kept = new Set<Hunk>();
  let left = room - Math.min(bytesOf(declaredIn(hunks)), Math.floor(room * OUTLINE_SHARE));
  const keepWhatFits = () => {
    for (const hunk of ranked) {
      if (kept.has(hunk) || hunk.bytes > left) continue;
      kept.add(hunk);
      left -= hunk.bytes;
    }
  };
  const missing = () => hunks.filter((hunk) => !kept.has(hunk));
  keepWhatFits();
  if (kept.size > 0) {
    // What the list of declarations does not need is for more hunks.
    left = room - bytesOf(declaredIn(missing())) - sum([...kept].map(({ bytes }) => bytes));
    keepWhatFits();
  }
  // If only small hunks fit, the beginning of a large one says more.
  const hasRoom = kept.size === 0 || left > room * (1 - OUTLINE_SHARE);
  const begun = hasRoom ? ranked.find((hunk) => !kept.has(hunk)) : undefined;
  const beginning = takeLines(begun?.lines ?? [], left);
  const shownOf = (hunk: Hunk) => (hunk === begun ? beginning : kept.has(hunk) ? hunk.lines : []);
  const shown = hunks.flatMap(shownOf);
  const isShown = new Set(shown);
  const declared = declaredIn(missing()).filter((line) => !isShown.has(line));
  const outline = outlineOf(declared, isMember, room - bytesOf(shown));
  const lines = hunks.flatMap((hunk) => [...shownOf(hunk), ...(hunk === begun ? [HUNK_CUT] : [])]);
  const others = missing().filter((hunk) => hunk !== begun).length;
  const what = others === 0 ? '' : `; left out: ${others} of ${pluralize(hunks.length, 'hunk')}`;
  const end = outline.length === 0 ? '' : '; what is left out declares:';
  const note = `${what}${end}` === '' ? [] : [`[cut${what}${end}]`];
  return portionOf([header, ...lines, ...note, ...outline], true);
}

const adds = ({ lines }: Hunk) => lines.some((line) => line.startsWith('+'));
const HUNK_CUT = '[cut here; left out: the rest of this hunk]';
const declaredIn = (hunks: readonly Hunk[]) => hunks.flatMap(({ declaring }) => declaring);
const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);

/** The declarations that fit, in their order. Their members are left out first. */
function outlineOf(lines: readonly string[], isMember: IsMember, maxBytes: number) {
  const whole = takeLines(
    lines.filter((line) => !isMember(line)),
    maxBytes,
  );
  const members = takeLines(lines.filter(isMember), maxBytes - bytesOf(whole));
  const shown = new Set([...whole, ...members]);
  return lines.filter((line) => shown.has(line));
}

/** Text that does not begin like a line of a patch is not git's. It becomes an unchanged line. */
function patchLine(text: string): string {
  const line = text.replace(/\r$/, '');
  return /^(?:[ +\\-]|@@)/.test(line) ? line : ` ${line}`;
}
