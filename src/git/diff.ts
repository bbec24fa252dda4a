/**
 * What changed between two commits, by git. Its output is read as Latin-1, one character for each
 * byte, because files and paths need not be UTF-8; what is kept is decoded.
 */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { StepError } from '../errors.ts';
import { REMOTE } from './process.ts';
import type { Repository } from './repository.ts';
import { type TreeEntry, writeTree } from './tree.ts';

export interface ChangedFile {
  readonly path: string;
  readonly previous?: string;
  readonly status: 'added' | 'removed' | 'modified' | 'renamed';
  /** Git's modes and object ids: all zeros where there is no file. */
  readonly oldMode: string;
  readonly mode: string;
  readonly oldId: string;
  readonly id: string;
  /** The commits of a submodule, the old one first. Empty for a file. */
  readonly submodule: readonly string[];
}

export interface FileDiff extends ChangedFile {
  /** In lines. 0 for a binary file. */
  readonly additions: number;
  readonly deletions: number;
  /** Whether its beginning says so. */
  readonly isGenerated: boolean;
  /**
   * From the first `@@` on. Empty for a binary file, where only the mode or path changed, and past
   * 64 MB.
   */
  readonly patch: string;
  /** A hash of the added and removed lines alone. */
  readonly linesHash: string;
}

const SUBMODULE = '160000';
const isThere = (mode: string) => !/^0+$/.test(mode);
/** Whether a file became a link or a submodule, or the other way: git writes two patches then. */
const isTurned = ({ oldMode, mode }: ChangedFile) =>
  isThere(oldMode) && isThere(mode) && oldMode.slice(0, 2) !== mode.slice(0, 2);
/** Whether only the mode or the path changed. */
const isSame = (file: ChangedFile) => file.oldId === file.id && !isTurned(file);

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

/**
 * The paths that each commit changes: of a merge, compared with its first parent. With one request,
 * because a parent may lie outside a range. Throws a `StepError`.
 */
export async function changedPaths(
  repo: Repository,
  commits: readonly { readonly sha: string; readonly parents: readonly string[] }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = commits.map(({ sha, parents }) => [sha, ...parents.slice(0, 1)]);
  await fetchObjects(repo, rows.flat(), '--depth=1');
  const input = rows.map((row) => `${row.join(' ')}\n`).join('');
  const shape = ['--stdin', '--root', '--always', '-r', '-z', '--name-status', '--no-renames'];
  const { output } = await repo.local(['diff-tree', ...shape], { input });
  const found = new Map<string, string[]>();
  let paths: string[] = [];
  // A commit, and for each of its changes a letter and a path.
  const fields = output.toString('latin1').matchAll(/([0-9a-f]{40})\0|[A-Z]\0([^\0]+)\0/g);
  for (const [, sha, path = ''] of fields) {
    if (sha === undefined) paths.push(decodePath(path));
    else {
      paths = [];
      found.set(sha, paths);
    }
  }
  return found;
}

/** The old and the new files, without what is not there. */
const sidesOf = (files: readonly ChangedFile[]): readonly (readonly TreeEntry[])[] =>
  [files.map(({ oldMode: mode, oldId: id, path }) => ({ mode, id, path })), files].map((entries) =>
    entries.filter(({ mode }) => isThere(mode)),
  );

/** Fetches what `diffOf` reads of these files, with one request. Throws a `StepError`. */
export async function fetchContents(
  repo: Repository,
  files: readonly ChangedFile[],
): Promise<void> {
  const entries = sidesOf(files.filter((file) => !isSame(file))).flat();
  // The contents of submodules are elsewhere.
  const blobs = entries.filter(({ mode }) => mode !== SUBMODULE);
  const ids = blobs.map(({ id }) => id);
  await fetchObjects(repo, ids);
}

const SHAPE =
  '-r -z --raw --numstat --patch --no-abbrev -M -l1000 --submodule=short --no-ext-diff --no-textconv --no-color --diff-algorithm=myers --unified=3';

/**
 * Reads counts and patches of chosen files, and fetches the contents that are not here yet. A file
 * that was renamed and changed is one file here, if both of its paths are chosen. Past 64 MB of
 * patches, files have only counts. Throws a `StepError`.
 */
