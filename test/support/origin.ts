/** A bare repository in a temporary folder, as it would lie on a server. Commits are written without a process. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';

type Mode = '100644' | '100755' | '120000' | '160000';

/** A file of a commit, whose content is an object already. */
interface Entry {
  readonly mode: Mode;
  readonly id: string;
}

/** The content of a file; with a mode for executable files, links (`120000`) and submodules. */
export type FileContent =
  | string
  | Buffer
  | { readonly mode: Mode; readonly content: string }
  | Entry;

export interface NewCommit {
  /** What differs from the first parent, by path. `null` deletes the file. */
  readonly files?: Readonly<Record<string, FileContent | null>>;
  /** The default is `A commit`. */
  readonly message?: string;
  /** Object ids. The default is none. */
  readonly parents?: readonly string[];
  /** The default is `A Person <person@example.com>`. */
  readonly author?: string;
}

interface StoredCommit {
  readonly message: string;
  readonly parents: readonly string[];
  readonly author: string;
  /** All its files, by path. */
  readonly files: ReadonlyMap<string, Entry>;
}

const CONFIG = `[core]
  repositoryformatversion = 0
  bare = true
  fsync = none
[uploadpack]
  allowFilter = true
  allowAnySHA1InWant = true
[receive]
  autogc = false
[gc]
  auto = 0
`;

/** Of git as the tests run it: nothing of the person who runs them. */
export const plainGitEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  LC_ALL: 'C',
});

