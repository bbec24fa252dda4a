/** Results of runs, for the tests of reports. */
import { type Job, parseJob } from '../../src/agent/job.ts';
import { parseInputs } from '../../src/inputs/inputs.ts';
import type { Ending, RunResult } from '../../src/report/ending.ts';
import { FACTS } from './fakes.ts';

export const INPUTS = parseInputs(
  { prompt: 'x', projectId: 'p1', adminApiKey: 'mint_0123456789' },
  FACTS,
);

export function jobOf(fields: Readonly<Record<string, unknown>> = {}): Job {
  const result = parseJob(JSON.stringify({ id: 'job_1', status: 'active', ...fields }));
  if (result.kind !== 'job') throw new Error(result.error);
  return result.job;
}

/** A run that created agent job `job_1` and ended with `ending`. */
export const resultOf = (ending: Ending, more: Partial<RunResult> = {}): RunResult => ({
  facts: FACTS,
  inputs: INPUTS,
  prompt: 'Document it.',
  promptLength: more.prompt?.length ?? 12,
  changes: undefined,
  jobId: 'job_1',
  job: jobOf(),
  end: undefined,
  isAccepted: true,
  isResumable: true,
  resumedFrom: undefined,
  reads: 3,
  lastError: undefined,
  tookMs: 65_000,
  endedAt: Date.UTC(2026, 10, 21, 8, 0, 30),
  ending,
  ...more,
});

export const TIMED_OUT: Ending = { kind: 'timed-out', lastError: undefined };

export const cancelled = (mayBeAccepted = false): Ending => ({
  kind: 'cancelled',
  signal: 'SIGINT',
  mayBeAccepted,
});

export const failedWith = (
  message: string,
  mayBeAccepted = false,
): Extract<Ending, { kind: 'error' }> => ({
  kind: 'error',
  heading: 'It failed',
  message,
  mayBeAccepted,
});
