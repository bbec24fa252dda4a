/** A real git repository in a temporary folder, which answers as GitHub's API does by running git. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitHistory } from './git-history.ts';
import type { ComparisonBody, FakeFile, FakePull, FakeTree, GitBackend } from './github-service.ts';

const PERSON = 'A Person <a@person.example> 1750000000 +0000';

export interface GitCommit {
  /** The name by which later commits and tags refer to it, and its subject. */
  readonly name: string;
  readonly parents: readonly string[];
  /**
   * Path and content of each file that differs from the first parent; `undefined` deletes the file.
   */
  readonly files?: Readonly<Record<string, string | undefined>>;
}

export interface GitTag {
  readonly name: string;
  readonly commit: string;
  readonly isAnnotated?: boolean;
}

/** Compares whole ids. */
class Comparer extends GitHistory {
  override sha(id: string): string {
    return id;
  }
}

export class GitRepository implements GitBackend {
  readonly #folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-git-'));
  readonly #history: GitHistory;
  /** An annotated tag has a `sha` of its own. */
  readonly #refs: readonly {
    readonly ref: string;
    readonly sha: string;
    readonly commit: string;
  }[];
  /** The ids of commits by their names, tags and branches, and by themselves. */
  readonly #commits: ReadonlyMap<string, string>;

  /** `branches` maps each branch to its last commit. */
  constructor(
    commits: readonly GitCommit[],
    {
      tags = [],
      branches = {},
    }: {
      readonly tags?: readonly GitTag[];
      readonly branches?: Readonly<Record<string, string>>;
    } = {},
  ) {
    const folder = this.#folder;
    this.#history = new Comparer(folder);
    // The same as `git init --bare`, without starting a process.
    for (const name of ['objects', 'refs']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(folder, 'config'), '[core]\nrepositoryformatversion = 0\nbare = true\n');
    const numberOf = new Map(commits.map(({ name }, index) => [name, index + 1]));
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
    const stream = [
      ...commits.map(({ name, parents, files = { [name]: name } }, index) =>
        [
          `commit refs/commits/${index + 1}`,
          `mark :${index + 1}`,
          `committer ${PERSON}`,
          data(name).trimEnd(),
          ...parents.map((parent, n) => `${n === 0 ? 'from' : 'merge'} :${numberOf.get(parent)}`),
          ...Object.entries(files).map(([path, content]) =>
            content === undefined
              ? `D ${JSON.stringify(path)}`
              : `M 644 inline ${JSON.stringify(path)}\n${data(content).trimEnd()}`,
          ),
          '',
        ].join('\n'),
      ),
      ...tags.map(({ name, commit, isAnnotated = false }) =>
        isAnnotated
          ? `tag ${name}\nfrom :${numberOf.get(commit)}\ntagger ${PERSON}\n${data(name).trimEnd()}`
          : `reset refs/tags/${name}\nfrom :${numberOf.get(commit)}\n`,
      ),
      ...Object.entries(branches).map(
        ([name, commit]) => `reset refs/heads/${name}\nfrom :${numberOf.get(commit)}\n`,
      ),
    ];
    execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: stream.join('\n') });
    const format = '--format=%(refname) %(objectname) %(*objectname)';
    this.#refs = this.git('for-each-ref', format)
      .split('\n')
      .map((row) => row.split(' '))
      .map(([ref = '', sha = '', commit = '']) => ({ ref, sha, commit: commit || sha }));
    this.#commits = new Map(
      this.#refs.flatMap(({ ref, commit }) => {
        const [, kind, name = ''] = /^refs\/(\w+)\/(.+)$/.exec(ref) ?? [];
        const known = kind === 'commits' ? (commits[Number(name) - 1]?.name ?? '') : name;
        return [[known, commit] as const, [commit, commit] as const];
      }),
    );
  }

  /** What git writes, without the last line break. Throws when it fails. */
  git(...args: readonly string[]): string {
    return this.#history.git(...args).trimEnd();
  }

  /** The id of a commit by its name, its tag, its branch or itself. */
  sha(name: string): string {
    const sha = this.#commits.get(name);
    if (sha === undefined) throw new Error(`no commit ${name}`);
    return sha;
  }

  commitOf(tag: string): string {
    return this.sha(tag);
  }

  hasCommit(sha: string): boolean {
    return this.#commits.has(sha);
  }

  compare(base: string, head: string): ComparisonBody | undefined {
    const [from, to] = [this.#commits.get(base), this.#commits.get(head)];
    return from === undefined || to === undefined ? undefined : this.#history.compare(from, to);
  }

  /** A pull request's own commits and files: those since it branched off its base. */
  pull(base: string, head: string): FakePull {
    const { commits, files } = this.#history.compare(base, head);
    return {
      commits: commits.map(({ sha, commit }) => ({ sha, parents: [], message: commit.message })),
      files,
    };
  }

  matchingRefs(beginning: string): readonly { readonly ref: string; readonly sha: string }[] {
    return this.#refs.filter(({ ref }) => ref.startsWith(`refs/${beginning}`));
  }

  files(base: string, head: string): readonly FakeFile[] {
    return this.#history.files(base, head);
  }

  tree(sha: string): FakeTree {
    return this.#history.tree(sha);
  }

  blob(id: string): Buffer | undefined {
    return this.#history.blob(id);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
