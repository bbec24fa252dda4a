import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathFilter } from '../../../src/changes/path-filter.ts';
import { dose } from '../../support/dose.ts';

interface Row {
  readonly promise: string;
  readonly patterns: readonly string[];
  readonly yes: readonly string[];
  readonly no: readonly string[];
}

function check({ patterns, yes, no }: Omit<Row, 'promise'>): void {
  const isSelected = pathFilter(patterns);
  expect(yes.filter((path) => !isSelected(path))).toEqual([]);
  expect(no.filter(isSelected)).toEqual([]);
}

const row = (pattern: string, yes: readonly string[], no: readonly string[] = []): Row => ({
  promise: pattern,
  patterns: pattern.split('\n'),
  yes,
  no,
});

/**
 * Each line of the documentation, and paths that do not match by its description:
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#patterns-to-match-file-paths
 */
describe("GitHub's documentation for paths", () => {
  test.each([
    row('*', ['README.md', 'server.rb'], ['docs/README.md']),
    row('*.jsx?', ['page.js', 'page.jsx'], ['page.jsxx', 'page.j', 'a/page.js']),
    row('**', ['all/the/files.md', 'one.md', '.github/x.yml', '']),
    row('*.js', ['app.js', 'index.js'], ['src/app.js', 'app.jsx']),
    row('**.js', ['index.js', 'js/index.js', 'src/js/app.js'], ['index.jsx']),
    row('docs/*', ['docs/README.md', 'docs/file.txt'], ['docs/a/b.md', 'README.md', 'x/docs/a']),
    row('docs/**', ['docs/README.md', 'docs/mona/octocat.txt'], ['docs', 'other/docs/x']),
    row(
      'docs/**/*.md',
      ['docs/README.md', 'docs/mona/hello-world.md', 'docs/a/markdown/file.md'],
      ['docs/a.txt', 'README.md'],
    ),
    row(
      '**/docs/**',
      ['docs/hello.md', 'dir/docs/my-file.txt', 'space/docs/plan/space.doc'],
      ['mydocs/x', 'docs'],
    ),
    row('**/README.md', ['README.md', 'js/README.md'], ['README.mdx', 'MYREADME.md']),
    row('**/*src/**', ['a/src/app.js', 'my-src/code/js/app.js'], ['srcs/app.js']),
    row('**/*-post.md', ['my-post.md', 'path/their-post.md'], ['my-post.mdx']),
    row(
      '**/migrate-*.sql',
      ['migrate-10909.sql', 'db/migrate-v1.0.sql', 'db/sept/migrate-v1.sql'],
      ['migrate-1.txt', 'migrate-1/x.sql'],
    ),
    row('*.md\n!README.md', ['hello.md'], ['README.md', 'docs/hello.md']),
    row('*.md\n!README.md\nREADME*', ['hello.md', 'README.md', 'README.doc'], ['x.doc']),
  ])('$promise', check);
});

/** https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet */
describe("GitHub's documentation for the special characters, branches and tags", () => {
  test.each([
    row('Octo*', ['Octocat', 'Octo'], ['Octo/cat', 'octocat']),
    row('[CB]at', ['Cat', 'Bat'], ['Rat', 'cat', 'at', 'CBat']),
    row('[1-2]00', ['100', '200'], ['300', '000', '1-200']),
    row('[0-9a-z]', ['0', '9', 'a', 'z'], ['A', '-', '@', '']),
    row('feature/*', ['feature/my-branch', 'feature/your-branch'], ['feature/a/b']),
    row('feature/**', ['feature/beta-a/my-branch', 'feature/mona/the/octocat'], ['feature']),
    row('main\nreleases/mona-the-octocat', ['main', 'releases/mona-the-octocat'], ['releases']),
    row('*feature', ['mona-feature', 'feature', 'ver-10-feature'], ['my/feature']),
    row('v2*', ['v2', 'v2.0', 'v2.9'], ['v1', 'v2/a']),
    row('v[12].[0-9]+.[0-9]+', ['v1.10.1', 'v2.0.0'], ['v3.0.0', 'v1.x.0', 'v1.10.']),
  ])('$promise', check);
});

