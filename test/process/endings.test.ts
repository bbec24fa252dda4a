/**
 * One run for each way in which a run can end. Transcripts of what people see are next to this
 * file.
 */
import { expect, test } from 'vitest';
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
import { runWritten } from '../support/written.ts';

interface Case {
  readonly ending: string;
  readonly service?: ServiceOptions;
  readonly inputs?: ActionOptions['inputs'];
  /** The run is about a push of two commits. */
  readonly isPush?: boolean;
  /** It runs as a process of the built action. */
  readonly isProcess?: boolean;
}

const then = (...states: readonly ScheduledState[]): ServiceOptions => ({
  schedule: [
    { afterMs: 0, status: 'active' },
    ...states.map((state, index) => ({ afterReads: 2 + index, ...state })),
  ],
});
const DONE = { status: 'completed', prLink: PR_LINK };

const ENDINGS: readonly Case[] = [
  { ending: 'pull-request', service: then(DONE), isProcess: true },
  { ending: 'pull-request-filled-late', service: then({ status: 'completed' }, DONE) },
  { ending: 'no-changes', service: then({ status: 'completed' }) },
  { ending: 'archived', service: then({ status: 'archived' }) },
  { ending: 'failed', service: then({ status: 'failed' }) },
  // There is one check, a second before the deadline.
  { ending: 'timed-out', service: then(), inputs: { timeout: '8s', pollInterval: '30s' } },
  {
    ending: 'unknown-status',
    service: then({ status: 'hibernating' }, { status: 'daydreaming' }, DONE),
  },
  { ending: 'started', service: then(), inputs: { wait: 'false' } },
  {
    ending: 'skipped',
    inputs: { changes: 'diff', paths: 'docs/**\n!docs/internal/**' },
    isPush: true,
  },
  { ending: 'dry-run', inputs: { changes: 'diff', dryRun: 'true' }, isPush: true, isProcess: true },
  { ending: 'create-refused', service: { adminApiKey: 'mint_another' } },
  {
    ending: 'create-lost',
    service: { intercept: ({ response }) => reply(response, 502, '<h1>Bad gateway</h1>') },
  },
  {
    ending: 'read-refused',
    service: {
      intercept: ({ request, response }) =>
        request.method === 'GET' && reply(response, 403, { error: 'IP address not allowed' }),
    },
  },
  {
    ending: 'bad-inputs',
    inputs: { prompt: '', adminApiKey: '', projectId: '', timeout: 'soon', wait: 'perhaps' },
  },
];

test.each(ENDINGS)(
  'people see the transcript of the ending "$ending"',
  async ({ ending, service: options, inputs, isPush, isProcess }) => {
    await using service = await AgentService.start(options);
    await using github = await GitHubService.start({ commits: line(3) });
    const run = isProcess ? runAction : runWritten;
    const result = await run({
      inputs: {
        prompt: 'Document the retry option.',
        baseUrl: service.url,
        pollInterval: '1s',
        timeout: '1m',
        ...inputs,
      },
      ...(isPush && onPush(github.url, 'c1', 'c3')),
    });
    expect(result.stderr).toBe('');
    await expect(transcript(result, service, github.requests)).toMatchFileSnapshot(
      `transcripts/${ending}.txt`,
    );
  },
);

test('people see the transcript of the ending "cancelled"', async ({ skip }) => {
  skip(noSignals !== undefined, noSignals);
  await using service = await AgentService.start(then());
  const action = new Action({
    inputs: { prompt: 'Document the retry option.', baseUrl: service.url },
  });
  await action.logged(/Waiting for agent job/);
  await action.signal('SIGTERM');
  const result = await action.end();
  await expect(transcript(result, service)).toMatchFileSnapshot('transcripts/cancelled.txt');
});
