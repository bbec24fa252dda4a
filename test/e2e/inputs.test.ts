import { expect, test } from 'vitest';
import { annotations, runAction } from '../support/action.ts';
import { AgentService } from '../support/agent-service.ts';
import { noVariableLimit } from '../support/system.ts';

const prompts = (service: AgentService) =>
  service.requests.map(({ body }) => JSON.parse(body).prompt as string);

test.concurrent.each([
  { what: 'Windows line breaks', prompt: 'one\r\ntwo\r\n' },
  { what: 'a percent escape', prompt: '100%0Aand %25 more' },
  { what: 'line breaks at its end', prompt: '  indented\n\n\n' },
  { what: 'log commands of the runner', prompt: '::error::x\n##[error]y' },
])('a prompt with $what arrives as it was written', async ({ prompt }) => {
  await using service = await AgentService.start();
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

test.concurrent.each([
  { what: 'does not exist', name: 'none.md', says: 'cannot be read: there is no such file.' },
  { what: 'is a folder', name: '.', says: 'cannot be read: it is not a regular file.' },
  { what: 'is empty', name: 'empty.md', says: 'is empty' },
  { what: 'is not UTF-8', name: 'latin1.md', says: 'is not UTF-8 text' },
  { what: 'is over 10 MiB', name: 'huge.md', says: 'is larger than 10 MiB' },
])('a promptFile that $what is refused, and the error names it', async ({ name, says }) => {
  await using service = await AgentService.start();
  const result = await runAction({
    inputs: { promptFile: name, baseUrl: service.url },
    files: {
      'empty.md': ' \n',
      'latin1.md': Buffer.from('für', 'latin1'),
      'huge.md': Buffer.alloc(10 * 1024 * 1024 + 1, 'x'),
    },
  });
  expect(service.requests).toEqual([]);
  const [message] = annotations(result);
  expect(message).toContain(`error: \`promptFile\` \`${name}\` ${says}`);
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

test.concurrent('inputs given but empty count as not given', async () => {
  await using service = await AgentService.start();
  const result = await runAction({
    inputs: {
      prompt: 'x',
      baseUrl: service.url,
      promptFile: '',
      jobId: '',
      wait: '',
      timeout: '',
      pollInterval: '',
      changes: '',
      paths: '',
      since: '',
      githubToken: '',
    },
    env: { INPUT_WAIT: 'false' },
  });
  expect(result.outputs['outcome']).toBe('started');
});

const fromRepository = (full_name: string) => ({
  pull_request: { head: { repo: { full_name } }, base: { repo: { full_name: 'acme/app' } } },
});

test.concurrent.each([
  {
    run: 'a Dependabot run',
    env: { GITHUB_ACTOR: 'dependabot[bot]' },
    event: {},
    says: 'Dependabot runs get only the secrets set for Dependabot',
  },
  {
    run: 'a pull request from a fork',
    env: { GITHUB_EVENT_NAME: 'pull_request' },
    event: fromRepository('someone/app'),
    says: 'The pull request comes from a fork',
  },
  {
    run: 'a pull request of this repository',
    env: { GITHUB_EVENT_NAME: 'pull_request' },
    event: fromRepository('acme/app'),
    says: 'The secret is not set for this repository',
  },
  {
    run: 'any other run',
    env: {},
    event: {},
    says: 'The secret is not set for this repository',
  },
])('the error for a missing key in $run names its likely cause', async ({ env, event, says }) => {
  const result = await runAction({ inputs: { prompt: 'x', adminApiKey: '' }, env, event });
  expect(annotations(result)[0]).toContain('`adminApiKey` is required but empty');
  expect(annotations(result)[0]).toContain(says);
});
