import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathFilter } from '../../../src/changes/find/path-filter.ts';
import { paths } from '../../../src/inputs/rules.ts';
import { dose } from '../../support/dose.ts';

const problemOf = (text: string) => paths.safeParse(text).error?.issues[0]?.message ?? '';

test('each line is a pattern, without the white space around it', () => {
  const text = 'src/**\r\n\n  !src/test/** \r\tdocs/a b.md\n';
  expect(paths.parse(text)).toEqual(['src/**', '!src/test/**', 'docs/a b.md']);
});

/** GitHub's documentation says what a pattern may hold; each of these would select nothing. */
describe('a line that can only be a mistake is refused, and the error says what to write', () => {
  test.each([
    { promise: 'single quotes', line: "'src/**'", write: ['src/**'] },
    { promise: 'double quotes', line: '"src/**"', write: ['src/**'] },
    { promise: 'an exclude of spaces and quotes', line: "!  'src/**'", write: ['!src/**'] },
    { promise: 'an exclude in quotes', line: "!'src/**'", write: ['!src/**'] },
    { promise: 'quotes around an exclude', line: '"!src/**"', write: ['!src/**'] },
    { promise: 'a list item', line: '- src/**', write: ['src/**'] },
    { promise: 'a list item in quotes', line: "- 'src/**'", write: ['src/**'] },
    { promise: 'a comment after a pattern', line: 'src/** # the sources', write: ['src/**'] },
    { promise: 'a continued line', line: 'src/** \\', write: ['src/**'] },
    { promise: 'a backslash before a letter', line: 'src\\lib\\**', write: ['src/lib/**'] },
    { promise: 'a list on one line', line: 'a/**, b/**', write: ['a/**', 'b/**'] },
    { promise: 'a list in YAML', line: "['a/**', '!b']", write: ['a/**', '!b'] },
    { promise: 'a list without spaces', line: '["a","b"]', write: ['a', 'b'] },
    { promise: 'a list of one', line: "['a']", write: ['a'] },
    {
      promise: 'a list of six',
      line: '*.{a,b,c,d,e,f}',
      write: [...'abcdef'].map((x) => `*.${x}`),
    },
    { promise: 'a list in quotes without commas', line: "'a' 'b'", write: ['a', 'b'] },
    { promise: 'a comment of another language', line: 'src/** // x', write: ['src/**'] },
    { promise: 'a list with spaces', line: '["a/**" , "b"]', write: ['a/**', 'b'] },
    { promise: 'a comma at the end', line: "'a/**',", write: ['a/**'] },
    { promise: 'braces', line: 'src/*.{js, ts}', write: ['src/*.js', 'src/*.ts'] },
    { promise: 'an exclude with braces', line: '!*.{js,ts}', write: ['!*.js', '!*.ts'] },
    { promise: 'a group of a shell', line: '@(a|b)/**', write: ['a/**', 'b/**'] },
    { promise: 'an exclude with a space', line: '! src/**', write: ['!src/**'] },
    { promise: 'a slash at the start', line: '/src/**', write: ['src/**'] },
    { promise: 'an exclude with a slash at the start', line: '!/src/**', write: ['!src/**'] },
    { promise: 'a slash at the end', line: 'src/', write: ['src/**'] },
    { promise: 'a slash at both ends', line: '/src/', write: ['src/**'] },
    { promise: 'a slash alone', line: '/', write: ['**'] },
    { promise: 'a dot', line: '.', write: ['**'] },
    { promise: 'a dot and a slash', line: './', write: ['**'] },
    { promise: 'a dot and a slash at the start', line: './src/**', write: ['src/**'] },
    { promise: 'several mistakes', line: '- "./src/", # the sources', write: ['src/**'] },
  ])('$promise', ({ line, write }) => {
    const message = problemOf(`docs/**\n${line}\nlib/**`);
    const [, refused, advice = ''] = /^contains `([^`]*)`; (.*)$/.exec(message) ?? [];
    expect(refused).toBe(line);
    const lines = advice.slice(advice.lastIndexOf('write `'));
    expect(Array.from(lines.matchAll(/`([^`]*)`/g), ([, one]) => one)).toEqual(write);
    expect(paths.parse(`docs/**\n${write.join('\n')}`)).toEqual(['docs/**', ...write]);
  });

  test.each([
    { promise: 'a comment', line: '# the sources', says: 'comments are not read' },
    { promise: 'an exclude of nothing', line: '!', says: 'remove the line' },
    { promise: 'a long line', line: 'x'.repeat(1_001), says: 'more than 1,000 characters' },
  ])('$promise', ({ line, says }) => {
    const said = problemOf(`docs/**\n${line}\nlib/**`);
    expect(said).toContain(says);
    expect(said.length).toBeLessThan(250);
  });

  test('a list of over 20 is not told as if it ended there', () => {
    const said = problemOf(`*.{${Array.from({ length: 30 }, (_, n) => n)}}`);
    expect(said).toMatch(/`\*\.19`, and so on, each on a line of its own$/);
  });

  test('all of them at once', () => {
    const said = problemOf("- 'a'\nb\nc/");
    expect(said).toBe("contains `- 'a'`; write `a`; it contains `c/`; write `c/**`");
  });

  test('20 of them, and the number of the others', () => {
    const lines = Array.from({ length: 21 }, (_, n) => `/${n}`);
    const said = problemOf(lines.join('\n'));
    expect(said).toContain('contains `/19`');
    expect(said.endsWith('; it contains 1 more line with a mistake')).toBe(true);
    expect(problemOf(lines.slice(1).join('\n'))).not.toContain('more');
  });

  test('a list of only excludes', () => {
    expect(problemOf('!docs/**\n!lib/**')).toContain('only excludes');
  });
});

/** Any name can be written with `\`, and then no name is taken for a mistake. */
test('a pattern of any characters is accepted when each that is no letter is escaped', () => {
  const pieces = fc.constantFrom(...'ab1', ...'\'"`{},@()|#-! .[]*?+\\');
  const names = fc.array(pieces, { minLength: 1, maxLength: 12 }).map((all) => all.join(''));
  fc.assert(
    fc.property(names, (name) => {
      const pattern = name.replace(/[^a-z0-9]/g, '\\$&');
      // White space around a pattern is removed, so a name that ends in a space needs `?` or `*`.
      fc.pre(!name.endsWith(' '));
      expect(pathFilter(paths.parse(pattern))(name)).toBe(true);
    }),
    { numRuns: dose(50, 1_000) },
  );
});

describe('a line that looks like a mistake but has a meaning is accepted', () => {
  test.each([
    { line: '-src/**', name: '-src/a' },
    { line: '#src/**', name: '#src/a' },
    { line: '\\# a', name: '# a' },
    { line: '\\- a', name: '- a' },
    { line: '\\!a', name: '!a' },
    { line: 'x \\# a', name: 'x # a' },
    { line: 'a #b', name: 'a #b' },
    { line: 'C# a', name: 'C# a' },
    { line: '\\{a,b}', name: '{a,b}' },
    { line: '{a}', name: '{a}' },
    { line: 'a\\, b', name: 'a, b' },
    { line: '@\\(a)', name: '@(a)' },
    { line: '(a)/b', name: '(a)/b' },
    { line: 'a,b', name: 'a,b' },
    { line: '[a,b]', name: ',' },
    { line: '.github/a', name: '.github/a' },
    { line: 'a\\\\', name: 'a\\' },
    { line: '"a', name: '"a' },
    { line: "it's", name: "it's" },
    { line: "'a'b", name: "'a'b" },
    { line: 'x'.repeat(1_000), name: 'x'.repeat(1_000) },
  ])('$line', ({ line, name }) => {
    expect(pathFilter(paths.parse(line))(name)).toBe(true);
  });
});
