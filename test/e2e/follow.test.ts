import { expect, test } from 'vitest';
import { annotations } from '../support/action.ts';
import { AgentService, PR_LINK } from '../support/agent-service.ts';
import { JumpingClock, runHere } from '../support/in-process.ts';

const NEW_LINK = 'https://github.com/acme/docs/pull/124';
const ended = [{ status: 'completed', prLink: PR_LINK }];

test.concurrent('wait: false ends the step after the create call, without a read', async () => {
  await using service = await AgentService.start();
  const result = await runHere({ inputs: { prompt: 'x', wait: 'false', baseUrl: service.url } });
  expect(service.transcript).toEqual(['POST job']);
  expect(result.outputs).toMatchObject({ outcome: 'started', jobId: 'job_1', status: 'active' });
  expect(annotations(result).at(-1)).toContain(
    "To wait for it in another workflow, paste this step:\n- uses: docs-agent/docs-agent-job@v1.2.0\n  with:\n    jobId: 'job_1'",
  );
  expect(result.summary).toContain("  with:\n    jobId: 'job_1'\n    projectId: 'local-project'");
});

test.concurrent('jobId without a prompt follows an agent job to its end and sends no POST', async () => {
  await using service = await AgentService.start();
  const jobId = service.addJob([
    { status: 'active' },
    { afterReads: 2, status: 'completed', prLink: PR_LINK },
  ]);
  const { outputs } = await runHere({ inputs: { jobId, baseUrl: service.url } });
  expect(service.postsTo(/./)).toEqual([]);
  expect(outputs).toMatchObject({ outcome: 'pull-request', jobId, prLink: PR_LINK });
});

test.concurrent('the step fails at once for an unknown agent job, and names it', async () => {
  await using service = await AgentService.start();
  const result = await runHere({ inputs: { jobId: 'job_404', baseUrl: service.url } });
  expect(service.transcript).toEqual(['GET job/job_404']);
  expect(result.outputs['outcome']).toBe('error');
  expect(annotations(result)).toEqual([
    'error: Agent job `job_404` was not found: HTTP 404 (the service said `Job not found`). Check `projectId` and `jobId`.\nTroubleshooting: https://github.com/docs-agent/docs-agent-job/blob/v1/.github/TROUBLESHOOTING.md#the-agent-job-was-not-found',
  ]);
});

test.concurrent('the step fails at once for a follow-up message to an unknown agent job', async () => {
  await using service = await AgentService.start();
  const inputs = { prompt: 'More.', jobId: 'job_404', baseUrl: service.url };
  const result = await runHere({ inputs });
  expect(service.transcript).toEqual(['POST job/job_404/message']);
  expect(annotations(result).at(-1)).toContain('The message was not accepted');
});

test.concurrent('a message is sent once, and the end before it does not count', async () => {
  await using service = await AgentService.start({
    // The service still answers with the old end for a while.
    messageSchedule: [
      { afterReads: 3, status: 'active' },
      { afterReads: 5, status: 'completed', prLink: NEW_LINK },
    ],
  });
  const jobId = service.addJob(ended);
  const inputs = { prompt: 'Shorter, please.', jobId, pollInterval: '1s', baseUrl: service.url };
  const { outputs } = await runHere({ inputs });
  expect(service.postsTo(/./).map(({ path, body }) => [path, body])).toEqual([
    ['/v2/agent/local-project/job/job_1/message', '{"prompt":"Shorter, please."}'],
  ]);
  expect(outputs).toMatchObject({ outcome: 'pull-request', prLink: NEW_LINK, jobId });
});

test.concurrent('an end that is still read 30 s after the message counts, with a warning', async () => {
  await using service = await AgentService.start({ messageSchedule: ended });
  const jobId = service.addJob(ended);
  const clock = new JumpingClock();
  const result = await runHere(
    { inputs: { pollInterval: '5s', prompt: 'Once more.', jobId, baseUrl: service.url } },
    clock,
  );
  expect(clock.now()).toBe(30_000);
  expect(result.outputs).toMatchObject({ outcome: 'pull-request', prLink: PR_LINK });
  expect(annotations(result)).toContainEqual(
    expect.stringMatching(/^warning: .*this end may be the one before the message/),
  );
});

test.concurrent('a message with wait: false ends the step as soon as it is accepted', async () => {
  await using service = await AgentService.start();
  const jobId = service.addJob(ended);
  const { outputs } = await runHere({
    inputs: { prompt: 'More.', jobId, wait: 'false', baseUrl: service.url },
  });
  expect(service.transcript).toEqual(['POST job/job_1/message']);
  expect(outputs).toMatchObject({ outcome: 'started', jobId });
});
