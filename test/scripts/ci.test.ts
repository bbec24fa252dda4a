/** `.ci/run`, where it cannot begin, and how it compares `dist/`. It runs on Linux and macOS. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noGit, skipWhen } from '../support/system.ts';
import { ROOT } from './workflow.ts';

skipWhen(noGit);

/** A repository with `.ci/run` and `files`, all committed. */
function repository(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'ci-'));
  const bin = join(folder, '.git/bin');
  const environment = { ...process.env, HOME: folder };
  execFileSync('git', ['init', '--quiet', folder]);
  cpSync(join(ROOT, '.ci'), join(folder, '.ci'), { recursive: true });
  // Each check that npm would run passes, and does nothing.
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\n');
  chmodSync(join(bin, 'npm'), 0o755);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  execFileSync('git', ['add', '--all', '--force'], { cwd: folder });
  execFileSync('git', [...identity, 'commit', '--quiet', '--message', 'All'], { cwd: folder });
  return {
    run: (env: Readonly<Record<string, string>> = {}) =>
      spawnSync('bash', ['.ci/run'], {
        cwd: folder,
        env: { ...environment, PATH: [bin, process.env['PATH']].join(delimiter), ...env },
        encoding: 'utf8',
      }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
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
  test("says git's own message in a clone of another owner, which says what to do", () => {
    using clone = repository({});
    // git's own tests pretend another owner with this variable.
    const { status, stderr } = clone.run({ GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' });
    expect(status).not.toBe(0);
    expect(stderr).toContain('dubious ownership');
    expect(stderr).toContain('safe.directory');
  });

  const CASES: readonly {
    promise: string;
    files: Readonly<Record<string, string>>;
    status: number;
  }[] = [
    {
      promise: 'passes when dist is what the sources build',
      files: { 'dist/index.js': 'built' },
      status: 0,
    },
    {
      promise: 'builds dist itself, whatever the scripts of package.json do',
      files: { 'dist/index.js': 'of another source' },
      status: 1,
    },
    {
      promise: 'builds dist although a mark says that it is built',
      files: { 'dist/index.js': 'of another source', '.work/built': '' },
      status: 1,
    },
  ];
  test.each(CASES)('$promise', ({ files, status }) => {
    using clone = repository({ '.github/scripts/run.cjs': BUILD, ...files });
    const result = clone.run();
    expect(result.status, result.stdout + result.stderr).toBe(status);
    expect(result.stdout.includes('dist/ is not what the sources build.')).toBe(status === 1);
  });
});
