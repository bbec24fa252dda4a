import { expect, test } from 'vitest';
import { type RunFacts, readFacts } from '../../../src/github/event.ts';

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

test('what the runner does not say is empty, on github.com, and a first attempt', () => {
  expect(readFacts({}, undefined)).toEqual({
    ...FACTS,
    ...{ eventName: '', ref: '', sha: '', repository: '', workflowFile: '' },
    ...{ workflowJob: '', step: '', runId: 0, attempt: 1 },
    serverUrl: 'https://github.com',
    apiUrl: 'https://api.github.com',
  });
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
