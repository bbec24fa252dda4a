/** The file of the event, which the runner writes. */
import { expect, test } from 'vitest';
import { annotations, runAction } from '../support/action.ts';
import { AgentService } from '../support/agent-service.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';

const BROKEN = { 'broken.json': '::error::forged' };

test.concurrent('a run that needs no event succeeds when the file is not JSON, and prints nothing of it', async () => {
  await using service = await AgentService.start();
  const result = await runAction({
    inputs: { prompt: 'x', wait: 'false', baseUrl: service.url },
    files: BROKEN,
    env: { GITHUB_EVENT_PATH: 'broken.json' },
  });
  expect(result.outputs['outcome']).toBe('started');
  expect(result.stderr).toBe('');
  expect(`${result.stdout}${result.summary}`).not.toMatch(/broken|forged|event/i);
});

test.concurrent('a run whose file is missing does not say so', async () => {
  await using service = await AgentService.start();
  const result = await runAction({
    inputs: { prompt: 'x', wait: 'false', baseUrl: service.url },
    env: { GITHUB_EVENT_PATH: '::error::forged' },
  });
  expect(result.outputs['outcome']).toBe('started');
  expect(result.stdout).not.toContain('forged');
});

test.concurrent('a run that needs the event says that the file cannot be read when it is not JSON', async () => {
  await using service = await AgentService.start();
  await using github = await GitHubService.start({ commits: line(3) });
  const result = await runAction({
    inputs: { prompt: 'x', changes: 'files', wait: 'false', baseUrl: service.url },
    files: BROKEN,
    env: { ...onPush(github.url, 'c1', 'c3').env, GITHUB_EVENT_PATH: 'broken.json' },
  });
  expect(annotations(result).join('\n')).toContain(
    'The event in `GITHUB_EVENT_PATH` could not be read',
  );
  expect(annotations(result).join('\n')).not.toMatch(/^error: forged/m);
});
