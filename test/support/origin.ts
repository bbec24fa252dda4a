/** A bare repository in a temporary folder, as it would lie on a server. Commits need no process. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';

type Mode = '100644' | '100755' | '120000' | '160000';

/** The content of a file; with a mode for executable files, links (`120000`) and submodules. */
export type FileContent = string | Buffer | { readonly mode: Mode; readonly content: string };

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

export interface Origin {
  readonly path: string;
  /** Writes a commit and returns its id. No ref points to it yet. */
  commit(commit: NewCommit): string;
  /** Writes an annotated tag of a commit and returns the tag's object id. No ref points to it yet. */
  annotate(name: string, sha: string): string;
  /** A commit that was written here, and all before it. */
  ancestors(sha: string): ReadonlySet<string>;
  /** Sets a ref (`refs/heads/main`), or deletes it. */
  setRef(ref: string, sha: string | null): void;
  /** Installs a hook, a shell script. `null` removes it. */
  setHook(name: string, script: string | null): void;
  /** Runs git in the repository and returns what it writes, without the last line break. */
  git(...args: readonly string[]): string;
  [Symbol.dispose](): void;
}

interface Entry {
  readonly mode: Mode;
  readonly id: string;
}

const CONFIG = `[core]
  repositoryformatversion = 0
  bare = true
  fsync = none
[uploadpack]
  allowFilter = true
  allowAnySHA1InWant = true
[http]
  receivepack = true
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

export function createOrigin(): Origin {
  const path = mkdtempSync(join(tmpdir(), 'docs-agent-job-origin-'));
  for (const folder of ['objects', 'refs', 'hooks']) mkdirSync(join(path, folder));
  writeFileSync(join(path, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(path, 'config'), CONFIG);
  const filesOf = new Map<string, ReadonlyMap<string, Entry>>();
  const parentsOf = new Map<string, readonly string[]>();

  const environment = { ...plainGitEnvironment(), GIT_DIR: path };
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, {
      cwd: path,
      env: environment,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    }).replace(/\n$/, '');

  function write(kind: 'commit' | 'tree' | 'blob' | 'tag', content: Buffer): string {
    const object = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
    const id = createHash('sha1').update(object).digest('hex');
    const file = join(path, 'objects', id.slice(0, 2), id.slice(2));
    if (!existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, deflateSync(object, { level: 1 }));
    }
    return id;
  }

  function entry(file: FileContent): Entry {
    const { mode, content } =
      typeof file === 'string' || Buffer.isBuffer(file)
        ? { mode: '100644' as const, content: file }
        : file;
    return { mode, id: mode === '160000' ? `${content}` : write('blob', Buffer.from(content)) };
  }

  function writeTree(files: ReadonlyMap<string, Entry>): string {
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
    for (const [name, inside] of folders) add('40000', name, writeTree(inside));
    rows.sort((a, b) => Buffer.compare(a.order, b.order));
    return write('tree', Buffer.concat(rows.map(({ row }) => row)));
  }

  function ancestors(sha: string): ReadonlySet<string> {
    const found = new Set([sha]);
    for (const one of found) for (const parent of parentsOf.get(one) ?? []) found.add(parent);
    return found;
  }

  let seconds = 1_750_000_000;
  return {
    path,
    git,
    commit({ files = {}, message = 'A commit', parents = [], author }) {
      const all = new Map(filesOf.get(parents[0] ?? ''));
      for (const [name, file] of Object.entries(files)) {
        if (file === null) all.delete(name);
        else all.set(name, entry(file));
      }
      seconds += 1;
      const by = `${author ?? 'A Person <person@example.com>'} ${seconds} +0000`;
      const head = [
        `tree ${writeTree(all)}`,
        ...parents.map((parent) => `parent ${parent}`),
        `author ${by}`,
        `committer ${by}`,
      ];
      const sha = write('commit', Buffer.from(`${head.join('\n')}\n\n${message}\n`));
      filesOf.set(sha, all);
      parentsOf.set(sha, parents);
      return sha;
    },
    annotate(name, sha) {
      const head = `object ${sha}\ntype commit\ntag ${name}\ntagger A Person <person@example.com> 1750000000 +0000`;
      return write('tag', Buffer.from(`${head}\n\n${name}\n`));
    },
    ancestors,
    setRef(ref, sha) {
      const file = join(path, ref);
      if (sha === null) return rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${sha}\n`);
    },
    setHook(name, script) {
      const file = join(path, 'hooks', name);
      rmSync(file, { force: true });
      if (script === null) return;
      writeFileSync(file, `#!/bin/sh\n${script}\n`);
      chmodSync(file, 0o755);
    },
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
