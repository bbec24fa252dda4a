import { expect, test } from 'vitest';
import { clock } from '../../src/effects/clock.ts';
import { createHttp } from '../../src/effects/http.ts';
import { run } from '../../src/run.ts';
import { runAction } from '../support/action.ts';
import {
  ADMIN_API_KEY,
  AgentService,
  PR_LINK,
  PROJECT_ID,
  QUICK,
} from '../support/agent-service.ts';
import { answer, FACTS, fakeEffects } from '../support/fakes.ts';
import { READ_FAULTS, type ReadFault } from './read-faults.ts';

/** Runs in this process, with real requests: a process of its own for each fault shows no more. */
test.concurrent.each(READ_FAULTS)(
  'after $fault the agent job $behaviour',
  async (fault: ReadFault) => {
    await using service = await AgentService.start({ intercept: fault.intercept });
    const http = createHttp([]);
    const effects = { ...fakeEffects(() => answer(500, '')), http, clock };
    const isSuccess = await run(
      {
        prompt: 'x',
        projectId: PROJECT_ID,
        adminApiKey: ADMIN_API_KEY,
        baseUrl: service.url,
        pollInterval: '1s',
        timeout: '20s',
      },
      FACTS,
      effects,
    );
    http.close();
    const { annotations, outputs } = effects.runner;
    const isRead = fault.end === 'continues';
    expect(service.transcript).toEqual(
      isRead ? ['POST job', 'GET job/job_1', 'GET job/job_1'] : ['POST job', 'GET job/job_1'],
    );
    expect(annotations.at(-1)?.message).toMatch(fault.says ?? PR_LINK);
    expect(outputs).toMatchObject({ jobId: 'job_1', outcome: isRead ? 'pull-request' : 'error' });
    expect(isSuccess).toBe(isRead);
  },
);

test.concurrent('the next read waits as long as Retry-After asks', async () => {
  const at: number[] = [];
  await using service = await AgentService.start({
    intercept: ({ request, response }) => {
      if (request.method === 'GET') at.push(performance.now());
      if (request.method !== 'GET' || at.length > 1) return false;
      response.writeHead(503, { 'retry-after': '3' }).end();
      return true;
    },
  });
  await runAction({ inputs: { prompt: 'x', baseUrl: service.url, pollInterval: '1s' } });
  expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(2_990);
});

test.concurrent('reading goes on when the service goes away and comes back', async () => {
  let refuses = 0;
  await using service = await AgentService.start({
    schedule: QUICK,
    onConnection: (socket, count) => {
      if (count === 1 || refuses >= 3) return;
      refuses += 1;
      socket.destroy();
    },
  });
  const result = await runAction({
    inputs: { prompt: 'x', baseUrl: service.url, pollInterval: '1s', timeout: '30s' },
  });
  expect([refuses, result.outputs['outcome']]).toEqual([3, 'pull-request']);
});

test.concurrent('reads share one connection, which is closed at the end', async () => {
  await using service = await AgentService.start({
    schedule: [
      { afterMs: 0, status: 'active' },
      { afterReads: 4, status: 'completed', prLink: PR_LINK },
    ],
  });
  await runAction({ inputs: { prompt: 'x', baseUrl: service.url, pollInterval: '1s' } });
  const reads = service.requests.filter(({ method }) => method === 'GET');
  expect(reads.length).toBeGreaterThanOrEqual(4);
  expect(new Set(reads.map(({ connection }) => connection)).size).toBe(1);
  expect(service.connections).toBe(2);
  expect(service.sockets.size).toBe(0);
});
