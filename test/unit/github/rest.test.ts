import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { GitHub, GitHubAccess } from '../../../src/github/github.ts';
import { createGitHub } from '../../../src/github/rest.ts';
import { formatDuration } from '../../../src/lib/duration.ts';
import { FakeClock, RecordingRunner } from '../../support/fakes.ts';
import {
  type Failure,
  type GitHubOptions,
  GitHubService,
  line,
} from '../../support/github-service.ts';

/** Gives the service's next answer. Without one it answers as GitHub does. */
type Told = Failure | 'silence' | 'close' | undefined;
const served: { next: (path: string) => Told } = { next: () => undefined };
let service: GitHubService;

const open = (access?: Partial<GitHubAccess>): GitHub =>
  createGitHub({
    token: 't',
    clock: new FakeClock(),
    runner: new RecordingRunner(),
    deadline: Number.MAX_SAFE_INTEGER,
    signal: new AbortController().signal,
    ...access,
  });

const options: GitHubOptions = {
  commits: line(300),
  tags: [
    ...Array.from({ length: 1_000 }, (_, n) => ({ name: `nightly-${n}`, sha: 'c1' })),
    { name: 'v1', sha: 'c2' },
    { name: 'v#1?', sha: 'c2' },
    { name: '1', sha: 'c2' },
  ],
  releases: [
    { tag_name: 'v2', published_at: '2026-02-01T00:00:00Z' },
    { tag_name: 'draft', published_at: null, draft: true },
    { tag_name: 'v1-rc', published_at: null, prerelease: true },
    ...Array.from({ length: 200 }, (_, n) => ({ tag_name: `x${n}`, published_at: null })),
  ],
  runs: Array.from({ length: 150 }, (_, n) => ({
    id: n + 1,
    run_number: n + 1,
    head_sha: `c${n + 1}`,
    conclusion: 'success',
    head_repository: null,
  })),
  jobs: Array.from({ length: 120 }, (_, n) => ({
    id: n,
    name: 'docs',
    run_attempt: n + 1,
    status: n === 119 ? 'in_progress' : 'completed',
    runner_name: n === 0 ? null : `runner ${n}`,
  })),
  annotations: {
    7: Array.from({ length: 101 }, (_, n) => ({
      annotation_level: 'notice',
      title: n === 0 ? null : `title ${n}`,
      message: `message ${n}`,
    })),
  },
  pulls: {
    5: {
      files: Array.from({ length: 301 }, (_, n) => ({ filename: `src/${n}.ts` })),
      commits: line(110),
    },
  },
};

beforeAll(async () => {
  service = await GitHubService.start({ ...options, fail: (path) => served.next(path) });
  vi.stubEnv('GITHUB_API_URL', service.url);
  vi.stubEnv('GITHUB_SERVER_URL', 'https://github.example');
  vi.stubEnv('GITHUB_REPOSITORY', 'acme/app');
  vi.stubEnv('GITHUB_EVENT_NAME', 'push');
  vi.stubEnv('GITHUB_SHA', 'c3');
  vi.stubEnv('GITHUB_REF', 'refs/tags/v2');
  vi.stubEnv('GITHUB_RUN_ID', '1');
  return async () => {
    vi.unstubAllEnvs();
    await service[Symbol.asyncDispose]();
  };
});

afterEach(() => {
  served.next = () => undefined;
});

/** Gives each of these answers once, and then answers as GitHub does. */
function answerNext(...answers: readonly Told[]): void {
  const left = [...answers];
  served.next = () => left.shift();
}

