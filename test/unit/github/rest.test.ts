import { describe, expect, test } from 'vitest';
import {
  type Delivery,
  type HttpRequest,
  PROXY_NOT_SUPPORTED,
  tooLarge,
} from '../../../src/effects/effects.ts';
import type { GitHub, GitHubAccess } from '../../../src/github/github.ts';
import { createGitHub } from '../../../src/github/rest.ts';
import type { Workflow } from '../../../src/github/workflow.ts';
import { formatDuration } from '../../../src/text/duration.ts';
import { FACTS, fakeEffects, inTurn, response } from '../../support/fakes.ts';

const API = 'https://api.github.example';
const MIB = 2 ** 20;
const event = { name: 'push', payload: {}, sha: 'c3', ref: '', repository: 'acme/app' };

/** The client of a GitHub in memory, and what it does. */
function open(
  respond: (request: HttpRequest) => Delivery,
  access: Partial<GitHubAccess> = {},
  workflow: Partial<Workflow> = {},
) {
  const { clock, runner, http, signal, abort } = fakeEffects(respond);
  const limits = { deadline: Number.MAX_SAFE_INTEGER, timeoutMs: 3_600_000 };
  const facts = { ...FACTS, serverUrl: 'https://github.example' };
  const github = createGitHub(
    { token: 't', http, clock, runner, signal, ...limits, ...access },
    { facts, apiUrl: API, graphqlUrl: `${API}/graphql`, event, ...workflow },
  );
  const { requests } = http;
  /** What was requested, below the address of the repository. */
  const paths = () => requests.map(({ url }) => url.replace(`${API}/repos/acme/app`, ''));
  return { github, clock, runner, abort, requests, paths };
}

/** A GitHub that gives these responses, the last one again and again. */
const responding = (...given: readonly Delivery[]) => open(inTurn(...given));

const arrayOf = <T>(length: number, entry: (index: number) => T) =>
  Array.from({ length }, (_, index) => entry(index));

/** A list of GitHub's, page by page. `wrap` makes the body of a page. */
const listed =
  (all: readonly unknown[], wrap = (page: readonly unknown[], _number: number): unknown => page) =>
  ({ url }: HttpRequest) => {
    const { searchParams } = new URL(url);
    const [number, size] = [Number(searchParams.get('page')), Number(searchParams.get('per_page'))];
    const end = number * size;
    const headers = end < all.length ? { link: '<x>; rel="next"' } : {};
    return response(200, wrap(all.slice(end - size, end), number), headers);
  };

const TOO_LONG: Delivery = {
  ...response(200),
  body: { kind: 'cut', error: tooLarge(16 * MIB), received: '[' },
};

const COMMIT = { sha: 'c2', commit: { message: 'Subject\n\nBody' } };
const FILE = { filename: 'b', status: 'renamed', additions: 1, deletions: 2 };
/** What is read of {@link FILE}. */
const READ_FILE = { filename: 'b', status: 'renamed', lines: { additions: 1, deletions: 2 } };
const comparison = (more = {}) => {
  const ends = { status: 'ahead', html_url: 'u', merge_base_commit: { sha: 'c0' } };
  return response(200, { ...ends, total_commits: 1, commits: [COMMIT], files: [FILE], ...more });
};
const JOB = { id: 1, name: 'docs', run_attempt: 3 };
const run = response(200, { id: 2, workflow_id: 7, run_number: 3 });

test('the event is the one that the runner names', () => {
  expect(responding(run).github.event).toBe(event);
});

test('a request has the token, and limits of its time and its response', async () => {
  const { github, requests } = responding(run);
  await github.run(1);
  expect(requests).toEqual([
    {
      method: 'GET',
      url: `${API}/repos/acme/app/actions/runs/1`,
      headers: {
        accept: 'application/vnd.github+json',
        'accept-encoding': 'identity',
        authorization: 'token t',
        'user-agent': 'docs-agent-job',
      },
      connectTimeoutMs: 30_000,
      timeoutMs: 30_000,
      maxResponseBytes: 16 * MIB,
      signal: expect.any(AbortSignal),
      graceMs: 0,
    },
  ]);
});

