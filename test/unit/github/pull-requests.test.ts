import { describe, expect, test } from 'vitest';
import { open, startGitHub } from './open.ts';

describe.concurrent('a pull request of the repository', () => {
  test('is as GitHub shows it now', async () => {
    await using server = await startGitHub();
    server.open(
      { branch: 'feature', title: 'Add retries', body: 'Why.', labels: ['bug'] },
      { message: 'One' },
    );
    const { github } = open(server);
    expect(await github.pullRequest(1)).toEqual({
      ...{ number: 1, title: 'Add retries', body: 'Why.', author: 'octocat', labels: ['bug'] },
      ...{ state: 'open', head: server.tip('feature'), headBranch: 'feature', isFromFork: false },
      // Its test merge is not one.
      ...{ baseBranch: 'main', mergeCommit: undefined },
    });
    server.synchronize(1, { message: 'Two' });
    expect((await github.pullRequest(1)).head).toBe(server.tip('feature'));
    server.merge(1);
    expect(await github.pullRequest(1)).toMatchObject({
      state: 'merged',
      mergeCommit: server.tip('main'),
    });
  });

  test('may come from a fork', async () => {
    await using server = await startGitHub();
    server.open({ branch: 'patch-1', isFromFork: true, body: '' }, { message: 'One' });
    server.close(1);
    const { isFromFork, state, body } = await open(server).github.pullRequest(1);
    expect({ isFromFork, state, body }).toEqual({ isFromFork: true, state: 'closed', body: '' });
  });
});

describe.concurrent('the docs pull request of a link', () => {
  test.each(['open', 'merged', 'closed'] as const)('is %s', async (state) => {
    await using server = await startGitHub();
    const link = server.openDocsPull('acme/docs#5');
    server.docsPull(link).state = state;
    expect(await open(server).github.docsPull(`${link}/files`)).toEqual({
      ...{ kind: state, number: 5, repository: 'acme/docs' },
      ...{ title: 'Update the docs', branch: 'mintlify/update' },
      pages: [{ path: 'guide.mdx', additions: 3, deletions: 1 }],
      pageCount: 1,
    });
  });

  test('lists 100 pages at most, and says how many there are', async () => {
    await using server = await startGitHub();
    const link = server.openDocsPull();
    const page = { filename: 'a.mdx', additions: 1, deletions: 0 };
    server.docsPull(link).files = Array.from({ length: 120 }, () => page);
    expect(await open(server).github.docsPull(link)).toMatchObject({
      pages: { length: 100 },
      pageCount: 120,
    });
  });

  test('is unreadable if the token may not read it, and while GitHub fails', async () => {
    await using server = await startGitHub();
    const link = server.openDocsPull('acme/docs#5');
    server.docsPull(link).state = 'hidden';
    const { github } = open(server);
    expect(await github.docsPull(link)).toEqual({ kind: 'unreadable' });
    server.fault = () => ({ status: 502 });
    expect(await github.docsPull(link)).toEqual({ kind: 'unreadable' });
  });

  test.each([
    ['', 'of no address'],
    ['https://gitlab.example/acme/docs/-/merge_requests/5', 'on another server'],
    ['http://localhost:1/acme/docs/pull/5', 'on another port'],
    ['SERVER/acme/docs/issues/5', 'that is an issue'],
  ])('%j, %s, is unreadable, and nothing gets the token', async (link) => {
    await using server = await startGitHub();
    const { github } = open(server);
    const found = await github.docsPull(link.replace('SERVER', server.url));
    expect(found).toEqual({ kind: 'unreadable' });
    expect(server.requests).toEqual([]);
  });
});
