import { describe, expect, test } from 'vitest';
import { secretsOf } from '../../../src/inputs.ts';
import { environmentOf, errorsOf, type Given, read } from './given.ts';

describe('the inputs of a step', () => {
  test('have the defaults of the design', async () => {
    expect(await read({})).toEqual({
      task: { kind: 'create', instruction: 'x' },
      projectId: 'acme',
      adminApiKey: 'mint_0123456789',
      changes: 'none',
      paths: [],
      skip: [],
      since: '',
      pullRequest: 'new',
      dryRun: false,
      wait: true,
      timeoutMs: 1_800_000,
      pollIntervalMs: 10_000,
      baseUrl: 'https://api.mintlify.com',
      githubToken: 'ghs_1',
      matrix: '',
      sendsChanges: false,
    });
  });

  test('keep the prompt as it is written, and lose the white space around the others', async () => {
    const prompt = ' \r\n Document\tthis. %0A\n\n';
    const { task, projectId } = await read({ prompt, projectId: ' acme\n' });
    expect([task, projectId]).toEqual([{ kind: 'create', instruction: prompt }, 'acme']);
  });

  test('count as not given if they are empty', async () => {
    const empty = { changes: '', paths: ' \n', dryRun: '', wait: ' ', timeout: '', baseUrl: '' };
    expect(await read(empty)).toEqual(await read({}));
  });

  test.each<[Given, boolean]>([
    [{ changes: 'files' }, true],
    [{ changes: 'none', paths: 'src/**' }, true],
    [{ skip: 'chore*' }, true],
    [{ since: 'event' }, true],
    [{ pullRequest: 'append' }, false],
    [{ changes: 'diff', prompt: '', jobId: 'j1' }, false],
  ])('%o are about changes: %s', async (inputs, expected) => {
    expect((await read(inputs)).sendsChanges).toBe(expected);
  });

  test.each<[Given, object]>([
    [{ prompt: 'a', jobId: 'j1' }, { task: { kind: 'message', jobId: 'j1', instruction: 'a' } }],
    [{ prompt: '', jobId: 'j1' }, { task: { kind: 'follow', jobId: 'j1' } }],
    [{ dryRun: 'true', adminApiKey: '' }, { dryRun: true }],
    [
      { timeout: '1s', pollInterval: '10m' },
      { timeoutMs: 1_000, pollIntervalMs: 600_000 },
    ],
    [
      { timeout: '24h', pollInterval: '1s' },
      { timeoutMs: 86_400_000, pollIntervalMs: 1_000 },
    ],
    [{ baseUrl: 'https://proxy.example/m//' }, { baseUrl: 'https://proxy.example/m' }],
    [{ baseUrl: 'http://127.0.0.1:8080' }, { baseUrl: 'http://127.0.0.1:8080' }],
    [{ baseUrl: 'http://[::1]:8080/' }, { baseUrl: 'http://[::1]:8080' }],
    [
      { paths: ' src/**\r\n\n!**/*.test.ts \n[ab].md\na,b.md' },
      { paths: ['src/**', '!**/*.test.ts', '[ab].md', 'a,b.md'] },
    ],
    [
      { skip: 'chore(a, *): *\n@renovate[bot]\nlabel:no docs\n[skip ci]*\nRevert a, b' },
      { skip: ['chore(a, *): *', '@renovate[bot]', 'label:no docs', '[skip ci]*', 'Revert a, b'] },
    ],
  ])('%o are usable', async (inputs, expected) => {
    expect(await read(inputs)).toMatchObject(expected);
  });
});

const DASHBOARD = 'the API keys page of your Mintlify dashboard';
const SAVE = `Save an admin key from ${DASHBOARD} as the secret.`;
const FIND = `Write only the ID, which you find on ${DASHBOARD}.`;
const NO_URL =
  '`baseUrl` must be a URL like https://api.mintlify.com, without credentials or a query. http:// works only for a loopback host.';
const EACH = 'Write each pattern on a line of its own, without quotes and brackets.';

