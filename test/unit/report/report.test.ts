import { describe, expect, test } from 'vitest';
import { NO_JOB } from '../../../src/agent/job.ts';
import { badStart } from '../../../src/changes/start.ts';
import { InputError } from '../../../src/inputs/inputs.ts';
import { CancelledError, missingVariable, RunError } from '../../../src/lib/errors.ts';
import { endingOfError } from '../../../src/report/ending.ts';
import { reportOn, writeReport } from '../../../src/report/report.ts';
import { metadata } from '../../support/action.ts';
import { RecordingRunner } from '../../support/fakes.ts';
import { endedWith, jobOf, plainReportOn, resultOf, TIMED_OUT } from '../../support/results.ts';

const HELP =
  'Troubleshooting: https://github.com/docs-agent/docs-agent-job/blob/v1/.github/TROUBLESHOOTING.md#the-inputs-cannot-be-used';

const PR = 'https://github.com/acme/docs/pull/7';

const bad = (problems: readonly string[]) =>
  resultOf({ kind: 'bad-inputs', problems }, { inputs: undefined, job: NO_JOB, isAccepted: false });

describe('the outputs', () => {
  test('have the names in action.yml, however the run ended', () => {
    const names = Object.keys(metadata.outputs).sort();
    for (const result of [resultOf(TIMED_OUT), bad(['a'])]) {
      expect(Object.keys(plainReportOn(result).outputs).sort()).toEqual(names);
    }
  });

  test('are the fields of the agent job and the parts of its pull request', () => {
    const fields = {
      status: 'completed',
      prLink: 'https://github.com/acme/docs/pull/7',
      model: 'm',
      source: { repository: 'r', ref: 'main' },
      createdAt: 'c',
      archivedAt: 'a',
    };
    const job = jobOf(fields);
    const { outputs } = plainReportOn(endedWith('pull-request', job, { job }));
    expect(outputs).toEqual({
      prLink: 'https://github.com/acme/docs/pull/7',
      prNumber: '7',
      prRepository: 'acme/docs',
      prOperation: 'created',
      jobId: 'job_1',
      status: 'completed',
      model: 'm',
      sourceRepository: 'r',
      sourceRef: 'main',
      createdAt: 'c',
      archivedAt: 'a',
      job: JSON.stringify({ id: 'job_1', ...fields }),
      outcome: 'pull-request',
    });
  });
});

test.each([
  { promise: 'without a pull request', prLink: null, isUpdated: true, expected: '' },
  {
    promise: 'of a pull request that was opened',
    prLink: PR,
    isUpdated: false,
    expected: 'created',
  },
  { promise: 'of one that had been open', prLink: PR, isUpdated: true, expected: 'updated' },
])('the output prOperation $promise is "$expected"', ({ prLink, isUpdated, expected }) => {
  const job = jobOf({ status: 'completed', prLink });
  const { outputs } = plainReportOn(endedWith('pull-request', job, { job, isUpdated }));
  expect(outputs.prOperation).toBe(expected);
});

test.each([
  { promise: '', isFull: false, note: '' },
  {
    promise: ', also when outputs are lost',
    isFull: true,
    note: '\nThese outputs could not be written: model (`disk full`). Later steps see them empty.',
  },
])('the last annotation ends with the record of the step$promise', async ({ isFull, note }) => {
  class Runner extends RecordingRunner {
    override setOutput(name: string, value: string): boolean {
      if (isFull && name === 'model') throw new Error('disk full');
      return super.setOutput(name, value);
    }
  }
  const runner = new Runner();
  const withRecord = (message: string) => `${message}\nthe record`;
  await writeReport(plainReportOn({ ...bad(['one', 'two']), withRecord }), runner);
  const messages = runner.annotations.map(({ message }) => message);
  expect(messages).toEqual(['one', `two\n${HELP}${note}\nthe record`]);
});

