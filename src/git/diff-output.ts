/**
 * Reads what `git diff-tree -z --raw --numstat --patch` writes. Bytes are read as Latin-1, one
 * character each, because files and paths need not be UTF-8; what is kept is decoded.
 */
import { createHash } from 'node:crypto';

/** A file that differs. */
export interface ChangedFile {
  readonly path: string;
  /** The old path of a renamed file. */
  readonly previous?: string;
  readonly status: 'added' | 'removed' | 'modified' | 'renamed';
  /** Git's modes and object ids: zeros where there is no file. */
  readonly oldMode: string;
  readonly mode: string;
  readonly oldId: string;
  readonly id: string;
  readonly isSubmodule: boolean;
}

export interface FileDiff extends ChangedFile {
  /** Lines. 0 for a binary file. */
  readonly additions: number;
  readonly deletions: number;
  readonly isBinary: boolean;
  /** From the first `@@` on. Empty for a binary file, and where only the mode or path changed. */
  readonly patch: string;
  /** Whether `patch` is all of it. */
  readonly isWhole: boolean;
  /** A hash of the added and removed lines: it stays the same when the lines around them change. */
  readonly lines: string;
}

export const SUBMODULE = '160000';
export const isThere = (mode: string) => !/^0+$/.test(mode);

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
export function parseRecords(output: string): {
  readonly files: readonly ChangedFile[];
  readonly rest: readonly string[];
} {
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

/**
 * Parses the whole output. Keeps at most `limit` bytes of each patch. `isCut`: git was stopped in
 * the middle of a patch.
 */
export function parseDiffs(output: Buffer, limit: number, isCut: boolean): readonly FileDiff[] {
  // Without the last line break, each patch ends like the others do where they are split.
  const text = output.toString('latin1', 0, output.length - 1);
  // Between the counts and the patches.
  const end = text.indexOf('\0\0');
  const { files, rest } = parseRecords(text.slice(0, end + 1));
  // Within a patch each line begins with a space, a sign, or `\`.
  const patches = text.slice(end + 2).split('\ndiff --git ');
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
    const isComplete = found.length === count;
    const patch = isComplete ? found.map(bodyOf).join('') : '';
    const lines = patch.split('\n').filter((line) => line.startsWith('+') || line.startsWith('-'));
    const hash = createHash('sha256').update(lines.join('\n'), 'latin1').digest('hex');
    return {
      ...file,
      additions: Number(additions) || 0,
      deletions: Number(deletions) || 0,
      isBinary: additions === '-',
      patch: decode(patch.slice(0, limit)),
      isWhole: isComplete && patch.length <= limit,
      // A binary file has no lines, so its content counts.
      lines: patch === '' ? file.id : hash,
    };
  });
}

function bodyOf(patch: string): string {
  const start = patch.indexOf('\n@@ ') + 1;
  return start === 0 ? '' : `${patch.slice(start)}\n`;
}

/** Whether a file became a link or a submodule, or the other way: git writes two patches then. */
const isTurned = ({ oldMode, mode }: ChangedFile) =>
  isThere(oldMode) && isThere(mode) && oldMode.slice(0, 2) !== mode.slice(0, 2);
