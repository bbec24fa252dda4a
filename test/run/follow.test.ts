import { expect, test } from 'vitest';
import { annotations } from '../support/action.ts';
import { PR_LINK } from '../support/agent-service.ts';
import { JumpingClock } from '../support/in-process.ts';
import { play } from '../support/play.ts';

const NEW_LINK = 'https://github.com/acme/docs/pull/124';
const ended = [{ status: 'completed', prLink: PR_LINK }];
const jobId = 'job_1';

test.concurrent('wait: false ends the step after the create call, without a read', async () => {
  const { outputs, said, result, agent } = await play({ inputs: { prompt: 'x', wait: 'false' } });
  expect(agent.transcript).toEqual(['POST job']);
  expect(outputs).toMatchObject({ outcome: 'started', jobId, status: 'active' });
  expect(said.at(-1)).toContain(
    'To wait for it, run this action with `jobId` set to `job_1` and without a prompt (https://',
  );
  expect(result.summary).toContain('<code>jobId</code> set to <code>job_1</code>');
});

test.concurrent('jobId without a prompt follows an agent job to its end, sends no POST and looks for no changes', async () => {
  const { outputs, agent, requests } = await play({
    inputs: { jobId, changes: 'diff', paths: 'x' },
    jobs: [[{ status: 'active' }, { afterReads: 2, status: 'completed', prLink: PR_LINK }]],
  });
  // Only what the summary says of the docs pull request is read.
  expect([agent.postsTo(/./), requests]).toEqual([[], ['/repos/acme/docs/pulls/123']]);
  expect(outputs).toMatchObject({ outcome: 'pull-request', jobId, prLink: PR_LINK });
});

test.concurrent('the step fails for an agent job that is unknown for 30 s, and names it', async () => {
  const { outputs, said, agent } = await play({ inputs: { jobId: 'job_404' } });
  expect(new Set(agent.transcript)).toEqual(new Set(['GET job/job_404']));
  expect(outputs['outcome']).toBe('error');
  expect(said).toEqual([
    'error: Agent job `job_404` was not found: HTTP 404 (the service said `Job not found`). Check `projectId`, and `jobId` if it was given.\nTroubleshooting: https://github.com/docs-agent/docs-agent-job/blob/v1/.github/TROUBLESHOOTING.md#the-agent-job-was-not-found',
  ]);
});

test.concurrent('the step fails at once for a follow-up message to an unknown agent job', async () => {
  const { said, agent } = await play({ inputs: { prompt: 'More.', jobId: 'job_404' } });
  expect(agent.transcript).toEqual(['POST job/job_404/message']);
  expect(said.at(-1)).toContain('The message was not accepted');
});

test.concurrent('a message is sent once, and the end before it does not count', async () => {
  const { outputs, agent } = await play({
    inputs: { prompt: 'Shorter, please.', jobId, pollInterval: '1s' },
    jobs: [ended],
    // The service still answers with the old end for a while.
    service: {
      messageSchedule: [
        { afterReads: 3, status: 'active' },
        { afterReads: 5, status: 'completed', prLink: NEW_LINK },
      ],
    },
  });
  expect(agent.postsTo(/./).map(({ path, body }) => [path, body])).toEqual([
    ['/v2/agent/local-project/job/job_1/message', '{"prompt":"Shorter, please."}'],
  ]);
  expect(outputs).toMatchObject({ outcome: 'pull-request', prLink: NEW_LINK, jobId });
});

test.concurrent.each([
  {
    what: 'added to one that was there before',
    openedMs: -60_000,
    prOperation: 'updated',
    says: 'The agent has finished.',
  },
  { what: 'opened one', openedMs: 20_000, prOperation: 'created', says: 'The agent opened a' },
])(
  'the pull request tells whether the agent $what, as the service names none while it works',
  async (row) => {
    const clock = new JumpingClock();
    const created_at = new Date(clock.date() + row.openedMs).toISOString();
    const { outputs, result } = await play({
      inputs: { pollInterval: '5s', prompt: 'Once more.', jobId },
      jobs: [ended],
      service: {
        messageSchedule: [
          { afterReads: 0, status: 'active', prLink: null },
          { afterReads: 2, status: 'completed', prLink: PR_LINK },
        ],
      },
      github: {
        pullStates: {
          'acme/docs#123': { state: 'open', created_at, head: { sha: 'e1', ref: 'd' } },
        },
      },
      clock,
    });
    expect(outputs).toMatchObject({ outcome: 'pull-request', prOperation: row.prOperation });
    expect(annotations(result).at(-1)).toContain(row.says);
  },
);

test.concurrent('an end that is still read 30 s after the message counts, with a warning', async () => {
  const clock = new JumpingClock();
  const { outputs, warnings } = await play({
    inputs: { pollInterval: '5s', prompt: 'Once more.', jobId },
    jobs: [ended],
    service: { messageSchedule: ended },
    clock,
  });
  expect(clock.now()).toBe(30_000);
  expect(outputs).toMatchObject({ outcome: 'pull-request', prLink: PR_LINK });
  expect(warnings).toEqual([expect.stringContaining('this end may be the one before the message')]);
});

test.concurrent('a message with wait: false ends the step as soon as it is accepted, also if its response has the end before it', async () => {
  const { outputs, agent } = await play({
    inputs: { prompt: 'More.', jobId, wait: 'false' },
    jobs: [ended],
    service: { messageSchedule: ended },
  });
  expect(agent.transcript).toEqual(['POST job/job_1/message']);
  expect(outputs).toMatchObject({ outcome: 'started', jobId });
});
