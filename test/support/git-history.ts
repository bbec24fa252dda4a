/** A local clone of a repository that responds like GitHub's API, with GitHub's limits. */
import { execFileSync, spawnSync } from 'node:child_process';
import { devNull } from 'node:os';
import type { Comparison, FakeFile, GitBackend } from './github-service.ts';

/** GitHub's limits for a comparison: the lines and bytes of all patches. */
const [MAX_LINES, MAX_BYTES] = [20_000, 1_000_000];
const MAX_PATCH_BYTES = 500_000;

const STATUSES: Readonly<Record<string, string>> = {
  ...{ A: 'added', C: 'copied', D: 'removed', M: 'modified', R: 'renamed', T: 'changed' },
};

export class GitHistory implements GitBackend {
  readonly #folder: string;
  /** Cached, because each page of a comparison asks for it again. */
  readonly #compared = new Map<string, Comparison>();

  /** `folder` is the clone or its git directory, and stays unchanged. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns what git prints. Throws when git fails. */
  git(...args: readonly string[]): string {
    const options = { cwd: this.#folder, encoding: 'utf8', maxBuffer: 2 ** 29 } as const;
    // Ignore the machine's own settings.
    const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull };
    return execFileSync('git', args, { ...options, env, stdio: ['ignore', 'pipe', 'ignore'] });
  }

  /** The ID of the commit that a name leads to. */
  sha(name: string): string {
    return this.git('rev-parse', `${name}^{commit}`).trim();
  }

  compare(base: string, head: string) {
    const name = `${base}...${head}`;
    const known = this.#compared.get(name);
    const [from, to] = [this.#resolve(base), this.#resolve(head)];
    if (known !== undefined || from === undefined || to === undefined) return known;
    const body = this.#compare(from, to);
    this.#compared.set(name, body);
    return body;
  }

  #compare(base: string, head: string): Comparison {
    const counts = this.git('rev-list', '--left-right', '--count', `${base}...${head}`);
    const [behind = 0, ahead = 0] = counts.split('\t').map(Number);
    const diverged = ahead > 0 ? 'diverged' : 'behind';
    const mergeBase = this.git('merge-base', base, head).trim();
    return {
      status: behind > 0 ? diverged : ahead > 0 ? 'ahead' : 'identical',
      merge_base_commit: this.commit(mergeBase),
      total_commits: ahead,
      commits: this.commits(base, head),
      files: withLimits(this.files(mergeBase, head)),
    };
  }

  /** Oldest first. */
  commits(base: string, head: string) {
    return this.#log('--reverse', `${base}..${head}`);
  }

  #log(...args: readonly string[]) {
    const format = '--format=%H%x00%P%x00%an%x00%T%x00%B%x01';
    const rows = this.git('log', format, ...args).split('\x01');
    return rows.slice(0, -1).map((row) => {
      const [sha = '', ids = '', name = '', tree = '', text = ''] = row.trimStart().split('\0');
      const parents = ids.split(' ').flatMap((id) => (id === '' ? [] : { sha: id }));
      const commit = { message: text.trimEnd(), author: { name }, tree: { sha: tree } };
      return { sha, parents, commit };
    });
  }

  commit(ref: string) {
    const sha = this.#resolve(ref);
    return sha === undefined ? undefined : this.#log('-1', sha)[0];
  }

  /**
   * Resolves a ref as GitHub does: a branch before a tag with the same name, and no object ID of a
   * tag.
   */
  #resolve(ref: string): string | undefined {
    const isFull = /^(?:heads|tags)\//.test(ref);
    for (const name of [
      ...(isFull ? [] : [`refs/heads/${ref}`, `refs/tags/${ref}`]),
      isFull ? `refs/${ref}` : ref,
    ]) {
      const sha = this.#ask('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
      if (sha !== '') return name === ref && this.#typeOf(ref) === 'tag' ? undefined : sha;
    }
    return undefined;
  }

  tagObject(id: string) {
    if (this.#typeOf(id) !== 'tag') return undefined;
    const [, sha = '', type = ''] =
      /^object (\w+)\ntype (\w+)$/m.exec(this.git('cat-file', 'tag', id)) ?? [];
    return { sha: id, object: { sha, type } };
  }

  #typeOf(id: string): string {
    return this.#ask('cat-file', '-t', id);
  }

  /** Returns what git prints, which is nothing when it fails. */
  #ask(...args: readonly string[]): string {
    const options = { cwd: this.#folder, encoding: 'utf8' } as const;
    return spawnSync('git', args, options).stdout.trim();
  }

  /** Returns every changed file with its counts and its whole patch. `renames` is git's option. */
  files(base: string, head: string, renames = '-M'): readonly FakeFile[] {
    const range = [renames, '--no-ext-diff', '--no-textconv', base, head];
    const raw = this.git('diff', '--raw', '-z', '--no-abbrev', ...range).split('\0');
    const names: Pick<FakeFile, 'filename' | 'status' | 'sha' | 'previous_filename'>[] = [];
    while (raw.length > 1) {
      const [, , before = '', after = '', letter = ''] = (raw.shift() ?? '').split(' ');
      const status = STATUSES[letter.charAt(0)] ?? 'changed';
      const sha = status === 'removed' ? before : after;
      const first = raw.shift() ?? '';
      const isPair = letter.startsWith('R') || letter.startsWith('C');
      const pair = isPair ? { filename: raw.shift() ?? '', previous_filename: first } : undefined;
      names.push({ filename: first, ...pair, status, sha });
    }
    const texts = this.git('diff', '--full-index', ...range)
      .split(/^diff --git .*\n/m)
      .slice(1);
    return names.map((file, index) => {
      const text = texts[index] ?? '';
      const start = text.search(/^@@/m);
      if (start === -1) return { ...file, additions: 0, deletions: 0 };
      const patch = text.slice(start).replace(/\n$/, '');
      const count = (mark: string) => patch.split(`\n${mark}`).length - 1;
      return { ...file, additions: count('+'), deletions: count('-'), patch };
    });
  }

  tree(sha: string) {
    const rows = this.git('ls-tree', '-r', '-l', '-z', sha).split('\0').filter(Boolean);
    const tree = rows.map((row) => {
      const [, mode = '', type = '', id = '', size = '', path = ''] =
        /^(\d+) (\w+) (\w+) +(\S+)\t(.*)$/s.exec(row) ?? [];
      return { path, mode, type, sha: id, size: Number(size) };
    });
    return { tree, truncated: false };
  }

  blob(id: string): Buffer | undefined {
    const options = { cwd: this.#folder, maxBuffer: 2 ** 29 };
    const { status, stdout } = spawnSync('git', ['cat-file', 'blob', id], options);
    return status === 0 ? stdout : undefined;
  }

  refs() {
    const rows = this.git('for-each-ref', '--format=%(refname) %(objectname)').trim().split('\n');
    return rows.map((row) => row.split(' ')).map(([ref = '', sha = '']) => ({ ref, sha }));
  }
}

/** Leaves out what GitHub does: large patches, and beyond its limits the counts too. */
function withLimits(files: readonly FakeFile[]): readonly FakeFile[] {
  let [lines, bytes] = [0, 0];
  return files.map((file) => {
    const { patch = '', additions = 0, deletions = 0, ...named } = file;
    if (patch.length > MAX_PATCH_BYTES) return { ...named, additions, deletions };
    lines += patch.split('\n').length;
    bytes += patch.length;
    const isOver = lines > MAX_LINES || bytes > MAX_BYTES;
    return isOver ? { ...named, additions: 0, deletions: 0 } : file;
  });
}
