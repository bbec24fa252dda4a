import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { githubFetch } from '../../../src/github/fetch.ts';
import { AgentService, type Exchange, reply } from '../../support/agent-service.ts';
import { ForwardProxy, RawProxy } from '../../support/proxy.ts';
import { AUTHORITY_FILE, tls } from '../../support/tls.ts';

const systemCertificates = getCACertificates();
beforeAll(() => setDefaultCACertificates([readFileSync(AUTHORITY_FILE, 'utf8')]));
afterAll(() => setDefaultCACertificates(systemCertificates));
afterEach(() => {
  vi.unstubAllEnvs();
});

const headers = { authorization: 'token t', accept: 'application/json' };
const answering = (answer: (exchange: Exchange) => boolean) =>
  AgentService.start({ intercept: answer });

describe('a redirect of GitHub', () => {
  // https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects
  test.each([301, 302, 307, 308])('with HTTP %s is followed, with the token', async (status) => {
    await using service = await answering(({ earlier, response }) =>
      earlier === 0
        ? reply(response, status, '', { location: '/repositories/7' })
        : reply(response, 200, '{"id":7}'),
    );
    const response = await githubFetch(`${service.url}/repos/acme/old`, { headers });
    expect(await response.json()).toEqual({ id: 7 });
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/repos/acme/old',
      '/repositories/7',
    ]);
    expect(service.requests[1]?.headers['authorization']).toBe('token t');
  });

  test('to another host is followed without the token', async () => {
    await using other = await answering(({ response }) => reply(response, 200, '{}'));
    await using service = await answering(({ response }) =>
      reply(response, 302, '', { location: `${other.url}/x` }),
    );
    expect((await githubFetch(service.url, { headers })).status).toBe(200);
    expect(other.requests[0]?.headers).toMatchObject({ accept: 'application/json' });
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    { promise: 'a redirect without an address', status: 302, headers: {} },
    { promise: 'an address without a redirect', status: 201, headers: { location: '/x' } },
  ])('is not followed: $promise', async ({ status, headers: answered }) => {
    await using service = await answering(({ response }) => reply(response, status, '', answered));
    expect((await githubFetch(service.url, { headers })).status).toBe(status);
    expect(service.requests).toHaveLength(1);
  });

  test('ends with a cancel', async () => {
    const cancel = new AbortController();
    await using service = await answering(({ earlier, response }) => {
      if (earlier === 0) return reply(response, 302, '', { location: '/x' });
      cancel.abort(new Error('cancelled'));
      return true;
    });
    await expect(githubFetch(service.url, { headers, signal: cancel.signal })).rejects.toThrow();
    expect(service.requests).toHaveLength(2);
  });

  test('to itself is followed five times', async () => {
    await using service = await answering(({ response }) =>
      reply(response, 302, '', { location: '/' }),
    );
    expect((await githubFetch(service.url, { headers })).status).toBe(302);
    expect(service.requests).toHaveLength(6);
  });
});

// https://fetch.spec.whatwg.org/#null-body-status
test.each([204, 205, 304])('an answer with HTTP %s has no body', async (status) => {
  await using service = await answering(({ response }) => reply(response, status, ''));
  const response = await githubFetch(service.url, { headers });
  expect([response.status, response.body]).toEqual([status, null]);
});

test('the pages of a list share a connection', async () => {
  await using service = await answering(({ response }) => reply(response, 200, '[]'));
  await githubFetch(`${service.url}/1`, { headers });
  await githubFetch(`${service.url}/2`, { headers });
  expect(service.requests.map(({ connection }) => connection)).toEqual([1, 1]);
});

test("a cancel ends a request with the signal's error", async () => {
  const cancel = new AbortController();
  await using service = await answering(() => {
    cancel.abort(new Error('cancelled'));
    return true;
  });
  await expect(githubFetch(service.url, { headers, signal: cancel.signal })).rejects.toThrow();
  expect(service.requests).toHaveLength(1);
});

describe("the runner's proxy", () => {
  test('is used for https by a tunnel', async () => {
    await using service = await AgentService.start({ tls });
    await using proxy = await ForwardProxy.start();
    vi.stubEnv('https_proxy', `http://user:pass@${proxy.host}`);
    await githubFetch(`https://github.test:${service.port}/x`, { headers });
    expect(proxy.requests).toEqual([`CONNECT github.test:${service.port}`]);
    expect(proxy.credentials).toEqual(['user:pass']);
    expect(service.requests[0]?.headers['authorization']).toBe('token t');
  });

  test.each([
    { promise: 'an http proxy', secure: {} },
    { promise: 'a proxy that speaks TLS', secure: { tls } },
  ])('is asked for the whole URL of http: $promise', async ({ secure }) => {
    await using service = await answering(({ response }) => reply(response, 200, '{}'));
    await using proxy = await ForwardProxy.start(secure);
    const scheme = 'tls' in secure ? 'https' : 'http';
    vi.stubEnv('http_proxy', `${scheme}://user:pass@${proxy.host}`);
    const { port } = new URL(service.url);
    expect((await githubFetch(`http://github.test:${port}/x`, { headers })).status).toBe(200);
    expect(proxy.requests).toEqual([`GET http://github.test:${port}/x`]);
    expect(service.requests[0]?.headers['host']).toBe(`github.test:${port}`);
    expect(proxy.credentials).toEqual(['user:pass']);
  });

  test('that closes each tunnel is not asked again', async () => {
    await using proxy = await RawProxy.start((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.end();
    });
    vi.stubEnv('https_proxy', `http://${proxy.host}`);
    await expect(githubFetch('https://other.test/x', { headers })).rejects.toThrow();
    expect(proxy.connections).toBe(1);
  });

  test('whose answer repeats its password has it removed from the error', async () => {
    await using proxy = await RawProxy.start((socket) => {
      socket.end(`HTTP/1.1 407 Basic ${btoa('uSERNAME:pwSECRET')} pwSECRET\r\n\r\n`);
    });
    vi.stubEnv('https_proxy', `http://uSERNAME:pwSECRET@${proxy.host}`);
    await expect(githubFetch('https://agent.test/x', { headers })).rejects.toThrow(
      /answered 407 Basic \*+ \*\*\* to CONNECT/,
    );
  });
});

test('a server that switches protocols gives no answer', async () => {
  await using server = await RawProxy.start((socket) => {
    socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
  });
  await expect(githubFetch(`http://${server.host}/`, { headers })).rejects.toThrow(
    'the connection was closed without an answer',
  );
});

test('a port without a server is an error that says so', async () => {
  await expect(githubFetch('http://127.0.0.1:1/', { headers })).rejects.toThrow('ECONNREFUSED');
});
