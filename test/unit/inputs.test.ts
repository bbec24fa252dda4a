import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { INPUT_NAMES, parseInputs, type RawInputs, readInputs } from '../../src/inputs.ts';
import { metadata } from '../support/action.ts';

const facts = { actor: undefined, eventName: undefined };
const needed: RawInputs = { prompt: 'x', projectId: 'p', adminApiKey: 'mint_0123456789' };

function problems(raw: RawInputs): readonly string[] {
  try {
    parseInputs(raw, facts);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

test('the names are those of action.yml', () => {
  expect([...INPUT_NAMES]).toEqual(Object.keys(metadata.inputs));
});

test('the defaults are those of action.yml', () => {
  const defaults = Object.entries(metadata.inputs).flatMap(([name, input]) =>
    input.default === undefined || name === 'githubToken' ? [] : [[name, input.default]],
  );
  expect(parseInputs({ ...needed, ...Object.fromEntries(defaults) }, facts)).toEqual(
    parseInputs(needed, facts),
  );
  expect(parseInputs(needed, facts)).toEqual({
    instruction: { from: 'prompt', text: 'x' },
    projectId: 'p',
    adminApiKey: 'mint_0123456789',
    changes: 'none',
    paths: [],
    since: 'auto',
    jobId: undefined,
    wait: true,
    timeoutMs: 1_800_000,
    pollIntervalMs: 10_000,
    baseUrl: 'https://api.mintlify.com',
    githubToken: '',
  });
});

test('the runner upper-cases names; empty and blank values were not given', () => {
  expect(
    readInputs({ INPUT_PROMPT: ' x ', INPUT_PROMPTFILE: '', INPUT_JOBID: ' \n', prompt: 'no' }),
  ).toEqual({ prompt: ' x ' });
});

describe('an input', () => {
  const good: readonly (readonly [keyof RawInputs, string, string, unknown])[] = [
    ['wait', 'True', 'wait', true],
    ['wait', 'FALSE', 'wait', false],
    ['timeout', '1s', 'timeoutMs', 1_000],
    ['timeout', ' 24h ', 'timeoutMs', 86_400_000],
    ['pollInterval', '10m', 'pollIntervalMs', 600_000],
    ['jobId', ' job_1 ', 'jobId', 'job_1'],
    ['projectId', '64f0-a_b.c', 'projectId', '64f0-a_b.c'],
    ['changes', 'diff', 'changes', 'diff'],
    ['since', 'release/1.x', 'since', 'release/1.x'],
    ['since', 'last-success', 'since', 'last-success'],
    ['paths', 'src/**\r\n\n  !src/test/** \n', 'paths', ['src/**', '!src/test/**']],
    ['baseUrl', 'https://agent.example/proxy/', 'baseUrl', 'https://agent.example/proxy'],
    ['baseUrl', 'http://127.0.0.1:8080', 'baseUrl', 'http://127.0.0.1:8080'],
    ['baseUrl', 'http://[::1]:1/', 'baseUrl', 'http://[::1]:1'],
    ['baseUrl', 'http://localhost', 'baseUrl', 'http://localhost'],
  ];
  test.each(good)('%s may be %j', (name, text, field, value) => {
    const inputs = parseInputs({ ...needed, githubToken: 't', [name]: text }, facts);
    expect(inputs).toMatchObject({ [field]: value });
  });

  const bad: readonly (readonly [keyof RawInputs, string, RegExp])[] = [
    ['wait', 'yes', /must be true or false/],
    ['timeout', '0s', /from 1s to 24h/],
    ['timeout', '25h', /from 1s to 24h/],
    ['pollInterval', '11m', /from 1s to 10m/],
    ['changes', 'all', /must be none, files or diff/],
    ['since', 'a b', /is not auto/],
    ['since', 'a..b', /is not auto/],
    ['paths', '!docs/**', /only excludes/],
    ['paths', '/src/**', /without a slash/],
    ['paths', 'a\n!', /holds `!`/],
    ['jobId', '..', /is not an id/],
    ['jobId', 'a/b', /is not an id/],
    ['projectId', 'mint_abc', /looks like an API key/],
    ['baseUrl', 'agent.example', /must be a URL/],
    ['baseUrl', 'http://agent.example', /must begin with https/],
    ['baseUrl', 'ftp://agent.example', /must begin with https/],
    ['baseUrl', 'http://127.0.0.1.evil.example', /must begin with https/],
    ['baseUrl', 'https://u:p@agent.example', /must not hold credentials/],
    ['baseUrl', 'https://agent.example/?a', /query or a fragment/],
    ['adminApiKey', 'mint_dsc_1', /assistant key/],
    ['adminApiKey', 'mint_us_1', /index key/],
    ['adminApiKey', 'sk_1', /begin with `mint_`/],
    ['adminApiKey', 'mint_1\r\n', /a line break/],
  ];
  test.each(bad)('%s may not be %j', (name, text, problem) => {
    const found = problems({ ...needed, githubToken: 't', [name]: text });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^\`${name}\``));
    expect(found[0]).toMatch(problem);
  });
});

describe('inputs together', () => {
  test.each<readonly [RawInputs, RegExp | undefined]>([
    [{ ...needed, promptFile: 'f' }, /`prompt` and `promptFile` cannot both be given/],
    [{ projectId: 'p', adminApiKey: 'mint_1' }, /`prompt` is required/],
    [{ projectId: 'p', adminApiKey: 'mint_1', jobId: 'j' }, undefined],
    [{ prompt: 'x', adminApiKey: 'mint_1' }, /`projectId` is required/],
    [{ ...needed, changes: 'files' }, /`githubToken` is needed/],
    [{ ...needed, paths: '**' }, /`githubToken` is needed/],
    [{ ...needed, changes: 'none' }, undefined],
  ])('%j: %s', (raw, problem) => {
    const found = problems(raw);
    expect(found).toEqual(problem === undefined ? [] : [expect.stringMatching(problem)]);
  });

  test.each([
    [{ actor: 'dependabot[bot]', eventName: 'pull_request' }, /Dependabot/],
    [{ actor: 'octocat', eventName: 'pull_request_target' }, /fork/],
    [{ actor: 'octocat', eventName: 'push' }, /not set for this repository/],
  ])('a key that is missing in %j', (known, cause) => {
    expect(() => parseInputs({ prompt: 'x', projectId: 'p' }, known)).toThrow(cause);
  });
});
