/** Which removed and added files are one file that moved. GitHub says it of the first 300 only. */
import type { ChangedFile } from '../../github/github.ts';

/** Whether it is a file, a symbolic link or a submodule, as its mode begins. */
type TypeOf = (file: ChangedFile) => string;

/**
 * The files with each removed and added pair of the same type and content (object id) as one rename.
 * Of several with the same content, those that kept their name belong together. A file that was also
 * edited stays removed and added. It takes about as long as sorting the files.
 */
export function withRenames(files: readonly ChangedFile[], typeOf: TypeOf): readonly ChangedFile[] {
  const moved = files.filter(({ status, sha }) => sha && ['added', 'removed'].includes(status));
  const originOf = originsOf(moved, [idOf, typeOf, lastPartOf]);
  const named = new Set([...originOf.keys(), ...originOf.values()]);
  const others = moved.filter((file) => !named.has(file));
  for (const [file, origin] of originsOf(others, [idOf, typeOf])) {
    originOf.set(file, origin);
  }
  const origins = new Set(originOf.values());
  const all: ChangedFile[] = [];
  for (const file of files) {
    const origin = originOf.get(file);
    if (origin !== undefined) all.push(asRename(origin, file));
    else if (!origins.has(file)) all.push(file);
  }
  return all;
}

const idOf = ({ sha = '' }: ChangedFile) => sha;
const lastPartOf = ({ filename }: ChangedFile) => filename.slice(filename.lastIndexOf('/') + 1);

/**
 * The removed file of each added one with the same keys, in the order of the files. They are sorted,
 * because a list for each of 100,000 contents would take much memory.
 */
function originsOf(
  files: readonly ChangedFile[],
  keys: readonly ((file: ChangedFile) => string)[],
) {
  const compare = (a: ChangedFile, b: ChangedFile) => {
    for (const keyOf of keys) {
      const order = compareTexts(keyOf(a), keyOf(b));
      if (order !== 0) return order;
    }
    return 0;
  };
  // Of those with the same keys, the added ones come first.
  const sorted = files.toSorted((a, b) => compare(a, b) || compareTexts(a.status, b.status));
  const found = new Map<ChangedFile, ChangedFile>();
  /** The first added file that may still be found. */
  let next = 0;
  for (const file of sorted) {
    if (file.status === 'added') continue;
    let added = sorted[next];
    while (added !== undefined && compare(added, file) < 0) {
      next += 1;
      added = sorted[next];
    }
    if (added?.status !== 'added' || compare(added, file) !== 0) continue;
    found.set(added, file);
    next += 1;
  }
  return found;
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function asRename(origin: ChangedFile, { filename, sha }: ChangedFile): ChangedFile {
  const names = { filename, previous_filename: origin.filename };
  return { ...names, status: 'renamed', sha, additions: 0, deletions: 0 };
}
