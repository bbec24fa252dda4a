import { describe, expect } from 'vitest';
import type { FakeGitHub } from '../../support/github.ts';
import { test } from './finding.ts';
import { picker } from './given.ts';

/** A commit that adds a file with its name. */
const add = (message: string, author = 'A Person <person@example.com>') => ({
  ...{ message, author, files: { [`${message}.ts`]: message } },
});

describe.concurrent('what changed', () => {
  test('is the commits with their pull requests, and the files that git lists', async ({
    room,
  }) => {
    const { server } = room;
    const start = server.tip();
    server.open({ branch: 'topic' }, { message: 'b', files: { 'b.ts': 'b', 'a.ts': null } });
    server.merge(1, 'squash');
    server.open({ branch: 'other', title: 'chore: c' }, add('c'));
    server.merge(2, 'squash');
    const submodule = { mode: '160000', id: '1'.repeat(40) } as const;
    const files = { 'a b/ü.ts': 'a', 'go.sum': 'sum', lib: submodule, 'logo.png': 'logo' };
    const run = server.push('main', { message: 'fix: a', files });
    const head = server.tip();
    const found = await room.changes(run, { start, skip: ['chore*'] });
    expect(found).toMatchObject({
      ...{ from: start, to: head, codePullRequests: [1], remarks: [] },
      compareUrl: `${server.url}/acme/app/compare/${start}..${head}`,
      commits: [
        { isSkipped: false, pull: { number: 1 } },
        { isSkipped: true, pull: { number: 2 } },
        { sha: head, isSkipped: false, pull: undefined },
      ],
    });
    const names = server.origin.git('diff', '--name-only', '-z', start, head).split('\0');
    expect([...found.files.map(({ path }) => path), '']).toEqual(names);
    expect(found.selected).toEqual(found.files);
    expect(found.listed.map(({ path }) => path)).toEqual(found.selected.map(({ path }) => path));
    const unread = found.listed.filter(({ patch }) => patch === '');
    expect(unread.map(({ path }) => path)).toEqual(['go.sum', 'lib', 'logo.png']);
    expect(unread.filter(({ id }) => room.repo.fetched.has(id))).toEqual([]);
  });

  test('is, after a force push, what the trees differ in; no commit says that it needs nothing', async ({
    room,
  }) => {
    const first = room.server.tip();
    room.server.push('main', add('chore: gone'));
    const run = room.server.pushTo('main', room.commit('chore: new', first));
    const found = await room.changes(run, { skip: ['chore*'] });
    expect(found.files.map(({ path, status }) => [path, status])).toEqual([
      ['chore: gone.ts', 'removed'],
      ['chore: new.ts', 'added'],
    ]);
    expect(found.commits.map(({ message }) => message)).toEqual(['chore: new']);
    const orphan = await room.changes(room.server.pushTo('main', room.commit('orphan')));
    expect([orphan.commits, orphan.files.length]).toEqual([[], 3]);
  });

  test('counts files by `paths`, and a renamed one by both names', async ({ room }) => {
    room.server.push('main', { files: { 'src/old.ts': 'old' } });
    const files = { 'src/old.ts': null, 'lib/new.ts': 'old', 'docs/x.md': 'x' };
    const found = await room.changes(room.server.push('main', { files }), { paths: ['src/**'] });
    expect(found.files).toHaveLength(2);
    expect(found.selected).toMatchObject([{ path: 'lib/new.ts', previous: 'src/old.ts' }]);
  });

  test('is named by its tags, but a typed start by its id', async ({ room }) => {
    room.server.tag('v1.0.0');
    room.server.push('main', add('one'), add('two'));
    const run = room.server.tag('v1.1.0');
    expect(await room.changes(run)).toMatchObject({ from: 'v1.0.0', to: 'v1.1.0' });
    const start = room.server.origin.git('rev-parse', 'main~1');
    // Pull requests that cannot be read leave every commit.
    room.server.showsPulls = false;
    expect(await room.changes(run, { start })).toMatchObject({
      ...{ from: start, to: 'v1.1.0', commits: [{ message: 'two' }] },
      remarks: [{ level: 'warning', text: expect.stringContaining('`pull-requests: read`') }],
    });
  });
});

