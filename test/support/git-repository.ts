/** A real git repository in a temporary folder, which answers as GitHub's API does by running git. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitHistory } from './git-history.ts';
import type {
  ComparisonBody,
  FakeCommit,
  FakeFile,
  FakePull,
  FakeTree,
  GitBackend,
} from './github-service.ts';

/** The machine's settings must not have an effect. */
const ENVIRONMENT = {
  PATH: process.env['PATH'],
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: process.platform === 'win32' ? 'NUL' : '/dev/null',
};
const PERSON = 'A Person <a@person.example> 1750000000 +0000';
const MAX_COMMITS = 250;
const MAX_FILES = 300;

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

export class GitRepository implements GitBackend {
  readonly #folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-git-'));
  readonly #history = new GitHistory(this.#folder);
  readonly #refs: readonly {
    readonly ref: string;
    readonly sha: string;
    readonly commit: string;
  }[];
  readonly #commits: ReadonlyMap<string, string>;
  readonly #hasLists: boolean;

  /**
   * `branches` maps each branch to its last commit. Without `hasLists` comparisons have no commits
   * and files, which takes a third of the time.
   */
  constructor(
    commits: readonly GitCommit[],
    {
      tags = [],
      branches = {},
      hasLists = true,
    }: {
      readonly tags?: readonly GitTag[];
      readonly branches?: Readonly<Record<string, string>>;
      readonly hasLists?: boolean;
    } = {},
  ) {
    this.#hasLists = hasLists;
    // The same as `git init --bare`, without starting a process.
    for (const folder of ['objects', 'refs']) mkdirSync(join(this.#folder, folder));
    writeFileSync(join(this.#folder, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(
      join(this.#folder, 'config'),
      '[core]\nrepositoryformatversion = 0\nbare = true\n',
    );
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
    this.#run(['fast-import', '--quiet', '--force'], stream.join('\n'));
    const format = '--format=%(refname) %(objectname) %(*objectname)';
    this.#refs = this.git('for-each-ref', format)
      .split('\n')
      .map((row) => row.split(' '))
      .map(([ref = '', sha = '', commit = '']) => ({ ref, sha, commit: commit || sha }));
    const shas = new Map(this.#refs.map(({ ref, commit }) => [ref, commit]));
    this.#commits = new Map(
      commits.map(({ name }, index) => [name, shas.get(`refs/commits/${index + 1}`) ?? '']),
    );
  }

  /** The id of a commit by its name. */
  sha(name: string): string {
    const sha = this.#commits.get(name);
    if (sha === undefined) throw new Error(`no commit ${name}`);
    return sha;
  }

  /** The id of the commit that a tag leads to. */
  commitOf(tag: string): string {
    const commit = this.#refs.find(({ ref }) => ref === `refs/tags/${tag}`)?.commit;
    if (commit === undefined) throw new Error(`no tag ${tag}`);
    return commit;
  }

  /** What git writes, without the last line break. Throws when it fails. */
  git(...args: readonly string[]): string {
    return this.#run(args).trimEnd();
  }

  /** Whether git succeeds. */
  does(...args: readonly string[]): boolean {
    const options = { cwd: this.#folder, env: ENVIRONMENT, stdio: 'ignore' } as const;
    return spawnSync('git', args, options).status === 0;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  compare(baseRef: string, headRef: string): ComparisonBody | undefined {
    const [base, head] = [this.#resolve(baseRef), this.#resolve(headRef)];
    if (base === undefined || head === undefined) return undefined;
    const counts = this.git('rev-list', '--left-right', '--count', `${base}...${head}`);
    const [behind = 0, ahead = 0] = counts.split('\t').map(Number);
    const status =
      ahead === 0 ? (behind === 0 ? 'identical' : 'behind') : behind === 0 ? 'ahead' : 'diverged';
    const isListed = this.#hasLists && ahead > 0;
    const commits = isListed ? this.commits(base, head) : [];
    const mergeBase = status === 'identical' ? head : this.git('merge-base', base, head);
    return {
      status,
      merge_base_commit: { sha: mergeBase },
      total_commits: ahead,
      commits: commits
        .slice(0, MAX_COMMITS)
        .map(({ sha, message = '' }) => ({ sha, commit: { message } })),
      files: isListed ? this.files(base, head).slice(0, MAX_FILES) : [],
    };
  }

  matchingRefs(beginning: string): readonly { readonly ref: string; readonly sha: string }[] {
    return this.#refs.filter(({ ref }) => ref.startsWith(`refs/${beginning}`));
  }

  hasCommit(sha: string): boolean {
    return this.does('cat-file', '-e', `${sha}^{commit}`);
  }

  tree(sha: string): FakeTree {
    return this.#history.tree(sha);
  }

  /** A pull request's own commits and files: those since it branched off its base. */
  pull(base: string, head: string): FakePull {
    return { commits: this.commits(base, head), files: this.files(base, head) };
  }

  /** Oldest first. */
  commits(base: string, head: string): readonly FakeCommit[] {
    const log = this.git('log', '--reverse', '--topo-order', '--format=%H %s', `${base}..${head}`);
    return log
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ sha: line.slice(0, 40), parents: [], message: line.slice(41) }));
  }

  /** Those that differ between the merge base and the head. */
  files(base: string, head: string): readonly FakeFile[] {
    return this.#history.files(this.git('merge-base', base, head), head);
  }

  blob(id: string): Buffer | undefined {
    return this.#history.blob(id);
  }

  /** A branch, tag or whole id, as the comparison of GitHub's API takes it. */
  #resolve(name: string): string | undefined {
    const names = [`refs/heads/${name}`, `refs/tags/${name}`];
    const found = this.#refs.find(({ ref, commit }) => names.includes(ref) || commit === name);
    return found?.commit;
  }

  #run(args: readonly string[], input = ''): string {
    const options = { cwd: this.#folder, env: ENVIRONMENT, encoding: 'utf8', input } as const;
    return execFileSync('git', args, { ...options, maxBuffer: 64 * 1024 * 1024 });
  }
}
