/**
 * What people see of four whole runs of the built action. Transcripts are next to this file; how each
 * ending is told stands in test/unit/report/endings.md.
 */
import { test } from 'vitest';
import { Action, type ActionOptions, type ActionResult, runAction } from '../support/action.ts';
import { AgentService } from '../support/agent-service.ts';
import { GitHubService, line, onPush } from '../support/github-service.ts';
import { noSignals } from '../support/system.ts';

interface Case {
  readonly ending: string;
  readonly inputs?: ActionOptions['inputs'];
  /** The run is about a push of two commits. */
  readonly isPush?: boolean;
}

const ENDINGS: readonly Case[] = [
  { ending: 'pull-request' },
  { ending: 'dry-run', inputs: { changes: 'diff', dryRun: 'true' }, isPush: true },
  {
    ending: 'bad-inputs',
    inputs: { prompt: '', adminApiKey: '', projectId: '', timeout: 'soon', wait: 'perhaps' },
  },
];

test.concurrent.for(ENDINGS)(
  'people see the transcript of the ending "$ending"',
  async ({ ending, inputs, isPush }, { expect }) => {
    await using service = await AgentService.start();
    await using github = await GitHubService.start({ commits: line(3) });
    const result = await runAction({
      inputs: {
        prompt: 'Document the retry option.',
        baseUrl: service.url,
        pollInterval: '1s',
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

test.concurrent('people see the transcript of the ending "cancelled"', async ({ expect, skip }) => {
  skip(noSignals !== undefined, noSignals);
  await using service = await AgentService.start({ schedule: [{ status: 'active' }] });
  const action = new Action({
    inputs: { prompt: 'Document the retry option.', baseUrl: service.url },
  });
  await action.logged(/Waiting for agent job/);
  await action.signal('SIGTERM');
  const result = await action.end();
  await expect(transcript(result, service)).toMatchFileSnapshot('transcripts/cancelled.txt');
});

/** What people see of a run, without the parts that differ from run to run. */
function transcript(
  result: ActionResult,
  service: AgentService,
  github: readonly string[] = [],
): string {
  const outputs = Object.entries(result.outputs).map(([name, value]) => `${name}=${value}`);
  const requests = [...github.map((path) => `GitHub: ${path}`), ...service.transcript];
  const text = [
    `exit code ${result.exitCode}`,
    section('Log', result.stdout.trimEnd()),
    section('Requests', requests.join('\n')),
    section('Outputs', outputs.join('\n')),
    section('Summary', result.summary.trimEnd()),
  ].join('\n');
  return `${text
    .replaceAll('\r\n', '\n')
    .replaceAll(`:${service.port}`, ':PORT')
    .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g, 'TIME')
    .replace(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})? UTC/g, 'TIME UTC')
    .replace(/ghadelimiter_[0-9a-f-]{36}/g, 'DELIMITER')
    .replace(/ at=\d+/g, ' at=TIME')
    .replace(/changes-[0-9a-f]{24}/g, 'changes-FENCE')
    .replace(/\b\d+ (s|checks?|reads?|failures?)\b/g, 'N $1')}\n`;
}

const section = (title: string, text: string) => `\n=== ${title} ===\n${text}`;
