/**
 * What is sent of random pull requests that take in main, are rebased and take back what they changed.
 * Git says what is their own, and when that is the same as before.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dose } from '../../support/dose.ts';
import { GitHistory } from '../../support/git-history.ts';
import type { FakePull } from '../../support/github-service.ts';
import { Choices } from '../../support/histories/choices.ts';
import { subjectsIn } from '../../support/play.ts';
import { noGit, skipWhen } from '../../support/system.ts';
import { LAST_SUCCESS, startHistory } from '../../support/workflow-run.ts';

const FILES = ['src/a.ts', 'src/b.ts', 'src/c.ts', 'ci/d.yml'] as const;
const DEEDS = ['edit', 'edit', 'others', 'update', 'rebase', 'undo', 'undo all'] as const;
const LINES = Array.from({ length: 30 }, (_, n) => `line ${n}`);

/** A repository with the branches `main` and `topic`, of which the second is checked out. */
class WorkTree extends GitHistory {
  readonly #folder: string;
  #edits = 0;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-pull-'));
    super(folder);
    this.#folder = folder;
    this.git('init', '-q', '-b', 'main');
    for (const [key, value] of [
      ['user.name', 'A Person'],
      ['user.email', 'a@person.example'],
      ['gc.auto', '0'],
    ] as const) {
      this.git('config', key, value);
    }
    for (const name of ['src', 'ci']) execFileSync('mkdir', [join(folder, name)]);
    for (const file of FILES) this.#write(file, LINES);
    this.#commit('first');
    this.git('checkout', '-q', '-b', 'topic');
  }

  #write(file: string, lines: readonly string[]): void {
    writeFileSync(join(this.#folder, file), `${lines.join('\n')}\n`);
  }

  #commit(message: string): void {
    this.git('add', '.');
    this.git('commit', '-q', '--allow-empty', '-m', message);
  }

  /** Changes one line of a file on a branch, and goes back to the topic. */
  edit(branch: 'main' | 'topic', file: string, line: number): void {
    this.git('checkout', '-q', branch);
    const lines = this.git('show', `HEAD:${file}`).trimEnd().split('\n');
    this.#edits += 1;
    const who = branch === 'main' ? 'others' : 'own';
    this.#write(file, lines.with(line % lines.length, `${who} ${this.#edits}`));
    this.#commit(`${who} ${this.#edits}`);
    this.git('checkout', '-q', 'topic');
  }

  /** "Update branch". A conflict leaves everything as it was. */
  update(): void {
    this.#orAbort('merge', '-q', '--no-edit', 'main');
  }

  rebase(): void {
    this.#orAbort('rebase', '-q', 'main');
  }

  #orAbort(command: 'merge' | 'rebase', ...options: readonly string[]): void {
    try {
      this.git(command, ...options);
    } catch {
      this.git(command, '--abort');
    }
  }

  /** Takes back what the topic changed in a file, or in all. */
  takeBack(files: readonly string[]): void {
    this.git('checkout', '-q', this.start(), '--', ...files);
    this.#commit('take back');
  }

  /** Where the topic left main. */
  start = (): string => this.git('merge-base', 'main', 'topic').trim();

  /** What the topic changes in `src`, as an id that does not depend on places and lines around. */
  patchId(): string {
    const diff = this.git('diff', '-U0', this.start(), 'topic', '--', 'src');
    const options = { cwd: this.#folder, input: diff, encoding: 'utf8' } as const;
    return execFileSync('git', ['patch-id', '--stable'], options).split(' ')[0] ?? '';
  }

  /** The pull request as GitHub shows it. */
  pull(): FakePull {
    const commits = this.commits('main', 'topic').map(({ sha, parents, commit }) => {
      return { sha, parents: parents.map((parent) => parent.sha), message: commit.message };
    });
    return { head: this.sha('topic'), commits, files: this.files(this.start(), 'topic') };
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

async function playPull(
  seed: number,
): Promise<{ readonly sent: number; readonly skipped: number }> {
  using repository = new WorkTree();
  const choices = new Choices(seed);
  const pulls: Record<number, FakePull> = {};
  await using history = await startHistory({
    github: { pulls, git: repository },
    inputs: { ...LAST_SUCCESS, changes: 'diff', paths: 'src/**' },
  });
  let sentId = '';
  let [sent, skipped] = [0, 0];
  for (let event = 0; event < 8; event += 1) {
    const file = choices.of(FILES);
    // Main often changes the files of the topic, some lines away.
    const deed = choices.of(DEEDS);
    if (deed === 'edit' || event === 0) repository.edit('topic', file, 2 * choices.below(15));
    if (deed === 'others') repository.edit('main', file, 2 * choices.below(15) + 1);
    if (deed === 'update') repository.update();
    if (deed === 'rebase') repository.rebase();
    if (deed === 'undo') repository.takeBack([file]);
    if (deed === 'undo all') repository.takeBack(FILES);
    const subjects = linesOf(repository.git('log', '--reverse', '--format=%s', 'main..topic'));
    // GitHub closes a pull request without a commit.
    if (subjects.length === 0) continue;
    const pull = repository.pull();
    pulls[41] = pull;
    history.workflow.clock.pass(60_000);
    const run = history.workflow.begin('m', 'pull_request', 'topic');
    const payload = { number: 41, base: { ref: 'main' }, head: { sha: pull.head } };
    const night = await history.step(run, { event: { pull_request: payload } });
    run.complete();
    const id = repository.patchId();
    const isDue = id !== sentId;
    expect([deed, night.outcome]).toEqual([deed, isDue ? 'started' : 'skipped']);
    if (!isDue) {
      skipped += 1;
      continue;
    }
    sent += 1;
    sentId = id;
    history.fates.set(`job_${sent}`, 'completed');
    const { prompt } = JSON.parse(history.agent.postsTo(/./).at(-1)?.body ?? '');
    expect(new Set(subjectsIn(prompt))).toEqual(new Set(subjects));
    expect(prompt).not.toMatch(/^\+others/m);
    const names = repository.git('diff', '--name-only', repository.start(), 'topic', '--', 'src');
    const told = Array.from(String(prompt).matchAll(/^- modified (\S+) /gm), ([, name]) => name);
    expect(told).toEqual(linesOf(names));
  }
  return { sent, skipped };
}

skipWhen(noGit);

test('a pull request sends its own changes, as git says, and only when they differ from those that it sent', {
  timeout: 600_000,
}, async () => {
  const all = { sent: 0, skipped: 0 };
  for (let seed = 1; seed <= dose(2, 200); seed += 1) {
    const { sent, skipped } = await playPull(seed);
    all.sent += sent;
    all.skipped += skipped;
  }
  expect(all.sent).toBeGreaterThan(5);
  expect(all.skipped).toBeGreaterThan(5);
});
