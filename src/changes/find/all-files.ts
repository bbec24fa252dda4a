import {
  type ChangedFile,
  type Comparison,
  type GitHub,
  MAX_COMPARED_FILES,
  NO_LINES,
  uncountedLines,
} from '../../github/github.ts';
import type { Found, Selection } from './found.ts';
import { pathFilter } from './path-filter.ts';
import { withRenames } from './renames.ts';

/**
 * Whether the changes cancel out: an empty commit, or a change and its revert. If GitHub lists no
 * files, compares the two root folders.
 */
export async function haveSameFiles(
  github: Pick<GitHub, 'commit'>,
  comparison: Comparison,
  head: string,
): Promise<boolean> {
  const { files, totalCommits, commits, mergeBase, baseTree } = comparison;
  if (files.length > 0) return false;
  if (totalCommits === 0) return true;
  const before = baseTree ?? (await github.commit(mergeBase))?.tree;
  if (before === undefined) return false;
  const last = commits.findLast(({ sha }) => sha === head);
  const after = last?.commit.tree?.sha ?? (await github.commit(head))?.tree;
  return before === after;
}

/**
 * Returns every file that changed from the common commit to `head`. GitHub lists 300. The trees of
 * both commits supply the rest, including when GitHub lists no files at all. Only a tree that
 * GitHub truncates leaves a gap.
 */
export async function allFiles(
  github: GitHub,
  { files, mergeBase, isUnchanged }: Pick<Found, 'files' | 'mergeBase' | 'isUnchanged'>,
  head: string,
) {
  if (isUnchanged || (files.length > 0 && files.length < MAX_COMPARED_FILES)) {
    return { files, gaps: [] };
  }
  const { entries: before, truncated: isBeforeCut } = await github.tree(mergeBase);
  const { entries: after, truncated: isAfterCut } = await github.tree(head);
  if (isBeforeCut || isAfterCut) {
    const gap = `GitHub lists only the first ${MAX_COMPARED_FILES} files of a comparison, and this repository has too many files for a list of all; there may be more`;
    return { files, gaps: [gap] };
  }
  const listed = new Set(files.flatMap(namesOf));
  const names: string[] = [];
  for (const [name, { mode, sha }] of before) {
    const now = after.get(name);
    const isChanged = now?.mode !== mode || now.sha !== sha;
    if (isChanged && !listed.has(name)) names.push(name);
  }
  for (const name of after.keys()) {
    if (!before.has(name) && !listed.has(name)) names.push(name);
  }
  const others: ChangedFile[] = [];
  for (const filename of names.sort()) {
    const kept = before.has(filename) ? 'modified' : 'added';
    const status = after.has(filename) ? kept : 'removed';
    const sha = (after.get(filename) ?? before.get(filename))?.sha;
    others.push({ filename, status, sha, lines: uncountedLines(status, sha) });
  }
  const all = [...files, ...others].map((file) => {
    const { filename, previous_filename: previous = filename } = file;
    const sha = after.get(filename)?.sha;
    const isSame = sha !== undefined && before.get(previous)?.sha === sha;
    return isSame ? { ...file, lines: NO_LINES } : file;
  });
  return { files: withRenames(all), gaps: [] };
}

/** The names that select a file. A copy doesn't change the file that was copied. */
function namesOf({ filename, previous_filename: previous, status }: ChangedFile) {
  return previous === undefined || status === 'copied' ? [filename] : [filename, previous];
}

const hasWildcard = (pattern: string) => /[*?+[\]\\]/.test(pattern);

/** Selects files by any of their names. */
export function selectFiles(files: readonly ChangedFile[], paths: readonly string[]): Selection {
  if (paths.length === 0) return { files, selected: files, isFiltered: false, named: [] };
  const isSelected = pathFilter(paths);
  const selected = files.filter((file) => namesOf(file).some(isSelected));
  const named = paths.filter((pattern) => !hasWildcard(pattern));
  return { files, selected, isFiltered: true, named };
}

/** Returns the patterns that name the folder of a changed file, and so match nothing in it. */
export function foldersIn(patterns: readonly string[], files: readonly ChangedFile[]) {
  const names = files.flatMap(namesOf);
  return patterns.filter((pattern) => {
    const folder = `${pattern.replace(/^!/, '')}/`;
    return !hasWildcard(folder) && names.some((name) => name.startsWith(folder));
  });
}
