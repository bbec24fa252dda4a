import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type HttpRequest, PROXY_NOT_SUPPORTED } from '../../../src/effects/effects.ts';
import { createHttp } from '../../../src/effects/http.ts';
import {
  normalizeProxyVariables,
  proxyCredentialsIn,
  proxyFor,
} from '../../../src/effects/proxy.ts';
import { AgentService } from '../../support/agent-service.ts';
import { ForwardProxy, RawProxy, tunnel } from '../../support/proxy.ts';
import { AUTHORITY_FILE, tls } from '../../support/tls.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a proxy variable', () => {
  test.each([
    ['without a scheme is an http proxy', 'proxy:3128', 'http://proxy:3128'],
    ['that begins like a scheme is an http proxy', 'localhost:3128', 'http://localhost:3128'],
    ['with a scheme stays', 'https://proxy:3128', 'https://proxy:3128'],
    ['with a bare percent sign means that sign', 'http://u:100%@proxy', 'http://u:100%25@proxy'],
    ['with an escape keeps it', 'http://u%40x:p@proxy', 'http://u%40x:p@proxy'],
    [
      'with an escape that is not UTF-8 means the characters themselves',
      'http://user:50%e9top@proxy:1',
      'http://user:50%25e9top@proxy:1',
    ],
    [
      'with characters that a URL cannot contain means the characters themselves',
      'http://us er:p#a/s?s@w[o]rd@proxy:1',
      'http://us%20er:p%23a%2Fs%3Fs%40w%5Bo%5Drd@proxy:1',
    ],
    ['with half of an escape means it', 'http://u:100%ag@proxy', 'http://u:100%25ag@proxy'],
    ['may have `://` in its password', 'user:a://b@proxy:1', 'http://user:a:%2F%2Fb@proxy:1'],
    ['that is not a URL gets a refused scheme', 'http://proxy:port', 'unreadable://proxy'],
    ['is used without spaces around it', ' http://user:pw@proxy:1 ', 'http://user:pw@proxy:1'],
    ['that is empty stays empty', '', ''],
  ])('%s, in each spelling of its name', (_promise, given, becomes) => {
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) {
      const environment = { [name]: given, no_proxy: 'a:1,b' };
      normalizeProxyVariables(environment);
      expect(environment).toEqual({ [name]: becomes, no_proxy: 'a:1,b' });
    }
  });
});

describe('the secrets of a proxy', () => {
  test.each([
    {
      promise: 'are its password as written, decoded and joined to the user',
      proxy: 'http://us%40er:pa%3Ass@proxy',
      secrets: ['pa%3Ass', 'pa:ss', 'us@er:pa:ss'],
    },
    {
      promise: 'hold a password with escapes that are not UTF-8 as it is written',
      proxy: 'http://user:50%e9top@proxy',
      secrets: ['50%e9top', 'user:50%e9top'],
    },
    { promise: 'do not hold its user', proxy: 'http://github@proxy', secrets: [] },
    {
      promise: 'do not hold a password of two letters',
      proxy: 'http://a:pw@proxy',
      secrets: ['a:pw'],
    },
    { promise: 'are none without a password', proxy: 'http://proxy', secrets: [] },
  ])('$promise', ({ proxy, secrets }) => {
    expect(new Set(proxyCredentialsIn({ https_proxy: proxy, http_proxy: 'http://proxy' }))).toEqual(
      new Set(secrets),
    );
  });
});

test('a proxy that is not a URL is refused and not ignored', () => {
  vi.stubEnv('https_proxy', 'unreadable://proxy');
  expect(() => proxyFor(new URL('https://agent.test'))).toThrow(
    expect.objectContaining({
      message: 'the proxy of the runner is not a URL',
      code: PROXY_NOT_SUPPORTED,
    }),
  );
});

describe('the proxy for a URL', () => {
  test.each([
    { scheme: 'socks5', host: 'socks5://proxy:1080' },
    { scheme: 'ftp', host: 'ftp://proxy' },
    { scheme: 'xhttp', host: 'xhttp://proxy' },
    { scheme: 'https+unix', host: 'https+unix://proxy' },
  ])('is refused when it is a $scheme proxy', ({ scheme, host }) => {
    vi.stubEnv('https_proxy', host);
    expect(() => proxyFor(new URL('https://agent.test'))).toThrow(
      expect.objectContaining({
        message: `the proxy of the runner is a ${scheme} proxy`,
        code: PROXY_NOT_SUPPORTED,
      }),
    );
  });

  test('is not used for the loopback host', () => {
    vi.stubEnv('https_proxy', 'http://proxy:3128');
    expect(proxyFor(new URL('https://127.0.0.1'))).toBeUndefined();
    expect(proxyFor(new URL('https://agent.test'))?.host).toBe('proxy:3128');
  });
});

