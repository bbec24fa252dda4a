import { expect, test } from 'vitest';
import { fileLines, filesHeading } from '../../../src/changes/files.ts';
import { changesOf, fileOf } from './given.ts';

test.each([
  ['modified src/a.ts (+2 -1)', fileOf('src/a.ts', '@@\n+a\n+b\n-c')],
  [
    'renamed src/b.ts -> src/a.ts (+1 -0)',
    fileOf('src/a.ts', '+a', { status: 'renamed', previous: 'src/b.ts' }),
  ],
  ['modified data', fileOf('data', '', { isBinary: true })],
  ['modified a\\n- b\\u{202e} (+1 -0)', fileOf('a\n- b\u202e', '+a')],
])('lists: %s', (line, file) => {
  expect(fileLines([file], 1_000)).toEqual([`- ${line}`]);
});

const files = Array.from({ length: 310 }, (_, n) => fileOf(`${n}.ts`, '+a'));

test('lists 300 files that fit, and counts the others', () => {
  expect(fileLines(files.slice(0, 300), 90_000).at(-1)).toBe('- modified 299.ts (+1 -0)');
  expect(fileLines(files, 90_000).slice(299)).toEqual([
    ...['- modified 299.ts (+1 -0)', '- 10 more files'],
  ]);
  expect(fileLines(files, 60).slice(1)).toEqual(['- modified 1.ts (+1 -0)', '- 308 more files']);
});

test.each([
  ['1 changed file:', { all: 1, selected: 1, listed: 1 }],
  ['7 of 10 changed files, selected by paths:', { all: 10, selected: 7, listed: 7 }],
  // Git found that an added and a removed file are one.
  ['6 of 9 changed files, selected by paths:', { all: 10, selected: 7, listed: 6 }],
])('has the heading: %s', (heading, { all, selected, listed }) => {
  const changes = changesOf(files.slice(0, all), { selected: files.slice(0, selected) });
  expect(filesHeading(changes, files.slice(0, listed))).toBe(heading);
});
