import { describe, expect, test } from 'vitest';
import { type Failure, line } from '../../support/github-service.ts';
import { type Given, playChanges, subjectsOf } from '../../support/play.ts';

const commits = line(5);
const push: Given = { eventName: 'push', event: { before: 'c3' }, github: { commits } };

/** Answers requests to a part of the API with a failure, as often as `times` says. */
function failing(given: Given, part: string, failure: Failure | 'silence', times = 99): Given {
  let left = times;
  const fail = (path: string) => {
    if (!path.includes(part) || left === 0) return undefined;
    left -= 1;
    return failure;
  };
  return { ...given, github: { ...given.github, fail } };
}

describe('the step stops before anything is sent after', () => {
  test.concurrent.each([
    {
      promise: 'a comparison and a commit with 404, because the token may not',
      given: failing(push, '/c', { status: 404 }),
      says: ['Give the workflow job `permissions:` with `contents: read`.'],
    },
    {
      promise: 'a pull request with 403 and then a comparison with 403',
      given: failing(
        {
          eventName: 'pull_request',
          event: { pull_request: { number: 5, base: { sha: 'c3' }, head: { sha: 'c5' } } },
          github: { commits },
        },
        '/acme/app/',
        { status: 403 },
      ),
      says: ['with `contents: read` and `pull-requests: read`.'],
    },
    {
      promise: 'a tree with 500',
      given: failing(
        { ...push, event: { before: 'c1' }, sha: 'c302', github: { commits: line(302) } },
        '/git/trees/',
        { status: 500 },
      ),
      says: ['Reading a tree failed', 'Run this workflow job again.'],
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
    {
      promise: 'no answer at all until the timeout',
      given: failing({ ...push, inputs: { timeout: '2s' } }, '/compare/', 'silence'),
      says: ["GitHub's API gave no response"],
    },
  ])('$promise', async ({ given, says }) => {
    const seen = await playChanges({ ...given, inputs: { paths: 'nothing/**', ...given.inputs } });
    expect(seen.prompt).toBeUndefined();
    expect(seen.result.exitCode).toBe(1);
    expect(seen.outputs['outcome']).toBe('error');
    for (const part of says) expect(seen.said[0]).toContain(part);
    expect(seen.said[0]).toContain('No prompt was sent.');
    expect(seen.result.summary).toContain('The changes could not be found');
  });
});

test.concurrent('after a rate limit that passes, which is logged, the block is sent', async () => {
  const limit = { status: 403, headers: { 'retry-after': '1' } };
  const seen = await playChanges(failing(push, '/compare/', limit, 1));
  expect(subjectsOf(seen)).toEqual(['Subject 4', 'Subject 5']);
  expect(seen.warnings).toEqual([]);
  expect(seen.result.stdout).toContain("GitHub's rate limit was reached. Retrying in 1 s.");
});
