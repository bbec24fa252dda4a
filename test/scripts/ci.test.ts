/** `.ci/run`, where it cannot begin. It runs on Linux and macOS. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noGit, skipWhen } from '../support/system.ts';
import { ROOT } from './workflow.ts';

skipWhen(noGit);

test.skipIf(process.platform === 'win32')(
  "in a clone of another owner git's own message says what to do",
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'ci-'));
    try {
      cpSync(join(ROOT, '.ci'), join(folder, '.ci'), { recursive: true });
      execFileSync('git', ['init', '--quiet', folder]);
      // git's own tests pretend another owner with this variable.
      const env = { ...process.env, HOME: folder, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' };
      const { status, stderr } = spawnSync('bash', ['.ci/run'], {
        cwd: folder,
        env,
        encoding: 'utf8',
      });
      expect(status).not.toBe(0);
      expect(stderr).toContain('dubious ownership');
      expect(stderr).toContain('safe.directory');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
