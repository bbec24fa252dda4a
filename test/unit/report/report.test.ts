import { describe, expect, test } from 'vitest';
import { missingVariable } from '../../../src/github/errors.ts';
import { type JobEnd, unreadJob } from '../../../src/model/agent-job.ts';
import { CancelledError, RunError } from '../../../src/model/run-error.ts';
import { endingOfError, type RunResult } from '../../../src/report/ending.ts';
import { reportOn, writeReport } from '../../../src/report/report.ts';
import { metadata } from '../../support/action.ts';
import { FACTS, RecordingRunner } from '../../support/fakes.ts';
import { recordOf } from '../../support/records.ts';
import { endedWith, failed, jobOf, plainReportOn, resultOf } from '../../support/results.ts';

const PR = 'https://github.com/acme/docs/pull/7';
const HELP =
  'Troubleshooting: https://github.com/docs-agent/docs-agent-job/blob/v1/.github/TROUBLESHOOTING.md#the-inputs-cannot-be-used';

const bad = (...problems: readonly string[]) =>
  resultOf({ kind: 'bad-inputs', problems }, { inputs: undefined, isAccepted: false });

describe('the outputs', () => {
  test('are the fields of the agent job and the parts of its pull request', () => {
    const same = { status: 'completed', prLink: PR, model: 'm', createdAt: 'c', archivedAt: 'a' };
    const fields = { ...same, source: { repository: 'r', ref: 'main' } };
    const docs = { isOpen: true, title: 'T', branch: 'docs/retries', files: [], hasMore: false };
    const { outputs } = plainReportOn(endedWith('pull-request', fields, { docs }));
    expect(outputs).toEqual({
      ...same,
      prNumber: '7',
      prRepository: 'acme/docs',
      prOperation: 'created',
      prBranch: 'docs/retries',
      codePullRequests: '[]',
      jobId: 'job_1',
      sourceRepository: 'r',
      sourceRef: 'main',
      job: JSON.stringify({ id: 'job_1', ...fields }),
      outcome: 'pull-request',
    });
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(metadata.outputs).sort());
  });

  const AT = 1_750_000_000;
  const docs = (seconds: number): Partial<RunResult> => ({
    docs: {
      ...{ isOpen: true, title: '', branch: '', files: [], hasMore: false },
      createdMs: (AT + seconds) * 1_000,
    },
  });
  const open = (number?: string): Partial<RunResult> => ({
    pullBefore: { kind: 'existing', number },
  });
  const unknown: Partial<RunResult> = { pullBefore: { kind: 'unknown' } };
  const record = { content: recordOf('job_1', { at: AT }), isWritten: true };
  const ended = (more: Partial<RunResult>, prLink: string | null = PR, end?: JobEnd) =>
    endedWith(end ?? 'pull-request', { prLink }, { record, ...more });

  test.each<[promise: string, result: RunResult, expected: string]>([
    ['that the agent job opened', ended(docs(-9)), 'created'],
    ['that it had', ended(open('7')), 'updated'],
    ['that it had, by a number that nobody recorded', ended(open()), 'updated'],
    ['that took the place of the one that it had', ended(open('6')), 'created'],
    ['that is older than the message', ended({ ...unknown, ...docs(-9) }), 'updated'],
    ['that is newer than the message', ended({ ...unknown, ...docs(9) }), 'created'],
    ['that cannot be read', ended(unknown), 'created'],
    ['that has not changed', ended(open('7'), PR, 'no-changes'), ''],
    ['that does not exist', ended(open('7'), null), ''],
  ])('have the prOperation of a pull request %s', (_, result, expected) => {
    expect(plainReportOn(result).outputs.prOperation).toBe(expected);
  });

  test('name no part of a pull request that holds half of a secret', () => {
    const clean = (text: string) => text.replaceAll('docs/pull/7', '***');
    const { outputs } = reportOn(endedWith('pull-request', { prLink: PR }), clean);
    expect([outputs.prNumber, outputs.prRepository]).toEqual(['', '']);
  });

  test('are there without an agent job, and empty but for the outcome', () => {
    const { outputs } = plainReportOn(
      failed('not-accepted', { job: unreadJob(''), isAccepted: false }),
    );
    const empty = Object.keys(metadata.outputs).map((name) => [name, '']);
    expect(outputs).toEqual({
      ...Object.fromEntries(empty),
      ...{ outcome: 'error', codePullRequests: '[]' },
    });
  });
});

