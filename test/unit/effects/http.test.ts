import { getEventListeners, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { ClientRequest } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { HttpRequest } from '../../../src/effects/effects.ts';
import { createHttp, errorText } from '../../../src/effects/http.ts';
import { CancelledError } from '../../../src/lib/errors.ts';
import { AgentService, reply } from '../../support/agent-service.ts';
import { AUTHORITY_FILE, tls } from '../../support/tls.ts';

const open = () => createHttp([]);
const secure = (url: string) => url.replace('http:', 'https:');

const request = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  connectTimeoutMs: 5_000,
  timeoutMs: 5_000,
  maxResponseBytes: 100,
  signal: new AbortController().signal,
  graceMs: 0,
  ...more,
});

/** A service that answers every request so. */
const answering = (...[status, body, headers]: [number, string, Record<string, string>?]) =>
  AgentService.start({ intercept: ({ response }) => reply(response, status, body, headers) });

test('a response is returned whole, with its Retry-After, even if it contains the credentials of a proxy', async () => {
  await using service = await answering(503, 'wait hunter2', { 'retry-after': '7' });
  expect(await createHttp(['hunter2']).send(request(service.url))).toMatchObject({
    kind: 'response',
    status: 503,
    headers: { 'retry-after': '7' },
    body: { text: 'wait hunter2' },
  });
});

test('a body is sent as UTF-8 with its length in bytes and the given headers', async () => {
  await using service = await AgentService.start();
  const headers = { authorization: 'Bearer key' };
  await open().send(request(service.url, { method: 'POST', body: 'für 😀', headers }));
  expect(service.requests[0]).toMatchObject({
    body: 'für 😀',
    headers: { 'content-length': '9', authorization: 'Bearer key' },
  });
  expect(service.requests[0]?.headers).not.toHaveProperty('transfer-encoding');
});

test('a response over its limit is refused with its status', async () => {
  await using service = await answering(200, 'x'.repeat(101));
  expect(await open().send(request(service.url))).toMatchObject({
    status: 200,
    body: { error: 'the response is larger than 100 bytes' },
  });
});

test('a response that is as large as the limit is returned whole', async () => {
  await using service = await answering(200, 'x'.repeat(100));
  expect(await open().send(request(service.url))).toMatchObject({
    body: { text: 'x'.repeat(100) },
  });
});

test('redirects are not followed', async () => {
  await using service = await answering(302, '', { location: '/other' });
  expect(await open().send(request(service.url))).toMatchObject({ status: 302 });
  expect(service.requests).toHaveLength(1);
});

test('a request is not-sent when no connection can be made', async () => {
  expect(await open().send(request('http://127.0.0.1:1/'))).toMatchObject({
    kind: 'not-sent',
    code: 'ECONNREFUSED',
  });
  // For a host name several addresses are tried, and then the error has no message.
  expect(await open().send(request('http://localhost:1/'))).toMatchObject({
    kind: 'not-sent',
    error: expect.stringContaining('ECONNREFUSED'),
  });
});

