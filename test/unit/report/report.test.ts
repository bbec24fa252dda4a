import { describe, expect, test } from 'vitest';
import { writeReport } from '../../../src/report/report.ts';
import { RecordingRunner } from '../../support/runner.ts';
import { knownOf } from './known.ts';

describe('a file of the runner that cannot be written', () => {
  test('for an output fails the step, which still has a summary', async () => {
    const runner = new RecordingRunner();
    runner.setOutput = () => {
      throw new Error('disk full');
    };
    expect(await writeReport(knownOf(), { kind: 'no-changes' }, runner)).toBe(false);
    expect(runner.summary).not.toBe('');
    expect(runner.annotations[0]).toMatchObject({ level: 'error', message: 'disk full' });
  });

  test('for the summary is only logged', async () => {
    const runner = new RecordingRunner();
    runner.writeSummary = () => Promise.reject(new Error('disk full'));
    expect(await writeReport(knownOf(), { kind: 'no-changes' }, runner)).toBe(true);
    expect(runner.log).toEqual(['The job summary could not be written: disk full']);
  });
});
