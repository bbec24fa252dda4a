import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOf, idIn, parseJob, pullRequestOf } from '../../../src/agent/job.ts';

const whole = {
  id: 'job_1',
  status: 'completed',
  source: { repository: 'https://github.com/acme/docs', ref: 'main' },
  model: 'm',
  prLink: 'https://github.com/acme/docs/pull/1',
  createdAt: '2026-01-01T00:00:00Z',
  archivedAt: null,
};

const parsed = (value: unknown) => parseJob(JSON.stringify(value));

test('an agent job with all fields is read', () => {
  expect(parsed(whole)).toEqual({
    kind: 'job',
    job: {
      id: 'job_1',
      status: 'completed',
      sourceRepository: 'https://github.com/acme/docs',
      sourceRef: 'main',
      model: 'm',
      prLink: 'https://github.com/acme/docs/pull/1',
      refusedPrLink: '',
      createdAt: '2026-01-01T00:00:00Z',
      archivedAt: '',
      json: JSON.stringify(whole),
    },
  });
});

describe('an agent job needs only an id and a status', () => {
  test.each([
    {},
    { source: null, model: null, prLink: null, createdAt: null, archivedAt: null },
    { source: 'x', model: 1, prLink: {}, createdAt: [], archivedAt: true },
    { source: { repository: 1, ref: null } },
    { cost: 3, extra: { deep: [1] } },
  ])('and may have the fields %j', (fields) => {
    const result = parsed({ id: 'job_1', status: 'active', ...fields });
    expect(result).toMatchObject({
      kind: 'job',
      job: { id: 'job_1', sourceRepository: '', sourceRef: '', model: '', prLink: '' },
    });
  });

  test('and unknown fields are kept in its JSON', () => {
    const result = parsed({ ...whole, cost: 3 });
    expect(result.kind === 'job' && JSON.parse(result.job.json)).toEqual({ ...whole, cost: 3 });
  });
});

