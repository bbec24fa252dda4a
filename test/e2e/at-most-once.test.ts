import { describe, expect, test } from 'vitest';
import { annotations } from '../support/action.ts';
import { AgentService, reply } from '../support/agent-service.ts';
import { JumpingClock, runHere } from '../support/in-process.ts';
import { WRITE_FAULTS, type WriteFault } from './write-faults.ts';

const LARGE = Buffer.alloc(9_500_000, 'x');

const CALLS = [
  {
    call: 'create call',
    path: /\/job$/,
    notAccepted: 'No agent job was created',
    mayBeAccepted: 'may have accepted the request anyway',
  },
  {
    call: 'follow-up message',
    path: /\/message$/,
    notAccepted: 'The message was not accepted',
    mayBeAccepted: 'may have accepted the message anyway',
  },
];

describe.concurrent.each(CALLS)('the $call', ({ call, path, notAccepted, mayBeAccepted }) => {
  test.concurrent.each(WRITE_FAULTS)('after $fault $behaviour', async (fault: WriteFault) => {
    await using service = await AgentService.start(fault.service);
    const inputs = { prompt: 'Document it.', baseUrl: service.url, wait: 'false', timeout: '40s' };
    const target: Record<string, string> =
      call === 'create call' ? {} : { jobId: service.addJob([{ status: 'active' }]) };
    const before = service.jobIds.length;
    const result = await runHere(
      { inputs: { ...inputs, ...fault.inputs, ...target } },
      new JumpingClock(),
      { files: { read: async () => LARGE } },
    );

    expect(service.postsTo(path)).toHaveLength(fault.posts);
    expect(service.transcript.filter((line) => line.startsWith('GET'))).toEqual([]);
    const isAccepted = fault.end === 'accepted';
    expect(service.jobIds.length - before).toBe(isAccepted && before === 0 ? 1 : 0);
    const closing = annotations(result).at(-1) ?? '';
    expect(closing).toMatch(fault.says ?? /This step does not wait for agent job/);
    expect({
      exitCode: result.exitCode,
      outcome: result.outputs['outcome'],
      saysMaybe: closing.includes(mayBeAccepted),
      saysNothing: closing.includes(notAccepted),
      saysWhatToCheck: closing.includes('Before you run this again, look'),
    }).toEqual({
      exitCode: isAccepted ? 0 : 1,
      outcome: isAccepted ? 'started' : 'error',
      saysMaybe: fault.end === 'may be accepted',
      saysNothing: fault.end === 'not accepted',
      saysWhatToCheck: fault.end === 'may be accepted',
    });
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
    const result = await runHere({ inputs: { prompt: 'x', baseUrl: service.url } });
    expect(service.transcript).toEqual(['POST job']);
    expect(result.outputs).toMatchObject({ outcome: 'error', jobId });
    expect(annotations(result).at(-1)).toMatch(says);
  },
);
