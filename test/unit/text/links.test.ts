import { expect, test } from 'vitest';
import { pullName, pullRequestOf, safeLink } from '../../../src/text/links.ts';

test.each<readonly [string, string | undefined]>([
  ['https://github.com/a/b/pull/1', 'https://github.com/a/b/pull/1'],
  ['http://x/a b"<>?`', 'http://x/a%20b%22%3C%3E?%60'],
  ['javascript:alert(1)', undefined],
  ['https://u@x/', undefined],
  ['//x/y', undefined],
])('only a link to a website without credentials is safe: %j', (text, link) => {
  expect(safeLink(text)).toBe(link);
});

// The links are the examples of these pages:
// https://docs.github.com/rest/pulls/pulls#get-a-pull-request
// https://docs.gitlab.com/api/merge_requests/#get-single-mr
// https://docs.gitlab.com/user/group/subgroups/
test.each([
  ['https://github.com/octocat/Hello-World/pull/1347', 'octocat/Hello-World', '1347'],
  ['https://github.com/octocat/Hello-World/pull/7/files#a?w=1', 'octocat/Hello-World', '7'],
  ['https://github.example.com/octocat/Hello.World_2/pull/1', 'octocat/Hello.World_2', '1'],
  ['https://gitlab.example.com/my-group/my-project/-/merge_requests/1', 'my-group/my-project', '1'],
  ['https://gitlab.com/a/sub.group/my_docs/-/merge_requests/7/diffs', 'a/sub.group/my_docs', '7'],
])('%s names a pull request of %s', (link, repository, number) => {
  expect(pullRequestOf(link)).toEqual({ repository, number });
});

test.each([
  'https://github.com/octocat/Hello-World/issues/1347',
  'https://github.com/octocat/Hello-World/pull/1347.diff',
  'https://gitlab.example.com/api/v4/projects/1/merge_requests/1',
  'https://bitbucket.org/workspace/repository/pull-requests/1',
  'https://x.example/y/a/b/pull/1',
  'https://x.example/?/a/b/pull/1',
  '',
])('%j names no pull request, and is its own name', (link) => {
  expect([pullRequestOf(link), pullName(link)]).toEqual([undefined, link]);
});
