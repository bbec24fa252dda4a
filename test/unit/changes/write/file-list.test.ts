import { expect, test } from 'vitest';
import { finishLine } from '../../../../src/changes/patches/lines.ts';
import { fileLine, fileLines, filesHeading } from '../../../../src/changes/write/file-list.ts';
import type { ChangedFile } from '../../../../src/github/github.ts';

const counted = (additions: number, deletions = 0) => ({ lines: { additions, deletions } });
const file = (more: Partial<ChangedFile> = {}): ChangedFile => {
  return { filename: 'src/a.ts', status: 'modified', ...counted(0), ...more };
};

const renamed = { status: 'renamed', previous_filename: 'src/b.ts' };
const notGiven = { lines: 'not-given' } as const;
test.each<[given: Partial<ChangedFile>, line: string]>([
  [{ ...counted(3, 1), patch: '@@' }, 'modified src/a.ts (+3 -1)'],
  [{ filename: 'go.sum', ...counted(3) }, 'modified go.sum (+3 -0, lock file)'],
  [{ filename: 'go.sum', ...notGiven }, 'modified go.sum (line counts not given, lock file)'],
  [{ filename: 'a.snap', ...counted(1) }, 'modified a.snap (+1 -0, snapshot)'],
  [{ filename: 'a.svg', ...counted(1) }, 'modified a.svg (+1 -0, image or binary file)'],
  [
    { filename: 'dist/a.js', ...counted(1) },
    'modified dist/a.js (+1 -0, generated or vendored file)',
  ],
  [{ ...counted(0, 1), status: 'removed' }, 'removed src/a.ts (+0 -1)'],
  [renamed, 'renamed src/b.ts -> src/a.ts (only renamed)'],
  [{ ...renamed, ...counted(1) }, 'renamed src/b.ts -> src/a.ts (+1 -0)'],
  [{ ...renamed, ...notGiven }, 'renamed src/b.ts -> src/a.ts (line counts not given)'],
  [{ ...renamed, status: 'copied' }, 'copied src/b.ts -> src/a.ts (only copied)'],
  [{ status: 'added' }, 'added src/a.ts (empty)'],
  [{ status: 'removed' }, 'removed src/a.ts (empty)'],
  [{}, 'modified src/a.ts (only its mode changed)'],
  [notGiven, 'modified src/a.ts (line counts not given)'],
  [{ filename: 'docs/a.png', ...notGiven }, 'modified docs/a.png (binary)'],
  [{ filename: 'docs/a.dat', lines: 'binary' }, 'modified docs/a.dat (binary)'],
  [{ filename: 'a\n- b\u202e', ...counted(1) }, 'modified a\\n- b\\u{202e} (+1 -0)'],
])('a file with %o is listed as: %s', (given, line) => {
  expect(finishLine(fileLine(file(given)), (text) => text)).toBe(`- ${line}`);
});

test('each file has a line, and the last ones are left out where there is no room', () => {
  const selected = ['a.ts', 'b.ts', 'dist/c.js'].map((filename) =>
    file({ filename, ...counted(1) }),
  );
  const given = { files: selected, selected, isFiltered: true, named: ['dist/c.js'] };
  const lines = [
    '- modified a.ts (+1 -0)',
    '- modified b.ts (+1 -0)',
    '- modified dist/c.js (+1 -0)',
  ];
  expect(fileLines(given, 1_000)).toEqual(lines);
  expect(fileLines(given, 60)).toEqual(lines.slice(0, 2));
  expect(fileLines(given, -9)).toEqual([]);
});

const filtered = 'changed files, selected by `paths`';
test.each([
  ['files (10 of 10):', { listed: 10, selected: 10, isFiltered: false }],
  ['files (8 of 10):', { listed: 8, selected: 10, isFiltered: false }],
  [`files (7 of 10 ${filtered}):`, { listed: 7, selected: 7, isFiltered: true }],
  [`files (5 listed here; 7 of 10 ${filtered}):`, { listed: 5, selected: 7, isFiltered: true }],
])('%s', (heading, { listed, selected, isFiltered }) => {
  const files = Array.from({ length: 10 }, () => file());
  const changes = { files, selected: files.slice(0, selected), isFiltered, named: [] };
  expect(filesHeading(changes, listed)).toBe(heading);
});
