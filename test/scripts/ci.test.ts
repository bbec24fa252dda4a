/** `.ci/run`, where it cannot begin, and how it compares `dist/`. It runs on Linux and macOS. */
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noGit, skipWhen } from '../support/system.ts';
import { ROOT, runStep, temporaryFolder, writeAll } from './workflow.ts';

skipWhen(noGit);

/** Runs `.ci/run` in a repository with `files`, all committed. */
async function check(files: Readonly<Record<string, string>>, env = {}) {
  using folder = temporaryFolder('ci-');
  const cwd = folder.path;
  const git = (...args: readonly string[]) => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    execFileSync('git', [...identity, ...args], { cwd, env: { ...process.env, HOME: cwd } });
  };
  cpSync(join(ROOT, '.ci'), join(cwd, '.ci'), { recursive: true });
  writeAll(cwd, files);
  git('init', '--quiet');
  git('add', '--all', '--force');
  git('commit', '--quiet', '--message', 'All');
  return await runStep({ run: 'bash .ci/run' }, { cwd, env });
}

/** What run.cjs does with `--build`, with the same mark of the last build. */
const BUILD = `
const { existsSync, mkdirSync, writeFileSync } = require('node:fs');
if (process.argv[2] === '--build' && !existsSync('.work/built')) {
  mkdirSync('.work', { recursive: true });
  writeFileSync('.work/built', '');
  writeFileSync('dist/index.js', 'built');
}
`;

describe.skipIf(process.platform === 'win32')('CI', () => {
  test("says git's own message in a clone of another owner, which says what to do", async () => {
    // git's own tests pretend another owner with this variable.
    const { exitCode, output } = await check({}, { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' });
    expect(exitCode).not.toBe(0);
    expect(output).toContain('dubious ownership');
    expect(output).toContain('safe.directory');
  });

  test('passes when dist is what the sources build', async () => {
    const files = { '.github/scripts/run.cjs': BUILD, 'dist/index.js': 'built' };
    const { exitCode, output } = await check(files);
    expect(exitCode, output).toBe(0);
    expect(output).not.toContain('dist/ is not what the sources build.');
  });

  test('builds dist itself, whatever the scripts of package.json do and although a mark says that it is built', async () => {
    const dist = { 'dist/index.js': 'of another source', '.work/built': '' };
    const { exitCode, output } = await check({ '.github/scripts/run.cjs': BUILD, ...dist });
    expect(exitCode, output).toBe(1);
    expect(output).toContain('dist/ is not what the sources build.');
  });
});
