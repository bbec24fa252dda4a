import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createHttp } from '../../../src/effects/http.ts';
import type { Workflow } from '../../../src/github/context.ts';
import type { GitHub, GitHubAccess } from '../../../src/github/github.ts';
import { createGitHub } from '../../../src/github/rest.ts';
import { formatDuration } from '../../../src/lib/duration.ts';
import { FACTS, FakeClock, RecordingRunner } from '../../support/fakes.ts';
import {
  type Failure,
  type GitHubOptions,
  GitHubService,
  line,
} from '../../support/github-service.ts';
import { RawProxy } from '../../support/proxy.ts';
import { tls } from '../../support/tls.ts';

/** Gives the service's next response. Without one it responds as GitHub does. */
type Told = Failure | 'silence' | 'close' | undefined;
const served: { next: (path: string) => Told } = { next: () => undefined };
let service: GitHubService;

const HOUR_MS = 3_600_000;
const event = { name: 'push', payload: {}, sha: 'c3', ref: '', repository: 'acme/app' };
const workflowAt = (apiUrl: string, more: Partial<Workflow> = {}): Workflow => ({
  facts: { ...FACTS, serverUrl: 'https://github.example' },
  apiUrl,
  graphqlUrl: service.graphqlUrl,
  event,
  ...more,
});

const http = createHttp([]);
const open = (access?: Partial<GitHubAccess>, workflow?: Partial<Workflow>): GitHub =>
  createGitHub(
    {
      token: 't',
      http,
      clock: new FakeClock(),
      runner: new RecordingRunner(),
      deadline: Number.MAX_SAFE_INTEGER,
      timeoutMs: HOUR_MS,
      signal: new AbortController().signal,
      ...access,
    },
    workflowAt(service.url, workflow),
  );

const options: GitHubOptions = {
  commits: line(1_200),
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
  trees: {
    c1: {
      tree: [
        { path: 'src', mode: '040000', type: 'tree', sha: 'd1' },
        { path: 'src/a.ts', mode: '100644', type: 'blob', sha: 'b1' },
        { path: 'vendor', mode: '160000', type: 'commit', sha: 'e1' },
      ],
      truncated: false,
    },
    c2: { tree: [], truncated: true },
  },
  pullStates: { 'acme/docs#12': { state: 'open', merged: false, head: { sha: 'c1' } } },
  pulls: {
    5: {
      files: Array.from({ length: 301 }, (_, n) => ({ filename: `src/${n}.ts` })),
      commits: line(110),
    },
  },
};

