import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HttpRequest } from '../../../src/effects/effects.ts';
import { createHttp, errorText } from '../../../src/effects/http.ts';
import { CancelledError } from '../../../src/model/run-error.ts';
import { AgentService, reply } from '../../support/agent-service.ts';
import { requestTo } from '../../support/fakes.ts';
import { RawServer } from '../../support/loopback.ts';
import { tls, trustAuthority } from '../../support/tls.ts';

const open = () => createHttp([]);
const secure = (url: string) => url.replace('http:', 'https:');
const WRITE = { method: 'POST', body: '{}' } as const;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What becomes of one request. */
const send = (url: string, more?: Partial<HttpRequest>) => open().send(requestTo(url, more));

/** A service that answers every request so, after a while. */
const answering = (status: number, body: string, headers: Record<string, string> = {}, ms = 0) =>
  AgentService.start({
    intercept: async ({ response }) => {
      if (ms > 0) await pause(ms);
      return reply(response, status, body, headers);
    },
  });

/** A service that never answers. */
const silent = () => AgentService.start({ intercept: () => true });

test('a response is returned whole, with its Retry-After, even if it contains the credentials of a proxy', async () => {
  await using service = await answering(503, 'wait hunter2', { 'retry-after': '7' });
  expect(await createHttp(['hunter2']).send(requestTo(service.url))).toMatchObject({
    kind: 'response',
    status: 503,
    headers: { 'retry-after': '7' },
    body: { text: 'wait hunter2' },
  });
});

test('a body is sent as UTF-8 with its length in bytes and the given headers', async () => {
  await using service = await AgentService.start();
  const headers = { authorization: 'Bearer key' };
  await send(service.url, { method: 'POST', body: 'für 😀', headers });
  expect(service.requests[0]).toMatchObject({
    body: 'für 😀',
    headers: { 'content-length': '9', authorization: 'Bearer key' },
  });
  expect(service.requests[0]?.headers).not.toHaveProperty('transfer-encoding');
});

test('only a response over its limit is refused, with its status', async () => {
  const tooLarge = { error: 'the response is larger than 100 bytes' };
  await using service = await answering(200, 'x'.repeat(101));
  expect(await send(service.url)).toMatchObject({ status: 200, body: tooLarge });
  const limit = { maxResponseBytes: 101 };
  expect(await send(service.url, limit)).toMatchObject({ body: { text: 'x'.repeat(101) } });
});

test('redirects are not followed', async () => {
  await using service = await answering(302, '', { location: '/other' });
  expect(await send(service.url)).toMatchObject({ status: 302 });
  expect(service.requests).toHaveLength(1);
});

test('a request is not-sent when no connection can be made', async () => {
  const refused = { kind: 'not-sent', code: 'ECONNREFUSED' };
  expect(await send('http://127.0.0.1:1/')).toMatchObject(refused);
  // For a host name several addresses are tried, and then the error has no message.
  const error = expect.stringContaining('ECONNREFUSED');
  expect(await send('http://localhost:1/')).toMatchObject({ kind: 'not-sent', error });
});

