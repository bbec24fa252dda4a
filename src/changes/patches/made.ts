/** Makes a patch from both versions of a file. */
import { structuredPatch } from 'diff/lib/patch/create.js';
import { type ChangedFile, NO_LINES } from '../../github/github.ts';

/**
 * The most added and removed lines of a patch. Finding them takes time quadratic in their number,
 * about 300 ms for this many. This is a number rather than a time, so that the prompt is the same
 * on every machine.
 */
const MAX_EDITS = 1_500;
/** The longest version of a file to compare. */
const MAX_SIDE_LENGTH = 128_000;

/**
 * Returns the file with its patch and line counts. A file that only moved, or whose mode alone
 * changed, gets no patch and zero counts. A file with too many edited lines is returned unchanged.
 */
export function withPatch(file: ChangedFile, before: string, after: string): ChangedFile {
  if (before === after) return { ...file, lines: NO_LINES };
  if (Math.max(before.length, after.length) > MAX_SIDE_LENGTH) return file;
  const limits = { context: 3, maxEditLength: MAX_EDITS };
  const made = structuredPatch('', '', before, after, '', '', limits);
  if (made === undefined) return file;
  // For an empty range, git names the line before it.
  const range = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`;
  const lines = made.hunks.flatMap((hunk) => [
    `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
    ...hunk.lines,
  ]);
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  const counts = { additions: count('+'), deletions: count('-') };
  return { ...file, lines: counts, patch: lines.join('\n') };
}
