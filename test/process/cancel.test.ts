import { describe, expect, test } from 'vitest';
import {
  Action,
  annotations,
  CANCEL_LIMIT_MS,
  loadWhenLogged,
  runAction,
} from '../support/action.ts';
import { AgentService, reply } from '../support/agent-service.ts';
import { cancellation, JumpingClock } from '../support/in-process.ts';
import { play, pushOf } from '../support/play.ts';
import { noSignals, skipWhen } from '../support/system.ts';

const FOREVER = [{ status: 'active' }];
/** Refuses every connection. */
const NOBODY = 'http://127.0.0.1:1';

describe.concurrent('a cancel', () => {
  test.concurrent.each([
    {
      promise: 'before the create call creates no agent job',
      jobId: '',
      heading: '## ⏹️ Cancelled; no agent job was created · `local-project`',
      says: /^error: The step was cancelled \(SIGINT\) before an agent job was created\./,
    },
    {
      promise: 'before a follow-up message is sent says that it was not sent',
      jobId: 'job_1',
      heading: '## ⏹️ Cancelled; the follow-up message was not sent',
      says: /^error: The step was cancelled \(SIGINT\) before the follow-up message to agent job `job_1` was sent\.\nTo send the prompt, press "Re-run failed jobs"\.\nTroubleshooting: .*#cancelled$/,
    },
  ])('$promise', async ({ jobId, heading, says }) => {
    const { cancel, signal } = cancellation();
    const clock = new JumpingClock();
    clock.after(1, cancel);
    const inputs = { prompt: 'x', jobId, baseUrl: NOBODY };
    const { result, said } = await play({ inputs, clock, effects: { signal } });
    expect(result).toMatchObject({ exitCode: 1, outputs: { outcome: 'cancelled', jobId } });
    expect(result.summary).toContain(heading);
    expect(said.at(-1)).toMatch(says);
  });

  test.concurrent('while changes are searched for creates no agent job', async () => {
    const { cancel, signal } = cancellation();
    const { outputs, agent, requests } = await play({
      inputs: { prompt: 'x', changes: 'files' },
      ...pushOf('c1', 'c2'),
      github: {
        fail: () => {
          cancel();
          return 'silence';
        },
      },
      effects: { signal },
    });
    expect([agent.requests, requests.length]).toEqual([[], 1]);
    expect(outputs).toMatchObject({ outcome: 'cancelled', jobId: '' });
  });

  test.concurrent('while reading starts no further read', async () => {
    const { cancel, signal } = cancellation();
    const { outputs, agent } = await play({
      inputs: { prompt: 'x' },
      service: {
        schedule: FOREVER,
        intercept: ({ request }) => {
          if (request.method === 'GET') cancel();
          return request.method === 'GET';
        },
      },
      effects: { signal },
    });
    expect(agent.transcript).toEqual(['POST job', 'GET job/job_1']);
    expect(outputs).toMatchObject({ outcome: 'cancelled', jobId: 'job_1' });
  });

  test.concurrent.each([
    { call: 'create call', wait: 'true', jobId: '' },
    { call: 'create call', wait: 'false', jobId: '' },
    { call: 'follow-up message', wait: 'true', jobId: 'job_9' },
  ])(
    'keeps the id when the $call is answered after it, with wait: $wait',
    async ({ wait, jobId }) => {
      const { cancel, signal } = cancellation();
      const { result, outputs, agent } = await play({
        inputs: { prompt: 'x', wait, jobId },
        service: {
          intercept: ({ response }) => {
            cancel();
            return reply(response, 201, { id: 'job_9', status: 'active' });
          },
        },
        effects: { signal },
      });
      expect(agent.requests).toHaveLength(1);
      expect(result.exitCode).toBe(1);
      expect(outputs).toMatchObject({ outcome: 'cancelled', jobId: 'job_9' });
      expect(result.summary).toMatch(
        /(?:<code>jobId<\/code> set to|to keep waiting for agent job) <code>job_9</,
      );
    },
  );
});

describe.concurrent('a signal', () => {
  skipWhen(noSignals);

  test.concurrent('while a create call waits for its response says that an agent job may exist', async () => {
    const asked = Promise.withResolvers<void>();
    await using service = await AgentService.start({
      intercept: () => {
        asked.resolve();
        return true;
      },
    });
    const action = new Action({ inputs: { prompt: 'x', baseUrl: service.url } });
    await asked.promise;
    const tookMs = await action.signal('SIGINT');
    const result = await action.end();
    expect(tookMs).toBeLessThan(CANCEL_LIMIT_MS);
    expect(service.transcript).toEqual(['POST job']);
    expect(result.outputs).toMatchObject({ outcome: 'cancelled', jobId: '' });
    expect(result.summary).toContain('so it may have accepted the request.');
    expect(annotations(result).at(-1)).toContain('it may have accepted the request');
  });

  // SIGTERM alone: the transcript of the ending "cancelled". A second signal changes nothing.
  test.concurrent('while waiting, and another one after it, keep the id and say how to follow the agent job', async () => {
    await using service = await AgentService.start({ schedule: FOREVER });
    const action = new Action({
      inputs: { prompt: 'x', pollInterval: '10m', baseUrl: service.url },
    });
    await action.logged(/Waiting for agent job/);
    action.child.kill('SIGINT');
    expect(await action.signal('SIGTERM')).toBeLessThan(CANCEL_LIMIT_MS);
    const result = await action.end();
    expect(service.transcript).toEqual(['POST job']);
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({
      outcome: 'cancelled',
      jobId: 'job_1',
      status: 'active',
    });
    expect(result.summary).toContain('to keep waiting for agent job <code>job_1</code>');
    expect(annotations(result).at(-1)).toContain('to keep waiting for agent job `job_1`');
  });
});

test.concurrent("SIGBREAK, Node's name for CTRL_BREAK on Windows, ends the step as well", async () => {
  await using service = await AgentService.start({ schedule: FOREVER });
  const result = await runAction({
    inputs: { prompt: 'x', pollInterval: '10m', baseUrl: service.url },
    env: loadWhenLogged('emit-sigbreak.mjs', 'Waiting for agent job'),
  });
  expect(service.transcript).toEqual(['POST job']);
  expect([result.exitCode, result.outputs['outcome']]).toEqual([1, 'cancelled']);
  expect(annotations(result).at(-1)).toContain(
    '(SIGBREAK), which does not cancel agent job `job_1`',
  );
});
