import { expect, test } from 'vitest';
import { StepError } from '../../../src/errors.ts';
import { writeReport } from '../../../src/report/report.ts';
import { jobOf, PULL } from '../../support/agent-job.ts';
import { TestClock } from '../../support/clock.ts';
import { RecordingRunner } from '../../support/runner.ts';
import { callOf } from '../ledger/given.ts';
import { reportOf } from './known.ts';

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

test('an error once `timeout` is over is because of that', async () => {
  const runner = new RecordingRunner();
  const late = reportOf({ kind: 'stopped', error: new StepError('github', 'GitHub is away') });
  clock.advance(30 * 60_000);
  await writeReport(late, 1, { runner, clock });
  await writeReport(late, 0, { runner, clock });
  const cutOff = runner.annotations.map(({ message }) => message.includes('cut off by `timeout`'));
  expect(cutOff).toEqual([false, true]);
});
