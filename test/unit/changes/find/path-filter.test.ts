import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathFilter } from '../../../../src/changes/find/path-filter.ts';
import { dose } from '../../../support/dose.ts';

/** Patterns, the paths that they select, and paths that they do not. */
type Row = readonly [
  patterns: string | readonly string[],
  yes: readonly string[],
  no: readonly string[],
];

function check(...[patterns, yes, no]: Row): void {
  const isSelected = pathFilter(typeof patterns === 'string' ? [patterns] : patterns);
  expect(yes.filter((path) => !isSelected(path))).toEqual([]);
  expect(no.filter(isSelected)).toEqual([]);
}

/**
 * Each line of the documentation, and paths that do not match by its description:
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#patterns-to-match-file-paths
 */
describe("GitHub's documentation for paths", () => {
  test.each<Row>([
    ['*', ['README.md', 'server.rb'], ['docs/README.md']],
    ['*.jsx?', ['page.js', 'page.jsx'], ['page.jsxx', 'page.j', 'a/page.js']],
    ['**', ['all/the/files.md', 'one.md', '.github/x.yml', ''], []],
    ['*.js', ['app.js', 'index.js'], ['src/app.js', 'app.jsx']],
    ['**.js', ['index.js', 'js/index.js', 'src/js/app.js'], ['index.jsx']],
    ['docs/*', ['docs/README.md', 'docs/file.txt'], ['docs/a/b.md', 'README.md', 'x/docs/a']],
    ['docs/**', ['docs/README.md', 'docs/mona/octocat.txt'], ['docs', 'other/docs/x']],
    ['docs/**/*.md', ['docs/README.md', 'docs/mona/hello-world.md', 'docs/a/markdown/file.md'], []],
    ['docs/**/*.md', [], ['docs/a.txt', 'README.md']],
    ['**/docs/**', ['docs/hello.md', 'dir/docs/my.txt', 'a/docs/b/c.doc'], ['mydocs/x', 'docs']],
    ['**/README.md', ['README.md', 'js/README.md'], ['README.mdx', 'MYREADME.md']],
    ['**/*src/**', ['a/src/app.js', 'my-src/code/js/app.js'], ['srcs/app.js']],
    ['**/*-post.md', ['my-post.md', 'path/their-post.md'], ['my-post.mdx']],
    ['**/migrate-*.sql', ['migrate-10909.sql', 'db/migrate-v1.0.sql', 'db/s/migrate-v1.sql'], []],
    ['**/migrate-*.sql', [], ['migrate-1.txt', 'migrate-1/x.sql']],
    [['*.md', '!README.md'], ['hello.md'], ['README.md', 'docs/hello.md']],
    [['*.md', '!README.md', 'README*'], ['hello.md', 'README.md', 'README.doc'], ['x.doc']],
  ])('%j', check);
});

/** https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet */
describe("GitHub's documentation for the special characters, branches and tags", () => {
  test.each<Row>([
    ['Octo*', ['Octocat', 'Octo'], ['Octo/cat', 'octocat']],
    ['[CB]at', ['Cat', 'Bat'], ['Rat', 'cat', 'at', 'CBat']],
    ['[1-2]00', ['100', '200'], ['300', '000', '1-200']],
    ['[0-9a-z]', ['0', '9', 'a', 'z'], ['A', '-', '@', '']],
    ['*feature', ['mona-feature', 'feature', 'ver-10-feature'], ['my/feature']],
    ['v[12].[0-9]+.[0-9]+', ['v1.10.1', 'v2.0.0'], ['v3.0.0', 'v1.x.0', 'v1.10.']],
  ])('%j', check);
});

