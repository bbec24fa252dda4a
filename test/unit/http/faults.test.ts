/** What a failed POST says about whether it arrived, each fault on a real socket. */
import { Agent, request } from 'undici';
import { describe, expect, test } from 'vitest';
import { createFetch, describeFault, type FetchInit, wasNotSent } from '../../../src/http.ts';
import { RawServer } from '../../support/loopback.ts';
import { ForwardProxy } from '../../support/proxy.ts';
import { strangerTls, tls } from '../../support/tls.ts';

const POST: FetchInit = { method: 'POST', body: '{"prompt":"Update."}', timeoutMs: 5_000 };

const failureOf = (url: string, https_proxy = '', init = POST): Promise<unknown> =>
  createFetch({ https_proxy })(url, init).then(
    ({ status }) => `HTTP ${status}`,
    (error: unknown) => error,
  );

const start = RawServer.start;
const silent = (options?: typeof tls) => start(() => undefined, options);

function expectNotSent(error: unknown, says: RegExp): void {
  expect(wasNotSent(error)).toBe(true);
  expect(describeFault(error)).toMatch(says);
  expect(describeFault(error)).not.toContain('pass-word');
}

describe('a request is certainly not sent', () => {
  const REFUSED = /^no connection could be made: connect ECONNREFUSED 127\.0\.0\.1:1$/;
  test.for([
    ['the connection is refused', 'http://127.0.0.1:1', '', REFUSED],
    ['the name is unknown', 'https://no-such.invalid', '', /made: getaddrinfo E\w+ no-such/],
    ['the proxy cannot be reached', 'https://a.test', 'http://me:pass-word@127.0.0.1:1', REFUSED],
    ['the proxy is not of http', 'https://a.test', 'socks5://me:pass-word@h', /made: Invalid/],
    ["the proxy's URL is invalid", 'https://a.test', 'http://me:pass-word@:::', /made: Invalid/],
  ] as const)('if %s', async ([, url, proxy, says]) => {
    expectNotSent(await failureOf(url, proxy), says);
  });

  test('if no connection is made in time', async () => {
    await using server = await silent();
    const dispatcher = new Agent({ connect: { timeout: 100 } });
    const url = server.url.replace('http', 'https');
    const error = await request(url, { dispatcher }).catch((thrown: unknown) => thrown);
    expectNotSent(error, /^no connection could be made: Connect Timeout/);
  });

  test('if nobody trusted has signed the certificate, and the error names the variable', async () => {
    await using server = await silent(strangerTls);
    const says =
      /^the certificate is not trusted: self-signed .*set NODE_EXTRA_CA_CERTS to its PEM/;
    expectNotSent(await failureOf(server.url), says);
  });

  test('if the certificate is for another host', async () => {
    await using server = await silent(tls);
    await using proxy = await ForwardProxy.start();
    const error = await failureOf(`https://other.test:${server.port}`, proxy.url);
    expectNotSent(error, /^the certificate is not trusted: .*altnames/);
  });

  test.for([407, 503])('if the proxy refuses the tunnel with HTTP %d', async (status) => {
    await using proxy = await ForwardProxy.start({ refusesWith: status });
    const error = await failureOf('https://a.test', proxy.url.replace('//', '//me:pass-word@'));
    expectNotSent(error, new RegExp(`^no connection could be made: .*${status}`));
  });
});

const CREATED = 'HTTP/1.1 201 Created\r\n';
const CUT_BODY = `${CREATED}content-length: 500\r\n\r\n{"id":"job_1","sta`;
const NO_RESPONSE = 'no response came: ';
const CUT = 'HTTP 201, and the rest of the response did not come: ';
const LATE = 'no whole response within 1 s';
const SHORT = { ...POST, timeoutMs: 1_000 };

type Behave = Parameters<typeof start>[0];

/** What the server does once the first bytes have arrived, and a part of the error. */
const IN_DOUBT: readonly (readonly [string, Behave, says: string, FetchInit?])[] = [
  ['the connection is closed', (socket) => socket.end(), NO_RESPONSE],
  [
    'the connection is reset while a request of 3 MB is being sent',
    (_, server) => server.resetConnections(),
    NO_RESPONSE,
    { ...POST, body: 'x'.repeat(3_000_000) },
  ],
  ['the head is cut', (socket) => socket.end(`${CREATED}content-ty`), NO_RESPONSE],
  ['no response comes in time', () => undefined, LATE, SHORT],
  ['the body is cut', (socket) => socket.end(CUT_BODY), CUT],
  [
    'the body trickles',
    (socket) => {
      socket.write(CUT_BODY);
      const timer = setInterval(() => socket.write(' '), 50);
      socket.on('close', () => clearInterval(timer));
    },
    LATE,
    SHORT,
  ],
];

const ROUTES = ['http', 'https', 'a proxy'] as const;

describe.concurrent.each(ROUTES)('by %s, a request is in doubt', (route) => {
  test.for(IN_DOUBT)('if %s', async ([, behave, says, init]) => {
    await using server = await start(behave, route === 'http' ? undefined : tls);
    await using proxy = await ForwardProxy.start();
    const isProxied = route === 'a proxy';
    const url = isProxied ? `https://agent.test:${server.port}` : server.url;
    const error = await failureOf(url, isProxied ? proxy.url : '', init);
    expect(wasNotSent(error)).toBe(false);
    expect(describeFault(error)).toContain(says);
    expect(server.connections).toBe(1);
    expect(proxy.requests).toHaveLength(isProxied ? 1 : 0);
  });
});
