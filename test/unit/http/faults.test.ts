/** What a failed POST says about whether it arrived, each fault on a real socket. */
import { describe, expect, test } from 'vitest';
import type { FetchInit } from '../../../src/effects.ts';
import { messageOf } from '../../../src/errors.ts';
import { isUntrusted, wasNotSent } from '../../../src/http.ts';
import { RawServer } from '../../support/loopback.ts';
import { ForwardProxy, fetchWith } from '../../support/proxy.ts';
import { strangerTls, tls } from '../../support/tls.ts';

const POST: FetchInit = { method: 'POST', body: '{"prompt":"Update."}', timeoutMs: 5_000 };

const failureOf = (url: string, https_proxy = '', init = POST): Promise<unknown> =>
  fetchWith({ https_proxy })(url, init).then(
    ({ status }) => `HTTP ${status}`,
    (error: unknown) => error,
  );

const start = RawServer.start;
const silent = (options?: typeof tls) => start(() => undefined, options);

function expectNotSent(error: unknown, says: RegExp): void {
  expect(wasNotSent(error)).toBe(true);
  expect(messageOf(error)).toMatch(says);
  expect(messageOf(error)).not.toContain('pass-word');
}

describe('a request is certainly not sent, and the error names the host,', () => {
  const REFUSED = /^no connection to 127\.0\.0\.1:1: connect ECONNREFUSED 127\.0\.0\.1:1$/;
  const UNKNOWN = /^no connection to no-such\.invalid: get/;
  const NO_PROXY = /^no connection to a\.test through the proxy 127\.0\.0\.1:1: connect ECONN/;
  const NOT_HTTP = /^no connection to a\.test through the proxy h:1: Invalid URL protocol/;
  test.for([
    ['the connection is refused', 'http://127.0.0.1:1', '', REFUSED],
    ['the name is unknown', 'https://no-such.invalid', '', UNKNOWN],
    ['the proxy cannot be reached', 'https://a.test', 'http://me:pass-word@127.0.0.1:1', NO_PROXY],
    ['the proxy is not of http', 'https://a.test', 'socks5://me:pass-word@h:1', NOT_HTTP],
  ] as const)('if %s', async ([, url, proxy, says]) => {
    expectNotSent(await failureOf(url, proxy), says);
  });

  test.for([
    ['handshake', { timeoutMs: 300 }, 'no whole response within'],
    ['tunnel', { timeoutMs: 300 }, 'no whole response within'],
    ['handshake', { timeoutMs: 600_000, connectMs: 100 }, 'no connection within'],
  ] as const)('if the %s hangs for %o', async ([stage, limits, says]) => {
    await using server = await silent();
    const isTunnel = stage === 'tunnel';
    const url = isTunnel ? 'https://a.test' : server.url.replace('http', 'https');
    const error = await failureOf(url, isTunnel ? server.url : '', { ...POST, ...limits });
    expectNotSent(error, new RegExp(`^no connection to .*: ${says}`));
  });

  test('if the proxy closes the tunnel, for which it is asked once', async () => {
    await using server = await start((socket) => socket.end());
    expectNotSent(await failureOf('https://a.test', server.url), /: other side closed$/);
    expect(server.connections).toBe(1);
  });

  test('if nobody trusted has signed the certificate, and the error names the variable', async () => {
    await using server = await silent(strangerTls);
    const error = await failureOf(server.url);
    const cause = 'not trusted: self-signed .*set NODE_EXTRA_CA_CERTS to its PEM';
    expectNotSent(error, new RegExp(`^the certificate of 127\\.0\\.0\\.1:\\d+ is ${cause}`));
    expect(isUntrusted(error)).toBe(true);
  });

  test('if the certificate is for another host', async () => {
    await using server = await silent(tls);
    await using proxy = await ForwardProxy.start();
    const error = await failureOf(`https://other.test:${server.port}`, proxy.url);
    expectNotSent(error, /^the certificate of other\.test:\d+ through the .* trusted: .*altnames/);
  });

  test.for([407, 503])('if the proxy refuses the tunnel with HTTP %d', async (status) => {
    await using proxy = await ForwardProxy.start({ refusesWith: status });
    const error = await failureOf('https://a.test', proxy.url.replace('//', '//me:pass-word@'));
    expectNotSent(error, new RegExp(`^no connection to a\\.test through the proxy .*${status}`));
  });
});

const CREATED = 'HTTP/1.1 201 Created\r\n';
const CUT_BODY = `${CREATED}content-length: 500\r\n\r\n{"id":"job_1","sta`;
const NO_RESPONSE = 'no response from ';
const CUT = 'HTTP 201, and the rest of the response did not come: ';
const LATE = 'no whole response within 3 s';
/** Long enough for a connection on a busy machine. */
const SHORT = { ...POST, timeoutMs: 3_000 };

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
    expect(messageOf(error)).toContain(says);
    expect(server.connections).toBe(1);
    expect(proxy.requests).toHaveLength(isProxied ? 1 : 0);
  });
});
