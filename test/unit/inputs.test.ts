import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { StepError } from '../../src/errors.ts';
import { INPUT_NAMES, readInputs, secretsOf } from '../../src/inputs.ts';

type Given = Readonly<Record<string, string>>;

const KEY = 'mint_0123456789';
const USABLE: Given = { prompt: 'x', projectId: 'acme', adminApiKey: KEY, githubToken: 'ghs_1' };

/** The environment that the runner makes of a step's inputs. */
const environmentOf = (inputs: Given) =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  );

/** Reads the inputs beside those that every step has. An empty one takes them away. */
const read = (inputs: Given, workspace = '.') =>
  readInputs({ GITHUB_WORKSPACE: workspace, ...environmentOf({ ...USABLE, ...inputs }) });

async function errorsOf(inputs: Given, workspace?: string): Promise<StepError> {
  const error = await read(inputs, workspace).catch((thrown: unknown) => thrown);
  if (error instanceof StepError) return error;
  throw new Error('The inputs are usable.', { cause: error });
}

const PATHS = [
  ...['src/**', '!**/*.test.ts', '[ab].md', 'a,b.md', '**/My App/**', 'src/*/My App/*.ts'],
  'Node.js Guide/**',
];

/** The titles without `*` are those of public commits. */
const RULES = [
  ...['chore(deps): *', 'chore(*, a): *', 'Release 1.*', 'v*.*.*-next.*', 'docs | *', '*!*'],
  ...['@a[bot]', '@acme/ui: *', 'label:no docs', 'label:*', '[skip ci]*', 'Merge* into*'],
  ...['Revert "a, b"', "l10n: fix 'zh_TW.po' 'Applying patch'", 'fix: a [bot]'],
  'Standardize on `list`, `remove`, `copy` over `ls`, `rm`, `cp` (#23608)',
  'ignore: fix gitignore parsing bug for trailing \\/',
  'ignore/types: add *.cjs, *.mjs, *.cts, *.mts',
];

describe('the inputs of a step', () => {
  test('have the names and the defaults of action.yml', async () => {
    const file = readFileSync(resolve(import.meta.dirname, '../../action.yml'), 'utf8');
    const inputs: Readonly<Record<string, { readonly default?: string }>> = parse(file).inputs;
    expect(Object.keys(inputs)).toEqual(INPUT_NAMES);
    const presets = Object.entries(inputs).map(([name, input]) => [name, input.default ?? '']);
    const plain = presets.filter(([, preset]) => !preset?.includes('${{'));
    expect(await read({ ...Object.fromEntries(plain), ...USABLE })).toEqual(await read({}));
  });

  test.each<[Given, object]>([
    [{ changes: 'files' }, { sendsChanges: true }],
    [{ changes: 'none', paths: 'src/**' }, { sendsChanges: true }],
    [{ skip: 'chore*' }, { sendsChanges: true }],
    [{ since: 'event' }, { sendsChanges: true }],
    [{ codePullRequest: '#12' }, { sendsChanges: true, codePullRequest: 12 }],
    [{ codePullRequest: '999999999' }, { codePullRequest: 999_999_999 }],
    [{ pullRequest: 'append' }, { sendsChanges: false }],
    [{ changes: 'diff', prompt: '', jobId: 'j1' }, { sendsChanges: false }],
    [{}, { prompt: 'x', paths: [], skip: [], since: '' }],
    [
      { prompt: 'a', jobId: 'j1' },
      { prompt: 'a', jobId: 'j1' },
    ],
    [
      { prompt: '', jobId: 'j1' },
      { prompt: undefined, jobId: 'j1' },
    ],
    [{ dryRun: 'true', adminApiKey: '' }, { dryRun: true }],
    [{ dryRun: 'True' }, { dryRun: true }],
    [{ dryRun: 'TRUE' }, { dryRun: true }],
    [{ wait: 'False' }, { wait: false }],
    [{ wait: 'FALSE' }, { wait: false }],
    [{ timeout: '1s' }, { timeoutMs: 1_000 }],
    [{ pollInterval: '10m' }, { pollIntervalMs: 600_000 }],
    [{ baseUrl: 'https://proxy.example/m//' }, { baseUrl: 'https://proxy.example/m' }],
    [{ baseUrl: 'http://127.0.0.1:8080' }, { baseUrl: 'http://127.0.0.1:8080' }],
    [{ githubToken: '' }, { githubToken: '' }],
    [{ baseUrl: 'http://[::1]:8080/' }, { baseUrl: 'http://[::1]:8080' }],
    // Only the prompt keeps the white space around it.
    [{ prompt: ' \r\n a %0A\n\n' }, { prompt: ' \r\n a %0A\n\n' }],
    [{ projectId: ' acme\n' }, { projectId: 'acme' }],
    [{ paths: ` ${PATHS.join('\r\n\n')} \n` }, { paths: PATHS }],
    [{ skip: RULES.join('\n') }, { skip: RULES }],
  ])('%o are read as %o', async (inputs, expected) => {
    expect(await read(inputs)).toMatchObject(expected);
  });
});

