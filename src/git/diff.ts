/** What changed between two commits, by git. */
import { createHash } from 'node:crypto';
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
}

export interface FileDiff extends ChangedFile {
  /** Lines. 0 for a binary file. */
  readonly additions: number;
  readonly deletions: number;
  /** Whether its beginning says so. */
  readonly isGenerated: boolean;
  /** From the first `@@` on. Empty for a binary file, without changed lines, and past 64 MB. */
  readonly patch: string;
}

/** The mode of a submodule, whose id is a commit of another repository. */
export const SUBMODULE = '160000';

/** Whether a file became a link or a submodule, or the other way: git writes two patches then. */
const isTurned = ({ status, oldMode, mode }: ChangedFile) =>
  status === 'modified' && oldMode.slice(0, 2) !== mode.slice(0, 2);
const hasSameContent = (file: ChangedFile) => file.oldId === file.id && !isTurned(file);

async function fetchObjects(repo: Repository, ids: readonly string[], ...options: string[]) {
  const missing = [...new Set(ids)].filter((id) => !repo.fetched.has(id));
  if (missing.length === 0) return;
  const { fault } = await repo.fetch([...options, '--stdin', REMOTE], `${missing.join('\n')}\n`);
  if (fault !== undefined) throw fault.error;
  for (const id of missing) repo.fetched.add(id);
}

/** The files that differ, in git's order. Sees only exact renames. Throws a `StepError`. */
export async function changedFiles(repo: Repository, from: string, to: string) {
  await fetchObjects(repo, [from, to], '--depth=1');
  const shape = ['-r', '-z', '--raw', '--no-abbrev', '-M100%'];
  const { output } = await repo.local(['diff-tree', ...shape, from, to]);
  return parseRecords(`${output}`).files;
}

/** The paths that each commit changes, compared with its first parent. Throws a `StepError`. */
export async function changedPaths(
  repo: Repository,
  commits: readonly { readonly sha: string; readonly parents: readonly string[] }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = commits.map(({ sha, parents }) => [sha, ...parents.slice(0, 1)]);
  await fetchObjects(repo, rows.flat(), '--depth=1');
  const input = rows.map((row) => `${row.join(' ')}\n`).join('');
  const shape = ['--stdin', '--root', '--always', '-r', '-z', '--name-status', '--no-renames'];
  const { output } = await repo.local(['diff-tree', ...shape], input);
  const found = new Map<string, string[]>();
  let paths: string[] = [];
  // A commit, and for each of its changes a letter and a path.
  for (const [, sha, path = ''] of `${output}`.matchAll(/([0-9a-f]{40})\0|[A-Z]\0([^\0]+)\0/g)) {
    if (sha === undefined) paths.push(path);
    else {
      paths = [];
      found.set(sha, paths);
    }
  }
  return found;
}

type TreeEntry = Pick<ChangedFile, 'mode' | 'id' | 'path'>;

/** The old and the new files whose contents are compared. */
function sidesOf(files: readonly ChangedFile[]) {
  const changed = files.filter((file) => !hasSameContent(file));
  const before = changed
    .filter(({ status }) => status !== 'added')
    .map(({ oldMode: mode, oldId: id, path }): TreeEntry => ({ mode, id, path }));
  return { before, after: changed.filter(({ status }) => status !== 'removed') };
}

/**
 * Writes one tree with whole paths as its names, which git reads as their folders:
 * https://git-scm.com/docs/git-fsck#Documentation/git-fsck.txt-fullPathname
 */
function writeTree(repo: Repository, files: readonly TreeEntry[]): Promise<string> {
  const rows = files.map(({ mode, path, id }) => ({ mode, id, name: Buffer.from(path) }));
  // A name that is no UTF-8 has other bytes here than where git listed it.
  const sorted = rows.toSorted((a, b) => Buffer.compare(a.name, b.name));
  const parts = sorted.flatMap(({ mode, id, name }) => [
    ...[Buffer.from(`${mode} `), name, Buffer.of(0), Buffer.from(id, 'hex')],
  ]);
  return repo.writeObject('tree', Buffer.concat(parts));
}

const SHAPE =
  '-r -z --raw --numstat --patch --no-abbrev -M -l1000 --submodule=short --no-ext-diff --no-textconv --no-color --diff-algorithm=myers --unified=3';

/**
 * Counts and patches of chosen files, in git's order. A file that was renamed and changed is one here,
 * if both of its paths are chosen. Past 64 MB, there are only counts. Throws a `StepError`.
 */