test('a request is not-sent when the certificate is not trusted, and the service sees no request', async () => {
  await using service = await AgentService.start({ tls });
  const delivery = await open().send(request(service.url, { method: 'POST', body: '{}' }));
  expect(delivery).toMatchObject({ kind: 'not-sent', code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
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
  const http = open();
  expect(await http.send(request(service.url))).toMatchObject({ kind: 'lost' });
  expect(await http.send(request(service.url))).toMatchObject({
    status: 429,
    body: { error: 'the connection was closed before the whole response had come', received: 'x' },
  });
});

/** Longer than what the system takes of a request that nobody reads. */
const LARGE_BODY = 'x'.repeat(32 * 1024 * 1024);

/** A server that calls a function with each connection, once its first bytes have arrived. */
async function rawServer(behave: (socket: net.Socket) => void, isSecure = false) {
  const sockets = new Set<net.Socket>();
  const onConnection = (socket: net.Socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => {
      socket.pause();
      behave(socket);
    });
  };
  const server = isSecure ? createServer(tls, onConnection) : net.createServer(onConnection);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http${isSecure ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a request whose body is cut on the way', () => {
  test.each([
    { how: 'is reset', cut: (socket: net.Socket) => void socket.resetAndDestroy() },
    { how: 'is closed', cut: (socket: net.Socket) => void socket.destroy() },
  ])('is not-sent when the connection $how', async ({ cut }) => {
    await using server = await rawServer(cut);
    const sent = request(server.url, { method: 'POST', body: LARGE_BODY });
    expect(await open().send(sent)).toMatchObject({ kind: 'not-sent', isCut: true });
  });

  test('is not-sent over TLS too, and lost once its last byte has left', async () => {
    trustAuthority();
    await using server = await rawServer((socket) => void socket.destroy(), true);
    const write = (body: string) => open().send(request(server.url, { method: 'POST', body }));
    expect(await write(LARGE_BODY)).toMatchObject({ kind: 'not-sent', isCut: true });
    expect(await write('{}')).toMatchObject({ kind: 'lost' });
  });

  test('is not-sent when the other side stops reading', async () => {
    await using server = await rawServer(() => undefined);
    const sent = request(server.url, {
      method: 'POST',
      body: LARGE_BODY,
      responseLimit: { minMs: 300, maxMs: 300 },
    });
    expect(await open().send(sent)).toEqual({
      kind: 'not-sent',
      error: 'no whole response within 0 s',
      code: '',
      isCut: true,
    });
  });

  test('has the response that comes before its last byte left, and is then closed', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await rawServer((socket) => {
      socket.on('close', () => closed.resolve());
      socket.write('HTTP/1.1 413 Too large\r\ncontent-length: 2\r\n\r\nno', () => socket.resume());
    });
    const sent = request(server.url, { method: 'POST', body: LARGE_BODY });
    expect(await open().send(sent)).toMatchObject({ status: 413, body: { text: 'no' } });
    await closed.promise;
  });

  // Node reports a failed write to its callback first, and then as an error of the request:
  // https://github.com/nodejs/node/blob/main/lib/internal/streams/writable.js (`onwriteError`)
  test('is not-sent when its last bytes could not be written', async () => {
    vi.spyOn(ClientRequest.prototype, 'write').mockImplementationOnce(function (
      this: ClientRequest,
      _body: unknown,
      written: unknown,
    ) {
      const error = new Error('write EPIPE');
      (written as (error: Error) => void)(error);
      this.destroy(error);
      return false;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    await using server = await rawServer(() => undefined);
    const sent = request(server.url, { method: 'POST', body: '{}' });
    expect(await open().send(sent)).toMatchObject({ kind: 'not-sent', isCut: true });
  });

  test('is lost once its last byte has left, however small it is', async () => {
    await using server = await rawServer((socket) => void socket.resetAndDestroy());
    const sent = request(server.url, { method: 'POST', body: '{}' });
    expect(await open().send(sent)).toMatchObject({ kind: 'lost' });
  });
});

describe('the limit of a response', () => {
  const late = (ms: number) =>
    AgentService.start({
      intercept: async ({ response }) => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return reply(response, 200, 'late');
      },
    });
  const write = { method: 'POST', body: '{}' } as const;

  test('is no shorter than its least, even past the time of the request', async () => {
    await using service = await late(300);
    const limits = { timeoutMs: 50, responseLimit: { minMs: 15_000, maxMs: 15_000 } };
    expect(await open().send(request(service.url, { ...write, ...limits }))).toMatchObject({
      body: { text: 'late' },
    });
  });

  test('is no longer than its most, however much time the request has', async () => {
    await using service = await AgentService.start({ intercept: () => true });
    const limits = { timeoutMs: 3_600_000, responseLimit: { minMs: 20, maxMs: 50 } };
    expect(await open().send(request(service.url, { ...write, ...limits }))).toEqual({
      kind: 'lost',
      error: 'no whole response within 0 s',
    });
  });
});

describe('the head of a response', () => {
  const headed = (bytes: number) => answering(201, '{}', { 'x-long': 'h'.repeat(bytes) });

  test.each([{ kB: 17 }, { kB: 63 }])('is read with $kB kB of headers', async ({ kB }) => {
    await using service = await headed(kB * 1024);
    expect(await open().send(request(service.url))).toMatchObject({ body: { text: '{}' } });
  });

  test('is refused with more than 64 kB of headers', async () => {
    await using service = await headed(64 * 1024);
    expect(await open().send(request(service.url))).toEqual({
      kind: 'lost',
      error: 'the response has more than 64 kB of headers',
    });
  });
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
  expect(await open().send(request(service.url, { maxResponseBytes: 100_000 }))).toMatchObject({
    body: { text: digits.join('') },
  });
});

test('the time limit for the connection no longer applies once the request is sent', async () => {
  await using service = await AgentService.start({
    intercept: async ({ response }) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return reply(response, 200, 'late');
    },
  });
  const limits = { connectTimeoutMs: 150, timeoutMs: 15_000 };
  expect(await open().send(request(service.url, limits))).toMatchObject({ body: { text: 'late' } });
});

