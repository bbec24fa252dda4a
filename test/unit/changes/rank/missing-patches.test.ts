import { expect, test, vi } from 'vitest';
import type { KnownChanges } from '../../../../src/changes/find/found.ts';
import {
  withAllPatches,
  withMissingPatches,
} from '../../../../src/changes/rank/missing-patches.ts';
import type { Blob, ChangedFile, GitHub } from '../../../../src/github/github.ts';
import { FakeClock } from '../../../support/fakes.ts';
import { GitRepository } from '../../../support/git-repository.ts';
import { noGit } from '../../../support/system.ts';

/** The contents of a repository's files before and after; `undefined` where there is none. */
type Sides = Readonly<
  Record<string, readonly [before: string | undefined, after: string | undefined]>
>;

const uncounted = (filename: string, status = 'modified'): ChangedFile => ({
  ...{ filename, status, additions: 0, deletions: 0, isUncounted: true },
});

const idOf = (text: string) => Buffer.from(text.slice(0, 20)).toString('hex').padEnd(40, '0');

function repository(sides: Sides, blobsOf?: GitHub['blobs']) {
  const requests: number[] = [];
  const treeOf = (side: 0 | 1) => ({
    entries: new Map(
      Object.entries(sides).flatMap(([path, texts]) => {
        const text = texts[side];
        if (text === undefined) return [];
        return [[path, { mode: '100644', type: 'blob', sha: idOf(text), size: text.length }]];
      }),
    ),
    truncated: false,
  });
  const contents = new Map(
    Object.values(sides)
      .flat()
      .map((text): [string, Blob] => [
        idOf(text ?? ''),
        text?.includes('\0') ? { text: undefined, isBinary: true } : { text, isBinary: false },
      ]),
  );
  const github = {
    tree: async (sha: string) => treeOf(sha === 'm' ? 0 : 1),
    blobs: async (ids: readonly string[]) => {
      requests.push(ids.length);
      return new Map(ids.flatMap((id) => [[id, contents.get(id) as Blob]]));
    },
    ...(blobsOf === undefined ? {} : { blobs: blobsOf }),
  } as unknown as GitHub;
  return { github, requests };
}

const changesOf = (selected: readonly ChangedFile[], more: Partial<KnownChanges> = {}) =>
  ({
    ...{ selected, named: [], base: 'b', mergeBase: 'm', head: 'h', isPullRequest: false },
    ...more,
  }) as unknown as KnownChanges;

const make = (github: GitHub, changes: KnownChanges) =>
  withMissingPatches(github, changes, { clock: new FakeClock(), pause: async () => undefined });

test('a patch is made from both sides of a file, and its lines are counted', async () => {
  const { github } = repository({
    'a.ts': ['one\ntwo\n', 'one\n2\nthree\n'],
    'new.ts': [undefined, 'x\n'],
    'old.ts': ['y\n', undefined],
  });
  const files = [uncounted('a.ts'), uncounted('new.ts', 'added'), uncounted('old.ts', 'removed')];
  const [changed, added, removed] = files.map(({ isUncounted: _, ...file }) => file);
  expect(await make(github, changesOf(files))).toEqual([
    { ...changed, additions: 2, deletions: 1, patch: '@@ -1,2 +1,3 @@\n one\n-two\n+2\n+three' },
    { ...added, additions: 1, patch: '@@ -0,0 +1,1 @@\n+x' },
    { ...removed, deletions: 1, patch: '@@ -1,1 +0,0 @@\n-y' },
  ]);
});

