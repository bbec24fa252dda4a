/** Decides which of the patches that GitHub leaves out to make. */
import type { ChangedFile } from '../../github/github.ts';
import type { Selection } from '../find/found.ts';
import { filesWithPatches, type Kind, lacksPatch } from './kinds.ts';

/** The most files to make a patch for. */
const MAX_FILES = 200;

/** The kinds of files to make patches for, in order. */
const KINDS: readonly Kind[] = ['changelog', 'source', 'text'];

/** The files that need a patch. None is needed for a removed file, whose lines are not included. */
export function filesWithoutPatch(selection: Selection): readonly ChangedFile[] {
  const wanted = filesWithPatches(selection).filter(
    ({ file }) => lacksPatch(file) && file.status !== 'removed',
  );
  const inOrder = KINDS.flatMap((kind) => wanted.filter((one) => one.kind === kind));
  const files = inOrder.map(({ file }) => file);
  // Hundreds of files may have moved unchanged, and must not use up the limit.
  const mayOnlyHaveMoved = ({ status, lines }: ChangedFile) =>
    status === 'renamed' && lines === 'not-given';
  const last = files.filter(mayOnlyHaveMoved);
  return [...files.filter((file) => !mayOnlyHaveMoved(file)), ...last].slice(0, MAX_FILES);
}
