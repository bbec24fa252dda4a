import type http from 'node:http';
import { describe, expect, test } from 'vitest';
import { clock } from '../../src/effects/clock.ts';
import { runAction } from '../support/action.ts';
import { AgentService } from '../support/agent-service.ts';
import { play } from '../support/play.ts';

const TIMEOUT_MS = 4_000;

/**
 * On a busy machine the end may come late, but it must come before the 30 s that one request may
 * take.
 */
const MAX_STEP_MS = 25_000;

type Answer = (response: http.ServerResponse) => void;

const trickle: Answer = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 1_000);
  response.on('close', () => clearInterval(timer));
};

const flood: Answer = (response) => {
  response.writeHead(200);
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const pump = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pump);
  pump();
};

describe.concurrent('the deadline holds against a service that', () => {
  const inputs = { prompt: 'x', pollInterval: '1s', timeout: '4s' };

  test.concurrent.each([
    { name: 'trickles a byte a second', answer: trickle },
    { name: 'floods', answer: flood },
  ])('$name when an agent job is read', async ({ answer }) => {
    const { result } = await play({
      inputs,
      effects: { clock },
      service: {
        intercept: ({ request, response }) => {
          if (request.method === 'GET') answer(response);
          return request.method === 'GET';
        },
      },
    });
    expect(result.tookMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 50);
    expect(result.tookMs).toBeLessThan(MAX_STEP_MS);
    expect(result).toMatchObject({
      exitCode: 1,
      outputs: { outcome: 'timed-out', jobId: 'job_1' },
    });
  });

  // A create call has 10 s at least for its response, also for one that trickles: http.test.ts.
  test.concurrent('floods when an agent job is created', async () => {
    const { result, said, agent } = await play({
      inputs,
      effects: { clock },
      service: {
        intercept: ({ response }) => {
          flood(response);
          return true;
        },
      },
    });
    expect(result.tookMs).toBeLessThan(MAX_STEP_MS);
    expect(agent.transcript).toEqual(['POST job']);
    expect(result.outputs).toMatchObject({ outcome: 'error', jobId: '' });
    expect(said.at(-1)).toContain('so the service may have accepted the request.');
  });
});

const MIB = 1024 * 1024;

// How much a process takes differs by some MiB from run to run.
test.concurrent('a 100 MiB answer takes no more memory than the limit for answers', async () => {
  const [small, large] = await Promise.all([peakMemoryKiB(100), peakMemoryKiB(100 * MIB)]);
  expect(large - small).toBeLessThan(50 * 1024);
});

/** The peak memory of a run in which every read gets an answer of this size. */
async function peakMemoryKiB(bytes: number): Promise<number> {
  const answer = Buffer.alloc(bytes, 'x');
  await using service = await AgentService.start({
    intercept: ({ request, response }) => {
      if (request.method !== 'GET') return false;
      response.writeHead(200, { 'content-length': bytes });
      response.end(answer);
      return true;
    },
  });
  const result = await runAction({
    inputs: { prompt: 'x', baseUrl: service.url, pollInterval: '1s', timeout: '4s' },
    env: { NODE_OPTIONS: `--import=${new URL('../support/peak-memory.mjs', import.meta.url)}` },
  });
  return Number(/^peak memory (\d+) KiB$/m.exec(result.stdout)?.[1]);
}
