import { describe, expect } from 'vitest';
import { test } from './open.ts';

describe.concurrent('a comparison', () => {
  test('has the commits with their whole messages, parents and authors', async ({
    server,
    github,
  }) => {
    const base = server.tip();
    const bot = 'Bot <109931778+mintlify[bot]@users.noreply.github.com>';
    server.push('main', { message: 'Add a\n\nWhy.', author: 'A Person <a@person.example>' });
    server.push('main', { message: 'Update the docs', author: bot });
    const head = server.tip();
    const first = server.origin.git('rev-parse', `${head}^`);
    expect(await github.compare(base, head)).toEqual({
      mergeBase: base,
      commits: [
        {
          ...{ sha: first, parents: [base], message: 'Add a\n\nWhy.' },
          ...{ author: undefined, authorName: 'A Person' },
        },
        {
          ...{ sha: head, parents: [first], message: 'Update the docs' },
          ...{ author: 'mintlify[bot]', authorName: 'Bot' },
        },
      ],
    });
  });

  test('has every commit from the merge base on, oldest first', async ({ server, github }) => {
    const base = server.tip();
    server.pushTo('topic', base);
    server.push('topic', ...Array.from({ length: 201 }, (_, n) => ({ message: `Commit ${n}` })));
    server.push('main', { message: 'Main' });
    const compared = await github.compare('main', 'topic');
    expect(compared?.mergeBase).toBe(base);
    const listed = server.origin.git('rev-list', '--reverse', `${base}..topic`).split('\n');
    expect(compared?.commits.map(({ sha }) => sha)).toEqual(listed);
    expect(server.requests).toHaveLength(3);
  });
});

test('whether a commit is behind another one is asked in one request without files', async ({
  server,
  github,
}) => {
  const a = server.tip();
  server.pushTo('topic', a);
  server.push('topic', { message: 'Topic' });
  server.push('main', { message: 'Second' });
  const [b, topic] = [server.tip(), server.tip('topic')];
  const orphan = server.origin.commit({ message: 'Orphan' });
  expect(await github.isBehind(a, a)).toBe(true);
  expect(server.requests).toEqual([]);
  expect(await github.isBehind(a, b)).toBe(true);
  expect(server.requests.map(({ line }) => line)).toEqual([
    `GET /repos/acme/app/compare/${a}...${b}?page=2&per_page=1`,
  ]);
  expect(await github.isBehind(b, a)).toBe(false);
  expect(await github.isBehind(b, topic)).toBe(false);
  expect(await github.isBehind(b, orphan)).toBe(false);
  server.pushTo('main', a);
  server.origin.forget(b);
  expect(await github.isBehind(a, b)).toBeUndefined();
});

describe.concurrent('a comparison of two ids', () => {
  test('is asked for once, whoever needs it, by whatever signal', async ({ server, github }) => {
    const a = server.tip();
    server.push('main', ...Array.from({ length: 101 }, (_, n) => ({ message: `${n}` })));
    const b = server.tip();
    const first = github.compare(a, b);
    const late = github.with({ signal: new AbortController().signal });
    expect(await late.isBehind(a, b)).toBe(true);
    expect(await late.isBehind(b, a)).toBe(false);
    expect(await github.mergeBase(b, a)).toBe(a);
    expect(await late.compare(a, b)).toEqual(await first);
    expect(server.requests.map(({ line }) => line)).toEqual([
      `GET /repos/acme/app/compare/${a}...${b}?page=1&per_page=100`,
      `GET /repos/acme/app/compare/${a}...${b}?page=2&per_page=100`,
    ]);
  });

  test('says the merge base by its first page', async ({ server, github }) => {
    const a = server.tip();
    server.push('main', ...Array.from({ length: 101 }, (_, n) => ({ message: `${n}` })));
    server.fault = ({ line }) => (line.includes('page=2') ? { status: 403 } : undefined);
    const comparing = github.compare(a, server.tip());
    expect(await github.isBehind(a, server.tip())).toBe(true);
    await expect(comparing).rejects.toThrow('HTTP 403');
  });

  test('is asked for again if it failed', async ({ server, github }) => {
    const a = server.tip();
    server.push('main', { message: 'Second' });
    server.fault = () => ({ status: 403 });
    await expect(github.compare(a, server.tip())).rejects.toThrow('HTTP 403');
    server.fault = undefined;
    expect(await github.compare(a, server.tip())).toMatchObject({ mergeBase: a });
  });
});

test('releases are listed to the end', async ({ server, github }) => {
  for (let n = 0; n < 101; n += 1) server.releases.push({ tag: `v${n}`, prerelease: n === 1 });
  const releases = await github.releases();
  expect(releases).toHaveLength(101);
  expect(releases.slice(0, 2)).toMatchObject([
    { tag: 'v0', isDraft: false, isPrerelease: false },
    { tag: 'v1', isDraft: false, isPrerelease: true },
  ]);
});
