/** How the workflow "Test" treats dist/ in a pull request from a fork. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noGit, skipWhen } from '../support/system.ts';
import { commandsOf, runStep } from './workflow.ts';

/** Runs the check in a checkout of the merge commit, as GitHub makes it for a pull request. */
async function check(changed: string): Promise<{ exitCode: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'outside-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  const commit = (file: string, content: string) => {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), content);
    git('add', '--all');
    git('commit', '--message', file);
  };
  try {
    git('init', '--initial-branch', 'main');
    commit('dist/index.js', 'built');
    git('switch', '--create', 'fork');
    commit(changed, 'from outside');
    git('switch', 'main');
    // The base has moved on. Its change of dist/ is not the fork's.
    commit('dist/5.index.js', 'built since');
    git('merge', '--no-ff', '--message', 'merge', 'fork');
    const [step, ...others] = commandsOf('test.yml', 'dist');
    expect(others).toEqual([]);
    return await runStep(step ?? {}, { cwd: folder, env: {} });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