describe('an answer is not an agent job when it is', () => {
  test.each<{ promise: string; body: string; error: string; id?: string }>([
    { promise: 'not JSON', body: '<html>', error: 'the response is not JSON' },
    { promise: 'empty', body: '', error: 'the response is not JSON' },
    { promise: 'null', body: 'null', error: 'the response is not an agent job (not an object)' },
    { promise: 'a list', body: '[]', error: 'the response is not an agent job (not an object)' },
    {
      promise: 'an empty object',
      body: '{}',
      error: 'the response is not an agent job (no usable id, status)',
    },
    {
      promise: 'an object without an id',
      body: '{"status":"active"}',
      error: 'the response is not an agent job (no usable id)',
    },
    {
      promise: 'an object whose id is a number',
      body: '{"id":1,"status":"active"}',
      error: 'the response is not an agent job (no usable id)',
    },
    ...['.', '..', '', 'a\\nb', 'x'.repeat(1_001)].map((id) => ({
      promise: `an object whose id is ${JSON.stringify(id.slice(0, 10))}`,
      body: `{"id":"${id}","status":"active"}`,
      error: 'the response is not an agent job (no usable id)',
    })),
    {
      promise: 'an object without a status, and its id is kept',
      body: '{"id":"job_1"}',
      error: 'the response is not an agent job (no usable status)',
      id: 'job_1',
    },
    {
      promise: 'an object whose status is empty, and its id is kept',
      body: '{"id":"job_1","status":""}',
      error: 'the response is not an agent job (no usable status)',
      id: 'job_1',
    },
    {
      promise: 'an object whose status is a number, and its id is kept',
      body: '{"status":7,"id":"job_1"}',
      error: 'the response is not an agent job (no usable status)',
      id: 'job_1',
    },
    {
      promise: 'followed by other text, and its id is kept',
      body: '{"id":"job_1","status":"active"} trailing',
      error: 'the response is not JSON',
      id: 'job_1',
    },
    {
      promise: 'cut after the id, which is kept',
      body: '{"model":"m","id":"job_1","status":"act',
      error: 'the response is not JSON',
      id: 'job_1',
    },
    {
      promise: 'cut in the middle of the id',
      body: '{"model":"m","id":"job_1',
      error: 'the response is not JSON',
    },
    {
      promise: 'an object with an id only inside a member',
      body: '{"source":{"id":"job_1"},"sta',
      error: 'the response is not JSON',
    },
  ])('$promise', ({ body, error, id }) => {
    expect(parseJob(body)).toEqual({ kind: 'not-a-job', error, id });
  });

  test('about another agent job than the requested one', () => {
    expect(parseJob(JSON.stringify(whole), 'job_2')).toEqual({
      kind: 'not-a-job',
      error: 'the response is about agent job `job_1`, not `job_2`',
    });
  });

  test('random text, and nothing is thrown', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '"id"',
      ':',
      '"job_1"',
      '"',
      '\\',
      ',',
      '\n',
      '[',
      '1',
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces).map((parts) => `{${parts.join('')}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(['job', 'not-a-job']).toContain(parseJob(text).kind);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('an id', () => {
  test.each(['a/b', 'a b', "it's", '%2F', 'ü', '😀', '-', 'x'.repeat(1_000)])('may be %s', (id) => {
    expect(parsed({ id, status: 'active' })).toMatchObject({ kind: 'job', job: { id } });
  });
});

describe('the JSON that is set as an output', () => {
  test('keeps numbers that JavaScript would round', () => {
    const body = '{"id":"job_1","status":"active","cost":12345678901234567890,"rate":1.10}';
    expect(parseJob(body)).toMatchObject({ kind: 'job', job: { json: body } });
  });

  test.each(['javascript:x', 'https://u@h/1', 'https://:p@h/1', 'https://u:p@h/1'])(
    'contains no link like %s',
    (prLink) => {
      const result = parsed({ ...whole, prLink });
      expect(result.kind === 'job' && JSON.parse(result.job.json)).toEqual({
        ...whole,
        prLink: null,
      });
      expect(result).toMatchObject({ job: { prLink: '', refusedPrLink: prLink } });
    },
  );

  test('contains none of several links that must not be used', () => {
    const body = '{"prLink":"javascript:1","id":"j","status":"s","prLink":"javascript:2"}';
    expect(parseJob(body)).toMatchObject({
      job: { json: '{"prLink":null,"id":"j","status":"s","prLink":null}' },
    });
  });
});

test.each([
  { status: 'active', prLink: null, end: undefined },
  { status: 'completed', prLink: null, end: 'no-changes' },
  { status: 'completed', prLink: 'https://github.com/a/b/pull/1', end: 'pull-request' },
  { status: 'completed', prLink: 'javascript:x', end: 'no-changes' },
  { status: 'archived', prLink: null, end: 'archived' },
  { status: 'archived', prLink: 'https://github.com/a/b/pull/1', end: 'archived' },
  { status: 'failed', prLink: null, end: 'failed' },
  { status: 'Completed', prLink: null, end: undefined },
  { status: 'dreaming', prLink: null, end: undefined },
])('the status $status with the link $prLink means the end $end', ({ status, prLink, end }) => {
  const result = parsed({ id: 'job_1', status, prLink });
  expect(result.kind === 'job' && endOf(result.job)).toBe(end);
});

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

// As deep as an answer of 1 MiB can be.
test('an agent job with half a million levels of nesting keeps its id', () => {
  const deep = '['.repeat(500_000);
  const whole = parseJob(`{"id":"job_1","status":"active","x":${deep}${']'.repeat(500_000)}}`);
  expect(whole.kind === 'job' ? whole.job.id : whole.id).toBe('job_1');
  expect(parseJob(`{"id":"job_1","status":"active","x":${deep}`)).toMatchObject({ id: 'job_1' });
});

test('the id of a body is the first `id` that is a string', () => {
  expect(idIn('{"id":7,"id":"job_1"}')).toBe('job_1');
  expect(idIn('{"id":".."}')).toBeUndefined();
  expect(idIn('')).toBeUndefined();
});
