import {
  type ChangedFile,
  type Comparison,
  type GitHub,
  MAX_COMPARED_FILES,
  type Tree,
} from '../github/github.ts';
import { pathFilter } from './path-filter.ts';

/**
 * Every file that changed from the common commit to `head`. GitHub lists the first 300 of a
 * comparison. If there may be more, the trees of both commits name them. A rename among those reads
 * as one file removed and one added. Only a tree that GitHub cuts leaves a gap.
 */
export async function allFiles(github: GitHub, comparison: Comparison, head: string) {
  const { files, mergeBase } = comparison;
  if (files.length < MAX_COMPARED_FILES) return { files, gaps: [] };
  const trees = [await github.tree(mergeBase), await github.tree(head)] as const;
  if (trees.some(({ truncated }) => truncated)) {
    const gap = `GitHub lists only the first ${MAX_COMPARED_FILES} files of a comparison, and this repository has too many files for a list of all; there may be more`;
    return { files, gaps: [gap] };
  }
  const listed = new Set(files.flatMap(namesOf));
  const [before, after] = [versionsIn(trees[0]), versionsIn(trees[1])];
  const others = [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name) && !listed.has(name))
    .sort()
    .map((filename): ChangedFile => {
      const isGone = !after.has(filename);
      const status = isGone ? 'removed' : before.has(filename) ? 'modified' : 'added';
      const unknown = {
        previous_filename: undefined,
        additions: 0,
        deletions: 0,
        patch: undefined,
      };
      return { filename, status, ...unknown, isFromTree: true };
    });
  return { files: [...files, ...others], gaps: [] };
}

/** Mode and object id of each file and submodule, by its path. */
function versionsIn({ tree }: Tree): ReadonlyMap<string, string> {
  const files = tree.filter(({ type }) => type !== 'tree');
  return new Map(files.map(({ path, mode, sha }) => [path, `${mode} ${sha}`]));
}

/** The names under which a file counts. A copy is no change of the file that was copied. */
function namesOf({ filename, previous_filename: previous, status }: ChangedFile) {
  return previous === undefined || status === 'copied' ? [filename] : [filename, previous];
}

/** The files that `paths` selects, by any of their names. `pause` is called after each. */
export async function selectedFiles(
  files: readonly ChangedFile[],
  paths: readonly string[],
  pause: () => Promise<void>,
): Promise<readonly ChangedFile[]> {
  if (paths.length === 0) return files;
  const isSelected = pathFilter(paths);
  const selected: ChangedFile[] = [];
  for (const file of files) {
    if (namesOf(file).some(isSelected)) selected.push(file);
    await pause();
  }
  return selected;
}

/** The patterns that are the folder of a changed file, and so select nothing in it. */
export function foldersIn(patterns: readonly string[], files: readonly ChangedFile[]) {
  const names = files.flatMap(namesOf);
  return patterns.filter((pattern) => {
    const folder = `${pattern.replace(/^!/, '')}/`;
    return !/[*?+[\]\\]/.test(folder) && names.some((name) => name.startsWith(folder));
  });
}