describe('a comparison', () => {
  test('has whole messages, both names of a renamed file, and the common commit', async () => {
    const renamed = { ...FILE, previous_filename: 'a', sha: 'f1', patch: '+x' };
    const files = [renamed, { ...FILE, previous_filename: null, patch: null }];
    const { github, paths } = responding(comparison({ files }));
    expect(await github.compare('c1', 'c2')).toEqual({
      status: 'ahead',
      url: 'u',
      mergeBase: 'c0',
      totalCommits: 1,
      commits: [COMMIT],
      files: [{ ...READ_FILE, previous_filename: 'a', sha: 'f1', patch: '+x' }, READ_FILE],
    });
    expect(await github.mergeBase('c1', 'c2')).toBe('c0');
    expect(paths()[1]).toBe('/compare/c1...c2?per_page=1&page=2');
  });

  // https://docs.github.com/rest/commits/commits#compare-two-commits: only the first page has files.
  test.each([
    { total: 100, pages: [1], read: 100 },
    { total: 251, pages: [1, 2, 3], read: 251 },
    { total: 1_000, pages: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], read: 1_000 },
    { total: 1_150, pages: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], read: 950 },
  ])('has the newest $read of $total commits, from the pages $pages', async (row) => {
    const all = arrayOf(row.total, (n) => ({ ...COMMIT, sha: `c${n}` }));
    const { github, paths } = open(
      listed(all, (commits, number) => {
        const body = { total_commits: row.total, commits, files: number === 1 ? [FILE] : [] };
        return { status: 'ahead', ...body };
      }),
    );
    const { totalCommits, commits, files } = await github.compare('c1', 'c2');
    expect([totalCommits, files]).toEqual([row.total, [READ_FILE]]);
    expect(commits).toEqual(all.slice(-row.read));
    const pages = row.pages.map((page) => `/compare/c1...c2?per_page=100&page=${page}`);
    expect(paths()).toEqual(pages);
  });

  test.each([
    { promise: 'the first page again', commits: [COMMIT] },
    { promise: 'an empty one', commits: [] },
  ])('that counts more commits than it has ends with $promise', async ({ commits }) => {
    const [first, second] = [{ total_commits: 300 }, { total_commits: 300, commits }];
    const { github, requests } = responding(comparison(first), comparison(second));
    expect((await github.compare('c1', 'c2')).commits).toEqual([COMMIT]);
    expect(requests).toHaveLength(2);
  });

  test('has at most 300 files, whatever a server sends', async () => {
    const { github } = responding(comparison({ files: arrayOf(400, () => FILE) }));
    expect((await github.compare('c1', 'c2')).files).toHaveLength(300);
  });

  test.each([
    { total: 2, status: 'ahead' },
    { total: 0, status: 'identical' },
  ])("of Gitea's with $total commits and no status is $status", async ({ total, status }) => {
    const { github } = responding(response(200, { total_commits: total, commits: [], files: [] }));
    expect(await github.compare('c1', 'c/2')).toMatchObject({
      status,
      mergeBase: 'c1',
      url: 'https://github.example/acme/app/compare/c1...c/2',
    });
    expect(await github.mergeBase('c1', 'c2')).toBe('c1');
  });

  const EMPTY = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';
  test.each([
    { given: {}, is: 'not-given' },
    { given: { patch: '' }, is: 'not-given' },
    { given: { patch: '@@' }, is: { additions: 0, deletions: 0 } },
    { given: { deletions: 1 }, is: { additions: 0, deletions: 1 } },
    { given: { status: 'added', sha: EMPTY }, is: { additions: 0, deletions: 0 } },
    { given: { status: 'removed', sha: EMPTY }, is: { additions: 0, deletions: 0 } },
    { given: { status: 'modified', sha: EMPTY }, is: 'not-given' },
    { given: { status: 'renamed', sha: EMPTY }, is: 'not-given' },
    { given: { status: 'added', sha: 'f1' }, is: 'not-given' },
  ])('gives $is as the lines of a file with $given, without counts else', async ({ given, is }) => {
    const files = [{ ...FILE, additions: 0, deletions: 0, status: 'modified', ...given }];
    const { github } = responding(comparison({ files }));
    expect((await github.compare('c1', 'c2')).files).toMatchObject([{ lines: is }]);
  });
});

const releasesOf = (...tags: readonly string[]) =>
  tags.map((tag_name) => ({ tag_name, draft: false, prerelease: false }));