test('a request to a server that does not speak TLS is not-sent, and the error is readable', async () => {
  await using service = await AgentService.start();
  // The words are OpenSSL's, and change with its versions.
  expect(await open().send(request(secure(service.url)))).toEqual({
    kind: 'not-sent',
    error: expect.stringMatching(/^TLS error: (?:wrong version number|packet length too long)$/),
    code: expect.stringMatching(/^ERR_SSL_/),
  });
});

function trustAuthority(): void {
  const systemCertificates = getCACertificates();
  setDefaultCACertificates([readFileSync(AUTHORITY_FILE, 'utf8')]);
  onTestFinished(() => setDefaultCACertificates(systemCertificates));
}

test('requests over TLS are sent after the handshake, and reads share a connection', async () => {
  trustAuthority();
  await using service = await AgentService.start({ tls });
  const http = open();
  await http.send(request(service.url));
  await http.send(request(service.url));
  expect(service.connections).toBe(1);
  const write = { method: 'POST', body: '{"prompt":"x"}' } as const;
  expect(await http.send(request(service.url, write))).toMatchObject({ kind: 'response' });
  expect(service.connections).toBe(2);
  expect(service.requests[2]?.body).toBe('{"prompt":"x"}');
  http.close();
});

test.each([
  {
    promise: 'for several addresses names each of them',
    error: new AggregateError([new Error('ECONNREFUSED ::1'), new Error('ECONNREFUSED 127.0.0.1')]),
    text: 'Error: ECONNREFUSED ::1; Error: ECONNREFUSED 127.0.0.1',
  },
  {
    promise: 'without a text of its own is the code',
    error: Object.assign(new Error(''), { code: 'ECONNRESET' }),
    text: 'ECONNRESET',
  },
  { promise: 'without a code is the name', error: new TypeError(''), text: 'TypeError' },
  {
    promise: 'from OpenSSL is the reason',
    error: Object.assign(new Error('40:error:0A000126:SSL routines::eof:../ssl:1'), {
      reason: 'eof',
    }),
    text: 'TLS error: eof',
  },
  {
    promise: 'of any other kind is its message',
    error: new Error('socket hang up'),
    text: 'socket hang up',
  },
])('the text of an error $promise', ({ error, text }) => {
  expect(errorText(error)).toBe(text);
});

test('a request that timed out leaves no connection and no timer', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
  await using service = await AgentService.start({ intercept: () => true });
  const before = timers().length;
  const limits = { connectTimeoutMs: 3_600_000, timeoutMs: 50 };
  const sent = request(service.url, { ...limits, method: 'POST', body: '{}' });
  expect(await open().send(sent)).toEqual({
    kind: 'lost',
    error: 'no whole response within 0 s',
  });
  expect(timers().length).toBeLessThanOrEqual(before);
  await expect.poll(() => service.sockets.size).toBe(0);
});

