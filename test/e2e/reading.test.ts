import { expect, test } from 'vitest';
import { annotations } from '../support/action.ts';
import { AgentService, first, PR_LINK, reply } from '../support/agent-service.ts';
import { JumpingClock, runHere } from '../support/in-process.ts';
import { READ_FAULTS, type ReadFault } from './read-faults.ts';

const ENDED = [{ status: 'active' }, { afterReads: 1, status: 'completed', prLink: PR_LINK }];

test.concurrent.each(READ_FAULTS)(
  'after $fault the agent job $behaviour',
  async (fault: ReadFault) => {
    await using service = await AgentService.start({
      schedule: ENDED,
      intercept: fault.intercept,
    });
    const result = await runHere({
      inputs: { prompt: 'x', baseUrl: service.url, timeout: '20s' },
    });
    const isRead = fault.end === 'continues';
    const read = ['POST job', 'GET job/job_1'];
    expect(service.transcript).toEqual(isRead ? [...read, 'GET job/job_1'] : read);
    expect(annotations(result).at(-1)).toMatch(fault.says ?? PR_LINK);
    expect(result).toMatchObject({
      exitCode: isRead ? 0 : 1,
      outputs: { jobId: 'job_1', outcome: isRead ? 'pull-request' : 'error' },
    });
  },
);

test.concurrent('the next read waits as long as Retry-After asks', async () => {
  const clock = new JumpingClock();
  const at: number[] = [];
  await using service = await AgentService.start({
    schedule: ENDED,
    intercept: (exchange) => {
      if (exchange.request.method === 'GET') at.push(clock.now());
      return first('GET', ({ response }) => reply(response, 503, '', { 'retry-after': '90' }))(
        exchange,
      );
    },
  });
  await runHere({ inputs: { prompt: 'x', baseUrl: service.url } }, clock);
  expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(90_000);
});

test.concurrent('reading goes on when the service goes away and comes back', async () => {
  let refuses = 0;
  await using service = await AgentService.start({
    schedule: ENDED,
    onConnection: (socket, count) => {
      if (count === 1 || refuses >= 3) return;
      refuses += 1;
      socket.destroy();
    },
  });
  const { outputs } = await runHere({ inputs: { prompt: 'x', baseUrl: service.url } });
  expect([refuses, outputs['outcome']]).toEqual([3, 'pull-request']);
});

test.concurrent('reads share one connection, which is closed at the end', async ({ expect }) => {
  await using service = await AgentService.start({
    schedule: [{ status: 'active' }, { afterReads: 4, status: 'completed', prLink: PR_LINK }],
  });
  await runHere({ inputs: { prompt: 'x', baseUrl: service.url } });
  const reads = service.requests.filter(({ method }) => method === 'GET');
  expect(reads).toHaveLength(4);
  expect(new Set(reads.map(({ connection }) => connection)).size).toBe(1);
  expect(service.connections).toBe(2);
  await expect.poll(() => service.sockets.size).toBe(0);
});
