/** Which removed and added files are one file that moved. GitHub says it of the first 300 only. */
import { type ChangedFile, NO_LINES } from '../../github/github.ts';

/**
 * The files with each removed and added pair of the same content (object id) as one rename. A file that
 * was also edited stays removed and added.
 */
export function withRenames(files: readonly ChangedFile[]): readonly ChangedFile[] {
  const removed = new Map<string, ChangedFile[]>();
  // The last one first, so that the first one is taken first.
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
