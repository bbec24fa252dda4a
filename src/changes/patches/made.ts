/** A patch from the contents of both sides of a file. */
import { structuredPatch } from 'diff/lib/patch/create.js';
import { type ChangedFile, NO_LINES } from '../../github/github.ts';

/**
 * No file with more added and removed lines gets a patch: finding them takes steps in the order of their
 * square, about 300 ms for so many. This is a number and not a time, so that the prompt is the same on
 * every machine.
 */
const MAX_EDITS = 1_500;
/** Neither side of a file is longer. */
const MAX_SIDE_LENGTH = 128_000;

/**
 * The file with its patch and line counts. A file that only moved, or whose mode alone changed, gets no
 * patch and zero counts. A file with too many edited lines is returned as it is.
 */
export function withPatch(file: ChangedFile, before: string, after: string): ChangedFile {
  if (before === after) return { ...file, lines: NO_LINES };
  if (Math.max(before.length, after.length) > MAX_SIDE_LENGTH) return file;
  const limits = { context: 3, maxEditLength: MAX_EDITS };
  const made = structuredPatch('', '', before, after, '', '', limits);
  if (made === undefined) return file;
  // Where there are no lines git names the line before.
  const range = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`;
  const lines = made.hunks.flatMap((hunk) => [
    `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
    ...hunk.lines,
  ]);
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  const counts = { additions: count('+'), deletions: count('-') };
  return { ...file, lines: counts, patch: lines.join('\n') };
}
