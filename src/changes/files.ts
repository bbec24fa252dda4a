import {
  type ChangedFile,
  type Comparison,
  type GitHub,
  MAX_COMPARED_FILES,
} from '../github/github.ts';
import { cut, escapeInvisible, pluralize } from '../lib/text.ts';
import type { Selection } from './found.ts';
import { pathFilter } from './path-filter.ts';

/**
 * Every file that changed from the common commit to `head`. GitHub lists 300. Beyond those the
 * trees of both name the rest; a rename is then two files. Only a tree that GitHub cuts is a gap.
 */
export async function allFiles(github: GitHub, { files, mergeBase }: Comparison, head: string) {
  if (files.length < MAX_COMPARED_FILES) return { files, gaps: [] };
  const [before, after] = [await versionsAt(github, mergeBase), await versionsAt(github, head)];
  if (before === undefined || after === undefined) {
    const gap = `GitHub lists only the first ${MAX_COMPARED_FILES} files of a comparison, and this repository has too many files for a list of all; there may be more`;
    return { files, gaps: [gap] };
  }
  const listed = new Set(files.flatMap(namesOf));
  const unknown = { previous_filename: undefined, additions: 0, deletions: 0, patch: undefined };
  const others = [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name) && !listed.has(name))
    .sort()
    .map((filename): ChangedFile => {
      const kept = before.has(filename) ? 'modified' : 'added';
      const status = after.has(filename) ? kept : 'removed';
      return { filename, status, ...unknown, isFromTree: true };
    });
  return { files: [...files, ...others], gaps: [] };
}

/** Mode and object id of each file and submodule, by its path; none of a tree that GitHub cuts. */
async function versionsAt(github: GitHub, commit: string) {
  const { tree, truncated } = await github.tree(commit);
  if (truncated) return undefined;
  const files = tree.filter(({ type }) => type !== 'tree');
  return new Map(files.map(({ path, mode, sha }) => [path, `${mode} ${sha}`]));
}

/** The names under which a file counts. A copy is no change of the file that was copied. */
function namesOf({ filename, previous_filename: previous, status }: ChangedFile) {
  return previous === undefined || status === 'copied' ? [filename] : [filename, previous];
}

/** `pause` is called after each file that is checked. It may wait, or throw to stop. */
export interface FileQuery {
  readonly paths: readonly string[];
  readonly pause: () => Promise<void>;
}

/** Selects files by any of their names. */
export async function selectFiles(files: readonly ChangedFile[], { paths, pause }: FileQuery) {
  if (paths.length === 0) return { files, selected: files, isFiltered: false };
  const isSelected = pathFilter(paths);
  const selected: ChangedFile[] = [];
  for (const file of files) {
    if (namesOf(file).some(isSelected)) selected.push(file);
    await pause();
  }
  return { files, selected, isFiltered: true };
}

/** The patterns that are the folder of a changed file, and so select nothing in it. */
export function foldersIn(patterns: readonly string[], files: readonly ChangedFile[]) {
  const names = files.flatMap(namesOf);
  return patterns.filter((pattern) => {
    const folder = `${pattern.replace(/^!/, '')}/`;
    return !/[*?+[\]\\]/.test(folder) && names.some((name) => name.startsWith(folder));
  });
}

/** Git itself stores no longer path on most systems. */
const MAX_PATH_LENGTH = 4_096;
const MAX_NAMES_LISTED = 10;

const shown = (text: string) => cut(escapeInvisible(text), MAX_PATH_LENGTH);
const hasChangedLines = ({ additions, deletions }: ChangedFile) => additions + deletions > 0;

const WITHOUT_LINES = new Map([
  ['renamed', 'only renamed'],
  ['copied', 'only copied'],
  ['added', 'no lines: binary or empty'],
  ['removed', 'no lines: binary or empty'],
]);

/** A changed file on one line. */
export function describeFile(file: ChangedFile): string {
  const { filename, previous_filename: previous } = file;
  const name = `${previous === undefined ? '' : `${shown(previous)} -> `}${shown(filename)}`;
  return `- ${shown(file.status)} ${name} (${describeLines(file)})`;
}

function describeLines(file: ChangedFile): string {
  if (file.isFromTree) return 'lines not counted';
  if (hasChangedLines(file)) return `+${file.additions} -${file.deletions}`;
  return WITHOUT_LINES.get(file.status) ?? 'no changed line: binary, or only its mode changed';
}

/** Says which files have changed lines whose patch GitHub does not give, and why. */
export function patchesNotGiven(files: readonly ChangedFile[]): readonly string[] {
  const without = files.filter(({ patch }) => patch === undefined);
  const fromTree = without.filter(({ isFromTree }) => isFromTree);
  const past = `of files past the first ${MAX_COMPARED_FILES}, which GitHub lists without patches`;
  const tooLarge = listed(without.filter(hasChangedLines), 'too large for GitHub to show');
  return [...tooLarge, ...listed(fromTree, past)];
}

function listed(files: readonly ChangedFile[], why: string): readonly string[] {
  if (files.length === 0) return [];
  const first = files.slice(0, MAX_NAMES_LISTED);
  const names = first.map(({ filename }) => cut(escapeInvisible(filename), 100)).join(', ');
  const more = files.length > MAX_NAMES_LISTED ? ', …' : '';
  return [`${countPatches(files.length)} ${why}: ${names}${more}`];
}

export const countPatches = (n: number) => pluralize(n, 'patch', 'patches');

/** How many of the files are listed, and by what they were selected. */
export function filesHeading({ files, selected, isFiltered }: Selection, listed: number): string {
  if (!isFiltered) return `files (${listed} of ${selected.length}):`;
  const some = listed < selected.length ? `${listed} listed here; ` : '';
  const all = pluralize(files.length, 'changed file');
  return `files (${some}${selected.length} of ${all}, selected by \`paths\`; commits are not filtered):`;
}
