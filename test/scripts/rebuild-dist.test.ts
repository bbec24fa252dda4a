/**
 * The workflow "Rebuild dist" with an update whose code attacks it. The workflow's commands run in
 * bash and push to a repository on this machine.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { noGit, skipWhen } from '../support/system.ts';
import { EMPTY, GitHub, type State, TOKENS } from './fake-gh.ts';
import { commandsOf, runStep, workflow } from './workflow.ts';

const TOKEN = TOKENS.write;
const BRANCH = 'dependabot/npm_and_yarn/terser-6.0.0';

/**
 * What a changed build tool does: everything that git runs later writes its environment to a file.
 */
const ATTACK = `
const { chmodSync, mkdirSync, writeFileSync, appendFileSync } = require('node:fs');
const spy = 'env >> "' + process.env.LOOT + '"\\n';
mkdirSync('.git/hooks', { recursive: true });
for (const hook of ['pre-commit', 'commit-msg', 'post-commit', 'pre-push', 'reference-transaction', 'post-index-change']) {
  writeFileSync('.git/hooks/' + hook, '#!/bin/sh\\n' + spy);
  chmodSync('.git/hooks/' + hook, 0o755);
}
writeFileSync('.git/spy', '#!/bin/sh\\n' + spy + 'cat\\n');
chmodSync('.git/spy', 0o755);
appendFileSync('.git/config', '[filter "spy"]\\n\\tclean = .git/spy\\n\\tsmudge = .git/spy\\n[core]\\n\\tfsmonitor = .git/spy\\n');
writeFileSync('.git/info/attributes', '* filter=spy\\n');
writeFileSync('dist/index.js', 'built with terser 6');
`;

const OLD_DIST = {
  'dist/index.js': 'built with terser 5',
  'dist/5.index.js': 'a chunk that is built no more',
};

interface Stage extends Disposable {
  readonly folder: string;
  readonly head: string;
  /** What hooks and filters wrote to the file. */
  loot(): string;
  git(...args: string[]): string;
  files(commit: string): string;
  stepRun(cwd: string): Parameters<typeof runStep>[1];
}

/** The folders in which {@link stage} made a repository, by its files. Each stage gets a copy. */
const made = new Map<string, string>();
afterAll(() => {
  for (const folder of made.values()) rmSync(folder, { recursive: true, force: true });
});

