import { describe, expect, test } from 'vitest';
import type { FakeGitHub } from '../../support/github.ts';
import type { ApiFault } from '../../support/github-api.ts';
import { open, startGitHub } from './open.ts';

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

const FEATURE = { branch: 'feature', title: 'Add retries' };
const commit = (name: string) => ({ message: name, files: { [`${name}.ts`]: name } });

const someCommit = (n: number) => ({
  ...{ sha: `${n}`.padStart(40, '0'), message: 'Add a file', parents: [] },
  ...{ author: undefined, authorName: 'A Person' },
});

describe.concurrent('the pull request behind a commit', () => {
  test('has number, title, body, author and labels', async () => {
    await using server = await startGitHub();
    const base = server.tip();
    const texts = { body: 'Why.', author: 'renovate[bot]', labels: ['bug', 'skip-docs'] };
    server.open({ ...FEATURE, ...texts }, commit('one'));
    server.merge(1, 'squash');
    const { pulls, warning } = await behind(server, base);
    expect(pulls).toEqual([{ number: 1, title: 'Add retries', ...texts }]);
    expect(warning).toBeUndefined();
  });

  test.each([
    ['merge', ['one', 'two', 'Merge pull request #1 from acme/feature']],
    ['squash', ['Add retries (#1)']],
    ['rebase', ['one', 'two']],
  ] as const)('is found after a %s', async (how, subjects) => {
    await using server = await startGitHub();
    server.open(FEATURE, commit('one'), commit('two'));
    const base = server.tip();
    server.merge(1, how);
    expect((await behind(server, base)).numbers).toEqual(subjects.map((one) => [one, 1]));
    expect(server.requests).toHaveLength(1);
  });

  test('is the one that became the commit, else the one merged first', async () => {
    await using server = await startGitHub();
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

  test('is never an open one', async () => {
    await using server = await startGitHub();
    const base = server.tip();
    server.open(FEATURE, commit('one'));
    expect((await behind(server, base, 'feature')).numbers).toEqual([['one', undefined]]);
  });

  test('is never one of another repository', async () => {
    await using server = await startGitHub();
    const base = server.tip();
    server.open(FEATURE, commit('one'));
    server.merge(1, 'squash');
    server.renamedTo = 'Acme/App';
    expect((await behind(server, base)).numbers).toEqual([['Add retries (#1)', 1]]);
    server.renamedTo = 'stranger/app';
    expect((await behind(server, base)).numbers).toEqual([['Add retries (#1)', undefined]]);
  });

  test('is asked for 50 commits at a time, and for the newest 300', async () => {
    await using server = await startGitHub();
    const many = Array.from({ length: 320 }, (_, n) => someCommit(n));
    expect(await open(server).github.pullsBehind(many)).toEqual({ byCommit: new Map() });
    const asked = server.requests.map(({ body }) => body.split('object(oid').length - 1);
    expect(asked).toEqual([50, 50, 50, 50, 50, 50]);
    expect(server.requests[0]?.body).toContain(someCommit(20).sha);
    expect(server.requests[0]?.body).not.toContain(someCommit(19).sha);
  });
});

describe.concurrent('pull requests that GitHub does not show', () => {
  const FAILED = "The pull requests behind the commits could not be read: GitHub's API said";

  test('are missing with a warning that names the permission', async () => {
    await using server = await startGitHub();
    const base = server.tip();
    server.open(FEATURE, commit('one'));
    server.merge(1, 'squash');
    server.showsPulls = false;
    expect(await behind(server, base)).toMatchObject({
      numbers: [['Add retries (#1)', undefined]],
      warning: `${FAILED} \`Resource not accessible by integration\`. Give the workflow job \`pull-requests: read\` to include them.`,
    });
  });

  test.each<[what: string, fault: ApiFault, said: string]>([
    ['HTTP 502', { status: 502, body: { message: 'Server Error' } }, 'Server Error'],
    ['an error', { status: 200, body: { errors: [{ message: 'It is wrong' }] } }, 'It is wrong'],
    ['a page', { status: 200, body: '<html>' }, 'unexpected response'],
  ])('after %s never stop a run', async (_, fault, said) => {
    await using server = await startGitHub();
    server.fault = () => fault;
    const many = Array.from({ length: 60 }, (_value, n) => someCommit(n));
    const warning = `${FAILED} \`${said}\`.`;
    expect(await open(server).github.pullsBehind(many)).toEqual({ byCommit: new Map(), warning });
  });
});
