/**
 * The workflow "Rebuild dist" with an update whose code attacks it. The workflow's commands run in
 * bash and push to a repository on this machine.
 */
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { GitHistory } from '../support/git-history.ts';
import { GitRepository } from '../support/git-repository.ts';
import { noGit, skipWhen } from '../support/system.ts';
import { GitHub, newState, TOKENS } from './fake-gh.ts';
import { onlyCommandOf, runStep, temporaryFolder, workflow, writeAll } from './workflow.ts';

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

const OLD_DIST = { 'index.js': 'built with terser 5', '5.index.js': 'built no more' };
const DONE = { exitCode: 0, output: expect.any(String) };
const refusedWith = (text: string) => ({ exitCode: 1, output: expect.stringContaining(text) });

/** Has the repository on GitHub, which is copied: Dependabot's branch, and another. */
const template = temporaryFolder('rebuild-dist-');

function makeTemplate(): void {
  const dist = Object.entries(OLD_DIST).map(([name, content]) => [`dist/${name}`, content]);
  const files = { '.gitattributes': '* filter=spy\n', 'build.cjs': ATTACK };
  const link = {
    ...Object.fromEntries(dist.map(([name]) => [name, undefined])),
    dist: '->.github',
  };
  using source = new GitRepository([
    { name: BRANCH, parents: [], files: { ...files, ...Object.fromEntries(dist) } },
    { name: 'link', parents: [BRANCH], files: link },
  ]);
  const remote = join(template.path, 'remotes/acme/app.git');
  source.git('clone', '--quiet', '--bare', '--no-local', '--template=', '.', remote);
}

/** A copy of the repository, whose pull request is for `branch`. */
function stage(branch = BRANCH) {
  const { path: folder, [Symbol.dispose]: dispose } = temporaryFolder('rebuild-dist-');
  cpSync(template.path, folder, { recursive: true });
  const identity = ['-c', 'user.name=Dependabot', '-c', 'user.email=d@example.com'];
  const history = new GitHistory(join(folder, 'remotes/acme/app.git'));
  const git = (...args: readonly string[]) => history.git(...identity, ...args).trim();
  const head = git('rev-parse', branch);
  const loot = join(folder, 'loot');
  const env = {
    LOOT: loot,
    GITHUB_REPOSITORY: 'acme/app',
    RUNNER_TEMP: join(folder, 'temp'),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${join(folder, 'remotes')}/.insteadOf`,
    GIT_CONFIG_VALUE_0: `https://x-access-token:${TOKEN}@github.com/`,
  };
  const expressions = {
    'github.head_ref': branch,
    'github.token': TOKEN,
    'github.event.pull_request.head.sha': head,
  };
  return {
    folder,
    head,
    git,
    changes: () => git('diff', '--name-status', '--no-renames', head, branch).split('\n'),
    /** What hooks and filters wrote to the file. */
    loot: () => (existsSync(loot) ? readFileSync(loot, 'utf8') : ''),
    /** The first workflow job: a checkout of the head without credentials, then its commands. */
    async build(): Promise<string> {
      const checkout = join(folder, 'checkout');
      git('clone', '--quiet', '--branch', branch, '.', checkout);
      const step = onlyCommandOf('dependencies.yml', 'build');
      expect(await runStep(step, { cwd: checkout, env, expressions })).toEqual(DONE);
      return join(checkout, 'dist');
    },
    /** The second workflow job, on another machine: the artifact, then its commands. */
    async push(artifact: Readonly<Record<string, string>> | string, state = newState()) {
      const downloaded = join(folder, 'temp/dist');
      const cwd = join(folder, 'machine');
      for (const made of [downloaded, cwd]) mkdirSync(made, { recursive: true });
      if (typeof artifact === 'string') cpSync(artifact, downloaded, { recursive: true });
      else writeAll(downloaded, artifact);
      await using github = await GitHub.start(folder, state);
      const step = onlyCommandOf('dependencies.yml', 'push');
      return await runStep(step, { cwd, env: { ...env, ...github.env }, expressions });
    },
    [Symbol.dispose]: dispose,
  };
}

