import { expect, test } from 'vitest';
import { annotations } from '../support/action.ts';
import { AgentService } from '../support/agent-service.ts';
import { runHere } from '../support/in-process.ts';

test('every problem is reported at once, before any request', async () => {
  await using service = await AgentService.start();
  const bad = {
    projectId: '..',
    adminApiKey: 'mint_dsc_0123456789',
    changes: 'some',
    paths: '!src/**',
    since: 'a..b',
    jobId: '.',
    rerun: 'perhaps',
    dryRun: 'maybe',
    wait: 'yes',
    timeout: '25h',
    pollInterval: '10',
    baseUrl: 'http://agent.example',
  };
  const result = await runHere({ inputs: { prompt: 'x', promptFile: 'y', ...bad } });
  expect(service.requests).toEqual([]);
  // GitHub keeps ten errors per step, so the tenth contains the rest.
  expect(annotations(result)).toHaveLength(10);
  const named = annotations(result)
    .flatMap((annotation) => annotation.split('\n'))
    .filter((text) => !text.startsWith('Troubleshooting: '))
    .map((line) => /`(\w+)`/.exec(line)?.[1]);
  expect(named).toEqual([...Object.keys(bad), 'prompt']);
  expect(result.summary.match(/<li>/g)).toHaveLength(13);
  expect(result.outputs['outcome']).toBe('error');
});
