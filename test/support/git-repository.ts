/** A real git repository in a temporary folder that responds like GitHub's API by running git. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitHistory } from './git-history.ts';

const PERSON = 'A Person <a@person.example> 1750000000 +0000';

export interface GitCommit {
  /** The commit's subject, and the name of a branch on it. */
  readonly name: string;
  readonly parents: readonly string[];
  /** The author's email address. */
  readonly email?: string;
  /**
   * The content of files that differ from the first parent, by path. `undefined` deletes the file,
   * a leading `->` makes a symbolic link, and a leading `x>` an executable file.
   */
  readonly files?: Readonly<Record<string, string | undefined>>;
}

interface GitTag {
  readonly name: string;
  readonly commit: string;
  readonly isAnnotated?: boolean;
}

export class GitRepository extends GitHistory {
  readonly #folder: string;

  constructor(commits: readonly GitCommit[], tags: readonly GitTag[] = []) {
    const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-git-'));
    super(folder);
    this.#folder = folder;
    // The same as `git init --bare`, without starting a process.
    for (const name of ['objects', 'refs']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(folder, 'config'), '[core]\nrepositoryformatversion = 0\nbare = true\n');
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}`;
    const stream = [
      ...commits.flatMap(({ name, parents, email, files = { [name]: name } }) => [
        `commit refs/heads/${name}`,
        ...(email === undefined ? [] : [`author An Author <${email}> 1750000000 +0000`]),
        ...[`committer ${PERSON}`, data(name)],
        ...parents.map((parent, n) => `${n === 0 ? 'from' : 'merge'} refs/heads/${parent}`),
        ...Object.entries(files).map(([path, content]) =>
          content === undefined
            ? `D ${JSON.stringify(path)}`
            : content.startsWith('->')
              ? `M 120000 inline ${JSON.stringify(path)}\n${data(content.slice(2))}`
              : content.startsWith('x>')
                ? `M 755 inline ${JSON.stringify(path)}\n${data(content.slice(2))}`
                : `M 644 inline ${JSON.stringify(path)}\n${data(content)}`,
        ),
      ]),
      ...tags.flatMap(({ name, commit, isAnnotated = false }) =>
        isAnnotated
          ? [`tag ${name}`, `from refs/heads/${commit}`, `tagger ${PERSON}`, data(name)]
          : [`reset refs/tags/${name}`, `from refs/heads/${commit}`, ''],
      ),
    ];
    execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: stream.join('\n') });
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