describe('the code pull requests are put out as JSON', () => {
  const numbersWith = (codePulls: readonly number[], prLink: string | null, more = {}) =>
    plainReportOn(endedWith('pull-request', { prLink }, { codePulls, ...more })).outputs
      .codePullRequests;
  const OWN = 'https://github.com/acme/app/pull/7';

  test('in the order in which the prompt tells them', () => {
    expect(numbersWith([41, 7, 12], PR)).toBe('[41,7,12]');
  });

  test.each([
    { promise: 'without the docs pull request', link: OWN, numbers: '[41,70]' },
    {
      promise: 'without it, whatever case its link has',
      link: OWN.replace('acme', 'Acme'),
      numbers: '[41,70]',
    },
    {
      promise: 'with that of the same number in another repository',
      link: PR,
      numbers: '[41,7,70]',
    },
    {
      promise: 'with that of the same number at another server',
      link: 'https://ghe.example/acme/app/pull/7',
      numbers: '[41,7,70]',
    },
    {
      promise: 'with all of them where the link is no pull request of GitHub',
      link: 'https://gitlab.com/acme/app/-/merge_requests/7',
      numbers: '[41,7,70]',
    },
    { promise: 'with all of them where there is none', link: null, numbers: '[41,7,70]' },
  ])('$promise', ({ link, numbers }) => {
    expect(numbersWith([41, 7, 70], link)).toBe(numbers);
  });

  test('with all of them where the runner names no repository', () => {
    const facts = { ...FACTS, repository: undefined };
    expect(numbersWith([7], OWN, { facts })).toBe('[7]');
  });
});

test('a secret in an agent job is taken out of what is shown, and not out of the outputs', () => {
  const redact = (text: string) => text.replaceAll('hunter2', '***');
  const secret = 'hunter2';
  const texts = { status: secret, model: secret, createdAt: secret, archivedAt: secret };
  const job = jobOf({ ...texts, source: { ref: secret } });
  const result = failed('in-doubt', { job, prompt: secret });
  const { summary, annotations, outputs } = reportOn(result, redact);
  expect(`${summary}${annotations[0]?.message}`).not.toContain('hunter2');
  expect(outputs).toMatchObject({ status: 'hunter2', model: 'hunter2' });
});

test.each(['no-changes', 'archived', 'failed'] as const)(
  'the password in the link of an agent job that ended as %s is shown nowhere',
  (end) => {
    const prLink = 'https://u:hunter2@github.com/a/b/pull/1';
    const { annotations, summary } = plainReportOn(endedWith(end, { prLink }));
    expect(`${annotations[0]?.message}${summary}`).not.toContain('hunter2');
  },
);

test.each([
  { promise: 'one annotation for each problem', problems: 3, lines: [1, 1, 2] },
  { promise: 'ten for ten', problems: 10, lines: [...Array(9).fill(1), 2] },
  {
    promise: 'ten for more, with the rest in the last',
    problems: 13,
    lines: [...Array(9).fill(1), 5],
  },
])('inputs that cannot be used have $promise', ({ problems, lines }) => {
  const texts = Array.from({ length: problems }, (_, n) => `\`input${n}\` is wrong`);
  const shown = plainReportOn(bad(...texts)).annotations.map(({ message }) => message.split('\n'));
  expect(shown.map(({ length }) => length)).toEqual(lines);
  expect(shown.flat()).toEqual([...texts, HELP]);
});

