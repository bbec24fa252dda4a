/** Lists the changed files, one per line. */
import type { ChangedFile, FileDiff } from '../git/diff.ts';
import { pluralize } from '../text/words.ts';
import type { Changes } from './changes.ts';
import { firstOf, lineBytes, oneLine } from './lines.ts';

/** The longest list. */
const MAX_LINES = 300;
const MAX_PATH_LENGTH = 1_000;

/** A file without counts is one whose contents were not read, because it is `bare`. */
export type ListedFile = ChangedFile | FileDiff;

/** For example `7 of 10 changed files, selected by paths:`. */
export function filesHeading({ files, selected }: Changes, listed: readonly ListedFile[]): string {
  // A file that was renamed and changed is two of the selected ones, and one of the listed.
  const all = pluralize(files.length - (selected.length - listed.length), 'changed file');
  return selected.length < files.length
    ? `${listed.length} of ${all}, selected by paths:`
    : `${all}:`;
}

/** The first lines of the list that fit in `maxBytes`, and how many files they leave out. */
export function fileLines(listed: readonly ListedFile[], maxBytes: number): readonly string[] {
  const lines = firstOf(listed.slice(0, MAX_LINES).map(fileLine), lineBytes, maxBytes);
  const left = listed.length - lines.length;
  return left === 0 ? lines : [...lines, `- ${pluralize(left, 'more file')}`];
}

/** A path on one line. */
export const shownPath = (path: string) => oneLine(path, MAX_PATH_LENGTH);

function fileLine(file: ListedFile): string {
  const { path, previous, status } = file;
  const from = previous === undefined ? '' : `${shownPath(previous)} -> `;
  const { additions, deletions } = { additions: 0, deletions: 0, ...file };
  const counts = additions + deletions > 0 ? ` (+${additions} -${deletions})` : '';
  return `- ${status} ${from}${shownPath(path)}${counts}`;
}
