/** Responses in an unexpected form that still contain an agent job. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { PR_LINK, type ServiceOptions } from '../support/agent-service.ts';
import { play } from '../support/play.ts';

const JOB = { id: 'job_1', status: 'completed', prLink: PR_LINK };

/** Serves these bytes, with these headers, to every request. */
const serves = (
  body: Uint8Array | string,
  headers: Record<string, string> = {},
): ServiceOptions => ({
  intercept: ({ request, response }) => {
    response.writeHead(request.method === 'POST' ? 201 : 200, headers);
    response.end(body);
    return true;
  },
});

// Each coding alone: test/unit/effects/body.test.ts.
test.concurrent('a response in gzip is read, though it was not asked for', async () => {
  const text = JSON.stringify({ ...JOB, model: 'Käse' });
  const { outputs, agent } = await play({
    inputs: { prompt: 'x' },
    service: serves(gzipSync(text), { 'content-encoding': 'gzip' }),
  });
  expect(agent.requests[0]?.headers['accept-encoding']).toBe('identity');
  expect(outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1', model: 'Käse' });
});

describe.concurrent('the id in a 2xx response to a create call', () => {
  const nested = `{"id":"job_1","status":"active","deep":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  test.concurrent('is put out if the response is nested 5,000 deep', async () => {
    const inputs = { prompt: 'x', wait: 'false' };
    const { outputs } = await play({ inputs, service: serves(nested) });
    expect(outputs).toMatchObject({ outcome: 'started', jobId: 'job_1', job: nested });
  });

  test.concurrent.each([
    {
      promise: 'nested 200,000 deep',
      service: serves(`{"id":"job_1","deep":${'['.repeat(200_000)}`),
    },
    { promise: 'that was cut', service: serves('{"id": "job_1", "status": "act') },
    {
      promise: 'that breaks off in its body',
      service: serves('{"id":"job_1","status":"active"', { 'content-length': '900' }),
    },
  ])(
    'is told in the error and nowhere else if the response is one $promise',
    async ({ service }) => {
      const { outputs, said, result, agent } = await play({ inputs: { prompt: 'x' }, service });
      expect(agent.transcript).toEqual(['POST job']);
      expect(outputs).toMatchObject({ outcome: 'error', jobId: '' });
      expect(said.at(-1)).toContain('(the response named the id `job_1`)');
      expect(result.summary).toContain('(the response named the id <code>job_1</code>)');
      expect(result.summary).not.toContain('jobId');
    },
  );
});

test.concurrent.each([
  {
    promise: 'of spaces, quotes, commands, an expression and the characters of a path',
    id: `mint_ a/b?c#d%2F..\\e it's "x" \`y\` $` + '{{ secrets.X }} ##[error]::error::x',
  },
  { promise: 'as long as an id may be', id: 'ü'.repeat(1_000) },
])('an id $promise is put out, encoded in the path and accepted as `jobId`', async ({ id }) => {
  const service = { idOf: () => id };
  const created = await play({ inputs: { prompt: 'x' }, service });
  expect(created.outputs).toMatchObject({ outcome: 'pull-request', jobId: id });
  const jobId = created.outputs['jobId'] ?? '';
  const followed = await play({ inputs: { jobId }, service, jobs: [[JOB]] });
  expect(followed.outputs).toMatchObject({ outcome: 'pull-request', jobId: id });
});