describe.concurrent('with `paths`', () => {
  const inFolder = (folder: string, n: number) => ({
    ...{ message: `${folder} ${n}`, files: { [`${folder}/${n}.ts`]: `${n}` } },
  });
  /** The commits that GraphQL is asked about. */
  const asked = ({ server }: { readonly server: FakeGitHub }) =>
    server.requests.flatMap(({ body }) => [...body.matchAll(/oid: \\"(\w+)/g)].map(([, id]) => id));

  test('a random history lists what git says that a commit changes since its first parent', async ({
    room,
  }) => {
    const { server } = room;
    const { origin } = server;
    const old = server.tip();
    server.push('main', inFolder('src', 11));
    const start = server.tip();
    const pick = picker(11);
    // The parent of the first one may lie outside the range.
    const made = [start, old];
    const recent = () => made.at(-1 - pick(Math.min(4, made.length))) ?? start;
    for (let n = 0; n < 50; n += 1) {
      const [first, second] = [recent(), recent()];
      // Some have no parent, and some merges change a file themselves.
      const parents = n % 20 === 9 ? [] : [...new Set([first, second])];
      const merged = parents.length > 1 ? origin.changes(first, second) : {};
      const folder = parents.length === 0 ? 'src' : ['src', 'docs'][pick(3)];
      const files = { ...merged, ...(folder && inFolder(folder, pick(9)).files) };
      made.push(origin.commit({ message: `${n}`, parents, files }));
    }
    const parents = new Set([...origin.commits.values()].flatMap((commit) => commit.parents));
    const tips = made.filter((sha) => !parents.has(sha));
    const head = origin.commit({ parents: tips, files: inFolder('src', 10).files });
    const found = await room.changes(server.pushTo('main', head), { start, paths: ['src/**'] });
    const touches = (sha: string) => {
      const [first] = origin.commits.get(sha)?.parents ?? [];
      const sides = first === undefined ? ['--root', sha] : [first, sha];
      return /^src\//m.test(origin.git('diff-tree', '-r', '--name-only', ...sides));
    };
    const all = origin.between(start, head);
    const expected = all.filter(touches);
    expect(found.commits.map(({ sha }) => sha)).toEqual(expected);
    expect(asked(room)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(10);
    expect(all.length - expected.length).toBeGreaterThan(10);
  });

  test('only commits that touch a selected file decide about `skip`', async ({ room }) => {
    const feat = inFolder('docs', 1);
    const run = room.server.push('main', feat, { ...inFolder('src', 1), message: 'chore: a' });
    const given = { paths: ['src/**'], skip: ['chore*'] };
    expect(await room.find(run, given)).toMatchObject({ nothing: 'all-skipped' });
    // What only the resolution of a merge changed is in no other commit.
    const [start, side] = [room.server.tip(), room.commit('side', room.server.tip())];
    const parents = [room.server.tip(), side];
    const merge = room.server.origin.commit({ parents, files: { 'src/2.ts': '2' } });
    const found = await room.changes(room.server.pushTo('main', merge), { ...given, start });
    expect(found.commits.map(({ sha }) => sha)).toEqual([merge]);
  });

  test('all commits count, and it says so, if there are more than 300 or git cannot read them', async ({
    room,
  }) => {
    const { server } = room;
    const paths = ['src/**'];
    const start = server.tip();
    const many = Array.from({ length: 299 }, (_, n) => inFolder('docs', n));
    const few = await room.changes(server.push('main', inFolder('src', 1), ...many), { paths });
    expect([few.commits.length, few.remarks]).toEqual([1, []]);
    const run = server.push('main', inFolder('docs', 300));
    const found = await room.changes(run, { start, paths });
    expect(found.commits).toHaveLength(301);
    expect(found.remarks).toMatchObject([
      { level: 'note', text: expect.stringContaining('301 commits') },
    ]);
    const other = server.push('main', inFolder('docs', 1), inFolder('src', 2));
    server.fault = () => {
      server.git.fault = () => ({ status: 503 });
      return undefined;
    };
    const unread = await room.changes(other, { paths, changes: 'none' });
    expect(unread.commits).toHaveLength(2);
    expect(unread.remarks).toMatchObject([
      { level: 'warning', text: expect.stringContaining('503') },
    ]);
  });
});

describe.concurrent('nothing is sent', () => {
  test('if no file differs, as after a revert, and if `paths` selects none', async ({ room }) => {
    const { server } = room;
    const run = server.push('main', add('r'), { message: 'Revert', files: { 'r.ts': null } });
    expect(await room.find(run)).toMatchObject({ nothing: 'no-changes' });
    const other = server.push('main', add('a'), add('b'));
    expect(await room.find(other, { paths: ['docs/**'] })).toMatchObject({
      ...{ nothing: 'no-matching-files', selected: [], to: server.tip() },
    });
    expect(server.requests).toEqual([]);
  });
});

describe.concurrent('a pull request', () => {
  test('has commits of its own, and none is looked up', async ({ room }) => {
    const commits = ['one', 'two', 'other'].map((name) => add(name));
    const run = room.server.open({ branch: 'topic', isFromFork: true }, ...commits);
    expect(await room.changes(run, { paths: ['one.ts', 'two.ts'] })).toMatchObject({
      ...{ codePullRequests: [1], pull: { number: 1, body: '', isFromFork: true } },
      commits: [
        { message: 'one', pull: { number: 1 } },
        { message: 'two', pull: { number: 1 } },
      ],
    });
    expect(room.server.requests.filter(({ line }) => line.includes('graphql'))).toEqual([]);
  });

  test("does not take others' commits for its own from a typed `since`", async ({ room }) => {
    const start = room.server.tip();
    room.server.open({ branch: 'other' }, add('other'));
    room.server.merge(1, 'squash');
    const run = room.server.open({ branch: 'topic' }, add('one'));
    const found = await room.changes(run, { start });
    expect(found.commits.map((commit) => commit.pull?.number)).toEqual([1, undefined]);
    expect(found.codePullRequests).toEqual([2, 1]);
  });

  test('is not skipped without a rule if its only commit is a merge', async ({ room }) => {
    const base = room.server.tip();
    room.server.push('main', add('start'));
    const start = room.server.tip();
    const merge = room.server.origin.commit({ ...add('merged'), parents: [start, base] });
    const found = await room.find(room.server.pushTo('main', merge), { start });
    expect([found.commits.length, found.nothing]).toEqual([1, undefined]);
  });
});
