import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readWorkflow } from '../../../src/github/workflow.ts';

const VARIABLES = {
  GITHUB_ACTOR: 'octocat',
  GITHUB_EVENT_NAME: 'push',
  GITHUB_RUN_ID: '1658821493',
  GITHUB_RUN_NUMBER: '12',
  GITHUB_RUN_ATTEMPT: '3',
  RUNNER_NAME: 'Hosted Agent',
  GITHUB_JOB: 'docs',
  GITHUB_ACTION: '__actions_checkout',
  GITHUB_ACTION_PATH: '/home/runner/actions/x',
  GITHUB_ACTION_REPOSITORY: 'acme/docs-agent-job',
  GITHUB_ACTION_REF: 'v2',
  GITHUB_REPOSITORY: 'acme/app',
  GITHUB_SHA: 'c3',
  GITHUB_REF: 'refs/heads/main',
  GITHUB_API_URL: 'https://ghe.example/api/v3',
  GITHUB_SERVER_URL: 'https://ghe.example',
  GITHUB_EVENT_PATH: undefined,
};

const written: unknown[] = [];
const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-'));

type Variables = Readonly<Record<string, string | undefined>>;

function setVariables(variables: Variables): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

beforeEach(() => {
  written.length = 0;
  setVariables(VARIABLES);
});
afterEach(() => void vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads the workflow with these variables, and expects that nothing is printed. */
function read(variables: Variables = {}) {
  setVariables(variables);
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => written.push(text) > 0),
  );
  try {
    return readWorkflow();
  } finally {
    for (const spy of spies) spy.mockRestore();
    expect(written).toEqual([]);
  }
}

/** The workflow with an event whose file holds this. */
function withEvent(content: string | Uint8Array, variables: Variables = {}) {
  const path = join(folder, 'event.json');
  writeFileSync(path, content);
  return read({ GITHUB_EVENT_PATH: path, ...variables });
}

describe('the facts about the run', () => {
  test("are read from the runner's variables, and so is the address of GitHub's API", () => {
    const { facts, apiUrl } = read();
    expect(facts).toEqual({
      actor: 'octocat',
      eventName: 'push',
      isFork: false,
      isForkPullRequest: false,
      runId: 1_658_821_493,
      attempt: 3,
      runnerName: 'Hosted Agent',
      workflowJobKey: 'docs',
      step: '__actions_checkout',
      isComposite: true,
      repository: 'acme/app',
      serverUrl: 'https://ghe.example',
    });
    expect(apiUrl).toBe('https://ghe.example/api/v3');
  });

  test('may be missing', () => {
    const missing = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, undefined]));
    const { facts, apiUrl } = read(missing);
    expect(facts).toEqual({
      ...{ actor: undefined, eventName: undefined, repository: undefined },
      ...{ runnerName: '', workflowJobKey: '', step: '' },
      ...{ isFork: false, isForkPullRequest: false, isComposite: false },
      ...{ runId: Number.NaN, attempt: 1 },
      serverUrl: 'https://github.com',
    });
    expect(apiUrl).toBe('https://api.github.com');
  });

  test('may be empty', () => {
    const addresses = { GITHUB_API_URL: '', GITHUB_SERVER_URL: '' };
    const { facts, apiUrl } = read({ ...addresses, GITHUB_ACTION_PATH: '' });
    expect([facts.isComposite, facts.serverUrl]).toEqual([false, 'https://github.com']);
    expect(apiUrl).toBe('https://api.github.com');
  });

  test('leave an attempt that is not a number as one', () => {
    expect(read({ GITHUB_RUN_ATTEMPT: 'x' }).facts.attempt).toBeNaN();
  });
});

describe('a pull request', () => {
  const repo = (full_name: string) => ({ repo: { full_name } });
  test.each([
    { from: 'a fork', head: repo('octocat/app'), isFork: true },
    { from: 'a fork that was deleted', head: { repo: null }, isFork: true },
    { from: 'the same repository', head: repo('acme/app'), isFork: false },
  ])('from $from has isForkPullRequest $isFork', ({ head, isFork }) => {
    const event = JSON.stringify({ pull_request: { head, base: repo('acme/app') } });
    expect(withEvent(event).facts.isForkPullRequest).toBe(isFork);
  });
});

describe('the repository', () => {
  // https://docs.github.com/webhooks/webhook-events-and-payloads
  test.each([
    { payload: { repository: { fork: true } }, isFork: true },
    { payload: { repository: { fork: false } }, isFork: false },
    { payload: { repository: { fork: 'true' } }, isFork: false },
    { payload: { repository: null }, isFork: false },
    // The head of a pull request says nothing of the repository that the run is in.
    {
      payload: { repository: { fork: false }, pull_request: { head: { repo: { fork: true } } } },
      isFork: false,
    },
    { payload: [], isFork: false },
  ])('with the payload $payload has isFork $isFork', ({ payload, isFork }) => {
    expect(withEvent(JSON.stringify(payload)).facts.isFork).toBe(isFork);
  });

  test.each(['', 'acme', '/app', 'acme/'])('is none when GITHUB_REPOSITORY is "%s"', (name) => {
    expect(read({ GITHUB_REPOSITORY: name }).facts.repository).toBeUndefined();
  });

  test.each([
    { event: '{"repository":{"name":"app","owner":{"login":"acme"}}}', repository: 'acme/app' },
    { event: '{"repository":{"name":"app"}}', repository: undefined },
    { event: 'null', repository: undefined },
  ])('is $repository without the variable when the event is $event', ({ event, repository }) => {
    expect(withEvent(event, { GITHUB_REPOSITORY: '' }).facts.repository).toBe(repository);
  });
});

describe("the event's payload", () => {
  test('is what the file of the runner holds', () => {
    expect(withEvent('{"before":"c1"}').event).toEqual({
      name: 'push',
      payload: { before: 'c1' },
      sha: 'c3',
      ref: 'refs/heads/main',
      repository: 'acme/app',
    });
  });

  test('may begin with a byte order mark', () => {
    expect(withEvent('\ufeff{"before":"c1"}').event.payload).toEqual({ before: 'c1' });
  });

  test.each([undefined, '', join(folder, 'none.json'), '::error::forged'])(
    'is empty without a file, which prints nothing: %j',
    (path) => {
      expect(read({ GITHUB_EVENT_PATH: path }).event.payload).toEqual({});
      expect(process.env['GITHUB_EVENT_PATH']).toBe(path);
    },
  );

  test.each([
    { what: 'empty', content: '' },
    { what: 'cut', content: '{"before":' },
    { what: 'not even text', content: new Uint8Array([0xff, 0xfe, 0x00, 0x7b]) },
  ])('of a file that is $what is an error only when it is asked for', ({ content }) => {
    const workflow = withEvent(content);
    expect(workflow.facts).toMatchObject({ runId: 1_658_821_493, repository: 'acme/app' });
    const message = /^The event in `GITHUB_EVENT_PATH` could not be read: `.+`$/;
    const facts = { name: 'GitHubError', kind: 'failed' };
    const error = expect.objectContaining({ ...facts, message: expect.stringMatching(message) });
    expect(() => workflow.event).toThrow(error);
    expect(process.env['GITHUB_EVENT_PATH']).toBe(join(folder, 'event.json'));
  });

  test('of a folder is an error too', () => {
    expect(() => read({ GITHUB_EVENT_PATH: folder }).event).toThrow(/EISDIR/);
  });
});
