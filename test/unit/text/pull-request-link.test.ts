import { expect, test } from 'vitest';
import { pullRequestAt, pullRequestOf } from '../../../src/text/pull-request-link.ts';

// The links are the examples of these pages:
// https://docs.github.com/rest/pulls/pulls#get-a-pull-request
// https://docs.github.com/rest/issues/comments#get-an-issue-comment
// https://docs.github.com/enterprise-server/rest/pulls/pulls#get-a-pull-request
// https://docs.github.com/enterprise-cloud@latest/admin/data-residency/about-github-enterprise-cloud-with-data-residency
// https://docs.gitlab.com/api/merge_requests/#get-single-mr
// https://docs.gitlab.com/user/group/subgroups/
test.each([
  ['https://github.com/octocat/Hello-World/pull/1347', 'octocat/Hello-World', '1347'],
  ['https://github.com/octocat/Hello-World/pull/1347/files', 'octocat/Hello-World', '1347'],
  ['https://github.com/octocat/Hello-World/pull/7#issuecomment-1', 'octocat/Hello-World', '7'],
  ['https://github.com/octocat/Hello.World_2/pull/1?w=1', 'octocat/Hello.World_2', '1'],
  ['https://github.example.com/octocat/Hello-World/pull/1347', 'octocat/Hello-World', '1347'],
  ['https://octocorp.ghe.com/octocat/Hello-World/pull/2', 'octocat/Hello-World', '2'],
  ['https://gitlab.example.com/my-group/my-project/-/merge_requests/1', 'my-group/my-project', '1'],
  ['https://gitlab.com/a/sub.group/my_docs/-/merge_requests/7/diffs', 'a/sub.group/my_docs', '7'],
])('%s names a pull request of %s', (link, repository, number) => {
  expect(pullRequestOf(link)).toEqual({ repository, number });
});

test.each([
  ['an issue', 'https://github.com/octocat/Hello-World/issues/1347'],
  ['a list of pull requests', 'https://github.com/octocat/Hello-World/pulls'],
  ["GitHub's API", 'https://api.github.com/repos/octocat/Hello-World/pulls/1347'],
  ['a diff', 'https://github.com/octocat/Hello-World/pull/1347.diff'],
  ['pull request 0', 'https://github.com/octocat/Hello-World/pull/0'],
  ['a pull request without a number', 'https://github.com/a/b/pull/new'],
  ['a GitLab project without a group', 'https://gitlab.com/my-project/-/merge_requests/1'],
  ["GitLab's API", 'https://gitlab.example.com/api/v4/projects/1/merge_requests/1'],
  ['Bitbucket', 'https://bitbucket.org/workspace/repository/pull-requests/1'],
  ['a path below another folder', 'https://x.example/y/a/b/pull/1'],
  ['a group with a space', 'https://x.example/a b/c/d/-/merge_requests/1'],
  ['a query that contains such a path', 'https://x.example/?/a/b/pull/1'],
  ['a path with an escaped slash', 'https://x.example/a%2Fb/c/pull/1'],
  ['nothing', ''],
])('a link to %s names none', (_what, link) => {
  expect(pullRequestOf(link)).toBeUndefined();
});

const SERVER = 'https://github.example.com';

test('a link to this GitHub server names the pull request in its path', () => {
  const found = pullRequestAt(SERVER, `${SERVER}/acme/docs/pull/7/files`);
  expect(found).toEqual({ repository: 'acme/docs', number: '7' });
});

test.each([
  ['at another host', SERVER, 'https://github.com/acme/docs/pull/7'],
  ['at another port', SERVER, `${SERVER}:8443/acme/docs/pull/7`],
  ['without TLS', SERVER, 'http://github.example.com/acme/docs/pull/7'],
  ["of GitLab's form", SERVER, `${SERVER}/acme/docs/-/merge_requests/7`],
  ['that is none', SERVER, ''],
  ['without a server', '', 'https://github.com/acme/docs/pull/7'],
])('a link %s names no pull request of this GitHub server', (_what, server, link) => {
  expect(pullRequestAt(server, link)).toBeUndefined();
});