describe("the client of GitHub's API", () => {
  test('has the event that the runner names', () => {
    expect(open().event).toMatchObject({
      name: 'push',
      sha: 'c3',
      ref: 'refs/tags/v2',
      runId: 1,
      repository: 'acme/app',
    });
  });

  test('sends the token', async () => {
    await open({ token: 'ghs_unit' }).run(1);
    expect(service.authorizations).toContain('token ghs_unit');
  });

  test('lists tags by their beginning, in one request', async () => {
    const asked = service.requests.length;
    expect(await open().tags('v')).toEqual(['v#1?', 'v1']);
    expect(service.requests.slice(asked)).toEqual(['/repos/acme/app/git/matching-refs/tags/v']);
    expect(await open().tags('v#1?')).toEqual(['v#1?']);
    expect(await open().tags('')).toHaveLength(1_003);
  });

  test('is read to the last page of a list', async () => {
    const github = open();
    const asked = service.requests.length;
    const releases = await github.releases();
    expect(releases).toHaveLength(202);
    expect(service.requests.length - asked).toBe(3);
    expect(releases.slice(0, 2)).toEqual([
      { tag: 'v2', isPrerelease: false },
      { tag: 'v1-rc', isPrerelease: true },
    ]);
    expect(await Array.fromAsync(github.successfulRuns(7, 'main'))).toHaveLength(150);
    const jobs = await github.workflowJobs(1);
    expect(jobs).toHaveLength(120);
    expect(jobs[0]).toEqual({
      id: 0,
      name: 'docs',
      runAttempt: 1,
      status: 'completed',
      runnerName: undefined,
    });
    expect(jobs.at(-1)).toMatchObject({ status: 'in_progress', runnerName: 'runner 119' });
    const annotations = await github.annotations(7);
    expect(annotations).toHaveLength(101);
    expect(annotations[0]).toEqual({ level: 'notice', title: '', message: 'message 0' });
    expect(await github.annotations(8)).toEqual([]);
  });

  test('returns the subjects of commits, not their whole messages', async () => {
    const { commits, files, status } = await open().compare('c1', 'c2');
    expect(status).toBe('ahead');
    expect(commits).toEqual([{ sha: 'c2', subject: 'Subject 2' }]);
    expect(files[0]).toMatchObject({ path: 'src/2.ts', previousPath: undefined, additions: 1 });
  });

  test('returns at most 250 commits and 300 files of a comparison, whatever a server sends', async () => {
    const commit = { sha: 'c', commit: { message: 'm' } };
    const file = { filename: 'f', status: 'added', additions: 1, deletions: 0 };
    const body = {
      status: 'ahead',
      html_url: 'u',
      total_commits: 400,
      commits: Array.from({ length: 400 }, () => commit),
      files: Array.from({ length: 400 }, () => file),
    };
    answerNext({ status: 200, body });
    const { commits, files, totalCommits } = await open().compare('c1', 'c2');
    expect([commits.length, files.length, totalCommits]).toEqual([250, 300, 400]);
  });

  test('returns both names of a renamed file, and its patch', async () => {
    const file = { filename: 'b', status: 'renamed', additions: 1, deletions: 2 };
    const body = {
      status: 'ahead',
      html_url: 'u',
      total_commits: 0,
      commits: [],
      files: [
        { ...file, previous_filename: 'a', patch: '+x' },
        { ...file, patch: null },
      ],
    };
    answerNext({ status: 200, body });
    const changed = { path: 'b', status: 'renamed', additions: 1, deletions: 2 };
    expect((await open().compare('c1', 'c2')).files).toEqual([
      { ...changed, previousPath: 'a', patch: '+x' },
      { ...changed, previousPath: undefined, patch: undefined },
    ]);
  });

  test('returns a notice with empty texts for an annotation that has none', async () => {
    const body = [{ annotation_level: null, title: null, message: null }];
    answerNext({ status: 200, body });
    expect(await open().annotations(1)).toEqual([{ level: 'notice', title: '', message: '' }]);
  });

  test.each(['<x>; rel="next"', '<x>;rel=next', '<a>; rel="prev", <x>; rel="next"'])(
    'is read on when the Link header is %s',
    async (link) => {
      const release = (tag_name: string) => ({ tag_name, draft: false, prerelease: false });
      answerNext(
        { status: 200, body: [release('v2')], headers: { link } },
        { status: 200, body: [release('v1')], headers: { link: '<x>; rel="prev"' } },
      );
      const releases = await open().releases();
      expect(releases.map(({ tag }) => tag)).toEqual(['v2', 'v1']);
    },
  );

  test('returns all files and commits of a pull request', async () => {
    const pull = await open().pullRequest(5);
    expect([pull.files.length, pull.commits.length]).toEqual([301, 110]);
    expect(pull.url).toBe('https://github.example/acme/app/pull/5/files');
  });

  test('returns no repository for a run whose repository was deleted', async () => {
    expect(await open().run(1)).toEqual({
      id: 1,
      workflowId: 7,
      runNumber: 1,
      headSha: 'c1',
      headBranch: 'main',
      headRepository: undefined,
    });
  });
});

