import { describe, expect, test } from 'vitest';
import { reply } from '../support/agent-service.ts';
import { play } from '../support/play.ts';
import { WRITE_FAULTS } from './write-faults.ts';

const LARGE = Buffer.alloc(9_500_000, 'x');

const CALLS = [
  {
    call: 'create call',
    path: /\/job$/,
    notAccepted: 'No agent job was created',
  },
  {
    call: 'follow-up message',
    path: /\/message$/,
    notAccepted: 'The message was not accepted',
  },
];

describe.concurrent.each(CALLS)('the $call', ({ call, path, notAccepted }) => {
  const isMessage = call === 'follow-up message';
  const target: Record<string, string> = isMessage ? { jobId: 'job_1' } : {};
  const jobs = isMessage ? [[{ status: 'active' }]] : [];

  test.concurrent.each(WRITE_FAULTS)('after $fault $behaviour', async (fault) => {
    const { service, end, posts } = fault;
    const inputs = { prompt: 'Document it.', wait: 'false', timeout: '40s' };
    const { agent, result, outputs, said } = await play({
      jobs,
      service,
      inputs: { ...inputs, ...fault.inputs, ...target },
      files: { 'large.txt': LARGE },
    });

    expect(agent.postsTo(path)).toHaveLength(posts);
    expect(agent.transcript.filter((line) => line.startsWith('GET'))).toEqual([]);
    const isAccepted = end === 'accepted';
    expect(agent.jobIds).toHaveLength(isMessage || isAccepted ? 1 : 0);
    const closing = said.at(-1) ?? '';
    expect(closing).toMatch(fault.says ?? /This step does not wait for agent job/);
    expect({
      exitCode: result.exitCode,
      outcome: outputs['outcome'],
      saysMaybe: closing.includes('so the service may have accepted the request.'),
      saysNothing: closing.includes(notAccepted),
      saysWhatToCheck: closing.includes('. If you find one, '),
    }).toEqual({
      exitCode: isAccepted ? 0 : 1,
      outcome: isAccepted ? 'started' : 'error',
      saysMaybe: end === 'may be accepted',
      saysNothing: end === 'not accepted',
      saysWhatToCheck: end === 'may be accepted',
    });
  });
});

test.concurrent.each([
  { status: 502, body: {}, says: /the response named the id `job_77`/ },
  { status: 500, body: { error: 'x' }, says: /the response named the id `job_77`/ },
  { status: 409, body: { error: 'x' }, says: /No agent job was created/ },
])('an id in a response of $status to the create call is no output', async (row) => {
  const body = { ...row.body, id: 'job_77' };
  const { agent, outputs, said } = await play({
    inputs: { prompt: 'x' },
    service: { intercept: ({ response }) => reply(response, row.status, body) },
  });
  expect(agent.transcript).toEqual(['POST job']);
  expect(outputs).toMatchObject({ outcome: 'error', jobId: '' });
  expect(said.at(-1)).toMatch(row.says);
});
