/** Which removed and added files are one file that moved. GitHub says it of the first 300 only. */
import type { ChangedFile } from '../../github/github.ts';
import { groupBy } from './group-by.ts';

/** A removed file, and the added file that it is now. */
interface Move {
  readonly origin: ChangedFile;
  readonly file: ChangedFile;
}

/** Whether it is a file, a symbolic link or a submodule, as its mode begins. */
type TypeOf = (file: ChangedFile) => string | undefined;

/**
 * The files with each removed and added pair of the same type and content (object id) as one rename.
 * Of several with the same content, those that kept their name belong together. A file that was also
 * edited stays removed and added. Takes time linear in the length of all paths.
 */
export function withRenames(files: readonly ChangedFile[], typeOf: TypeOf): readonly ChangedFile[] {
  const known = files.filter(({ sha }) => Boolean(sha));
  const contentOf = (file: ChangedFile) => `${typeOf(file)} ${file.sha}`;
  const named = pairsOf(known, (file) => `${contentOf(file)} ${nameIn(file.filename)}`);
  const moves = [...named, ...pairsOf(without(known, named), contentOf)];
  const originOf = new Map(moves.map(({ origin, file }) => [file, origin]));
  const origins = new Set(originOf.values());
  return files
    .filter((file) => !origins.has(file))
    .map((file) => {
      const origin = originOf.get(file);
      return origin === undefined ? file : renameOf({ origin, file });
    });
}

/** Pairs of a removed and an added file with the same key, in the order of the files. */
function pairsOf(files: readonly ChangedFile[], keyOf: (file: ChangedFile) => string) {
  const removed = groupBy(files.filter(({ status }) => status === 'removed').toReversed(), keyOf);
  const added = files.filter(({ status }) => status === 'added');
  return added.flatMap((file): readonly Move[] => {
    const origin = removed.get(keyOf(file))?.pop();
    return origin === undefined ? [] : [{ origin, file }];
  });
}

function without(files: readonly ChangedFile[], moves: readonly Move[]) {
  const moved = new Set(moves.flatMap(({ origin, file }) => [origin, file]));
  return files.filter((file) => !moved.has(file));
}

function renameOf({ origin, file: { filename, sha } }: Move): ChangedFile {
  const names = { filename, previous_filename: origin.filename };
  return { ...names, status: 'renamed', sha, additions: 0, deletions: 0 };
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
