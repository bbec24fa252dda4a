import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { annotations, runAction } from '../support/action.ts';
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
    how: 'a proxy with user and password',
    env: (host: string) => ({ https_proxy: `http://us%40er:pa%3Ass@${host}` }),
    credentials: 'us@er:pa:ss',
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
    env: {
      ...trusted,
      ...push.env,
      ...env(proxy.host),
    },
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
    env: {
      ...push.env,
      HTTP_PROXY: proxy.host.replace('127.0.0.1', 'localhost'),
    },
  });
  expect(service.requests[0]?.body).toContain('Subject 3');
  expect(proxy.requests).not.toEqual([]);
});

test.concurrent.each([
  { excluded: 'the loopback host, always', env: {} },
  { excluded: 'hosts in NO_PROXY', env: { NO_PROXY: 'localhost' } },
])('no request goes through the proxy for $excluded', async ({ env }) => {
  await using service = await AgentService.start({ tls });
  await using proxy = await ForwardProxy.start();
  const result = await runAction({
    inputs: { prompt: 'x', wait: 'false', baseUrl: `https://localhost:${service.port}` },
    env: { ...trusted, https_proxy: `http://${proxy.host}`, ...env },
  });
  expect(result.outputs['outcome']).toBe('started');
  expect(proxy.requests).toEqual([]);
});

test.concurrent('TLS with a private certificate authority works with NODE_EXTRA_CA_CERTS', async () => {
  await using service = await AgentService.start({ tls });
  const result = await runAction({
    inputs: { prompt: 'x', pollInterval: '1s', baseUrl: service.url },
    env: trusted,
  });
  expect(result.outputs['outcome']).toBe('pull-request');
});

test.concurrent('a create call is certainly not sent when the proxy refuses', async () => {
  await using service = await AgentService.start({ tls });
  await using proxy = await ForwardProxy.start({ status: 407 });
  const result = await runAction({
    inputs: { prompt: 'x', timeout: '20s', baseUrl: `https://agent.test:${service.port}` },
    env: { ...trusted, https_proxy: `http://user:hunter2@${proxy.host}` },
  });
  expect(service.requests).toEqual([]);
  expect(proxy.requests.length).toBeGreaterThan(1);
  expect(annotations(result).at(-1)).toMatch(
    /the proxy 127\.0\.0\.1:\d+ responded with 407 No to CONNECT agent\.test:\d+.*No agent job was created/,
  );
  expect(result.stdout).not.toContain('hunter2');
});

test.concurrent('an untrusted certificate behind a tunnel is not reported as a lost answer', async () => {
  await using service = await AgentService.start({ tls });
  await using proxy = await ForwardProxy.start();
  const result = await runAction({
    inputs: { prompt: 'x', baseUrl: `https://agent.test:${service.port}` },
    env: { https_proxy: `http://${proxy.host}` },
  });
  expect(service.requests).toEqual([]);
  expect(annotations(result).at(-1)).toMatch(/NODE_EXTRA_CA_CERTS/);
});

test.concurrent('a slow tunnel does not eat the time for the response to the create call', async () => {
  await using service = await AgentService.start({
    tls,
    intercept: async ({ response }) => {
      await delay(7_000);
      return reply(response, 201, { id: 'job_1', status: 'active' });
    },
  });
  await using proxy = await RawProxy.start(async (socket) => {
    await delay(6_000);
    tunnel(socket, service.port);
  });
  const result = await runAction({
    // Both together take longer than this.
    inputs: {
      prompt: 'x',
      wait: 'false',
      timeout: '12s',
      baseUrl: `https://agent.test:${service.port}`,
    },
    env: { ...trusted, https_proxy: `http://${proxy.host}` },
  });
  expect(result.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1' });
});

test.concurrent.each([
  { what: 'user `github`', credentials: 'github@' },
  { what: 'password `agent_`', credentials: 'user:agent_@' },
  { what: 'password `completed`', credentials: 'user:completed@' },
  { what: 'password `github`', credentials: 'user:github@' },
])('the $what of a proxy damages no id, link or status', async ({ credentials }) => {
  await using service = await AgentService.start({ tls, idOf: () => 'agent_1' });
  await using proxy = await ForwardProxy.start();
  const result = await runAction({
    inputs: {
      prompt: 'Document what github completed.',
      pollInterval: '1s',
      baseUrl: `https://agent.test:${service.port}`,
    },
    env: { ...trusted, https_proxy: `http://${credentials}${proxy.host}` },
  });
  expect(result.outputs).toMatchObject({
    outcome: 'pull-request',
    jobId: 'agent_1',
    status: 'completed',
    prLink: PR_LINK,
  });
  expect(`${result.stdout}${result.summary}`).not.toContain('***');
});

test.concurrent("a proxy's short password is removed from the error of a connection", async () => {
  await using proxy = await RawProxy.start(
    (socket) => void socket.end('HTTP/1.1 407 denied to pw12\r\n\r\n'),
  );
  const result = await runAction({
    inputs: { prompt: 'x', timeout: '12s', baseUrl: 'https://agent.test' },
    env: { https_proxy: `http://user:pw12@${proxy.host}` },
  });
  expect(annotations(result).at(-1)).toContain('responded with 407 denied to *** to CONNECT');
});
