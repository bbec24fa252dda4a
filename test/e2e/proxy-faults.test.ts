/** Proxies that misbehave. They must neither lose an agent job nor make a password visible. */
import { once } from 'node:events';
import type net from 'node:net';
import { describe, expect, test } from 'vitest';
import { type ActionResult, annotations, runAction } from '../support/action.ts';
import { AgentService, reply } from '../support/agent-service.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';
import { ForwardProxy, RawProxy, tunnel } from '../support/proxy.ts';
import { AUTHORITY_FILE, tls } from '../support/tls.ts';

const trusted = { NODE_EXTRA_CA_CERTS: AUTHORITY_FILE };

test.concurrent('a tunnel that is refused with 407 and reset later does not affect the create call in flight', async () => {
  let refused: net.Socket | undefined;
  await using service = await AgentService.start({
    tls,
    intercept: async ({ request, response }) => {
      if (request.method !== 'POST') return false;
      // The refused connection is reset while this call waits for its answer.
      if (refused !== undefined && !refused.closed) {
        const reset = once(refused, 'close');
        refused.resetAndDestroy();
        await reset;
      }
      return reply(response, 201, { id: 'job_1', status: 'active' });
    },
  });
  service.addJob();
  await using proxy = await RawProxy.start((socket, count) => {
    if (count > 1) return tunnel(socket, service.port);
    refused = socket;
    socket.write('HTTP/1.1 407 No\r\nretry-after: 1\r\ncontent-length: 900\r\n\r\n');
  });
  const result = await runAction({
    inputs: { prompt: 'x', pollInterval: '1s', baseUrl: `https://agent.test:${service.port}` },
    env: { ...trusted, https_proxy: `http://${proxy.host}` },
  });
  expect(service.postsTo(/job$/)).toHaveLength(1);
  expect(result.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
  expect([result.stderr, result.stdout.includes('cancelled')]).toEqual(['', false]);
});

describe.concurrent('nothing is sent, and the error says so, when the proxy', () => {
  test.concurrent.each([
    {
      promise: 'refuses',
      answer: 'HTTP/1.1 403 Forbidden\r\n\r\n',
      says: /responded with 403 Forbidden to CONNECT/,
    },
    {
      promise: 'requires a password',
      answer: 'HTTP/1.1 407 Who are you\r\n\r\n',
      says: /responded with 407 Who are you/,
    },
    {
      promise: 'answers 503 with Retry-After',
      answer: 'HTTP/1.1 503 Down\r\nretry-after: 1\r\n\r\n',
      says: /responded with 503 Down/,
    },
    {
      promise: 'does not speak HTTP',
      answer: 'SSH-2.0-OpenSSH_9.2\r\n',
      says: /[Nn]o connection could be made/,
    },
    { promise: 'closes the connection', answer: '', says: /[Nn]o connection could be made/ },
    {
      promise: 'sends endless headers',
      answer: `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1_000_000)}`,
      says: /[Nn]o connection could be made/,
    },
    {
      promise: 'answers with a log command',
      answer: 'HTTP/1.1 403 ##[error]x\r\n\r\n',
      says: /responded with 403 ## \[error\]x/,
    },
  ])('$promise', async ({ answer, says }) => {
    await using service = await AgentService.start({ tls });
    await using proxy = await RawProxy.start((socket) => void socket.end(answer));
    const result = await runAction({
      inputs: { prompt: 'x', timeout: '3s', baseUrl: `https://agent.test:${service.port}` },
      env: { ...trusted, https_proxy: `http://us%40er:hunter2pw@${proxy.host}` },
    });
    expect(service.connections).toBe(0);
    expect(annotations(result).at(-1)).toMatch(says);
    expect(annotations(result).at(-1)).toContain('No agent job was created.');
    expectNoCredentials(result);
  });

  test.concurrent('never answers, and the step ends at its timeout', async () => {
    await using proxy = await RawProxy.start(() => undefined);
    const result = await runAction({
      inputs: { prompt: 'x', timeout: '3s', baseUrl: 'https://agent.test' },
      env: { ...trusted, https_proxy: `http://${proxy.host}` },
    });
    expect(annotations(result).at(-1)).toContain('no connection within 3 s');
  });
});

test.concurrent.each([
  { promise: 'a tunnel that is made with 201', greeting: 'HTTP/1.1 201 Made\r\n\r\n' },
  {
    promise: 'an answer to CONNECT with a length',
    greeting: 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n',
  },
  {
    promise: 'an HTTP/1.0 answer to CONNECT',
    greeting: 'HTTP/1.0 200 OK\r\nproxy-agent: old\r\n\r\n',
  },
])('$promise is used', async ({ greeting }) => {
  await using service = await AgentService.start({ tls });
  await using proxy = await RawProxy.start((socket) => tunnel(socket, service.port, greeting));
  const result = await runAction({
    inputs: { prompt: 'x', pollInterval: '1s', baseUrl: `https://agent.test:${service.port}` },
    env: { ...trusted, https_proxy: `http://${proxy.host}` },
  });
  expect(result.outputs['outcome']).toBe('pull-request');
});

test.concurrent('a SOCKS proxy is refused and not ignored', async () => {
  await using service = await AgentService.start({ tls });
  const result = await runAction({
    inputs: { prompt: 'x', baseUrl: `https://agent.test:${service.port}` },
    env: { ...trusted, https_proxy: 'socks5h://user:hunter2pw@127.0.0.1:1080' },
  });
  expect(service.connections).toBe(0);
  expect(annotations(result).at(-1)).toMatch(
    /the proxy of the runner is a socks5h proxy.*Set `https_proxy`/,
  );
  expectNoCredentials(result);
});

test.concurrent('a password with a bare percent sign is used as it is, for both APIs', async () => {
  await using service = await AgentService.start({ tls });
  await using github = await GitHubService.start({ commits: line(3), tls });
  await using proxy = await ForwardProxy.start();
  const push = onPush(`https://github.test:${github.port}`, 'c1', 'c3');
  const result = await runAction({
    inputs: {
      prompt: 'x',
      changes: 'files',
      wait: 'false',
      baseUrl: `https://agent.test:${service.port}`,
    },
    event: push.event,
    env: { ...trusted, ...push.env, https_proxy: `http://us%40er:100%pure%@${proxy.host}` },
  });
  expect(service.requests[0]?.body).toContain('Subject 3');
  expect([...new Set(proxy.credentials)]).toEqual(['us@er:100%pure%']);
  expect(result.outputs['outcome']).toBe('started');
});

test.concurrent("a proxy that refuses GitHub's API has no password shown", async () => {
  await using service = await AgentService.start();
  await using proxy = await RawProxy.start(
    (socket) => void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'),
  );
  const result = await runOnPush(service, 'https://github.test', {
    https_proxy: `http://us%40er:hunter2pw@${proxy.host}`,
  });
  expect(annotations(result).join('\n')).toContain('responded with 403 Forbidden to CONNECT');
  expectNoCredentials(result);
});

test.concurrent("a proxy that echoes its password as a response of GitHub's API does not make it show", async () => {
  await using service = await AgentService.start();
  const echo = `Access denied for us@er:hunter2pw (Basic ${BASIC})`;
  await using proxy = await RawProxy.start(
    (socket) => void socket.end(`HTTP/1.1 407 No\r\ncontent-length: ${echo.length}\r\n\r\n${echo}`),
  );
  const result = await runOnPush(service, 'http://github.test', {
    http_proxy: `http://us%40er:hunter2pw@${proxy.host}`,
    no_proxy: '127.0.0.1',
  });
  expect(annotations(result)[0]).toContain('HTTP 407: `Access denied for *** (Basic ***)`');
  expectNoCredentials(result);
});

test.concurrent('a password that is not ASCII is removed from the status line of a proxy', async () => {
  await using proxy = await RawProxy.start(
    (socket) => void socket.end('HTTP/1.1 407 denied to Pässwört-ő\r\n\r\n'),
  );
  const result = await runAction({
    inputs: { prompt: 'x', baseUrl: 'https://agent.test', timeout: '12s' },
    env: { https_proxy: `http://user:${encodeURIComponent('Pässwört-ő')}@${proxy.host}` },
  });
  expect(annotations(result).at(-1)).toContain('responded with 407 denied to *** to CONNECT');
});

/** A run with `changes` that asks GitHub at this address, and does not wait. */
function runOnPush(
  service: AgentService,
  apiUrl: string,
  env: Readonly<Record<string, string>>,
): Promise<ActionResult> {
  const push = onPush(apiUrl, 'c1', 'c3');
  return runAction({
    inputs: { prompt: 'x', changes: 'files', wait: 'false', timeout: '10s', baseUrl: service.url },
    event: push.event,
    env: { ...push.env, ...env },
  });
}

const BASIC = Buffer.from('us@er:hunter2pw').toString('base64');

function expectNoCredentials({ stdout, stderr, summary, outputs }: ActionResult): void {
  const all = [stdout, stderr, summary, JSON.stringify(outputs)].join('\n');
  for (const secret of ['hunter2pw', 'us%40er', 'us@er', BASIC]) expect(all).not.toContain(secret);
}

test.concurrent.each([
  {
    promise: 'a SOCKS proxy',
    env: { https_proxy: 'socks5://127.0.0.1:1' },
    reason: "GitHub's API cannot be reached: the proxy of the runner is a socks5 proxy",
  },
  {
    promise: 'an address that is not a URL',
    env: { GITHUB_API_URL: '::' },
    reason: '`GITHUB_API_URL` is not a URL',
  },
])('an error says why GitHub cannot be reached behind $promise', async (row) => {
  await using service = await AgentService.start();
  const result = await runOnPush(service, 'https://github.test', row.env);
  expect(annotations(result).join('\n')).toContain(row.reason);
});

test.concurrent('a proxy that closes each tunnel to GitHub is asked a handful of times', async () => {
  await using service = await AgentService.start();
  await using proxy = await RawProxy.start((socket) => {
    socket.end('HTTP/1.1 200 OK\r\n\r\n');
  });
  const result = await runOnPush(service, 'https://github.test', {
    https_proxy: `http://${proxy.host}`,
  });
  expect(annotations(result).join('\n')).toContain("GitHub's API gave no response");
  expect(proxy.connections).toBeGreaterThan(1);
  expect(proxy.connections).toBeLessThan(6);
});