const MISTAKES: readonly Given[] = [
  { prompt: '' },
  { projectId: '' },
  { projectId: '"acme"' },
  { projectId: 'app.mintlify.com/acme' },
  { adminApiKey: ' \n' },
  { adminApiKey: 'mint_dsc_1' },
  { adminApiKey: 'mint_us_1' },
  { adminApiKey: 'mint1' },
  { adminApiKey: 'mint_1 x' },
  { githubToken: '', changes: 'files' },
  { githubToken: '', pullRequest: 'append' },
  { githubToken: '', codePullRequest: '1' },
  { changes: 'all' },
  { dryRun: 'yes' },
  { wait: 'tRUE' },
  { timeout: '0s' },
  { timeout: '25h' },
  { baseUrl: 'api.mintlify.com' },
  { baseUrl: 'http://api.mintlify.com' },
  { baseUrl: 'http://localhost.example' },
  { baseUrl: 'https://u:p@api.mintlify.com' },
  { baseUrl: 'https://api.mintlify.com?a' },
  { prompt: 'Use mint_0123456789.' },
  { promptFile: 'README.md' },
  { pullRequest: 'append', wait: 'false' },
  { pullRequest: 'append', jobId: 'j1' },
  { prompt: 'ü'.repeat(75_001), changes: 'files' },
  { jobId: 'j1', changes: 'diff' },
  { codePullRequest: 'https://github.com/acme/app/pull/12' },
  { codePullRequest: '"12"' },
  { codePullRequest: '0' },
  { codePullRequest: '1234567890' },
  { codePullRequest: '12', since: 'v1' },
  { codePullRequest: '12', jobId: 'j1' },
  { codePullRequest: '12', jobId: 'j1', prompt: '' },
];

const MISTAKES_IN_PATTERNS: Readonly<Record<'paths' | 'skip', readonly string[]>> = {
  paths: [
    ...['"src/**"', "*\n!'*.test.ts'", '“src/**”', 'docs/**\n- "src/"', '- .github'],
    ...['./src/*.ts', './', './src', '!**/*.md\n!docs/**'],
    ...['src/**,lib/', 'a.md, b.md', '*.ts,*.js', 'src/** lib/**', '*.md LICENSE', 'src/ docs/'],
    ...['src/**;docs/**', 'src/**/*.{ts,tsx}', '- a - b', '["src/**"]', '"a" "b"'],
  ],
  skip: [
    ...["- 'chore*'", 'label:"docs"', '“chore*”', '[a, b]', '["Add*"]', '"chore*" "docs*"'],
    ...['chore*, @renovate', '@renovate, chore*', 'label:a,label:b', '@a @b', 'chore*;'],
    ...['*', '**', '@*', '!feat*', '!label:docs', "- '!feat*'"],
    ...['^chore', '^chore: update$', '^chore.*\nfeat.*', '^(?!feat)', '- ^chore', '[a-z].*'],
    ...['/x/', '/^chore/i', '/renovate$/', '.*chore.*', 'chore: .*', '^chore(.*): .*'],
    ...['chore\\(deps\\): *', 'chore\\(.*\\)', '(chore|docs|ci)', '^(chore|docs)(\\(.*\\))?:'],
    ...['fix(api|web): *', 'labels:docs', 'labels: needs docs', 'renovate[bot]', '*[bot]'],
    ...['^renovate\\[bot\\]$', '@renovate.*', 'label:docs.*'],
  ],
};