export async function diffOf(
  repo: Repository,
  files: readonly ChangedFile[],
): Promise<readonly FileDiff[]> {
  const counts = { additions: 0, deletions: 0, isGenerated: false };
  const unchanged = { ...counts, patch: '', linesHash: '' };
  const diffs: FileDiff[] = files.filter(isSame).map((file) => ({ ...file, ...unchanged }));
  const others = files.filter((file) => !isSame(file));
  if (others.length > 0) {
    await fetchContents(repo, others);
    // Git sees these files alone, without paths as arguments, which are short on Windows.
    const trees = await Promise.all(sidesOf(others).map((entries) => writeTree(repo, entries)));
    const [{ output, isCut }, generated] = await Promise.all([
      outputOf(repo, ['diff-tree', ...SHAPE.split(' '), ...trees]),
      generatedIn(repo, trees.at(-1) ?? ''),
    ]);
    for (const file of parseDiffs(output, isCut))
      diffs.push({ ...file, isGenerated: generated.has(file.path) });
  }
  return diffs.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What git writes, of which 64 MB are kept. */
async function outputOf(repo: Repository, args: readonly string[]) {
  const pieces: Buffer[] = [];
  const onOutput = (piece: Buffer) => void pieces.push(piece);
  const { status } = await repo.local(args, { onOutput });
  return { output: Buffer.concat(pieces).toString('latin1'), isCut: status === 'output-limit' };
}

/**
 * Go's mark (https://go.dev/s/generatedcode), as other languages write it too, and the one that
 * Meta's tools, rustfmt and Buf know. At the start of a comment, so that a file about them has none.
 */
const GENERATED =
  '^[^[:alnum:]"\'`]*(Code generated .*DO NOT EDIT|(This file (is|was) (automatically )?)?@generated([^[:alnum:]_]|$))';
/** A license may come first: https://github.com/github-linguist/linguist looks as far. */
const MAX_MARK_LINE = 40;

/** The files of a tree that say that they are generated. */
async function generatedIn(repo: Repository, tree: string): Promise<ReadonlySet<string>> {
  const args = ['grep', '-z', '--line-number', '--only-matching', '-I', '-E', GENERATED, tree];
  // Pages quote these marks in samples.
  const code = ['--', ':!*.md', ':!*.mdx'];
  const { output } = await outputOf(repo, [...args, ...code]).catch((error: unknown) => {
    // Git ends with 1 if it finds none. No prompt depends on it.
    if (error instanceof StepError) return { output: '' };
    throw error;
  });
  const marks = output.matchAll(new RegExp(`^${tree}:([^\\0]+)\\0(\\d+)[\\0:]`, 'gm'));
  const early = [...marks].filter(([, , line]) => Number(line) <= MAX_MARK_LINE);
  return new Set(early.map(([, path = '']) => decode(path)));
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

/** Writes out what is not UTF-8 as git does (`\351`), so that two paths stay two. */
const decodePath = (latin1: string) =>
  isUtf8(Buffer.from(latin1, 'latin1'))
    ? decode(latin1)
    : latin1.replace(/[\x80-\xff]/g, (byte) => `\\${byte.charCodeAt(0).toString(8)}`);

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
    const previous = status === 'renamed' ? { previous: decodePath(next()) } : {};
    const submodule = [
      ...(oldMode === SUBMODULE ? [oldId] : []),
      ...(mode === SUBMODULE ? [id] : []),
    ];
    const sides = { oldMode, mode, oldId, id, submodule };
    files.push({ path: decodePath(next()), ...previous, status, ...sides });
  }
  return { files, rest: fields.slice(at) };
}

/** Parses records, counts and patches. `isCut`: git was stopped in the middle of a patch. */
function parseDiffs(output: string, isCut: boolean): readonly Omit<FileDiff, 'isGenerated'>[] {
  const end = output.indexOf('\0\0');
  const { files, rest } = parseRecords(output.slice(0, end));
  // Each line of a patch begins with a space, a sign, or `\`.
  const patches = output.slice(end + 2, -1).split('\ndiff --git ');
  if (isCut) patches.pop();
  let field = 0;
  let at = 0;
  return files.map((file) => {
    const [additions, deletions] = (rest[field] ?? '').split('\t');
    // A renamed file has its two paths in fields of their own.
    field += file.previous === undefined ? 1 : 3;
    const count = isTurned(file) ? 2 : 1;
    const found = patches.slice(at, at + count);
    at += count;
    const patch = found.length < count ? '' : found.flatMap(hunksOf).join('\n');
    return {
      ...file,
      additions: Number(additions) || 0,
      deletions: Number(deletions) || 0,
      patch: decode(patch),
      // A binary file has no lines, so its content counts.
      linesHash: patch === '' ? file.id : hashOf(patch),
    };
  });
}

/** What follows the header, if anything does. */
function hunksOf(patch: string): readonly string[] {
  const start = patch.indexOf('\n@@ ');
  return start === -1 ? [] : [patch.slice(start + 1)];
}

function hashOf(patch: string): string {
  const lines = createHash('sha256');
  for (const line of patch.split('\n')) {
    if (/^[+-]/.test(line)) lines.update(`${line}\n`, 'latin1');
  }
  return lines.digest('hex');
}