test('what is only named, binary, too large or the same on both sides costs no content', async () => {
  const { github, requests } = repository({
    'same.ts': ['a', 'a'],
    'large.ts': ['1', 'z'.repeat(512_001)],
    'binary.ts': ['2\0', '3\0'],
  });
  const files = [
    { ...uncounted('listed.ts'), patch: '@@' },
    uncounted('pnpm-lock.yaml'),
    uncounted('logo.png'),
    { ...uncounted('moved.ts', 'renamed'), isUncounted: undefined } as unknown as ChangedFile,
  ];
  expect(await make(github, changesOf(files))).toBe(files);
  const others = [uncounted('same.ts'), uncounted('large.ts'), uncounted('binary.ts')];
  const [same, large, binary] = await make(github, changesOf(others));
  const without = { status: 'modified', additions: 0, deletions: 0 };
  expect(same).toEqual({ filename: 'same.ts', ...without });
  expect(large).toBe(others[1]);
  expect(binary).toEqual({ filename: 'binary.ts', ...without });
  expect(requests).toEqual([2]);
});

test('of many files, 200 are read in at most 8 requests, source first, large changes first', async () => {
  const names = Array.from({ length: 250 }, (_, n) => `src/${n}.ts`);
  const sides = Object.fromEntries(
    [...names, 'docs/a.md'].map(
      (name, n) => [name, [`${n} old`, `${n} new${'!'.repeat(n)}`]] as const,
    ),
  );
  const { github, requests } = repository(sides);
  const files = ['docs/a.md', ...names].map((name) => uncounted(name));
  const made = await make(github, changesOf(files));
  const patched = made.filter(({ patch }) => patch !== undefined).map(({ filename }) => filename);
  expect(patched).toEqual(names.slice(50));
  expect(requests.length).toBeLessThanOrEqual(8);
  expect(Math.max(...requests)).toBeLessThanOrEqual(50);
});

test('where there is no GraphQL API, the content is not there or the list of files is cut, the files stay as they are', async () => {
  const files = [uncounted('a.ts')];
  const sides: Sides = { 'a.ts': ['1', '2'] };
  for (const found of [undefined, new Map()]) {
    const { github } = repository(sides, async () => found);
    expect(await make(github, changesOf(files))).toEqual(files);
  }
  const { github } = repository(sides);
  const tree = async (sha: string) => ({ ...(await github.tree(sha)), truncated: sha === 'm' });
  expect(await make({ ...github, tree }, changesOf(files))).toEqual(files);
});

test("a pull request's patches start where it left its base", async () => {
  const { github } = repository({ 'a.ts': ['1\n', '2\n'] });
  const mergeBase = async () => 'm';
  const pull = changesOf([uncounted('a.ts')], { isPullRequest: true, mergeBase: 'b' });
  const [file] = await make({ ...github, mergeBase } as unknown as GitHub, pull);
  expect(file?.patch).toContain('-1');
});

// Not a time, so that the prompt is the same on every machine.
test('a file of which more than 1,500 lines were edited has no patch, but a new one has', async () => {
  const lines = (text: string, count: number) => `${text}\n`.repeat(count);
  const { github } = repository({
    'many.ts': [`many\n${lines('a', 750)}`, `many now\n${lines('b', 749)}`],
    'some.ts': [`some\n${lines('a', 749)}`, `some now\n${lines('b', 749)}`],
    'new.ts': [undefined, lines('new', 5_000)],
  });
  const files = [uncounted('many.ts'), uncounted('some.ts'), uncounted('new.ts', 'added')];
  // No time passes, so that a busy machine does not come to the limits of very slow ones.
  vi.spyOn(Date, 'now').mockReturnValue(0);
  const made = await make(github, changesOf(files));
  vi.restoreAllMocks();
  expect(made.map(({ additions, deletions }) => [additions, deletions])).toEqual([
    [0, 0],
    [750, 750],
    [5_000, 0],
  ]);
});

test.each([1, 16])(
  '%d files that take too long leave room for another if that is not too much, and a cancel is seen between them',
  async (slow) => {
    // Time passes only when somebody looks at a clock.
    const clock = new FakeClock();
    const tick = () => {
      clock.pass(100);
      return clock.date();
    };
    vi.spyOn(Date, 'now').mockImplementation(tick);
    const lines = (text: string) => Array.from({ length: 50 }, (_, n) => `${text} ${n}\n`).join('');
    const names = Array.from({ length: slow }, (_, n) => `${n}.ts`);
    const sides = names.map((name) => [name, [lines('a'), lines('b')]] as const);
    const { github } = repository({ ...Object.fromEntries(sides), 'z.ts': ['1\n', '2\n'] });
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    const files = [...names, 'z.ts'].map((name) => uncounted(name));
    const made = await withMissingPatches(github, changesOf(files), { clock, pause });
    vi.restoreAllMocks();
    const patched = made.flatMap(({ filename, patch }) => (patch === undefined ? [] : [filename]));
    expect(patched).toEqual(slow === 1 ? ['z.ts'] : []);
    expect(clock.now()).toBeLessThan(slow * 2_500);
    expect(pauses).toBeGreaterThan(slow);
  },
);

