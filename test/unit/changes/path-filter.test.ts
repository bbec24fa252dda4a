import { describe, expect, test } from 'vitest';
import { pathFilter } from '../../../src/changes/path-filter.ts';

/** https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#patterns-to-match-file-paths */
describe("the examples of GitHub's documentation", () => {
  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['*', ['README.md', 'server.rb'], ['docs/README.md']],
    ['*.jsx?', ['page.js', 'page.jsx'], ['page.jsxx', 'page.j']],
    ['**', ['all/the/files.md', 'one.md', '.github/x.yml'], []],
    ['*.js', ['app.js', 'index.js'], ['src/app.js', 'app.jsx']],
    ['**.js', ['index.js', 'js/index.js', 'src/js/app.js'], ['index.jsx']],
    ['docs/*', ['docs/README.md', 'docs/file.txt'], ['docs/a/b.md', 'README.md']],
    ['docs/**', ['docs/README.md', 'docs/mona/octocat.txt'], ['docs', 'other/docs/x']],
    [
      'docs/**/*.md',
      ['docs/README.md', 'docs/mona/hello-world.md', 'docs/a/markdown/file.md'],
      ['docs/a.txt'],
    ],
    [
      '**/docs/**',
      ['docs/hello.md', 'dir/docs/my-file.txt', 'space/docs/plan/space.doc'],
      ['mydocs/x'],
    ],
    ['**/README.md', ['README.md', 'js/README.md'], ['README.mdx', 'MYREADME.md']],
    ['**/*src/**', ['a/src/app.js', 'my-src/code/js/app.js'], ['srcs/app.js']],
    ['**/*-post.md', ['my-post.md', 'path/their-post.md'], ['my-post.mdx']],
    [
      '**/migrate-*.sql',
      ['migrate-10909.sql', 'db/migrate-v1.0.sql', 'db/sept/migrate-v1.sql'],
      ['migrate-1.txt'],
    ],
  ])('%s', (pattern, matching, others) => {
    const matches = pathFilter([pattern]);
    expect(matching.filter((path) => !matches(path))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });

  test('an exclude takes out what an earlier pattern took in', () => {
    const matches = pathFilter(['*.md', '!README.md']);
    expect(['hello.md', 'README.md', 'docs/hello.md'].filter(matches)).toEqual(['hello.md']);
  });

  test('a later pattern takes it in again', () => {
    const matches = pathFilter(['*.md', '!README.md', 'README*']);
    expect(['hello.md', 'README.md', 'README.doc', 'x.doc'].filter(matches)).toEqual([
      'hello.md',
      'README.md',
      'README.doc',
    ]);
  });
});

describe('the rest of the syntax', () => {
  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['v[12].[0-9]+.[0-9]+', ['v1.10.1', 'v2.0.0'], ['v3.0.0', 'v1.x.0']],
    ['[CB]at', ['Cat', 'Bat'], ['Rat', 'cat']],
    ['ab+c', ['abc', 'abbbc'], ['ac', 'ab+c']],
    ['ab?c', ['abc', 'ac'], ['abbc', 'axc']],
    ['a**z', ['az', 'a/b/z', 'abz'], ['ba/z']],
    ['src/**test**', ['src/test', 'src/a/mytests/b'], ['test/a']],
    ['a{b,c}', ['a{b,c}'], ['ab', 'ac']],
    ['a(b|c)', ['a(b|c)'], ['ab', 'ac']],
    ['@(a)/b', ['@(a)/b'], ['a/b']],
    ['a.b', ['a.b'], ['axb']],
    ['#a $b^', ['#a $b^'], []],
    ['für/*.md', ['für/x.md'], ['fur/x.md']],
    ['a\\*b', ['a*b'], ['axb']],
    ['.github/**', ['.github/workflows/x.yml'], ['github/x']],
    ['app/[id]/*', ['app/i/x', 'app/d/x'], ['app/[id]/x', 'app/id/x']],
  ])('%s', (pattern, matching, others) => {
    const matches = pathFilter([pattern]);
    expect(matching.filter((path) => !matches(path))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });

  test('no pattern selects nothing', () => {
    expect(pathFilter([])('a')).toBe(false);
  });
});
