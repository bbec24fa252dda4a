import { expect, test } from 'vitest';
import { runChanges, warningsOf } from '../../support/changes-run.ts';
import { line } from '../../support/github-service.ts';

const current = { id: 500, run_number: 10, head_sha: 'c5', conclusion: 'in_progress' };
const github = { commits: line(5), runs: [current] };

test.concurrent('the first night sends nothing and succeeds', async () => {
  const seen = await runChanges({ event: 'schedule', github });
  expect(seen.prompt).toBeUndefined();
  expect(seen.result.outputs['outcome']).toBe('skipped');
  expect(seen.result.exitCode).toBe(0);
  expect(seen.result.stdout).toContain('There is nothing to start from');
  expect(warningsOf(seen)).toEqual([]);
});

test.concurrent('the first dispatch is sent without changes, and a warning says so', async () => {
  const inputs = { paths: 'docs/**' };
  const seen = await runChanges({ event: 'workflow_dispatch', github, inputs });
  expect(seen.prompt).toBe('Document it.');
  expect(warningsOf(seen)).toEqual([expect.stringContaining('There is nothing to start from')]);
});