describe('a list', () => {
  const next = { link: '<x>; rel="next"' };

  test('of releases is read to its last page, and has no drafts', async () => {
    const all = releasesOf(...arrayOf(250, (n) => `v${n}`));
    const draft = { tag_name: 'draft', draft: true, prerelease: false };
    const { github, paths } = open(listed([draft, ...all]));
    expect(await github.releases()).toEqual(all);
    expect(paths()).toEqual([1, 2, 3].map((page) => `/releases?per_page=100&page=${page}`));
  });

  test('of runs has its count with each page', async () => {
    const all = arrayOf(150, (id) => ({ id, workflow_id: 7, run_number: 3 }));
    const wrap = (workflow_runs: readonly unknown[]) => ({ total_count: 150, workflow_runs });
    const { github, paths } = open(listed(all, wrap));
    expect(await Array.fromAsync(github.runs(7, 'main'))).toEqual([
      { total: 150, runs: all.slice(0, 100) },
      { total: 150, runs: all.slice(100) },
    ]);
    expect(paths()[1]).toBe('/actions/workflows/7/runs?branch=main&per_page=100&page=2');
    const uncounted = responding(response(200, { workflow_runs: [] })).github.runs(7, 'main');
    expect(await Array.fromAsync(uncounted)).toEqual([{ total: 0, runs: [] }]);
  });

  test('of workflow jobs has those of every attempt', async () => {
    const job = { ...JOB, run_id: 2, status: 'completed' };
    const all = [job, { ...job, runner_name: 'R', conclusion: 'success' }];
    const { github, paths } = open(listed(all, (jobs) => ({ jobs })));
    expect(await github.workflowJobs(2)).toEqual(all);
    expect(paths()).toEqual(['/actions/runs/2/jobs?filter=all&per_page=100&page=1']);
  });

  test('of annotations has empty texts for those that are missing', async () => {
    const whole = { annotation_level: 'notice', title: 't', message: 'm' };
    const { github, paths } = open(listed([{ title: null }, whole]));
    const missing = { level: '', title: '', message: '' };
    const read = { level: 'notice', title: 't', message: 'm' };
    expect(await github.annotations(7)).toEqual([missing, read]);
    expect(paths()).toEqual(['/check-runs/7/annotations?per_page=100&page=1']);
  });

  test('of tags comes in one response, and has those with a beginning', async () => {
    const refs = ['refs/tags/v#1?', 'refs/heads/v', 'refs/tags/v1'].map((ref) => ({ ref }));
    const { github, paths } = responding(response(200, refs));
    expect(await github.tags('v')).toEqual(['v#1?', 'v1']);
    for (const beginning of ['v#1?', 'cmd/x y/v', '']) await github.tags(beginning);
    const ends = ['/v', '/v%231%3F', '/cmd/x%20y/v', ''];
    expect(paths()).toEqual(ends.map((end) => `/git/matching-refs/tags${end}`));
  });

  test('of a pull request has all its files and commits', async () => {
    const files = arrayOf(301, (n) => ({ ...FILE, filename: `src/${n}.ts` }));
    const commits = arrayOf(110, () => COMMIT);
    const { github, paths } = open((request) =>
      listed(request.url.includes('/files') ? files : commits)(request),
    );
    expect(github.filesPage(5)).toBe('https://github.example/acme/app/pull/5/files');
    const read = files.map(({ filename }) => ({ ...READ_FILE, filename }));
    expect(await github.pullRequest(5)).toEqual({ commits, files: read });
    expect(paths()[0]).toBe('/pulls/5/files?per_page=100&page=1');
    expect(paths().at(-1)).toBe('/pulls/5/commits?per_page=100&page=2');
  });

  test.each(['<x>; rel="next"', '<x>;rel=next', '<a>; rel="prev", <x>; rel="next"'])(
    'is read on when the Link header is %s',
    async (link) => {
      const end = response(200, releasesOf('v1'), { link: '<x>; rel="prev"' });
      const { github } = responding(response(200, releasesOf('v2'), { link }), end);
      expect(await github.releases()).toEqual(releasesOf('v2', 'v1'));
    },
  );

  test('is read to 10,000 entries', async () => {
    const { github, requests } = responding(response(200, [], next));
    await github.releases();
    expect(requests).toHaveLength(100);
  });

  test('is read on in smaller pages from one that is over 16 MiB', async () => {
    const all = releasesOf(...arrayOf(202, (n) => `v${n}`));
    const isTooLong = /per_page=100&page=[23]|per_page=25&page=5/;
    const { github, paths } = open((request) =>
      isTooLong.test(request.url) ? TOO_LONG : listed(all)(request),
    );
    expect(await github.releases()).toEqual(all);
    const pages = ['100&page=1', '100&page=2', '25&page=5', '5&page=21', '5&page=22'];
    expect(paths().slice(0, 5)).toEqual(pages.map((page) => `/releases?per_page=${page}`));
  });

  test('fails when a page of one entry is over 16 MiB', async () => {
    const { github, requests } = responding(TOO_LONG);
    await expect(github.releases()).rejects.toMatchObject({
      kind: 'too-large',
      message:
        "Listing releases failed: GitHub's API gave too large a response (`the response is larger than 16777216 bytes`)",
    });
    expect(requests).toHaveLength(4);
  });
});

describe('what is read by its id is', () => {
  test('a run, also of a fork that was deleted', async () => {
    const read = { id: 1, workflow_id: 7, run_number: 3, head_branch: 'main' };
    const body = { ...read, status: null, head_repository: null };
    const { github } = responding(response(200, body));
    expect(await github.run(1)).toEqual({ ...read, head_repository: null });
  });

  test('a workflow job', async () => {
    const job = { ...JOB, id: 119, status: 'in_progress', runner_name: 'R' };
    const { github, paths } = responding(response(200, { ...job, conclusion: null, steps: [] }));
    expect(await github.workflowJob(119)).toEqual(job);
    expect(paths()).toEqual(['/actions/jobs/119']);
  });

  test('the tree of a commit', async () => {
    const listed = [
      { path: 'src', mode: '040000', type: 'tree', sha: 'd1' },
      { path: 'src/a.ts', mode: '100644', type: 'blob', sha: 'b1', size: 3 },
      { path: 'vendor', mode: '160000', type: 'commit', sha: null },
    ];
    const { github, paths } = responding(response(200, { tree: listed, truncated: true }));
    const entries = new Map([
      ['src/a.ts', { mode: '100644', sha: 'b1' }],
      ['vendor', { mode: '160000', sha: undefined }],
    ]);
    expect(await github.tree('c1')).toEqual({ entries, truncated: true });
    expect(paths()).toEqual(['/git/trees/c1?recursive=1']);
  });

  const commitBody = { sha: 'c7', commit: { message: 'm', tree: { sha: 't7', url: 'u' } } };
  // GitHub says 422 for a name or an object id that the repository does not have.
  test.each([
    {
      given: response(200, { ...commitBody, parents: [{ sha: 'c5', url: 'u' }, { sha: 'c6' }] }),
      commit: { sha: 'c7', parents: ['c5', 'c6'], tree: 't7' },
    },
    { given: response(200, { sha: 'c7' }), commit: { sha: 'c7', parents: [], tree: undefined } },
    { given: response(404), commit: undefined },
    { given: response(422, { message: 'No commit found for SHA: c7' }), commit: undefined },
  ])('a commit by its name, if GitHub shows it: %o', async ({ given, commit }) => {
    const { github, paths } = responding(given);
    expect(await github.commit('heads/a/b c')).toEqual(commit);
    expect(paths()).toEqual(['/commits/heads%2Fa%2Fb%20c?per_page=1']);
  });

  test.each(['', '.', '..'])('no commit for %j, which would lead to another path', async (ref) => {
    const { github, paths } = responding(response(200, commitBody));
    expect(await github.commit(ref)).toBeUndefined();
    expect(paths()).toEqual([]);
  });

  test.each([
    { objects: [{ sha: 'c1', type: 'commit' }], commit: 'c1' },
    {
      objects: [
        { sha: 't2', type: 'tag' },
        { sha: 'c1', type: 'commit' },
      ],
      commit: 'c1',
    },
    { objects: [{ sha: 'b1', type: 'blob' }], commit: undefined },
    { objects: [], commit: undefined },
    { objects: Array(9).fill({ sha: 't1', type: 'tag' }), commit: undefined },
  ])('the commit of an annotated tag: $objects', async ({ objects, commit }) => {
    const tags = objects.map((object) => response(200, { sha: 't1', object }));
    const { github, paths } = responding(...tags, response(404));
    expect(await github.commitOfTag('t1')).toBe(commit);
    expect(paths()[0]).toBe('/git/tags/t1');
  });

  test('a pull request of any repository, at the same host', async () => {
    const pull = { state: 'open', head: { sha: 'c1' }, title: 'T', labels: [{ name: 'l' }] };
    const { github, requests } = responding(response(200, { ...pull, body: 'B' }));
    expect(await github.pull('acme/docs', 12)).toEqual(pull);
    expect(requests[0]?.url).toBe(`${API}/repos/acme/docs/pulls/12`);
    for (const name of ['..', 'acme/..', './docs', 'acme//docs', '']) {
      await expect(github.pull(name, 12)).rejects.toMatchObject({ kind: 'not-found' });
    }
    expect(requests).toHaveLength(1);
  });

  test('when a pull request was merged or closed', async () => {
    const head = { sha: 'c1' };
    const times = { merged_at: '2026-01-01T00:00:01Z', closed_at: '2026-01-01T00:00:02Z' };
    const merged = { state: 'closed', head, ...times };
    const unmerged = { state: 'open', head, merged_at: null, closed_at: null };
    const { github } = responding(response(200, merged), response(200, unmerged));
    expect(await github.pull('acme/docs', 12)).toEqual(merged);
    expect(await github.pull('acme/docs', 13)).toEqual({ state: 'open', head });
  });
});

