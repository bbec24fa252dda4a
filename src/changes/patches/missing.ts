/** Which patches that GitHub does not give are made here. */
import type { ChangedFile } from '../../github/github.ts';
import type { Selection } from '../find/found.ts';
import { filesWithPatches, type Kind, lacksPatch } from './kinds.ts';

/** At most so many files get a patch here. */
const MAX_FILES = 200;

/** The kinds of files whose patches are made, in this order. */
const KINDS: readonly Kind[] = ['changelog', 'source', 'text'];

/** The files that want a patch from here. Of a removed file no line is told. */
export function filesWithoutPatch(selection: Selection): readonly ChangedFile[] {
  const wanted = filesWithPatches(selection).filter(
    ({ file }) => lacksPatch(file) && file.status !== 'removed',
  );
  const inOrder = KINDS.flatMap((kind) => wanted.filter((one) => one.kind === kind));
  const files = inOrder.map(({ file }) => file);
  // Hundreds of files may have moved without a changed line. They must not use up the limit.
  const mayOnlyHaveMoved = ({ status, lines }: ChangedFile) =>
    status === 'renamed' && lines === 'not-given';
  const last = files.filter(mayOnlyHaveMoved);
  return [...files.filter((file) => !mayOnlyHaveMoved(file)), ...last].slice(0, MAX_FILES);
}
