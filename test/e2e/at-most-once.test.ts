import { describe, expect, test } from 'vitest';
import { Action, annotations, runAction } from '../support/action.ts';
import { AgentService, reply } from '../support/agent-service.ts';
import { WRITE_FAULTS, type WriteFault } from './write-faults.ts';

const LARGE = { 'large.txt': 'x'.repeat(9_500_000) };

describe.concurrent.each([{ call: 'the create call' }, { call: 'the follow-up message' }])(
  '$call',
  ({ call }) => {
    test.concurrent.each(WRITE_FAULTS)('after $fault $behaviour', async (fault: WriteFault) => {
      await using service = await AgentService.start(fault.service);
      const isMessage = call === 'the follow-up message';
      const jobId = isMessage ? service.addJob([{ afterMs: 0, status: 'active' }]) : '';

      const result = await runAction({
        inputs: {
          prompt: 'Document it.',
          jobId,
          baseUrl: service.url,
          wait: 'false',
          timeout: '40s',
          ...fault.inputs,
        },
        files: LARGE,
      });

      const posts = service.postsTo(isMessage ? /\/message$/ : /\/job$/);
      expect(posts).toHaveLength(fault.posts);
      expect(service.transcript.filter((line) => line.startsWith('GET'))).toEqual([]);
      const jobsMade = service.jobIds.length - (isMessage ? 1 : 0);
      expect(jobsMade).toBe(fault.end === 'accepted' && !isMessage ? 1 : 0);
      const closing = annotations(result).at(-1) ?? '';
      expect(closing).toMatch(fault.says ?? /This step does not wait for agent job/);
      expect({
        exitCode: result.exitCode,
        outcome: result.outputs['outcome'],
        saysMaybe: closing.includes('may have accepted the request anyway'),
        saysNothing: /No agent job was created|The message was not accepted/.test(closing),
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
  },
);

test.concurrent('an agent job keeps its id when the create answer has no status', async () => {
  await using service = await AgentService.start({
    intercept: ({ response }) => {
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end('{"id":"job_77"}');
      return true;
    },
  });
  const result = await runAction({ inputs: { prompt: 'x', baseUrl: service.url } });
  expect(result.outputs['jobId']).toBe('job_77');
  expect(result.summary).toContain("jobId: 'job_77'");
});

test.concurrent.each([
  { status: 500, says: /may have accepted the request anyway/ },
  { status: 503, says: /may have accepted the request anyway/ },
  { status: 302, says: /may have accepted the request anyway/ },
  { status: 409, says: /No agent job was created/ },
])('an id in a response of $status to the create call is told', async ({ status, says }) => {
  await using service = await AgentService.start({
    intercept: ({ response }) =>
      reply(response, status, { error: 'x', id: 'job_77' }, { 'retry-after': '1' }),
  });
  const result = await runAction({ inputs: { prompt: 'x', baseUrl: service.url } });
  expect(service.transcript).toEqual(['POST job']);
  expect(result.outputs).toMatchObject({ outcome: 'error', jobId: 'job_77' });
  expect(annotations(result).at(-1)).toMatch(says);
});

test.concurrent('a response with 17 kB of headers is read', async () => {
  await using service = await AgentService.start({
    intercept: ({ response }) =>
      reply(response, 201, { id: 'job_77', status: 'active' }, { 'x-long': 'h'.repeat(17_000) }),
  });
  const result = await runAction({
    inputs: { prompt: 'x', wait: 'false', baseUrl: service.url },
  });
  expect(result.outputs).toMatchObject({ outcome: 'started', jobId: 'job_77' });
});

test.concurrent('a service that starts late gets one create call', async () => {
  const { port } = await freePort();
  const action = new Action({
    inputs: { prompt: 'x', baseUrl: `http://127.0.0.1:${port}`, wait: 'false' },
  });
  await action.logged(/no connection could be made/);
  await using service = await AgentService.start({ port });
  const result = await action.end();
  expect(service.transcript).toEqual(['POST job']);
  expect([result.outputs['outcome'], result.exitCode]).toEqual(['started', 0]);
});

/** A port without a listener. */
async function freePort(): Promise<{ port: number }> {
  await using service = await AgentService.start();
  return { port: service.port };
}