// Workflows run on ubuntu-latest, and so do these.
describe.skipIf(process.platform !== 'linux')('rebuilding dist for an update', () => {
  skipWhen(noGit);

  beforeAll(() => {
    if (noGit === undefined) makeTemplate();
    return () => template[Symbol.dispose]();
  });

  test('gives code of the update no token that can write', async () => {
    using staged = stage();
    expect(await staged.push(await staged.build())).toEqual(DONE);
    expect(staged.loot()).not.toContain(TOKEN);
    expect(staged.changes()).toEqual(['M\tdist/index.js']);
    expect(staged.git('show', `${BRANCH}:dist/index.js`)).toBe('built with terser 6');
  });

  test('commits what was built and nothing else, and starts the checks of the new commit', async () => {
    using staged = stage();
    const state = newState();
    const artifact = { 'index.js': 'new', '7.index.js': 'chunk', 'licenses.txt': 'MIT' };
    expect(await staged.push(artifact, state)).toEqual(DONE);
    expect(staged.changes()).toEqual([
      'D\tdist/5.index.js',
      'A\tdist/7.index.js',
      'M\tdist/index.js',
      'A\tdist/licenses.txt',
    ]);
    expect(staged.git('ls-tree', '-r', '--format=%(objectmode)', BRANCH)).toMatch(/^(100644\s?)+$/);
    // Dependabot stops updating a branch with commits of others, except with these words:
    // https://docs.github.com/code-security/dependabot/working-with-dependabot/managing-pull-requests-for-dependency-updates
    expect(staged.git('log', '-1', '--format=%B', BRANCH)).toContain('[dependabot skip]');
    expect(state.dispatches).toEqual([`test.yml ${BRANCH}`]);
    expect(Object.keys(workflow('test.yml').on)).toContain('workflow_dispatch');
  });

  // The checks of a dispatched run are not the pull request's, but a status of the commit is:
  // https://docs.github.com/rest/commits/statuses
  test('reports the result for the commit', async () => {
    using staged = stage();
    await using github = await GitHub.start(staged.folder);
    const env = { ...github.env, GITHUB_SHA: staged.head };
    const result = "needs.all.result == 'success' && 'success' || 'failure'";
    const expressions = { 'github.token': TOKEN, [result]: 'failure' };
    const step = onlyCommandOf('test.yml', 'report');
    await runStep(step, { cwd: staged.folder, env, expressions });
    expect(github.state.statuses).toEqual({ [staged.head]: 'All failure' });
  });

  test('says what to do when the checks could not be started', async () => {
    using staged = stage();
    const state = { ...newState(), fails: ['workflow run'] };
    const end = refusedWith('Run the workflow "Test" on this branch.');
    expect(await staged.push({ 'index.js': 'new' }, state)).toEqual(end);
  });

  test('pushes nothing when dist did not change', async () => {
    using staged = stage();
    const end = { exitCode: 0, output: 'dist/ did not change.\n' };
    expect(await staged.push(OLD_DIST)).toEqual(end);
    expect(staged.git('rev-parse', BRANCH)).toBe(staged.head);
  });

  test('does not overwrite a commit that was pushed in the meantime', async () => {
    using staged = stage();
    const tree = `${staged.head}^{tree}`;
    const newer = staged.git('commit-tree', tree, '-p', staged.head, '-m', 'Rebase');
    staged.git('update-ref', `refs/heads/${BRANCH}`, newer);
    expect(await staged.push({ 'index.js': 'new' })).toEqual(refusedWith('rejected'));
    expect(staged.git('rev-parse', BRANCH)).toBe(newer);
  });

  const artifact = (...names: readonly string[]) =>
    Object.fromEntries(['index.js', ...names].map((name) => [name, '']));
  const many = Array.from({ length: 50 }, (_, n) => `${n}.index.js`);
  const isNoName = 'is not a name that the build writes.';
  const escaped = "$'x\\n::stop-commands::y'";
  const ARTIFACTS = [
    ['a symbolic link', { 'index.js': '->/etc/hostname' }, 'index.js is not a file.'],
    ['a folder', artifact('hooks/pre-push'), 'hooks is not a file.'],
    ['a .gitattributes file', artifact('.gitattributes'), `.gitattributes ${isNoName}`],
    ['a line break in a name', artifact('x\n::stop-commands::y'), `${escaped} ${isNoName}`],
    ['a file over 2 MB', { 'index.js': 'x'.repeat(2_000_001) }, 'index.js is over 2 MB.'],
    ['too many files', artifact(...many), 'The artifact contains more than 50 files.'],
    ['no index.js', { 'licenses.txt': '' }, 'The artifact contains no index.js.'],
  ] as const;
  test.each(ARTIFACTS)('refuses an artifact with %s', async (_, files, says) => {
    using staged = stage();
    expect(await staged.push(files)).toEqual(refusedWith(`${says} Nothing was pushed.`));
    expect(staged.git('rev-parse', BRANCH)).toBe(staged.head);
  });

  test('writes files even if the branch made dist a link', async () => {
    using staged = stage('link');
    expect(await staged.push({ 'index.js': 'new' })).toEqual(DONE);
    expect(staged.changes()).toEqual(['D\tdist', 'A\tdist/index.js']);
    const entry = staged.git('ls-tree', '-r', '--format=%(objectmode)', 'link', 'dist/index.js');
    expect(entry).toBe('100644');
  });
});