export async function diffOf(
  repo: Repository,
  files: readonly ChangedFile[],
): Promise<readonly FileDiff[]> {
  const { before, after } = sidesOf(files);
  const blobs = [...before, ...after].filter(({ mode }) => mode !== SUBMODULE);
  await fetchObjects(
    repo,
    blobs.map(({ id }) => id),
  );
  // Git sees these files alone, without paths as arguments, which are short on Windows.
  const from = await writeTree(repo, before);
  const to = await writeTree(repo, after);
  const [{ output, status }, generated] = await Promise.all([
    repo.local(['diff-tree', ...SHAPE.split(' '), from, to]),
    generatedIn(repo, to),
  ]);
  const unchanged = { additions: 0, deletions: 0, patch: '' };
  const same = files.filter(hasSameContent).map((file) => ({ ...file, ...unchanged }));
  return [...parseDiffs(`${output}`, status === 'output-limit'), ...same]
    .map((file) => ({ ...file, isGenerated: generated.has(file.path) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

// Go's mark (https://go.dev/s/generatedcode), as other languages write it too, and the one of Meta's
// tools, rustfmt and Buf. At the start of a comment, so that a file about them has none.
const GENERATED_MARK =
  '^[^[:alnum:]"\'`]*(Code generated .*DO NOT EDIT|(This file (is|was) (automatically )?)?@generated([^[:alnum:]_]|$))';
/** A license may come first: https://github.com/github-linguist/linguist looks as far. */
const MAX_MARK_LINE = 40;

/** The files of a tree that say that they are generated. Pages only quote these marks. */
async function generatedIn(repo: Repository, tree: string): Promise<ReadonlySet<string>> {
  const args = ['-z', '--line-number', '--only-matching', '-I', '-E', GENERATED_MARK, tree];
  const grep = repo.local(['grep', ...args, '--', ':!*.md', ':!*.mdx']);
  // It fails if it finds none. On a cancel, the diff beside it rejects.
  const { output } = await grep.catch(() => ({ output: '' }));
  const marks = `${output}`.matchAll(new RegExp(`^${tree}:([^\\0]+)\\0(\\d+)[\\0:]`, 'gm'));
  const early = [...marks].filter(([, , line]) => Number(line) <= MAX_MARK_LINE);
  return new Set(early.map(([, path = '']) => path));
}

/** A hash of the changed lines, which survives a rebase and "Update branch", and sees white space. */
export function fingerprint(files: readonly FileDiff[]): string {
  const rows = files.map(({ path, previous, status, oldMode, mode, oldId, id, patch }) => {
    const lines = patch.split('\n').filter((line) => /^[+-]/.test(line));
    // A binary file has no lines, so its content counts.
    const content = patch === '' && oldId !== id ? id : lines;
    return JSON.stringify([path, previous, status, oldMode === mode ? '' : mode, content]);
  });
  return createHash('sha256').update(rows.sort().join('\n')).digest('hex');
}

const STATUS: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  D: 'removed',
  R: 'renamed',
};

// A record is `:100644 100644 <id> <id> M` and a path, or after `R100` two paths:
// https://git-scm.com/docs/git-diff#_raw_output_format
function parseRecords(output: string) {
  const fields = output.split('\0');
  const files: ChangedFile[] = [];
  let at = 0;
  const next = () => fields[at++] ?? '';
  while (fields[at]?.startsWith(':')) {
    const [oldMode = '', mode = '', oldId = '', id = '', letter = ''] = next().slice(1).split(' ');
    const status = STATUS[letter.charAt(0)] ?? 'modified';
    const previous = status === 'renamed' ? { previous: next() } : {};
    files.push({ path: next(), ...previous, status, oldMode, mode, oldId, id });
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
  let [countAt, patchAt] = [0, 0];
  return files.map((file) => {
    const [additions, deletions] = rest[countAt]?.split('\t') ?? [];
    // A renamed file has its two paths in fields of their own.
    countAt += file.previous === undefined ? 1 : 3;
    const own = patches.slice(patchAt, patchAt + (isTurned(file) ? 2 : 1));
    patchAt += own.length;
    const patch = own.map(hunksOf).filter((hunks) => hunks !== '');
    const counts = { additions: Number(additions) || 0, deletions: Number(deletions) || 0 };
    return { ...file, ...counts, patch: patch.join('\n') };
  });
}

function hunksOf(patch: string): string {
  const start = patch.indexOf('\n@@ ');
  return start === -1 ? '' : patch.slice(start + 1);
}
