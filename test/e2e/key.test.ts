import { expect, test } from 'vitest';
import { type ActionResult, annotations, loadWhenLogged, runAction } from '../support/action.ts';
import { ADMIN_API_KEY, AgentService, reply } from '../support/agent-service.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';
import { tls } from '../support/tls.ts';

/** Everything that a run wrote, without the mask commands. */
const written = ({ stdout, stderr, summary, outputs }: ActionResult) =>
  [stdout.replace(/^::add-mask::.*$/gm, ''), stderr, summary, JSON.stringify(outputs)].join('\n');

/** The base64 of this key ends in `==`, because its length is one more than a multiple of three. */
const PADDED_KEY = 'mint_padded_0123456789abc';

const ESCAPED = ADMIN_API_KEY.replace('m', '\\u006d');
const BASE64 = Buffer.from(ADMIN_API_KEY).toString('base64');

test.concurrent('the mask of the key is written first', async () => {
  await using service = await AgentService.start();
  const result = await runAction({ inputs: { prompt: 'x', wait: 'false', baseUrl: service.url } });
  expect(result.stdout.split('\n')[0]).toBe(`::add-mask::${ADMIN_API_KEY}`);
});

test.concurrent.each([
  {
    echo: 'every field of a job',
    body: `{"id":"job_1","status":"completed","model":"${ADMIN_API_KEY}","source":{"repository":"https://x/${ADMIN_API_KEY}","ref":"${ADMIN_API_KEY}"},"prLink":"https://github.com/${ADMIN_API_KEY}","new":"${ADMIN_API_KEY}"}`,
    status: 200,
  },
  { echo: 'an error', body: `{"error":"bad key ${ADMIN_API_KEY}"}`, status: 403 },
  { echo: 'an error in escapes', body: `{"error":"bad key ${ESCAPED}"}`, status: 403 },
  { echo: 'an error in base64', body: `{"error":"bad header ${BASE64}"}`, status: 403 },
  {
    echo: 'an error past the cut',
    body: JSON.stringify({ error: `${'x'.repeat(480)}${ADMIN_API_KEY}` }),
    status: 403,
  },
  {
    echo: 'an error in escapes past the cut',
    body: `{"error":"${'x'.repeat(480)}${ESCAPED}"}`,
    status: 403,
  },
  { echo: 'an answer that is not JSON', body: `<p>${ADMIN_API_KEY}</p>`, status: 403 },
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

test.concurrent('debug lines are written only with step debugging on', async () => {
  await using service = await AgentService.start();
  const result = await runAction({ inputs: { prompt: 'x', wait: 'false', baseUrl: service.url } });
  expect(result.commands.filter(({ name }) => name === 'debug')).toEqual([]);
});

test.concurrent.each([
  { kind: 'an assistant key', adminApiKey: 'mint_dsc_0123456789', says: 'an assistant key' },
  { kind: 'an index key', adminApiKey: 'mint_us_0123456789', says: 'an index key' },
  { kind: 'a key of another service', adminApiKey: 'ghp_0123456789', says: 'begin with `mint_`' },
  { kind: 'a key with a line break', adminApiKey: 'mint_0123456789\n', says: 'a line break' },
  { kind: 'a key with a space', adminApiKey: 'mint_0123 456789', says: 'white space' },
  { kind: 'a key with another letter', adminApiKey: 'mint_0123456789é', says: 'not ASCII' },
])('$kind is refused with the reason, and not printed', async ({ adminApiKey, says }) => {
  await using service = await AgentService.start();
  const result = await runAction({ inputs: { prompt: 'x', adminApiKey, baseUrl: service.url } });
  expect(service.requests).toEqual([]);
  expect(annotations(result)[0]).toContain(says);
  expect(written(result)).not.toContain('0123456789');
});

test.concurrent('a key given as the project id is not printed', async () => {
  const result = await runAction({ inputs: { prompt: 'x', projectId: 'mint_0123456789' } });
  expect(annotations(result)[0]).toBe(
    'error: `projectId` looks like an API key, and is not printed here.\nTroubleshooting: https://github.com/docs-agent/docs-agent-job/blob/v1/.github/TROUBLESHOOTING.md#the-inputs-cannot-be-used',
  );
  expect(written(result)).not.toContain('0123456789');
});

test.concurrent('a key whose base64 ends in two equals signs does not leak in base64', async () => {
  const encoded = Buffer.from(PADDED_KEY).toString('base64');
  expect(encoded.endsWith('==')).toBe(true);
  await using service = await AgentService.start({
    adminApiKey: PADDED_KEY,
    intercept: ({ request, response }) =>
      request.method === 'GET' && reply(response, 403, { error: `bad header ${encoded}` }),
  });
  const result = await runAction({
    inputs: { prompt: 'x', adminApiKey: PADDED_KEY, pollInterval: '1s', baseUrl: service.url },
  });
  expect(annotations(result).at(-1)).toContain('the service said `bad header ***`');
  expect(written(result)).not.toContain(encoded.slice(0, 16));
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
