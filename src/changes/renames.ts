/** Which removed and added files are one file that moved. GitHub says it of the first 300 only. */
import type { ChangedFile } from '../github/github.ts';
import { groupBy } from '../text/group-by.ts';

/** So many files that moved alike show that a folder has moved. Fewer may only be alike. */
const MIN_MOVED_ALIKE = 3;
/** A folder whose files went to more places than these was taken apart, and has not moved. */
const MAX_PLACES = 20;

/** A removed file, and the added file that it is now. */
interface Move {
  readonly origin: ChangedFile;
  readonly file: ChangedFile;
}

/** Whether it is a file, a symbolic link or a submodule, as its mode begins. */
type TypeOf = (file: ChangedFile) => string | undefined;

/**
 * The files with each removed and added pair of the same content as one rename. Two that moved
 * between the same folders as several such pairs are a rename, too: their content changed as well.
 */
export function withRenames(files: readonly ChangedFile[], typeOf: TypeOf): readonly ChangedFile[] {
  const unchanged = movesByContent(files, typeOf);
  const edited = movesByFolder(
    without(files, unchanged),
    foldersThatMoved(files, unchanged),
  ).filter(({ origin, file }) => typeOf(origin) === typeOf(file) && !areListed(origin, file));
  const moves = [...unchanged, ...edited];
  const moveTo = new Map(moves.map((move) => [move.file, move]));
  const origins = new Set(moves.map(({ origin }) => origin));
  return files
    .filter((file) => !origins.has(file))
    .map((file) => {
      const move = moveTo.get(file);
      return move === undefined ? file : renameOf(move);
    });
}

/** GitHub lists both and compared them itself, so it gives the lines of each. */
const areListed = (origin: ChangedFile, file: ChangedFile) =>
  !origin.isUncounted && !file.isUncounted;

function renameOf({ origin, file: { filename, sha } }: Move): ChangedFile {
  return {
    filename,
    previous_filename: origin.filename,
    status: 'renamed',
    sha,
    additions: 0,
    deletions: 0,
    isUncounted: sha === undefined || sha !== origin.sha,
  };
}

/** Those that kept their name go first. */
function movesByContent(files: readonly ChangedFile[], typeOf: TypeOf): readonly Move[] {
  const known = files.filter(({ sha }) => Boolean(sha));
  const contentOf = (file: ChangedFile) => `${typeOf(file)} ${file.sha}`;
  const named = pairsOf(known, (file) => `${contentOf(file)} ${nameIn(file.filename)}`);
  return [...named, ...pairsOf(without(known, named), contentOf)];
}

/** Pairs of a removed and an added file with the same key, in the order of the files. */
function pairsOf(files: readonly ChangedFile[], keyOf: (file: ChangedFile) => string) {
  const removed = groupBy(files.filter(isRemoved).toReversed(), keyOf);
  return files.filter(isAdded).flatMap((file): readonly Move[] => {
    const origin = removed.get(keyOf(file))?.pop();
    return origin === undefined ? [] : [{ origin, file }];
  });
}

const isRemoved = ({ status }: ChangedFile) => status === 'removed';
const isAdded = ({ status }: ChangedFile) => status === 'added';

function without(files: readonly ChangedFile[], moves: readonly Move[]) {
  const moved = new Set(moves.flatMap(({ origin, file }) => [origin, file]));
  return files.filter((file) => !moved.has(file));
}

/** The places that each folder went to, by its old path. Its files may have gone apart. */
type Places = ReadonlyMap<string, readonly string[]>;

function foldersThatMoved(files: readonly ChangedFile[], moves: readonly Move[]): Places {
  // Content that several files have, such as a license, does not tell which of them went where.
  const sideOf = ({ status, sha }: ChangedFile) => `${status} ${sha}`;
  const sameContent = groupBy(files, sideOf);
  const isUnique = (file: ChangedFile) => sameContent.get(sideOf(file))?.length === 1;
  const certain = moves.filter(({ origin, file }) => isUnique(origin) && isUnique(file));
  const ways = certain.map(({ origin, file }) => foldersOfMove(origin.filename, file.filename));
  const alike = groupBy(ways, ({ from, to }) => JSON.stringify([from, to]));
  const sure = [...alike.values()]
    .filter(({ length }) => length >= MIN_MOVED_ALIKE)
    .map(([way]) => way)
    .filter((way) => way !== undefined);
  const places = groupBy(sure, ({ from }) => from);
  const whole = [...places].filter(([, { length }]) => length <= MAX_PLACES);
  return new Map(whole.map(([from, some]) => [from, some.map(({ to }) => to)]));
}

/** A file goes with its innermost folder that moved, if that leads to one place and from one. */
function movesByFolder(files: readonly ChangedFile[], places: Places): readonly Move[] {
  const added = new Map(files.filter(isAdded).map((file) => [file.filename, file]));
  // A path may have hundreds of folders: only those are looked up that are as long as one that moved.
  const lengths = new Set([...places.keys()].map(({ length }) => length));
  const innermostFirst = [...lengths].sort((a, b) => b - a);
  const fitting = (path: string, length: number) => {
    const rest = length === 0 ? path : path.slice(length + 1);
    const folders = places.get(path.slice(0, length)) ?? [];
    const paths = folders.map((folder) => (folder === '' ? rest : `${folder}/${rest}`));
    return paths.map((place) => added.get(place)).filter((file) => file !== undefined);
  };
  const moves = files.filter(isRemoved).flatMap((origin): readonly Move[] => {
    const { filename } = origin;
    const [file, ...others] =
      innermostFirst
        .filter((length) => length === 0 || filename[length] === '/')
        .map((length) => fitting(filename, length))
        .find(({ length }) => length > 0) ?? [];
    return file === undefined || others.length > 0 ? [] : [{ origin, file }];
  });
  const claims = [...groupBy(moves, ({ file }) => file).values()];
  return claims.filter(({ length }) => length === 1).flat();
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