describe('writing a report', () => {
  const ended = endedWith('no-changes');
  const told =
    'Agent job `job_1` opened no pull request. Either the agent found nothing to change, or the Mintlify project commits without pull requests.';
  const closing = {
    level: 'notice',
    title: 'Docs agent: Completed without a pull request',
    message: told,
  };

  test('writes outputs, summary and annotations', async () => {
    const runner = new RecordingRunner();
    const report = plainReportOn(ended);
    expect(await writeReport(report, runner)).toBe(true);
    expect(runner.outputs).toEqual(report.outputs);
    expect(runner.summaries).toEqual([report.summary]);
    expect(runner.annotations).toEqual([closing]);
  });

  test('keeps the order of the annotations', async () => {
    const runner = new RecordingRunner();
    const report = plainReportOn(bad('one', 'two'));
    expect(await writeReport(report, runner)).toBe(false);
    const messages = runner.annotations.map(({ message }) => message);
    expect(messages).toEqual(['one', `two\n${HELP}`]);
  });

  test('fails when an output cannot be written, and still writes everything else', async () => {
    const runner = new RecordingRunner();
    const setOutput = runner.setOutput.bind(runner);
    runner.setOutput = (name, value) => {
      if (name === 'model' || name === 'status') throw new Error('disk full');
      return setOutput(name, value);
    };
    const report = plainReportOn(ended);
    expect(await writeReport(report, runner)).toBe(false);
    expect(runner.outputs).toMatchObject({ outcome: 'no-changes', jobId: 'job_1' });
    expect(runner.summaries).toEqual([report.summary]);
    expect(runner.annotations).toEqual([
      {
        level: 'error',
        title: 'Docs agent: The outputs cannot be written',
        message: `${told}\nThese outputs could not be written: status, model (\`disk full\`). Later steps see them empty.`,
      },
    ]);
  });

  test('says which outputs are empty because they would hold a secret, and does not fail', async () => {
    const runner = new RecordingRunner();
    runner.setOutput = (name) => name === 'model' || name === 'job';
    const report = plainReportOn(ended);
    expect(await writeReport(report, runner)).toBe(true);
    const message = 'These outputs are empty, because their values hold a secret: model, job.';
    expect(runner.annotations).toEqual([
      { level: 'warning', title: 'Docs agent: an output contains a secret', message },
      closing,
    ]);
  });

  test('does not fail when the summary cannot be written, and says so in the log', async () => {
    const runner = new RecordingRunner();
    runner.writeSummary = () => Promise.reject(new Error('disk full'));
    expect(await writeReport(plainReportOn(ended), runner)).toBe(true);
    expect(runner.log).toEqual(['The job summary could not be written: disk full']);
    expect(runner.annotations).toEqual([closing]);
  });
});

describe('the ending of a run that threw', () => {
  const maybe = { kind: 'in-doubt', namedId: 'at hunter2' } as const;
  const said = { kind: 'in-doubt', namedId: 'at ***' } as const;
  const redact = (text: string) => text.replace('hunter2', '***');

  test.each<readonly [what: string, error: Error, ending: object]>([
    [
      'a cancel',
      new CancelledError('INT', maybe),
      { kind: 'cancelled', signal: 'INT', call: said },
    ],
    [
      'a call that may have been accepted',
      new RunError('F', 'M', { call: maybe }),
      { kind: 'error', heading: 'F', message: 'M', call: said },
    ],
  ])('says what is known after %s, without secrets', (_what, error, ending) => {
    expect(endingOfError(error, redact)).toEqual(ending);
  });

  const variable = missingVariable('GITHUB_SHA');
  const unset = expect.stringMatching(/^`GITHUB_SHA` is not set, .*elsewhere\.$/);
  const bug = (text: string) =>
    `Unexpected error: \`${text}\`. This is a bug in the action. Please report it at https://github.com/docs-agent/docs-agent-job/issues.`;
  test.each<readonly [what: string, error: unknown, heading: string, message: string]>([
    ['an unset variable', variable, 'This does not run in a GitHub Actions workflow', unset],
    ['an error, without its secrets', new Error('at hunter2'), 'Unexpected error', bug('at ***')],
    ['a thrown value that is not an Error', 'x', 'Unexpected error', bug('x')],
  ])('is an error after %s', (_what, error, heading, message) => {
    const ending = { kind: 'error', heading, message, call: { kind: 'not-accepted' } };
    expect(endingOfError(error, redact)).toEqual(ending);
  });
});
