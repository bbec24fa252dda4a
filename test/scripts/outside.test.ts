/** How the workflow "Test" treats dist/ in a pull request from a fork. */
import { describe, expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { noGit, skipWhen } from '../support/system.ts';
import { onlyCommandOf, runStep, temporaryFolder } from './workflow.ts';

/** Runs the check in a checkout of the merge commit, as GitHub makes it for a pull request. */
async function check(changed: string) {
  const fork = { [changed]: 'from outside' };
  // The base has moved on. Its change of dist/ is not the fork's.
  const since = { 'dist/5.index.js': 'built since' };
  const commits = [
    { name: 'first', parents: [], files: { 'dist/index.js': 'built' } },
    { name: 'fork', parents: ['first'], files: fork },
    { name: 'base', parents: ['first'], files: since },
    { name: 'main', parents: ['base', 'fork'], files: fork },
  ];
  using repository = new GitRepository(commits);
  using folder = temporaryFolder('outside-');
  repository.git('clone', '--quiet', '--depth=2', '--no-local', '.', folder.path);
  return await runStep(onlyCommandOf('test.yml', 'dist'), { cwd: folder.path });
}

// Workflows run on ubuntu-latest, and so do these.
describe.skipIf(process.platform !== 'linux')('a pull request from a fork', () => {
  skipWhen(noGit);

  test.each(['dist/index.js', 'dist/9.index.js'])('that changes %s fails', async (file) => {
    const { exitCode, output } = await check(file);
    expect(exitCode).toBe(1);
    expect(output).toContain('A pull request from a fork must not change dist/');
  });

  test('that changes only sources passes', async () => {
    expect(await check('src/index.ts')).toEqual({ exitCode: 0, output: '' });
  });
});
