/** Which removed and added files are one file that moved. GitHub says it of the first 300 only. */
import type { ChangedFile } from '../github/github.ts';
import { groupBy } from '../lib/group-by.ts';

/** So many files that moved alike show that a folder has moved. Fewer may only be alike. */
const MIN_MOVED_ALIKE = 3;

/** What an added file was before: the removed file. */
type Origins = Map<ChangedFile, ChangedFile>;

/**
 * The files with each removed and added pair of the same content as one rename. Two that moved
 * between the same folders as several such pairs are a rename, too: their content changed as well.
 */
export function withRenames(files: readonly ChangedFile[]): readonly ChangedFile[] {
  const origins: Origins = new Map();
  pairByContent(files, origins);
  pairByFolder(files, origins);
  const moved = new Set(origins.values());
  return files.flatMap((file) => {
    const origin = origins.get(file);
    if (origin === undefined) return moved.has(file) ? [] : [file];
    return [renameOf(origin, file)];
  });
}

function renameOf({ filename: previous_filename, sha: before }: ChangedFile, file: ChangedFile) {
  const { filename, sha } = file;
  const isUncounted = sha === undefined || sha !== before;
  const status = 'renamed';
  return { filename, previous_filename, status, sha, additions: 0, deletions: 0, isUncounted };
}

/** Those that kept their name go first. */
function pairByContent(files: readonly ChangedFile[], origins: Origins): void {
  const keys = [
    ({ filename, sha }: ChangedFile) => sha && `${sha} ${nameIn(filename)}`,
    ({ sha }: ChangedFile) => sha,
  ];
  for (const keyOf of keys) {
    const { removed, added } = unpaired(files, origins);
    const withContent = removed.filter(({ sha }) => Boolean(sha));
    const origin = groupBy(withContent.toReversed(), keyOf);
    for (const file of added) {
      const found = origin.get(keyOf(file))?.pop();
      if (found !== undefined) origins.set(file, found);
    }
  }
}

/** A file goes with its innermost folder that moved. */
function pairByFolder(files: readonly ChangedFile[], origins: Origins): void {
  const { removed, added } = unpaired(files, origins);
  const targets = foldersThatMoved(origins);
  const free = new Map(added.map((file) => [file.filename, file]));
  for (const origin of removed) {
    const file = namesAfter(origin.filename, targets)
      .map((name) => free.get(name))
      .find(Boolean);
    if (file === undefined) continue;
    origins.set(file, origin);
    free.delete(file.filename);
  }
}

function unpaired(files: readonly ChangedFile[], origins: Origins) {
  const moved = new Set(origins.values());
  return {
    removed: files.filter((file) => file.status === 'removed' && !moved.has(file)),
    added: files.filter((file) => file.status === 'added' && !origins.has(file)),
  };
}

/** Where each folder went, by its old path. Several files of one folder may have gone apart. */
function foldersThatMoved(origins: Origins): ReadonlyMap<string, readonly string[]> {
  const pairs = [...origins].map(([file, origin]) => foldersOfMove(origin.filename, file.filename));
  const alike = groupBy(pairs, ({ from, to }) => JSON.stringify([from, to]));
  const sure = [...alike.values()].filter((moves) => moves.length >= MIN_MOVED_ALIKE);
  const moves = groupBy(
    sure.flatMap((some) => some.slice(0, 1)),
    ({ from }) => from,
  );
  return new Map([...moves].map(([from, ways]) => [from, ways.map(({ to }) => to)]));
}

/** The paths that a file would have, had it moved with one of its folders. */
function namesAfter(path: string, targets: ReadonlyMap<string, readonly string[]>) {
  const parts = path.split('/');
  const depths = parts.map((_, depth) => depth).toReversed();
  return depths.flatMap((depth) => {
    const rest = parts.slice(depth);
    const folders = targets.get(parts.slice(0, depth).join('/')) ?? [];
    return folders.map((to) => [to, ...rest].filter((part) => part !== '').join('/'));
  });
}

/** From which folder to which a file moved, without a slash at their ends: empty at the top. */
export function foldersOfMove(previous: string, filename: string) {
  const from = previous.split('/');
  const to = filename.split('/');
  while (from.length > 0 && to.length > 0 && from.at(-1) === to.at(-1)) {
    from.pop();
    to.pop();
  }
  return { from: from.join('/'), to: to.join('/') };
}

const nameIn = (path: string) => path.slice(path.lastIndexOf('/') + 1);
