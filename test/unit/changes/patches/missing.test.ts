import { expect, test } from 'vitest';
import { filesWithoutPatch } from '../../../../src/changes/patches/missing.ts';
import type { ChangedFile } from '../../../../src/github/github.ts';

const uncounted = (filename: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  ...{ filename, status: 'modified', lines: 'not-given' },
  ...more,
});

const namesOf = (files: readonly ChangedFile[], selected = files) =>
  filesWithoutPatch({ files, selected, isFiltered: true, named: [] }).map(
    ({ filename }) => filename,
  );

test('changelogs come first, then source, then text, also a changelog that `paths` leaves out', () => {
  const files = ['docs/a.md', 'docs/b.md', 'src/a.ts', 'CHANGELOG.md'].map((name) =>
    uncounted(name),
  );
  const selected = files.filter(({ filename }) => !/b\.md|CHANGE/.test(filename));
  expect(namesOf(files, selected)).toEqual(['CHANGELOG.md', 'src/a.ts', 'docs/a.md']);
});

test('nothing is read for a file that has its patch, needs none, or has no lines', () => {
  const files = [
    uncounted('given.ts', { patch: '@@' }),
    uncounted('mode.ts', { lines: { additions: 0, deletions: 0 } }),
    uncounted('a.dat', { lines: 'binary' }),
    ...['pnpm-lock.yaml', 'logo.png', 'test/a.ts', 'internal/a.ts'].map((name) => uncounted(name)),
    uncounted('gone.ts', { status: 'removed' }),
  ];
  expect(namesOf(files)).toEqual([]);
});

test('200 patches are made', () => {
  const names = Array.from({ length: 250 }, (_, n) => `src/${n}.ts`);
  expect(namesOf(names.map((name) => uncounted(name)))).toEqual(names.slice(0, 200));
});

test('files that may only have moved come last', () => {
  const moved = { status: 'renamed', previous_filename: 'src/old.ts' };
  const files = [
    uncounted('src/a.ts', moved),
    uncounted('src/b.ts', { ...moved, lines: { additions: 1, deletions: 0 } }),
    uncounted('docs/c.md'),
  ];
  expect(namesOf(files)).toEqual(['src/b.ts', 'docs/c.md', 'src/a.ts']);
});