describe('the pages of a docs pull request', () => {
  const page = (n: number) => ({ filename: `${n}.mdx`, additions: n, deletions: 0 });
  const state = { state: 'open', created_at: '1970-01-01T00:00:01Z' };
  const pull = response(200, { ...state, head: { sha: 'c1', ref: 'docs/x' }, title: 'T' });
  const known = { isOpen: true, title: 'T', branch: 'docs/x', createdMs: 1_000 };

  test.each([
    { count: 20, hasMore: false },
    { count: 21, hasMore: true },
  ])('of $count are at most 20, with its title and branch', async ({ count, hasMore }) => {
    const { github, requests } = responding(pull, response(200, arrayOf(count, page)));
    const files = arrayOf(20, page);
    const found = { ...known, files, hasMore };
    expect(await github.docsPull('acme/docs', 12, 5_000)).toEqual(found);
    const url = `${API}/repos/acme/docs/pulls/12`;
    expect(requests.map((request) => request.url)).toEqual([url, `${url}/files?per_page=21`]);
  });

  test('take 5 s in all, and are left out where they cannot be read', async () => {
    const next = inTurn(response(503, ''), pull, response(503, ''));
    const opened = open(() => {
      opened.clock.pass(1_000);
      return next();
    });
    const { github, requests, runner } = opened;
    const found = { ...known, files: [], hasMore: false };
    expect(await github.docsPull('acme/docs', 12, 5_000)).toEqual(found);
    // Two pauses of 750 ms are between them.
    expect(requests.map(({ timeoutMs }) => timeoutMs)).toEqual([5_000, 3_250, 2_250, 500]);
    expect(runner.log).toEqual([]);
  });

  test('are not read where the pull request is not shown', async () => {
    const { github, requests } = responding(response(404, ''));
    await expect(github.docsPull('acme/docs', 12, 5_000)).rejects.toMatchObject({
      kind: 'not-found',
    });
    expect(requests).toHaveLength(1);
  });
});

test('how two commits of any repository stand to each other is asked without files', async () => {
  const { github, requests } = responding(response(200, { status: 'diverged' }));
  expect(await github.compareStatus('acme/docs', 'a1', 'b2', 5_000)).toBe('diverged');
  const url = `${API}/repos/acme/docs/compare/a1...b2?per_page=1&page=2`;
  expect(requests.map((request) => request.url)).toEqual([url]);
});