describe('a request', () => {
  const good = { status: 'ahead', html_url: 'u', total_commits: 0, commits: [], files: [] };
  const ok = (body: unknown, headers = {}): Failure => ({ status: 200, body, headers });
  const cut = { 'content-length': 1_000, connection: 'close' };
  const rows: readonly { readonly promise: string; readonly answer: Told }[] = [
    { promise: 'null', answer: ok(null) },
    { promise: 'HTML', answer: ok('<html>', { 'content-type': 'text/html' }) },
    {
      promise: 'HTML without a valid content type',
      answer: ok('<html>', { 'content-type': 'none;;;' }),
    },
    { promise: 'an empty body', answer: ok('') },
    { promise: 'JSON that ends in the middle', answer: ok('{"status": "ahead", "comm') },
    { promise: 'an array', answer: ok([]) },
    { promise: 'files that are not an array', answer: ok({ ...good, files: {} }) },
    { promise: 'an answer without files', answer: ok({ ...good, files: undefined }) },
    { promise: 'a file without a name', answer: ok({ ...good, files: [{ status: 'x' }] }) },
    { promise: 'a commit without a message', answer: ok({ ...good, commits: [{ sha: 'x' }] }) },
    { promise: 'an unknown status', answer: ok({ ...good, status: 'sideways' }) },
    { promise: 'an answer without content', answer: { status: 204, body: '' } },
    { promise: 'an answer that is cut before its body', answer: ok('', cut) },
    { promise: 'an answer that is cut in its body', answer: ok('{"status": "ah', cut) },
    { promise: 'a connection that is closed', answer: 'close' },
    { promise: 'HTTP 502', answer: { status: 502 } },
    { promise: 'HTTP 408', answer: { status: 408 } },
    { promise: 'HTTP 425', answer: { status: 425 } },
    { promise: 'HTTP 500', answer: { status: 500 } },
    {
      promise: 'HTTP 503 with Retry-After',
      answer: { status: 503, headers: { 'retry-after': '9' } },
    },
  ];
  test.each(rows)('is sent again after $promise', async ({ answer }) => {
    const asked = service.requests.length;
    answerNext(answer);
    expect(await open().compare('c1', 'c2')).toMatchObject({ totalCommits: 1 });
    expect(service.requests.length - asked).toBe(2);
  });

  test.each(rows)('fails after three times $promise', async ({ answer }) => {
    answerNext(answer, answer, answer);
    const asked = service.requests.length;
    await expect(open().compare('c1', 'c2')).rejects.toMatchObject({
      name: 'GitHubError',
      kind: 'failed',
      message: expect.stringMatching(/^Comparing commits failed\. GitHub's /),
    });
    expect(service.requests.length - asked).toBe(3);
  });

  test('is answered by JSON of any content type', async () => {
    const asked = service.requests.length;
    answerNext(ok(good, { 'content-type': 'text/plain' }));
    expect(await open().compare('c1', 'c2')).toMatchObject({ totalCommits: 0 });
    expect(service.requests.length - asked).toBe(1);
  });

  test.each([
    { what: 'Comparing commits', send: (github: GitHub) => github.compare('c1', 'c2') },
    { what: 'Reading pull request 5', send: (github: GitHub) => github.pullRequest(5) },
    { what: 'Reading the workflow run', send: (github: GitHub) => github.run(1) },
    {
      what: 'Listing successful runs',
      send: (github: GitHub) => Array.fromAsync(github.successfulRuns(7, 'main')),
    },
    { what: 'Listing tags', send: (github: GitHub) => github.tags('v') },
    { what: 'Listing releases', send: (github: GitHub) => github.releases() },
    { what: 'Listing the workflow jobs', send: (github: GitHub) => github.workflowJobs(1) },
    { what: 'Listing annotations', send: (github: GitHub) => github.annotations(1) },
  ])('that fails says so: $what', async ({ what, send }) => {
    answerNext({ status: 422, body: { message: 'no' } });
    await expect(send(open())).rejects.toMatchObject({
      message: `${what} failed. GitHub's API answered HTTP 422: \`no\``,
      cause: expect.objectContaining({ status: 422 }),
    });
  });

  test.each([
    { body: '<html>', said: '<html>' },
    { body: '', said: 'no message' },
    { body: { error: 1 }, said: 'no message' },
    { body: '{"message":"no","request_id":12345678901234567890}', said: 'no' },
    { body: '{"errors":[99999999999999999999]}', said: 'no message' },
    { body: '99999999999999999999', said: 'no message' },
  ])('that is answered with 422 and $body says: $said', async ({ body, said }) => {
    answerNext({ status: 422, body });
    await expect(open().compare('c1', 'c2')).rejects.toThrow(`HTTP 422: \`${said}\``);
  });

  test.each([404, 422])(
    'that is answered with %s and deep JSON fails as any other',
    async (status) => {
      answerNext({ status, body: `${'['.repeat(50_000)}${']'.repeat(50_000)}` });
      await expect(open().compare('c1', 'c2')).rejects.toMatchObject({
        name: 'GitHubError',
        cause: expect.objectContaining({ status }),
      });
    },
  );

  test('encodes whatever the event holds', async () => {
    await expect(open().compare('\ud800', 'c#2?')).rejects.toMatchObject({ name: 'GitHubError' });
    expect(service.requests.at(-1)).toBe('/repos/acme/app/compare/\ufffd...c#2?');
  });

  test.each([
    { body: { ...good, files: {} }, shape: 'of the expected shape at `files`' },
    {
      body: { ...good, files: [{ status: 'x' }] },
      shape: 'of the expected shape at `files.0.filename`',
    },
    { body: [], shape: 'of the expected shape' },
  ])('that is answered with another shape says so: $shape', async ({ body, shape }) => {
    answerNext(ok(body), ok(body), ok(body));
    await expect(open().compare('c1', 'c2')).rejects.toMatchObject({
      message: `Comparing commits failed. GitHub's answer is not ${shape}`,
    });
  });

  test.each([
    { promise: 'is not sent again when the deadline comes first', deadline: 1_750, sent: 1 },
    { promise: 'is sent again when the deadline comes later', deadline: 3_000, sent: 2 },
  ])('$promise', async ({ deadline, sent }) => {
    const clock = new FakeClock();
    clock.pass(1_000);
    const asked = service.requests.length;
    served.next = () => ({ status: 502 });
    await expect(open({ clock, deadline }).compare('c1', 'c2')).rejects.toThrow('HTTP 502');
    expect(service.requests.length - asked).toBe(sent);
  });

  test('that gets no answer fails with the error of the network', async () => {
    served.next = () => 'close';
    await expect(open().compare('c1', 'c2')).rejects.toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(
        /^Comparing commits failed\. GitHub's API gave no answer: `.+`$/,
      ),
    });
  });

  test('is not sent again after HTTP 422', async () => {
    answerNext({ status: 422 }, { status: 422 });
    const asked = service.requests.length;
    await expect(open().compare('c1', 'c2')).rejects.toMatchObject({ kind: 'failed' });
    expect(service.requests.length - asked).toBe(1);
  });

  test('fails when the answer has more than 16 MiB', async () => {
    const huge = ok({ ...good, html_url: 'x'.repeat(16 * 1024 * 1024) });
    answerNext(huge, huge, huge);
    await expect(open().compare('c1', 'c2')).rejects.toThrow('larger than 16777216 bytes');
  });
});

