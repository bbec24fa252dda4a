import { describe, expect } from 'vitest';
import type { FakeGitHub } from '../../support/github.ts';
import { open, test } from './open.ts';

const FEATURE = { branch: 'feature', title: 'Add retries' };
const commit = (name: string) => ({ message: name, files: { [`${name}.ts`]: name } });

describe.concurrent('a pull request of the repository', () => {
  test('is as GitHub shows it now', async ({ server, client: { github } }) => {
    const texts = { body: 'Why.', labels: ['bug'] };
    server.open({ ...FEATURE, ...texts }, commit('one'));
    expect(await github.pullRequest(1)).toEqual({
      ...{ number: 1, title: 'Add retries', author: 'octocat', ...texts },
      ...{ state: 'open', head: server.tip('feature'), headBranch: 'feature', isFromFork: false },
      // Its test merge is not one.
      ...{ baseBranch: 'main', mergeCommit: undefined },
    });
    server.synchronize(1, commit('two'));
    expect((await github.pullRequest(1)).head).toBe(server.tip('feature'));
    server.merge(1);
    const mergeCommit = server.tip('main');
    expect(await github.pullRequest(1)).toMatchObject({ state: 'merged', mergeCommit });
  });
});

describe.concurrent('the docs pull request of a link', () => {
  test.for(['open', 'merged', 'closed'] as const)(
    'is %s, with 100 pages at most',
    async (state, { server }) => {
      const link = server.openDocsPull('acme/docs#5');
      const file = { filename: 'a.mdx', additions: 1, deletions: 0 };
      Object.assign(server.docsPull(link), { state, files: Array(120).fill(file) });
      expect(await open(server).github.docsPull(`${link}/files`)).toEqual({
        ...{ kind: state, number: 5, repository: 'acme/docs' },
        ...{ title: 'Update the docs', branch: 'mintlify/update' },
        pages: Array(100).fill({ path: 'a.mdx', additions: 1, deletions: 0 }),
        pageCount: 120,
      });
    },
  );

  test('is unreadable if the token may not read it', async ({ server }) => {
    const link = server.openDocsPull();
    server.docsPull(link).state = 'hidden';
    expect(await open(server).github.docsPull(link)).toEqual({ kind: 'unreadable' });
  });

  test('is an error while GitHub is away, because it may be merged', async ({ server }) => {
    const link = server.openDocsPull();
    server.fault = () => ({ status: 503 });
    await expect(open(server).github.docsPull(link)).rejects.toThrow('HTTP 503');
  });

  test.for([
    ['', 'of no address'],
    ['https://gitlab.example/acme/docs/-/merge_requests/5', 'on another server'],
    ['http://localhost:1/acme/docs/pull/5', 'on another port'],
    ['SERVER/acme/docs/issues/5', 'that is an issue'],
  ] as const)(
    '%j, %s, is unreadable, and nothing gets the token',
    async ([link], { server, client: { github } }) => {
      const found = await github.docsPull(link.replace('SERVER', server.url));
      expect(found).toEqual({ kind: 'unreadable' });
      expect(server.requests).toEqual([]);
    },
  );
});

/** The number of the pull request behind each commit since `base`, by the commit's subject. */
async function behind(server: FakeGitHub, base: string, head = 'main') {
  const { github } = open(server);
  const { commits = [] } = (await github.compare(base, head)) ?? {};
  server.requests.length = 0;
  const { byCommit, warning } = await github.pullsBehind(commits);
  const numbers = commits.map(
    ({ sha, message }) => [message.split('\n', 1)[0], byCommit.get(sha)?.number] as const,
  );
  return { numbers, warning, pulls: [...byCommit.values()] };
}

const someCommits = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ sha: `${n}`.padStart(40, '0'), message: 'Add a file', parents: [] },
    ...{ author: undefined, authorName: 'A Person' },
  }));

describe.concurrent('the pull request behind a commit', () => {
  test('has number, title, body, author and labels', async ({ server }) => {
    const base = server.tip();
    const texts = { body: 'Why.', author: 'renovate[bot]', labels: ['bug', 'skip-docs'] };
    server.open({ ...FEATURE, ...texts }, commit('one'));
    server.merge(1, 'squash');
    const { pulls, warning } = await behind(server, base);
    expect(pulls).toMatchObject([{ number: 1, title: 'Add retries', ...texts }]);
    expect(warning).toBeUndefined();
  });

  test.for([
    ['merge', ['one', 'two', 'Merge pull request #1 from acme/feature']],
    ['squash', ['Add retries (#1)']],
    ['rebase', ['one', 'two']],
  ] as const)('is found after a %s, in one request', async ([how, subjects], { server }) => {
    server.open(FEATURE, commit('one'), commit('two'));
    const base = server.tip();
    server.merge(1, how);
    expect((await behind(server, base)).numbers).toEqual(subjects.map((one) => [one, 1]));
    expect(server.requests).toHaveLength(1);
  });

  test('is the one merged first', async ({ server }) => {
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
    expect((await behind(server, base)).numbers).toEqual([['one', 1], ...merges]);
    server.pull(1).mergedAt = '2099-01-01T00:00:00Z';
    expect((await behind(server, base)).numbers).toEqual([['one', 2], ...merges]);
  });

  test('is never an open one, and never one of another repository', async ({ server }) => {
    const base = server.tip();
    server.open(FEATURE, commit('one'));
    expect((await behind(server, base, 'feature')).numbers).toEqual([['one', undefined]]);
    server.merge(1, 'squash');
    server.renamedTo = 'Acme/App';
    expect((await behind(server, base)).numbers).toEqual([['Add retries (#1)', 1]]);
    server.renamedTo = 'stranger/app';
    expect((await behind(server, base)).numbers).toEqual([['Add retries (#1)', undefined]]);
  });

  test('is asked for 50 commits at a time, and for the newest 300', async ({ server }) => {
    const many = someCommits(320);
    expect(await open(server).github.pullsBehind(many)).toEqual({ byCommit: new Map() });
    const asked = server.requests.map(({ body }) => body.split('object(oid').length - 1);
    expect(asked).toEqual([50, 50, 50, 50, 50, 50]);
    expect(server.requests[0]?.body).toContain(many[20]?.sha);
    expect(server.requests[0]?.body).not.toContain(many[19]?.sha);
  });
});

describe.concurrent('pull requests that GitHub does not show', () => {
  const FAILED = "The pull requests behind the commits could not be read: GitHub's API said";

  test('are missing with a warning that names the permission', async ({ server }) => {
    const base = server.tip();
    server.open(FEATURE, commit('one'));
    server.merge(1, 'squash');
    server.showsPulls = false;
    expect(await behind(server, base)).toMatchObject({
      numbers: [['Add retries (#1)', undefined]],
      warning: `${FAILED} \`Resource not accessible by integration\`. Give the workflow job \`pull-requests: read\` to include them.`,
    });
  });

  test('never stop a run', async ({ server }) => {
    server.fault = () => ({ status: 200, body: { errors: [{ message: 'It is wrong' }] } });
    const found = { byCommit: new Map(), warning: `${FAILED} \`It is wrong\`.` };
    expect(await open(server).github.pullsBehind(someCommits(60))).toEqual(found);
  });
});