describe('the rest of the rules', () => {
  test.each<Row>([
    // `**` matches slashes in the middle of a name, and `**/` needs its slash there.
    ['a**z', ['az', 'a/b/z'], ['ba/z']],
    ['a**/b', ['a/b', 'ax/y/b'], ['ab']],
    // After a folder `**/` matches nothing as well. It may follow itself.
    ['a/**/b', ['a/b', 'a/x/y/b'], ['ab', 'a/xb']],
    ['**/**/a', ['a', 'x/a', 'x/y/z/a'], ['xa', 'c/ba']],
    // More than two stars are read as two.
    [['a***b', 'c****d'], ['ab', 'a/b', 'cd', 'c/x/d'], ['a']],
    // `?` and `+` repeat a class, an escaped character or a slash.
    ['a[bc]?d', ['ad', 'abd', 'acd'], ['abcd']],
    ['a\\*+b', ['a*b', 'a**b'], ['ab', 'axb']],
    ['a/?b', ['ab', 'a/b'], ['a//b']],
    [`${'a?'.repeat(100)}b`, ['b', `${'a'.repeat(100)}b`], [`${'a'.repeat(101)}b`, 'a']],
    // With nothing to repeat, and for the second time, they mean themselves.
    ['?a', ['?a'], ['a']],
    ['*?', ['b?'], ['b']],
    ['**+x', ['a/+x'], ['a/x']],
    ['c++', ['c+', 'cc+'], ['c++', 'c']],
    ['d?+', ['d+', '+'], ['d']],
    // `!` has no meaning but at the start, and `^` none.
    [['a!b', '[!a]'], ['a!b', '!', 'a'], ['b']],
    ['[^a]', ['^', 'a'], ['b']],
    // Other characters mean themselves, and so does a bracket that is not closed, or is empty.
    ['a{b,c}', ['a{b,c}'], ['ab', 'ac']],
    ['a(b|c)', ['a(b|c)'], ['ab', 'ac']],
    ['@(a)/b', ['@(a)/b'], ['a/b']],
    ['#a $b^.c', ['#a $b^.c'], ['#a $b^xc']],
    ['a[b', ['a[b'], ['ab']],
    ['c[]d', ['c[]d'], ['cd']],
    ['e]f', ['e]f'], ['ef']],
    // A backslash makes the next character mean itself.
    ['\\!file', ['!file'], ['file', '\\!file']],
    ['a\\\\b', ['a\\b'], ['a\\\\b', 'ab']],
    // A range that is reversed, or has another end, means its characters.
    ['[z-a]', ['z', '-', 'a'], ['b']],
    ['[+-9]x', ['+x', '9x'], ['5x']],
    ['[a-a]', ['a'], ['-', 'b']],
    // One from a capital to a small letter has no other characters.
    ['[A-z]+', ['AZaz'], ['[', '_', '5']],
    ['[adz]', ['a', 'd', 'z'], ['b', 'm']],
    // An escape in a class is the character after it.
    ['[\\]\\-]x', [']x', '-x'], ['\\x', 'x']],
    // Names that begin with a dot, and line breaks in names, are like others.
    [['*.yml', '.github/**'], ['.x.yml', '.github/a/b'], ['github/x']],
    [['a*b', 'x**y'], ['a\nb', 'a\r\nb', 'a\u2028b', 'x\n/\ny'], ['a/\nb']],
    // A character outside the basic plane is one character. Cases and accents differ.
    ['a😀?b', ['ab', 'a😀b'], ['a\ud83db']],
    ['[😀x]', ['😀', 'x'], ['\ude00', '']],
    ['𝒳+', ['𝒳𝒳'], ['']],
    ['für/A', ['für/A'], ['fur/A', 'für/a', 'fu\u0308r/A']],
    // Without patterns nothing is selected.
    [[], [], ['a', '']],
  ])('%j', check);
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
  const piece = fc.constantFrom(...'ab/😀-\n**?+\\[]!', '**/', '[ab]', '[a-c]');
  const pattern = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''));
  const character = fc.constantFrom(...'abc//😀-\n*?+\\[]!');
  const path = fc.array(character, { maxLength: 9 }).map((all) => all.join(''));

  test('are matched like a slow and simple matcher does, at any place in a long pattern', () => {
    fc.assert(
      fc.property(pattern, path, fc.nat(40), (glob, name, depth) => {
        fc.pre(!/^[!?+]/.test(glob));
        const folders = 'k/'.repeat(depth);
        const isSelected = pathFilter([`${folders}${glob}`])(`${folders}${name}`);
        expect(isSelected).toBe(slowly([...glob], [...name]));
      }),
      { numRuns: dose(300, 6_000) },
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