export class Origin implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'docs-agent-job-origin-'));
  /** The commits that were written here, oldest first. Each is a second younger than the last. */
  readonly commits = new Map<string, StoredCommit>();

  constructor() {
    for (const folder of ['objects', 'refs', 'hooks']) mkdirSync(join(this.path, folder));
    writeFileSync(join(this.path, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(this.path, 'config'), CONFIG);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Runs git in the repository and returns what it writes, without the last line break. */
  readonly git = (...args: readonly string[]): string => {
    const env = { ...plainGitEnvironment(), GIT_DIR: this.path };
    const options = { cwd: this.path, env, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
    return execFileSync('git', args, options).replace(/\n$/, '');
  };

  /** Writes a commit and returns its id. No ref points to it yet. */
  commit({ files = {}, message = 'A commit', parents = [], author }: NewCommit): string {
    const all = new Map(this.commits.get(parents[0] ?? '')?.files);
    for (const [name, file] of Object.entries(files)) {
      if (file === null) all.delete(name);
      else all.set(name, this.#entry(file));
    }
    const by = author ?? 'A Person <person@example.com>';
    const stamp = `${by} ${1_750_000_000 + this.commits.size} +0000`;
    const head = [
      `tree ${this.#writeTree(all)}`,
      ...parents.map((parent) => `parent ${parent}`),
      `author ${stamp}`,
      `committer ${stamp}`,
    ];
    const sha = this.#write('commit', Buffer.from(`${head.join('\n')}\n\n${message}\n`));
    this.commits.set(sha, { message, parents, author: by, files: all });
    return sha;
  }

  /** Writes an annotated tag of a commit and returns the tag's object id. No ref points to it yet. */
  annotate(name: string, sha: string): string {
    const head = `object ${sha}\ntype commit\ntag ${name}\ntagger A Person <person@example.com> 1750000000 +0000`;
    return this.#write('tag', Buffer.from(`${head}\n\n${name}\n`));
  }

  /** Sets a ref (`refs/heads/main`), or deletes it. */
  setRef(ref: string, sha: string | null): void {
    const file = join(this.path, ref);
    mkdirSync(dirname(file), { recursive: true });
    if (sha === null) rmSync(file, { force: true });
    else writeFileSync(file, `${sha}\n`);
  }

  /** The ids that the refs point to, by name. */
  refs(): ReadonlyMap<string, string> {
    const rows = this.git('for-each-ref', '--format=%(refname) %(objectname)');
    const pairs = [...rows.matchAll(/^(.+) (.+)$/gm)];
    return new Map(pairs.map(([, name = '', id = '']) => [name, id]));
  }

  /** The id of the commit that a ref, an id, or the beginning of an id names. */
  find(name: string): string | undefined {
    if (name.startsWith('refs/')) {
      const file = join(this.path, name);
      const isThere = statSync(file, { throwIfNoEntry: false })?.isFile();
      if (!isThere) return undefined;
      const id = readFileSync(file, 'utf8').trim();
      // Of an annotated tag, its commit.
      return /^tag \d+\0object (\w+)/.exec(this.read(id))?.[1] ?? id;
    }
    const id = name.toLowerCase();
    if (!/^[0-9a-f]{4,}$/.test(id)) return undefined;
    return [...this.commits.keys()].find(
      (sha) => sha.startsWith(id) && existsSync(this.#file(sha)),
    );
  }

  /** An object, after its kind and size: `commit 200\0tree ...`. It is in no pack. */
  read(id: string): string {
    return inflateSync(readFileSync(this.#file(id))).toString();
  }

  /** Removes an object. */
  forget(sha: string): void {
    rmSync(this.#file(sha));
  }

  /** The commits of `from..to`, oldest first. */
  between(from: string, to: string): readonly string[] {
    return this.git('rev-list', '--reverse', `${from}..${to}`).split('\n').filter(Boolean);
  }

  /** The last commit that both contain, if any. */
  mergeBase(a: string, b: string): string | undefined {
    try {
      return this.git('merge-base', a, b);
    } catch {
      return undefined;
    }
  }

  /**
   * What `head` changes since `from`, or else what a merge of `head` into `base` changes there. A file
   * that both changed is taken from `head`.
   */
  changes(base: string, head: string, from = this.mergeBase(base, head) ?? base) {
    const before = this.commits.get(from)?.files ?? new Map<string, Entry>();
    const after = this.commits.get(head)?.files ?? new Map<string, Entry>();
    const paths = [...new Set([...before.keys(), ...after.keys()])].filter((path) => {
      const [old, now] = [before.get(path), after.get(path)];
      return old?.id !== now?.id || old?.mode !== now?.mode;
    });
    return Object.fromEntries(paths.map((path) => [path, after.get(path) ?? null]));
  }

  /** Installs a hook, a shell script. `null` removes it. */
  setHook(name: string, script: string | null): void {
    const file = join(this.path, 'hooks', name);
    rmSync(file, { force: true });
    if (script === null) return;
    writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  #file(id: string): string {
    return join(this.path, 'objects', id.slice(0, 2), id.slice(2));
  }

  #write(kind: 'commit' | 'tree' | 'blob' | 'tag', content: Buffer): string {
    const object = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
    const id = createHash('sha1').update(object).digest('hex');
    const file = this.#file(id);
    if (!existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, deflateSync(object, { level: 1 }));
    }
    return id;
  }

  #entry(file: FileContent): Entry {
    if (typeof file === 'object' && 'id' in file) return file;
    const { mode, content } =
      typeof file === 'string' || Buffer.isBuffer(file)
        ? { mode: '100644' as const, content: file }
        : file;
    if (mode === '160000') return { mode, id: `${content}` };
    return { mode, id: this.#write('blob', Buffer.from(content)) };
  }

  #writeTree(files: ReadonlyMap<string, Entry>): string {
    const folders = new Map<string, Map<string, Entry>>();
    const rows: { readonly order: Buffer; readonly row: Buffer }[] = [];
    const add = (mode: string, name: string, id: string) =>
      rows.push({
        order: Buffer.from(mode === '40000' ? `${name}/` : name),
        row: Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
      });
    for (const [name, { mode, id }] of files) {
      const at = name.indexOf('/');
      if (at < 0) add(mode, name, id);
      else {
        const folder = folders.get(name.slice(0, at)) ?? new Map<string, Entry>();
        folders.set(name.slice(0, at), folder.set(name.slice(at + 1), { mode, id }));
      }
    }
    for (const [name, inside] of folders) add('40000', name, this.#writeTree(inside));
    rows.sort((a, b) => Buffer.compare(a.order, b.order));
    return this.#write('tree', Buffer.concat(rows.map(({ row }) => row)));
  }
}
