import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createAgentApi } from '../../src/agent/api.ts';
import { clock } from '../../src/effects/clock.ts';
import { createHttp } from '../../src/effects/http.ts';
import { parseDuration } from '../../src/lib/duration.ts';
import type { RunError } from '../../src/lib/errors.ts';
import { Action, annotations, runAction } from '../support/action.ts';
import { ADMIN_API_KEY, AgentService, PROJECT_ID, reply } from '../support/agent-service.ts';
import { RecordingRunner } from '../support/fakes.ts';
import { WRITE_FAULTS, type WriteFault } from './write-faults.ts';

const LARGE = 'x'.repeat(9_500_000);

describe.concurrent('the create call', () => {
  test.concurrent.each(WRITE_FAULTS)('after $fault $behaviour', async (fault: WriteFault) => {
    await using service = await AgentService.start(fault.service);
    const result = await runAction({
      inputs: {
        prompt: 'Document it.',
        baseUrl: service.url,
        wait: 'false',
        timeout: '40s',
        ...fault.inputs,
      },
      files: fault.inputs?.promptFile === undefined ? {} : { 'large.txt': LARGE },
    });

    expect(service.postsTo(/\/job$/)).toHaveLength(fault.posts);
    expect(service.transcript.filter((line) => line.startsWith('GET'))).toEqual([]);
    expect(service.jobIds).toHaveLength(fault.end === 'accepted' ? 1 : 0);
    const closing = annotations(result).at(-1) ?? '';
    expect(closing).toMatch(fault.says ?? /This step does not wait for agent job/);
    expect({
      exitCode: result.exitCode,
      outcome: result.outputs['outcome'],
      saysMaybe: closing.includes('may have accepted the request anyway'),
      saysNothing: closing.includes('No agent job was created'),
      saysWhatToCheck: closing.includes('Before you run this again, look'),
    }).toEqual({
      exitCode: fault.end === 'accepted' ? 0 : 1,
      outcome: fault.end === 'accepted' ? 'started' : 'error',
      saysMaybe: fault.end === 'may be accepted',
      saysNothing: fault.end === 'not accepted',
      saysWhatToCheck: fault.end === 'may be accepted',
    });
    expect(result.stderr).toBe('');
  });
});

/** In this process: the message differs from the create call in its path and its texts only. */
describe.concurrent('the follow-up message', () => {
  test.concurrent.each(WRITE_FAULTS)('after $fault $behaviour', async (fault: WriteFault) => {
    await using service = await AgentService.start(fault.service);
    const jobId = service.addJob([{ afterMs: 0, status: 'active' }]);
    const { baseUrl = service.url, timeout = '40s', promptFile } = fault.inputs ?? {};
    const timeoutMs = parseDuration(timeout) ?? 0;
    const deadline = clock.now() + timeoutMs;
    const http = createHttp([]);
    const api = createAgentApi(
      { baseUrl, projectId: PROJECT_ID, adminApiKey: ADMIN_API_KEY, timeoutMs, deadline },
      { http, clock, runner: new RecordingRunner(), signal: new AbortController().signal },
    );
    const sent = await api.sendMessage(jobId, promptFile === undefined ? 'More.' : LARGE).then(
      () => ({ end: 'accepted', says: '' }),
      ({ mayBeAccepted, message }: RunError) => ({
        end: mayBeAccepted ? 'may be accepted' : 'not accepted',
        says: message,
      }),
    );
    http.close();
    expect(service.postsTo(/\/message$/)).toHaveLength(fault.posts);
    expect(service.transcript.filter((line) => line.startsWith('GET'))).toEqual([]);
    expect(sent).toEqual({ end: fault.end, says: expect.stringMatching(fault.says ?? /^$/) });
  });
});

test.concurrent.each([
  { status: 502, body: {}, jobId: 'job_77', says: /may have accepted the request anyway/ },
  { status: 500, body: { error: 'x' }, jobId: '', says: /The response named `job_77`/ },
  { status: 409, body: { error: 'x' }, jobId: '', says: /No agent job was created/ },
])(
  'an id in a response of $status to the create call is told',
  async ({ status, body, jobId, says }) => {
    await using service = await AgentService.start({
      intercept: ({ response }) =>
        reply(response, status, { ...body, id: 'job_77' }, { 'retry-after': '1' }),
    });
    const result = await runAction({ inputs: { prompt: 'x', baseUrl: service.url } });
    expect(service.transcript).toEqual(['POST job']);
    expect(result.outputs).toMatchObject({ outcome: 'error', jobId });
    expect(annotations(result).at(-1)).toMatch(says);
  },
);

test.concurrent('a service that starts late gets one create call', async () => {
  const port = await freePort();
  const action = new Action({
    inputs: { prompt: 'x', baseUrl: `http://127.0.0.1:${port}`, wait: 'false' },
  });
  await action.logged(/no connection could be made/);
  await using service = await AgentService.start({ port });
  const result = await action.end();
  expect(service.transcript).toEqual(['POST job']);
  expect([result.outputs['outcome'], result.exitCode]).toEqual(['started', 0]);
});

/** A port without a listener, below those that systems give to whoever asks for any. */
async function freePort(): Promise<number> {
  const port = randomInt(20_000, 30_000);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}
