import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  Action,
  annotations,
  CANCEL_LIMIT_MS,
  loadWhenLogged,
  runAction,
} from '../support/action.ts';
import { AgentService, reply } from '../support/agent-service.ts';
import { GitHubService, onPush } from '../support/github-service.ts';
import { noSignals, skipWhen } from '../support/system.ts';

const FOREVER = [{ afterMs: 0, status: 'active' }];
/** Refuses every connection. */
const NOBODY = 'http://127.0.0.1:1';
const inputs = { prompt: 'x', pollInterval: '1s', timeout: '1m' };

describe.concurrent('a cancel', () => {
  skipWhen(noSignals);

  test.concurrent('before the create call creates no agent job', async () => {
    const action = new Action({ inputs: { ...inputs, baseUrl: NOBODY } });
    await action.logged(/no connection could be made/);
    const tookMs = await action.signal('SIGINT');
    const result = await action.end();
    expect(tookMs).toBeLessThan(CANCEL_LIMIT_MS);
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ outcome: 'cancelled', jobId: '' });
    expect(result.summary).toContain('## ⏹️ Cancelled; no agent job was created · `local-project`');
    expect(annotations(result).at(-1)).toContain(
      `The step was cancelled (SIGINT) before an agent job was created.`,
    );
  });

  test.concurrent('before a follow-up message is sent says that it was not sent', async () => {
    const action = new Action({ inputs: { ...inputs, jobId: 'job_1', baseUrl: NOBODY } });
    await action.logged(/no connection could be made/);
    const tookMs = await action.signal('SIGINT');
    const result = await action.end();
    expect(tookMs).toBeLessThan(CANCEL_LIMIT_MS);
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ outcome: 'cancelled', jobId: 'job_1' });
    expect(result.summary).toContain('## ⏹️ Cancelled; the follow-up message was not sent');
    expect(annotations(result).at(-1)).toMatch(
      /^error: The step was cancelled \(SIGINT\) before the follow-up message to agent job `job_1` was sent\.\nTroubleshooting: .*#cancelled\n\(for later runs\) v=1 job=todo .* end$/,
    );
  });

  test.concurrent('while changes are searched for creates no agent job', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    await using service = await AgentService.start();
    await using github = await GitHubService.start({
      commits: [],
      fail: () => {
        ask();
        return 'silence';
      },
    });
    const action = new Action({
      inputs: { ...inputs, changes: 'files', baseUrl: service.url },
      ...onPush(github.url, 'c1', 'c2'),
    });
    await asked;
    const tookMs = await action.signal('SIGINT');
    const result = await action.end();
    expect(tookMs).toBeLessThan(CANCEL_LIMIT_MS);
    expect([service.requests, github.requests.length]).toEqual([[], 1]);
    expect(result.outputs).toMatchObject({ outcome: 'cancelled', jobId: '' });
  });

  test.concurrent('while a create call waits for its answer says that an agent job may exist', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    await using service = await AgentService.start({
      intercept: () => {
        ask();
        return true;
      },
    });
    const action = new Action({ inputs: { ...inputs, baseUrl: service.url } });
    await asked;
    const tookMs = await action.signal('SIGINT');
    const result = await action.end();
    expect(tookMs).toBeLessThan(CANCEL_LIMIT_MS);
    expect(service.transcript).toEqual(['POST job']);
    expect(result.outputs).toMatchObject({ outcome: 'cancelled', jobId: '' });
    expect(result.summary).toContain(
      'An agent job may exist. Before you run this again, look in the ',
    );
    expect(annotations(result).at(-1)).toContain('it may have accepted the request');
  });

  test.concurrent.each([
    { wait: 'true', laterMs: 0 },
    { wait: 'false', laterMs: 0 },
    { wait: 'true', laterMs: 3_000 },
  ])(
    'keeps the id when the create call is answered $laterMs ms later, with wait: $wait',
    async ({ wait, laterMs }) => {
      const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
      const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
      await using service = await AgentService.start({
        intercept: async ({ response }) => {
          ask();
          await cancelled;
          return reply(response, 201, { id: 'job_9', status: 'active' });
        },
      });
      const action = new Action({ inputs: { ...inputs, wait, baseUrl: service.url } });
      await asked;
      action.child.kill('SIGINT');
      await action.logged(/Received SIGINT/);
      await delay(laterMs);
      cancel();
      const result = await action.end();
      expect(service.transcript).toEqual(['POST job']);
      expect(result.exitCode).toBe(1);
      expect(result.outputs).toMatchObject({ outcome: 'cancelled', jobId: 'job_9' });
      expect(result.summary).toContain("jobId: 'job_9'");
    },
  );

  // All signals have one handler.
  test.concurrent.each(['SIGINT', 'SIGTERM'] as const)(
    'by %s while waiting keeps the id and says how to follow the agent job',
    async (signal) => {
      await using service = await AgentService.start({ schedule: FOREVER });
      const action = new Action({
        inputs: { ...inputs, pollInterval: '10m', baseUrl: service.url },
      });
      await action.logged(/Waiting for agent job/);
      const tookMs = await action.signal(signal);
      const result = await action.end();
      expect(tookMs).toBeLessThan(CANCEL_LIMIT_MS);
      expect(service.transcript).toEqual(['POST job']);
      expect(result.outputs).toMatchObject({
        outcome: 'cancelled',
        jobId: 'job_1',
        status: 'active',
      });
      expect(result.summary).toContain("    jobId: 'job_1'\n    projectId: 'local-project'\n");
      expect(annotations(result).at(-1)).toContain("    jobId: 'job_1'\n");
    },
  );

  test.concurrent('while reading starts no further read', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    await using service = await AgentService.start({
      schedule: FOREVER,
      intercept: ({ request }) => {
        if (request.method === 'GET') ask();
        return request.method === 'GET';
      },
    });
    const action = new Action({ inputs: { ...inputs, baseUrl: service.url } });
    await asked;
    const tookMs = await action.signal('SIGINT');
    const result = await action.end();
    expect(tookMs).toBeLessThan(CANCEL_LIMIT_MS);
    expect(service.transcript).toEqual(['POST job', 'GET job/job_1']);
    expect(result.outputs).toMatchObject({ outcome: 'cancelled', jobId: 'job_1' });
  });
});

test.concurrent('a second signal changes nothing', async ({ skip }) => {
  skip(noSignals !== undefined, noSignals);
  await using service = await AgentService.start({ schedule: FOREVER });
  const action = new Action({ inputs: { ...inputs, baseUrl: service.url } });
  await action.logged(/Waiting for agent job/);
  action.child.kill('SIGINT');
  action.child.kill('SIGTERM');
  const result = await action.end();
  expect([result.exitCode, result.outputs['outcome']]).toEqual([1, 'cancelled']);
});

test.concurrent("SIGBREAK, Node's name for CTRL_BREAK on Windows, ends the step as well", async () => {
  await using service = await AgentService.start({ schedule: FOREVER });
  const result = await runAction({
    inputs: { ...inputs, pollInterval: '10m', baseUrl: service.url },
    env: loadWhenLogged('emit-sigbreak.mjs', 'Waiting for agent job'),
  });
  expect(service.transcript).toEqual(['POST job']);
  expect([result.exitCode, result.outputs['outcome']]).toEqual([1, 'cancelled']);
  expect(annotations(result).at(-1)).toContain(
    '(SIGBREAK). This does not cancel agent job `job_1`',
  );
});
