/**
 * Pairs removed and added files that are one file that moved. GitHub does so only for the first
 * 300.
 */
import { type ChangedFile, NO_LINES } from '../../github/github.ts';

/**
 * Merges each removed and added file with the same content (object ID) into one rename. A file that
 * was also edited stays removed and added.
 */
export function withRenames(files: readonly ChangedFile[]): readonly ChangedFile[] {
  const removed = new Map<string, ChangedFile[]>();
  // Start with the last, so that `pop` returns the first.
  for (const file of files.toReversed()) {
    const { status, sha } = file;
    if (status !== 'removed' || sha === undefined) continue;
    const same = removed.get(sha);
    if (same === undefined) removed.set(sha, [file]);
    else same.push(file);
  }
  const origins = new Set<ChangedFile>();
  const all = files.map((file) => {
    const origin = file.status === 'added' ? removed.get(file.sha ?? '')?.pop() : undefined;
    if (origin === undefined) return file;
    origins.add(origin);
    const names = { filename: file.filename, previous_filename: origin.filename };
    return { ...names, status: 'renamed', sha: file.sha, lines: NO_LINES };
  });
  return all.filter((file) => !origins.has(file));
}
