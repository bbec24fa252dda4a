import { expect, test } from 'vitest';
import { pathFilter } from '../../../src/changes/paths.ts';

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
const DOCUMENTED: readonly Row[] = [
  ['*', ['README.md', 'server.rb'], ['docs/README.md']],
  ['*.jsx?', ['page.js', 'page.jsx'], ['page.jsxx', 'page.j', 'a/page.js']],
  ['**', ['all/the/files.md', 'one.md', '.github/x.yml', ''], []],
  ['*.js', ['app.js', 'index.js'], ['src/app.js', 'app.jsx']],
  ['**.js', ['index.js', 'js/index.js', 'src/js/app.js'], ['index.jsx']],
  ['docs/*', ['docs/README.md', 'docs/file.txt'], ['docs/a/b.md', 'README.md', 'x/docs/a']],
  ['docs/**', ['docs/README.md', 'docs/mona/octocat.txt'], ['docs', 'other/docs/x']],
  ['docs/**/*.md', ['docs/README.md', 'docs/mona/hello-world.md', 'docs/a/markdown/file.md'], []],
  ['**/docs/**', ['docs/hello.md', 'dir/docs/my.txt', 'a/docs/b/c.doc'], ['mydocs/x', 'docs']],
  ['**/README.md', ['README.md', 'js/README.md'], ['README.mdx', 'MYREADME.md']],
  ['**/*src/**', ['a/src/app.js', 'my-src/code/js/app.js'], ['srcs/app.js']],
  ['**/*-post.md', ['my-post.md', 'path/their-post.md'], ['my-post.mdx']],
  ['**/migrate-*.sql', ['migrate-10909.sql', 'db/migrate-v1.0.sql', 'db/s/migrate-v1.sql'], []],
  [['*.md', '!README.md'], ['hello.md'], ['README.md', 'docs/hello.md']],
  [['*.md', '!README.md', 'README*'], ['hello.md', 'README.md', 'README.doc'], ['x.doc']],
  // https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet
  ['Octo*', ['Octocat', 'Octo'], ['Octo/cat', 'octocat']],
  ['[CB]at', ['Cat', 'Bat'], ['Rat', 'cat', 'at', 'CBat']],
  ['[1-2]00', ['100', '200'], ['300', '000', '1-200']],
  ['[0-9a-z]', ['0', '9', 'a', 'z'], ['A', '-', '@', '']],
  ['*feature', ['mona-feature', 'feature', 'ver-10-feature'], ['my/feature']],
  ['v[12].[0-9]+.[0-9]+', ['v1.10.1', 'v2.0.0'], ['v3.0.0', 'v1.x.0', 'v1.10.']],
];

const OTHERS: readonly Row[] = [
  // `**` matches slashes in the middle of a name, and `**/` needs its slash there.
  ['a**z', ['az', 'a/b/z'], ['ba/z']],
  ['a**/b', ['a/b', 'ax/y/b'], ['ab']],
  // After a folder `**/` matches nothing as well.
  ['a/**/b', ['a/b', 'a/x/y/b'], ['ab', 'a/xb']],
  // More than two stars are read as two.
  [['a***b', 'c****d'], ['ab', 'a/b', 'cd', 'c/x/d'], ['a']],
  // `?` and `+` repeat a class, an escaped character or a slash.
  ['a[bc]?d', ['ad', 'abd', 'acd'], ['abcd']],
  ['a/?b', ['ab', 'a/b'], ['a//b']],
  // With nothing to repeat, and for the second time, they mean themselves.
  ['?a', ['?a'], ['a']],
  ['c++', ['c+', 'cc+'], ['c++', 'c']],
  // `!` has no meaning but at the start, and `^` none.
  [['a!b', '[!a]'], ['a!b', '!', 'a'], ['b']],
  ['[^a]', ['^', 'a'], ['b']],
  // Other characters mean themselves, and so does a bracket that is not closed.
  ['a(b|c)', ['a(b|c)'], ['ab', 'ac']],
  ['a[b', ['a[b'], ['ab']],
  // A backslash makes the next character mean itself, also in a class.
  ['\\!file', ['!file'], ['file', '\\!file']],
  ['[\\]\\-]x', [']x', '-x'], ['\\x', 'x']],
  // Names that begin with a dot, and line breaks in names, are like others.
  [['*.yml', '.github/**'], ['.x.yml', '.github/a/b'], ['github/x']],
  [['a*b', 'x**y'], ['a\nb', 'a\r\nb', 'a\u2028b', 'x\n/\ny'], ['a/\nb']],
  // A character outside the basic plane is one character. Cases and accents differ.
  ['a😀?b', ['ab', 'a😀b'], ['a\ud83db']],
  ['für/A', ['für/A'], ['fur/A', 'für/a', 'fu\u0308r/A']],
  // Without patterns nothing is selected.
  [[], [], ['a', '']],
];

test.each([...DOCUMENTED, ...OTHERS])('%j', check);

// A regular expression would take longer than a test may.
test.each([
  ['**/src/**/src/**/src/**/*.ts', 'src/'],
  ['[ab]+[ab]+[ab]+[ab]+c', 'ab'],
  [`${'a?'.repeat(100)}${'a'.repeat(100)}c`, 'a'],
])('takes time linear in the file name: %s', (pattern, unit) => {
  expect(pathFilter([pattern])(unit.repeat(8_000 / unit.length))).toBe(false);
});