/**
 * Cases from the tests of other implementations: `pkg/workflowpattern` of nektos/act, and
 * `tests/globs.rs` of anttiharju/glob-workflow-paths.
 */
describe('the tests of other implementations', () => {
  test.each([
    row('*', [], ['path/with/slash']),
    row('path/a\npath/b\npath/c', ['path/a', 'path/b', 'path/c'], ['meta', 'path/d', 'otherfile']),
    row('\\!file', ['!file'], ['file', '\\!file']),
    row('escape\\\\backslash', ['escape\\backslash'], ['escape\\\\backslash', 'escapebackslash']),
    row('.yml', ['.yml'], ['fyml', 'x.yml']),
    row('file?.txt', ['fil.txt', 'file.txt'], ['filee.txt']),
    row('*.jsx+', ['component.jsx', 'component.jsxx', 'component.jsxxx'], ['component.js']),
    row('file+.txt', ['file.txt', 'filee.txt', 'fileee.txt'], ['fil.txt']),
    row('+file.txt', ['+file.txt'], ['file.txt']),
    row('[0-9a-zA-Z]', ['5', 'a', 'z', 'A', 'Z'], ['@', '-']),
    row('[AB][ab][12]', ['Aa1', 'Ab2', 'Ba1', 'Bb2'], ['AA1', 'Aa3', 'Ca1']),
    row('test[a].txt', ['testa.txt'], ['test[a].txt']),
    row('[A-z]', ['A', 'Z', 'a', 'z'], ['[', '_', '5']),
    row('*.md\n!README.md\n!GUIDE.md', ['x.md'], ['README.md', 'GUIDE.md']),
  ])('$promise', check);
});

