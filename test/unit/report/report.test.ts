import { expect, test } from 'vitest';
import { StepError } from '../../../src/errors.ts';
import { writeReport } from '../../../src/report/report.ts';
import { jobOf, PULL } from '../../support/agent-job.ts';
import { TestClock } from '../../support/clock.ts';
import { RecordingRunner } from '../../support/runner.ts';
import { callOf } from '../ledger/given.ts';
import { FACTS, reportOf } from './known.ts';

const report = reportOf({ kind: 'no-changes' });
const clock = new TestClock();

test('an output that cannot be written fails the step, which still has a summary', async () => {
  const runner = new RecordingRunner();
  runner.setOutput = () => {
    throw new Error('disk full');
  };
  expect(await writeReport(report, 0, { runner, clock })).toBe(false);
  expect(runner.summary).not.toBe('');
  expect(runner.annotations[0]).toMatchObject({ level: 'error', message: 'disk full' });
});

test('a summary that cannot be written is only logged', async () => {
  const runner = new RecordingRunner();
  runner.writeSummary = () => Promise.reject(new Error('disk full'));
  expect(await writeReport(report, 0, { runner, clock })).toBe(true);
  expect(runner.log).toEqual(['The job summary could not be written: disk full']);
});

test('ends of earlier runs are in the summary, and one that nobody saw is a warning', async () => {
  const runner = new RecordingRunner();
  const call = { ...callOf(), job: 'job_0' };
  const earlier = [
    { call, end: { kind: 'pull-request', job: jobOf('completed', PULL) } },
    { call, end: { kind: 'not-found', said: 'HTTP 404' } },
    { call, end: { kind: 'stuck' } },
  ] as const;
  await writeReport({ ...report, earlier }, 0, { runner, clock });
  const levels = runner.annotations.map(({ level }) => level);
  expect(levels).toEqual(['notice', 'warning', 'warning', 'notice']);
  expect(runner.annotations[0]?.message).toContain(PULL);
  expect(runner.summary).toContain(`<a href="${PULL}">`);
});

test.for([
  ...(['network', 'git', 'git-network', 'github'] as const).map((topic) => [topic, true] as const),
  ['key-refused', false],
] as const)(
  'an error on %s once `timeout` is over is because of that: %s',
  async ([topic, isSo]) => {
    const runner = new RecordingRunner();
    const clock = new TestClock();
    clock.advance(30 * 60_000);
    const report = reportOf({ kind: 'stopped', error: new StepError(topic, 'It is away') });
    await writeReport(report, 1, { runner, clock });
    await writeReport(report, 0, { runner, clock });
    const cutOff = runner.annotations.map(({ message }) =>
      message.includes('cut off by `timeout`'),
    );
    expect(cutOff).toEqual([false, isSo]);
  },
);

test('bad inputs fail the step also where GitHub gives no secrets', async () => {
  const runner = new RecordingRunner();
  const error = new StepError('inputs', '`wait` must be true or false.');
  const fork = { facts: { ...FACTS, isFork: true }, ending: { kind: 'stopped', error } } as const;
  expect(await writeReport(fork, 0, { runner, clock })).toBe(false);
});
