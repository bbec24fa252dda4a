/**
 * The workflow "Rebuild dist" with an update whose code attacks it. The workflow's commands run in
 * bash and push to a repository on this machine.
 */
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { GitHistory } from '../support/git-history.ts';
import { GitRepository } from '../support/git-repository.ts';
import { noGit, skipWhen } from '../support/system.ts';
import { GitHub, newState, TOKEN } from './fake-gh.ts';
import { onlyCommandOf, runStep, temporaryFolder, workflow, writeAll } from './workflow.ts';

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

/** What every build writes. */
const ALWAYS = { 'licenses.txt': 'MIT', 'package.json': '{}' };
const OLD_DIST = { ...ALWAYS, 'index.js': 'built with terser 5', '5.index.js': 'built no more' };
const DONE = { exitCode: 0, output: expect.any(String) };
const failed = (text: string) => ({ exitCode: 1, output: expect.stringContaining(text) });

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
    /** A checkout of the head without credentials, for a workflow job. */
    checkout(name: string): string {
      const options = ['--quiet', '--no-local', '--depth=1', '--branch', branch];
      git('clone', ...options, '.', join(folder, name));
      return join(folder, name);
    },
    /** The first workflow job. Returns its artifact. */
    async build(): Promise<string> {
      const cwd = this.checkout('build');
      const step = onlyCommandOf('dependencies.yml', 'build');
      expect(await runStep(step, { cwd, env, expressions })).toEqual(DONE);
      return join(cwd, 'dist');
    },
    /** The second workflow job, on another machine, with the artifact. */
    async push(artifact: Readonly<Record<string, string>> | string, state = newState()) {
      const downloaded = join(folder, 'temp/dist');
      if (typeof artifact === 'string') cpSync(artifact, downloaded, { recursive: true });
      else writeAll(downloaded, { ...ALWAYS, ...artifact });
      const cwd = this.checkout('push');
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
    const { permissions } = workflow('dependencies.yml').jobs['build'] ?? {};
    expect(permissions).toEqual({ contents: 'read' });
    using staged = stage();
    expect(await staged.push(await staged.build())).toEqual(DONE);
    expect(staged.loot()).not.toContain(TOKEN);
    expect(staged.changes()).toEqual(['M\tdist/index.js']);
    expect(staged.git('show', `${BRANCH}:dist/index.js`)).toBe('built with terser 6');
  });

  test('commits what was built, and starts the checks of the new commit', async () => {
    using staged = stage();
    const state = newState();
    expect(await staged.push({ 'index.js': 'new', '7.index.js': 'chunk' }, state)).toEqual(DONE);
    expect(staged.changes()).toEqual([
      'D\tdist/5.index.js',
      'A\tdist/7.index.js',
      'M\tdist/index.js',
    ]);
    // Dependabot stops updating a branch with commits of others, except with these words:
    // https://docs.github.com/code-security/dependabot/working-with-dependabot/managing-pull-requests-for-dependency-updates
    expect(staged.git('log', '-1', '--format=%B', BRANCH)).toContain('[dependabot skip]');
    expect(state.dispatches).toEqual([`test.yml ${BRANCH}`]);
    expect(Object.keys(workflow('test.yml').on)).toContain('workflow_dispatch');
  });

  test('commits no other file of the artifact, and follows no link', async () => {
    using staged = stage();
    const others = { '.gitattributes': '* filter=spy\n', '.git/config': '', 'hooks/pre-push': '' };
    expect(await staged.push({ 'index.js': '->/etc/hostname', ...others })).toEqual(DONE);
    expect(staged.changes()).toEqual(['D\tdist/5.index.js', 'T\tdist/index.js']);
    expect(staged.git('show', `${BRANCH}:dist/index.js`)).toBe('/etc/hostname');
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
    const end = failed('Run the workflow "Test" on this branch.');
    expect(await staged.push({ 'index.js': 'new' }, state)).toEqual(end);
  });

  test('pushes nothing when dist did not change, or the artifact is not whole', async () => {
    using staged = stage();
    const end = { exitCode: 0, output: 'dist/ did not change.\n' };
    expect(await staged.push(OLD_DIST)).toEqual(end);
    using other = stage();
    expect(await other.push({})).toEqual(failed('No such file'));
    for (const { git, head } of [staged, other]) expect(git('rev-parse', BRANCH)).toBe(head);
  });

  test('does not overwrite a commit that was pushed in the meantime', async () => {
    using staged = stage();
    const pushed = staged.push({ 'index.js': 'new' });
    // The checkout is there, and the commands have not begun.
    const tree = `${staged.head}^{tree}`;
    const newer = staged.git('commit-tree', tree, '-p', staged.head, '-m', 'Rebase');
    staged.git('update-ref', `refs/heads/${BRANCH}`, newer);
    expect(await pushed).toEqual(failed('rejected'));
    expect(staged.git('rev-parse', BRANCH)).toBe(newer);
  });

  test('writes files even if the branch made dist a link', async () => {
    using staged = stage('link');
    expect(await staged.push({ 'index.js': 'new' })).toEqual(DONE);
    expect(staged.changes()).toEqual([
      ...['D\tdist', 'A\tdist/index.js', 'A\tdist/licenses.txt', 'A\tdist/package.json'],
    ]);
  });
});
