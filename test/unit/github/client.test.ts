import { describe, expect } from 'vitest';
import { Cancelled, type Topic } from '../../../src/errors.ts';
import type { ApiFault } from '../../support/github-api.ts';
import { failureOf } from '../git/setup.ts';
import { test } from './open.ts';

/** Meets the first request only. */
function first(fault: ApiFault) {
  let count = 0;
  return () => {
    count += 1;
    return count === 1 ? fault : undefined;
  };
}

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
    ['HTTP 502', { status: 502 }],
  ])('is repeated after %s', async ([, fault], { server, github, runner }) => {
    server.fault = first(fault);
    expect(await github.commit('heads/main')).toMatchObject({ sha: server.tip() });
    const line = 'GET /repos/acme/app/commits/heads/main?per_page=1';
    expect(server.requests).toMatchObject(Array(2).fill({ line, token: 'reader' }));
    expect(runner.log).toEqual([expect.stringMatching(/^Reading a commit .*Trying again in/)]);
  });

  test.for<[what: string, fault: ApiFault, waitMs: number]>([
    ['as long as HTTP 503 asks', limited(503, { 'retry-after': '20' }), 20_000],
    ['a minute if HTTP 403 gives no time', limited(403), 60_000],
    ['a minute if HTTP 429 gives no time', limited(429, {}, {}), 60_000],
    ['a minute if no end is said', limited(403, { 'x-ratelimit-remaining': '0' }), 60_000],
    ['2 s after HTTP 404', { status: 404 }, 2_000],
    ['until the limit of an hour ends', limited(403, HOUR), 601_000],
    ['as long as GraphQL asks', limited(200, { 'retry-after': '20' }, { errors: [SAID] }), 20_000],
  ])('waits %s', async ([, fault, waitMs], { server, github, clock }) => {
    server.fault = first(fault);
    expect(await github.commit('heads/main')).toBeDefined();
    expect(clock.now()).toBeGreaterThanOrEqual(waitMs);
    expect(clock.now()).toBeLessThan(waitMs * 1.2);
  });

  test('fails at once if the limit on requests outlasts half of the time that is left', async ({
    server,
    github,
    clock,
  }) => {
    server.fault = () => limited(429, { 'retry-after': '901' });
    expect(await failureOf(() => github.commit('heads/main'))).toMatchObject({
      topic: 'github',
      message:
        "Reading a commit with GitHub's API failed: HTTP 429, `API rate limit exceeded for installation ID 5.`",
    });
    expect(clock.now()).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  test('tells the debug log of a deprecation, not stderr', async ({ server, github, runner }) => {
    const headers = { deprecation: 'true', sunset: '##[error]forged' };
    server.fault = () => ({ status: 422, headers });
    expect(await github.commit('heads/main')).toBeUndefined();
    expect(runner.debugLog).toEqual([expect.stringContaining('is deprecated')]);
  });

  test('ends with its deadline', async ({ server, github }) => {
    server.fault = () => 'hang';
    const reader = github.with({ deadline: 1_000 });
    const error = await failureOf(() => reader.commit('heads/main'));
    const message = expect.stringContaining('no whole response within 1 s');
    expect(error).toMatchObject({ topic: 'network', message });
    expect(server.requests).toHaveLength(1);
  });

  test.for<[what: string, fault: ApiFault]>([
    ['HTTP 502', { status: 502 }],
    ['a web page with HTTP 404', { status: 404, body: '<html>' }],
  ])(
    'is repeated for about a minute while GitHub sends %s, and nothing counts as missing',
    async ([, fault], { server, github, clock }) => {
      server.fault = () => fault;
      const reading = () => github.isBehind('a'.repeat(40), 'b'.repeat(40));
      expect(await failureOf(reading)).toMatchObject({ topic: 'github' });
      expect(clock.now()).toBeGreaterThan(60_000);
      expect(clock.now()).toBeLessThan(130_000);
    },
  );

  test('ends with the reason of a cancel, also when it is not repeated any more', async ({
    server,
    github,
    clock,
  }) => {
    const cancel = new AbortController();
    const reason = new Cancelled('SIGINT');
    server.fault = () => {
      void clock.sleep(61_000, cancel.signal);
      setTimeout(() => cancel.abort(reason), 20);
      return 'hang';
    };
    const reading = github.with({ signal: cancel.signal }).commit('heads/main');
    await expect(reading).rejects.toBe(reason);
  });
});

const refused = (message: string): ApiFault => ({ status: 403, body: { message } });
const HIDDEN = 'Resource not accessible by integration';
const BLOCKED = 'Although you appear to have the correct authorization …';

test.for<readonly [fault: ApiFault, topic: Topic, said: string, requests: number]>([
  [refused(HIDDEN), 'github-permission', `HTTP 403, \`${HIDDEN}\``, 1],
  [refused(BLOCKED), 'github', `HTTP 403, \`${BLOCKED}\``, 1],
  [{ status: 401 }, 'github-token', 'HTTP 401, `a fault`', 1],
  [{ status: 400, body: '<html>' }, 'github', 'HTTP 400, `no message`', 1],
  [{ status: 404 }, 'github-permission', 'HTTP 404, `a fault`', 2],
  [{ status: 200, body: '<html>' }, 'network', '`unexpected response`', 1],
])('a read fails for good with %j', async ([fault, topic, said, requests], { server, github }) => {
  server.fault = () => fault;
  const error = await failureOf(() => github.compare('v1', 'main'));
  const message = `Comparing two commits with GitHub's API failed: ${said}`;
  expect(error).toMatchObject({ topic, message });
  expect(server.requests).toHaveLength(requests);
});