describe('the contents of files', () => {
  const names = ['a', 'image', 'long', 'missing', 'a folder', '") { id } evil'].map(
    (name) => `c1:${name}`,
  );
  const noRepository = { repository: null };

  test('are read in one request to the GraphQL API, and again after a failure', async () => {
    const repository = {
      b0: { text: 'text', isBinary: false, isTruncated: false },
      b1: { text: 'x', isBinary: true, isTruncated: false },
      b2: { text: 'x', isBinary: null, isTruncated: true },
      b3: null,
      b4: {},
    };
    const { github, requests } = responding(response(502), response(200, { data: { repository } }));
    expect(await github.blobs(names)).toEqual([
      { isBinary: false, text: 'text' },
      { isBinary: true, text: undefined },
      { isBinary: false, text: undefined },
      ...Array(3).fill(undefined),
    ]);
    const sent = requests.map(({ method, url }) => `${method} ${url}`);
    expect(sent).toEqual(Array(2).fill(`POST ${API}/graphql`));
    const fields = names.map(
      (name, n) =>
        `b${n}: object(expression: ${JSON.stringify(name)}) { ... on Blob { text isBinary isTruncated } }`,
    );
    expect(JSON.parse(requests[1]?.body ?? '')).toEqual({
      query: `query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { ${fields.join(' ')} } }`,
      variables: { owner: 'acme', name: 'app' },
    });
  });

  test('are read in halves where they are too large for one response, but for one that is alone', async () => {
    const { github, requests } = open(({ body = '' }) => {
      const asked = Array.from(
        body.matchAll(/(b\d+): object\(expression: \\"c1:(\w+)/g),
        ([, field = '', name]) => [field, name] as const,
      );
      const isTooLong = asked.length > 2 || asked.some(([, name]) => name === 'huge');
      const blobs = asked.map(([field, text]) => [field, { text, isTruncated: false }]);
      return isTooLong
        ? TOO_LONG
        : response(200, { data: { repository: Object.fromEntries(blobs) } });
    });
    const all = ['a', 'b', 'huge', 'c', 'd'];
    const read = await github.blobs(all.map((name) => `c1:${name}`));
    expect(read?.map((blob) => blob?.text)).toEqual(['a', 'b', undefined, 'c', 'd']);
    expect(requests).toHaveLength(5);
  });

  test.each([
    { promise: 'no GraphQL API', given: response(404) },
    { promise: 'an API that takes no query', given: response(405) },
    { promise: 'one that the token may not use', given: response(403) },
    {
      promise: 'one that does not know the query',
      given: response(200, { errors: [{ extensions: {} }] }),
    },
    { promise: 'one without this repository', given: response(200, { data: noRepository }) },
  ])('are not known with $promise', async ({ given }) => {
    expect(await responding(given).github.blobs(names)).toBeUndefined();
  });

  test.each(['http://127.0.0.1:1/graphql', 'not a URL', ''])(
    'are not asked for at another host, which must not get the token: %s',
    async (graphqlUrl) => {
      const { github, requests } = open(() => run, {}, { graphqlUrl });
      expect(await github.blobs(names)).toBeUndefined();
      expect(requests).toEqual([]);
    },
  );
});

describe('the error of a request that is not sent again', () => {
  test.each<[what: string, send: (github: GitHub) => Promise<unknown>]>([
    ['Comparing commits', (github) => github.compare('c1', 'c2')],
    ['Comparing commits', (github) => github.mergeBase('c1', 'c2')],
    ['Reading pull request 5', (github) => github.pullRequest(5)],
    ['Reading pull request 6', (github) => github.pull('a/b', 6)],
    ['Reading the workflow run', (github) => github.run(1)],
    ['Listing workflow runs', (github) => Array.fromAsync(github.runs(7, 'main'))],
    ['Listing tags', (github) => github.tags('v')],
    ['Listing releases', (github) => github.releases()],
    ['Listing the workflow jobs', (github) => github.workflowJobs(1)],
    ['Listing annotations', (github) => github.annotations(1)],
    ['Reading the workflow job', (github) => github.workflowJob(1)],
    ['Reading a commit', (github) => github.commit('c1')],
    ['Reading a tree', (github) => github.tree('c1')],
    ['Reading files', (github) => github.blobs([])],
  ])('says what failed: %s', async (what, send) => {
    const { github, requests } = responding(response(422, { message: 'no' }));
    const message = `${what} failed: GitHub's API responded with HTTP 422 (\`no\`)`;
    const error = { name: 'GitHubError', kind: 'failed', message };
    await expect(send(github)).rejects.toMatchObject(error);
    expect(requests).toHaveLength(1);
  });

  test.each([
    { body: '<html>', said: '<html>' },
    { body: '', said: 'no message' },
    { body: '{"error":1}', said: 'no message' },
    { body: '{"message":"no","request_id":12345678901234567890}', said: 'no' },
    { body: '99999999999999999999', said: 'no message' },
    { body: `${'['.repeat(50_000)}${']'.repeat(50_000)}`, said: 'no message' },
  ])('says what GitHub said: $said', async ({ body, said }) => {
    const { github } = responding(response(422, body));
    await expect(github.run(1)).rejects.toThrow(`HTTP 422 (\`${said}\``);
  });

  test('shows nothing of a body that was cut, which could end in half of a secret', async () => {
    const received = '{"message":"No such user: ghs_01234';
    const body = { kind: 'cut', error: 'socket hang up', received } as const;
    const { github } = responding({ ...response(422), body });
    await expect(github.run(1)).rejects.toThrow('HTTP 422 (`socket hang up`');
  });

  test.each([
    { promise: 'the quote is cut', before: 495 },
    { promise: 'the text is cut that is searched for it', before: 49_900 },
  ])('has no part of a secret, also where $promise', async ({ before }) => {
    const token = `ghs_${'0123456789'.repeat(50)}`;
    const message = 'x'.repeat(before) + token;
    const { github, runner } = responding(response(422, { message }));
    runner.redact = (text) => text.replaceAll(token, '***');
    const error = await github.run(1).catch(String);
    expect(error).toContain('HTTP 422 (`xxx');
    expect(error).not.toContain('ghs_');
  });

  test.each([
    { kind: 'not-found', given: response(404) },
    { kind: 'bad-token', given: response(401) },
    { kind: 'forbidden', given: response(403) },
    { kind: 'failed', given: response(451) },
    // An organization's list of allowed addresses is no matter of permissions.
    { kind: 'failed', given: response(403, { message: 'it has an IP allow list enabled' }) },
  ])('is of the kind $kind after HTTP $given.status', async ({ given, kind }) => {
    const { github, requests } = responding(given);
    await expect(github.run(1)).rejects.toMatchObject({ kind });
    expect(requests).toHaveLength(1);
  });

  const noResponse = "GitHub's API gave no response (`no`)";
  const unsupported = "GitHub's API cannot be reached (no)";
  test.each([
    { promise: 'a proxy that cannot be used', code: PROXY_NOT_SUPPORTED, says: unsupported },
    { promise: 'a certificate', code: 'CERT_HAS_EXPIRED', says: noResponse },
    { promise: 'an odd token', code: 'ERR_INVALID_CHAR', says: noResponse },
  ])('is about $promise', async ({ code, says }) => {
    const { github, requests } = responding({ kind: 'not-sent', error: 'no', code });
    await expect(github.run(1)).rejects.toThrow(`Reading the workflow run failed: ${says}`);
    expect(requests).toHaveLength(1);
  });
});

describe('a request is sent again', () => {
  const cut: Delivery = {
    ...response(200),
    body: { kind: 'cut', error: 'cut', received: '{"status": "ah' },
  };
  const lost: Delivery = { kind: 'lost', error: 'socket hang up' };
  const refused: Delivery = { kind: 'not-sent', error: 'refused', code: 'ECONNREFUSED' };
  const shape = "GitHub's response is not of the expected shape";
  const at = (path: string) => `${shape} at \`${path}\``;

  test.each<[promise: string, given: Delivery, says: string]>([
    ['HTML', response(200, '<html>'), shape],
    ['no content', response(204), shape],
    ['null', response(200, 'null'), shape],
    ['no files', comparison({ files: undefined }), at('files')],
    ['a file without a name', comparison({ files: [{}] }), at('files.0.filename')],
    ['a commit without its text', comparison({ commits: [{ sha: 'x' }] }), at('commits.0.commit')],
    ['an unknown status', comparison({ status: 'sideways' }), at('status')],
    ['a response that is cut', cut, "GitHub's response could not be read whole (`cut`)"],
  ])('after %s, five times at most', async (_promise, given, says) => {
    const { github, clock, requests } = responding(given);
    const message = `Comparing commits failed: ${says}`;
    const error = { name: 'GitHubError', kind: 'failed', message };
    await expect(github.compare('c1', 'c2')).rejects.toMatchObject(error);
    expect(clock.slept).toEqual([750, 1_500, 3_000, 6_000]);
    expect(requests).toHaveLength(5);
  });

  // https://github.com/googleapis/repo-automation-bots/issues/4475
  const late = {
    message: 'Server Error: Sorry, this diff is taking too long to generate.',
    errors: [{ resource: 'PullRequest', field: 'diff', code: 'not_available' }],
  };
  test.each<[promise: string, given: Delivery, kind: string]>([
    ['no response', lost, 'failed'],
    ['no connection', refused, 'failed'],
    ['HTTP 408', response(408), 'failed'],
    ['HTTP 425', response(425), 'failed'],
    ['HTTP 500', response(500), 'unavailable'],
    ['HTTP 503', response(503, '', { 'retry-after': '9' }), 'unavailable'],
    ['a diff that takes too long', response(422, late), 'unavailable'],
    ['HTTP 406', response(406, late), 'unavailable'],
  ])('after %s, for 5 minutes and no longer', async (_promise, given, kind) => {
    const { github, clock, requests } = responding(given);
    await expect(github.run(1)).rejects.toMatchObject({ name: 'GitHubError', kind });
    expect(clock.now()).toBeGreaterThan(240_000);
    expect(clock.now()).toBeLessThanOrEqual(300_000);
    expect(clock.slept).toHaveLength(requests.length - 1);
    expect(Math.max(...clock.slept)).toBeLessThanOrEqual(60_000);
    expect(requests.length).toBeLessThan(15);
  });

  test('until it succeeds, and the log shows each pause', async () => {
    const busy = response(503, '', { 'retry-after': '6' });
    const { github, runner } = responding(lost, response(502), cut, busy, run);
    expect(await github.run(1)).toMatchObject({ id: 2 });
    expect(runner.log).toEqual([
      "GitHub's API gave no response. Retrying in 1 s.",
      "GitHub's API responded with HTTP 502. Retrying in 2 s.",
      "GitHub's response could not be read whole. Retrying in 3 s.",
      "GitHub's API responded with HTTP 503. Retrying in 6 s.",
    ]);
  });

  test.each([
    { when: 'not when the deadline comes first', deadline: 1_750, sent: 1 },
    { when: 'when the deadline comes later', deadline: 1_751, sent: 2 },
  ])('$when', async ({ deadline, sent }) => {
    const { github, clock, requests } = open(() => lost, { deadline });
    clock.pass(1_000);
    await expect(github.run(1)).rejects.toThrow('gave no response');
    expect(requests).toHaveLength(sent);
    expect(requests[0]?.timeoutMs).toBe(deadline - 1_000);
  });
});

describe('a rate limit', () => {
  const nowS = Date.UTC(2026, 0, 1) / 1_000;
  const limit = (retryAfter: string, status = 403) =>
    response(status, '', { 'retry-after': retryAfter });
  const limited = (resetS: unknown, remaining = '0', message = '') => {
    const left = { 'x-ratelimit-remaining': remaining };
    return response(403, { message }, { ...left, 'x-ratelimit-reset': `${resetS}` });
  };

  test.each<[promise: string, given: Delivery, seconds: number]>([
    ['as long as Retry-After says', limit('40', 429), 40],
    ['until Retry-After as a date', limit(new Date((nowS + 90) * 1_000).toUTCString()), 90],
    ['until a second after the reset time of a primary limit', limited(nowS + 120), 121],
    ['for a moment after a reset time in the past', limited(nowS - 50), 0.75],
    ['for a minute after a reset time that is not a number', limited('soon'), 60],
    ['for a minute beside a primary limit with room', limited(nowS + 9, '10', 'a Rate Limit'), 60],
    ['for a minute if it is a secondary one', response(403, 'a secondary rate limit'), 60],
    ['for a minute if older servers say so', response(403, 'an abuse detection mechanism'), 60],
    ['for a minute after HTTP 429 without any header', response(429), 60],
  ])('is waited out %s', async (_promise, given, seconds) => {
    const { github, clock, runner } = responding(given, run);
    expect(await github.run(1)).toMatchObject({ id: 2 });
    expect(clock.slept).toEqual([seconds * 1_000]);
    const pause = formatDuration(seconds * 1_000);
    expect(runner.log).toEqual([`GitHub's rate limit was reached. Retrying in ${pause}.`]);
  });

  const said = (type: string | undefined, message = 'API rate limit exceeded', more = {}) => {
    return { errors: [{ type, message }], ...more };
  };
  const noneLeft = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${nowS + 20}` };
  const repository = { b0: { text: 'a', isBinary: false, isTruncated: false } };
  // https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api#exceeding-the-rate-limit
  test.each<[promise: string, given: Delivery, seconds: number]>([
    ['until it ends', response(200, said('RATE_LIMITED'), noneLeft), 21],
    // https://github.com/yanyongyu/githubkit/issues/271
    ['also by its other name', response(200, said('RATE_LIMIT'), noneLeft), 21],
    // https://github.com/release-drafter/release-drafter/issues/1018
    ['for a minute if it says that some is left', response(200, said('RATE_LIMITED')), 60],
    ['beside a part of the data', response(200, said('RATE_LIMITED', 'x', { data: {} })), 60],
    ['if no type says so, but nothing is left', response(200, said(undefined, 'x'), noneLeft), 21],
    ['if it is a secondary one', response(200, said(undefined, 'a secondary rate limit')), 60],
    ['as long as Retry-After says', response(200, said('RATE_LIMIT'), { 'retry-after': '7' }), 7],
  ])('of the GraphQL API, which answers HTTP 200, is waited out %s', async (...row) => {
    const [, given, seconds] = row;
    const { github, clock, runner } = responding(given, response(200, { data: { repository } }));
    expect(await github.blobs(['c1:a'])).toEqual([{ isBinary: false, text: 'a' }]);
    expect(clock.slept).toEqual([seconds * 1_000]);
    expect(runner.log[0]).toContain("GitHub's rate limit was reached. Retrying in");
  });

  test('of the GraphQL API counts with those of all other requests, and the error says so', async () => {
    const given = response(200, said('RATE_LIMITED'), { 'retry-after': '100' });
    const { github, clock } = responding(limit('100'), run, limit('100'), run, given);
    await github.run(1);
    await github.run(1);
    await expect(github.blobs(['c1:a'])).rejects.toMatchObject({
      kind: 'rate-limited',
      message:
        "Reading files failed: GitHub's GraphQL API refused the query (a limit on requests to GitHub's API, which ends at 2026-01-01 00:07 UTC: `API rate limit exceeded`)",
    });
    expect(clock.slept).toEqual([100_000, 100_000, 100_000]);
  });

  test('of the GraphQL API is not reached by the last query that it allows', async () => {
    const last = response(200, { data: { repository } }, noneLeft);
    const { github, clock } = responding(last);
    expect(await github.blobs(['c1:a'])).toEqual([{ isBinary: false, text: 'a' }]);
    expect(clock.slept).toEqual([]);
  });

  test.each<[string, seconds: number, Partial<GitHubAccess>, waits: number, end: string]>([
    ['not when it would be more than 5 minutes', 301, {}, 0, '00:06'],
    ['not when it would go past the deadline', 60, { deadline: 60_000 }, 0, '00:02'],
    ['for 5 minutes in total', 100, {}, 3, '00:07'],
    ['for a third of `timeout` in total', 100, { timeoutMs: 600_000 }, 2, '00:06'],
  ])('is waited out %s, and the error says when it ends', async (...row) => {
    const [, seconds, access, waits, end] = row;
    const { github, clock } = open(() => limit(`${seconds}`), access);
    await expect(github.run(1)).rejects.toMatchObject({
      kind: 'rate-limited',
      message: `Reading the workflow run failed: GitHub's API responded with HTTP 403 (a limit on requests to GitHub's API, which ends at 2026-01-01 ${end} UTC: \`no message\`)`,
    });
    expect(clock.slept).toEqual(Array(waits).fill(seconds * 1_000));
  });
});