/** A repository whose Dependabot branch has `files`, as on GitHub. */
function stage(files: Readonly<Record<string, string>> = OLD_DIST): Stage {
  const folder = mkdtempSync(join(tmpdir(), 'rebuild-dist-'));
  const remote = join(folder, 'remotes/acme/app.git');
  const work = join(folder, 'work');
  const env = { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const inFolder = (cwd: string, args: string[]) =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8' }).trim();
  const identity = ['-c', 'user.name=Dependabot', '-c', 'user.email=d@example.com'];
  const name = JSON.stringify(files);
  const original = made.get(name);
  if (original === undefined) {
    execFileSync('git', ['init', '--quiet', '--bare', remote], { env });
    execFileSync('git', ['init', '--quiet', '--initial-branch', BRANCH, work], { env });
    const all = {
      'package.json':
        '{ "name": "app", "version": "1.0.0", "scripts": { "build": "node build.cjs" } }',
      'package-lock.json':
        '{ "name": "app", "version": "1.0.0", "lockfileVersion": 3, "packages": { "": { "name": "app", "version": "1.0.0" } } }',
      'build.cjs': ATTACK,
      ...files,
    };
    writeAll(work, all);
    inFolder(work, ['add', '--all']);
    inFolder(work, [...identity, 'commit', '--quiet', '--message', 'Update terser']);
    inFolder(work, ['push', '--quiet', remote, BRANCH]);
    const copy = mkdtempSync(join(tmpdir(), 'rebuild-dist-'));
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
    made.set(name, copy);
  } else cpSync(original, folder, { recursive: true, verbatimSymlinks: true });
  const head = inFolder(work, ['rev-parse', 'HEAD']);
  const loot = join(folder, 'loot');
  return {
    folder,
    head,
    loot: () => (existsSync(loot) ? readFileSync(loot, 'utf8') : ''),
    git: (...args) => inFolder(remote, [...identity, ...args]),
    files: (commit) =>
      inFolder(remote, ['ls-tree', '-r', '--format=%(objectmode) %(path)', commit]),
    stepRun: (cwd) => ({
      cwd,
      env: {
        LOOT: loot,
        GITHUB_REPOSITORY: 'acme/app',
        RUNNER_TEMP: join(folder, 'temp'),
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: `url.${join(folder, 'remotes')}/.insteadOf`,
        GIT_CONFIG_VALUE_0: `https://x-access-token:${TOKEN}@github.com/`,
      },
      expressions: {
        'github.head_ref': BRANCH,
        'github.token': TOKEN,
        'github.event.pull_request.head.sha': head,
      },
    }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The first workflow job: a checkout of the head without credentials, then its commands. */
async function build({ folder, git, head, stepRun }: Stage): Promise<string> {
  const checkout = join(folder, 'checkout');
  git('clone', '--quiet', '--branch', BRANCH, '.', checkout);
  expect(git('rev-parse', BRANCH)).toBe(head);
  for (const step of commandsOf('dependencies.yml', 'build')) {
    const { exitCode, output } = await runStep(step, stepRun(checkout));
    expect(exitCode, output).toBe(0);
  }
  return checkout;
}

/** The second workflow job, on another machine: the artifact, then its commands. */
async function push(
  staged: Stage,
  artifact: Readonly<Record<string, string>> | string,
  state: State = structuredClone(EMPTY),
): Promise<{ exitCode: number; output: string }> {
  const machine = join(staged.folder, 'machine');
  const downloaded = join(staged.folder, 'temp/dist');
  mkdirSync(machine);
  mkdirSync(downloaded, { recursive: true });
  if (typeof artifact === 'string') cpSync(artifact, downloaded, { recursive: true });
  else writeAll(downloaded, artifact);
  const [step, ...others] = commandsOf('dependencies.yml', 'push');
  expect(others).toEqual([]);
  await using github = await GitHub.start(staged.folder, state);
  const { env, ...stepRun } = staged.stepRun(machine);
  return await runStep(step ?? {}, { ...stepRun, env: { ...env, ...github.env } });
}

/** Content that begins with `->` makes a symbolic link. */
function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    if (content.startsWith('->')) symlinkSync(content.slice(2), join(folder, name));
    else writeFileSync(join(folder, name), content);
  }
}

// Workflows run on ubuntu-latest, and so do these.
describe.skipIf(process.platform !== 'linux')('rebuilding dist for an update', () => {
  skipWhen(noGit);

  test('gives code of the update no token that can write', async () => {
    using staged = stage({ ...OLD_DIST, '.gitattributes': '* filter=spy\n' });
    const checkout = await build(staged);
    const { exitCode, output } = await push(staged, join(checkout, 'dist'));
    expect(exitCode, output).toBe(0);
    expect(staged.loot()).not.toContain(TOKEN);
    expect(staged.git('diff', '--name-status', staged.head, BRANCH)).toBe('M\tdist/index.js');
    expect(staged.git('show', `${BRANCH}:dist/index.js`)).toBe('built with terser 6');
  });

  // https://docs.github.com/code-security/dependabot/working-with-dependabot/managing-pull-requests-for-dependency-updates
  test('leaves the branch to Dependabot, which stops updating one with commits of others', async () => {
    using staged = stage();
    await push(staged, { 'index.js': 'new' });
    expect(staged.git('log', '-1', '--format=%B', BRANCH)).toContain('[dependabot skip]');
  });

  // The checks of a dispatched run are not the pull request's, but a status of the commit is:
  // https://docs.github.com/rest/commits/statuses
  test('starts the checks of the new commit, whose result counts for the pull request', async () => {
    using staged = stage();
    const state = structuredClone(EMPTY);
    expect(await push(staged, { 'index.js': 'new' }, state)).toMatchObject({ exitCode: 0 });
    expect(state.dispatches).toEqual([`test.yml ${BRANCH}`]);
    expect(Object.keys(workflow('test.yml').on as object)).toContain('workflow_dispatch');

    const [report, ...others] = commandsOf('test.yml', 'report');
    expect(others).toEqual([]);
    const sha = staged.git('rev-parse', BRANCH);
    await using github = await GitHub.start(staged.folder, state);
    for (const result of ['failure', 'success']) {
      await runStep(report ?? {}, {
        cwd: staged.folder,
        env: { ...github.env, GITHUB_SHA: sha },
        expressions: {
          'github.token': TOKENS.write,
          "needs.all.result == 'success' && 'success' || 'failure'": result,
        },
      });
      expect(state.statuses).toEqual({ [sha]: `All ${result}` });
    }
  });

  test('says what to do when the checks could not be started', async () => {
    using staged = stage();
    const state = { ...structuredClone(EMPTY), fails: ['workflow run'] };
    const { exitCode, output } = await push(staged, { 'index.js': 'new' }, state);
    expect(exitCode).toBe(1);
    expect(output).toContain('Run the workflow "Test" on this branch.');
  });

  test('removes files that are no longer built, and changes nothing but dist', async () => {
    using staged = stage();
    const artifact = { 'index.js': 'new', '7.index.js': 'chunk', 'licenses.txt': 'MIT' };
    const { exitCode, output } = await push(staged, artifact);
    expect(exitCode, output).toBe(0);
    expect(staged.git('diff', '--name-status', '--no-renames', staged.head, BRANCH)).toBe(
      ['D\tdist/5.index.js', 'A\tdist/7.index.js', 'M\tdist/index.js', 'A\tdist/licenses.txt'].join(
        '\n',
      ),
    );
    expect(staged.files(BRANCH)).not.toMatch(/^(?!100644)/m);
  });

  test('pushes nothing when dist did not change', async () => {
    using staged = stage();
    const same = {
      'index.js': 'built with terser 5',
      '5.index.js': 'a chunk that is built no more',
    };
    expect(await push(staged, same)).toEqual({ exitCode: 0, output: 'dist/ did not change.\n' });
    expect(staged.git('rev-parse', BRANCH)).toBe(staged.head);
  });

  test('does not overwrite a commit that was pushed in the meantime', async () => {
    using staged = stage();
    const tree = `${staged.head}^{tree}`;
    const newer = staged.git('commit-tree', tree, '-p', staged.head, '-m', 'Rebase');
    staged.git('update-ref', `refs/heads/${BRANCH}`, newer);
    const { exitCode, output } = await push(staged, { 'index.js': 'new' });
    expect(exitCode).not.toBe(0);
    expect(output).toContain('rejected');
    expect(staged.git('rev-parse', BRANCH)).toBe(newer);
  });

  const artifacts: readonly {
    promise: string;
    artifact: Readonly<Record<string, string>>;
    says: string;
  }[] = [
    {
      promise: 'a symbolic link',
      artifact: { 'index.js': '->/etc/hostname' },
      says: 'index.js is not a file.',
    },
    {
      promise: 'a folder',
      artifact: { 'index.js': '', 'hooks/pre-push': '' },
      says: 'hooks is not a file.',
    },
    {
      promise: 'a .gitattributes file',
      artifact: { 'index.js': '', '.gitattributes': '* filter=spy' },
      says: '.gitattributes is not a name that the build writes.',
    },
    {
      promise: 'a workflow',
      artifact: { 'index.js': '', 'release.yml': '' },
      says: 'release.yml is not a name that the build writes.',
    },
    {
      promise: 'a line break in a name',
      artifact: { 'index.js': '', 'x\n::stop-commands::y': '' },
      says: "$'x\\n::stop-commands::y' is not a name that the build writes.",
    },
    {
      promise: 'a file over 2 MB',
      artifact: { 'index.js': 'x'.repeat(2_000_001) },
      says: 'index.js is over 2 MB.',
    },
    {
      promise: 'too many files',
      artifact: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`${n}.index.js`, ''])),
      says: 'The artifact contains more than 50 files.',
    },
    {
      promise: 'no index.js',
      artifact: { 'licenses.txt': '' },
      says: 'The artifact contains no index.js.',
    },
  ];
  test.each(artifacts)('refuses an artifact with $promise', async ({ artifact, says }) => {
    using staged = stage();
    const { exitCode, output } = await push(staged, artifact);
    expect(exitCode).toBe(1);
    expect(output).toContain(`${says} Nothing was pushed.`);
    expect(staged.git('rev-parse', BRANCH)).toBe(staged.head);
  });

  test('writes files even if the branch made dist a link', async () => {
    using staged = stage({ dist: '->.github' });
    const { exitCode, output } = await push(staged, { 'index.js': 'new' });
    expect(exitCode, output).toBe(0);
    expect(staged.files(BRANCH)).toContain('100644 dist/index.js');
    expect(staged.git('diff', '--name-only', '--no-renames', staged.head, BRANCH)).toBe(
      'dist\ndist/index.js',
    );
  });
});
