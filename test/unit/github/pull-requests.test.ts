import { describe, expect } from 'vitest';
import { GitHubError } from '../../../src/github/client.ts';
import { test } from './open.ts';

const FEATURE = { branch: 'feature', title: 'Add retries' };
const commit = (name: string) => ({ message: name, files: { [`${name}.ts`]: name } });

test('a pull request of the repository is as GitHub shows it now', async ({ server, github }) => {
  const texts = { body: 'Why.', labels: ['bug'] };
  server.open({ ...FEATURE, ...texts }, commit('one'));
  expect(await github.pullRequest(1)).toEqual({
    ...{ number: 1, title: 'Add retries', author: 'octocat', ...texts },
    ...{ state: 'open', head: server.tip('feature'), headBranch: 'feature', isFromFork: false },
    // Its test merge is not one.
    ...{ baseBranch: 'main', mergeCommit: undefined },
  });
  server.merge(1);
  const mergeCommit = server.tip('main');
  expect(await github.pullRequest(1)).toMatchObject({ state: 'merged', mergeCommit });
});

const ELSEWHERE = [
  ['', 'of no address'],
  ['https://gitlab.example/acme/docs/-/merge_requests/5', 'on another server'],
  ['http://localhost:1/acme/docs/pull/5', 'on another port'],
  ['SERVER/acme/docs/issues/5', 'that is an issue'],
] as const;

describe.concurrent('the docs pull request of a link', () => {
  test('is shown with 100 pages at most', async ({ server, github }) => {
    const link = server.openDocsPull('acme/docs#5');
    const file = { filename: 'a.mdx', additions: 1, deletions: 0 };
    server.docsPull(link).files = Array(120).fill(file);
    expect(await github.docsPull(`${link}/files`)).toEqual({
      ...{ number: 5, repository: 'acme/docs' },
      ...{ title: 'Update the docs', branch: 'mintlify/update' },
      pages: Array(100).fill({ path: 'a.mdx', additions: 1, deletions: 0 }),
      pageCount: 120,
    });
    expect(server.requests).toHaveLength(2);
  });

  test('is asked for once if the token may not read it', async ({ server, github, clock }) => {
    const link = server.openDocsPull();
    server.docsPull(link).state = 'hidden';
    await expect(github.docsPull(link)).rejects.toBeInstanceOf(GitHubError);
    expect(server.requests.filter(({ line }) => line.endsWith('/pulls/1'))).toHaveLength(1);
    expect(clock.now()).toBe(0);
  });

  test.for(['open', 'merged', 'closed'] as const)(
    'is %s, by one request',
    async (state, { server, github }) => {
      const link = server.openDocsPull();
      server.docsPull(link).state = state;
      expect(await github.docsPullState(link)).toBe(state);
      expect(server.requests).toHaveLength(1);
    },
  );

  test.for([
    [401, 1],
    [403, 1],
    [404, 2],
  ] as const)(
    'is unreadable after HTTP %d, which comes %d times',
    async ([status, times], { server, github }) => {
      server.fault = () => ({ status });
      expect(await github.docsPullState(server.openDocsPull())).toBe('unreadable');
      expect(server.requests).toHaveLength(times);
    },
  );

  test('may be in any state while a proxy sends a page', async ({ server, github }) => {
    server.fault = () => ({ status: 200, body: '<html>' });
    const reading = github.docsPullState(server.openDocsPull());
    await expect(reading).rejects.toBeInstanceOf(GitHubError);
  });

  test.for(ELSEWHERE)(
    '%j, %s, is elsewhere, and nothing gets the token',
    async ([text], { server, github }) => {
      const link = text.replace('SERVER', server.url);
      expect(await github.docsPullState(link)).toBe('elsewhere');
      expect(await github.docsPull(link)).toBeUndefined();
      expect(server.requests).toEqual([]);
    },
  );
});

/** A test that gets the number of the pull request behind each commit, by the commit's subject. */
const testBehind = test.extend(
  'behind',
  ({ server, github }) =>
    async (base: string, head = 'main') => {
      const { commits = [] } = (await github.compare(base, server.tip(head))) ?? {};
      server.requests.length = 0;
      const { byCommit } = await github.pullsBehind(commits);
      const numbers = commits.map(({ sha, message }) => [
        message.split('\n', 1)[0],
        byCommit.get(sha)?.number,
      ]);
      return { numbers, pulls: [...byCommit.values()] };
    },
);

const someCommits = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ sha: `${n}`.padStart(40, '0') }));

describe.concurrent('the pull request behind a commit', () => {
  testBehind.for([
    ['merge', ['one', 'two', 'Merge pull request #1 from acme/feature']],
    ['squash', ['Add retries (#1)']],
    ['rebase', ['one', 'two']],
  ] as const)(
    'is found after a %s, in one request',
    async ([how, subjects], { server, behind }) => {
      const texts = { body: 'Why.', author: 'renovate[bot]', labels: ['bug', 'skip-docs'] };
      server.open({ ...FEATURE, ...texts }, commit('one'), commit('two'));
      const base = server.tip();
      server.merge(1, how);
      const { numbers, pulls } = await behind(base);
      expect(numbers).toEqual(subjects.map((one) => [one, 1]));
      expect(pulls[0]).toMatchObject({ number: 1, title: 'Add retries', ...texts });
      expect(server.requests).toHaveLength(1);
    },
  );

  testBehind('is the one merged first', async ({ server, behind }) => {
    const base = server.tip();
    server.pushTo('develop', base);
    server.open({ ...FEATURE, base: 'develop' }, commit('one'));
    server.merge(1);
    server.open({ branch: 'release' });
    server.pull(2).head = server.tip('develop');
    server.merge(2);
    const merges = [
      ['Merge pull request #1 from acme/feature', 1],
      ['Merge pull request #2 from acme/release', 2],
    ];
    expect((await behind(base)).numbers).toEqual([['one', 1], ...merges]);
    server.pull(1).mergedAt = '2099-01-01T00:00:00Z';
    expect((await behind(base)).numbers).toEqual([['one', 2], ...merges]);
  });

  testBehind(
    'is never an open one, and never one of another repository',
    async ({ server, behind }) => {
      const base = server.tip();
      server.open(FEATURE, commit('one'));
      expect((await behind(base, 'feature')).numbers).toEqual([['one', undefined]]);
      server.merge(1, 'squash');
      server.renamedTo = 'Acme/App';
      expect((await behind(base)).numbers).toEqual([['Add retries (#1)', 1]]);
      server.renamedTo = 'stranger/app';
      expect((await behind(base)).numbers).toEqual([['Add retries (#1)', undefined]]);
    },
  );

  test('is asked for 50 commits at a time, and for the newest 300', async ({ server, github }) => {
    const many = someCommits(320);
    expect(await github.pullsBehind(many)).toEqual({ byCommit: new Map() });
    const asked = server.requests.map(({ body }) => body.split('object(oid').length - 1);
    expect(asked).toEqual([50, 50, 50, 50, 50, 50]);
    expect(server.requests[0]?.body).toContain(many[20]?.sha);
    expect(server.requests[0]?.body).not.toContain(many[19]?.sha);
  });
});

test('pull requests that GitHub does not show never stop a run', async ({ server, github }) => {
  server.fault = () => ({ status: 200, body: { errors: [{ message: 'It is wrong' }] } });
  const warning =
    "The pull requests behind the commits could not be read: GitHub's API said `It is wrong`.";
  const found = { byCommit: new Map(), warning };
  expect(await github.pullsBehind(someCommits(60))).toEqual(found);
});
