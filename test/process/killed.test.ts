/** A runner that is lost as soon as a call was accepted: the id and the record are printed by then. */
import { describe, expect, test } from 'vitest';
import { PR_LINK } from '../support/agent-service.ts';
import { startHistory } from '../support/workflow-run.ts';

const DONE = { afterReads: 2, status: 'completed', prLink: PR_LINK };

describe.concurrent('attempt 2 sends nothing again when attempt 1 was killed as soon as its call was accepted:', () => {
  test.concurrent.each([
    {
      call: 'a create call',
      jobId: '',
      printed:
        /^::notice title=Docs agent%3A for later runs::v=1 job=job_1 key=[0-9a-f]{16} at=\d+ end$/m,
      transcript: ['POST job'],
    },
    {
      call: 'a follow-up message',
      jobId: 'job_1',
      printed: /^::notice title=Docs agent%3A for later runs::v=1 job=job_1 .* end$/m,
      transcript: ['POST job/job_1/message'],
    },
  ])('$call', async ({ jobId, printed, transcript }) => {
    await using history = await startHistory({
      inputs: { prompt: 'x', jobId },
      service: { schedule: [{ status: 'active' }, DONE] },
    });
    const { agent, workflow } = history;
    if (jobId !== '') agent.addJob([{ status: 'active' }]);
    const run = workflow.begin();
    const killed = run.start({
      inputs: { prompt: 'x', pollInterval: '10m', baseUrl: agent.url, jobId },
    });
    await killed.logged(printed);
    killed.child.kill('SIGKILL');
    expect((await run.end(killed)).outputs).toEqual({ jobId: 'job_1' });
    const { result } = await history.again(run);
    expect(result.outputs).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' });
    const posts = agent.transcript.filter((line) => line.startsWith('POST'));
    expect(posts).toEqual(transcript);
  });
});
