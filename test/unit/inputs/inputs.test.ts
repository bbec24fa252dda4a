import { describe, expect, test } from 'vitest';
import {
  INPUT_NAMES,
  InputError,
  parseInputs,
  type RawInputs,
  readInputs,
} from '../../../src/inputs/inputs.ts';
import type { RunFacts } from '../../../src/model/run-facts.ts';
import { redact, secretOf } from '../../../src/text/secrets.ts';
import { metadata } from '../../support/action.ts';
import { FACTS } from '../../support/fakes.ts';
import { GitRepository } from '../../support/git-repository.ts';
import { sentencesIn } from '../../support/short-errors.ts';
import { noGit } from '../../support/system.ts';

const needed: RawInputs = { prompt: 'x', projectId: 'p', adminApiKey: 'mint_0123456789' };

/** Parses inputs as the runner passes them. The key has been masked. */
function parsed(given: RawInputs, known = FACTS) {
  const raw = readInputs(
    Object.fromEntries(
      Object.entries(given).map(([name, text]) => [`INPUT_${name.toUpperCase()}`, text]),
    ),
  );
  const masked = raw.adminApiKey === undefined ? [] : [secretOf(raw.adminApiKey)];
  return parseInputs(raw, known, (text) => redact(text, masked));
}

function errorOf(raw: RawInputs, known = FACTS): InputError | undefined {
  try {
    parsed(raw, known);
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

const problems = (raw: RawInputs, known = FACTS) => errorOf(raw, known)?.problems ?? [];

test('the inputs have the names in action.yml', () => {
  expect([...INPUT_NAMES]).toEqual(Object.keys(metadata.inputs));
});

test('the inputs have the defaults in action.yml', () => {
  // The default of a token and of the workflow job is an expression, which the runner evaluates.
  const defaults = Object.entries(metadata.inputs).flatMap(([name, input]) =>
    input.default === undefined || input.default.startsWith('${{') ? [] : [[name, input.default]],
  );
  expect(parsed({ ...needed, ...Object.fromEntries(defaults) })).toEqual(parsed(needed));
  expect(parsed(needed)).toEqual({
    task: { kind: 'create', instruction: 'x' },
    projectId: 'p',
    adminApiKey: 'mint_0123456789',
    ...{ changes: 'none', paths: [], skip: [], since: 'auto', pullRequest: 'new', rerun: 'resume' },
    ...{ dryRun: false, wait: true, timeoutMs: 1_800_000, pollIntervalMs: 10_000 },
    ...{ baseUrl: 'https://api.mintlify.com', githubToken: '', workflowJob: '' },
  });
});

test('inputs are read by their upper-case names, and empty or blank ones count as not given', () => {
  const blank = { INPUT_PROMPTFILE: '', INPUT_JOBID: ' \n' };
  expect(readInputs({ INPUT_PROMPT: ' x ', ...blank, prompt: 'no' })).toEqual({ prompt: ' x ' });
});

test('the white space around each input is taken off, but for the prompt', () => {
  const spaced = INPUT_NAMES.map((name) => [`INPUT_${name.toUpperCase()}`, ' \t\r\n x \ufeff\n']);
  const all = Object.fromEntries(INPUT_NAMES.map((name) => [name, 'x']));
  const prompt = ' \t\r\n x \ufeff\n';
  expect(readInputs(Object.fromEntries(spaced))).toEqual({ ...all, prompt });
});

const withToken = { ...needed, githubToken: 'ghs_token' };
const noKey: RawInputs = { prompt: 'x', projectId: 'p' };
const noProject: RawInputs = { prompt: 'x', adminApiKey: 'mint_1' };
const noPrompt: RawInputs = { projectId: 'p', adminApiKey: 'mint_1' };
const message = { ...needed, jobId: 'j' };
const FILES = { changes: 'files' };
const append = { ...withToken, pullRequest: 'append' };
const onPullRequest = { ...FACTS, eventName: 'pull_request' };
const fromFork = { ...onPullRequest, isForkPullRequest: true };
const withSecrets = { ...fromFork, eventName: 'pull_request_target' };
const dependabot = { ...onPullRequest, actor: 'dependabot[bot]' };

/** Inputs that cannot be used, each with the other inputs that are needed. */
const BAD: Readonly<Partial<Record<keyof RawInputs, readonly string[]>>> = {
  wait: ['yes', 'truest'],
  timeout: ['0s', '25h', 'soon'],
  pollInterval: ['11m'],
  changes: ['all'],
  since: [
    ...['a b', 'a..b', 'HEAD~1', '2 weeks ago', '2.weeks.ago', '2026-11-01 08:00'],
    'https://github.com/acme/app/commit/0123abc',
    'https://github.com/acme/app/releases/tag/v1.2.0',
    'https://github.com/acme/app/compare/v1...v2',
  ],
  paths: ['!docs/**', '/src/**', 'a\n!'],
  skip: ['chore*\n *', '**', `a\n${'x'.repeat(201)}`],
  jobId: ['.', 'a\u0007b', 'a\tb', '"job_1"', 'https://github.com/acme/docs/pull/1'],
  projectId: [
    ...['.', ' .. ', 'mint_abc', "'mint_abc'", "'my-project'"],
    ...['https://app.mintlify.com/acme/my-project', 'app.mintlify.com/acme'],
  ],
  pullRequest: ['update'],
  rerun: ['never'],
  baseUrl: [
    ...['agent.example', 'http://agent.example', 'ftp://agent.example', 'http://evil.localhost'],
    ...['http://localhost.evil.example', 'http://127.0.0.1.evil.example'],
    ...['https://u:p@agent.example', 'https://:p@agent.example'],
    ...['https://agent.example/?a', 'https://agent.example/#a'],
    ...['https://api.mintlify.com/v2', 'https://agent.example/proxy//v2///'],
  ],
  adminApiKey: [
    ...['mint_dsc_1', 'mint_us_1', 'sk_1', '"mint_1"'],
    ...['mint_1\r\nx', 'mint_0123 4567', 'mint_01234567é', 'mint_01234567\u200b'],
  ],
  githubToken: ['ghs_1\nx', 'ghs_1 2', 'ghs_é'],
};

/** Inputs that cannot be used together, or in such a run. */
const TOGETHER: Readonly<Record<string, readonly [raw: RawInputs, facts?: RunFacts]>> = {
  'a prompt and a file': [{ ...needed, promptFile: 'f' }],
  'no prompt and no id': [noPrompt],
  'changes without a token': [{ ...needed, changes: 'files' }],
  'paths without a token': [{ ...needed, paths: '**' }],
  '`skip` without changes': [{ ...withToken, skip: 'chore*' }],
  '`skip` beside `paths` that cannot be used': [{ ...withToken, skip: 'chore*', paths: '/a' }],
  'a prompt that holds the key': [{ ...needed, prompt: 'Use mint_0123456789.' }],
  'a prompt that holds the key in base64': [{ ...needed, prompt: btoa('mint_0123456789') }],
  'append without a token': [{ ...append, githubToken: '' }],
  'append with an id': [{ ...append, jobId: 'j' }],
  '30 s for a message': [{ ...message, timeout: '30s' }],
  '30 s for a message from a file': [{ ...noPrompt, promptFile: 'f', jobId: 'j', timeout: '30s' }],
  '30 s for append, whatever wait is': [{ ...append, timeout: '30s', wait: 'false' }],
  'a conflict beside an input that breaks its own rule': [
    { ...needed, promptFile: 'f', changes: 'files', timeout: 'soon' },
  ],
  'the key as the project id': [{ ...needed, projectId: 'mint_0123456789' }],
  'the key in another input': [{ ...needed, jobId: 'mint_0123456789' }],
  'no key, and a `dryRun` that is not a boolean': [{ ...noKey, dryRun: 'untrue' }],
  'no key, and a `dryRun` that only begins like one': [{ ...noKey, dryRun: 'truest' }],
  'no key on a push': [noKey, { ...FACTS, eventName: 'push' }],
  'no key on a pull request of this repository': [noKey, onPullRequest],
  'no key on a pull request from a fork': [noKey, fromFork],
  'no key on a review of one': [noKey, { ...fromFork, eventName: 'pull_request_review' }],
  'no key on an event of one that gives secrets': [noKey, withSecrets],
  'no key in a Dependabot run': [noKey, dependabot],
  'no project on a push': [noProject, { ...FACTS, eventName: 'push' }],
  'no project on a pull request from a fork': [noProject, fromFork],
  'no project in a Dependabot run': [noProject, dependabot],
  'no project in a dry run': [{ prompt: 'x', dryRun: 'true' }],
};

test('each problem is told in its own words, with one full stop at its end', async () => {
  const alone = Object.entries(BAD).flatMap(([name, texts]) =>
    texts.map((text) => ({
      title: `${name}: ${JSON.stringify(text)}`,
      found: problems({ ...withToken, ...(name === 'skip' ? FILES : {}), [name]: text }),
    })),
  );
  const together = Object.entries(TOGETHER).map(([title, [raw, facts]]) => ({
    title,
    found: problems(raw, facts),
  }));
  const all = [...alone, ...together];
  const text = all.map(({ title, found }) => `=== ${title} ===\n${found.join('\n')}\n`).join('\n');
  await expect(text).toMatchFileSnapshot('problems.txt');
  const found = all.flatMap((one) => one.found);
  expect(found.filter((one) => !/[^.]\.$/.test(one))).toEqual([]);
  expect(found.filter((one) => sentencesIn(one).length > 3)).toEqual([]);
});

test.each<readonly [what: string, raw: RawInputs]>([
  ['an id without a prompt', { ...noPrompt, jobId: 'j' }],
  ['an id of 1,000 characters', { ...needed, jobId: 'x'.repeat(1_000) }],
  ['no token and no changes', { ...needed, changes: 'none' }],
  ['`skip` with `paths` alone', { ...withToken, paths: '**', skip: 'chore*' }],
  ['31 s for a message', { ...message, timeout: '31s' }],
  ['1 s for a message that is not waited for', { ...message, timeout: '1s', wait: 'false' }],
  ['no key in a dry run', { ...noKey, dryRun: ' True ' }],
])('these are no problem: %s', (_what, raw) => {
  expect(problems(raw)).toEqual([]);
});

test('an id of more than 1,000 characters is a problem', () => {
  const found = problems({ ...needed, jobId: 'x'.repeat(1_001) });
  expect(found).toEqual([expect.stringMatching(/^`jobId` is not a valid id/)]);
});

test.each<readonly [keyof RawInputs, text: string, field: string, value: unknown]>([
  ['wait', 'True', 'wait', true],
  ['wait', 'FALSE', 'wait', false],
  ['wait', ' true\n', 'wait', true],
  ['timeout', '1s', 'timeoutMs', 1_000],
  ['timeout', ' 24h ', 'timeoutMs', 86_400_000],
  ['pollInterval', '10m', 'pollIntervalMs', 600_000],
  ['jobId', '\r\n\tjob_1\t \r\n', 'task', { jobId: 'job_1' }],
  ['jobId', 'a b/"c"', 'task', { jobId: 'a b/"c"' }],
  ['adminApiKey', ' mint_0123456789\r\n', 'adminApiKey', 'mint_0123456789'],
  ['githubToken', `ghs_${'x'.repeat(516)}\n`, 'githubToken', `ghs_${'x'.repeat(516)}`],
  ['jobId', 'mint_job_1', 'task', { jobId: 'mint_job_1' }],
  ['pullRequest', ' append ', 'pullRequest', 'append'],
  ['rerun', 'create', 'rerun', 'create'],
  ['projectId', '64f0-a_b.c', 'projectId', '64f0-a_b.c'],
  ['changes', ' diff\n', 'changes', 'diff'],
  ['since', 'release/1.x', 'since', 'release/1.x'],
  ['since', ' last-success\n', 'since', 'last-success'],
  ['paths', 'src/**\r\n\n  !src/test/** \n', 'paths', ['src/**', '!src/test/**']],
  ['baseUrl', 'https://agent.example/proxy/', 'baseUrl', 'https://agent.example/proxy'],
  ['baseUrl', ' https://agent.example///\n', 'baseUrl', 'https://agent.example'],
  ['baseUrl', 'https://agent.example/v2x', 'baseUrl', 'https://agent.example/v2x'],
  ['baseUrl', 'https://agent.example/v2/proxy', 'baseUrl', 'https://agent.example/v2/proxy'],
  ['baseUrl', 'http://127.0.0.1:8080', 'baseUrl', 'http://127.0.0.1:8080'],
  ['baseUrl', 'http://127.12.34.56', 'baseUrl', 'http://127.12.34.56'],
  ['prompt', ' mint_another1 ', 'task', { instruction: ' mint_another1 ' }],
  ['prompt', ' ghs_0 ', 'task', { instruction: ' ghs_0 ' }],
  ['githubToken', 'ghs_0123456789', 'githubToken', 'ghs_0123456789'],
  ['baseUrl', 'http://[::1]:1/', 'baseUrl', 'http://[::1]:1'],
  ['baseUrl', 'http://localhost', 'baseUrl', 'http://localhost'],
  ['skip', ' chore* \r\n\n*[ci]\n', 'skip', ['chore*', '*[ci]']],
  ['skip', '* *', 'skip', ['* *']],
  ['skip', 'x'.repeat(200), 'skip', ['x'.repeat(200)]],
])('%s may be %j', (name, text, field, value) => {
  expect(parsed({ ...withToken, changes: 'files', [name]: text })).toMatchObject({
    [field]: value,
  });
});

/** For some of these, git would print today's newest commit, or that of the first day of the month. */
test.each(['last tag', 'last-success, v1.0.0', 'last release', 'today or so'])(
  '`since: %s` is not taken for a date',
  (since) => {
    expect(problems({ ...needed, since }).join()).not.toContain('git ');
  },
);

test('a token that cannot be used is not called empty as well', () => {
  const said = problems({ ...needed, changes: 'files', githubToken: 'ghs_1 2' });
  expect(said).toEqual([expect.stringContaining('paste the token again')]);
});

test.skipIf(noGit)('git prints a commit for each command that an error of `since` advises', () => {
  using repository = new GitRepository([
    { name: 'first', parents: [] },
    { name: 'main', parents: ['first'] },
  ]);
  const typed = [
    ...['HEAD~1', '@~1', '1 day ago', '1.day.ago', '1 day', '2026-11-01 08:00'],
    ...['yesterday noon', 'last week'],
  ];
  const printed = typed.map((since) => {
    const [said = ''] = problems({ ...needed, since });
    const command = /write the commit that `git (.*)` prints/.exec(said)?.[1] ?? '';
    const words = command
      .match(/'[^']*'|[^\s']+/g)
      ?.join('\n')
      .replaceAll("'", '');
    return repository.git(...(words?.replace('=\n', '=').split('\n') ?? [])).trim();
  });
  const [first, head] = [repository.sha('first'), repository.sha('main')];
  expect(printed).toEqual([first, first, ...Array.from({ length: 6 }, () => head)]);
});

