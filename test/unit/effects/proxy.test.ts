import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type HttpRequest, PROXY_NOT_SUPPORTED } from '../../../src/effects/effects.ts';
import { createHttp } from '../../../src/effects/http.ts';
import {
  normalizeProxyVariables,
  proxyCredentialsIn,
  proxyFor,
} from '../../../src/effects/proxy.ts';
import { AgentService } from '../../support/agent-service.ts';
import { requestTo } from '../../support/fakes.ts';
import { RawServer } from '../../support/loopback.ts';
import { ForwardProxy, tunnel } from '../../support/proxy.ts';
import { tls, trustAuthority } from '../../support/tls.ts';

afterEach(() => void vi.unstubAllEnvs());

describe('a proxy variable', () => {
  test.each([
    ['without a scheme is an http proxy', 'proxy:3128', 'http://proxy:3128'],
    ['that begins like a scheme is an http proxy', 'localhost:3128', 'http://localhost:3128'],
    ['with a scheme stays', 'https://proxy:3128', 'https://proxy:3128'],
    ['with a bare percent sign means that sign', 'http://u:100%@proxy', 'http://u:100%25@proxy'],
    ['with an escape keeps it', 'http://u%40x:p@proxy', 'http://u%40x:p@proxy'],
    ['with an escape that is not UTF-8 means it', 'http://u:50%e9@proxy', 'http://u:50%25e9@proxy'],
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
    ['of white space alone is empty', ' \t', ''],
  ])('%s, in each spelling of its name', (_promise, given, becomes) => {
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) {
      const environment = { [name]: given, no_proxy: 'a:1,b' };
      normalizeProxyVariables(environment);
      expect(environment).toEqual({ [name]: becomes, no_proxy: 'a:1,b' });
    }
  });
});

describe('the secrets of a proxy', () => {
  const both = ['50%e9top', 'user:50%e9top'];
  const all = ['pa%3Ass', 'pa:ss', 'us@er:pa:ss'];
  test.each([
    ['are its password as written, decoded and joined to the user', 'us%40er:pa%3Ass@', all],
    ['hold a password with escapes that are not UTF-8 as it is', 'user:50%e9top@', both],
    ['do not hold its user', 'github@', []],
    ['do not hold a password of two letters', 'a:pw@', ['a:pw']],
    ['are none without a password', '', []],
  ])('%s', (_promise, credentials, secrets) => {
    const variables = { https_proxy: `http://${credentials}proxy`, http_proxy: 'http://proxy' };
    expect(new Set(proxyCredentialsIn(variables))).toEqual(new Set(secrets));
  });
});

describe('the proxy for a URL', () => {
  test.each([
    { proxy: 'unreadable://proxy', what: 'not a URL' },
    { proxy: 'socks5://proxy:1080', what: 'a socks5 proxy' },
    { proxy: 'xhttp://proxy', what: 'a xhttp proxy' },
    { proxy: 'https+unix://proxy', what: 'a https+unix proxy' },
  ])('is refused and not ignored when it is $what', async ({ proxy, what }) => {
    vi.stubEnv('https_proxy', proxy);
    expect(await createHttp([]).send(read('https://agent.test'))).toEqual({
      kind: 'not-sent',
      error: `the proxy of the runner is ${what}`,
      code: PROXY_NOT_SUPPORTED,
    });
  });

  test('is not used for the loopback host', () => {
    vi.stubEnv('https_proxy', 'http://proxy:3128');
    expect(proxyFor(new URL('https://127.0.0.1'))).toBeUndefined();
    expect(proxyFor(new URL('https://agent.test'))?.host).toBe('proxy:3128');
  });
});

const read = (url: string): HttpRequest => {
  const limits = { connectTimeoutMs: 15_000, timeoutMs: 15_000, maxResponseBytes: 10_000 };
  return requestTo(url, { headers: { authorization: 'Bearer key' }, ...limits });
};

