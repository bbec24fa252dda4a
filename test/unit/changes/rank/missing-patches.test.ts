import { expect, test } from 'vitest';
import { filesWithoutPatch, missingPatches } from '../../../../src/changes/rank/missing-patches.ts';
import type { ChangedFile, Tree } from '../../../../src/github/github.ts';
import type { TreeEntry } from '../../../../src/github/shapes.ts';

const uncounted = (filename: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  ...{ filename, status: 'modified', additions: 0, deletions: 0, isUncounted: true },
  ...more,
});

const entry = (sha: string, size = 9, type = 'blob') => ({ mode: '100644', type, sha, size });
const treeOf = (entries: Readonly<Record<string, TreeEntry>>): Tree => ({
  ...{ entries: new Map(Object.entries(entries)), truncated: false },
});
/** The names of the files whose patches are made. Each of `same` is the same in both trees. */
function missingOf(
  files: readonly ChangedFile[],
  { same = [], selected = files }: { same?: readonly string[]; selected?: typeof files } = {},
) {
  const at = (side: string) =>
    treeOf(
      Object.fromEntries(
        files.flatMap(({ filename, previous_filename = filename, status }) => {
          const path = side === 'old' ? previous_filename : filename;
          const isThere = status !== (side === 'old' ? 'added' : 'removed');
          const sha = same.includes(filename) ? 'same' : `${side} ${path}`;
          return isThere ? [[path, entry(sha)]] : [];
        }),
      ),
    );
  const selection = { files, selected, isFiltered: true, named: [] };
  return missingPatches(filesWithoutPatch(selection), at('old'), at('new'));
}
const namesOf = (missing: ReturnType<typeof missingOf>) => missing.map(({ file }) => file.filename);

test('the contents on both sides of a file are what its patch is made of', () => {
  const files = [
    uncounted('b.ts', { status: 'renamed', previous_filename: 'a.ts' }),
    uncounted('new.ts', { status: 'added' }),
  ];
  const [renamed, added] = files;
  expect(missingOf(files)).toEqual([
    { file: renamed, before: 'old a.ts', after: 'new b.ts' },
    { file: added, before: undefined, after: 'new new.ts' },
  ]);
});

test('changelogs come first, then source, then text, also a changelog that `paths` leaves out', () => {
  const files = ['docs/a.md', 'docs/b.md', 'src/a.ts', 'CHANGELOG.md'].map((name) =>
    uncounted(name),
  );
  const selected = files.filter(({ filename }) => !/b\.md|CHANGE/.test(filename));
  expect(namesOf(missingOf(files, { selected }))).toEqual([
    ...['CHANGELOG.md', 'src/a.ts', 'docs/a.md'],
  ]);
});

test('nothing is read for a file that has its patch, needs none, or has no lines', () => {
  const files = [
    uncounted('given.ts', { patch: '@@' }),
    uncounted('counted.ts', { isUncounted: false }),
    ...['pnpm-lock.yaml', 'logo.png', 'test/a.ts', 'internal/a.ts'].map((name) => uncounted(name)),
    uncounted('gone.ts', { status: 'removed' }),
  ];
  const selection = { files, selected: files, isFiltered: false, named: [] };
  expect(filesWithoutPatch(selection)).toEqual([]);
  expect(missingOf([uncounted('same.ts')], { same: ['same.ts'] })).toEqual([]);
});

test('no side has more than 128 kB, and none is a submodule', () => {
  const names = ['large.ts', 'largest.ts', 'grown.ts', 'module'];
  const before = [128_000, 128_001, 1, 1];
  const after = [128_000, 1, 128_001, 1];
  const treeWith = (side: string, sizes: readonly number[]) =>
    treeOf(
      Object.fromEntries(
        names.map((name, n) => [
          name,
          entry(`${side} ${name}`, sizes[n], name === 'module' ? 'commit' : 'blob'),
        ]),
      ),
    );
  const files = names.map((name) => uncounted(name));
  const missing = missingPatches(files, treeWith('old', before), treeWith('new', after));
  expect(namesOf(missing)).toEqual(['large.ts']);
});

test('200 patches are made', () => {
  const names = Array.from({ length: 250 }, (_, n) => `src/${n}.ts`);
  expect(namesOf(missingOf(names.map((name) => uncounted(name))))).toEqual(names.slice(0, 200));
});
