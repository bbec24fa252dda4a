import { expect, test } from 'vitest';
import { type ActionResult, annotations, loadWhenLogged, runAction } from '../support/action.ts';
import { ADMIN_API_KEY, AgentService, reply } from '../support/agent-service.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';
import { tls } from '../support/tls.ts';

/** Everything that a run wrote, without the mask commands. */
const written = ({ stdout, stderr, summary, outputs }: ActionResult) =>
  [stdout.replace(/^::add-mask::.*$/gm, ''), stderr, summary, JSON.stringify(outputs)].join('\n');

const ESCAPED = ADMIN_API_KEY.replace('m', '\\u006d');
const BASE64 = Buffer.from(ADMIN_API_KEY).toString('base64');

test.concurrent.each([
  {
    echo: 'every field of a job',
    body: `{"id":"job_1","status":"completed","model":"${ADMIN_API_KEY}","source":{"repository":"https://x/${ADMIN_API_KEY}","ref":"${ADMIN_API_KEY}"},"prLink":"https://github.com/${ADMIN_API_KEY}","new":"${ADMIN_API_KEY}"}`,
    status: 200,
  },
  {
    echo: 'an error in escapes past the cut',
    body: `{"error":"${'x'.repeat(480)}${ESCAPED}"}`,
    status: 403,
  },
])('a service that echoes the key in $echo does not leak it', async ({ body, status }) => {
  await using service = await AgentService.start({
    intercept: ({ request, response }) => request.method === 'GET' && reply(response, status, body),
  });
  const result = await runAction({
    inputs: { prompt: `x ${ADMIN_API_KEY}`, pollInterval: '1s', baseUrl: service.url },
    env: { RUNNER_DEBUG: '1' },
  });
  expect(result.commands.some(({ name }) => name === 'debug')).toBe(true);
  expect(written(result)).not.toContain(ADMIN_API_KEY);
  expect(written(result)).not.toContain(ADMIN_API_KEY.slice(0, 12));
  expect(written(result)).not.toContain(BASE64.slice(0, 16));
});

test.concurrent('a key with a line break is refused with the reason, and not printed', async () => {
  await using service = await AgentService.start();
  const adminApiKey = 'mint_0123456789\n';
  const result = await runAction({ inputs: { prompt: 'x', adminApiKey, baseUrl: service.url } });
  expect(service.requests).toEqual([]);
  expect(annotations(result)[0]).toContain('a line break');
  expect(written(result)).not.toContain('0123456789');
});

test.concurrent('no key is sent while Node does not check certificates, and the error says why', async () => {
  await using service = await AgentService.start({ tls });
  await using github = await GitHubService.start({ commits: line(3) });
  const push = onPush(github.url, 'c1', 'c3');
  const result = await runAction({
    inputs: { prompt: 'x', changes: 'files', baseUrl: service.url },
    event: push.event,
    env: { ...push.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  });
  expect([service.connections, github.requests.length]).toEqual([0, 0]);
  expect([result.exitCode, result.outputs['outcome'], result.stderr]).toEqual([1, 'error', '']);
  expect(annotations(result).at(-1)).toMatch(
    /`NODE_TLS_REJECT_UNAUTHORIZED` is `0`.*Nothing was sent\..*`NODE_EXTRA_CA_CERTS`/,
  );
});

test.concurrent("Node's warnings are debug lines, and nothing of them is on stderr", async () => {
  await using service = await AgentService.start();
  const result = await runAction({
    inputs: { prompt: 'x', pollInterval: '1s', baseUrl: service.url },
    env: {
      ...loadWhenLogged('warn.mjs', 'Creating an agent job'),
      RUNNER_DEBUG: '1',
    },
  });
  expect([result.outputs['outcome'], result.stderr]).toEqual(['pull-request', '']);
  expect(result.commands).toContainEqual(
    expect.objectContaining({ name: 'debug', data: 'Node warns: something is deprecated' }),
  );
});