test('a secret in an agent job is taken out of what is shown, and not out of the outputs', () => {
  const redact = (text: string) => text.replaceAll('hunter2', '***');
  const fields = { status: 'hunter2', model: 'hunter2', source: { ref: 'hunter2' } };
  const job = jobOf({ ...fields, createdAt: 'hunter2', archivedAt: 'hunter2' });
  const report = reportOn(resultOf(TIMED_OUT, { job, prompt: 'hunter2' }), redact);
  expect(`${report.summary}${report.annotations[0]?.message}`).not.toContain('hunter2');
  expect(report.outputs).toMatchObject({ status: 'hunter2', model: 'hunter2' });
});

test.each(['no-changes', 'archived', 'failed'] as const)(
  'the password in the link of an agent job that ended as %s is shown nowhere',
  (end) => {
    const job = jobOf({ status: 'completed', prLink: 'https://u:hunter2@github.com/a/b/pull/1' });
    const { annotations, summary } = plainReportOn(endedWith(end, job));
    expect(`${annotations[0]?.message}${summary}`).not.toContain('hunter2');
  },
);

describe('the outputs of a run without an agent job', () => {
  test('are empty, but for the outcome', () => {
    const { outcome, ...others } = plainReportOn(bad(['a'])).outputs;
    expect(outcome).toBe('error');
    expect(new Set(Object.values(others))).toEqual(new Set(['']));
  });
});

describe('the annotations', () => {
  test.each([
    { promise: 'are one for each problem', problems: 3, expected: [1, 1, 2] },
    { promise: 'are ten for ten problems', problems: 10, expected: [...Array(9).fill(1), 2] },
    {
      promise: 'are ten for more problems, and the last holds the rest',
      problems: 13,
      expected: [...Array(9).fill(1), 5],
    },
  ])('$promise', ({ problems, expected }) => {
    const texts = Array.from({ length: problems }, (_, n) => `\`input${n}\` is wrong`);
    const { annotations } = plainReportOn(bad(texts));
    expect(annotations.map(({ message }) => message.split('\n').length)).toEqual(expected);
    expect(annotations.flatMap(({ message }) => message.split('\n'))).toEqual([...texts, HELP]);
    expect(new Set(annotations.map(({ level }) => level))).toEqual(new Set(['error']));
  });

  test('are a single one otherwise', () => {
    expect(plainReportOn(resultOf(TIMED_OUT)).annotations).toHaveLength(1);
  });
});

