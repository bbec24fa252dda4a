import { expect, test } from 'vitest';
import { writeReport } from '../../../src/report/report.ts';
import { RecordingRunner } from '../../support/runner.ts';
import { knownOf } from './known.ts';

test('an output that cannot be written fails the step, which still has a summary', async () => {
  const runner = new RecordingRunner();
  runner.setOutput = () => {
    throw new Error('disk full');
  };
  expect(await writeReport(knownOf(), { kind: 'no-changes' }, runner)).toBe(false);
  expect(runner.summary).not.toBe('');
  expect(runner.annotations[0]).toMatchObject({ level: 'error', message: 'disk full' });
});

test('a summary that cannot be written is only logged', async () => {
  const runner = new RecordingRunner();
  runner.writeSummary = () => Promise.reject(new Error('disk full'));
  expect(await writeReport(knownOf(), { kind: 'no-changes' }, runner)).toBe(true);
  expect(runner.log).toEqual(['The job summary could not be written: disk full']);
});
