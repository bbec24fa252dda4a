/** Which removed and added files are one file that moved. GitHub says it of the first 300 only. */
import type { ChangedFile } from '../../github/github.ts';

/** Whether it is a file, a symbolic link or a submodule, as its mode begins. */
type TypeOf = (file: ChangedFile) => string | undefined;

/**
 * The files with each removed and added pair of the same type and content (object id) as one rename.
 * Of several with the same content, those that kept their name belong together. A file that was also
 * edited stays removed and added. Takes time linear in the length of all paths. `pause` is called
 * often. It may wait, or throw to stop.
 */
export async function withRenames(
  files: readonly ChangedFile[],
  typeOf: TypeOf,
  pause: () => Promise<void>,
): Promise<readonly ChangedFile[]> {
  const addedIds = new Set<string>();
  for (const { status, sha } of files) {
    await pause();
    if (status === 'added' && sha) addedIds.add(sha);
  }
  /** By the object id of their content. */
  const groups = new Map<string, ChangedFile[]>();
  for (const file of files) {
    await pause();
    if (file.status !== 'removed' || !file.sha || !addedIds.has(file.sha)) continue;
    const group = groups.get(file.sha);
    if (group === undefined) groups.set(file.sha, [file]);
    else group.push(file);
  }
  for (const file of files) {
    await pause();
    if (file.status === 'added' && file.sha) groups.get(file.sha)?.push(file);
  }
  const originOf = new Map<ChangedFile, ChangedFile>();
  for (const group of groups.values()) {
    const named = await pairsOf(group, (file) => `${typeOf(file)} ${nameIn(file.filename)}`, pause);
    const paired = new Set(named.flat());
    const rest = group.filter((file) => !paired.has(file));
    const others = await pairsOf(rest, (file) => `${typeOf(file)}`, pause);
    for (const [origin, file] of [...named, ...others]) originOf.set(file, origin);
  }
  const origins = new Set(originOf.values());
  const all: ChangedFile[] = [];
  for (const file of files) {
    await pause();
    const origin = originOf.get(file);
    if (origin !== undefined) all.push(renameOf(origin, file));
    else if (!origins.has(file)) all.push(file);
  }
  return all;
}

/** Pairs of a removed and an added file with the same key, in the order of the files. */
async function pairsOf(
  files: readonly ChangedFile[],
  keyOf: (file: ChangedFile) => string,
  pause: () => Promise<void>,
) {
  const removed = new Map<string, ChangedFile[]>();
  for (const file of files.toReversed()) {
    await pause();
    if (file.status !== 'removed') continue;
    const key = keyOf(file);
    const same = removed.get(key);
    if (same === undefined) removed.set(key, [file]);
    else same.push(file);
  }
  const pairs: (readonly [origin: ChangedFile, file: ChangedFile])[] = [];
  for (const file of files) {
    await pause();
    const origin = file.status === 'added' ? removed.get(keyOf(file))?.pop() : undefined;
    if (origin !== undefined) pairs.push([origin, file]);
  }
  return pairs;
}

function renameOf(origin: ChangedFile, { filename, sha }: ChangedFile): ChangedFile {
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
