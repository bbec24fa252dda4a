import { describe, expect, test } from 'vitest';
import { pathFilter } from '../../../src/changes/path-filter.ts';
import { paths } from '../../../src/inputs/rules.ts';

test('each line is a pattern, without the white space around it', () => {
  const text = 'src/**\r\n\n  !src/test/** \r\tdocs/a b.md\n';
  expect(paths.parse(text)).toEqual(['src/**', '!src/test/**', 'docs/a b.md']);
});

describe('a line that is a common mistake is refused, and the error says what to write', () => {
  test.each([
    { promise: 'single quotes', line: "'src/**'", says: 'without the quotes' },
    { promise: 'double quotes', line: '"src/**"', says: 'without the quotes' },
    { promise: 'an exclude of spaces and quotes', line: "!  'src/**'", says: 'without the quotes' },
    { promise: 'an exclude in quotes', line: "!'src/**'", says: 'without the quotes' },
    { promise: 'quotes around an exclude', line: '"!src/**"', says: 'without the quotes' },
    { promise: 'a list item', line: '- src/**', says: 'without `- ` before it' },
    { promise: 'a list item in quotes', line: "- 'src/**'", says: 'without `- ` before it' },
    { promise: 'a comment', line: '# the sources', says: 'comments are not read' },
    { promise: 'a continued line', line: 'src/** \\', says: 'lines cannot be continued' },
    { promise: 'a slash at the start', line: '/src/**', says: 'without a slash' },
    { promise: 'an exclude with a slash at the start', line: '!/src/**', says: 'without a slash' },
    {
      promise: 'a dot and a slash at the start',
      line: './src/**',
      says: 'without a slash or `./`',
    },
    { promise: 'an exclude of nothing', line: '!', says: 'write a pattern' },
    {
      promise: 'a line of more than 1,000 characters',
      line: `${'x'.repeat(1_001)}`,
      says: 'more than 1,000 characters',
    },
  ])('$promise', ({ line, says }) => {
    const { error } = paths.safeParse(`docs/**\n${line}\nlib/**`);
    expect(error?.issues[0]?.message).toContain(says);
    expect(error?.issues[0]?.message.length).toBeLessThan(250);
    expect(error?.issues[0]?.message).toContain(line.slice(0, 20).replaceAll('`', "'"));
  });

  test('a list of only excludes', () => {
    expect(paths.safeParse('!docs/**\n!lib/**').error?.issues[0]?.message).toContain(
      'only excludes',
    );
  });
});

describe('a line that looks like a mistake but has a meaning is accepted', () => {
  test.each([
    { line: '-src/**', name: '-src/a' },
    { line: '#src/**', name: '#src/a' },
    { line: '\\# a', name: '# a' },
    { line: '\\- a', name: '- a' },
    { line: '\\!a', name: '!a' },
    { line: '"a', name: '"a' },
    { line: "it's", name: "it's" },
    { line: "'a'b", name: "'a'b" },
    { line: 'x'.repeat(1_000), name: 'x'.repeat(1_000) },
  ])('$line', ({ line, name }) => {
    expect(pathFilter(paths.parse(line))(name)).toBe(true);
  });
});
