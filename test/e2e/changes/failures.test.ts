import { describe, expect, test } from 'vitest';
import { annotations, runAction } from '../../support/action.ts';
import { AgentService } from '../../support/agent-service.ts';
import { type Given, runChanges, subjectsOf, warningsOf, ZERO } from '../../support/changes-run.ts';
import { type Failure, GitHubService, line, onPush } from '../../support/github-service.ts';

const main = line(5);
const push: Given = { event: 'push', payload: { before: 'c3' }, github: { commits: main } };
const newTag: Given = {
  event: 'push',
  ref: 'refs/tags/v2',
  payload: { before: ZERO },
  github: { commits: main },
};
const pull: Given = {
  event: 'pull_request',
  payload: { pull_request: { number: 5, base: { sha: 'c3' }, head: { sha: 'c5' } } },
  github: { commits: main },
};
/** Answers requests to a part of the API with a failure, as often as `times` says. */
function failing(
  given: Given,
  part: string,
  failure: Failure,
  times = Number.POSITIVE_INFINITY,
): Given {
  let left = times;
  const fail = (path: string) => {
    if (!path.includes(part) || left === 0) return undefined;
    left -= 1;
    return failure;
  };
  return { ...given, github: { ...given.github, fail } };
}

const contents = 'Give the workflow job `permissions:` with `contents: read`.';

describe('the step stops before anything is sent after', () => {
  test.concurrent.each([
    {
      promise: 'a comparison and a commit with 404, because the token may not',
      given: failing(push, '/c', { status: 404 }),
      says: [contents],
    },
    {
      promise: 'a list of tags with 403',
      given: failing(newTag, '/matching-refs/', { status: 403 }),
      says: ['Listing tags failed', contents],
    },
    {
      promise: 'a pull request with 403 and then a comparison with 403',
      given: failing(pull, '/acme/app/', { status: 403 }),
      says: ['with `contents: read` and `pull-requests: read`.'],
    },
    {
      promise: 'a tree with 500',
      given: failing(
        { ...push, payload: { before: 'c1' }, sha: 'c302', github: { commits: line(302) } },
        '/git/trees/',
        { status: 500 },
      ),
      says: ['Reading a tree failed', 'Run this workflow job again.'],
    },
    {
      promise: 'a comparison with 401',
      given: failing(push, '/compare/', { status: 401 }),
      says: ["Check `githubToken`, or leave it out to use the workflow's `GITHUB_TOKEN`"],
    },
    {
      promise: 'a comparison that is HTML',
      given: failing(push, '/compare/', { status: 200, body: '<html>Just a moment</html>' }),
      says: ['Comparing commits failed. GitHub'],
    },
    {
      promise: 'a rate limit of an hour, which is not reported as a missing permission',
      given: failing({ ...push, inputs: { since: 'v1' } }, '/compare/', {
        status: 403,
        body: { message: 'API rate limit exceeded' },
        headers: { 'retry-after': '3600' },
      }),
      says: ['`API rate limit exceeded`', 'Run this workflow job again.'],
    },
  ])('$promise', async ({ given, says }) => {
    // GitHub's failures are retried for a third of `timeout`.
    const inputs = { paths: 'nothing/**', timeout: '9s', ...given.inputs };
    const seen = await runChanges({ ...given, inputs });
    expect(seen.prompt).toBeUndefined();
    expect(seen.result.exitCode).toBe(1);
    expect(seen.result.outputs['outcome']).toBe('error');
    const [error] = annotations(seen.result);
    for (const part of says) expect(error).toContain(part);
    expect(error).toContain('No prompt was sent.');
    expect(seen.result.summary).toContain('The changes could not be found');
    expect(seen.result.stderr).toBe('');
  });
});

describe('the agent job is created with the block after one answer with', () => {
  test.concurrent.each([
    { promise: 'HTTP 502', failure: { status: 502 }, logs: 'Changes: ' },
    {
      promise: 'a rate limit, which is logged',
      failure: { status: 403, headers: { 'retry-after': '1' } },
      logs: "GitHub's rate limit was reached. Retrying in 1 s.",
    },
  ])('$promise', async ({ failure, logs }) => {
    const seen = await runChanges(failing(push, '/compare/', failure, 1));
    expect(subjectsOf(seen)).toEqual(['Subject 4', 'Subject 5']);
    expect(warningsOf(seen)).toEqual([]);
    expect(seen.result.stdout).toContain(logs);
  });
});

test.concurrent('no agent job is created when `since` names a start that does not exist', async () => {
  const seen = await runChanges({ ...push, inputs: { since: 'v9' } });
  expect(seen.prompt).toBeUndefined();
  expect(seen.result.exitCode).toBe(1);
  expect(seen.result.outputs['outcome']).toBe('error');
  expect(annotations(seen.result)[0]).toContain(
    '`since` is `v9`, and GitHub finds no such branch, tag or commit in `acme/app` (HTTP 404). Check the name.',
  );
});

test.concurrent('the step fails at its timeout when GitHub does not answer', async () => {
  await using service = await AgentService.start();
  await using github = await GitHubService.start({ commits: main, fail: () => 'silence' });
  const result = await runAction({
    inputs: { prompt: 'x', changes: 'files', timeout: '2s', wait: 'false', baseUrl: service.url },
    ...onPush(github.url, 'c3', 'c5'),
  });
  expect(service.requests).toEqual([]);
  expect(result.exitCode).toBe(1);
});
