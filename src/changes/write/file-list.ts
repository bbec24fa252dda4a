/** The list of the changed files in the block: a line for each, or for a folder. */
import type { ChangedFile } from '../../github/github.ts';
import { pluralize } from '../../text/words.ts';
import type { Selection } from '../find/found.ts';
import { foldersOfMove } from '../find/renames.ts';
import { bareReason, groupFolderOf, isBinaryName, type KindIn } from '../rank/rank.ts';
import { lineBytes } from '../rank/room.ts';

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

/** The list as far as there is room for it. */
export interface FileList {
  readonly lines: readonly string[];
  /** How many files they stand for. */
  readonly listed: number;
  /** The whole list has few lines. */
  readonly isShort: boolean;
}

/**
 * The first lines of the list that fit in `room`. Files that only moved, all from one folder to
 * another, share a line. In a long list so do the tests of a folder, and its files whose lines nobody
 * writes about. `pause` is called often. It may wait, or throw to stop.
 */
export async function fileList(
  selected: readonly ChangedFile[],
  kindIn: KindIn,
  room: number,
  pause: () => Promise<void>,
): Promise<FileList> {
  let entries = await entriesBy(selected, moveOf, pause);
  if (entries.length >= LONG_LIST) {
    const inFolder = (file: ChangedFile) => moveOf(file) ?? folderOf(file.filename, kindIn);
    entries = await entriesBy(selected, inFolder, pause);
  }
  const lines: string[] = [];
  let [left, listed] = [room, 0];
  // Only what is shown is written: there may be 100,000 lines.
  for (const entry of entries) {
    const line = 'files' in entry ? describeGroup(entry) : describeFile(entry, kindIn);
    left -= lineBytes(line);
    if (left < 0) break;
    lines.push(line);
    listed += 'files' in entry ? entry.files.length : 1;
  }
  return { lines, listed, isShort: entries.length < LONG_LIST };
}

/** Files that share a line. */
interface FileGroup {
  /** What they have in common, in words. */
  readonly name: string;
  readonly files: ChangedFile[];
}

/** What has a line of its own. `groupOf` says in words what a file has in common with others. */
async function entriesBy(
  files: readonly ChangedFile[],
  groupOf: (file: ChangedFile) => string | undefined,
  pause: () => Promise<void>,
): Promise<readonly (ChangedFile | FileGroup)[]> {
  const groups = new Map<string, FileGroup>();
  const entries: (ChangedFile | FileGroup)[] = [];
  for (const file of files) {
    await pause();
    const name = groupOf(file);
    const group = name === undefined ? undefined : groups.get(name);
    if (name === undefined) entries.push(file);
    else if (group !== undefined) group.files.push(file);
    else {
      const first = { name, files: [file] };
      groups.set(name, first);
      entries.push(first);
    }
  }
  if (groups.size === 0) return entries;
  return entries.flatMap((entry) =>
    'files' in entry && entry.files.length < MIN_GROUP ? entry.files : entry,
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

function folderOf(path: string, kindIn: KindIn): string | undefined {
  const kind = kindIn(path);
  if (kind !== 'test' && kind !== 'bare') return undefined;
  const what = kind === 'test' ? 'tests' : `${bareReason(path)}s`;
  return `${what} in ${folder(groupFolderOf(path))}`;
}

/** Whether lines of it changed, or may have. */
export const hasLines = ({ additions, deletions, isUncounted }: ChangedFile) =>
  isUncounted === true || additions + deletions > 0;

/** For example `- 12 files: tests in test/ (3 added, 9 modified, +120 -30)`. */
function describeGroup({ name, files }: FileGroup): string {
  const statuses = new Map<string, number>();
  let [additions, deletions] = [0, 0];
  for (const file of files) {
    statuses.set(file.status, (statuses.get(file.status) ?? 0) + 1);
    additions += file.additions;
    deletions += file.deletions;
  }
  const counts = Array.from(statuses, ([status, count]) => `${count} ${status}`);
  const isCounted = files.every(({ isUncounted }) => !isUncounted);
  const lines = isCounted ? `+${additions} -${deletions}` : 'not all line counts given';
  const facts = [...counts, ...(files.some(hasLines) ? [lines] : [])].join(', ');
  return `- ${files.length} files: ${name} (${facts})`;
}

/** A changed file on one line. */
export function describeFile(file: ChangedFile, kindIn: KindIn): string {
  const { filename, previous_filename: previous, status } = file;
  const name = previous === undefined ? filename : `${previous} -> ${filename}`;
  const isNoted = hasLines(file) && kindIn(filename) === 'bare';
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
