/**
 * Reads what `git diff-tree -z --raw --numstat --patch` writes. Bytes are read as Latin-1, one
 * character each, because files and paths need not be UTF-8; what is kept is decoded.
 */
import { createHash, type Hash } from 'node:crypto';

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

/** The beginning of a patch, the size of all of it in bytes, and a hash of its changed lines. */
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

  /** Returns what was read. `isCut`: git was stopped in the middle of a patch. */
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
        lines: size === 0 ? file.id : found.map(({ lines }) => lines.digest('hex')).join(),
      };
    });
  }
}

/** Whether a file became a link or a submodule, or the other way: git writes two patches then. */
const isTurned = ({ oldMode, mode }: ChangedFile) =>
  isThere(oldMode) && isThere(mode) && oldMode.slice(0, 2) !== mode.slice(0, 2);
