/**
 * Compares the outputs of runs with action.yml, and tests what happens when they cannot be written.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Action, annotations, metadata, runAction } from '../support/action.ts';
import { AgentService, PR_LINK } from '../support/agent-service.ts';

const DECLARED = Object.keys(metadata.outputs).sort();

test.concurrent.each([
  { promise: 'a run that ends with a pull request', inputs: { prompt: 'x', pollInterval: '1s' } },
  { promise: 'a run with bad inputs', inputs: { prompt: '', timeout: 'soon' } },
  { promise: 'a dry run', inputs: { prompt: 'x', dryRun: 'true' } },
  { promise: 'a run that does not wait', inputs: { prompt: 'x', wait: 'false' } },
])('$promise sets each output of action.yml, and no other', async ({ inputs }) => {
  await using service = await AgentService.start();
  const result = await runAction({ inputs: { baseUrl: service.url, ...inputs } });
  expect(Object.keys(result.outputs).sort()).toEqual(DECLARED);
});

test.concurrent('the number and repository of the pull request are set as outputs that `gh` accepts', async () => {
  await using service = await AgentService.start();
  const { outputs } = await runAction({
    inputs: { prompt: 'x', pollInterval: '1s', baseUrl: service.url },
  });
  expect(outputs).toMatchObject({ prLink: PR_LINK, prNumber: '123', prRepository: 'acme/docs' });
});

test.concurrent('no agent job is created when the file for outputs does not exist', async () => {
  await using service = await AgentService.start();
  const result = await runAction({
    inputs: { prompt: 'x', baseUrl: service.url },
    env: { GITHUB_OUTPUT: join(import.meta.dirname, 'none') },
  });
  expect([service.connections, result.exitCode]).toEqual([0, 1]);
  expect(annotations(result).at(-1)).toMatch(
    /^error: The runner's file for outputs cannot be written/,
  );
  expect(result.summary).toContain('## ❌ The outputs cannot be written');
});

test.concurrent('the step fails and says so when outputs can no longer be written at the end', async () => {
  let workspace = '';
  await using service = await AgentService.start({
    schedule: [{ status: 'active' }, { afterReads: 1, status: 'completed', prLink: PR_LINK }],
  });
  const action = new Action({
    inputs: { prompt: 'x', pollInterval: '3s', baseUrl: service.url },
    prepare: (folder) => {
      workspace = folder;
    },
  });
  await action.logged(/Waiting for agent job/);
  rmSync(join(workspace, 'output'));
  const result = await action.end();
  expect(result.exitCode).toBe(1);
  const closing = annotations(result).at(-1) ?? '';
  expect(closing).toMatch(/^error: The agent opened a pull request: https/);
  expect(closing).toContain('These outputs could not be written: prLink, prNumber, ');
  expect(result.summary).toContain('These outputs could not be written');
});