describe('the rest of the rules', () => {
  test.each<Row>([
    {
      promise: '`**` matches slashes in the middle of a name',
      patterns: ['a**z'],
      yes: ['az', 'a/b/z'],
      no: ['ba/z'],
    },
    {
      promise: '`**/` in the middle of a name needs its slash',
      patterns: ['a**/b'],
      yes: ['a/b', 'ax/y/b'],
      no: ['ab'],
    },
    {
      promise: '`**/` after a folder matches nothing as well',
      patterns: ['a/**/b'],
      yes: ['a/b', 'a/x/y/b'],
      no: ['ab', 'a/xb'],
    },
    {
      promise: '`**/` may follow itself',
      patterns: ['**/**/a'],
      yes: ['a', 'x/a', 'x/y/z/a'],
      no: ['xa'],
    },
    {
      promise: '`**/` at the start does not end in the middle of a name',
      patterns: ['**/a'],
      yes: ['a', 'b/a'],
      no: ['ba', 'c/ba'],
    },
    {
      promise: 'more than two stars are read as two',
      patterns: ['a***b', 'c****d'],
      yes: ['ab', 'a/b', 'cd', 'c/x/d'],
      no: ['a'],
    },
    {
      promise: '`?` makes a class optional',
      patterns: ['a[bc]?d'],
      yes: ['ad', 'abd', 'acd'],
      no: ['abcd'],
    },
    {
      promise: '`+` repeats an escaped character',
      patterns: ['a\\*+b'],
      yes: ['a*b', 'a**b'],
      no: ['ab', 'axb'],
    },
    { promise: '`?` makes a slash optional', patterns: ['a/?b'], yes: ['ab', 'a/b'], no: ['a//b'] },
    {
      promise: '`?` and `+` with nothing to repeat mean themselves',
      patterns: ['?a', '*?', '**+x'],
      yes: ['?a', 'b?', 'a/+x'],
      no: ['a', 'b', 'a/x'],
    },
    {
      promise: 'a hundred optional characters are matched',
      patterns: [`${'a?'.repeat(100)}b`],
      yes: ['b', `${'a'.repeat(50)}b`, `${'a'.repeat(100)}b`],
      no: [`${'a'.repeat(101)}b`, 'a'],
    },
    {
      promise: 'a second `?` or `+` means itself',
      patterns: ['c++', 'd?+'],
      yes: ['c+', 'cc+', 'd+', '+'],
      no: ['c++', 'c', 'd'],
    },
    {
      promise: '`!` has no meaning but at the start',
      patterns: ['a!b', '[!a]'],
      yes: ['a!b', '!', 'a'],
      no: ['b'],
    },
    { promise: '`^` negates no class', patterns: ['[^a]'], yes: ['^', 'a'], no: ['b'] },
    {
      promise: 'braces, parentheses and bars mean themselves',
      patterns: ['a{b,c}', 'a(b|c)', '@(a)/b'],
      yes: ['a{b,c}', 'a(b|c)', '@(a)/b'],
      no: ['ab', 'ac', 'a/b'],
    },
    {
      promise: 'a dot, a dollar, a hash and a blank mean themselves',
      patterns: ['#a $b^.c'],
      yes: ['#a $b^.c'],
      no: ['#a $b^xc'],
    },
    {
      promise: 'a bracket that is not closed, or is empty, means itself',
      patterns: ['a[b', 'c[]d', 'e]f'],
      yes: ['a[b', 'c[]d', 'e]f'],
      no: ['ab', 'cd', 'ef'],
    },
    {
      promise: 'a range that is reversed, or has another end, means its characters',
      patterns: ['[z-a]', '[+-9]x'],
      yes: ['z', '-', 'a', '+x', '9x'],
      no: ['b', '5x'],
    },
    {
      promise: 'a range of one character is that character',
      patterns: ['[a-a]'],
      yes: ['a'],
      no: ['-', 'b'],
    },
    {
      promise: 'three characters in a class are no range',
      patterns: ['[adz]'],
      yes: ['a', 'd', 'z'],
      no: ['b', 'm'],
    },
    {
      promise: 'an escape in a class is the character after it',
      patterns: ['[\\]\\-]x'],
      yes: [']x', '-x'],
      no: ['\\x', 'x'],
    },
    {
      promise: 'names that begin with a dot are like other names',
      patterns: ['*.yml', '.github/**'],
      yes: ['.x.yml', '.github/a/b'],
      no: ['github/x'],
    },
    {
      promise: 'line breaks in names are like other characters',
      patterns: ['a*b', 'x**y'],
      yes: ['a\nb', 'a\r\nb', 'a\u2028b', 'x\n/\ny'],
      no: ['a/\nb'],
    },
    {
      promise: 'a character outside the basic plane is one character',
      patterns: ['a😀?b', '[😀x]', '𝒳+'],
      yes: ['ab', 'a😀b', '😀', 'x', '𝒳𝒳'],
      no: ['a\ud83db', '\ude00', ''],
    },
    {
      promise: 'letters of another case or accent do not match',
      patterns: ['für/A'],
      yes: ['für/A'],
      no: ['fur/A', 'für/a', 'fu\u0308r/A'],
    },
    { promise: 'an empty list of patterns selects nothing', patterns: [], yes: [], no: ['a', ''] },
  ])('$promise', check);
});

/** The same rules, written to be easy to read and not to be fast. */
function slowly(pattern: readonly string[], path: readonly string[], startsFolder = true): boolean {
  const [first, second, third] = pattern;
  if (first === undefined) return path.length === 0;
  const ends = Array.from({ length: path.length + 1 }, (_, index) => index);
  if (first === '*' && second === '*' && third === '/' && startsFolder) {
    const rest = pattern.slice(3);
    const afterSlash = ends.filter((end) => path[end - 1] === '/');
    return [0, ...afterSlash].some((end) => slowly(rest, path.slice(end), true));
  }
  if (first === '*' && second === '*') {
    return ends.some((end) => slowly(pattern.slice(2), path.slice(end), false));
  }
  if (first === '*') {
    return ends
      .filter((end) => !path.slice(0, end).includes('/'))
      .some((end) => slowly(pattern.slice(1), path.slice(end), false));
  }
  const { allowed, length } = slowCharacters(pattern.join(''));
  const repeat = pattern[length];
  const isNext = path[0] !== undefined && allowed.includes(path[0]);
  if (repeat === '?') {
    const rest = pattern.slice(length + 1);
    return slowly(rest, path, false) || (isNext && slowly(rest, path.slice(1), false));
  }
  if (repeat === '+') {
    const rest = pattern.slice(length + 1);
    return isNext && (slowly(rest, path.slice(1), false) || slowly(pattern, path.slice(1), false));
  }
  const isSlash = allowed.every((character) => character === '/');
  return isNext && slowly(pattern.slice(length), path.slice(1), isSlash);
}

