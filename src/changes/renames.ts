/** Which removed and added files are one file that moved. GitHub says it of the first 300 only. */
import type { ChangedFile } from '../github/github.ts';
import { groupBy } from '../lib/group-by.ts';

/** So many files that moved alike show that a folder has moved. Fewer may only be alike. */
const MIN_MOVED_ALIKE = 3;
/** A folder whose files went to more places than these was taken apart, and has not moved. */
const MAX_TARGETS = 20;

/** What an added file was before: the removed file. */
type Origins = Map<ChangedFile, ChangedFile>;
/** Whether it is a file, a symbolic link or a submodule, as its mode begins. */
type TypeOf = (file: ChangedFile) => string | undefined;

/**
 * The files with each removed and added pair of the same content as one rename. Two that moved
 * between the same folders as several such pairs are a rename, too: their content changed as well.
 */
export function withRenames(files: readonly ChangedFile[], typeOf: TypeOf): readonly ChangedFile[] {
  const origins: Origins = new Map();
  pairByContent(files, origins, typeOf);
  pairByFolder(files, origins, typeOf);
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
function pairByContent(files: readonly ChangedFile[], origins: Origins, typeOf: TypeOf): void {
  const contentOf = (file: ChangedFile) => file.sha && `${typeOf(file)} ${file.sha}`;
  const keys = [
    (file: ChangedFile) => file.sha && `${contentOf(file)} ${nameIn(file.filename)}`,
    contentOf,
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

/** A file goes with its innermost folder that moved, if that leads to one place and from one. */
function pairByFolder(files: readonly ChangedFile[], origins: Origins, typeOf: TypeOf): void {
  const { removed, added } = unpaired(files, origins);
  const moves = foldersThatMoved(files, origins);
  // Of a path only these beginnings are looked up: it may have hundreds of folders.
  const lengths = new Set([...moves.keys()].map(({ length }) => length));
  const innermostFirst = [...lengths].sort((a, b) => b - a);
  const free = new Map(added.map((file) => [file.filename, file]));
  const placesOf = (path: string, length: number) => {
    const rest = length === 0 ? path : path.slice(length + 1);
    return (moves.get(path.slice(0, length)) ?? [])
      .map((to) => free.get(to === '' ? rest : `${to}/${rest}`))
      .filter((file) => file !== undefined);
  };
  const pairs = removed.flatMap((origin) => {
    const { filename } = origin;
    const places = innermostFirst
      .filter((length) => length === 0 || filename[length] === '/')
      .map((length) => placesOf(filename, length))
      .find(({ length }) => length > 0);
    const [file, ...others] = places ?? [];
    const isCertain = file !== undefined && others.length === 0;
    return isCertain && typeOf(file) === typeOf(origin) ? [{ file, origin }] : [];
  });
  for (const [file, claims] of groupBy(pairs, (pair) => pair.file)) {
    const [first, ...others] = claims;
    if (first !== undefined && others.length === 0) origins.set(file, first.origin);
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
function foldersThatMoved(
  files: readonly ChangedFile[],
  origins: Origins,
): ReadonlyMap<string, readonly string[]> {
  // Content that several files have, such as a license, does not tell which of them went where.
  const sideOf = ({ status, sha }: ChangedFile) => `${status} ${sha}`;
  const sameContent = groupBy(files, sideOf);
  const isUnique = (file: ChangedFile) => sameContent.get(sideOf(file))?.length === 1;
  const pairs = [...origins]
    .filter(([file, origin]) => isUnique(file) && isUnique(origin))
    .map(([file, origin]) => foldersOfMove(origin.filename, file.filename));
  const alike = groupBy(pairs, ({ from, to }) => JSON.stringify([from, to]));
  const sure = [...alike.values()].filter((moves) => moves.length >= MIN_MOVED_ALIKE);
  const moves = groupBy(
    sure.flatMap((some) => some.slice(0, 1)),
    ({ from }) => from,
  );
  const whole = [...moves].filter(([, ways]) => ways.length <= MAX_TARGETS);
  return new Map(whole.map(([from, ways]) => [from, ways.map(({ to }) => to)]));
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