/** A proxy that answers CONNECT with `answer`, and then does to the socket what `then` says. */
async function rawProxy(answer: string, then: (socket: Socket) => void) {
  const asked: string[] = [];
  const server = await RawServer.start((socket, _count, bytes) => {
    asked.push(bytes.toString());
    socket.write(answer, () => then(socket));
  });
  vi.stubEnv('https_proxy', `http://user:hunter2@${server.host}`);
  return { asked, host: server.host, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe('a tunnel through a proxy', () => {
  let service: AgentService;
  beforeAll(async () => {
    const endTrust = trustAuthority();
    service = await AgentService.start({ tls });
    return async () => {
      endTrust();
      await service[Symbol.asyncDispose]();
    };
  });

  /** What becomes of a read from this host, whose port is the service's, through a proxy. */
  async function readThrough(proxy: string, host = 'agent.test') {
    vi.stubEnv('https_proxy', proxy);
    const http = createHttp([]);
    const delivery = await http.send(read(`https://${host}:${service.port}/x`));
    http.close();
    return delivery;
  }

  test('carries several reads, and a write gets its own tunnel', async () => {
    await using proxy = await ForwardProxy.start();
    vi.stubEnv('https_proxy', `http://${proxy.host}`);
    // https://www.rfc-editor.org/rfc/rfc9112#section-3.2
    const host = `agent.test:${service.port}`;
    const request = read(`https://${host}/x`);
    const http = createHttp([]);
    expect(await http.send(request)).toMatchObject({ kind: 'response' });
    await http.send(request);
    expect(proxy.requests).toEqual([`CONNECT ${host}`]);
    await http.send({ ...request, method: 'POST', body: '{}' });
    expect(proxy.requests).toHaveLength(2);
    expect(proxy.hosts).toEqual([host, host]);
    const methods = service.requests.slice(-3).map(({ method }) => method);
    expect(methods).toEqual(['GET', 'GET', 'POST']);
    http.close();
    await expect.poll(() => service.sockets.size).toBe(0);
  });

  test.each([
    { promise: 'a user and a password', credentials: 'us%40er:pa%3Ass@', sent: 'us@er:pa:ss' },
    { promise: 'a user without a password', credentials: 'user@', sent: 'user:' },
    { promise: 'a password without a user', credentials: ':pass@', sent: ':pass' },
    { promise: 'no user', credentials: '', sent: undefined },
  ])('is requested with $promise', async ({ credentials, sent }) => {
    await using proxy = await ForwardProxy.start();
    await readThrough(`http://${credentials}${proxy.host}`);
    expect(proxy.credentials).toEqual([sent]);
  });

  test('may go through a proxy that speaks TLS', async () => {
    await using proxy = await ForwardProxy.start(tls);
    expect(await readThrough(`https://${proxy.host}`)).toMatchObject({ kind: 'response' });
  });

  test.each([
    { promise: 'with a length', greeting: 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n' },
    { promise: 'by HTTP/1.0', greeting: 'HTTP/1.0 200 OK\r\nproxy-agent: old\r\n\r\n' },
  ])('is used when it is made $promise', async ({ greeting }) => {
    await using proxy = await RawServer.start((socket) => tunnel(socket, service.port, greeting));
    expect(await readThrough(`http://${proxy.host}`)).toMatchObject({ kind: 'response' });
  });

  test('names an IPv6 address in brackets', async () => {
    await using proxy = await ForwardProxy.start();
    await readThrough(`http://${proxy.host}`, '[2001:db8::1]');
    expect(proxy.requests).toEqual([`CONNECT [2001:db8::1]:${service.port}`]);
  });

  test('is not used when the certificate behind it belongs to another host', async () => {
    await using proxy = await ForwardProxy.start();
    const says = /^Hostname\/IP does not match certificate's altnames: .*other\.test/;
    const error = expect.stringMatching(says);
    const refused = { kind: 'not-sent', error, code: 'ERR_TLS_CERT_ALTNAME_INVALID' };
    expect(await readThrough(`http://${proxy.host}`, 'other.test')).toMatchObject(refused);
  });

  // The limit begins when the request is sent, and a tunnel takes longer here than it has at least.
  test('does not eat the time for the response to a write', async () => {
    await using proxy = await RawServer.start(async (socket) => {
      await pause(3_100);
      tunnel(socket, service.port);
    });
    vi.stubEnv('https_proxy', `http://${proxy.host}`);
    const request = read(`https://agent.test:${service.port}/x`);
    const responseLimit = { minMs: 3_000, maxMs: 3_000 };
    const http = createHttp([]);
    const write = {
      ...request,
      method: 'POST',
      body: '{}',
      timeoutMs: 3_000,
      responseLimit,
    } as const;
    expect(await http.send(write)).toMatchObject({ kind: 'response' });
    http.close();
  });

  test('does not delay the end after close()', async () => {
    const closed = Promise.withResolvers<void>();
    await using proxy = await rawProxy('', (socket) => socket.on('close', () => closed.resolve()));
    const http = createHttp([]);
    const delivery = http.send(read('https://agent.test/x'));
    await expect.poll(() => proxy.asked).toHaveLength(1);
    http.close();
    await closed.promise;
    expect(await delivery).toMatchObject({ kind: 'not-sent' });
  });

  test('needs a proxy that can be reached', async () => {
    const refused = { kind: 'not-sent', code: 'ECONNREFUSED' };
    expect(await readThrough('http://127.0.0.1:1')).toMatchObject(refused);
  });
});

describe('a tunnel that cannot be opened', () => {
  // Nothing is redacted, so no error may hold the password in the first place.
  const send = (more: Partial<HttpRequest> = {}) =>
    createHttp([]).send({ ...read('https://agent.test/x'), ...more });

  test.each([
    '407 Proxy Authentication Required',
    '503 Down\r\nretry-after: 1',
    '300 Multiple Choices',
    '407',
    // RFC 9110 would allow it.
    '201 Made',
  ])(
    'that is refused with %j is not-sent, and its error has no key and no password',
    async (status) => {
      await using proxy = await rawProxy(`HTTP/1.1 ${status}\r\n\r\n`, (socket) => socket.end());
      const delivery = await send();
      const said = `HTTP/1.1 ${status.split('\r')[0]}`;
      expect(delivery).toMatchObject({
        kind: 'not-sent',
        error: `Failed to establish tunnel to agent.test:443 via http://${proxy.host}/: ${said}`,
        code: 'ERR_PROXY_TUNNEL',
      });
      expect(proxy.asked).toHaveLength(1);
      expect(proxy.asked[0]).not.toContain('Bearer key');
      expect(proxy.asked[0]).toContain(`Basic ${btoa('user:hunter2')}`);
    },
  );

  const made = 'HTTP/1.1 200 OK\r\n';
  test.each<[why: string, answer: string, then: (socket: Socket) => void]>([
    ['the proxy does not speak HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', (socket) => socket.end()],
    ['the proxy closes the connection', '', (socket) => socket.end()],
    ['its headers do not end', `${made}x: ${'a'.repeat(100_000)}`, (socket) => socket.end()],
    ['it is closed before TLS is established', `${made}\r\n`, (socket) => socket.end()],
    ['it is reset before that', `${made}\r\n`, (socket) => socket.resetAndDestroy()],
  ])('because %s is not-sent', async (_why, answer, then) => {
    await using _proxy = await rawProxy(answer, then);
    expect(await send()).toMatchObject({ kind: 'not-sent' });
  });

  test('that is refused is closed at once, before the end of the run', async () => {
    // An open one could be reset, which would be an uncaught error.
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    await using _proxy = await rawProxy('HTTP/1.1 407 No\r\n\r\n', (socket) => {
      socket.once('close', () => resolve());
    });
    expect(await send()).toMatchObject({ kind: 'not-sent' });
    await closed;
  });

  test.each([
    { how: 'floods', part: `x: ${'a'.repeat(100_000)}\r\n` },
    { how: 'trickles', part: 'x' },
  ])('because the proxy $how is not-sent, and holds nothing', async ({ part }) => {
    const closed = Promise.withResolvers<void>();
    await using _proxy = await rawProxy('HTTP/1.1 200 OK\r\n', (socket) => {
      socket.setNoDelay();
      const timer = setInterval(() => socket.write(part), 5);
      socket.once('close', () => closed.resolve(clearInterval(timer)));
    });
    const error = 'the response of the proxy comes in too many parts';
    expect(await send()).toMatchObject({ kind: 'not-sent', error });
    await closed.promise;
  });

  test('that is never answered is not-sent', async () => {
    await using _proxy = await rawProxy('', () => undefined);
    const late = { kind: 'not-sent', code: 'ETIMEDOUT' };
    expect(await send({ connectTimeoutMs: 50 })).toMatchObject(late);
  });
});
