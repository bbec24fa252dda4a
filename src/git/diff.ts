/**
 * What changed between two commits, by git. Its output is read as Latin-1, one character for each
 * byte, because files and paths need not be UTF-8; what is kept is decoded.
 */
import { createHash, type Hash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { REMOTE } from './process.ts';
import type { Repository } from './repository.ts';

export interface ChangedFile {
  readonly path: string;
  readonly previous?: string;
  readonly status: 'added' | 'removed' | 'modified' | 'renamed';
  /** Git's modes and object ids: all zeros where there is no file. */
  readonly oldMode: string;
  readonly mode: string;
  readonly oldId: string;
  readonly id: string;
  readonly isSubmodule: boolean;
}

export interface FileDiff extends ChangedFile {
  /** In lines. 0 for a binary file. */
  readonly additions: number;
  readonly deletions: number;
  readonly isBinary: boolean;
  /** From the first `@@` on. Empty for a binary file, and where only the mode or path changed. */
  readonly patch: string;
  readonly isWhole: boolean;
  /** A hash of the added and removed lines alone. */
  readonly linesHash: string;
}

const SUBMODULE = '160000';
const isThere = (mode: string) => !/^0+$/.test(mode);

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
 * Every file that differs between two commits, in the order of paths. Contents are not read, so only
 * exact renames are seen. Throws a `StepError`, also for a commit that is gone.
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
  const isSame = (file: ChangedFile) => file.oldId === file.id && !isTurned(file);
  const same = files.filter(isSame);
  const diffs: FileDiff[] = same.map((file) => ({ ...file, ...unchanged, linesHash: '' }));
  const others = files.filter((file) => !isSame(file));
  if (others.length > 0) {
    const before = others.map(({ oldMode: mode, oldId: id, path }) => ({ mode, id, path }));
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

/** Lets git see the chosen files alone, without paths as arguments, which are short on Windows. */
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

/** A hash of the changes that survives a rebase and "Update branch", and sees white space. */
export function fingerprint(files: readonly FileDiff[]): string {
  const rows = files.map(({ path, previous = '', status, oldMode, mode, linesHash }) =>
    JSON.stringify([path, previous, status, oldMode === mode ? '' : mode, linesHash]),
  );
  return createHash('sha256').update(rows.sort().join('\n')).digest('hex');
}

const STATUS: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  D: 'removed',
  R: 'renamed',
};

const decode = (latin1: string) => Buffer.from(latin1, 'latin1').toString();

/**
 * Parses records of `--raw -z` (`:100644 100644 <id> <id> M`, a path, and after `R100` two paths) up
 * to the first thing that is none: https://git-scm.com/docs/git-diff#_raw_output_format
 */
function parseRecords(output: string) {
  const fields = output.split('\0');
  const files: ChangedFile[] = [];
  let at = 0;
  const next = () => fields[at++] ?? '';
  while (fields[at]?.startsWith(':')) {
    const [oldMode = '', mode = '', oldId = '', id = '', letter = ''] = next().slice(1).split(' ');
    const status = STATUS[letter.charAt(0)] ?? 'modified';
    const previous = status === 'renamed' ? { previous: decode(next()) } : {};
    const isSubmodule = [oldMode, mode].includes(SUBMODULE);
    const sides = { oldMode, mode, oldId, id, isSubmodule };
    files.push({ path: decode(next()), ...previous, status, ...sides });
  }
  return { files, rest: fields.slice(at) };
}

/** The beginning of a patch, the bytes of all of it, and a hash of its changed lines. */
interface Patch {
  text: string;
  size: number;
  readonly lines: Hash;
}

/** Reads the whole output, piece by piece. Keeps at most `limit` bytes of each patch. */
export class DiffReader {
  readonly #limit: number;
  /** What comes before the patches. `undefined` until it is complete. */
  #head: string | undefined;
  #unread = '';
  readonly #patches: Patch[] = [];
  #isBody = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  write(piece: Buffer): void {
    this.#unread += piece.toString('latin1');
    if (this.#head === undefined) {
      const end = this.#unread.indexOf('\0\0');
      if (end === -1) return;
      this.#head = this.#unread.slice(0, end + 1);
      this.#unread = this.#unread.slice(end + 2);
    }
    const lines = this.#unread.split('\n');
    this.#unread = lines.pop() ?? '';
    for (const line of lines) this.#readLine(line);
  }

  #readLine(line: string): void {
    // Within a patch, each line begins with a space, a sign, or `\`.
    if (line.startsWith('diff --git ')) {
      this.#patches.push({ text: '', size: 0, lines: createHash('sha256') });
      this.#isBody = false;
      return;
    }
    this.#isBody ||= line.startsWith('@@ ');
    const patch = this.#patches.at(-1);
    if (patch === undefined || !this.#isBody) return;
    if (/^[+-]/.test(line)) patch.lines.update(`${line}\n`, 'latin1');
    patch.text += `${line}\n`.slice(0, Math.max(0, this.#limit - patch.size));
    patch.size += line.length + 1;
  }

  /** `isCut`: git was stopped in the middle of a patch. */
  end(isCut: boolean): readonly FileDiff[] {
    const { files, rest } = parseRecords(this.#head ?? this.#unread);
    if (isCut) this.#patches.pop();
    let field = 0;
    let at = 0;
    return files.map((file) => {
      const [additions, deletions] = (rest[field] ?? '').split('\t');
      // A renamed file has its two paths in fields of their own.
      field += file.previous === undefined ? 1 : 3;
      const count = isTurned(file) ? 2 : 1;
      const found = this.#patches.slice(at, at + count);
      at += count;
      const size = found.reduce((sum, patch) => sum + patch.size, 0);
      return {
        ...file,
        additions: Number(additions) || 0,
        deletions: Number(deletions) || 0,
        isBinary: additions === '-',
        patch: decode(found.map(({ text }) => text).join('')),
        isWhole: found.length === count && size <= this.#limit,
        // A binary file has no lines, so its content counts.
        linesHash: size === 0 ? file.id : found.map(({ lines }) => lines.digest('hex')).join(),
      };
    });
  }
}

/** Whether a file became a link or a submodule, or the other way: git writes two patches then. */
const isTurned = ({ oldMode, mode }: ChangedFile) =>
  isThere(oldMode) && isThere(mode) && oldMode.slice(0, 2) !== mode.slice(0, 2);
