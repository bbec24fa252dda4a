/** Lines of untrusted text as the prompt shows them, and their bytes of UTF-8. */
import { cut, escapeInvisible, escapeInvisibleInLines, linesOf } from '../text/escape.ts';
import { pluralize } from '../text/words.ts';

export const lineBytes = (line: string) => Buffer.byteLength(line) + 1;

export const bytesOf = (lines: readonly string[]) =>
  lines.reduce((sum, line) => sum + lineBytes(line), 0);

/** At most `maxLength` UTF-16 units. */
export const oneLine = (text: string, maxLength: number) =>
  cut(escapeInvisible(text.trim()), maxLength);

/** Between quotation marks that the text can't close. */
export const quoted = (text: string, maxLength: number) =>
  `"${oneLine(text, maxLength).replace(/[\\"]/g, '\\$&')}"`;

export const firstLineOf = (message: string) => linesOf(message.trim())[0]?.trim() ?? '';

export const readable = (text: string) => escapeInvisibleInLines(text.trim());

const IMAGE = /!\[[^[\]\n]*\]\([^()\n]*\)|<img\b[^<>]*>/gi;
const TASK = /^[ \t>]{0,20}(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}\[[ x]\].*$/gim;

/** Without what a template brings along: HTML comments, images, and task lists. */
export const withoutMarkup = (text: string) =>
  withoutComments(text).replace(IMAGE, '').replace(TASK, '').trim();

/**
 * One that never ends hides the rest, but only if it begins a line:
 * https://spec.commonmark.org/0.31.2/#html-blocks
 */
function withoutComments(text: string): string {
  const parts = text.split('-->');
  const rest = parts.pop() ?? '';
  const kept = parts.map((part) => {
    const start = part.indexOf('<!--');
    return start === -1 ? `${part}-->` : part.slice(0, start);
  });
  return kept.join('') + rest.replace(/^[ \t>]*<!--[\s\S]*/m, '');
}

/** Indents a trimmed text, so that no line can pass for ours. Keeps one blank line of several. */
export function indented(text: string, indent: string): readonly string[] {
  const lines = linesOf(text).map((line) => (/^[ \t]*$/.test(line) ? '' : indent + line));
  return lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''));
}

export function firstOf<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  maxBytes: number,
): readonly T[] {
  let used = 0;
  const end = items.findIndex((item) => {
    used += sizeOf(item);
    return used > maxBytes;
  });
  return end === -1 ? items : items.slice(0, end);
}

export function firstFiles(
  lines: readonly string[],
  maxLines: number,
  maxBytes: number,
): readonly string[] {
  const shown = firstOf(lines.slice(0, maxLines), lineBytes, maxBytes);
  const more = lines.length - shown.length;
  return more === 0 ? shown : [...shown, `- ${pluralize(more, 'more file')}`];
}

const MARK = '…';

/** Cuts a text to `maxBytes`, and marks the cut with `…`. */
export function beginningOf(lines: readonly string[], maxBytes: number): readonly string[] {
  if (bytesOf(lines) <= maxBytes) return lines;
  const room = Math.max(0, maxBytes - lineBytes(MARK));
  const bytes = Buffer.from(lines.join('\n')).subarray(0, room);
  // As a stream, the decoder drops half a character at the end.
  const kept = new TextDecoder().decode(bytes, { stream: true }).trimEnd();
  return kept === '' ? [] : `${kept}${MARK}`.split('\n');
}

/**
 * The greatest limit for each text with which all of them fit in `room` once the longer ones are
 * cut to it. `Infinity` if everything fits.
 */
export function shareOf(sizes: readonly number[], room: number): number {
  let left = room;
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
