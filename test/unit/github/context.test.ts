import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readWorkflow } from '../../../src/github/context.ts';

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
const keep = (text: unknown) => {
  written.push(text);
  return true;
};

function setVariables(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

beforeEach(() => {
  written.length = 0;
  setVariables(VARIABLES);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Reads the workflow with these variables, and expects that nothing is printed. */
function read(variables: Readonly<Record<string, string | undefined>> = {}) {
  setVariables(variables);
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(keep),
  );
  try {
    return readWorkflow();
  } finally {
    for (const spy of spies) spy.mockRestore();
    expect(written).toEqual([]);
  }
}

describe('the facts about the run', () => {
  test("are read from the runner's variables", () => {
    expect(read().facts).toEqual({
      actor: 'octocat',
      eventName: 'push',
      isForkPullRequest: false,
      runId: 1_658_821_493,
      attempt: 3,
      runnerName: 'Hosted Agent',
      job: 'docs',
      step: '__actions_checkout',
      isComposite: true,
      repository: 'acme/app',
      serverUrl: 'https://ghe.example',
      action: 'acme/docs-agent-job@v2',
    });
  });

  test('may be missing, and the reference is empty for an action of the same repository', () => {
    const missing = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, undefined]));
    const empty = { GITHUB_ACTION_REPOSITORY: '', GITHUB_ACTION_REF: '', GITHUB_ACTION_PATH: '' };
    expect(read({ ...missing, ...empty }).facts).toEqual({
      actor: undefined,
      eventName: undefined,
      isForkPullRequest: false,
      runId: Number.NaN,
      attempt: 1,
      runnerName: '',
      job: '',
      step: '',
      isComposite: false,
      repository: undefined,
      serverUrl: 'https://github.com',
      action: 'docs-agent/docs-agent-job@v1',
    });
  });

  test('leave an attempt that is not a number as one', () => {
    expect(read({ GITHUB_RUN_ATTEMPT: 'x' }).facts.attempt).toBeNaN();
  });

  test.each([
    { GITHUB_ACTION_REPOSITORY: 'acme/docs-agent-job', GITHUB_ACTION_REF: '' },
    { GITHUB_ACTION_REPOSITORY: '', GITHUB_ACTION_REF: 'v2' },
  ])('name the released action when half of its reference is missing: case %#', (variables) => {
    expect(read(variables).facts.action).toMatch(/^docs-agent\/docs-agent-job@v\d+$/);
  });
});

describe("GitHub's addresses", () => {
  test('are those that the runner names', () => {
    expect(read()).toMatchObject({
      apiUrl: 'https://ghe.example/api/v3',
      facts: { serverUrl: 'https://ghe.example' },
    });
  });

  test.each(['', undefined])("are github.com's without a variable: %j", (none) => {
    expect(read({ GITHUB_API_URL: none, GITHUB_SERVER_URL: none })).toMatchObject({
      apiUrl: 'https://api.github.com',
      facts: { serverUrl: 'https://github.com' },
    });
  });
});

const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The workflow with an event whose file holds this. */
function withEvent(content: string | Uint8Array, variables = {}) {
  const path = join(folder, 'event.json');
  writeFileSync(path, content);
  return read({ GITHUB_EVENT_PATH: path, ...variables });
}

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
  test.each([
    { given: 'acme/app', repository: 'acme/app' },
    { given: '', repository: undefined },
    { given: undefined, repository: undefined },
    { given: 'acme', repository: undefined },
    { given: '/app', repository: undefined },
    { given: 'acme/', repository: undefined },
  ])('is $repository when GITHUB_REPOSITORY is $given', ({ given, repository }) => {
    expect(read({ GITHUB_REPOSITORY: given }).facts.repository).toBe(repository);
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
    { what: 'no JSON', content: '<html>' },
    { what: 'only a byte order mark', content: '\ufeff' },
    { what: 'not even text', content: new Uint8Array([0xff, 0xfe, 0x00, 0x7b]) },
  ])('of a file that is $what is an error only when it is asked for', ({ content }) => {
    const workflow = withEvent(content);
    expect(workflow.facts.runId).toBe(1_658_821_493);
    expect(workflow.facts.repository).toBe('acme/app');
    expect(() => workflow.event).toThrow(
      expect.objectContaining({
        name: 'GitHubError',
        kind: 'failed',
        message: expect.stringMatching(
          /^The event in `GITHUB_EVENT_PATH` could not be read: `.+`$/,
        ),
      }),
    );
    expect(process.env['GITHUB_EVENT_PATH']).toBe(join(folder, 'event.json'));
  });

  test('of a folder is an error too', () => {
    expect(() => read({ GITHUB_EVENT_PATH: folder }).event).toThrow(/EISDIR/);
  });
});