describe('an error of GitHub', () => {
  test.each([
    { status: 404, kind: 'not-found' },
    { status: 401, kind: 'bad-token' },
    { status: 403, kind: 'forbidden' },
    { status: 451, kind: 'failed' },
  ])('is $kind after HTTP $status', async ({ status, kind }) => {
    answerNext({ status });
    await expect(open().compare('c1', 'c2')).rejects.toMatchObject({ kind });
  });

  test('is thrown for an empty token', () => {
    expect(() => open({ token: '' })).toThrow('`githubToken` is empty');
  });

  test("quotes GitHub's text without secrets, wherever it is cut", async () => {
    const runner = new RecordingRunner();
    const secret = 'ghs_0123456789';
    runner.redact = (text) => text.replaceAll(secret, '***');
    answerNext({ status: 422, body: { message: `${'x'.repeat(495)}${secret}` } });
    const error = await open({ runner })
      .compare('c1', 'c2')
      .catch((thrown: Error) => thrown);
    expect(String(error)).toContain('xxx***');
    expect(String(error)).not.toContain('ghs_');
  });
});

describe('the wait for a rate limit', () => {
  const now = new FakeClock().date() / 1_000;
  const rows: readonly {
    readonly promise: string;
    readonly limit: Failure;
    readonly waitS: number;
  }[] = [
    {
      promise: 'follows Retry-After in seconds',
      limit: { status: 429, headers: { 'retry-after': '40' } },
      waitS: 40,
    },
    {
      promise: 'follows Retry-After as a date',
      limit: {
        status: 403,
        headers: { 'retry-after': new Date((now + 90) * 1_000).toUTCString() },
      },
      waitS: 90,
    },
    {
      promise: 'follows the reset time of the primary limit',
      limit: {
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${now + 120}` },
      },
      waitS: 121,
    },
    {
      promise: 'recognizes a secondary limit by its text',
      limit: {
        status: 403,
        body: { message: 'You have exceeded a secondary rate limit. Please wait.' },
      },
      waitS: 60,
    },
    {
      promise: 'recognizes the abuse detection of older servers',
      limit: { status: 403, body: { message: 'You have triggered an abuse detection mechanism.' } },
      waitS: 60,
    },
    { promise: 'is a minute after HTTP 429 without any header', limit: { status: 429 }, waitS: 60 },
    {
      promise: 'is a minute after a secondary limit beside a primary one that has room',
      limit: {
        status: 403,
        body: { message: 'You have exceeded a secondary rate limit.' },
        headers: { 'x-ratelimit-remaining': '10', 'x-ratelimit-reset': `${now + 200}` },
      },
      waitS: 60,
    },
    {
      promise: 'is a minute after a reset time that is not a number',
      limit: {
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' },
      },
      waitS: 60,
    },
    {
      promise: 'is not negative after a reset time in the past',
      limit: {
        status: 429,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${now - 50}` },
      },
      waitS: 0.75,
    },
  ];
  test.each(rows)('$promise', async ({ limit, waitS }) => {
    const [clock, runner] = [new FakeClock(), new RecordingRunner()];
    answerNext(limit);
    expect(await open({ clock, runner }).compare('c1', 'c2')).toMatchObject({ status: 'ahead' });
    expect(clock.slept).toEqual([waitS * 1_000]);
    expect(runner.log).toEqual([
      `GitHub's rate limit was reached. Retrying in ${formatDuration(waitS * 1_000)}.`,
    ]);
  });

  test('follows Retry-After of any other error too', async () => {
    const [clock, runner] = [new FakeClock(), new RecordingRunner()];
    answerNext({ status: 503, headers: { 'retry-after': '6' } });
    expect(await open({ clock, runner }).compare('c1', 'c2')).toMatchObject({ status: 'ahead' });
    expect(clock.slept).toEqual([6_000]);
    expect(runner.log).toEqual(["GitHub's API answered HTTP 503. Retrying in 6 s."]);
  });

  test('does not count as one of the three tries', async () => {
    const limit = { status: 429, headers: { 'retry-after': '1' } };
    answerNext(limit, { status: 502 }, limit, limit, { status: 502 });
    expect(await open().compare('c1', 'c2')).toMatchObject({ status: 'ahead' });
  });

  test.each([
    {
      promise: 'is not made when it would be more than 5 minutes',
      limit: { status: 403, headers: { 'retry-after': '301' } },
      deadline: Number.MAX_SAFE_INTEGER,
      slept: 0,
      logged: 0,
    },
    {
      promise: 'is not made when it would go past the deadline',
      limit: { status: 403, headers: { 'retry-after': '60' } },
      deadline: 60_000,
      slept: 0,
      logged: 0,
    },
    {
      promise: 'is at most 5 minutes in total',
      limit: { status: 403, headers: { 'retry-after': '100' } },
      deadline: Number.MAX_SAFE_INTEGER,
      slept: 300_000,
      logged: 3,
    },
  ])('$promise', async ({ limit, deadline, slept, logged }) => {
    const [clock, runner] = [new FakeClock(), new RecordingRunner()];
    served.next = () => limit;
    await expect(open({ clock, runner, deadline }).compare('c1', 'c2')).rejects.toMatchObject({
      kind: 'rate-limited',
      message: expect.stringContaining('a limit on requests'),
    });
    expect(clock.now()).toBe(slept);
    expect(runner.log).toHaveLength(logged);
  });
});