describe('the 5 minutes that a run loses to failures', () => {
  const limit = response(403, '', { 'retry-after': '100' });

  test('are counted for all its requests together', async () => {
    const { github, clock } = responding(limit, limit, run, limit, run, limit);
    await github.run(1);
    await github.run(1);
    await expect(github.run(1)).rejects.toMatchObject({ kind: 'rate-limited' });
    expect(clock.slept).toEqual([100_000, 100_000, 100_000]);
  });

  test('hold the requests that fail, not only the pauses after them', async () => {
    const given = open(() => {
      given.clock.pass(30_000);
      return response(504);
    });
    await expect(given.github.run(1)).rejects.toThrow('HTTP 504');
    expect(given.clock.now()).toBeLessThanOrEqual(330_000);
    expect(given.requests.length).toBeLessThan(10);
  });

  test('do not hold requests that succeed', async () => {
    const respond = inTurn(run, response(502), run);
    const given = open(() => {
      given.clock.pass(given.requests.length === 1 ? 400_000 : 0);
      return respond();
    });
    await given.github.run(1);
    expect(await given.github.run(1)).toMatchObject({ id: 2 });
  });
});

describe('a redirect', () => {
  // https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects
  const to = (location: string, status = 302) => response(status, '', { location });

  test.each([301, 302, 307, 308])('with HTTP %s is followed, with the token', async (status) => {
    const redirect = to('/repos/acme/app/actions/runs/2', status);
    const { github, requests, paths } = responding(redirect, run);
    expect(await github.run(1)).toMatchObject({ id: 2 });
    expect(paths()).toEqual(['/actions/runs/1', '/actions/runs/2']);
    expect(requests[1]?.headers).toEqual(requests[0]?.headers);
  });

  test.each(['other.example', 'api.github.example:8443'])(
    'to %s is an error, and nothing is sent there',
    async (host) => {
      const { github, requests } = responding(to(`https://${host}/x`), run);
      await expect(github.run(1)).rejects.toMatchObject({
        kind: 'failed',
        message: `Reading the workflow run failed: GitHub's API redirects to another host, \`${host}\`, which must not get the token`,
      });
      expect(requests).toHaveLength(1);
    },
  );

  test('is followed five times, within the time of one request', async () => {
    const given = open(() => {
      given.clock.pass(10_000);
      return to('/again');
    });
    await expect(given.github.run(1)).rejects.toThrow('HTTP 302');
    const limits = given.requests.map(({ timeoutMs }) => timeoutMs);
    expect(limits).toEqual([30_000, 20_000, 10_000, 1, 1, 1]);
  });

  test.each([
    { promise: 'without an address', given: response(302) },
    { promise: 'to what is no address', given: to('http://[') },
    { promise: 'with HTTP 303', given: to('/x', 303) },
  ])('$promise is not followed', async ({ given }) => {
    const { github, requests } = responding(given);
    await expect(github.run(1)).rejects.toThrow(`HTTP ${given.status}`);
    expect(requests).toHaveLength(1);
  });

  test('of a query is not followed', async () => {
    const { github, requests } = responding(to('/graphql'));
    await expect(github.blobs([])).rejects.toThrow('Reading files failed');
    expect(requests).toHaveLength(1);
  });
});

