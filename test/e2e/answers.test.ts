/** Responses in an unexpected form that still contain an agent job. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { annotations } from '../support/action.ts';
import { AgentService, type Exchange, PR_LINK, reply } from '../support/agent-service.ts';
import { JumpingClock, runHere } from '../support/in-process.ts';

const JOB = { id: 'job_1', status: 'completed', prLink: PR_LINK };

/** Serves these bytes, with these headers, to every request. */
const serves =
  (body: Uint8Array | string, headers: Record<string, string> = {}) =>
  ({ request, response }: Exchange): true => {
    response.writeHead(request.method === 'POST' ? 201 : 200, headers);
    response.end(body);
    return true;
  };

// Each coding alone: test/unit/effects/body.test.ts.
test.concurrent('a response in gzip and another charset is read, though neither was asked for', async () => {
  const text = Buffer.from(JSON.stringify({ ...JOB, model: 'Käse' }), 'latin1');
  await using service = await AgentService.start({
    intercept: serves(gzipSync(text), {
      'content-encoding': 'gzip',
      'content-type': 'application/json; charset=ISO-8859-1',
    }),
  });
  const { outputs } = await runHere({ inputs: { prompt: 'x', baseUrl: service.url } });
  expect(service.requests[0]?.headers['accept-encoding']).toBe('identity');
  expect(outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1', model: 'Käse' });
});

test.concurrent('a small response that decodes to more than 1 MiB is refused', async () => {
  const bomb = gzipSync(JSON.stringify({ ...JOB, more: 'a'.repeat(8 * 1024 * 1024) }));
  await using service = await AgentService.start({
    intercept: serves(bomb, { 'content-encoding': 'gzip' }),
  });
  const result = await runHere({ inputs: { prompt: 'x', baseUrl: service.url } });
  expect(result.outputs['outcome']).toBe('error');
  expect(annotations(result).at(-1)).toContain('An agent job may exist');
});

describe.concurrent('the id in a 2xx response to a create call is kept even if the response', () => {
  const nested = `{"id":"job_1","status":"active","deep":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  test.concurrent('is nested 5,000 deep', async () => {
    await using service = await AgentService.start({ intercept: serves(nested) });
    const inputs = { prompt: 'x', wait: 'false', baseUrl: service.url };
    const { outputs } = await runHere({ inputs });
    expect(outputs).toMatchObject({ outcome: 'started', jobId: 'job_1', job: nested });
  });

  test.concurrent.each([
    { promise: 'is nested 200,000 deep', body: `{"id":"job_1","deep":${'['.repeat(200_000)}` },
    { promise: 'was cut', body: '{"id": "job_1", "status": "act' },
  ])('$promise', async ({ body }) => {
    await using service = await AgentService.start({ intercept: serves(body) });
    const result = await runHere({ inputs: { prompt: 'x', baseUrl: service.url } });
    expect(service.transcript).toEqual(['POST job']);
    expect(result.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
    expect(annotations(result).at(-1)).toContain('The response named `job_1`');
    expect(result.summary).toContain("jobId: 'job_1'");
  });

  test.concurrent('breaks off in its body', async () => {
    const head = 'HTTP/1.1 201 Created\r\ncontent-length: 900\r\n\r\n';
    await using service = await AgentService.start({
      intercept: ({ socket }) => {
        socket.end(`${head}{"id":"job_1","status":"active"`);
        return true;
      },
    });
    const { outputs } = await runHere({ inputs: { prompt: 'x', baseUrl: service.url } });
    expect(outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
  });
});

test.concurrent.each([
  {
    promise: 'of spaces, quotes, commands, an expression and the characters of a path',
    id: ` mint_ a/b?c#d%2F..\\e it's "x" \`y\` $` + '{{ secrets.X }} ##[error]::error::x ',
  },
  { promise: 'as long as an id may be', id: 'ü'.repeat(1_000) },
])(
  'an id $promise is put out, encoded in the path and accepted as `jobId`',
  async ({ id: given }) => {
    await using service = await AgentService.start({ idOf: () => given });
    const created = await runHere({ inputs: { prompt: 'x', baseUrl: service.url } });
    expect(created.outputs).toMatchObject({ outcome: 'pull-request', jobId: given });
    const jobId = created.outputs['jobId'] ?? '';
    const followed = await runHere({ inputs: { jobId, baseUrl: service.url } });
    expect(followed.outputs).toMatchObject({ outcome: 'pull-request', jobId: given });
  },
);

test.concurrent('an id with half of a character of two units is used without that half', async () => {
  await using service = await AgentService.start({ fields: { id: 'job_\ud800' } });
  const inputs = { prompt: 'x', wait: 'false', baseUrl: service.url };
  const { outputs } = await runHere({ inputs });
  expect(outputs).toMatchObject({ outcome: 'started', jobId: 'job_\ufffd' });
});

test.concurrent('an end in the create response counts when the timeout has run out meanwhile', async () => {
  const clock = new JumpingClock();
  await using service = await AgentService.start({
    intercept: ({ response }) => {
      clock.pass(30_000);
      return reply(response, 201, JOB);
    },
  });
  const inputs = { prompt: 'x', timeout: '20s', baseUrl: service.url };
  const { outputs } = await runHere({ inputs }, clock);
  expect(service.transcript).toEqual(['POST job']);
  expect(outputs).toMatchObject({ outcome: 'pull-request', prLink: PR_LINK });
});
