import { describe, expect, test } from 'vitest';
import { annotations, runAction } from '../../support/action.ts';
import { AgentService } from '../../support/agent-service.ts';
import { type Given, runChanges, subjectsOf, warningsOf } from '../../support/changes-run.ts';
import { type Failure, GitHubService, line, onPush } from '../../support/github-service.ts';

const main = line(5);
const push: Given = { event: 'push', payload: { before: 'c3' }, github: { commits: main } };
const nightly: Given = {
  event: 'schedule',
  github: {
    commits: main,
    runs: [
      { id: 500, run_number: 10, head_sha: 'c5', conclusion: 'in_progress' },
      { id: 409, run_number: 9, head_sha: 'c2', conclusion: 'success' },
    ],
  },
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

describe('the agent job is created without the block after', () => {
  test.concurrent.each([
    {
      promise: 'a comparison with 404',
      given: failing(push, '/compare/', { status: 404 }),
      says: 'one of the commits is gone (a force push removes them), or the token lacks `contents: read`',
    },
    {
      promise: 'a comparison with 403',
      given: failing(push, '/compare/', { status: 403 }),
      says: 'Give the workflow job `permissions:` with `contents: read`',
    },
    {
      promise: 'a comparison with 401',
      given: failing(push, '/compare/', { status: 401 }),
      says: 'Check `githubToken`, or leave it out to use the token of the workflow',
    },
    {
      promise: 'a comparison with 500',
      given: failing(push, '/compare/', { status: 500 }),
      says: "Comparing commits failed. GitHub's API answered HTTP 500: `told to fail`",
    },
    {
      promise: 'a comparison that is HTML',
      given: failing(push, '/compare/', { status: 200, body: '<html>Just a moment</html>' }),
      says: "Comparing commits failed. GitHub's answer is not of the expected shape",
    },
    {
      promise: 'a comparison that is null',
      given: failing(push, '/compare/', { status: 200, body: null }),
      says: "Comparing commits failed. GitHub's answer is not of the expected shape",
    },
    {
      promise: 'a list of runs with 403',
      given: failing(nightly, '/actions/', { status: 403 }),
      says: '`actions: read`',
    },
    {
      promise: 'a rate limit of an hour, which is not reported as a missing permission',
      given: failing({ ...nightly, inputs: { since: 'last-success' } }, '/actions/', {
        status: 403,
        body: { message: 'API rate limit exceeded' },
        headers: { 'retry-after': '3600' },
      }),
      says: "GitHub's API answered HTTP 403 (a limit on requests to GitHub's API): `API rate limit exceeded`",
    },
  ])('$promise', async ({ given, says }) => {
    // GitHub is asked again for a third of it.
    const inputs = { paths: 'nothing/**', timeout: '9s', ...given.inputs };
    const seen = await runChanges({ ...given, inputs });
    expect(seen.prompt).toBe('Document it.');
    expect(warningsOf(seen)).toEqual([expect.stringContaining('Could not find out what changed')]);
    expect(warningsOf(seen)[0]).toContain(says);
    expect(seen.result.summary).toContain('Not known');
    expect(seen.result.stderr).toBe('');
  });
});

describe('the agent job is created with the block after one answer with', () => {
  test.concurrent.each([
    { promise: 'HTTP 502', failure: { status: 502 }, logs: 'Changes: ' },
    {
      promise: 'a body that is not JSON',
      failure: { status: 200, body: '{"st' },
      logs: 'Changes: ',
    },
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

describe('no agent job is created', () => {
  test.concurrent.each([
    {
      promise: 'when `since` names a start that does not exist',
      given: { ...push, inputs: { since: 'v9' } },
      says: '`since` is `v9`, and GitHub finds nothing to compare at `v9...c5` in `acme/app` (HTTP 404)',
    },
    {
      promise: 'when the permission for `last-success` is missing',
      given: failing({ ...nightly, inputs: { since: 'last-success' } }, '/actions/', {
        status: 403,
      }),
      says: 'Give the workflow job `permissions:` with `actions: read` and `contents: read`.',
    },
  ])('$promise', async ({ given, says }) => {
    const seen = await runChanges(given);
    expect(seen.prompt).toBeUndefined();
    expect(seen.result.exitCode).toBe(1);
    expect(seen.result.outputs['outcome']).toBe('error');
    expect(annotations(seen.result)[0]).toContain(says);
  });
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

test.concurrent("a deprecation header of GitHub's becomes no command and no text on stderr", async () => {
  const seen = await runChanges(
    failing(push, '/compare/', {
      status: 200,
      body: { status: 'ahead', html_url: 'u', total_commits: 0, commits: [], files: [] },
      headers: {
        deprecation: 'true',
        sunset: '##[error]forged ::error::forged',
        link: '<::error::forged>; rel="deprecation"',
      },
    }),
  );
  expect(seen.result.stderr).toBe('');
  expect(seen.result.stdout).not.toContain('forged');
  expect(seen.prompt).toContain('files (0 of 0)');
});
