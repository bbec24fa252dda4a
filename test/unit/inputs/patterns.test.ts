import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathFilter } from '../../../src/changes/find/path-filter.ts';
import { skipPattern } from '../../../src/changes/find/skipped-commits.ts';
import { paths, skip } from '../../../src/inputs/rules.ts';
import { dose } from '../../support/dose.ts';

const messageOf = (rule: typeof paths, text: string) =>
  rule.safeParse(text).error?.issues[0]?.message ?? '';
const problemOf = (text: string) => messageOf(paths, text);

/** The refused line, and the lines to write instead. */
function readAdvice(message: string) {
  const [, refused, advice = ''] = /^contains `([^`]*)`(.*)$/s.exec(message) ?? [];
  const [, lines = ''] = /[;:] write (`.*)$/s.exec(advice) ?? [];
  return { refused, write: Array.from(lines.matchAll(/`([^`]*)`/g), ([, one = '']) => one) };
}

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
    { promise: 'curly quotes', line: '“src/**”', write: ['src/**'] },
    { promise: 'a list of one without quotes', line: '[src/**]', write: ['src/**'] },
    { promise: 'a regular expression', line: '^src/', write: ['src/**'] },
    { promise: 'a regular expression between slashes', line: '/^src/', write: ['src/**'] },
    {
      promise: 'the address of a folder',
      line: 'https://github.com/acme/app/tree/main/src',
      write: ['src/**'],
    },
    {
      promise: 'the address of a file',
      line: 'https://github.com/acme/app/blob/main/src/a.ts',
      write: ['src/a.ts'],
    },
    { promise: 'several mistakes', line: '- "./src/", # the sources', write: ['src/**'] },
  ])('$promise', ({ line, write }) => {
    expect(readAdvice(problemOf(`docs/**\n${line}\nlib/**`))).toEqual({ refused: line, write });
    expect(paths.parse(`docs/**\n${write.join('\n')}`)).toEqual(['docs/**', ...write]);
  });

  test.each([
    { promise: 'a comment', line: '# the sources', says: 'comments are not read' },
    { promise: 'an exclude of nothing', line: '!', says: 'remove the line' },
    {
      promise: 'an address without a file',
      line: 'https://example.com/a',
      says: 'remove the line',
    },
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
    { line: '[a-z]', name: 'b' },
    { line: '\\^a', name: '^a' },
    { line: 'a^', name: 'a^' },
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

/** Nothing but `*` is special in `skip`, so each of these would fit no title. */
describe('a line of `skip` that can only be a mistake is refused, with the line to write', () => {
  test.each([
    { line: "'chore*'", write: ['chore*'] },
    { line: '"chore: *"', write: ['chore: *'] },
    { line: '- chore*', write: ['chore*'] },
    { line: "- 'chore*'", write: ['chore*'] },
    { line: '“chore: *”', write: ['chore: *'] },
    { line: '- @renovate', write: ['@renovate'] },
    { line: 'chore* # the chores', write: ['chore*'] },
    { line: "['chore*']", write: ['chore*'] },
    { line: "['chore*', 'docs*']", write: ['chore*', 'docs*'] },
    { line: '[chore*, docs*]', write: ['chore*', 'docs*'] },
    { line: '[release, wip]', write: ['release', 'wip'] },
    { line: "'chore*' 'docs*'", write: ['chore*', 'docs*'] },
    { line: "'feat(a, b): *', 'docs*',", write: ['feat(a, b): *', 'docs*'] },
    { line: 'chore*, docs*', write: ['chore*', 'docs*'] },
    { line: 'chore*,docs*,wip', write: ['chore*', 'docs*', 'wip'] },
    { line: '@renovate, @dependabot', write: ['@renovate', '@dependabot'] },
    { line: '@renovate, chore*', write: ['@renovate', 'chore*'] },
    { line: 'renovate[bot], @x, @y', write: ['@renovate[bot]', '@x', '@y'] },
    { line: '/^chore/', write: ['chore*'] },
    { line: '/^chore: .*$/i', write: ['chore: *'] },
    { line: '/deps/', write: ['*deps*'] },
    { line: '/^(chore|ci): /', write: ['chore: *', 'ci: *'] },
    { line: '/^chore|^ci/', write: ['chore*', 'ci*'] },
    { line: '/^build\\(deps\\)/', write: ['build(deps)*'] },
    { line: 'renovate[bot]', write: ['@renovate[bot]'] },
    { line: '*[bot]', write: ['@*[bot]'] },
  ])('$line', ({ line, write }) => {
    expect(readAdvice(messageOf(skip, `x\n${line}\ny`))).toEqual({ refused: line, write });
    expect(skip.parse(write.join('\n'))).toEqual(write);
  });

  test.each([
    { line: '# the chores', says: 'comments are not read' },
    { line: '*', says: 'it would leave out every change: remove the line' },
    { line: '@**', says: 'it would leave out every change: remove the line' },
    { line: "'*'", says: 'remove the line' },
    { line: '/^v\\d+/', says: 'write the title, with `*` for any text in it' },
    { line: 'x'.repeat(201), says: 'a line of more than 200 characters' },
  ])('$line', ({ line, says }) => {
    expect(messageOf(skip, `x\n${line}\ny`)).toContain(says);
  });
});

describe('a line of `skip` that is the beginning of a title, or all of it, stays a pattern', () => {
  test.each([
    ['release, v*', 'release, v1.2.0'],
    ['see #12*', 'See #123 for the reason'],
    ['[internal] *', '[internal] rename a thing'],
    ['[internal]', '[internal]'],
    ['[Snyk] * [done]', '[Snyk] Upgrade a, b [done]'],
    ['feat(api, *): *', 'feat(api, ui): add it'],
    ['"*" is now "*"', '"a" is now "b"'],
    ['Revert "*"', 'Revert "feat: x"'],
    ["it's *", "it's done"],
    ['-*', '-x'],
    ['#*', '#12: x'],
    ['src/*', 'src/a: x'],
    ['@acme/ui: *', '@acme/ui: x'],
    ['a\\b', 'a\\b'],
    ['!*', '!x'],
    ['{a,b}', '{a,b}'],
  ])('%s', (line, title) => {
    const { isAuthor, fits } = skipPattern(skip.parse(line)[0] ?? '');
    expect({ isAuthor, fits: fits(title) }).toEqual({ isAuthor: false, fits: true });
  });
});

/** Whatever is refused with a line to write, that line is accepted. */
test.each([
  ['paths', paths],
  ['skip', skip],
] as const)('each line that an error of `%s` advises is accepted', (_name, rule) => {
  const pieces = fc.constantFrom(
    ...['a', 'b*', '*', '**', '@', ', ', ',', "'", '"', '[', ']', '- ', ' # ', '/', './', '../'],
    ...['{a,b}', '@(a|b)', '(', ')', '|', '\\', '!', ' ', '^', '$', '.*', '[bot]'],
  );
  const lines = fc.array(pieces, { minLength: 1, maxLength: 10 }).map((all) => all.join(''));
  fc.assert(
    fc.property(lines, (line) => {
      fc.pre(!line.includes('`'));
      const { write } = readAdvice(messageOf(rule, `x\n${line}`));
      expect(messageOf(rule, ['x', ...write].join('\n'))).toBe('');
    }),
    { numRuns: dose(2_000, 50_000) },
  );
});