describe('a mistake is refused with what to do', () => {
  test('in at most three sentences', async () => {
    const texts: string[] = [];
    const patterns = Object.entries(MISTAKES_IN_PATTERNS).flatMap(([name, all]) =>
      all.map((typed) => ({ [name]: typed })),
    );
    for (const inputs of [...MISTAKES, ...patterns]) {
      const { message } = await errorsOf(inputs);
      expect(message.split(/\. (?=[A-Z])/).length).toBeLessThanOrEqual(3);
      texts.push(`# ${JSON.stringify(inputs).slice(0, 60)}\n${message}\n`);
    }
    await expect(texts.join('\n')).toMatchFileSnapshot('inputs.md');
  });

  test.each(['paths', 'skip'] as const)('and what to write in %s is accepted', async (name) => {
    for (const typed of MISTAKES_IN_PATTERNS[name]) {
      const { message } = await errorsOf({ [name]: typed });
      for (const [advice] of message.matchAll(/(?<=\. Write ).*/g))
        for (const line of advice.split('`').filter((_text, index) => index % 2 === 1))
          expect((await read({ [name]: `a\n${line}` }))[name]).toEqual(['a', line]);
    }
  });

  test('all at once, by name', async () => {
    const { message } = await errorsOf({
      ...{ prompt: '', projectId: '', adminApiKey: '', changes: 'all', paths: './a\nb/' },
      ...{ githubToken: '', pullRequest: 'append', wait: 'false', timeout: '1d', baseUrl: 'x' },
      ...{ skip: '!a\n/b/\n*', codePullRequest: 'x', since: 'v1' },
    });
    const names = message.match(/(?<=^`)\w+/gm);
    expect(names).toEqual([
      ...['prompt', 'projectId', 'adminApiKey', 'codePullRequest', 'pullRequest', 'githubToken'],
      ...['changes', 'paths', 'paths', 'skip', 'skip', 'skip', 'codePullRequest'],
      ...['timeout', 'baseUrl'],
    ]);
  });
});

test.each<[Given, string]>([
  [{ adminApiKey: '', projectId: '' }, 'key-missing'],
  [{ adminApiKey: 'mint_us_1' }, 'inputs'],
  [{ adminApiKey: '', dryRun: 'true', projectId: '' }, 'inputs'],
])('a missing key is distinct from other problems: %o', async (inputs, topic) => {
  expect((await errorsOf(inputs)).topic).toBe(topic);
});

test('only a prompt without changes may have over 150,000 bytes', async () => {
  const prompt = 'ü'.repeat(75_000);
  expect((await read({ prompt, changes: 'files' })).changes).toBe('files');
  expect((await read({ prompt: `${prompt}x` })).changes).toBe('none');
});

test('the secrets are known before the inputs are checked, also unusable ones', () => {
  const env = environmentOf({ adminApiKey: ' sk_1\n', githubToken: 'ghs_1', projectId: 'p' });
  expect(secretsOf(env)).toEqual(['sk_1', 'ghs_1']);
});

describe('a promptFile', () => {
  const FOLDER = mkdtempSync(join(tmpdir(), 'docs-agent-job-'));
  const WORKSPACE = join(FOLDER, 'workspace');
  afterAll(() => rmSync(FOLDER, { recursive: true }));

  for (const name of ['.git', '.GIT', 'docs'])
    mkdirSync(join(WORKSPACE, name), { recursive: true });
  const FILES: Readonly<Record<string, string | Uint8Array>> = {
    'docs/prompt.md': '\ufeffDokumentiere für\r\n',
    '.gitignore': 'not .git',
    '.git/config': 'token',
    '.GIT/config': 'token',
    'docs/empty.md': ' \n',
    'docs/latin.md': new Uint8Array([0x66, 0xfc]),
    '../outside.md': 'outside',
  };
  for (const [name, content] of Object.entries(FILES))
    writeFileSync(join(WORKSPACE, name), content);
  const LINKS = { 'docs/out.md': '../../outside.md', 'docs/git.md': '../.git/config' };
  if (process.platform !== 'win32')
    for (const [name, to] of Object.entries(LINKS)) symlinkSync(to, join(WORKSPACE, name));

  test.each([
    ['docs/prompt.md', 'Dokumentiere für\r\n'],
    [join(WORKSPACE, 'docs/prompt.md'), 'Dokumentiere für\r\n'],
    ['.gitignore', 'not .git'],
  ])('%s is read as it is, without a byte order mark', async (promptFile, instruction) => {
    const { prompt } = await read({ prompt: '', promptFile }, WORKSPACE);
    expect(prompt).toEqual(instruction);
  });

  const outside = 'is outside the workspace or in `.git`. Use a file in the workspace.';
  const links = process.platform === 'win32' ? [] : Object.keys(LINKS);

  test.each<readonly [string, string]>([
    ['docs/none.md', 'does not exist. If it is in the repository, add a checkout step before.'],
    ['docs/empty.md', 'is empty. Write the instruction in it.'],
    ['docs/latin.md', 'is not UTF-8 text. Save it as UTF-8.'],
    ...['../outside.md', '.git/config', '.GIT/config', ...links].map(
      (path) => [path, outside] as const,
    ),
  ])('%s is refused', async (promptFile, problem) => {
    const { message } = await errorsOf({ prompt: '', promptFile }, WORKSPACE);
    expect(message).toBe(`\`promptFile\` names \`${promptFile}\`, which ${problem}`);
  });
});