test('a request is not-sent when the certificate is not trusted, and the service sees no request', async () => {
  await using service = await AgentService.start({ tls });
  const untrusted = { kind: 'not-sent', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' };
  expect(await send(service.url, WRITE)).toMatchObject(untrusted);
  expect(service.requests).toEqual([]);
});

test('a request is lost without a status line, and an answer with an error without a whole body', async () => {
  const heads = ['', 'HTTP/1.1 429 Slow down\r\ncontent-length: 9\r\n\r\nx'];
  await using service = await AgentService.start({
    intercept: ({ socket }) => {
      socket.end(heads.shift() ?? '');
      return true;
    },
  });
  expect(await send(service.url)).toMatchObject({ kind: 'lost' });
  expect(await send(service.url)).toMatchObject({
    status: 429,
    body: { error: 'the connection was closed before the whole response had come', received: 'x' },
  });
});

/** Longer than what the system takes of a request that nobody reads. */
const LARGE_BODY = 'x'.repeat(32 * 1024 * 1024);

/** A server that calls a function with each connection, once its first bytes have arrived. */
const rawServer = (behave: (socket: Socket) => void, options?: typeof tls) =>
  RawServer.start((socket) => {
    socket.pause();
    behave(socket);
  }, options);

// Whether the other side has the last byte of a request cannot be known on every system.
describe('a request whose body is cut on the way', () => {
  const write = { method: 'POST', body: LARGE_BODY } as const;

  test('is lost when the connection is reset', async () => {
    await using server = await rawServer((socket) => void socket.resetAndDestroy());
    expect(await send(server.url, write)).toMatchObject({ kind: 'lost' });
  });

  test('is lost when the connection is closed, over TLS too', async () => {
    onTestFinished(trustAuthority());
    await using server = await rawServer((socket) => void socket.destroy(), tls);
    expect(await send(secure(server.url), write)).toMatchObject({ kind: 'lost' });
  });

  test('is lost when the other side stops reading', async () => {
    await using server = await rawServer(() => undefined);
    const responseLimit = { minMs: 300, maxMs: 300 };
    expect(await send(server.url, { ...write, responseLimit })).toEqual({
      kind: 'lost',
      error: 'no whole response within 0 s',
    });
  });

  test('has the response that comes before its last byte left, and is then closed', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await rawServer((socket) => {
      socket.on('close', () => closed.resolve());
      socket.write('HTTP/1.1 413 Too large\r\ncontent-length: 2\r\n\r\nno', () => socket.resume());
    });
    expect(await send(server.url, write)).toMatchObject({ status: 413, body: { text: 'no' } });
    await closed.promise;
  });
});

describe('the limit of a response', () => {
  test('is no shorter than its least, even past the time of the request', async () => {
    await using service = await answering(200, 'late', {}, 300);
    const limits = { timeoutMs: 50, responseLimit: { minMs: 15_000, maxMs: 15_000 } };
    const late = { body: { text: 'late' } };
    expect(await send(service.url, { ...WRITE, ...limits })).toMatchObject(late);
  });

  test('is no longer than its most, however much time the request has', async () => {
    await using service = await silent();
    const limits = { timeoutMs: 3_600_000, responseLimit: { minMs: 20, maxMs: 50 } };
    const lost = { kind: 'lost', error: 'no whole response within 0 s' };
    expect(await send(service.url, { ...WRITE, ...limits })).toEqual(lost);
  });

  test('holds for one that trickles', async () => {
    await using service = await AgentService.start({
      intercept: ({ response }) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(timer));
        return true;
      },
    });
    const limits = { timeoutMs: 100, responseLimit: { minMs: 500, maxMs: 500 } };
    expect(await send(service.url, { ...WRITE, ...limits })).toMatchObject({
      body: { error: 'no whole response within 1 s' },
    });
  });
});

test.each([
  { what: 'read', limits: { timeoutMs: 2_000 } },
  { what: 'write', limits: { ...WRITE, responseLimit: { minMs: 2_000, maxMs: 2_000 } } },
])(
  'a process that was stopped reads the response to a $what before it calls it late',
  async (row) => {
    const holdProcess = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
    await using service = await AgentService.start({
      intercept: ({ response }) => {
        reply(response, 200, 'in time');
        // What was sent lies in the socket then, and the time is over.
        setImmediate(holdProcess);
        return true;
      },
    });
    expect(await send(service.url, row.limits)).toMatchObject({ body: { text: 'in time' } });
  },
);