describe('a mistake is refused with what to do', () => {
  test.each<[Given, string]>([
    [{ prompt: '' }, '`prompt` is empty. Give a `prompt`, a `promptFile`, or a `jobId` to follow.'],
    [
      { projectId: '' },
      `\`projectId\` is empty. You find it on ${DASHBOARD}. If the workflow reads it from a variable, add that variable to this repository.`,
    ],
    [{ projectId: '"acme"' }, `\`projectId\` is in quotes or a URL: \`"acme"\`. ${FIND}`],
    [
      { projectId: 'app.mintlify.com/acme' },
      `\`projectId\` is in quotes or a URL: \`app.mintlify.com/acme\`. ${FIND}`,
    ],
    [
      { adminApiKey: ' \n' },
      '`adminApiKey` is empty. Add the secret that the workflow names to this repository, then re-run the failed jobs.',
    ],
    [{ adminApiKey: 'mint_dsc_1' }, `\`adminApiKey\` is an assistant key (\`mint_dsc_\`). ${SAVE}`],
    [{ adminApiKey: 'mint_us_1' }, `\`adminApiKey\` is an index key (\`mint_us_\`). ${SAVE}`],
    [{ adminApiKey: 'sk_1' }, `\`adminApiKey\` does not begin with \`mint_\`. ${SAVE}`],
    [
      { adminApiKey: 'mint_1\r\nx' },
      `\`adminApiKey\` contains white space or a special character. ${SAVE}`,
    ],
    [
      { githubToken: '', changes: 'files' },
      '`githubToken` is empty. Remove the input to use the token of the workflow run, or pass another token.',
    ],
    [{ changes: 'all' }, '`changes` must be none, files, or diff, not `all`.'],
    [{ dryRun: 'yes' }, '`dryRun` must be true or false, not `yes`.'],
    [
      { timeout: '25h' },
      '`timeout` must be a duration from 1s to 24h, like 90s or 10m, not `25h`.',
    ],
    [{ baseUrl: 'api.mintlify.com' }, NO_URL],
    [{ baseUrl: 'http://api.mintlify.com' }, NO_URL],
    [{ baseUrl: 'https://u:p@api.mintlify.com' }, NO_URL],
    [{ prompt: 'Use mint_0123456789.' }, '`adminApiKey` is part of the prompt. Remove it there.'],
    [{ promptFile: 'README.md' }, '`prompt` and `promptFile` are both given. Keep one of them.'],
    [
      { pullRequest: 'append', wait: 'false' },
      '`pullRequest: append` needs to wait for the agent job. Remove `wait: false`, or use `pullRequest: new`.',
    ],
    [
      { pullRequest: 'append', jobId: 'j1' },
      '`pullRequest: append` and `jobId` are both given. Keep one of them.',
    ],
    [
      { prompt: 'x'.repeat(150_001), changes: 'files' },
      '`prompt` or `promptFile` is over 150,000 bytes, which leaves no room for the changes. Shorten it, or set `changes: none`.',
    ],
    [
      { jobId: 'j1', changes: 'diff' },
      '`jobId` sends a message without changes. Remove `changes`, `paths`, `skip`, and `since`, or remove `jobId`.',
    ],
    [{ paths: '"src/**"' }, '`paths` contains `"src/**"`. Write `src/**`.'],
    [{ paths: "*\n!'*.test.ts'" }, "`paths` contains `!'*.test.ts'`. Write `!*.test.ts`."],
    [{ paths: 'docs/**\n- "src/"' }, '`paths` contains `- "src/"`. Write `src/**`.'],
    [{ paths: './src/*.ts' }, '`paths` contains `./src/*.ts`. Write `src/*.ts`.'],
    [{ paths: './' }, '`paths` contains `./`. Write `**`.'],
    [{ paths: 'src/**, lib/' }, `\`paths\` contains \`src/**, lib/\`. ${EACH}`],
    [{ paths: 'src/** lib/**' }, `\`paths\` contains \`src/** lib/**\`. ${EACH}`],
    [
      { paths: '!**/*.md\n!docs/**' },
      '`paths` only excludes files, so none would match. Write `**` as its first line.',
    ],
    [{ skip: "- 'chore*'" }, "`skip` contains `- 'chore*'`. Write `chore*`."],
    [{ skip: 'chore*, @renovate' }, `\`skip\` contains \`chore*, @renovate\`. ${EACH}`],
  ])('%o', async (inputs, problem) => {
    expect((await errorsOf(inputs)).problems).toEqual([problem]);
    expect(problem.split(/\. (?=[A-Z])/).length).toBeLessThanOrEqual(3);
  });

  test('all at once, by name', async () => {
    const { problems } = await errorsOf({
      ...{ prompt: '', projectId: '', adminApiKey: '', changes: 'all', paths: './a\nb/' },
      ...{ pullRequest: 'append', wait: 'false', timeout: '1d', baseUrl: 'x' },
    });
    const names = problems.map((problem) => /^`(\w+)/.exec(problem)?.[1]);
    expect(names).toEqual([
      ...['prompt', 'projectId', 'adminApiKey', 'changes', 'paths', 'paths', 'timeout', 'baseUrl'],
      'pullRequest',
    ]);
  });
});

test.each<[Given, boolean]>([
  [{ adminApiKey: '', projectId: '' }, true],
  [{ adminApiKey: 'mint_us_1' }, false],
  [{ adminApiKey: '', dryRun: 'true', projectId: '' }, false],
])('a missing key is distinct from other problems: %o', async (inputs, isKeyMissing) => {
  expect((await errorsOf(inputs)).isKeyMissing).toBe(isKeyMissing);
});

describe('secrets', () => {
  test('are known before the inputs are checked, also unusable ones', () => {
    const env = environmentOf({ adminApiKey: ' sk_1\n', githubToken: 'ghs_1', projectId: 'p' });
    expect(secretsOf(env)).toEqual(['sk_1', 'ghs_1']);
  });

  test.each<Given>([
    { adminApiKey: 'mint_secret x' },
    { adminApiKey: 'mint_us_secret' },
    { adminApiKey: 'mint_secret', prompt: 'mint_secret' },
    { baseUrl: 'https://u:secret@x.example' },
  ])('are in no message: %o', async (inputs) => {
    expect((await errorsOf(inputs)).message).not.toMatch(/[_:]secret/);
  });
});
