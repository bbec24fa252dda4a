import {
  type ChangedFile,
  type Comparison,
  type GitHub,
  MAX_COMPARED_FILES,
} from '../github/github.ts';

/**
 * Every file that changed from the common commit to `head`. GitHub lists the first 300 of a
 * comparison. If there may be more, the trees of both commits name them. A rename among those reads
 * as one file removed and one added. Only a tree that GitHub cuts leaves a gap.
 */
export async function changedFiles(
  github: Pick<GitHub, 'tree'>,
  { files, mergeBase }: Comparison,
  head: string,
) {
  if (files.length < MAX_COMPARED_FILES) return { files, gaps: [] };
  const [before, after] = [await github.tree(mergeBase), await github.tree(head)];
  if (before.isTruncated || after.isTruncated) {
    const gap = `GitHub lists only the first ${MAX_COMPARED_FILES} files of a comparison, and this repository has too many files for a list of all; there may be more`;
    return { files, gaps: [gap] };
  }
  const listed = new Set(files.flatMap(namesOf));
  const names = new Set([...before.entries.keys(), ...after.entries.keys()]);
  const others = [...names]
    .filter((name) => before.entries.get(name) !== after.entries.get(name) && !listed.has(name))
    .sort()
    .map((filename): ChangedFile => {
      const isGone = !after.entries.has(filename);
      const status = isGone ? 'removed' : before.entries.has(filename) ? 'modified' : 'added';
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

/** The names under which a file counts. A copy is no change of the file that was copied. */
export function namesOf({ filename, previous_filename: previous, status }: ChangedFile) {
  return previous === undefined || status === 'copied' ? [filename] : [filename, previous];
}
