import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type RunFacts, readFacts, readPayload } from '../../../src/github/event.ts';

const ENV = {
  GITHUB_EVENT_NAME: 'push',
  GITHUB_REF: 'refs/heads/main',
  GITHUB_SHA: 'a'.repeat(40),
  GITHUB_REPOSITORY: 'acme/app',
  GITHUB_SERVER_URL: 'https://github.acme.example',
  GITHUB_API_URL: 'https://github.acme.example/api/v3',
  GITHUB_RUN_ID: '123',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_ACTOR: 'octocat',
  GITHUB_WORKFLOW: 'Docs',
  GITHUB_WORKFLOW_REF: 'acme/app/.github/workflows/docs.yml@refs/heads/main',
  GITHUB_JOB: 'update',
  GITHUB_ACTION: '__acme_docs',
};
const FACTS: RunFacts = {
  eventName: 'push',
  ref: 'refs/heads/main',
  sha: 'a'.repeat(40),
  repository: 'acme/app',
  serverUrl: 'https://github.acme.example',
  apiUrl: 'https://github.acme.example/api/v3',
  helpPage: '',
  runId: 123,
  attempt: 2,
  workflowFile: 'docs.yml',
  workflowJob: 'update',
  step: '__acme_docs',
  isFork: false,
  isForkPullRequest: false,
  isDependabot: false,
  payload: {},
};

test('the facts of a run are what the runner says', () => {
  expect(readFacts(ENV, {})).toEqual(FACTS);
});

test('what the runner does not say well is empty, on github.com, and a first attempt', () => {
  expect(readFacts({ GITHUB_RUN_ATTEMPT: 'first' }, undefined)).toEqual({
    ...FACTS,
    ...{ eventName: '', ref: '', sha: '', repository: '', workflowFile: '' },
    ...{ workflowJob: '', step: '', runId: 0, attempt: 1 },
    serverUrl: 'https://github.com',
    apiUrl: 'https://api.github.com',
  });
});

const PAGE = '.github/TROUBLESHOOTING.md';
test.each([
  ['https://github.com', 'me/docs', 'v1', `https://github.com/me/docs/blob/v1/${PAGE}`],
  ['', 'me/docs', 'release/v1.2', `https://github.com/me/docs/blob/release/v1.2/${PAGE}`],
  ['https://github.com', '', 'v1', ''],
  ['https://github.com', 'me/docs', '', ''],
  ['https://github.com', 'me/docs', 'v1)](x', ''],
  ['https://github.com', 'me/docs', '../../../evil', ''],
  ['https://github.com', 'me/docs/more', 'v1', ''],
  ['https://github.acme.example', 'me/docs', 'v1', ''],
])('on %j, the help page of %j at %j is %j', (server, repository, ref, page) => {
  const action = { GITHUB_ACTION_REPOSITORY: repository, GITHUB_ACTION_REF: ref };
  expect(readFacts({ GITHUB_SERVER_URL: server, ...action }, {}).helpPage).toBe(page);
});

test('the payload is what the runner wrote, and empty if it names no file', () => {
  const path = join(tmpdir(), `event-${process.pid}.json`);
  writeFileSync(path, '{"before":"b"}');
  expect(readPayload({ GITHUB_EVENT_PATH: path })).toEqual({ before: 'b' });
  writeFileSync(path, '');
  const error = expect.objectContaining({
    topic: 'event-file',
    message: expect.stringContaining(path),
  });
  expect(() => readPayload({ GITHUB_EVENT_PATH: path })).toThrow(error);
  rmSync(path);
  expect(() => readPayload({ GITHUB_EVENT_PATH: path })).toThrow(error);
  expect(readPayload({ GITHUB_EVENT_PATH: '' })).toEqual({});
});

test.each([
  ['acme/app/.github/workflows/docs.yml@refs/heads/a@b/c.yml', 'docs.yml'],
  ['acme/app/.github/workflows/docs.yml@5f3ac1', 'docs.yml'],
  ['', 'Docs'],
])('the workflow file of %j is %j', (ref, file) => {
  expect(readFacts({ ...ENV, GITHUB_WORKFLOW_REF: ref }, {}).workflowFile).toBe(file);
});

const from = (repo: unknown) => ({
  pull_request: { number: 7, head: { repo }, base: { repo: { full_name: 'acme/app' } } },
});

const TARGET = { GITHUB_EVENT_NAME: 'pull_request_target' };
// A person started it again.
const BOT = { GITHUB_ACTOR: 'dependabot[bot]', GITHUB_TRIGGERING_ACTOR: 'octocat' };

test.each<[what: string, env: object, payload: unknown, facts: Partial<RunFacts>]>([
  ['in a fork', {}, { repository: { fork: true } }, { isFork: true }],
  ['for a branch', {}, from({ full_name: 'acme/app' }), { isForkPullRequest: false }],
  ['for a fork', {}, from({ full_name: 'me/app' }), { isForkPullRequest: true }],
  ['for a deleted fork', {}, from(null), { isForkPullRequest: true }],
  ['with secrets', TARGET, from({ full_name: 'me/app' }), { isForkPullRequest: false }],
  ['of Dependabot', BOT, {}, { isDependabot: true }],
])('a run %s is told by what the runner says', (_, env, payload, facts) => {
  expect(readFacts({ ...ENV, ...env }, payload)).toMatchObject(facts);
});

test.each<[what: string, given: unknown, read: object]>([
  ['a push', { before: 'b', deleted: true, commits: [{}] }, { before: 'b', deleted: true }],
  [
    'a release',
    { release: { tag_name: 'v1', name: null, body: 'Notes', prerelease: true, id: 5 } },
    { release: { tag_name: 'v1', body: 'Notes', prerelease: true } },
  ],
  ['fields of other types', { before: 1, release: [], issue: { number: -1 } }, { issue: {} }],
  ['no object', 'x', {}],
])('of the payload of %s, only what is read and fits is kept', (_, given, read) => {
  expect(readFacts(ENV, given).payload).toEqual(read);
});
