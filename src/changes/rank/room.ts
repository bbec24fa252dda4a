/** Sharing a limited number of bytes, of UTF-8, among lines of text from outside. */

import type { Runner } from '../../effects/effects.ts';
import { cut, escapeInvisibleButTabs } from '../../text/escape.ts';
import { redactedBeginning } from '../../text/secrets.ts';

/** Of a longer line only the beginning is shown: it is data, or minified. */
const MAX_LINE_LENGTH = 2_000;
/** How far behind a cut a secret may go on. */
const LONGEST_SECRET = 10_000;

const isPlain = (text: string) => /^[ -~]*$/.test(text);
const shown = (line: string) => (isPlain(line) ? line : escapeInvisibleButTabs(line));

/** The most bytes that a line takes when it is shown, with its line break. */
export const lineBytes = (line: string) => Buffer.byteLength(shown(cut(line, MAX_LINE_LENGTH))) + 1;

export type Clean = Runner['clean'];

/** A text without secrets that is cut and fits on a line. Only so much of it is looked through. */
export function oneLine(text: string, maxLength: number, clean: Clean): string {
  const beginning = redactedBeginning(text, maxLength + LONGEST_SECRET, clean);
  return shown(cut(beginning, maxLength)).replaceAll('\t', '\\t');
}

/** A line as it is sent: without secrets, and with every invisible character written out. */
export function finishLine(line: string, clean: Clean): string {
  if (line.length <= MAX_LINE_LENGTH) return shown(clean(line));
  const beginning = redactedBeginning(line, MAX_LINE_LENGTH + LONGEST_SECRET, clean);
  return shown(cut(beginning, MAX_LINE_LENGTH));
}

/** Lines that are written, and how many bytes they take with their line breaks. */
export function portionOf(lines: readonly string[], isCut = false) {
  return { lines, bytes: bytesOf(lines), isCut };
}

export const bytesOf = (lines: readonly string[]) =>
  lines.reduce((sum, line) => sum + lineBytes(line), 0);

export type Portion = Readonly<ReturnType<typeof portionOf>>;

/** A text that can be cut. */
export interface Sharer {
  /** It is given this much room in any case. */
  readonly minBytes: number;
  readonly whole: Portion;
  /** As much of it as fits in less than the whole takes, and in `minBytes` or more. */
  cutTo(maxBytes: number): Portion;
}

/** The first items that fit together. */
function firstOf<T>(items: readonly T[], bytesOf: (item: T) => number, maxBytes: number) {
  let used = 0;
  const end = items.findIndex((item) => {
    used += bytesOf(item);
    return used > maxBytes;
  });
  return end === -1 ? items : items.slice(0, end);
}

/** The first lines that fit in `maxBytes`. */
export const takeLines = (lines: readonly string[], maxBytes: number) =>
  firstOf(lines, lineBytes, maxBytes);

/**
 * Gives each text its fair share of the room (max-min fairness): what one does not use goes to the
 * others. When even the smallest parts do not fit, the first texts get theirs and the rest get
 * nothing. Afterwards no text that is cut has a next piece that would still fit.
 */
export function shareRoom(sharers: readonly Sharer[], room: number): readonly Portion[] {
  const listed = firstOf(sharers, ({ minBytes }) => minBytes, room);
  let left = listed.reduce((rest, { minBytes }) => rest - minBytes, room);
  const portions: Portion[] = [];
  const give = (index: number, { minBytes, whole, cutTo }: Sharer, more: number) => {
    const given = portions[index]?.bytes ?? minBytes;
    const portion = whole.bytes <= given + more ? whole : cutTo(given + more);
    left -= portion.bytes - given;
    portions[index] = portion;
  };
  const extra = ({ minBytes, whole }: Sharer) => whole.bytes - minBytes;
  const bySize = [...listed.entries()].sort(([, a], [, b]) => extra(a) - extra(b));
  for (const [done, [index, sharer]] of bySize.entries()) {
    give(index, sharer, Math.floor(left / (bySize.length - done)));
  }
  // A text is cut between two pieces, so some of its share can be left.
  for (const [index, sharer] of bySize) {
    const { isCut, bytes } = portions[index] ?? portionOf([]);
    if (isCut && bytes + left > sharer.minBytes) give(index, sharer, left);
  }
  return portions;
}
