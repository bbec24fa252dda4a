import { describe, expect, test } from 'vitest';
import { type Failure, line } from '../../support/github-service.ts';
import { type Given, playChanges } from '../../support/play.ts';

const commits = line(5);
const push: Given = { eventName: 'push', event: { before: 'c3' }, github: { commits } };

/** Answers requests to a part of the API with a failure. */
function failing(given: Given, part: string, failure: Failure | 'silence'): Given {
  const fail = (path: string) => (path.includes(part) ? failure : undefined);
  return { ...given, github: { ...given.github, fail } };
}

describe('the step stops before anything is sent after', () => {
  test.concurrent.each([
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