beforeAll(async () => {
  service = await GitHubService.start({ ...options, fail: (path) => served.next(path) });
  return async () => {
    http.close();
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
    expect(open().event).toBe(event);
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
    await open().tags('cmd/x y/v');
    expect(service.rawRequests.at(-1)).toBe('/repos/acme/app/git/matching-refs/tags/cmd/x%20y/v');
    expect(await open().tags('')).toHaveLength(1_003);
  });

  test('is read to the last page of a list', async () => {
    const github = open();
    const asked = service.requests.length;
    const releases = await github.releases();
    expect(releases).toHaveLength(202);
    expect(service.requests.length - asked).toBe(3);
    expect(releases.slice(0, 2)).toEqual([
      { tag_name: 'v2', draft: false, prerelease: false },
      { tag_name: 'v1-rc', draft: false, prerelease: true },
    ]);
    const pages = await Array.fromAsync(github.runs(7, 'main'));
    expect(pages.map(({ total, runs }) => [total, runs.length])).toEqual([
      [150, 100],
      [150, 50],
    ]);
    const jobs = await github.workflowJobs(1);
    expect(jobs).toHaveLength(120);
    expect(jobs[0]).toEqual({
      id: 0,
      run_id: 1,
      name: 'docs',
      run_attempt: 1,
      status: 'completed',
      runner_name: undefined,
    });
    expect(jobs.at(-1)).toMatchObject({ status: 'in_progress', runner_name: 'runner 119' });
    const annotations = await github.annotations(7);
    expect(annotations).toHaveLength(101);
    expect(annotations[0]).toEqual({ title: '', message: 'message 0' });
    expect(await github.annotations(8)).toEqual([]);
  });

  test('returns the whole messages of commits, and the common commit', async () => {
    const { commits, files, status, mergeBase } = await open().compare('c1', 'c2');
    expect([status, mergeBase]).toEqual(['ahead', 'c1']);
    expect(commits).toEqual([{ sha: 'c2', commit: { message: 'Subject 2\n\nBody 2' } }]);
    expect(files[0]).toMatchObject({ filename: 'src/2.ts', additions: 1 });
    expect(files[0]?.previous_filename).toBeUndefined();
  });

  // https://docs.github.com/rest/commits/commits#compare-two-commits: only the first page has files.
  test.each([
    { commits: 100, requests: 1, listed: 100 },
    { commits: 251, requests: 3, listed: 251 },
    { commits: 1_150, requests: 10, listed: 1_000 },
  ])(
    'returns the first $listed of $commits commits, in $requests requests',
    async ({ commits: total, requests, listed }) => {
      const asked = service.requests.length;
      const compared = await open().compare('c1', `c${total + 1}`);
      expect(service.requests.length - asked).toBe(requests);
      expect(service.requests[asked]).toBe(
        `/repos/acme/app/compare/c1...c${total + 1}?per_page=100&page=1`,
      );
      expect(compared.totalCommits).toBe(total);
      expect(compared.commits.map(({ sha }) => sha)).toEqual(
        Array.from({ length: listed }, (_, index) => `c${index + 2}`),
      );
      expect(compared.files).toHaveLength(Math.min(300, total));
    },
  );

  test('ends a comparison whose pages hold fewer commits than it counts', async () => {
    const commit = { sha: 'c', commit: { message: 'm' } };
    const body = { html_url: 'u', total_commits: 300, commits: [commit], files: [] };
    const pages = { status: 200, body };
    answerNext(pages, pages, { status: 200, body: { ...body, commits: [] } });
    const { commits, totalCommits } = await open().compare('c1', 'c2');
    expect([commits.length, totalCommits]).toEqual([1, 300]);
  });

  test('returns at most 300 files of a comparison, whatever a server sends', async () => {
    const file = { filename: 'f', status: 'added', additions: 1, deletions: 0 };
    const files = Array.from({ length: 400 }, () => file);
    answerNext({ status: 200, body: { total_commits: 1, commits: [], files } });
    expect((await open().compare('c1', 'c2')).files).toHaveLength(300);
  });

  test.each([
    { total: 2, status: 'ahead' },
    { total: 0, status: 'identical' },
  ])(
    "takes Gitea's comparison of $total commits, without a status, as $status",
    async ({ total, status }) => {
      answerNext({ status: 200, body: { total_commits: total, commits: [], files: [] } });
      expect(await open().compare('c1', 'c/2')).toMatchObject({
        status,
        mergeBase: 'c1',
        url: 'https://github.example/acme/app/compare/c1...c/2',
      });
    },
  );

  test('says whether GitHub shows a commit', async () => {
    expect(await open().hasCommit('c7')).toBe(true);
    // GitHub says 422 for an object id that the repository does not have.
    expect(await open().hasCommit('f00')).toBe(false);
    answerNext({ status: 404 });
    expect(await open().hasCommit('c7')).toBe(false);
    answerNext({ status: 422, body: { message: 'Validation failed' } });
    await expect(open().hasCommit('c7')).rejects.toThrow('Reading a commit failed');
    answerNext({ status: 403 });
    await expect(open().hasCommit('c7')).rejects.toMatchObject({ kind: 'forbidden' });
  });

  test('returns every file, folder and submodule of a commit, with its mode', async () => {
    expect(await open().tree('c1')).toEqual(options.trees?.['c1']);
    expect(service.requests.at(-1)).toBe('/repos/acme/app/git/trees/c1?recursive=1');
    expect((await open().tree('c2')).truncated).toBe(true);
  });

  test('returns one workflow job by its id', async () => {
    expect(await open().workflowJob(119)).toEqual({
      id: 119,
      run_id: 1,
      name: 'docs',
      run_attempt: 120,
      status: 'in_progress',
      runner_name: 'runner 119',
    });
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
    const changed = { filename: 'b', status: 'renamed', additions: 1, deletions: 2 };
    expect((await open().compare('c1', 'c2')).files).toEqual([
      { ...changed, previous_filename: 'a', patch: '+x' },
      { ...changed, previous_filename: undefined, patch: undefined },
    ]);
  });

  test('returns empty texts for an annotation that has none', async () => {
    const body = [{ annotation_level: null, title: null, message: null }];
    answerNext({ status: 200, body });
    expect(await open().annotations(1)).toEqual([{ title: '', message: '' }]);
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
      expect(releases.map(({ tag_name }) => tag_name)).toEqual(['v2', 'v1']);
    },
  );

  test('returns all files and commits of a pull request', async () => {
    const pull = await open().pullRequest(5);
    expect([pull.files.length, pull.commits.length]).toEqual([301, 110]);
    expect(pull.url).toBe('https://github.example/acme/app/pull/5/files');
  });

  test('reads a list on in smaller pages from one that is over 16 MiB', async () => {
    const asked = service.requests.length;
    served.next = (path) =>
      /per_page=100&page=[23]|per_page=25&page=5/.test(path)
        ? { status: 200, body: `"${'x'.repeat(16 * 1024 * 1024)}"` }
        : undefined;
    expect(await open().releases()).toHaveLength(202);
    const pages = service.requests.slice(asked).map((path) => path.split('?')[1]);
    expect(pages.slice(0, 5)).toEqual([
      'per_page=100&page=1',
      'per_page=100&page=2',
      'per_page=25&page=5',
      'per_page=5&page=21',
      'per_page=5&page=22',
    ]);
  });

  const blobs: GitHubOptions['blobs'] = {
    ['a'.repeat(40)]: 'text',
    ['b'.repeat(40)]: Buffer.from([0, 1]),
    ['c'.repeat(40)]: 'l'.repeat(512_001),
  };

  test('reads the contents of files in one request to the GraphQL API', async () => {
    await using github = await GitHubService.start({ commits: [], blobs });
    const { url, graphqlUrl } = github;
    const ids = [...Object.keys(blobs), 'd'.repeat(40), '") { id } evil'];
    const found = await open({}, { apiUrl: url, graphqlUrl }).blobs(ids);
    expect(found).toEqual(
      new Map([
        ['a'.repeat(40), { text: 'text', isBinary: false }],
        ['b'.repeat(40), { text: undefined, isBinary: true }],
        ['c'.repeat(40), { text: undefined, isBinary: false }],
      ]),
    );
    expect(github.requests).toEqual(['/graphql']);
  });

  test.each([
    { promise: 'no GraphQL API', next: { status: 404 } },
    { promise: 'an API that takes no query', next: { status: 405 } },
    { promise: 'one that the token may not use', next: { status: 403 } },
    { promise: 'one that gives errors', next: { status: 200, body: { errors: [{}] } } },
    {
      promise: 'one without this repository',
      next: { status: 200, body: { data: { repository: null } } },
    },
  ])('with $promise the contents are not known', async ({ next }) => {
    answerNext(next);
    expect(await open().blobs(['a'.repeat(40)])).toBeUndefined();
  });

  test.each(['http://127.0.0.1:1/graphql', 'not a URL', ''])(
    'the token is sent to no other host: %s',
    async (graphqlUrl) => {
      const asked = service.requests.length;
      expect(await open({}, { graphqlUrl }).blobs(['a'.repeat(40)])).toBeUndefined();
      expect(service.requests).toHaveLength(asked);
    },
  );

  test('asks the GraphQL API again after a failure', async () => {
    await using github = await GitHubService.start({
      ...{ commits: [], blobs },
      fail: () => (github.requests.length === 1 ? { status: 502 } : undefined),
    });
    const { url, graphqlUrl } = github;
    const found = await open({}, { apiUrl: url, graphqlUrl }).blobs(['a'.repeat(40)]);
    expect(found?.size).toBe(1);
    expect(github.requests).toHaveLength(2);
  });

  test.each([
    { promise: 'many lines', file: { additions: 10_000, deletions: 0, patch: '@@' } },
    { promise: 'many bytes', file: { additions: 1, deletions: 0, patch: 'x'.repeat(500_000) } },
  ])(
    'in a response of $promise, a count of zero without a patch is not given',
    async ({ file }) => {
      const zero = { status: 'modified', additions: 0, deletions: 0 };
      const files = [
        { filename: 'a', status: 'modified', ...file },
        { filename: 'b', ...zero },
        { filename: 'c', ...zero, patch: '@@' },
      ];
      const shown = async (listed: readonly object[]) => {
        answerNext({ status: 200, body: { total_commits: 0, commits: [], files: listed } });
        return (await open().compare('c1', 'c2')).files.map(({ isUncounted }) => isUncounted);
      };
      expect(await shown(files)).toEqual([undefined, true, undefined]);
      expect(await shown(files.slice(1))).toEqual([undefined, undefined]);
    },
  );

  test('reads a pull request of any repository, at the same host', async () => {
    expect(await open().pull('acme/docs', 12)).toEqual({ state: 'open', head: { sha: 'c1' } });
    expect(service.requests.at(-1)).toBe('/repos/acme/docs/pulls/12');
    const asked = service.requests.length;
    for (const name of ['..', 'acme/..', './docs', 'acme//docs', '']) {
      await expect(open().pull(name, 12)).rejects.toMatchObject({ kind: 'not-found' });
    }
    expect(service.requests).toHaveLength(asked);
  });

  test('returns no repository for a run whose repository was deleted', async () => {
    expect(await open().run(1)).toEqual({
      id: 1,
      workflow_id: 7,
      run_number: 1,
      status: 'completed',
      head_branch: 'main',
      head_repository: null,
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

  const isUnusable = ({ answer }: (typeof rows)[number]) =>
    typeof answer === 'object' && answer.status < 300;

  test.each(rows.filter(isUnusable))('fails after five times $promise', async ({ answer }) => {
    served.next = () => answer;
    const asked = service.requests.length;
    await expect(open().compare('c1', 'c2')).rejects.toMatchObject({
      name: 'GitHubError',
      kind: 'failed',
      message: expect.stringMatching(/^Comparing commits failed\. GitHub's /),
    });
    expect(service.requests.length - asked).toBe(5);
  });

  test.each(rows.filter((row) => !isUnusable(row)))(
    'is sent again for 5 minutes and no longer after $promise',
    async ({ answer }) => {
      const clock = new FakeClock();
      served.next = () => answer;
      const asked = service.requests.length;
      await expect(open({ clock }).compare('c1', 'c2')).rejects.toMatchObject({
        name: 'GitHubError',
        kind: 'failed',
        message: expect.stringMatching(/^Comparing commits failed\. GitHub's /),
      });
      expect(clock.now()).toBeGreaterThan(240_000);
      expect(clock.now()).toBeLessThanOrEqual(300_000);
      expect(clock.slept).toHaveLength(service.requests.length - asked - 1);
      expect(Math.max(...clock.slept)).toBeLessThanOrEqual(60_000);
      expect(service.requests.length - asked).toBeLessThan(15);
    },
  );

  test('survives a minute in which GitHub fails, and the log shows each pause', async () => {
    const [clock, runner] = [new FakeClock(), new RecordingRunner()];
    served.next = () => (clock.now() < 60_000 ? { status: 502 } : undefined);
    expect(await open({ clock, runner }).compare('c1', 'c2')).toMatchObject({ totalCommits: 1 });
    expect(runner.log).toEqual(
      clock.slept.map(
        (ms) => `GitHub's API responded with HTTP 502. Retrying in ${formatDuration(ms)}.`,
      ),
    );
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
      what: 'Listing workflow runs',
      send: (github: GitHub) => Array.fromAsync(github.runs(7, 'main')),
    },
    { what: 'Listing tags', send: (github: GitHub) => github.tags('v') },
    { what: 'Listing releases', send: (github: GitHub) => github.releases() },
    { what: 'Listing the workflow jobs', send: (github: GitHub) => github.workflowJobs(1) },
    { what: 'Listing annotations', send: (github: GitHub) => github.annotations(1) },
    { what: 'Reading the workflow job', send: (github: GitHub) => github.workflowJob(1) },
    { what: 'Reading a commit', send: (github: GitHub) => github.hasCommit('c1') },
    { what: 'Reading a tree', send: (github: GitHub) => github.tree('c1') },
  ])('that fails says so: $what', async ({ what, send }) => {
    answerNext({ status: 422, body: { message: 'no' } });
    await expect(send(open())).rejects.toMatchObject({
      message: `${what} failed. GitHub's API responded with HTTP 422: \`no\``,
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
        message: `Comparing commits failed. GitHub's API responded with HTTP ${status}: \`no message\``,
      });
    },
  );

  test('that echoes a long token shows no part of it where the text was cut', async () => {
    const token = `ghs_${'0123456789'.repeat(50)}`;
    const runner = new RecordingRunner();
    runner.redact = (text) => text.replaceAll(token, '***');
    answerNext({ status: 422, body: { message: 'x'.repeat(20) + token.repeat(101) } });
    const error = await open({ runner }).compare('c1', 'c2').catch(String);
    expect(error).toContain('responded with HTTP 422');
    expect(error).not.toContain('ghs_');
  });

  test('encodes whatever the event holds', async () => {
    await expect(open().compare('\ud800', 'c#2?')).rejects.toMatchObject({ name: 'GitHubError' });
    expect(service.requests.at(-1)).toContain('/repos/acme/app/compare/\ufffd...c#2??per_page');
  });

  test.each([
    { body: { ...good, files: {} }, shape: 'of the expected shape at `files`' },
    {
      body: { ...good, files: [{ status: 'x' }] },
      shape: 'of the expected shape at `files.0.filename`',
    },
    { body: [], shape: 'of the expected shape' },
  ])('that is answered with another shape says so: $shape', async ({ body, shape }) => {
    served.next = () => ok(body);
    await expect(open().compare('c1', 'c2')).rejects.toMatchObject({
      message: `Comparing commits failed. GitHub's response is not ${shape}`,
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
        /^Comparing commits failed\. GitHub's API gave no response: `.+`$/,
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
    served.next = () => huge;
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

  test("for an organization's list of addresses is no missing permission", async () => {
    const message =
      'Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.';
    answerNext({ status: 403, body: { message } });
    await expect(open().compare('c1', 'c2')).rejects.toMatchObject({ kind: 'failed' });
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
    expect(runner.log).toEqual(["GitHub's API responded with HTTP 503. Retrying in 6 s."]);
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
    {
      promise: 'is at most a third of `timeout` in total',
      limit: { status: 403, headers: { 'retry-after': '100' } },
      deadline: 600_000,
      timeoutMs: 600_000,
      slept: 200_000,
      logged: 2,
    },
  ])('$promise', async ({ limit, deadline, timeoutMs = HOUR_MS, slept, logged }) => {
    const [clock, runner] = [new FakeClock(), new RecordingRunner()];
    served.next = () => limit;
    await expect(
      open({ clock, runner, deadline, timeoutMs }).compare('c1', 'c2'),
    ).rejects.toMatchObject({
      kind: 'rate-limited',
      message: expect.stringMatching(
        /\(a limit on requests .*, which ends at 2026-01-01 \d\d:\d\d UTC\)/,
      ),
    });
    expect(clock.now()).toBe(slept);
    expect(runner.log).toHaveLength(logged);
  });
});

describe('the account of the time that a run loses to failures', () => {
  const limit = { status: 403, headers: { 'retry-after': '100' } };

  test('is one for all requests of the run', async () => {
    const clock = new FakeClock();
    const github = open({ clock });
    answerNext(limit, limit);
    await github.compare('c1', 'c2');
    answerNext(limit);
    await github.run(1);
    answerNext(limit);
    await expect(github.tags('v')).rejects.toMatchObject({ kind: 'rate-limited' });
    expect(clock.slept).toEqual([100_000, 100_000, 100_000]);
  });

  test('counts the requests that fail, not only the pauses after them', async () => {
    const clock = new FakeClock();
    served.next = () => {
      clock.pass(30_000);
      return { status: 504 };
    };
    const asked = service.requests.length;
    await expect(open({ clock }).compare('c1', 'c2')).rejects.toThrow('HTTP 504');
    expect(clock.now()).toBeLessThanOrEqual(330_000);
    expect(service.requests.length - asked).toBeLessThan(10);
  });

  test('does not count requests that succeed', async () => {
    const clock = new FakeClock();
    const github = open({ clock });
    served.next = () => {
      clock.pass(400_000);
      return undefined;
    };
    await github.compare('c1', 'c2');
    answerNext({ status: 502 });
    expect(await github.compare('c1', 'c2')).toMatchObject({ totalCommits: 1 });
  });
});

describe('a redirect of GitHub', () => {
  // https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects
  const to = (location: string, status = 302): Failure => ({ status, headers: { location } });

  test.each([301, 302, 307, 308])('with HTTP %s is followed, with the token', async (status) => {
    const asked = service.requests.length;
    answerNext(to('/repos/acme/app/actions/runs/2', status));
    expect(await open({ token: `redirected-${status}` }).run(1)).toMatchObject({ id: 2 });
    expect(service.requests.slice(asked)).toEqual([
      '/repos/acme/app/actions/runs/1',
      '/repos/acme/app/actions/runs/2',
    ]);
    expect(service.tokensOf('/repos/acme/app/actions/runs/2').at(-1)).toBe(
      `token redirected-${status}`,
    );
  });

  test.each([
    { promise: 'another name', hostOf: (port: string) => `localhost:${port}` },
    { promise: 'another port', hostOf: () => '127.0.0.1:1' },
  ])('to $promise is an error, and nothing is sent there', async ({ hostOf }) => {
    const host = hostOf(new URL(service.url).port);
    const asked = service.requests.length;
    answerNext(to(`http://${host}/repos/acme/app/actions/runs/2`));
    await expect(open().run(1)).rejects.toMatchObject({
      kind: 'failed',
      message: `Reading the workflow run failed. GitHub's API redirects to another host, \`${host}\`, which must not get the token`,
    });
    expect(service.requests.length - asked).toBe(1);
  });

  test('to itself is followed five times', async () => {
    served.next = () => to('/again');
    const asked = service.requests.length;
    await expect(open().run(1)).rejects.toThrow('HTTP 302');
    expect(service.requests.length - asked).toBe(6);
  });

  test.each([
    { promise: 'a redirect without an address', answer: { status: 302 } },
    { promise: 'a redirect to what is no address', answer: to('http://[') },
    { promise: 'HTTP 303', answer: to('/x', 303) },
  ])('is not followed: $promise', async ({ answer }) => {
    served.next = () => answer;
    const asked = service.requests.length;
    await expect(open().run(1)).rejects.toThrow(`HTTP ${answer.status}`);
    expect(service.requests.length - asked).toBe(1);
  });

  test('ends with a cancel', async () => {
    const [cancel, reason] = [new AbortController(), new Error('cancelled')];
    const asked = service.requests.length;
    served.next = () => {
      if (service.requests.length - asked === 1) return to('/x');
      cancel.abort(reason);
      return 'silence';
    };
    await expect(open({ signal: cancel.signal }).run(1)).rejects.toBe(reason);
    expect(service.requests.length - asked).toBe(2);
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
    message: expect.stringMatching(
      /^Comparing commits failed\. GitHub's API gave no response: `no .+ within \d+ s`$/,
    ),
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

test('the error outside a workflow names the missing variable', () => {
  expect(() => open({}, { facts: { ...FACTS, repository: undefined } })).toThrow(
    '`GITHUB_REPOSITORY` is not set',
  );
});

test.each(['/', '//', ' '])("the address of GitHub's API may end with %j", async (end) => {
  await open({}, { apiUrl: `${service.url}/api/v3${end}` })
    .run(1)
    .catch(() => undefined);
  expect(service.requests.at(-1)).toBe('/api/v3/repos/acme/app/actions/runs/1');
});

test.each(['::', 'ftp://github.test', 'httpx://github.test', ''])(
  "GitHub's API is not opened at %j",
  (apiUrl) => {
    expect(() => open({}, { apiUrl })).toThrow(
      expect.objectContaining({
        name: 'GitHubError',
        kind: 'failed',
        message: '`GITHUB_API_URL` is not a URL',
      }),
    );
  },
);

test('a repository whose name is odd does not change the path', async () => {
  await open({}, { facts: { ...FACTS, repository: 'a?b/c#d' } })
    .run(1)
    .catch(() => undefined);
  expect(service.rawRequests.at(-1)).toBe('/repos/a%3Fb/c%23d/actions/runs/1');
});

describe("behind the runner's proxy", () => {
  afterEach(() => void vi.unstubAllEnvs());

  test('of a kind that makes no tunnels, a request fails at once and says what to change', async () => {
    vi.stubEnv('https_proxy', 'socks5://127.0.0.1:1');
    await expect(open({}, { apiUrl: 'https://github.test' }).run(1)).rejects.toThrow(
      "GitHub's API cannot be reached: the proxy of the runner is a socks5 proxy. Set `https_proxy` to an `http://` or `https://` proxy, or add the host to `no_proxy`",
    );
  });

  test('that closes each tunnel, a request is tried a handful of times in 5 minutes', async () => {
    await using proxy = await RawProxy.start((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.end();
    });
    vi.stubEnv('https_proxy', `http://${proxy.host}`);
    await expect(open({}, { apiUrl: 'https://github.test' }).run(1)).rejects.toThrow(
      "GitHub's API gave no response",
    );
    expect(proxy.connections).toBeLessThan(15);
  });
});

test('a certificate that is not trusted is not tried again', async () => {
  await using untrusted = await GitHubService.start({ commits: [], tls });
  const clock = new FakeClock();
  const apiUrl = `https://127.0.0.1:${untrusted.port}`;
  await expect(open({ clock }, { apiUrl }).run(1)).rejects.toMatchObject({ kind: 'failed' });
  expect(clock.slept).toEqual([]);
});