test('the head of a response is read with 63 kB of headers, and not with more than 64 kB', async () => {
  await using service = await answering(201, '{}', { 'x-long': 'h'.repeat(63 * 1024) });
  expect(await send(service.url)).toMatchObject({ body: { text: '{}' } });
  await using larger = await answering(201, '{}', { 'x-long': 'h'.repeat(64 * 1024) });
  const error = 'the response has more than 64 kB of headers';
  expect(await send(larger.url)).toEqual({ kind: 'lost', error });
});

test('a response in many chunks is joined in order', async () => {
  const digits = Array.from({ length: 3_000 }, (_, n) => `${n},`);
  await using service = await AgentService.start({
    intercept: ({ response }) => {
      for (const chunk of digits) response.write(chunk);
      response.end();
      return true;
    },
  });
  const whole = { body: { text: digits.join('') } };
  expect(await send(service.url, { maxResponseBytes: 100_000 })).toMatchObject(whole);
});

test('the time limit for the connection no longer applies once the request is sent', async () => {
  await using service = await answering(200, 'late', {}, 300);
  const limits = { connectTimeoutMs: 150, timeoutMs: 15_000 };
  expect(await send(service.url, limits)).toMatchObject({ body: { text: 'late' } });
});

test('a request to a server that does not speak TLS is not-sent, and the error is readable', async () => {
  await using service = await AgentService.start();
  // The words are OpenSSL's, and change with its versions.
  expect(await send(secure(service.url))).toEqual({
    kind: 'not-sent',
    error: expect.stringMatching(/^TLS error: (?:wrong version number|packet length too long)$/),
    code: expect.stringMatching(/^ERR_SSL_/),
  });
});

const severalErrors = new AggregateError([new Error('a'), new Error('b')]);
const opensslError = new Error('40:error:0A000126:SSL routines::eof:../ssl:1');
test.each([
  ['of several addresses has each', severalErrors, 'Error: a; Error: b'],
  ['without a text is its code', Object.assign(new Error(''), { code: 'ENONE' }), 'ENONE'],
  ['without a code is its name', new TypeError(''), 'TypeError'],
  ['of OpenSSL is its reason', Object.assign(opensslError, { reason: 'eof' }), 'TLS error: eof'],
  ['of any other kind is its message', new Error('socket hang up'), 'socket hang up'],
])('the text of an error %s', (_promise, error, text) => {
  expect(errorText(error)).toBe(text);
});

test('a request that timed out leaves no connection and no timer', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
  await using service = await silent();
  const before = timers().length;
  const limits = { connectTimeoutMs: 3_600_000, timeoutMs: 50 };
  const lost = { kind: 'lost', error: 'no whole response within 0 s' };
  expect(await send(service.url, { ...limits, ...WRITE })).toEqual(lost);
  expect(timers().length).toBeLessThanOrEqual(before);
  await expect.poll(() => service.sockets.size).toBe(0);
});

