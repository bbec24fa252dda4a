import { describe, expect, test } from 'vitest';
import {
  INPUT_NAMES,
  InputError,
  parseInputs,
  type RawInputs,
  readInputs,
} from '../../../src/inputs/inputs.ts';
import type { RunFacts } from '../../../src/lib/run-facts.ts';
import { redact, Secret } from '../../../src/lib/secrets.ts';
import { metadata } from '../../support/action.ts';
import { FACTS } from '../../support/fakes.ts';

const needed: RawInputs = { prompt: 'x', projectId: 'p', adminApiKey: 'mint_0123456789' };

/** Parses inputs whose key has been masked. */
function parsed(raw: RawInputs, known = FACTS) {
  const masked = raw.adminApiKey === undefined ? [] : [new Secret(raw.adminApiKey.trim())];
  return parseInputs(raw, known, (text) => redact(text, masked));
}

function problems(raw: RawInputs, known = FACTS): readonly string[] {
  try {
    parsed(raw, known);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

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
    changes: 'none',
    paths: [],
    since: 'auto',
    pullRequest: 'new',
    rerun: 'resume',
    dryRun: false,
    wait: true,
    timeoutMs: 1_800_000,
    pollIntervalMs: 10_000,
    baseUrl: 'https://api.mintlify.com',
    githubToken: '',
    workflowJob: '',
  });
});

test('inputs are read by their upper-case names, and empty or blank ones count as not given', () => {
  const environment = {
    INPUT_PROMPT: ' x ',
    INPUT_PROMPTFILE: '',
    INPUT_JOBID: ' \n',
    prompt: 'no',
  };
  expect(readInputs(environment)).toEqual({ prompt: ' x ' });
});

const bad: readonly (readonly [keyof RawInputs, string, RegExp])[] = [
  ['wait', 'yes', /must be true or false/],
  ['wait', 'truest', /must be true or false/],
  ['timeout', '0s', /from 1s to 24h/],
  ['timeout', '25h', /from 1s to 24h/],
  ['pollInterval', '11m', /from 1s to 10m/],
  ['changes', 'all', /must be none, files or diff/],
  ['since', 'a b', /is not auto/],
  ['since', 'a..b', /is not auto/],
  ['paths', '!docs/**', /has only excludes/],
  ['paths', '/src/**', /without a slash/],
  ['paths', 'a\n!', /contains `!`/],
  ['jobId', '.', /is not a valid id/],
  ['jobId', 'a\u0007b', /is not a valid id/],
  ['jobId', 'a\tb', /is not a valid id/],
  ['jobId', 'x'.repeat(1_001), /is not a valid id/],
  ['projectId', '.', /is not a valid id/],
  ['projectId', ' .. ', /is not a valid id/],
  ['pullRequest', 'update', /must be new or append/],
  ['rerun', 'never', /must be resume or create/],
  ['projectId', 'mint_abc', /looks like an API key/],
  ['baseUrl', 'agent.example', /must be a URL/],
  ['baseUrl', 'http://agent.example', /must begin with https/],
  ['baseUrl', 'ftp://agent.example', /must begin with https/],
  ['baseUrl', 'http://evil.localhost', /must begin with https/],
  ['baseUrl', 'http://localhost.evil.example', /must begin with https/],
  ['baseUrl', 'http://127.0.0.1.evil.example', /must begin with https/],
  ['baseUrl', 'https://u:p@agent.example', /must not contain credentials/],
  ['baseUrl', 'https://:p@agent.example', /must not contain credentials/],
  ['baseUrl', 'https://agent.example/?a', /query or a fragment/],
  ['baseUrl', 'https://agent.example/#a', /query or a fragment/],
  ['baseUrl', 'https://api.mintlify.com/v2', /must not end in `\/v2`/],
  ['baseUrl', 'https://agent.example/proxy//v2///', /must not end in `\/v2`/],
  ['adminApiKey', 'mint_dsc_1', /assistant key/],
  ['adminApiKey', 'mint_us_1', /index key/],
  ['adminApiKey', 'sk_1', /begin with `mint_`/],
  ['adminApiKey', 'mint_1\r\n', /a line break/],
  ['adminApiKey', 'mint_0123 4567', /white space/],
  ['adminApiKey', 'mint_01234567é', /not ASCII/],
];
describe('an input', () => {
  const good: readonly (readonly [keyof RawInputs, string, string, unknown])[] = [
    ['wait', 'True', 'wait', true],
    ['wait', 'FALSE', 'wait', false],
    ['wait', ' true\n', 'wait', true],
    ['timeout', '1s', 'timeoutMs', 1_000],
    ['timeout', ' 24h ', 'timeoutMs', 86_400_000],
    ['pollInterval', '10m', 'pollIntervalMs', 600_000],
    ['jobId', '\r\n\tjob_1\t\r\n', 'task', { jobId: 'job_1' }],
    ['jobId', ' a/b ', 'task', { jobId: ' a/b ' }],
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
    ['prompt', ' mint_0123456789 ', 'task', { instruction: ' mint_0123456789 ' }],
    ['githubToken', 'ghs_0123456789', 'githubToken', 'ghs_0123456789'],
    ['baseUrl', 'http://[::1]:1/', 'baseUrl', 'http://[::1]:1'],
    ['baseUrl', 'http://localhost', 'baseUrl', 'http://localhost'],
  ];
  test.each(good)('%s may be %j', (name, text, field, value) => {
    const inputs = parsed({ ...needed, githubToken: 't', [name]: text });
    expect(inputs).toMatchObject({ [field]: value });
  });

  test.each(bad)('%s may not be %j', (name, text, problem) => {
    const found = problems({ ...needed, githubToken: 't', [name]: text });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^\`${name}\``));
    expect(found[0]).toMatch(problem);
  });
});

