/** Formats lines of untrusted text, and measures them in bytes of UTF-8. */
import type { Runner } from '../../effects/effects.ts';
import { cut, escapeInvisibleButTabs } from '../../text/escape.ts';

/** Only the beginning of a longer line is shown, because it is data or minified. */
const MAX_LINE_LENGTH = 2_000;

const isPlain = (text: string) => /^[ -~]*$/.test(text);
const shown = (line: string) => (isPlain(line) ? line : escapeInvisibleButTabs(line));

/** The most bytes that a line can take when shown, with its line break. */
export const lineBytes = (line: string) => Buffer.byteLength(shown(cut(line, MAX_LINE_LENGTH))) + 1;

export const bytesOf = (lines: readonly string[]) =>
  lines.reduce((sum, line) => sum + lineBytes(line), 0);

export type Clean = Runner['clean'];

/** A text without secrets, cut and on one line. */
export const oneLine = (text: string, maxLength: number, clean: Clean) =>
  shown(cut(clean(text), maxLength)).replaceAll('\t', '\\t');

/** A line as it is sent: without secrets, and with every invisible character written out. */
export const finishLine = (line: string, clean: Clean) => shown(cut(clean(line), MAX_LINE_LENGTH));

/** The first items that fit together. */
export function firstOf<T>(
  items: readonly T[],
  bytesOfItem: (item: T) => number,
  maxBytes: number,
): readonly T[] {
  let used = 0;
  const end = items.findIndex((item) => {
    used += bytesOfItem(item);
    return used > maxBytes;
  });
  return end === -1 ? items : items.slice(0, end);
}

/** The first lines that fit in `maxBytes`. */
export const takeLines = (lines: readonly string[], maxBytes: number) =>
  firstOf(lines, lineBytes, maxBytes);

const MARK = '…';

/** As much of the lines as fits in `maxBytes`, ending in `…` if that isn't everything. */
export function beginningOf(lines: readonly string[], maxBytes: number, clean: Clean) {
  const whole = takeLines(lines, maxBytes);
  if (whole.length === lines.length) return lines;
  // A cut could leave half a secret, so clean the lines first.
  const text = lines
    .slice(0, whole.length + 1)
    .map((line) => finishLine(line, clean))
    .join('\n');
  const bytes = Buffer.from(text).subarray(0, Math.max(0, maxBytes - lineBytes(MARK)));
  // The decoder drops half a character at the end.
  const kept = new TextDecoder().decode(bytes, { stream: true }).trimEnd();
  return kept === '' ? [] : `${kept}${MARK}`.split('\n');
}
