import { expect, test } from 'vitest';
import { play } from '../support/play.ts';

test('every problem is reported at once, before any request', async () => {
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
  const { result, agent, said } = await play({ inputs: { prompt: 'x', promptFile: 'y', ...bad } });
  expect(agent.requests).toEqual([]);
  // GitHub keeps ten errors per step, so the tenth contains the rest.
  expect(said).toHaveLength(10);
  const named = said
    .flatMap((annotation) => annotation.split('\n'))
    .filter((text) => !text.startsWith('Troubleshooting: '))
    .map((line) => /`(\w+)`/.exec(line)?.[1]);
  expect(named).toEqual([...Object.keys(bad), 'prompt']);
  expect(result.summary.match(/<li>/g)).toHaveLength(13);
  expect(result.outputs['outcome']).toBe('error');
});
