import { describe, expect, test } from 'vitest';
import { pullRequestAt, pullRequestOf } from '../../../src/lib/pull-request.ts';

describe('the pull request that a link names', () => {
  test.each([
    // https://docs.github.com/rest/pulls/pulls#get-a-pull-request (`html_url` of the example)
    {
      form: "GitHub's",
      link: 'https://github.com/octocat/Hello-World/pull/1347',
      repository: 'octocat/Hello-World',
      number: '1347',
    },
    // https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls
    {
      form: "GitHub's to a tab of the page",
      link: 'https://github.com/octocat/Hello-World/pull/1347/files',
      repository: 'octocat/Hello-World',
      number: '1347',
    },
    // https://docs.github.com/rest/issues/comments#get-an-issue-comment (`html_url` of the example)
    {
      form: "GitHub's with a comment",
      link: 'https://github.com/octocat/Hello-World/pull/1347#issuecomment-1',
      repository: 'octocat/Hello-World',
      number: '1347',
    },
    {
      form: "GitHub's with a query",
      link: 'https://github.com/octocat/Hello.World_2/pull/1?w=1',
      repository: 'octocat/Hello.World_2',
      number: '1',
    },
    // https://docs.github.com/enterprise-server/rest/pulls/pulls#get-a-pull-request
    {
      form: "GitHub Enterprise Server's",
      link: 'https://github.example.com/octocat/Hello-World/pull/1347',
      repository: 'octocat/Hello-World',
      number: '1347',
    },
    // https://docs.github.com/enterprise-cloud@latest/admin/data-residency/about-github-enterprise-cloud-with-data-residency
    {
      form: "GitHub Enterprise Cloud's with data residency",
      link: 'https://octocorp.ghe.com/octocat/Hello-World/pull/2',
      repository: 'octocat/Hello-World',
      number: '2',
    },
    // https://docs.gitlab.com/api/merge_requests/#get-single-mr
    {
      form: "GitLab's",
      link: 'https://gitlab.example.com/my-group/my-project/-/merge_requests/1',
      repository: 'my-group/my-project',
      number: '1',
    },
    // https://docs.gitlab.com/user/group/subgroups/
    {
      form: "GitLab's with subgroups",
      link: 'https://gitlab.com/my-group/sub.group/my_project/-/merge_requests/7/diffs#note_9',
      repository: 'my-group/sub.group/my_project',
      number: '7',
    },
  ])('is read from a link of $form', ({ link, repository, number }) => {
    expect(pullRequestOf(link)).toEqual({ repository, number });
  });

  test.each([
    { what: 'an issue', link: 'https://github.com/octocat/Hello-World/issues/1347' },
    { what: 'a list of pull requests', link: 'https://github.com/octocat/Hello-World/pulls' },
    {
      what: "GitHub's API",
      link: 'https://api.github.com/repos/octocat/Hello-World/pulls/1347',
    },
    {
      what: "GitHub Enterprise Server's API",
      link: 'https://github.example.com/api/v3/repos/octocat/Hello-World/pulls/1347',
    },
    { what: 'a diff', link: 'https://github.com/octocat/Hello-World/pull/1347.diff' },
    { what: 'pull request 0', link: 'https://github.com/octocat/Hello-World/pull/0' },
    { what: 'a pull request without a number', link: 'https://github.com/a/b/pull/new' },
    {
      what: 'a GitLab project without a group',
      link: 'https://gitlab.com/my-project/-/merge_requests/1',
    },
    {
      what: "GitLab's API",
      link: 'https://gitlab.example.com/api/v4/projects/1/merge_requests/1',
    },
    {
      what: 'Bitbucket',
      link: 'https://bitbucket.org/workspace/repository/pull-requests/1',
    },
    { what: 'a path below another folder', link: 'https://x.example/y/a/b/pull/1' },
    { what: 'a group with a space', link: 'https://x.example/a b/c/d/-/merge_requests/1' },
    { what: 'a query that contains such a path', link: 'https://x.example/?/a/b/pull/1' },
    { what: 'a path with an escaped slash', link: 'https://x.example/a%2Fb/c/pull/1' },
    { what: 'nothing', link: '' },
  ])('is not read from a link to $what', ({ link }) => {
    expect(pullRequestOf(link)).toBeUndefined();
  });
});

describe('the pull request that a link names on this GitHub server', () => {
  const SERVER = 'https://github.example.com';

  test('is the one in its path', () => {
    expect(pullRequestAt(SERVER, `${SERVER}/acme/docs/pull/7/files`)).toEqual({
      repository: 'acme/docs',
      number: '7',
    });
  });

  test.each([
    { what: 'at another host', link: 'https://github.com/acme/docs/pull/7' },
    { what: 'at another port', link: `${SERVER}:8443/acme/docs/pull/7` },
    { what: 'without TLS', link: 'http://github.example.com/acme/docs/pull/7' },
    { what: "of GitLab's form", link: `${SERVER}/acme/docs/-/merge_requests/7` },
    { what: 'that is none', link: '' },
  ])('is not known from a link $what', ({ link }) => {
    expect(pullRequestAt(SERVER, link)).toBeUndefined();
  });

  test('is not known without a server', () => {
    expect(pullRequestAt('', 'https://github.com/acme/docs/pull/7')).toBeUndefined();
  });
});