// Lines take much more memory than their text, and the room for patches is small.
test('of many long patches only the beginnings are kept, with the counts of all their lines', async () => {
  const text = (name: string) => `${name}\n`.padEnd(1_000, 'x').concat('\n').repeat(498);
  const names = Array.from({ length: 64 }, (_, n) => `new-file-number-${n + 10}.ts`);
  const { github } = repository(
    Object.fromEntries(names.map((name) => [name, [undefined, text(name)] as const])),
  );
  const made = await make(github, changesOf(names.map((name) => uncounted(name, 'added'))));
  const patches = made.map(({ patch = '' }) => patch);
  expect(patches.join('').length).toBeLessThan(6_000_000);
  const cut = patches.filter((patch) => patch.endsWith('\n\\ The rest of this patch was not kept'));
  expect(cut.length).toBeGreaterThan(50);
  expect(patches.filter((patch) => patch.length > 450_000).length).toBeGreaterThan(5);
  expect(Math.min(...patches.map(({ length }) => length))).toBeGreaterThan(15_000);
  expect(new Set(made.map(({ additions }) => additions))).toEqual(new Set([996]));
});

test.skipIf(noGit)('lines are counted as git does (skipped where git is missing)', async () => {
  const text = (every: number, end: string) =>
    Array.from({ length: 60 }, (_, n) => `line ${n % every === 0 ? every : n}`).join('\n') + end;
  const a = [text(7, '\n'), text(11, '')] as const;
  const sides: Sides = { 'a.ts': a, 'b.ts': [text(5, ''), undefined], 'c.ts': ['', 'c\n'] };
  const filesOf = (side: 0 | 1) =>
    Object.fromEntries(Object.entries(sides).map(([path, texts]) => [path, texts[side]]));
  using git = new GitRepository([
    { name: 'a', parents: [], files: filesOf(0) },
    { name: 'b', parents: ['a'], files: filesOf(1) },
  ]);
  const counts = ({ filename, additions, deletions }: Partial<ChangedFile>) => {
    return [filename, additions, deletions];
  };
  const listed = git.files(git.sha('a'), git.sha('b'));
  const { github } = repository(sides);
  const bare = listed.map(({ filename, status }) => uncounted(filename, status));
  expect((await make(github, changesOf(bare))).map(counts)).toEqual(listed.map(counts));
});

test('a changelog that `paths` leaves out gets its patch too, and is not selected by that', async () => {
  const { github } = repository({
    'src/a.ts': ['a\n', 'b\n'],
    'CHANGELOG.md': ['# Old\n', '# New\n# Old\n'],
    'docs/a.md': ['a\n', 'b\n'],
  });
  const [source, changelog, docs] = ['src/a.ts', 'CHANGELOG.md', 'docs/a.md'].map((name) =>
    uncounted(name),
  ) as [ChangedFile, ChangedFile, ChangedFile];
  const given = changesOf([source], { files: [source, changelog, docs] });
  const pace = { clock: new FakeClock(), pause: async () => undefined };
  const from = { github: async () => github, isNextRunLooking: false };
  const { files, selected } = await withAllPatches(from, given, pace);
  expect(selected).toEqual([files[0]]);
  expect(files.map(({ patch }) => patch)).toEqual([
    '@@ -1,1 +1,1 @@\n-a\n+b',
    '@@ -1,1 +1,2 @@\n+# New\n # Old',
    undefined,
  ]);
});
