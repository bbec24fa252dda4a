/**
 * One run for each way in which a run can end. Transcripts of what people see are next to this
 * file.
 */
import { test } from 'vitest';
import { Action, type ActionOptions, runAction } from '../support/action.ts';
import {
  AgentService,
  PR_LINK,
  reply,
  type ScheduledState,
  type ServiceOptions,
} from '../support/agent-service.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';
import { noSignals } from '../support/system.ts';
import { transcript } from '../support/transcript.ts';

interface Case {
  readonly ending: string;
  readonly exitCode: number;
  readonly outcome: string;
  readonly service: ServiceOptions;
  readonly inputs?: ActionOptions['inputs'];
  /** The run is about a push of two commits. */
  readonly isPush?: boolean;
}

const then = (...states: readonly ScheduledState[]): ServiceOptions => ({
  schedule: [
    { afterMs: 0, status: 'active' },
    ...states.map((state, index) => ({ afterReads: 2 + index, ...state })),
  ],
});

const ENDINGS: readonly Case[] = [
  {
    ending: 'pull-request',
    exitCode: 0,
    outcome: 'pull-request',
    service: then({ status: 'completed', prLink: PR_LINK }),
  },
  {
    ending: 'pull-request-filled-late',
    exitCode: 0,
    outcome: 'pull-request',
    service: then({ status: 'completed' }, { status: 'completed', prLink: PR_LINK }),
  },
  {
    ending: 'no-changes',
    exitCode: 0,
    outcome: 'no-changes',
    service: then({ status: 'completed' }),
  },
  { ending: 'archived', exitCode: 0, outcome: 'archived', service: then({ status: 'archived' }) },
  { ending: 'failed', exitCode: 1, outcome: 'failed', service: then({ status: 'failed' }) },
  {
    ending: 'timed-out',
    exitCode: 1,
    outcome: 'timed-out',
    service: then(),
    // There is one check, a second before the deadline, however fast the machine is.
    inputs: { timeout: '8s', pollInterval: '30s' },
  },
  {
    ending: 'unknown-status',
    exitCode: 0,
    outcome: 'pull-request',
    service: then(
      { status: 'hibernating' },
      { status: 'daydreaming' },
      { status: 'completed', prLink: PR_LINK },
    ),
  },
  {
    ending: 'started',
    exitCode: 0,
    outcome: 'started',
    service: then(),
    inputs: { wait: 'false' },
  },
  {
    ending: 'skipped',
    exitCode: 0,
    outcome: 'skipped',
    service: {},
    inputs: { changes: 'diff', paths: 'docs/**\n!docs/internal/**' },
    isPush: true,
  },
  {
    ending: 'dry-run',
    exitCode: 0,
    outcome: 'dry-run',
    service: {},
    inputs: { changes: 'diff', dryRun: 'true' },
    isPush: true,
  },
  {
    ending: 'create-refused',
    exitCode: 1,
    outcome: 'error',
    service: { adminApiKey: 'mint_another' },
  },
  {
    ending: 'create-lost',
    exitCode: 1,
    outcome: 'error',
    service: { intercept: ({ response }) => reply(response, 502, '<h1>Bad gateway</h1>') },
  },
  {
    ending: 'read-refused',
    exitCode: 1,
    outcome: 'error',
    service: {
      intercept: ({ request, response }) =>
        request.method === 'GET' && reply(response, 403, { error: 'IP address not allowed' }),
    },
  },
  {
    ending: 'bad-inputs',
    exitCode: 1,
    outcome: 'error',
    service: {},
    inputs: { prompt: '', adminApiKey: '', projectId: '', timeout: 'soon', wait: 'perhaps' },
  },
];

test.concurrent.for(ENDINGS)(
  'people see the transcript of the ending "$ending"',
  async ({ ending, exitCode, outcome, service: options, inputs, isPush }, { expect }) => {
    await using service = await AgentService.start(options);
    await using github = await GitHubService.start({ commits: line(3) });
    const result = await runAction({
      inputs: {
        prompt: 'Document the retry option.',
        baseUrl: service.url,
        pollInterval: '1s',
        timeout: '1m',
        ...inputs,
      },
      ...(isPush === true ? onPush(github.url, 'c1', 'c3') : {}),
    });
    expect([result.exitCode, result.outputs['outcome'], result.stderr]).toEqual([
      exitCode,
      outcome,
      '',
    ]);
    await expect(transcript(result, service, github.requests)).toMatchFileSnapshot(
      `transcripts/${ending}.txt`,
    );
  },
);

test.concurrent('people see the transcript of the ending "cancelled"', async ({ expect, skip }) => {
  skip(noSignals !== undefined, noSignals);
  await using service = await AgentService.start(then());
  const action = new Action({
    inputs: { prompt: 'Document the retry option.', baseUrl: service.url },
  });
  await action.logged(/Waiting for agent job/);
  await action.signal('SIGTERM');
  const result = await action.end();
  expect([result.exitCode, result.outputs['outcome']]).toEqual([1, 'cancelled']);
  await expect(transcript(result, service)).toMatchFileSnapshot('transcripts/cancelled.txt');
});

test.concurrent('the id and the record of an agent job are written as soon as it exists', async ({
  expect,
}) => {
  await using service = await AgentService.start(then());
  const action = new Action({ inputs: { prompt: 'x', baseUrl: service.url } });
  await action.logged(
    /^::notice title=Docs agent%3A agent job created::Agent job `job_1` was created\.%0A\(for later runs\) v=1 job=job_1 key=[0-9a-f]{16} inputs=[0-9a-f]{16} end$/m,
  );
  action.child.kill('SIGKILL');
  const result = await action.end();
  expect(result.outputs).toEqual({ jobId: 'job_1' });
});