test('a request that is over no longer listens for a cancel', async () => {
  const { signal } = new AbortController();
  await using service = await AgentService.start();
  await send(service.url, { signal });
  await send('http://127.0.0.1:1/', { signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('nothing is sent after a cancel', async () => {
  await using service = await AgentService.start();
  const signal = AbortSignal.abort(new CancelledError('SIGTERM'));
  const notSent = { kind: 'not-sent', code: 'ABORTED' };
  expect(await send(service.url, { signal })).toMatchObject(notSent);
  expect(service.connections).toBe(0);
});

test('a cancel or an unexpected error aborts a read at once, and a cancel a write after its grace', async () => {
  let [abort, reason]: [AbortController, Error] = [new AbortController(), new TypeError('a bug')];
  await using service = await AgentService.start({
    intercept: () => {
      abort.abort(reason);
      return true;
    },
  });
  const stopped = { kind: 'lost', error: 'the run was stopped by an error' };
  expect(await send(service.url, { signal: abort.signal })).toEqual(stopped);

  [abort, reason] = [new AbortController(), new CancelledError('SIGTERM')];
  const cancelled = { kind: 'lost', error: 'the step was cancelled' };
  expect(await send(service.url, { signal: abort.signal })).toEqual(cancelled);

  abort = new AbortController();
  const started = performance.now();
  const write = { ...WRITE, signal: abort.signal, graceMs: 300 };
  expect(await send(service.url, write)).toEqual(cancelled);
  expect(performance.now() - started).toBeGreaterThanOrEqual(299);
});

test.each([
  { over: 'TCP', options: {} },
  { over: 'TLS', options: { tls } },
])('over $over reads share a connection, and a write gets its own', async ({ options }) => {
  onTestFinished(trustAuthority());
  await using service = await AgentService.start(options);
  const http = open();
  const connections: number[] = [];
  for (const more of [{}, {}, WRITE, {}]) {
    expect(await http.send(requestTo(service.url, more))).toMatchObject({ kind: 'response' });
    connections.push(service.connections);
  }
  expect(connections).toEqual([1, 1, 2, 2]);
  expect(service.requests[2]?.body).toBe('{}');
  // It closes them all.
  http.close();
  await expect.poll(() => service.sockets.size).toBe(0);
});

// Without an answer to its first bytes, no TLS handshake ends.
test('a request is not-sent when the connection takes too long', async () => {
  await using port = await rawServer(() => undefined);
  expect(await send(secure(port.url), { connectTimeoutMs: 50 })).toEqual({
    kind: 'not-sent',
    error: 'no connection within 0 s',
    code: 'ETIMEDOUT',
  });
});

test('a cancel gives no grace to a write that was not sent yet', async () => {
  const abort = new AbortController();
  await using port = await rawServer(() => abort.abort(new CancelledError('SIGTERM')));
  const write = { ...WRITE, graceMs: 3_600_000, signal: abort.signal };
  // Without grace the cancel ends the request. With grace this limit would.
  const limits = { connectTimeoutMs: 15_000, timeoutMs: 15_000 };
  const cancelled = { kind: 'not-sent', error: 'the step was cancelled', code: 'ABORTED' };
  expect(await send(secure(port.url), { ...write, ...limits })).toEqual(cancelled);
});

test('an unexpected error leaves a write its full time, and is not reported as a cancel', async () => {
  const abort = new AbortController();
  await using service = await AgentService.start({
    intercept: async ({ response }) => {
      abort.abort(new TypeError('a bug'));
      await pause(100);
      return reply(response, 201, 'created');
    },
  });
  const { signal } = abort;
  const created = { body: { text: 'created' } };
  expect(await send(service.url, { ...WRITE, signal, graceMs: 10 })).toMatchObject(created);
  const stopped = { kind: 'not-sent', error: 'the run was stopped by an error' };
  expect(await send(service.url, { signal })).toMatchObject(stopped);
});

test("no error contains a proxy's credentials", async () => {
  const delivery = await createHttp(['hunter2']).send(requestTo('http://hunter2.invalid/'));
  const error = expect.stringContaining('***.invalid');
  expect(delivery).toMatchObject({ kind: 'not-sent', error });
});

test.each([
  { promise: 'more bytes than its length', extra: 'junk' },
  { promise: 'a line that is not HTTP', extra: '\r\n\r\n' },
])('an answer that is followed by $promise is not lost', async ({ extra }) => {
  const body = '{"id":"job_1"}';
  const raw = `HTTP/1.1 201 Created\r\ncontent-length: ${body.length}\r\n\r\n${body}${extra}`;
  await using service = await AgentService.start({
    intercept: ({ socket }) => {
      socket.end(raw);
      return true;
    },
  });
  const delivery = await send(service.url, WRITE);
  const texts = [{ kind: 'whole', text: body }, expect.objectContaining({ received: body })];
  expect(delivery).toMatchObject({ kind: 'response', status: 201 });
  expect(texts).toContainEqual(delivery.kind === 'response' ? delivery.body : undefined);
});