test.each<readonly [keyof RawInputs, string]>([
  ['adminApiKey', 'mint_dsc_0123456789'],
  ['adminApiKey', 'mint_us_0123456789'],
  ['adminApiKey', 'ghp_0123456789'],
  ['adminApiKey', 'mint_0123456789\n1'],
  ['githubToken', 'ghs_0123456789 1'],
  ['projectId', '"mint_0123456789"'],
  ['adminApiKey', 'mint_0123456789é'],
  ['projectId', 'mint_0123456789'],
  ['baseUrl', 'https://u:0123456789@x y'],
  ['baseUrl', '0123456789@agent.example'],
  ['baseUrl', 'ftp://u:0123456789@h'],
])('%s that is refused and may be secret is not printed: %j', (name, text) => {
  const found = problems({ ...needed, [name]: text });
  expect(found).toHaveLength(1);
  expect(found[0]).not.toContain('0123456789');
});

describe('the key', () => {
  test.each([
    { place: 'projectId', form: 'unchanged', text: 'mint_0123456789' },
    { place: 'baseUrl', form: 'in a URL', text: 'https://x.example/mint_0123456789' },
    { place: 'jobId', form: 'in base64', text: btoa('Bearer mint_0123456789') },
    { place: 'since', form: 'within a text', text: 'v1-mint_0123456789' },
    { place: 'since', form: 'of eight characters', text: 'v1-mint_123', key: 'mint_123' },
  ])('in `$place`, $form, is a problem and is not printed', ({ place, text, key }) => {
    const adminApiKey = key ?? 'mint_0123456789';
    const found = problems({ ...needed, adminApiKey, [place]: text });
    expect(found).toEqual([expect.stringContaining(`\`${place}\` contains a secret. `)]);
    expect(found.join()).not.toContain('mint_');
  });

  test('is not printed from another input, although it is a problem itself', () => {
    const raw = { ...needed, adminApiKey: 'mint_0123456789\n1', since: 'mint_0123456789\n1 x' };
    expect(problems(raw)).toHaveLength(2);
    expect(problems(raw).join('\n')).not.toContain('0123456789');
  });
});
