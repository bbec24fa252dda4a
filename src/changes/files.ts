import type { ChangedFile } from '../github/github.ts';
import { cut, escapeInvisible, pluralize } from '../lib/text.ts';

/** Git itself stores no longer path on most systems. */
const MAX_PATH_LENGTH = 4_096;
const MAX_NAMES_LISTED = 10;

/** A changed file on one line. Of some files GitHub only tells the name (`isNameOnly`). */
export function describeFile(file: ChangedFile, isNameOnly: boolean): string {
  const path = shown(file.path);
  const name = file.previousPath === undefined ? path : `${shown(file.previousPath)} -> ${path}`;
  return `- ${shown(file.status)} ${name} (${describeLines(file, isNameOnly)})`;
}

const shown = (text: string) => cut(escapeInvisible(text), MAX_PATH_LENGTH);

function describeLines(file: ChangedFile, isNameOnly: boolean): string {
  if (isNameOnly) return 'lines not counted';
  if (hasChangedLines(file)) return `+${file.additions} -${file.deletions}`;
  switch (file.status) {
    case 'renamed':
    case 'copied':
      return `only ${file.status}`;
    case 'added':
    case 'removed':
      return 'no lines: binary or empty';
    default:
      return 'no changed line: binary, or only its mode changed';
  }
}

const hasChangedLines = ({ additions, deletions }: ChangedFile) => additions + deletions > 0;

/** Says which files have changed lines whose patch GitHub does not give. */
export function patchesTooLarge(files: readonly ChangedFile[]): readonly string[] {
  const without = files.filter((file) => file.patch === undefined && hasChangedLines(file));
  if (without.length === 0) return [];
  const names = without
    .slice(0, MAX_NAMES_LISTED)
    .map(({ path }) => cut(escapeInvisible(path), 100));
  const more = without.length > names.length ? ', …' : '';
  const count = without.length === 1 ? '1 patch that is' : `${without.length} patches that are`;
  return [`${count} too large for GitHub to show: ${names.join(', ')}${more}`];
}

/** `7 of 10 changed files, selected by paths`, and how many of them are listed if not all are. */
export function filesHeading(
  listed: number,
  { selected, total, isFiltered }: { selected: number; total: number; isFiltered: boolean },
): string {
  if (!isFiltered) return `files (${listed} of ${selected}):`;
  const all = `${selected} of ${pluralize(total, 'changed file')}, selected by \`paths\``;
  const some = listed < selected ? `${listed} listed here; ` : '';
  return `files (${some}${all}; commits are not filtered):`;
}
