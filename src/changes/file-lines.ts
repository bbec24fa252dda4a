import type { ChangedFile } from '../github/github.ts';
import { cut, escapeInvisible, pluralize } from '../lib/text.ts';
import type { KnownChanges } from './changes.ts';

/** Git itself stores no longer path on most systems. */
const MAX_PATH_LENGTH = 4_096;
const MAX_NAMES_LISTED = 10;

/** A changed file on one line. */
export function describeFile(file: ChangedFile): string {
  const { filename, previous_filename: previous } = file;
  const name = `${previous === undefined ? '' : `${shown(previous)} -> `}${shown(filename)}`;
  return `- ${shown(file.status)} ${name} (${describeLines(file)})`;
}

const shown = (text: string) => cut(escapeInvisible(text), MAX_PATH_LENGTH);

function describeLines(file: ChangedFile): string {
  if (file.isFromTree) return 'lines not counted';
  if (hasChangedLines(file)) return `+${file.additions} -${file.deletions}`;
  return WITHOUT_LINES.get(file.status) ?? 'no changed line: binary, or only its mode changed';
}

const WITHOUT_LINES = new Map([
  ['renamed', 'only renamed'],
  ['copied', 'only copied'],
  ['added', 'no lines: binary or empty'],
  ['removed', 'no lines: binary or empty'],
]);

const hasChangedLines = ({ additions, deletions }: ChangedFile) => additions + deletions > 0;

/** Says which files have changed lines whose patch GitHub does not give, and why. */
export function patchesNotGiven(files: readonly ChangedFile[]): readonly string[] {
  const without = files.filter(({ patch }) => patch === undefined);
  return [
    ...listed(without.filter(hasChangedLines), 'too large for GitHub to show'),
    ...listed(
      without.filter(({ isFromTree }) => isFromTree),
      'of files past the first 300, which GitHub lists without patches',
    ),
  ];
}

function listed(files: readonly ChangedFile[], why: string): readonly string[] {
  if (files.length === 0) return [];
  const names = files
    .slice(0, MAX_NAMES_LISTED)
    .map(({ filename }) => cut(escapeInvisible(filename), 100));
  const more = files.length > names.length ? ', …' : '';
  return [`${countPatches(files.length)} ${why}: ${names.join(', ')}${more}`];
}

export const countPatches = (n: number) => pluralize(n, 'patch', 'patches');

/** How many of the files are listed, and by what they were selected. */
export function filesHeading(
  { files, selected, isFiltered }: Pick<KnownChanges, 'files' | 'selected' | 'isFiltered'>,
  listed: number,
): string {
  if (!isFiltered) return `files (${listed} of ${selected.length}):`;
  const some = listed < selected.length ? `${listed} listed here; ` : '';
  const all = pluralize(files.length, 'changed file');
  return `files (${some}${selected.length} of ${all}, selected by \`paths\`; commits are not filtered):`;
}
