import dns from 'node:dns';
import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { FetchInit } from '../../../src/effects.ts';
import { Cancelled, messageOf } from '../../../src/errors.ts';
import { createFetch, USER_AGENT, wasNotSent } from '../../../src/http.ts';
import { createHttpServer, LoopbackServer, RawServer } from '../../support/loopback.ts';
import { ForwardProxy, fetchWith } from '../../support/proxy.ts';
import { tls } from '../../support/tls.ts';

/** Answers with what it got, and has the headers of each request. */
async function startEcho(scheme = 'http', status = 200, headers = {}) {
  const seen: IncomingHttpHeaders[] = [];
  const server = createHttpServer(scheme === 'https' ? tls : undefined);
  server.on('request', async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(request.headers);
    response.writeHead(status, headers);
    response.end(status === 204 ? '' : `${request.method} ${request.url} ${body}`);
  });
  return Object.assign(await new LoopbackServer(server, scheme).listen(), { seen });
}

/** Characters of two bytes, as HTTP carries them. */
const LATIN1 = Buffer.from('Ž').toString('latin1');

const POST: FetchInit = { method: 'POST', body: 'text' };

const errorOf = (sent: Promise<unknown>) => sent.catch((thrown: unknown) => thrown);

describe('a response', () => {
  test.for(['http', 'https'])('arrives whole, with its headers (%s)', async (scheme) => {
    await using server = await startEcho(scheme, 201, { 'x-a': '1', 'x-b': LATIN1 });
    const url = `${server.url}/path?q=1`;
    const headers = { authorization: 'Bearer key' };
    const response = await createFetch()(url, { ...POST, headers });
    expect(response).toMatchObject({ status: 201, ok: true });
    expect(response.headers.get('x-a')).toBe('1');
    expect(response.headers.get('x-b')).toBe(LATIN1);
    expect(await response.text()).toBe('POST /path?q=1 text');
    expect(server.seen).toMatchObject([headers]);
  });

  test.for([
    ['HTTP 204, without a body', 204],
    ['HTTP 307, which is not followed', 307],
    ['HTTP 421, after which fetch would send it again', 421],
  ] as const)('comes by one request with %s', async ([, status]) => {
    await using server = await startEcho('http', status, { location: '/other' });
    expect((await createFetch()(server.url, POST)).status).toBe(status);
    expect(server.seen).toHaveLength(1);
  });

  test('never comes by a connection that was used before', async () => {
    await using server = await startEcho();
    const fetch = createFetch();
    for (const init of [{}, POST, POST]) await fetch(server.url, init);
    expect(server.connections).toBe(3);
  });
});

describe('a cancel', () => {
  const cancelled = new Cancelled('SIGINT');
  /** Aborts once the request has arrived. */
  const startSilent = (cancel: AbortController) => RawServer.start(() => cancel.abort(cancelled));

  test('before the request sends nothing', async () => {
    await using server = await startEcho();
    const sent = createFetch()(server.url, { signal: AbortSignal.abort(cancelled) });
    await expect(sent).rejects.toBe(cancelled);
    expect(server.connections).toBe(0);
  });

  type Hanging = readonly [
    string,
    isSent: boolean,
    (url: string) => [string, Record<string, string>],
  ];
  const HANGING: readonly Hanging[] = [
    ['the response', true, (url) => [url, {}]],
    ['the handshake', false, (url) => [url.replace('http', 'https'), {}]],
    ['the tunnel', false, (url) => ['https://agent.test', { https_proxy: url }]],
  ];
  test.for(HANGING)('ends a request at once while %s hangs', async ([, isSent, target]) => {
    const cancel = new AbortController();
    await using server = await startSilent(cancel);
    const [url, env] = target(server.url);
    const startedAt = performance.now();
    // Without a connection, no response can come in the time of grace.
    const init = { ...POST, signal: cancel.signal, graceMs: isSent ? 0 : 30_000 };
    const error = await errorOf(fetchWith(env)(url, init));
    expect(messageOf(error)).toMatch(/: stopped by SIGINT$/);
    expect(wasNotSent(error)).toBe(!isSent);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
  });

  test('that comes just before the connection lets nothing out', async () => {
    const cancel = new AbortController();
    await using server = await startEcho();
    const sent = createFetch()(server.url, { ...POST, signal: cancel.signal, graceMs: 5_000 });
    cancel.abort(cancelled);
    expect(wasNotSent(await errorOf(sent))).toBe(true);
  });

  test('ends a request after its grace', async () => {
    const cancel = new AbortController();
    await using server = await startSilent(cancel);
    const init = { ...POST, signal: cancel.signal, graceMs: 50 };
    const error = await errorOf(createFetch()(server.url, init));
    expect(error).toMatchObject({ cause: cancelled });
    expect(wasNotSent(error)).toBe(false);
  });
});

