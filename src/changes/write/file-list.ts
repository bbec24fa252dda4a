/** Lists the changed files in the block, one per line. */
import type { ChangedFile } from '../../github/github.ts';
import { pluralize } from '../../text/words.ts';
import type { Selection } from '../find/found.ts';
import { bareReason, hasLines, isBinaryName, kindOf } from '../patches/kinds.ts';
import { lineBytes } from '../patches/lines.ts';

/** States how many of the files are listed, and what selected them. */
export function filesHeading({ files, selected, isFiltered }: Selection, listed: number): string {
  if (!isFiltered) return `files (${listed} of ${selected.length}):`;
  const some = listed < selected.length ? `${listed} listed here; ` : '';
  const all = pluralize(files.length, 'changed file');
  return `files (${some}${selected.length} of ${all}, selected by \`paths\`):`;
}

/** The first lines of the list that fit in `maxBytes`. */
export function fileLines({ selected, named }: Selection, maxBytes: number): readonly string[] {
  const lines: string[] = [];
  let left = maxBytes;
  // Render only what fits, because there may be 100,000 files.
  for (const file of selected) {
    const line = fileLine(file, named);
    left -= lineBytes(line);
    if (left < 0) break;
    lines.push(line);
  }
  return lines;
}

/** A changed file on one line. */
export function fileLine(file: ChangedFile, named: readonly string[] = []): string {
  const { filename, previous_filename: previous, status } = file;
  const name = previous === undefined ? filename : `${previous} -> ${filename}`;
  const isNoted = hasLines(file) && kindOf(filename, named) === 'bare';
  const kind = isNoted && !isBinaryName(filename) ? `, ${bareReason(filename)}` : '';
  return `- ${status} ${name} (${describeLines(file)}${kind})`;
}

const WITHOUT_LINES = new Map([
  ['renamed', 'only renamed'],
  ['copied', 'only copied'],
  ['added', 'empty'],
  ['removed', 'empty'],
]);

function describeLines({ filename, status, lines }: ChangedFile): string {
  if (lines === 'binary') return 'binary';
  if (lines === 'not-given') return isBinaryName(filename) ? 'binary' : 'line counts not given';
  const { additions, deletions } = lines;
  if (additions + deletions > 0) return `+${additions} -${deletions}`;
  return WITHOUT_LINES.get(status) ?? 'only its mode changed';
}