function slowCharacters(pattern: string) {
  const escaped = /^\\(.)/su.exec(pattern)?.[1];
  if (escaped !== undefined) return { allowed: [escaped], length: 2 };
  const content = /^\[((?:\\.|[^\]\\])+)\]/su.exec(pattern)?.[1];
  if (content === undefined) return { allowed: [...pattern].slice(0, 1), length: 1 };
  const allowed: string[] = [];
  for (let rest = content; rest !== ''; ) {
    const [all, escaped, from, to] = /^\\(.)|^([0-9A-Za-z])-([0-9A-Za-z])|^./su.exec(rest) ?? [''];
    if (from !== undefined && to !== undefined && from <= to) {
      const codes = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
      allowed.push(...codes.filter((c) => from <= c && c <= to && /[0-9A-Za-z]/.test(c)));
      rest = rest.slice(3);
    } else {
      const one = escaped ?? [...rest][0] ?? '';
      allowed.push(one);
      rest = rest.slice(escaped === undefined ? one.length : all.length);
    }
  }
  return { allowed, length: [...content].length + 2 };
}

describe('random patterns and paths', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    '/',
    '😀',
    '-',
    '\n',
    ...'**',
    '**/',
    '?',
    '+',
    '\\',
    '[',
    ']',
    '[ab]',
    '[a-c]',
    '!',
  );
  const pattern = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''));
  const path = fc
    .array(
      fc.constantFrom('a', 'b', 'c', '/', '/', '😀', '-', '\n', '*', '?', '+', '\\', '[', ']', '!'),
      { maxLength: 9 },
    )
    .map((pieces) => pieces.join(''));

  test('are matched like a slow and simple matcher does, at any place in a long pattern', () => {
    fc.assert(
      fc.property(pattern, path, fc.nat(40), (glob, name, depth) => {
        fc.pre(!/^[!?+]/.test(glob));
        const folders = 'k/'.repeat(depth);
        const isSelected = pathFilter([`${folders}${glob}`])(`${folders}${name}`);
        expect(isSelected).toBe(slowly([...glob], [...name]));
      }),
      { numRuns: dose(500, 6_000) },
    );
  });

  test('are decided by the last pattern that matches', () => {
    const list = fc.array(fc.tuple(fc.boolean(), pattern), { maxLength: 5 });
    fc.assert(
      fc.property(list, path, (patterns, name) => {
        const globs = patterns.filter(([, glob]) => glob !== '' && !glob.startsWith('!'));
        const decisions = globs
          .filter(([, glob]) => slowly([...glob], [...name]))
          .map(([isExclude]) => !isExclude);
        const given = globs.map(([isExclude, glob]) => (isExclude ? `!${glob}` : glob));
        expect(pathFilter(given)(name)).toBe(decisions.at(-1) ?? false);
      }),
      { numRuns: dose(200, 2_000) },
    );
  });
});

/** A matcher with backtracking would run for years on each of these. */
describe('a pattern and a name that are made to take long are matched in linear time', () => {
  test.each([
    { promise: 'hyphens', glob: '_posts/*-*-*-*.md', name: `_posts/${'-'.repeat(4_000)}` },
    { promise: 'backslashes', glob: '\\\\\\\\'.repeat(100), name: '\\'.repeat(4_000) },
    { promise: 'stars', glob: `${'*a'.repeat(450)}b`, name: 'a'.repeat(4_000) },
    { promise: 'double stars', glob: `${'**/'.repeat(300)}b`, name: 'a/'.repeat(2_000) },
    { promise: 'optional characters', glob: `${'a?'.repeat(499)}b`, name: 'a'.repeat(4_000) },
    { promise: 'repeated characters', glob: `${'a+'.repeat(499)}b`, name: 'a'.repeat(4_000) },
    { promise: 'classes', glob: `${'[a-z]+'.repeat(160)}1`, name: 'q'.repeat(4_000) },
  ])('$promise', ({ glob, name }) => {
    expect(Array.from({ length: 10 }, () => pathFilter([glob])(name))).not.toContain(true);
  });
});
