/** What only a process shows: its environment, the runner's files, stdout and stderr. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Action, annotations, loadWhenLogged, runAction } from '../support/action.ts';
import { AgentService } from '../support/agent-service.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';
import { noVariableLimit } from '../support/system.ts';
import { tls } from '../support/tls.ts';

const prompts = (service: AgentService) =>
  service.requests.map(({ body }) => JSON.parse(body).prompt as string);

test.concurrent('a prompt arrives as it was written, and nothing is printed of a broken event', async () => {
  await using service = await AgentService.start();
  const prompt = '  indented\r\n100%0Aand %25 more\n::error::x\n##[error]y\n\n\n';
  const result = await runAction({
    inputs: { prompt, wait: 'false', baseUrl: service.url },
    files: { 'broken.json': '::error::forged' },
    env: { GITHUB_EVENT_PATH: 'broken.json' },
  });
  expect(prompts(service)).toEqual([prompt]);
  expect([result.outputs['outcome'], result.stderr]).toEqual(['started', '']);
  expect(`${result.stdout}${result.summary}`).not.toMatch(/broken|forged|event/i);
});

test.concurrent('a prompt comes from a file of the workspace, whole', async () => {
  await using service = await AgentService.start();
  const prompt = 'Zeile für Zeile\r\n'.repeat(62_000);
  await runAction({
    inputs: { promptFile: 'docs/prompt.md', wait: 'false', baseUrl: service.url },
    files: { 'docs/prompt.md': prompt },
  });
  expect(prompts(service)).toEqual([prompt]);
});

// On Linux one environment variable is at most 131,072 bytes with its name and its end.
test.concurrent('a prompt of more than 128 KiB keeps the action from starting, so promptFile exists', async ({
  skip,
}) => {
  skip(noVariableLimit !== undefined, noVariableLimit);
  await using service = await AgentService.start();
  const prompt = 'x'.repeat(131_072 - 'INPUT_PROMPT='.length - 1);
  await runAction({ inputs: { prompt, wait: 'false', baseUrl: service.url } });
  expect(prompts(service)).toEqual([prompt]);
  const longer = { inputs: { prompt: `${prompt}x` } };
  await expect(async () => runAction(longer)).rejects.toThrow('E2BIG');
});

test.concurrent('no agent job is created without a file for the outputs', async () => {
  await using service = await AgentService.start();
  const result = await runAction({
    inputs: { prompt: 'x', baseUrl: service.url, wait: 'false' },
    env: { GITHUB_OUTPUT: undefined },
  });
  expect([service.connections, result.exitCode]).toEqual([0, 1]);
  expect(annotations(result).at(-1)).toContain(
    "The runner's file for outputs cannot be written (`the environment variable GITHUB_OUTPUT is not set`), so no agent job was created.",
  );
});

test.concurrent('the step fails and says so when outputs can no longer be written at the end', async () => {
  const removed = Promise.withResolvers<void>();
  await using service = await AgentService.start({
    intercept: async ({ request }) => {
      if (request.method === 'GET') await removed.promise;
      return false;
    },
  });
  const action = new Action({ inputs: { prompt: 'x', pollInterval: '1s', baseUrl: service.url } });
  await action.logged(/Waiting for agent job/);
  rmSync(join(action.folder, 'output'));
  removed.resolve();
  const result = await action.end();
  expect(result.exitCode).toBe(1);
  const closing = annotations(result).at(-1) ?? '';
  expect(closing).toMatch(/^error: The agent opened a pull request: https/);
  expect(closing).toContain('These outputs could not be written: prLink, prNumber, ');
});

test.concurrent('no key is sent while Node does not check certificates, and the error says why', async () => {
  await using service = await AgentService.start({ tls });
  await using github = await GitHubService.start({ commits: line(3) });
  const push = onPush(github.url, 'c1', 'c3');
  const result = await runAction({
    inputs: { prompt: 'x', changes: 'files', baseUrl: service.url },
    event: push.event,
    env: { ...push.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  });
  expect([service.connections, github.requests.length]).toEqual([0, 0]);
  expect([result.exitCode, result.outputs['outcome'], result.stderr]).toEqual([1, 'error', '']);
  expect(annotations(result).at(-1)).toContain('`NODE_TLS_REJECT_UNAUTHORIZED` is `0`');
});

test.concurrent("Node's warnings are debug lines, and nothing of them is on stderr", async () => {
  await using service = await AgentService.start();
  const result = await runAction({
    inputs: { prompt: 'x', pollInterval: '1s', baseUrl: service.url },
    env: { ...loadWhenLogged('warn.mjs', 'Creating an agent job'), RUNNER_DEBUG: '1' },
  });
  expect([result.outputs['outcome'], result.stderr]).toEqual(['pull-request', '']);
  expect(result.commands).toContainEqual(
    expect.objectContaining({ name: 'debug', data: 'Node warns: something is deprecated' }),
  );
});

test.concurrent('the step goes on when nobody reads its log any more, also with debug lines', async () => {
  await using service = await AgentService.start();
  const inputs = { prompt: 'x', pollInterval: '1s', baseUrl: service.url };
  const action = new Action({ inputs, env: { RUNNER_DEBUG: '1' } });
  await action.logged(/Project/);
  action.child.stdout?.destroy();
  const { exitCode, outputs } = await action.end();
  expect([exitCode, outputs['outcome']]).toEqual([0, 'pull-request']);
});
