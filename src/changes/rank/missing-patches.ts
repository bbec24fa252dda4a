/** Which patches that GitHub does not give are made here, and of what. */
import type { ChangedFile, Tree } from '../../github/github.ts';
import type { Selection } from '../find/found.ts';
import { filesWithPatches, type Kind, lacksPatch } from './kinds.ts';

/** At most so many files get a patch here. */
const MAX_FILES = 200;
/** Neither side of a file has more bytes. */
const MAX_SIDE_BYTES = 128_000;

/** The kinds of files whose patches are made, in this order. */
const KINDS: readonly Kind[] = ['changelog', 'source', 'text'];

/** The files that want a patch from here. Of a removed file no line is told. */
export function filesWithoutPatch(selection: Selection): readonly ChangedFile[] {
  const wanted = filesWithPatches(selection).filter(
    ({ file }) => lacksPatch(file) && file.status !== 'removed',
  );
  return KINDS.flatMap((kind) => wanted.filter((one) => one.kind === kind)).map(({ file }) => file);
}

/** A file, and the object ids of its contents. A new file has none before. */
export interface MissingPatch {
  readonly file: ChangedFile;
  readonly before: string | undefined;
  readonly after: string;
}

/** Those whose patches are made, by the trees of the commits before and after the changes. */
export function missingPatches(
  files: readonly ChangedFile[],
  before: Tree,
  after: Tree,
): readonly MissingPatch[] {
  const missing = files.flatMap((file): readonly MissingPatch[] => {
    const { filename, previous_filename: previous = filename, status } = file;
    const [old, now] = [contentAt(before, previous), contentAt(after, filename)];
    const isKnown = now !== undefined && (old !== undefined || status === 'added');
    // A file that only moved, or of which only the mode changed, has no patch.
    return isKnown && now !== old ? [{ file, before: old, after: now }] : [];
  });
  return missing.slice(0, MAX_FILES);
}

/** The object id of a file that is not too large. A submodule is no file. */
function contentAt({ entries }: Tree, path: string): string | undefined {
  const { type, sha, size = 0 } = entries.get(path) ?? {};
  return type === 'blob' && size <= MAX_SIDE_BYTES ? sha : undefined;
}
