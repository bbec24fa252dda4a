/** Proxies of the runner, by its variables. What a proxy may answer: test/unit/effects/proxy.test.ts. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type ActionResult, annotations, runAction } from '../support/action.ts';
import { AgentService, PR_LINK, reply } from '../support/agent-service.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';
import { ForwardProxy, RawProxy, tunnel } from '../support/proxy.ts';
import { AUTHORITY_FILE, tls } from '../support/tls.ts';

const trusted = { NODE_EXTRA_CA_CERTS: AUTHORITY_FILE };

// `agent.test` and `github.test` are names that only the proxy knows.
test.concurrent.each([
  {
    how: 'https_proxy, when no_proxy names other hosts',
    env: (host: string) => ({ https_proxy: `http://${host}`, no_proxy: 'other.test,.corp' }),
  },
  {
    // A URL parser would read `localhost:` as a scheme.
    how: 'HTTPS_PROXY without a scheme',
    env: (host: string) => ({ HTTPS_PROXY: host.replace('127.0.0.1', 'localhost') }),
  },
  {
    how: 'a proxy with a user, and a password with bare percent signs',
    env: (host: string) => ({ https_proxy: `http://us%40er:100%pure%@${host}` }),
    credentials: 'us@er:100%pure%',
  },
])('requests to both APIs go through $how', async ({ env, credentials }) => {
  await using service = await AgentService.start({ tls });
  await using github = await GitHubService.start({ commits: line(3), tls });
  await using proxy = await ForwardProxy.start();
  const push = onPush(`https://github.test:${github.port}`, 'c1', 'c3');
  const result = await runAction({
    inputs: {
      prompt: 'x',
      changes: 'files',
      pollInterval: '1s',
      baseUrl: `https://agent.test:${service.port}`,
    },
    event: push.event,
    env: { ...trusted, ...push.env, ...env(proxy.host) },
  });
  expect([result.outputs['outcome'], result.stderr]).toEqual(['pull-request', '']);
  expect(service.requests[0]?.body).toContain('Subject 3');
  expect([...new Set(proxy.requests)]).toEqual([
    `CONNECT github.test:${github.port}`,
    `CONNECT agent.test:${service.port}`,
  ]);
  expect([...new Set(proxy.credentials)]).toEqual([credentials]);
});

test.concurrent("GitHub's API over http goes through http_proxy", async () => {
  await using service = await AgentService.start();
  await using github = await GitHubService.start({ commits: line(3) });
  await using proxy = await ForwardProxy.start();
  const push = onPush(`http://github.test:${github.port}`, 'c1', 'c3');
  await runAction({
    inputs: { prompt: 'x', changes: 'files', wait: 'false', baseUrl: service.url },
    event: push.event,
    env: { ...push.env, HTTP_PROXY: proxy.host.replace('127.0.0.1', 'localhost') },
  });
  expect(service.requests[0]?.body).toContain('Subject 3');
  expect(proxy.requests).not.toEqual([]);
});

test.concurrent('no request goes through the proxy for hosts in NO_PROXY, and a private authority is trusted with NODE_EXTRA_CA_CERTS', async () => {
  await using service = await AgentService.start({ tls });
  await using proxy = await ForwardProxy.start();
  const result = await runAction({
    inputs: { prompt: 'x', wait: 'false', baseUrl: `https://localhost:${service.port}` },
    env: { ...trusted, https_proxy: `http://${proxy.host}`, NO_PROXY: 'localhost' },
  });
  expect(result.outputs['outcome']).toBe('started');
  expect(proxy.requests).toEqual([]);
});

test.concurrent('a create call is certainly not sent when the proxy requires a password, and what was given is not shown', async () => {
  await using service = await AgentService.start({ tls });
  await using proxy = await ForwardProxy.start({ status: 407 });
  const result = await runAction({
    inputs: { prompt: 'x', timeout: '12s', baseUrl: `https://agent.test:${service.port}` },
    env: { ...trusted, https_proxy: `http://us%40er:hunter2pw@${proxy.host}` },
  });
  expect(service.connections).toBe(0);
  expect(proxy.requests.length).toBeGreaterThan(1);
  expect(annotations(result).at(-1)).toMatch(
    /the proxy 127\.0\.0\.1:\d+ responded with 407 No to CONNECT agent\.test:\d+.*No agent job was created/,
  );
  expectNoCredentials(result);
});

test.concurrent('a slow tunnel does not eat the time for the response to the create call', async () => {
  await using service = await AgentService.start({
    tls,
    intercept: async ({ response }) => {
      await delay(4_000);
      return reply(response, 201, { id: 'job_1', status: 'active' });
    },
  });
  await using proxy = await RawProxy.start(async (socket) => {
    await delay(7_000);
    tunnel(socket, service.port);
  });
  const result = await runAction({
    // Both together take longer than the 10 s that a response has at least.
    inputs: {
      prompt: 'x',
      wait: 'false',
      timeout: '10s',
      baseUrl: `https://agent.test:${service.port}`,
    },
    env: { ...trusted, https_proxy: `http://${proxy.host}` },
  });
  expect(result.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1' });
});

test.concurrent('words in the credentials of a proxy damage no id, link or status', async () => {
  await using service = await AgentService.start({ tls, idOf: () => 'agent_1' });
  await using proxy = await ForwardProxy.start();
  const result = await runAction({
    inputs: {
      prompt: 'Document what github completed.',
      pollInterval: '1s',
      baseUrl: `https://agent.test:${service.port}`,
    },
    env: { ...trusted, https_proxy: `http://github:completed@${proxy.host}` },
  });
  expect(result.outputs).toMatchObject({
    outcome: 'pull-request',
    jobId: 'agent_1',
    status: 'completed',
    prLink: PR_LINK,
  });
  expect(`${result.stdout}${result.summary}`).not.toContain('***');
});

test.concurrent.each([
  { what: 'that is short', password: 'pw12' },
  { what: 'that is not ASCII', password: 'Pässwört-ő' },
])('a password $what is removed from the status line of a proxy', async ({ password }) => {
  await using proxy = await RawProxy.start(
    (socket) => void socket.end(`HTTP/1.1 407 denied to ${password}\r\n\r\n`),
  );
  const result = await runAction({
    inputs: { prompt: 'x', timeout: '11s', baseUrl: 'https://agent.test' },
    env: { https_proxy: `http://user:${encodeURIComponent(password)}@${proxy.host}` },
  });
  expect(annotations(result).at(-1)).toContain('responded with 407 denied to *** to CONNECT');
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

test.concurrent.each([
  {
    promise: 'a SOCKS proxy',
    env: { https_proxy: 'socks5://us%40er:hunter2pw@127.0.0.1:1' },
    reason: "GitHub's API cannot be reached: the proxy of the runner is a socks5 proxy",
  },
  {
    promise: 'an address that is not a URL',
    env: { GITHUB_API_URL: '::' },
    reason: '`GITHUB_API_URL` is not a URL',
  },
])('an error says why GitHub cannot be reached behind $promise', async ({ env, reason }) => {
  await using service = await AgentService.start();
  const result = await runOnPush(service, 'https://github.test', env);
  expect(annotations(result).join('\n')).toContain(reason);
  expectNoCredentials(result);
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
