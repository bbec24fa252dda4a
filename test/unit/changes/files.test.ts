import { expect, test } from 'vitest';
import { describeFile, filesHeading, patchesNotGiven } from '../../../src/changes/files.ts';
import type { ChangedFile } from '../../../src/github/github.ts';

const file = (more: Partial<ChangedFile> = {}): ChangedFile => ({
  filename: 'src/a.ts',
  previous_filename: undefined,
  status: 'modified',
  additions: 0,
  deletions: 0,
  patch: undefined,
  ...more,
});

test.each([
  { given: file({ additions: 3, deletions: 1, patch: '@@' }), line: '- modified src/a.ts (+3 -1)' },
  { given: file({ deletions: 1, status: 'removed' }), line: '- removed src/a.ts (+0 -1)' },
  {
    given: file({ status: 'renamed', previous_filename: 'src/b.ts' }),
    line: '- renamed src/b.ts -> src/a.ts (only renamed)',
  },
  {
    given: file({ status: 'renamed', previous_filename: 'src/b.ts', additions: 1 }),
    line: '- renamed src/b.ts -> src/a.ts (+1 -0)',
  },
  {
    given: file({ status: 'copied', previous_filename: 'src/b.ts' }),
    line: '- copied src/b.ts -> src/a.ts (only copied)',
  },
  { given: file({ status: 'added' }), line: '- added src/a.ts (no lines: binary or empty)' },
  { given: file({ status: 'removed' }), line: '- removed src/a.ts (no lines: binary or empty)' },
  {
    given: file(),
    line: '- modified src/a.ts (no changed line: binary, or only its mode changed)',
  },
  {
    given: file({ filename: 'a\n- added evil\u202e' }),
    line: '- modified a\\n- added evil\\u{202e} (no changed line: binary, or only its mode changed)',
  },
])('a file is described as `$line`', ({ given, line }) => {
  expect(describeFile(given)).toBe(line);
});

test('a file of which GitHub tells only the name is not said to be without changed lines', () => {
  expect(describeFile(file({ isFromTree: true }))).toBe('- modified src/a.ts (lines not counted)');
});

test('a patch that GitHub does not give although lines changed is too large', () => {
  expect(patchesNotGiven([file(), file({ additions: 1, patch: '@@' })])).toEqual([]);
  expect(patchesNotGiven([file({ additions: 1 }), file()])).toEqual([
    '1 patch too large for GitHub to show: src/a.ts',
  ]);
  const many = Array.from({ length: 12 }, (_, n) => file({ filename: `${n}`, deletions: 1 }));
  expect(patchesNotGiven(many)).toEqual([
    '12 patches too large for GitHub to show: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …',
  ]);
});

test.each([
  { listed: 10, selected: 10, total: 10, isFiltered: false, heading: 'files (10 of 10):' },
  { listed: 8, selected: 10, total: 10, isFiltered: false, heading: 'files (8 of 10):' },
  {
    ...{ listed: 7, selected: 7, total: 10, isFiltered: true },
    heading: 'files (7 of 10 changed files, selected by `paths`; commits are not filtered):',
  },
  {
    ...{ listed: 5, selected: 7, total: 10, isFiltered: true },
    heading:
      'files (5 listed here; 7 of 10 changed files, selected by `paths`; commits are not filtered):',
  },
])('$heading', ({ heading, listed, selected, total, isFiltered }) => {
  const files = Array.from({ length: total }, () => file());
  const changes = { files, selected: files.slice(0, selected), isFiltered };
  expect(filesHeading(changes, listed)).toBe(heading);
});

test('files past the first 300 are said to have no patch, because GitHub gives none', () => {
  expect(patchesNotGiven([file({ filename: 'z.ts', isFromTree: true }), file()])).toEqual([
    '1 patch of files past the first 300, which GitHub lists without patches: z.ts',
  ]);
});