/** A proxy that answers CONNECT with `answer`, and then does to the socket what `then` says. */
async function rawProxy(answer: string, then: (socket: net.Socket) => void) {
  const asked: string[] = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      asked.push(bytes.toString());
      socket.write(answer, () => then(socket));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  vi.stubEnv(
    'https_proxy',
    `http://user:hunter2@127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  return { asked, [Symbol.asyncDispose]: async () => void server.close() };
}

describe('a tunnel through a proxy', () => {
  const systemCertificates = getCACertificates();
  beforeAll(() => setDefaultCACertificates([readFileSync(AUTHORITY_FILE, 'utf8')]));
  afterAll(() => setDefaultCACertificates(systemCertificates));

  const read = (url: string): HttpRequest => ({
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    connectTimeoutMs: 15_000,
    timeoutMs: 15_000,
    maxResponseBytes: 10_000,
    signal: new AbortController().signal,
    graceMs: 0,
  });

  test('carries several reads, and a write gets its own tunnel', async () => {
    await using service = await AgentService.start({ tls });
    await using proxy = await ForwardProxy.start();
    vi.stubEnv('https_proxy', `http://${proxy.host}`);
    const url = `https://agent.test:${service.port}/x`;
    const http = createHttp([]);
    expect(await http.send(read(url))).toMatchObject({ kind: 'response' });
    await http.send(read(url));
    expect(proxy.requests).toEqual([`CONNECT agent.test:${service.port}`]);
    await http.send({ ...read(url), method: 'POST', body: '{}' });
    expect(proxy.requests).toHaveLength(2);
    // https://www.rfc-editor.org/rfc/rfc9112#section-3.2
    const host = `agent.test:${service.port}`;
    expect(proxy.hosts).toEqual([host, host]);
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /x',
      'GET /x',
      'POST /x',
    ]);
    http.close();
    await expect.poll(() => service.sockets.size).toBe(0);
  });

  test.each([
    { promise: 'a user and a password', credentials: 'us%40er:pa%3Ass@', sent: 'us@er:pa:ss' },
    { promise: 'a user without a password', credentials: 'user@', sent: 'user:' },
    { promise: 'a password without a user', credentials: ':pass@', sent: ':pass' },
    { promise: 'no user', credentials: '', sent: undefined },
  ])('is requested with $promise', async ({ credentials, sent }) => {
    await using service = await AgentService.start({ tls });
    await using proxy = await ForwardProxy.start();
    vi.stubEnv('https_proxy', `http://${credentials}${proxy.host}`);
    const http = createHttp([]);
    await http.send(read(`https://agent.test:${service.port}/x`));
    expect(proxy.credentials).toEqual([sent]);
    http.close();
  });

  test('may go through a proxy that speaks TLS', async () => {
    await using service = await AgentService.start({ tls });
    await using proxy = await ForwardProxy.start({ tls });
    vi.stubEnv('https_proxy', `https://${proxy.host}`);
    const http = createHttp([]);
    const delivery = await http.send(read(`https://agent.test:${service.port}/x`));
    expect(delivery).toMatchObject({ kind: 'response' });
    http.close();
  });

  test.each([
    { promise: 'by 201', greeting: 'HTTP/1.1 201 Made\r\n\r\n' },
    { promise: 'with a length', greeting: 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n' },
    { promise: 'by HTTP/1.0', greeting: 'HTTP/1.0 200 OK\r\nproxy-agent: old\r\n\r\n' },
  ])('is used when it is made $promise', async ({ greeting }) => {
    await using service = await AgentService.start({ tls });
    await using proxy = await RawProxy.start((socket) => tunnel(socket, service.port, greeting));
    vi.stubEnv('https_proxy', `http://${proxy.host}`);
    const http = createHttp([]);
    const delivery = await http.send(read(`https://agent.test:${service.port}/x`));
    expect(delivery).toMatchObject({ kind: 'response' });
    http.close();
  });

  test('names an IPv6 address in brackets', async () => {
    await using service = await AgentService.start({ tls });
    await using proxy = await ForwardProxy.start();
    vi.stubEnv('https_proxy', `http://${proxy.host}`);
    const http = createHttp([]);
    await http.send(read(`https://[2001:db8::1]:${service.port}/x`));
    expect(proxy.requests).toEqual([`CONNECT [2001:db8::1]:${service.port}`]);
    http.close();
  });

  test('is not used when the certificate behind it belongs to another host', async () => {
    await using service = await AgentService.start({ tls });
    await using proxy = await ForwardProxy.start();
    vi.stubEnv('https_proxy', `http://${proxy.host}`);
    const url = `https://other.test:${service.port}/x`;
    expect(await createHttp([]).send(read(url))).toMatchObject({
      kind: 'not-sent',
      error: expect.stringMatching(
        /^Hostname\/IP does not match certificate's altnames: .*other\.test/,
      ),
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  test('does not delay the end after close()', async () => {
    const closed = Promise.withResolvers<void>();
    await using _proxy = await rawProxy('', (socket) => socket.on('close', () => closed.resolve()));
    const http = createHttp([]);
    const delivery = http.send(read('https://agent.test/x'));
    await expect.poll(() => _proxy.asked).toHaveLength(1);
    http.close();
    await closed.promise;
    expect(await delivery).toMatchObject({ kind: 'not-sent' });
  });

  test('needs a proxy that can be reached', async () => {
    vi.stubEnv('https_proxy', 'http://127.0.0.1:1');
    const delivery = await createHttp([]).send(read('https://agent.test/x'));
    expect(delivery).toMatchObject({ kind: 'not-sent', code: 'ECONNREFUSED' });
  });
});

describe('a tunnel that cannot be opened', () => {
  const request = {
    method: 'POST',
    url: 'https://agent.test/x',
    headers: { authorization: 'Bearer key' },
    body: '{}',
    connectTimeoutMs: 5_000,
    timeoutMs: 5_000,
    maxResponseBytes: 100,
    signal: new AbortController().signal,
    graceMs: 0,
  } as const;
  const send = () => createHttp(['hunter2']).send(request);

  test.each([
    { status: '407 Proxy Authentication Required' },
    { status: '502 Bad Gateway' },
    { status: '503 Down\r\nretry-after: 1' },
    { status: '300 Multiple Choices' },
    { status: '407' },
  ])(
    'that is refused with $status is not-sent, and its error contains no key and no password',
    async ({ status }) => {
      await using proxy = await rawProxy(`HTTP/1.1 ${status}\r\n\r\n`, (socket) => socket.end());
      const delivery = await send();
      const said = `responded with ${status.split('\r')[0]} to CONNECT agent.test:443`;
      expect(delivery).toMatchObject({
        kind: 'not-sent',
        error: expect.stringMatching(new RegExp(`^the proxy 127\\.0\\.0\\.1:\\d+ ${said}$`)),
        code: 'ERR_PROXY',
      });
      expect(JSON.stringify(delivery)).not.toContain('hunter2');
      expect(proxy.asked).toHaveLength(1);
      expect(proxy.asked[0]).not.toContain('Bearer key');
      expect(proxy.asked[0]).toContain(`Basic ${btoa('user:hunter2')}`);
    },
  );

  test.each([
    { promise: 'does not speak HTTP', answer: 'SSH-2.0-OpenSSH_9.2\r\n' },
    { promise: 'closes the connection', answer: '' },
    { promise: 'sends endless headers', answer: `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1_000_000)}` },
  ])('because the proxy $promise is not-sent', async ({ answer }) => {
    await using _proxy = await rawProxy(answer, (socket) => socket.end());
    expect(await send()).toMatchObject({ kind: 'not-sent' });
  });

  // Node removes the error listener of such a socket. The reset would end the process, and this
  // test with it.
  test('that is refused and then reset is not-sent', async () => {
    const { promise: reset, resolve } = Promise.withResolvers<void>();
    await using _proxy = await rawProxy('HTTP/1.1 407 No\r\n\r\n', (socket) => {
      setTimeout(() => resolve(void socket.resetAndDestroy()), 50);
    });
    expect(await send()).toMatchObject({ kind: 'not-sent' });
    await reset;
    await new Promise((done) => setTimeout(done, 50));
  });

  test.each([
    { what: 'closed', next: (socket: net.Socket) => void socket.end() },
    { what: 'reset', next: (socket: net.Socket) => void socket.resetAndDestroy() },
  ])('that is $what before TLS is established is not-sent', async ({ next }) => {
    await using _proxy = await rawProxy('HTTP/1.1 200 OK\r\n\r\n', next);
    expect(await send()).toMatchObject({ kind: 'not-sent' });
  });

  test('that is never answered is not-sent', async () => {
    await using _proxy = await rawProxy('', () => undefined);
    const http = createHttp([]);
    expect(await http.send({ ...request, connectTimeoutMs: 50 })).toMatchObject({
      kind: 'not-sent',
      code: 'ETIMEDOUT',
    });
    http.close();
  });
});
