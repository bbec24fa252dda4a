import { expect, test } from 'vitest';
import { AgentService, first, PR_LINK, reply } from '../support/agent-service.ts';
import { JumpingClock, runHere } from '../support/in-process.ts';
import { play } from '../support/play.ts';
import { READ_FAULTS } from './read-faults.ts';

const inputs = { prompt: 'x' };
const endsAfter = (afterReads: number) => [
  { status: 'active' },
  { afterReads, status: 'completed', prLink: PR_LINK },
];

test.concurrent.each(READ_FAULTS)(
  'after $fault the agent job $behaviour',
  async ({ intercept, end, says = PR_LINK }) => {
    const { agent, said, result } = await play({
      inputs: { prompt: 'x', timeout: '20s' },
      service: { schedule: endsAfter(1), intercept },
    });
    const isRead = end === 'continues';
    const read = ['POST job', 'GET job/job_1'];
    expect(agent.transcript).toEqual(isRead ? [...read, 'GET job/job_1'] : read);
    expect(said.at(-1)).toMatch(says);
    expect(result).toMatchObject({
      exitCode: isRead ? 0 : 1,
      outputs: { jobId: 'job_1', outcome: isRead ? 'pull-request' : 'error' },
    });
  },
);

test.concurrent('the next read waits as long as Retry-After asks', async () => {
  const clock = new JumpingClock();
  const at: number[] = [];
  const refuse = first('GET', ({ response }) => reply(response, 503, '', { 'retry-after': '90' }));
  await play({
    inputs,
    clock,
    service: {
      schedule: endsAfter(1),
      intercept: (exchange) => {
        if (exchange.request.method === 'GET') at.push(clock.now());
        return refuse(exchange);
      },
    },
  });
  expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(90_000);
});

test.concurrent('reading goes on when the service goes away and comes back', async () => {
  let refuses = 0;
  const { outputs } = await play({
    inputs,
    service: {
      schedule: endsAfter(1),
      onConnection: (socket, count) => {
        if (count === 1 || refuses >= 3) return;
        refuses += 1;
        socket.destroy();
      },
    },
  });
  expect([refuses, outputs['outcome']]).toEqual([3, 'pull-request']);
});

test.concurrent('reads share one connection, which is closed at the end', async ({ expect }) => {
  await using service = await AgentService.start({ schedule: endsAfter(4) });
  await runHere({ inputs: { ...inputs, baseUrl: service.url } });
  const reads = service.requests.filter(({ method }) => method === 'GET');
  expect(reads).toHaveLength(4);
  expect(new Set(reads.map(({ connection }) => connection)).size).toBe(1);
  expect(service.connections).toBe(2);
  await expect.poll(() => service.sockets.size).toBe(0);
});
