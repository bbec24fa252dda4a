/** Proxies of the runner, by its variables. What a proxy may answer: test/unit/effects/proxy.test.ts. */
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type ActionResult, annotations, runAction } from '../support/action.ts';
import { AgentService } from '../support/agent-service.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';
import { RawServer } from '../support/loopback.ts';
import { ForwardProxy } from '../support/proxy.ts';
import { AUTHORITY_FILE, tls } from '../support/tls.ts';

const trusted = { NODE_EXTRA_CA_CERTS: AUTHORITY_FILE };

function expectNoCredentials(result: ActionResult, ...credentials: readonly string[]): void {
  const { stdout, stderr, summary, outputs } = result;
  const all = [stdout, stderr, summary, JSON.stringify(outputs)].join('\n');
  const basic = Buffer.from(credentials.join(':')).toString('base64');
  for (const secret of [...credentials, basic]) expect(all).not.toContain(secret);
}

// `agent.test` and `github.test` are names that only the proxy knows.
test.concurrent('requests to both APIs go through a proxy without a scheme, with a user and a password with bare percent signs', async () => {
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
      HTTPS_PROXY: `us%40er:100%pure%@${proxy.host.replace('127.0.0.1', 'localhost')}`,
      no_proxy: 'other.test,.corp',
    },
  });
  expect([result.outputs['outcome'], result.stderr]).toEqual(['pull-request', '']);
  expect(service.requests[0]?.body).toContain('Subject 3');
  expect([...new Set(proxy.requests)]).toEqual([
    `CONNECT github.test:${github.port}`,
    `CONNECT agent.test:${service.port}`,
  ]);
  expect([...new Set(proxy.credentials)]).toEqual(['us@er:100%pure%']);
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
  expect(proxy.requests).toEqual([
    expect.stringContaining('GET http://github.test:'),
    expect.stringContaining('POST http://github.test:'),
  ]);
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

test.concurrent('a create call is certainly not sent when the proxy refuses the password and echoes it, and it is not shown', async () => {
  const [user, password] = ['us@er', 'Pässwört-ő'];
  await using proxy = await RawServer.start(
    (socket) => void socket.end(`HTTP/1.1 407 denied to ${password}\r\n\r\n`),
  );
  const credentials = [user, password].map(encodeURIComponent).join(':');
  const result = await runAction({
    inputs: { prompt: 'x', timeout: '11s', baseUrl: 'https://agent.test' },
    env: { https_proxy: `http://${credentials}@${proxy.host}` },
  });
  expect(proxy.connections).toBeGreaterThan(1);
  expect(annotations(result).at(-1)).toMatch(
    /No agent job was created: .*Failed to establish tunnel to agent\.test:443 via http:\/\/127\.0\.0\.1:\d+\/: HTTP\/1\.1 407 denied to \*\*\*/,
  );
  expectNoCredentials(result, user, password);
  expectNoCredentials(result, encodeURIComponent(user), encodeURIComponent(password));
});

test.concurrent('a proxy that refuses a tunnel and resets the connection later does not end the process', async () => {
  const sockets: Socket[] = [];
  await using proxy = await RawServer.start((socket, count) => {
    for (const earlier of sockets.splice(0)) earlier.resetAndDestroy();
    sockets.push(socket);
    socket.write(`HTTP/1.1 ${count < 3 ? '503 Later' : '407 No'}\r\n\r\n`);
  });
  const result = await runAction({
    inputs: { prompt: 'x', timeout: '13s', baseUrl: 'https://agent.test' },
    env: { https_proxy: `http://us%40er:p%3Aw@${proxy.host}`, RUNNER_DEBUG: '1' },
  });
  expect(proxy.connections).toBeGreaterThan(2);
  expect(annotations(result).at(-1)).toMatch(/No agent job was created: .*HTTP\/1\.1 407 No`/);
  expect([result.outputs['outcome'], result.stderr]).toEqual(['error', '']);
  expect(result.stdout).not.toContain('Error on an unused connection');
  expectNoCredentials(result, 'us@er', 'p:w');
  expectNoCredentials(result, 'us%40er', 'p%3Aw');
});

test.concurrent("a proxy that echoes its password as a response of GitHub's API does not make it show", async () => {
  await using service = await AgentService.start();
  const basic = Buffer.from('us@er:hunter2pw').toString('base64');
  const echo = `Access denied for us@er:hunter2pw (Basic ${basic})`;
  await using proxy = await RawServer.start(
    (socket) => void socket.end(`HTTP/1.1 407 No\r\ncontent-length: ${echo.length}\r\n\r\n${echo}`),
  );
  const push = onPush('http://github.test', 'c1', 'c3');
  const result = await runAction({
    inputs: { prompt: 'x', changes: 'files', wait: 'false', timeout: '10s', baseUrl: service.url },
    event: push.event,
    env: {
      ...push.env,
      http_proxy: `http://us%40er:hunter2pw@${proxy.host}`,
      no_proxy: '127.0.0.1',
    },
  });
  expect(annotations(result)[0]).toContain('HTTP 407 (`Access denied for *** (Basic ***)`)');
  expectNoCredentials(result, 'us@er', 'hunter2pw');
});