describe('the proxy of the runner', () => {
  const hostOf = ({ port }: ForwardProxy) => `localhost:${port}`;

  test.for([
    ['http://us%40er:pass%3Aword@PROXY', 'us@er:pass:word'],
    ['http://User@PROXY', 'User:'],
    ['http://:Word@PROXY', ':Word'],
    ['http://PROXY', undefined],
  ] as const)(
    'of %s gets a tunnel, and %s as user and password',
    async ([address, credentials]) => {
      await using server = await startEcho('https');
      await using proxy = await ForwardProxy.start();
      const fetch = fetchWith({ https_proxy: address.replace('PROXY', hostOf(proxy)) });
      const response = await fetch(`https://agent.test:${server.port}/path`, POST);
      expect(await response.text()).toBe('POST /path text');
      expect(proxy.requests).toEqual([`CONNECT agent.test:${server.port}`]);
      expect(proxy.credentials).toEqual([credentials]);
      expect(server.seen[0]).not.toHaveProperty('proxy-authorization');
    },
  );

  // As @actions/http-client's proxy.test.ts has it, and curl, but for the rows that say so.
  test.for<[variables: object, url: string, isProxied: boolean]>([
    [{ HTTPS_PROXY: 'http://PROXY' }, 'https://agent.test', true],
    [{ http_proxy: 'http://PROXY' }, 'http://agent.test', true],
    [{ http_proxy: 'http://PROXY' }, 'https://agent.test', false],
    [{ https_proxy: 'http://PROXY' }, 'http://agent.test', false],
    [{ https_proxy: 'http://PROXY' }, 'https://agent.test', true],
    [{ https_proxy: 'http://PROXY', no_proxy: 'agent.test' }, 'https://agent.test', false],
    [{ https_proxy: 'http://PROXY', no_proxy: 'agent.test' }, 'https://api.agent.test', false],
    [{ https_proxy: 'http://PROXY', no_proxy: 'agent.test' }, 'https://my-agent.test', true],
    [{ https_proxy: 'http://PROXY', no_proxy: '.agent.test' }, 'https://api.agent.test', false],
    // curl: no.
    [{ https_proxy: 'http://PROXY', no_proxy: '.agent.test' }, 'https://agent.test', true],
    [{ https_proxy: 'http://PROXY', NO_PROXY: 'a.test, AGENT.TEST' }, 'https://agent.test', false],
    [{ https_proxy: 'http://PROXY', no_proxy: '*' }, 'https://agent.test', false],
    // curl: yes, all three.
    [{ https_proxy: 'http://PROXY' }, 'https://127.0.0.1:1', false],
    [{ https_proxy: 'http://PROXY' }, 'https://localhost:1', false],
    [{ https_proxy: 'http://PROXY' }, 'https://[::1]:1', false],
  ])('of %j gets the request to %s: %s', async ([variables, url, isProxied]) => {
    await using proxy = await ForwardProxy.start();
    const own = Object.entries(variables).map(([name, text]) => {
      return [name, text.replace('PROXY', hostOf(proxy))];
    });
    // Nothing listens there.
    await fetchWith(Object.fromEntries(own))(url).catch(() => undefined);
    const { hostname, protocol } = new URL(url);
    const line = `CONNECT ${hostname}:${protocol === 'https:' ? 443 : 80}`;
    expect(proxy.requests).toEqual(isProxied ? [line] : []);
  });
});

test('a host is certainly not reached if each of its addresses refuses', async () => {
  const { lookup } = dns;
  const found = ['127.0.0.2', '127.0.0.3'].map((address) => ({ address, family: 4 }));
  const answer = (_: string, __: object, callback: (error: null, all: typeof found) => void) =>
    callback(null, found);
  Object.assign(dns, { lookup: answer });
  const error = await errorOf(createFetch()('http://many.test:1', POST));
  dns.lookup = lookup;
  expect(error).toMatchObject({ cause: expect.any(AggregateError) });
  expect(wasNotSent(error)).toBe(true);
  expect(messageOf(error)).toMatch(/^no connection to many\.test:1: connect ECONNREFUSED/);
});

test('the user agent has the version in package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(USER_AGENT).toBe(`docs-agent-job/${version}`);
});
