import { expect, test } from 'vitest';
import type { HttpRequest } from '../../../src/effects/effects.ts';
import { createHttp } from '../../../src/effects/http.ts';
import { AgentService, reply } from '../../support/agent-service.ts';
import { tls } from '../../support/tls.ts';

const request = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  timeoutMs: 5_000,
  maxAnswerBytes: 100,
  signal: new AbortController().signal,
  graceMs: 0,
  ...more,
});

test('an answer is given whole, with its Retry-After', async () => {
  await using service = await AgentService.start({
    intercept: ({ response }) => reply(response, 503, 'wait', { 'retry-after': '7' }),
  });
  expect(await createHttp().send(request(service.url))).toEqual({
    kind: 'answer',
    status: 503,
    retryAfter: '7',
    body: { text: 'wait' },
  });
});

test('a body is sent as UTF-8 with its length in bytes', async () => {
  await using service = await AgentService.start();
  await createHttp().send(request(service.url, { method: 'POST', body: 'für 😀' }));
  expect(service.requests[0]).toMatchObject({ body: 'für 😀', headers: { 'content-length': '9' } });
});

test('an answer over its limit is refused with its status', async () => {
  await using service = await AgentService.start({
    intercept: ({ response }) => reply(response, 200, 'x'.repeat(101)),
  });
  expect(await createHttp().send(request(service.url))).toMatchObject({
    status: 200,
    body: { fault: 'the answer is larger than 100 bytes' },
  });
});

test('redirects are not followed', async () => {
  await using service = await AgentService.start({
    intercept: ({ response }) => reply(response, 302, '', { location: '/other' }),
  });
  expect(await createHttp().send(request(service.url))).toMatchObject({ status: 302 });
  expect(service.requests).toHaveLength(1);
});

test('a connection that cannot be made is not-sent', async () => {
  expect(await createHttp().send(request('http://127.0.0.1:1/'))).toMatchObject({
    kind: 'not-sent',
    code: 'ECONNREFUSED',
  });
  // Several addresses are tried for a name, and then the fault has no message of its own.
  expect(await createHttp().send(request('http://localhost:1/'))).toMatchObject({
    kind: 'not-sent',
    fault: expect.stringContaining('ECONNREFUSED'),
  });
});

test('a certificate that is not trusted is not-sent, and the service saw no request', async () => {
  await using service = await AgentService.start({ tls });
  const delivery = await createHttp().send(request(service.url, { method: 'POST', body: '{}' }));
  expect(delivery).toMatchObject({ kind: 'not-sent', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  expect(service.requests).toEqual([]);
});

test('no status line is lost; a status line and no whole body is an answer with a fault', async () => {
  const heads = ['', 'HTTP/1.1 429 Slow down\r\ncontent-length: 9\r\n\r\nx'];
  await using service = await AgentService.start({
    intercept: ({ socket }) => {
      socket.end(heads.shift() ?? '');
      return true;
    },
  });
  const http = createHttp();
  expect(await http.send(request(service.url))).toMatchObject({ kind: 'lost' });
  expect(await http.send(request(service.url))).toMatchObject({
    status: 429,
    body: { fault: 'the connection was closed in the middle of the answer' },
  });
});

test('the time limit covers the whole request', async () => {
  await using service = await AgentService.start({ intercept: () => true });
  expect(await createHttp().send(request(service.url, { timeoutMs: 50 }))).toEqual({
    kind: 'lost',
    fault: 'no whole answer within 0 s',
  });
});

test('nothing is sent after a cancel', async () => {
  await using service = await AgentService.start();
  const delivery = await createHttp().send(request(service.url, { signal: AbortSignal.abort() }));
  expect(delivery).toMatchObject({ kind: 'not-sent', code: 'ABORTED' });
  expect(service.connections).toBe(0);
});

test('a cancel breaks off a request at once, or after the grace of a write', async () => {
  let abort = new AbortController();
  await using service = await AgentService.start({
    intercept: () => {
      abort.abort();
      return true;
    },
  });
  const cancelled = { kind: 'lost', fault: 'the step was cancelled' };
  const http = createHttp();
  expect(await http.send(request(service.url, { signal: abort.signal }))).toEqual(cancelled);

  abort = new AbortController();
  const started = performance.now();
  const write = { method: 'POST', body: '{}', signal: abort.signal, graceMs: 300 } as const;
  expect(await http.send(request(service.url, write))).toEqual(cancelled);
  expect(performance.now() - started).toBeGreaterThanOrEqual(299);
});

test('reads share a connection, a write gets its own, and close leaves none', async () => {
  await using service = await AgentService.start({
    intercept: ({ response }) => reply(response, 200, '{}'),
  });
  const http = createHttp();
  await http.send(request(service.url));
  await http.send(request(service.url));
  await http.send(request(service.url, { method: 'POST', body: '{}' }));
  expect(service.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
  http.close();
  await expect.poll(() => service.sockets.size).toBe(0);
});
