import { describe, expect } from 'vitest';
import { Cancelled } from '../../../src/errors.ts';
import { FakeGitHub } from '../../support/github.ts';
import type { ApiFault } from '../../support/github-api.ts';
import { open, test } from './open.ts';

/** Meets the first request only. */
function first(fault: ApiFault) {
  let count = 0;
  return () => {
    count += 1;
    return count === 1 ? fault : undefined;
  };
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => error);

const SAID = { message: 'API rate limit exceeded for installation ID 5.' };
const HOUR = {
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': `${Date.UTC(2026, 10, 2, 9, 10) / 1_000}`,
};
const limited = (status: number, headers = {}, body: object = SAID) => ({ status, headers, body });

describe.concurrent('a read', () => {
  test.for<[what: string, fault: ApiFault]>([
    ['a cut response', 'cut'],
    ['HTTP 408', { status: 408 }],
    ['HTTP 425', { status: 425 }],
    ['HTTP 502', { status: 502 }],
  ])('is repeated after %s', async ([, fault], { server }) => {
    server.fault = first(fault);
    const { github, runner } = open(server);
    expect(await github.commit('heads/main')).toMatchObject({ sha: server.tip() });
    const request = {
      line: 'GET /repos/acme/app/commits/heads/main?per_page=1',
      token: 'reader',
    };
    expect(server.requests).toMatchObject([request, request]);
    expect(runner.log).toEqual([expect.stringMatching(/^Reading a commit .*Trying again in/)]);
  });

  test.for<[what: string, fault: ApiFault, waitMs: number]>([
    ['as long as HTTP 503 asks', limited(503, { 'retry-after': '20' }), 20_000],
    ['a minute if HTTP 403 gives no time', limited(403), 60_000],
    ['a minute if HTTP 429 gives no time', limited(429, {}, {}), 60_000],
    ['until the limit of an hour ends', limited(403, HOUR), 601_000],
    ['as long as GraphQL asks', limited(200, { 'retry-after': '20' }, { errors: [SAID] }), 20_000],
  ])('waits %s', async ([, fault, waitMs], { server }) => {
    server.fault = first(fault);
    const { github, clock } = open(server);
    expect(await github.commit('heads/main')).toBeDefined();
    expect(clock.now()).toBeGreaterThanOrEqual(waitMs);
    expect(clock.now()).toBeLessThan(waitMs * 1.2);
  });

  test('fails at once if the limit on requests outlasts half of the time that is left', async ({
    server,
  }) => {
    server.fault = () => limited(429, { 'retry-after': '901' });
    const { github, clock } = open(server);
    expect(await failureOf(github.commit('heads/main'))).toMatchObject({
      topic: 'github',
      message:
        "Reading a commit with GitHub's API failed: HTTP 429, `API rate limit exceeded for installation ID 5.`. Re-run the failed jobs once that is resolved.",
    });
    expect(clock.now()).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  test('follows no redirect, which could lead the token to another server', async ({ server }) => {
    await using other = await FakeGitHub.start();
    server.fault = () => ({ status: 301, headers: { location: other.url } });
    const error = await failureOf(open(server).github.commit('heads/main'));
    expect(error).toMatchObject({ topic: 'github', message: expect.stringContaining('HTTP 301') });
    expect(other.requests).toEqual([]);
  });

  test('tells the debug log of a deprecation, not stderr', async ({ server }) => {
    const headers = { deprecation: 'true', sunset: '##[error]forged' };
    server.fault = () => ({ status: 404, headers });
    const { github, runner } = open(server);
    expect(await github.commit('heads/main')).toBeUndefined();
    expect(runner.debugLog).toEqual([expect.stringContaining('is deprecated')]);
  });

  test('ends with the time of the step', async ({ server }) => {
    server.fault = () => 'hang';
    const error = await failureOf(open(server, { deadline: 1_000 }).github.commit('heads/main'));
    const message = expect.stringContaining('no whole response within 1 s');
    expect(error).toMatchObject({ topic: 'network', message });
    expect(server.requests).toHaveLength(1);
  });

  test('is repeated for about a minute while GitHub is away', async ({ server }) => {
    server.fault = () => ({ status: 502 });
    const { github, clock } = open(server);
    expect(await failureOf(github.compare('a', 'b'))).toMatchObject({ topic: 'github' });
    expect(clock.now()).toBeGreaterThan(60_000);
    expect(clock.now()).toBeLessThan(130_000);
  });

  test.for<[what: string, fault: ApiFault, topic: string, message: RegExp]>([
    [
      'a missing permission',
      { status: 403, body: { message: 'Resource not accessible by integration' } },
      'permissions',
      /Give the workflow job `contents: read`, and start a new run\.$/,
    ],
    [
      'a list of allowed addresses',
      { status: 403, body: { message: 'Although you appear to have the correct authorization …' } },
      'github',
      /HTTP 403, `Although .*Re-run/,
    ],
    ['a wrong token', { status: 401 }, 'permissions', /HTTP 401.*Correct `githubToken`/],
    ['an error page', { status: 400, body: '<html>' }, 'github', /HTTP 400, `no message`/],
    ['HTTP 404', { status: 404 }, 'permissions', /HTTP 404.*Give the workflow job/],
    ['a page of a proxy', { status: 200, body: '<html>' }, 'network', /unexpected response/],
  ])('fails at once after %s', async ([, fault, topic, message], { server }) => {
    server.fault = () => fault;
    const error = await failureOf(open(server).github.compare('v1', 'main'));
    expect(error).toMatchObject({ topic, message: expect.stringMatching(message) });
    expect(server.requests).toHaveLength(1);
  });

  test('ends with the reason of a cancel', async ({ server }) => {
    const cancel = new AbortController();
    const reason = new Cancelled('SIGINT');
    server.fault = () => {
      setTimeout(() => cancel.abort(reason), 20);
      return 'hang';
    };
    const { github } = open(server, { signal: cancel.signal });
    expect(await failureOf(github.commit('heads/main'))).toBe(reason);
  });
});