test('a request that is over no longer listens for a cancel', async () => {
  const { signal } = new AbortController();
  await using service = await AgentService.start();
  await open().send(request(service.url, { signal }));
  await open().send(request('http://127.0.0.1:1/', { signal }));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('nothing is sent after a cancel', async () => {
  await using service = await AgentService.start();
  const delivery = await open().send(
    request(service.url, { signal: AbortSignal.abort(new CancelledError('SIGTERM')) }),
  );
  expect(delivery).toMatchObject({ kind: 'not-sent', code: 'ABORTED' });
  expect(service.connections).toBe(0);
});

test('a cancel or an unexpected error aborts a read at once, and a cancel a write after its grace', async () => {
  let abort = new AbortController();
  let reason: Error = new TypeError('a bug');
  await using service = await AgentService.start({
    intercept: () => {
      abort.abort(reason);
      return true;
    },
  });
  const cancelled = { kind: 'lost', error: 'the step was cancelled' };
  const http = open();
  const stopped = { kind: 'lost', error: 'the run was stopped by an error' };
  expect(await http.send(request(service.url, { signal: abort.signal }))).toEqual(stopped);

  abort = new AbortController();
  reason = new CancelledError('SIGTERM');
  expect(await http.send(request(service.url, { signal: abort.signal }))).toEqual(cancelled);

  abort = new AbortController();
  const started = performance.now();
  const write = { method: 'POST', body: '{}', signal: abort.signal, graceMs: 300 } as const;
  expect(await http.send(request(service.url, write))).toEqual(cancelled);
  expect(performance.now() - started).toBeGreaterThanOrEqual(299);
});

test('reads share a connection, a write gets its own, and close() closes all', async () => {
  await using service = await AgentService.start({
    intercept: ({ response }) => reply(response, 200, '{}'),
  });
  const http = open();
  await http.send(request(service.url));
  await http.send(request(service.url));
  await http.send(request(service.url, { method: 'POST', body: '{}' }));
  await http.send(request(service.url));
  expect(service.requests.map(({ connection }) => connection)).toEqual([1, 1, 2, 1]);
  http.close();
  await expect.poll(() => service.sockets.size).toBe(0);
});

test('the limit of a request does not end a later one on the same connection', async () => {
  await using service = await AgentService.start({
    intercept: async ({ earlier, response }) => {
      if (earlier === 1) await new Promise((resolve) => setTimeout(resolve, 400));
      return reply(response, 200, `answer ${earlier}`);
    },
  });
  const http = open();
  const limits = { connectTimeoutMs: 200, timeoutMs: 200 };
  expect(await http.send(request(service.url, limits))).toMatchObject({
    body: { text: 'answer 0' },
  });
  expect(await http.send(request(service.url))).toMatchObject({ body: { text: 'answer 1' } });
  expect(service.requests.map(({ connection }) => connection)).toEqual([1, 1]);
  http.close();
});

// Without an answer to its first bytes, no TLS handshake ends.
test('a request is not-sent when the connection takes too long', async () => {
  await using port = await rawServer(() => undefined);
  expect(await open().send(request(secure(port.url), { connectTimeoutMs: 50 }))).toEqual({
    kind: 'not-sent',
    error: 'no connection within 0 s',
    code: 'ETIMEDOUT',
  });
});

test('a cancel gives no grace to a write that was not sent yet', async () => {
  const abort = new AbortController();
  await using port = await rawServer(() => abort.abort(new CancelledError('SIGTERM')));
  const write = { method: 'POST', body: '{}', graceMs: 3_600_000 } as const;
  // Without grace the cancel ends the request. With grace this limit would.
  const limits = { connectTimeoutMs: 15_000, timeoutMs: 15_000 };
  expect(
    await open().send(request(secure(port.url), { ...write, ...limits, signal: abort.signal })),
  ).toEqual({ kind: 'not-sent', error: 'the step was cancelled', code: 'ABORTED' });
});

test('an unexpected error leaves a write its full time, and is not reported as a cancel', async () => {
  const abort = new AbortController();
  await using service = await AgentService.start({
    intercept: async ({ response }) => {
      abort.abort(new TypeError('a bug'));
      await new Promise((resolve) => setTimeout(resolve, 100));
      return reply(response, 201, 'created');
    },
  });
  const write = { method: 'POST', body: '{}', signal: abort.signal, graceMs: 10 } as const;
  expect(await open().send(request(service.url, write))).toMatchObject({
    body: { text: 'created' },
  });
  expect(await open().send(request(service.url, { signal: abort.signal }))).toMatchObject({
    kind: 'not-sent',
    error: 'the run was stopped by an error',
  });
});

test("no error contains a proxy's credentials", async () => {
  const delivery = await createHttp(['hunter2']).send(request('http://hunter2.invalid/'));
  expect(delivery).toMatchObject({
    kind: 'not-sent',
    error: expect.stringContaining('***.invalid'),
  });
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
  const sent = request(service.url, { method: 'POST', body: '{}' });
  const delivery = await open().send(sent);
  const texts = [{ text: body }, expect.objectContaining({ received: body })];
  expect(delivery).toMatchObject({ kind: 'response', status: 201 });
  expect(texts).toContainEqual(delivery.kind === 'response' ? delivery.body : undefined);
});