test.each([
  { when: 'a request', first: [] },
  { when: 'the request that follows a redirect', first: [response(302, '', { location: '/x' })] },
])("a cancel during $when rejects with the signal's reason, and no more is sent", async (row) => {
  const reason = new Error('cancelled');
  const left = [...row.first];
  const given = open(() => {
    const redirect = left.shift();
    if (redirect !== undefined) return redirect;
    given.abort.abort(reason);
    return { kind: 'lost', error: 'cancelled' };
  });
  await expect(given.github.run(1)).rejects.toBe(reason);
  await expect(given.github.run(1)).rejects.toBe(reason);
  expect(given.requests).toHaveLength(row.first.length + 1);
});

describe('the address of a request', () => {
  test('has whatever the event holds as one part of its path', async () => {
    const { github, paths } = responding(comparison());
    await github.compare('\ud800', 'c#2?');
    expect(paths()).toEqual(['/compare/%EF%BF%BD...c%232%3F?per_page=100&page=1']);
  });

  test('has an odd name of a repository as it is', async () => {
    const facts = { ...FACTS, repository: 'a?b/c#d' };
    const { github, requests } = open(() => run, {}, { facts });
    await github.run(1);
    expect(requests[0]?.url).toBe(`${API}/repos/a%3Fb/c%23d/actions/runs/1`);
  });

  test.each([`${API}/api/v3/`, `${API}//`, `${API} `, 'http://ghe.example'])(
    'begins with what the runner names: "%s"',
    async (apiUrl) => {
      const { github, requests } = open(() => run, {}, { apiUrl });
      await github.run(1);
      const path = '/repos/acme/app/actions/runs/1';
      expect(requests[0]?.url).toBe(apiUrl.replace(/[/ ]+$/, '') + path);
    },
  );

  test.each(['::', 'ftp://github.test', 'httpx://github.test', ''])(
    'does not begin with "%s"',
    (apiUrl) => {
      const message = '`GITHUB_API_URL` is not a URL';
      const error = expect.objectContaining({ name: 'GitHubError', kind: 'failed', message });
      expect(() => open(() => run, {}, { apiUrl })).toThrow(error);
    },
  );
});

test('nothing can be read without a token, or outside a workflow', () => {
  const facts = { ...FACTS, repository: undefined };
  expect(() => open(() => run, { token: '' })).toThrow('`githubToken` is empty');
  expect(() => open(() => run, {}, { facts })).toThrow('`GITHUB_REPOSITORY` is not set');
});
