/** The built files alone, as a runner gets them. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { annotations, loadWhenLogged, runAction } from '../support/action.ts';
import { AgentService } from '../support/agent-service.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-dist-'));
cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
const main = join(folder, 'dist', 'index.js');
afterAll(() => rmSync(folder, { recursive: true }));

test.concurrent('dist/ runs without node_modules, also with `changes`', async () => {
  await using service = await AgentService.start();
  await using github = await GitHubService.start({ commits: line(3) });
  const result = await runAction({
    main,
    inputs: {
      prompt: 'x',
      changes: 'diff',
      paths: 'src/**',
      pollInterval: '1s',
      baseUrl: service.url,
    },
    ...onPush(github.url, 'c1', 'c3'),
  });
  expect(result.stderr).toBe('');
  expect(result.outputs['outcome']).toBe('pull-request');
  expect(service.requests[0]?.body).toContain('new 3');
});

test('dist/ holds code of each dependency, of no other package, and with its licence', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const licenses = readFileSync(join(folder, 'dist', 'licenses.txt'), 'utf8');
  const bundled = [...licenses.matchAll(/^(\S+)\n(?:MIT|BSD-3-Clause)\n\S/gm)];
  expect(bundled.map(([, name]) => name).sort()).toEqual(Object.keys(dependencies).sort());
});

test.concurrent('an unexpected error ends in a report, not in a stack trace on stderr', async () => {
  await using service = await AgentService.start({ schedule: [{ afterMs: 0, status: 'active' }] });
  const result = await runAction({
    main,
    inputs: { prompt: 'x', pollInterval: '1s', baseUrl: service.url },
    env: loadWhenLogged('throw-later.mjs', 'Waiting for agent job'),
  });
  expect(result.stderr).toBe('');
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
  expect(annotations(result).at(-1)).toContain(
    'Unexpected error: `a fault of our own\\n::error::forged`. This is a bug in the action. Please report it at https://github.com/docs-agent/docs-agent-job/issues.',
  );
  expect(annotations(result).at(-1)).toContain('to keep waiting for agent job `job_1`');
  expect(result.commands.map(({ name }) => name)).toEqual([
    'add-mask',
    'add-mask',
    'notice',
    'error',
  ]);
});