test.each<readonly [keyof RawInputs, string]>([
  ['adminApiKey', 'mint_dsc_0123456789'],
  ['adminApiKey', 'mint_us_0123456789'],
  ['adminApiKey', 'ghp_0123456789'],
  ['adminApiKey', 'mint_0123456789\n'],
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

describe('inputs that belong together', () => {
  const empty = { projectId: 'p', adminApiKey: 'mint_1' };
  const message = { ...needed, jobId: 'j' };
  const file = { ...empty, promptFile: 'f' };
  const append = { ...needed, pullRequest: 'append', githubToken: 't' };

  const tooShort = /^`timeout` must be over 30s when waiting for a follow-up message: /;
  const noToken = /`githubToken` is empty/;
  const noProject = /`projectId` is required/;
  test.each<readonly [what: string, raw: RawInputs, problem: RegExp]>([
    ['a prompt and a file', { ...file, prompt: 'x' }, /`promptFile` cannot both be given/],
    ['no prompt and no id', empty, /`prompt` is required/],
    ['no project', { prompt: 'x', adminApiKey: 'mint_1' }, noProject],
    ['no project in a dry run', { prompt: 'x', dryRun: 'true' }, noProject],
    ['changes without a token', { ...needed, changes: 'files' }, noToken],
    ['paths without a token', { ...needed, paths: '**' }, noToken],
    ['append without a token', { ...append, githubToken: '' }, noToken],
    ['append with an id', { ...append, jobId: 'j' }, /and `jobId` cannot both be given/],
    ['30 s for a message', { ...message, timeout: '30s' }, tooShort],
    ['30 s for a message from a file', { ...file, jobId: 'j', timeout: '30s' }, tooShort],
    ['30 s for append, whatever wait is', { ...append, timeout: '30s', wait: 'false' }, tooShort],
  ])('are a problem: %s', (_what, raw, problem) => {
    expect(problems(raw)).toEqual([expect.stringMatching(problem)]);
  });

  test.each<readonly [what: string, raw: RawInputs]>([
    ['an id without a prompt', { ...empty, jobId: 'j' }],
    ['no token and no changes', { ...needed, changes: 'none' }],
    ['31 s for a message', { ...message, timeout: '31s' }],
    ['1 s for a message that is not waited for', { ...message, timeout: '1s', wait: 'false' }],
    ['no key in a dry run', { prompt: 'x', projectId: 'p', dryRun: ' True ' }],
  ])('are no problem: %s', (_what, raw) => {
    expect(problems(raw)).toEqual([]);
  });

  test('are read as no dry run when `dryRun` is not a boolean', () => {
    for (const dryRun of ['untrue', 'truest']) {
      expect(problems({ prompt: 'x', projectId: 'p', dryRun })).toEqual([
        expect.stringMatching(/^`adminApiKey` is required/),
        expect.stringMatching(/^`dryRun` must be true or false/),
      ]);
    }
  });

  test('are checked even if another one breaks its own rule', () => {
    const raw = { ...needed, promptFile: 'f', changes: 'files', timeout: 'soon' };
    expect(problems(raw)).toEqual([
      expect.stringMatching(/^`timeout` must be a duration/),
      expect.stringMatching(/^`prompt` and `promptFile` cannot both/),
      expect.stringMatching(/^`githubToken` is empty/),
    ]);
  });

  const dependabot = {
    key: /Dependabot runs get only the secrets set for Dependabot/,
    project: /Dependabot runs get only the secrets set for Dependabot/,
  };
  const fork = {
    key: /comes from a fork, and such runs get no secrets/,
    project: /may not see this repository's variables\. Skip the step for forks/,
  };
  const unset = {
    key: /not set for this repository, .* at https:\/\/github\.com\/acme\/app\/settings\/secrets\/actions\.$/,
    project:
      /variable \(`vars`\), .* at https:\/\/github\.com\/acme\/app\/settings\/variables\/actions\./,
  };
  test.each<readonly [eventName: string, known: Partial<RunFacts>, cause: typeof fork]>([
    ['push', {}, unset],
    ['pull_request', {}, unset],
    ['pull_request', { isForkPullRequest: true }, fork],
    ['pull_request_review', { isForkPullRequest: true }, fork],
    ['pull_request_target', { isForkPullRequest: true }, unset],
    ['pull_request', { actor: 'dependabot[bot]' }, dependabot],
  ])('name the likely cause when key and project are missing: %s %j', (eventName, known, cause) => {
    const [project, key] = problems({ prompt: 'x' }, { ...FACTS, eventName, ...known });
    expect(project).toMatch(/^`projectId` is required but empty\. /);
    expect(project).toMatch(cause.project);
    expect(key).toMatch(/^`adminApiKey` is required but empty\. /);
    expect(key).toMatch(cause.key);
  });

  test('every problem ends with one full stop', () => {
    const found = [
      ...bad.flatMap(([name, text]) => problems({ ...needed, githubToken: 't', [name]: text })),
      ...problems({}),
      ...problems({ ...needed, promptFile: 'f', changes: 'files', jobId: 'j', timeout: '1s' }),
      ...problems({ ...needed, since: 'mint_0123456789' }),
    ];
    expect(found.length).toBeGreaterThan(bad.length + 5);
    expect(found.filter((problem) => !/[^.]\.$/.test(problem))).toEqual([]);
  });

  test.each([
    { place: 'projectId', form: 'unchanged', text: 'mint_0123456789' },
    { place: 'baseUrl', form: 'in a URL', text: 'https://x.example/mint%5F0123456789' },
    { place: 'jobId', form: 'in base64', text: btoa('Bearer mint_0123456789') },
    { place: 'since', form: 'within a text', text: 'v1-mint_0123456789' },
    { place: 'since', form: 'of eight characters', text: 'v1-mint_123', key: 'mint_123' },
  ])('the key in `$place`, $form, is a problem and is not printed', ({ place, text, key }) => {
    const adminApiKey = key ?? 'mint_0123456789';
    const found = problems({ ...needed, adminApiKey, [place]: text });
    expect(found).toEqual([`\`${place}\` contains a secret, and is not printed here.`]);
  });

  test('the key is not printed from another input, although it is a problem itself', () => {
    const raw = { ...needed, adminApiKey: 'mint_0123456789\n', since: 'mint_0123456789 x' };
    expect(problems(raw)).toHaveLength(2);
    expect(problems(raw).join('\n')).not.toContain('0123456789');
  });
});

const task = { kind: 'create', instruction: 'x' };
test.each<readonly [what: string, raw: RawInputs, known: object]>([
  [
    'what can be used of them',
    { ...needed, timeout: 'soon', paths: '/src', since: 'v1' },
    { task, projectId: 'p', adminApiKey: 'mint_0123456789', since: 'v1' },
  ],
  ['all but the key', { prompt: 'x', projectId: 'p' }, { task, adminApiKey: '' }],
  ['all but a key that is refused', { ...needed, adminApiKey: 'mint_us_1' }, { adminApiKey: '' }],
])('inputs that cannot be used tell which step this is: %s', (_what, raw, known) => {
  expect(() => parsed(raw)).toThrow(
    expect.objectContaining({ inputs: expect.objectContaining(known) }),
  );
});

test.each<readonly [what: string, raw: RawInputs]>([
  ['without a project', { prompt: 'x' }],
  ['with a bad project', { ...needed, projectId: '..' }],
  ['with a secret as the project', { ...needed, projectId: 'x-mint_0123456789' }],
  ['without a task', { projectId: 'p' }],
  ['with a bad `jobId`', { ...needed, jobId: '..' }],
])('inputs do not tell which step this is %s', (_what, raw) => {
  expect(() => parsed(raw)).toThrow(expect.objectContaining({ inputs: undefined }));
});
