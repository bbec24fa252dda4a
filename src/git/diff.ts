/** What changed between two commits, by git: nothing is checked out, and no history is fetched. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ChangedFile,
  DiffReader,
  type FileDiff,
  isThere,
  parseRecords,
  SUBMODULE,
} from './diff-output.ts';
import { REMOTE } from './environment.ts';
import type { Repository } from './repository.ts';

export type { ChangedFile, FileDiff } from './diff-output.ts';

async function fetchObjects(
  repo: Repository,
  ids: readonly string[],
  ...options: readonly string[]
): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !repo.fetched.has(id));
  if (missing.length === 0) return;
  const { fault } = await repo.fetch([...options, '--stdin', REMOTE], `${missing.join('\n')}\n`);
  if (fault !== undefined) throw fault.error;
  for (const id of missing) repo.fetched.add(id);
}

/**
 * Lists every file that differs between the trees of two commits, in the order of paths. Contents
 * are not read, so only exact renames are seen. Throws a `StepError`, also for a commit that the
 * server does not have.
 */
export async function changedFiles(
  repo: Repository,
  from: string,
  to: string,
): Promise<readonly ChangedFile[]> {
  await fetchObjects(repo, [from, to], '--depth=1');
  const shape = ['-r', '-z', '--raw', '--no-abbrev', '-M100%'];
  const { output } = await repo.local(['diff-tree', ...shape, from, to]);
  return parseRecords(output.toString('latin1')).files;
}

/** As `git diff` writes it without anybody's settings. */
const SHAPE =
  '-r -z --raw --numstat --patch --no-abbrev -M -l1000 --submodule=short --no-ext-diff --no-textconv --no-color --diff-algorithm=myers --unified=3';

/**
 * Reads counts and patches of chosen files, with one request for their contents. A file that was
 * renamed and changed is one file here, if both of its paths are chosen. A patch has at most
 * `patchLimit` bytes; past 64 MB of patches, files have only counts. Throws a `StepError`.
 */
export async function diffOf(
  repo: Repository,
  files: readonly ChangedFile[],
  { patchLimit }: { readonly patchLimit: number },
): Promise<readonly FileDiff[]> {
  const unchanged = { additions: 0, deletions: 0, isBinary: false, patch: '', isWhole: true };
  // Only renamed, or only another mode: there is nothing to read.
  const same = files.filter(({ oldId, id }) => oldId === id);
  const diffs: FileDiff[] = same.map((file) => ({ ...file, ...unchanged, lines: '' }));
  const others = files.filter(({ oldId, id }) => oldId !== id);
  if (others.length > 0) {
    const before = others.map((file) => {
      return { mode: file.oldMode, id: file.oldId, path: file.previous ?? file.path };
    });
    const blobs = [...before, ...others].filter(({ mode }) => isThere(mode) && mode !== SUBMODULE);
    const ids = blobs.map(({ id }) => id);
    await fetchObjects(repo, ids);
    const trees = [await writeTree(repo, before), await writeTree(repo, others)];
    const reader = new DiffReader(patchLimit);
    const onOutput = (piece: Buffer) => reader.write(piece);
    const { status } = await repo.local(['diff-tree', ...SHAPE.split(' '), ...trees], { onOutput });
    diffs.push(...reader.end(status === 'output-limit'));
  }
  return diffs.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Writes a tree that has only the given files. Two of them let one command see the chosen files
 * alone, without paths as arguments: a command line is short on Windows.
 */
async function writeTree(
  repo: Repository,
  entries: readonly Pick<ChangedFile, 'mode' | 'id' | 'path'>[],
): Promise<string> {
  const file = join(repo.directory, 'chosen-files');
  const env = { GIT_INDEX_FILE: file };
  const rows = entries
    .filter(({ mode }) => isThere(mode))
    .map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`);
  await rm(file, { force: true });
  await repo.local(['update-index', '-z', '--index-info'], { input: rows.join(''), env });
  // The contents of submodules are elsewhere.
  const { output } = await repo.local(['write-tree', '--missing-ok'], { env });
  return `${output}`.trim();
}

/**
 * A hash of what the files' changes are, whatever is around them. It stays the same after a rebase
 * or "Update branch", and sees white space.
 */
export function fingerprint(files: readonly FileDiff[]): string {
  const rows = files.map(({ path, previous = '', status, mode, lines }) =>
    JSON.stringify([path, previous, status, mode, lines]),
  );
  return createHash('sha256').update(rows.sort().join('\n')).digest('hex');
}