test("a cancel rejects a request with the signal's reason", async () => {
  const reason = new Error('cancelled');
  const signal = AbortSignal.abort(reason);
  await expect(open({ signal }).compare('c1', 'c2')).rejects.toBe(reason);
  const cancel = new AbortController();
  served.next = () => {
    cancel.abort(reason);
    return 'silence';
  };
  await expect(open({ signal: cancel.signal }).compare('c1', 'c2')).rejects.toBe(reason);
});

test('a request that gets no answer fails at the deadline', async () => {
  served.next = () => 'silence';
  const clock = new FakeClock();
  clock.pass(100_000);
  await expect(open({ clock, deadline: 100_050 }).compare('c1', 'c2')).rejects.toMatchObject({
    kind: 'failed',
    message: "Comparing commits failed. GitHub's API did not answer within 1 second",
  });
});

test('a deprecation header is not logged', async () => {
  const written: unknown[] = [];
  for (const name of ['warn', 'error', 'log', 'info'] as const) {
    vi.spyOn(console, name).mockImplementation((...args) => void written.push(args));
  }
  const body = { status: 'ahead', html_url: 'u', total_commits: 0, commits: [], files: [] };
  const headers = {
    deprecation: 'true',
    sunset: '%0A::error::forged',
    link: '<::error::forged>; rel="deprecation"',
  };
  answerNext({ status: 200, body, headers });
  await open().compare('c1', 'c2');
  vi.restoreAllMocks();
  expect(written).toEqual([]);
});

