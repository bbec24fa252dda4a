import { expect, test } from 'vitest';
import { ADMIN_API_KEY } from '../support/agent-service.ts';
import { play, playChanges } from '../support/play.ts';
import { commitsInLine } from '../support/workflow-run.ts';

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

test('a token and a key that were pasted with a line break are used without it', async () => {
  const secrets = { adminApiKey: `${ADMIN_API_KEY}\r\n`, githubToken: ' ghs_0123456789\n' };
  const { outputs, agent, authorizations } = await playChanges({
    eventName: 'push',
    event: { before: 'c4' },
    github: { commits: commitsInLine(['c4', 'c5']) },
    inputs: secrets,
  });
  expect(outputs['outcome']).toBe('started');
  expect([...authorizations]).toEqual(['token ghs_0123456789']);
  expect(agent.requests[0]?.headers.authorization).toBe(`Bearer ${ADMIN_API_KEY}`);
});

test('a token that holds a line break is refused by name, before any request', async () => {
  const { agent, requests, said } = await play({
    inputs: { prompt: 'x', changes: 'files', githubToken: 'ghs_01234\n56789' },
  });
  expect([...agent.requests, ...requests]).toEqual([]);
  expect(said[0]).toContain('`githubToken` contains white space, a line break');
});