describe('writing a report', () => {
  class Broken extends RecordingRunner {
    readonly #broken: readonly string[];

    constructor(...broken: readonly string[]) {
      super();
      this.#broken = broken;
    }

    override setOutput(name: string, value: string): boolean {
      if (this.#broken.includes(name)) throw new Error('disk full');
      return super.setOutput(name, value);
    }

    override writeSummary(markdown: string): Promise<void> {
      return this.#broken.includes('summary')
        ? Promise.reject(new Error('disk full'))
        : super.writeSummary(markdown);
    }
  }
  const job = jobOf({ status: 'completed' });
  const success = plainReportOn(endedWith('no-changes', job, { job }));

  test('writes outputs, summary and annotations', async () => {
    const runner = new RecordingRunner();
    expect(await writeReport(success, runner)).toBe(true);
    expect(runner.outputs).toEqual(success.outputs);
    expect(runner.summaries).toEqual([success.summary]);
    expect(runner.annotations).toEqual(success.annotations);
  });

  test('keeps the order of the annotations', async () => {
    const runner = new RecordingRunner();
    expect(await writeReport(plainReportOn(bad(['one', 'two', 'three'])), runner)).toBe(false);
    expect(runner.annotations.map(({ message }) => message)).toEqual([
      'one',
      'two',
      `three\n${HELP}`,
    ]);
  });

  test('fails when an output cannot be written, and still writes everything else', async () => {
    const runner = new Broken('model', 'status');
    expect(await writeReport(success, runner)).toBe(false);
    expect(runner.outputs).toMatchObject({ outcome: 'no-changes', jobId: 'job_1' });
    expect(runner.summaries).toEqual([
      `${success.summary}\n<p>⚠️ These outputs could not be written: status, model (<code>disk full</code>). Later steps see them empty.</p>\n`,
    ]);
    expect(runner.annotations).toEqual([
      {
        level: 'error',
        title: 'Docs agent: The outputs cannot be written',
        message: `${success.annotations[0]?.message}\nThese outputs could not be written: status, model (\`disk full\`). Later steps see them empty.`,
      },
    ]);
  });

  test('says which outputs are empty because they would hold a secret, and does not fail', async () => {
    const runner = new RecordingRunner();
    runner.setOutput = (name) => name === 'model' || name === 'job';
    expect(await writeReport(success, runner)).toBe(true);
    const message = 'These outputs are empty, because their values hold a secret: model, job.';
    expect(runner.annotations).toEqual([
      { level: 'warning', title: 'Docs agent: an output contains a secret', message },
      ...success.annotations,
    ]);
    expect(runner.summaries).toEqual([`${success.summary}\n<p>⚠️ ${message}</p>\n`]);
  });

  test('does not fail when the summary cannot be written, and says so in the log', async () => {
    const runner = new Broken('summary');
    expect(await writeReport(success, runner)).toBe(true);
    expect(runner.log).toEqual(['The job summary could not be written: disk full']);
    expect(runner.annotations).toEqual(success.annotations);
  });
});

describe('the ending of a run that threw', () => {
  const plain = (text: string) => text;

  const nothingAccepted = { kind: 'error', mayBeAccepted: false } as const;
  test.each([
    {
      what: 'a cancel',
      error: new CancelledError('SIGTERM', { mayBeAccepted: true }),
      ending: { kind: 'cancelled', signal: 'SIGTERM', mayBeAccepted: true },
    },
    {
      what: 'inputs that cannot be used',
      error: new InputError(['x', 'y'], undefined),
      ending: { kind: 'bad-inputs', problems: ['x', 'y'] },
    },
    {
      what: 'a call that may have been accepted',
      error: new RunError('F', 'M', { mayBeAccepted: true }),
      ending: { kind: 'error', heading: 'F', message: 'M', mayBeAccepted: true },
    },
    {
      what: 'a start of the changes that was not found',
      error: badStart('M'),
      ending: {
        ...nothingAccepted,
        heading: 'The start of the changes was not found',
        message: 'M',
      },
    },
    {
      what: 'a variable that the runner does not set',
      error: missingVariable('GITHUB_SHA'),
      ending: {
        ...nothingAccepted,
        heading: 'This does not run in a GitHub Actions workflow',
        message: expect.stringMatching(/^`GITHUB_SHA` is not set, .*elsewhere\.$/),
      },
    },
    {
      what: 'outputs that cannot be written',
      error: new RunError('The outputs cannot be written', 'M'),
      ending: { ...nothingAccepted, heading: 'The outputs cannot be written', message: 'M' },
    },
    {
      what: 'a thrown value that is not an Error',
      error: 'x',
      ending: {
        ...nothingAccepted,
        heading: 'Unexpected error',
        message: expect.stringContaining('Unexpected error: `x`. This is a bug in the action.'),
      },
    },
  ])('says what is known after $what', ({ error, ending }) => {
    expect(endingOfError(error, plain)).toEqual(ending);
  });

  test('contains no secret from the text of an unexpected error', () => {
    const redact = (text: string) => text.replace('hunter2', '***');
    expect(endingOfError(new Error('at hunter2'), redact)).toMatchObject({
      heading: 'Unexpected error',
      message:
        'Unexpected error: `at ***`. This is a bug in the action. Please report it at https://github.com/docs-agent/docs-agent-job/issues.',
    });
  });
});
