/** Answers in an unexpected form that still contain an agent job. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { annotations, runAction } from '../support/action.ts';
import { AgentService, type Exchange, PR_LINK, reply } from '../support/agent-service.ts';

const inputs = { prompt: 'x', pollInterval: '1s', timeout: '1m' };
const JOB = { id: 'job_1', status: 'completed', prLink: PR_LINK };

/** Serves these bytes, with these headers, to every request. */
const serves =
  (body: Uint8Array | string, headers: Record<string, string> = {}, postStatus = 201) =>
  ({ request, response }: Exchange): true => {
    response.writeHead(request.method === 'POST' ? postStatus : 200, headers);
    response.end(body);
    return true;
  };

// Each coding alone: test/unit/effects/body.test.ts.
describe.concurrent('an answer is read even if it comes', () => {
  const text = JSON.stringify({ ...JOB, model: 'Käse' });
  test.concurrent.each([
    { promise: 'in gzip', body: gzipSync(text), headers: { 'content-encoding': 'gzip' } },
    {
      promise: 'in ISO 8859-1',
      body: Buffer.from(text, 'latin1'),
      headers: { 'content-type': 'application/json; charset=ISO-8859-1' },
    },
  ])('$promise', async ({ body, headers }) => {
    await using service = await AgentService.start({
      intercept: serves(body, headers as Record<string, string>),
    });
    const result = await runAction({ inputs: { ...inputs, baseUrl: service.url } });
    expect(service.requests[0]?.headers['accept-encoding']).toBe('identity');
    expect(result.outputs).toMatchObject({
      outcome: 'pull-request',
      jobId: 'job_1',
      model: 'Käse',
    });
  });
});

test.concurrent('a small response that decodes to more than 1 MiB is refused', async () => {
  const bomb = gzipSync(JSON.stringify({ ...JOB, more: 'a'.repeat(8 * 1024 * 1024) }));
  await using service = await AgentService.start({
    intercept: serves(bomb, { 'content-encoding': 'gzip' }),
  });
  const result = await runAction({ inputs: { ...inputs, baseUrl: service.url } });
  expect(result.outputs['outcome']).toBe('error');
  expect(annotations(result).at(-1)).toContain('An agent job may exist');
});

describe.concurrent('the id in a 2xx answer to a create call is kept even if the answer', () => {
  const nested = `{"id":"job_1","status":"active","deep":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  test.concurrent('is nested 5,000 deep', async () => {
    await using service = await AgentService.start({ intercept: serves(nested) });
    const result = await runAction({ inputs: { ...inputs, wait: 'false', baseUrl: service.url } });
    expect(result.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1', job: nested });
  });

  test.concurrent.each([
    { promise: 'is nested 200,000 deep', body: `{"id":"job_1","deep":${'['.repeat(200_000)}` },
    { promise: 'was cut', body: '{"id": "job_1", "status": "act' },
  ])('$promise', async ({ body }) => {
    await using service = await AgentService.start({ intercept: serves(body) });
    const result = await runAction({ inputs: { ...inputs, baseUrl: service.url } });
    expect(service.transcript).toEqual(['POST job']);
    expect(result.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
    expect(annotations(result).at(-1)).toContain('The response named `job_1`');
    expect(result.summary).toContain("jobId: 'job_1'");
  });

  test.concurrent('breaks off in its body', async () => {
    await using service = await AgentService.start({
      intercept: ({ socket }) => {
        socket.end(
          'HTTP/1.1 201 Created\r\ncontent-length: 900\r\n\r\n{"id":"job_1","status":"active"',
        );
        return true;
      },
    });
    const result = await runAction({ inputs: { ...inputs, baseUrl: service.url } });
    expect(result.outputs).toMatchObject({ outcome: 'error', jobId: 'job_1' });
  });
});

describe.concurrent('an id is set as an output, encoded in the path and accepted as `jobId` when it is', () => {
  test.concurrent.each([
    {
      promise: 'of spaces, quotes, commands, an expression and the characters of a path',
      id: ` mint_ a/b?c#d%2F..\\e it's "x" \`y\` $` + '{{ secrets.X }} ##[error]::error::x ',
    },
    { promise: 'as long as an id may be', id: 'ü'.repeat(1_000) },
  ])('$promise', async ({ id }) => {
    await using service = await AgentService.start({ idOf: () => id });
    const created = await runAction({ inputs: { ...inputs, baseUrl: service.url } });
    expect(created.outputs).toMatchObject({ outcome: 'pull-request', jobId: id });
    const followed = await runAction({
      inputs: { jobId: created.outputs['jobId'] ?? '', pollInterval: '1s', baseUrl: service.url },
    });
    expect(followed.outputs).toMatchObject({ outcome: 'pull-request', jobId: id });
  });
});

describe.concurrent('a create answer that already has an end', () => {
  test.concurrent('is followed by a read at once, not after the poll interval', async () => {
    await using service = await AgentService.start({
      schedule: [{ status: 'completed', prLink: PR_LINK }],
    });
    const result = await runAction({
      inputs: { ...inputs, pollInterval: '10m', timeout: '20m', baseUrl: service.url },
    });
    expect(service.transcript).toEqual(['POST job', 'GET job/job_1']);
    expect(result.outputs['outcome']).toBe('pull-request');
  });

  test.concurrent.each([
    { status: 'failed', outcome: 'failed', exitCode: 1 },
    { status: 'archived', outcome: 'archived', exitCode: 0 },
    { status: 'active', outcome: 'started', exitCode: 0 },
  ])(
    'counts with `wait: false`: $status gives the outcome $outcome',
    async ({ status, outcome, exitCode }) => {
      await using service = await AgentService.start({ schedule: [{ status }] });
      const result = await runAction({
        inputs: { ...inputs, wait: 'false', baseUrl: service.url },
      });
      expect(service.transcript).toEqual(['POST job']);
      expect([result.outputs['outcome'], result.exitCode]).toEqual([outcome, exitCode]);
    },
  );
});

test.concurrent('an end in the create response counts when the timeout has run out meanwhile', async () => {
  await using service = await AgentService.start({
    intercept: async ({ response }) => {
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      return reply(response, 201, JOB);
    },
  });
  const result = await runAction({ inputs: { ...inputs, timeout: '2s', baseUrl: service.url } });
  expect(service.transcript).toEqual(['POST job']);
  expect(result.outputs).toMatchObject({ outcome: 'pull-request', prLink: PR_LINK });
});
