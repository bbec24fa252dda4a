/** The list of the changed files in the block: a line for each, or for a folder. */
import type { ChangedFile } from '../../github/github.ts';
import { pluralize } from '../../text/words.ts';
import type { Selection } from '../find/found.ts';
import { groupBy } from '../find/group-by.ts';
import { foldersOfMove } from '../find/renames.ts';
import { bareReason, groupFolderOf, isBinaryName, kindOf } from '../rank/rank.ts';

/** A list that has fewer lines names every file that did more than move. */
export const LONG_LIST = 40;
/** Fewer files than these have a line each. */
const MIN_GROUP = 3;

/** How many of the files are listed, and by what they were selected. */
export function filesHeading({ files, selected, isFiltered }: Selection, listed: number): string {
  if (!isFiltered) return `files (${listed} of ${selected.length}):`;
  const some = listed < selected.length ? `${listed} listed here; ` : '';
  const all = pluralize(files.length, 'changed file');
  return `files (${some}${selected.length} of ${all}, selected by \`paths\`):`;
}

/** A line of the list, and how many files it stands for. */
interface FileLine {
  readonly text: string;
  readonly count: number;
}

/**
 * The lines of the list. Files that only moved, all from one folder to another, share a line. In a
 * long list so do the tests of a folder, and its files whose lines nobody writes about.
 */
export function fileLines({ selected, named }: Selection): readonly FileLine[] {
  const lines = linesBy(selected, named, moveOf);
  if (lines.length < LONG_LIST) return lines;
  return linesBy(selected, named, (file) => moveOf(file) ?? folderOf(file.filename, named));
}

/** `groupOf` says in words what a file has in common with others of its line. */
function linesBy(
  files: readonly ChangedFile[],
  named: readonly string[],
  groupOf: (file: ChangedFile) => string | undefined,
): readonly FileLine[] {
  const groups = groupBy(files, (file) => groupOf(file) ?? ` ${file.filename}`);
  return [...groups].flatMap(([name, group]) =>
    group.length < MIN_GROUP
      ? group.map((file) => ({ text: describeFile(file, named), count: 1 }))
      : [
          {
            text: `- ${group.length} files: ${name} (${describeGroup(group)})`,
            count: group.length,
          },
        ],
  );
}

/** From which folder to which a file has moved, if nothing else of it changed. */
function moveOf(file: ChangedFile): string | undefined {
  const { filename, previous_filename: previous, status } = file;
  if (status !== 'renamed' || previous === undefined || hasLines(file)) return undefined;
  const { from, to } = foldersOfMove(previous, filename);
  return from === previous ? undefined : `moved from ${folder(from)} to ${folder(to)}`;
}

const folder = (path: string) => (path === '' ? 'the top folder' : `${path.replace(/\/$/, '')}/`);

function folderOf(path: string, named: readonly string[]): string | undefined {
  const kind = kindOf(path, named);
  if (kind !== 'test' && kind !== 'bare') return undefined;
  const what = kind === 'test' ? 'tests' : `${bareReason(path)}s`;
  return `${what} in ${folder(groupFolderOf(path))}`;
}

/** Whether lines of it changed, or may have. */
export const hasLines = ({ additions, deletions, isUncounted }: ChangedFile) =>
  isUncounted === true || additions + deletions > 0;

/** For example `3 added, 9 modified, +120 -30`. */
function describeGroup(files: readonly ChangedFile[]): string {
  const statuses = [...new Set(files.map(({ status }) => status))];
  const counts = statuses.map(
    (one) => `${files.filter(({ status }) => status === one).length} ${one}`,
  );
  const sum = (of: (file: ChangedFile) => number) => files.reduce((all, file) => all + of(file), 0);
  const lines = `+${sum(({ additions }) => additions)} -${sum(({ deletions }) => deletions)}`;
  const isCounted = files.every(({ isUncounted }) => !isUncounted);
  const total = files.some(hasLines) ? [isCounted ? lines : 'not all line counts given'] : [];
  return [...counts, ...total].join(', ');
}

/** A changed file on one line. */
export function describeFile(file: ChangedFile, named: readonly string[] = []): string {
  const { filename, previous_filename: previous, status } = file;
  const name = previous === undefined ? filename : `${previous} -> ${filename}`;
  const isNoted = hasLines(file) && kindOf(filename, named) === 'bare';
  const kind = isNoted && !isBinaryName(filename) ? `, ${bareReason(filename)}` : '';
  return `- ${status} ${name} (${describeLines(file)}${kind})`;
}

const WITHOUT_LINES = new Map([
  ['renamed', 'only renamed'],
  ['copied', 'only copied'],
  ['added', 'no lines: binary or empty'],
  ['removed', 'no lines: binary or empty'],
]);

function describeLines({ filename, status, additions, deletions, isUncounted }: ChangedFile) {
  if (additions + deletions > 0) return `+${additions} -${deletions}`;
  if (isUncounted) return isBinaryName(filename) ? 'binary' : 'line counts not given';
  return WITHOUT_LINES.get(status) ?? 'no changed line: binary, or only its mode changed';
}
