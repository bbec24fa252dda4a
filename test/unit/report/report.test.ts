import { describe, expect, test } from 'vitest';
import type { Ending, Known } from '../../../src/report/ending.ts';
import { writeReport } from '../../../src/report/report.ts';
import { RecordingRunner } from '../../support/runner.ts';
import { aloneOf, DOCS_PULL, FACTS, jobOf, knownOf, PULL } from './known.ts';

const PULL_REQUEST: Ending = { kind: 'pull-request' };
const CANCELLED: Ending = { kind: 'cancelled', signal: 'SIGINT' };
const NOT_SENT = { kind: 'not-sent' } as const;

async function outputsOf(known: Known, ending = PULL_REQUEST) {
  const runner = new RecordingRunner();
  await writeReport(known, ending, runner);
  return Object.fromEntries(runner.outputs);
}

describe('the outputs', () => {
  test('are the agent job and its pull request', async () => {
    const known = knownOf({ job: jobOf('completed', PULL), docsPull: DOCS_PULL });
    expect(await outputsOf(known)).toEqual({
      prLink: PULL,
      prNumber: '7',
      prRepository: 'acme/docs',
      prBranch: 'docs/retries',
      prOperation: 'created',
      jobId: 'job_1',
      status: 'completed',
      outcome: 'pull-request',
      codePullRequests: '[41,42]',
      job: '{"id":"job_1"}',
    });
  });

  test('are empty without an agent job, but for the outcome', async () => {
    const badInputs: Ending = { kind: 'error', topic: 'inputs', message: 'x' };
    expect(await outputsOf({ facts: FACTS, call: NOT_SENT }, badInputs)).toEqual({
      ...{ prLink: '', prNumber: '', prRepository: '', prBranch: '', prOperation: '' },
      ...{ jobId: '', status: '', outcome: 'error', codePullRequests: '[]', job: '' },
    });
  });

  test.each([
    ['was open before', PULL, 'updated'],
    ['replaced the one from before', PULL.replace('7', '6'), 'created'],
  ])('have the prOperation of a pull request that %s', async (_what, appendedTo, operation) => {
    const outputs = await outputsOf(knownOf({ job: jobOf('completed', PULL), appendedTo }));
    expect([outputs['prOperation'], outputs['prBranch']]).toEqual([operation, '']);
  });

  const message = { task: { kind: 'message', jobId: 'job_2', instruction: 'x' } } as const;
  test.each<[string, Known, string]>([
    ['of the input', aloneOf({ call: NOT_SENT, inputs: message }), 'job_2'],
    ['of a response', knownOf({ call: { kind: 'in-doubt', jobId: 'job_3' } }), 'job_3'],
    ['that nobody knows', knownOf({ call: { kind: 'in-doubt', jobId: undefined } }), ''],
  ])('name the agent job %s', async (_what, known, jobId) => {
    expect((await outputsOf(known, CANCELLED))['jobId']).toBe(jobId);
  });

  test('name no code pull requests if nothing was sent', async () => {
    const skipped = await outputsOf(knownOf(), { kind: 'skipped', reason: 'covered' });
    expect(skipped['codePullRequests']).toBe('[]');
  });
});

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
