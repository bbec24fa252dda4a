import { expect, test } from 'vitest';
import { annotations, runAction } from '../support/action.ts';
import { AgentService } from '../support/agent-service.ts';
import { noVariableLimit } from '../support/system.ts';

const prompts = (service: AgentService) =>
  service.requests.map(({ body }) => JSON.parse(body).prompt as string);

test.concurrent('a prompt arrives as it was written', async () => {
  await using service = await AgentService.start();
  const prompt = '  indented\r\n100%0Aand %25 more\n::error::x\n##[error]y\n\n\n';
  await runAction({ inputs: { prompt, wait: 'false', baseUrl: service.url } });
  expect(prompts(service)).toEqual([prompt]);
});

// On Linux one environment variable is at most 131,072 bytes with its name and its end.
const LONGEST = 131_072 - 'INPUT_PROMPT='.length - 1;

test.concurrent('the longest prompt that fits into an input arrives', async ({ skip }) => {
  skip(noVariableLimit !== undefined, noVariableLimit);
  await using service = await AgentService.start();
  const prompt = 'x'.repeat(LONGEST);
  await runAction({ inputs: { prompt, wait: 'false', baseUrl: service.url } });
  expect(prompts(service)).toEqual([prompt]);
});

test.concurrent('a prompt of one byte more keeps the action from starting, so promptFile exists', async ({
  skip,
}) => {
  skip(noVariableLimit !== undefined, noVariableLimit);
  await expect(async () =>
    runAction({ inputs: { prompt: 'x'.repeat(LONGEST + 1) } }),
  ).rejects.toThrow('E2BIG');
});

test.concurrent('a promptFile of 1 MiB arrives whole', async () => {
  await using service = await AgentService.start();
  const prompt = 'Zeile für Zeile\r\n'.repeat(62_000);
  expect(Buffer.byteLength(prompt)).toBeGreaterThan(1024 * 1024);
  const result = await runAction({
    inputs: { promptFile: 'prompt.md', wait: 'false', baseUrl: service.url },
    files: { 'prompt.md': prompt },
  });
  expect(prompts(service)).toEqual([prompt]);
  expect(Buffer.byteLength(result.summary)).toBeLessThan(1024 * 1024);
});

test.concurrent('every problem is reported at once, before any request', async () => {
  await using service = await AgentService.start();
  const result = await runAction({
    inputs: {
      prompt: 'x',
      promptFile: 'y',
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
    },
  });
  expect(service.requests).toEqual([]);
  // GitHub keeps ten errors per step, so the tenth contains the rest.
  expect(annotations(result)).toHaveLength(10);
  expect(
    annotations(result)
      .flatMap((annotation) => annotation.split('\n'))
      .filter((text) => !text.startsWith('Troubleshooting: '))
      .map((line) => /`(\w+)`/.exec(line)?.[1]),
  ).toEqual([
    'projectId',
    'adminApiKey',
    'changes',
    'paths',
    'since',
    'jobId',
    'rerun',
    'dryRun',
    'wait',
    'timeout',
    'pollInterval',
    'baseUrl',
    'prompt',
  ]);
  expect(result.summary.match(/<li>/g)).toHaveLength(13);
  expect(result.outputs['outcome']).toBe('error');
});