/** The variables of the runner hold until the end of the test. */
function setVariables(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name];
    vi.stubEnv(name, value);
    onTestFinished(() => void vi.stubEnv(name, before));
  }
}

test.each(['', 'acme', '/app'])(
  'the error outside a workflow names the missing variable: "%s"',
  (repository) => {
    setVariables({ GITHUB_REPOSITORY: repository });
    expect(() => open()).toThrow('`GITHUB_REPOSITORY` is not set');
  },
);

test.each(['/', '//', ' '])("the address of GitHub's API may end with %j", async (end) => {
  setVariables({ GITHUB_API_URL: `${service.url}/api/v3${end}` });
  await open()
    .run(1)
    .catch(() => undefined);
  expect(service.requests.at(-1)).toBe('/api/v3/repos/acme/app/actions/runs/1');
});

test('a run without an id has none', () => {
  setVariables({ GITHUB_RUN_ID: '' });
  expect(open().event.runId).toBeNaN();
});

test.each([
  {
    what: 'an address that is not a URL',
    variables: { GITHUB_API_URL: '::' },
    message: '`GITHUB_API_URL` is not a URL',
  },
  {
    what: 'an address that is not a web address',
    variables: { GITHUB_API_URL: 'ftp://github.test' },
    message: '`GITHUB_API_URL` is not a URL',
  },
  {
    what: 'a proxy that makes no tunnels',
    variables: { GITHUB_API_URL: 'https://github.test', https_proxy: 'socks5://127.0.0.1:1' },
    message:
      "GitHub's API cannot be reached: the proxy of the runner is a socks5 proxy. Set `https_proxy` to an `http://` or `https://` proxy, or add the host to `no_proxy`",
  },
])("GitHub's API is not opened for $what", ({ variables, message }) => {
  setVariables(variables);
  expect(() => open()).toThrow(
    expect.objectContaining({ name: 'GitHubError', kind: 'failed', message }),
  );
});

describe("the event's payload", () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const payloadIn = (path: string | undefined) => {
    setVariables({ GITHUB_EVENT_PATH: path });
    return open().event.payload;
  };

  test('is what the file of the runner holds', () => {
    const path = join(folder, 'event.json');
    writeFileSync(path, '{"before":"c1"}');
    expect(payloadIn(path)).toEqual({ before: 'c1' });
  });

  test('may begin with a byte order mark', () => {
    const path = join(folder, 'marked.json');
    writeFileSync(path, '\ufeff{"before":"c1"}');
    expect(payloadIn(path)).toEqual({ before: 'c1' });
  });

  test('is missing without a file', () => {
    expect(payloadIn(undefined)).toBeUndefined();
    expect(payloadIn('')).toBeUndefined();
    expect(payloadIn(join(folder, 'none.json'))).toBeUndefined();
  });

  test('of a file that cannot be read is an error that says so', () => {
    const path = join(folder, 'cut.json');
    writeFileSync(path, '{"before":');
    expect(() => payloadIn(path)).toThrow(/^The event in `GITHUB_EVENT_PATH` could not be read: /);
    expect(() => payloadIn(folder)).toThrow(/EISDIR/);
  });
});
