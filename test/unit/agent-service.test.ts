/** The local service keeps to the published contract. The other tests rely on that. */
import { expect, test } from 'vitest';
import { ADMIN_API_KEY, AgentService, PR_LINK } from '../support/agent-service.ts';

const JOBS = '/v2/agent/local-project/job';

async function ask(
  service: AgentService,
  method: string,
  path: string,
  body?: string,
  key = ADMIN_API_KEY,
) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('an agent job goes through its states on schedule', async () => {
  await using service = await AgentService.start({
    schedule: [
      { afterMs: 0, status: 'active' },
      { afterMs: 30, status: 'completed', prLink: PR_LINK },
    ],
  });
  const created = await ask(service, 'POST', JOBS, '{"prompt":"x"}');
  expect(created).toMatchObject({
    status: 201,
    body: { id: 'job_1', status: 'active', prLink: null },
  });
  expect(Object.keys(created.body)).toEqual([
    'id',
    'status',
    'source',
    'model',
    'prLink',
    'createdAt',
    'archivedAt',
  ]);
  await expect
    .poll(async () => (await ask(service, 'GET', `${JOBS}/job_1`)).body)
    .toMatchObject({ status: 'completed', prLink: PR_LINK });
  const messaged = await ask(service, 'POST', `${JOBS}/job_1/message`, '{"prompt":"y"}');
  expect(messaged).toMatchObject({ status: 200, body: { id: 'job_1', status: 'active' } });
});

test.each([
  ['POST', JOBS, '{"prompt":""}', 400],
  ['POST', JOBS, '{"prompt":1}', 400],
  ['POST', JOBS, '{}', 400],
  ['POST', JOBS, 'no', 400],
  ['POST', JOBS, undefined, 400],
  ['GET', `${JOBS}/none`, undefined, 404],
  ['POST', `${JOBS}/none/message`, '{"prompt":"x"}', 404],
  ['GET', '/v2/agent/other/job/job_1', undefined, 404],
  ['GET', JOBS, undefined, 404],
  ['GET', '/', undefined, 404],
])('%s %s %s is answered with %s and an error', async (method, path, body, status) => {
  await using service = await AgentService.start();
  service.addJob();
  expect(await ask(service, method, path, body)).toEqual({
    status,
    body: { error: expect.stringMatching(/./) },
  });
});

test('a key that is not the admin key is refused', async () => {
  await using service = await AgentService.start();
  expect(await ask(service, 'GET', `${JOBS}/job_1`, undefined, 'mint_other')).toEqual({
    status: 401,
    body: { error: 'Unauthorized' },
  });
});
