import { expect, test } from 'vitest';
import {
  formatDuration,
  parseDuration,
  pullName,
  pullRequestOf,
  shortRef,
} from '../../../src/text/words.ts';

test('a commit is shown short, and any other ref as it is', () => {
  const sha = 'abc1234def0123456789abcdef0123456789abcd';
  expect([sha, `${sha}-old`, 'v1.2.0'].map(shortRef)).toEqual(['abc1234', `${sha}-old`, 'v1.2.0']);
});

test.each<readonly [string, number | undefined]>([
  ['90s', 90_000],
  ['2h', 7_200_000],
  ...['1d', '1.5h', '10', 'x10s', '30min', ''].map((text) => [text, undefined] as const),
])('the duration %j is %s ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  [0, '0 s'],
  [8_400, '8 s'],
  [3_600_000, '1 h'],
  [5_430_000, '1 h 30 min 30 s'],
])('%s ms is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
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
  'https://x.example/y/a/b/pull/1',
  'https://x.example/?/a/b/pull/1',
  '',
])('%j names no pull request, and is its own name', (link) => {
  expect([pullRequestOf(link), pullName(link)]).toEqual([undefined, link]);
});
