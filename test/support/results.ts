/** Results of runs, to test reports. */

import { parseJob } from '../../src/agent/job.ts';
import { type Inputs, parseInputs } from '../../src/inputs/inputs.ts';
import type { FollowedJob, JobEnd } from '../../src/model/agent-job.ts';
import type { ChangesOverview } from '../../src/model/changes.ts';
import { type Ending, nothingKnown, type RunResult } from '../../src/report/ending.ts';
import { reportOn } from '../../src/report/report.ts';
import { FACTS } from './fakes.ts';

export const INPUTS = parseInputs(
  { prompt: 'x', projectId: 'p1', adminApiKey: 'mint_0123456789' },
  FACTS,
  (text) => text,
);

/** Changes of which some patterns select a part. */
export const CHANGES = {
  ...{ kind: 'known', commits: 2, files: 3, selectedFiles: 1 },
  base: 'abc1234def0123456789abcdef0123456789abcd',
  head: 'v2',
  url: 'https://github.com/acme/app/compare/abc1234def0123456789abcdef0123456789abcd...v2',
  ...{ patterns: [], exampleFiles: [], leftOut: [] },
  ...{ codePulls: [], skipped: { commits: 0, by: [], undo: [], pulls: [] } },
} as const satisfies ChangesOverview;

/** An agent job with these fields from the service, and the `end` that was read. */
export function jobOf(fields: Readonly<Record<string, unknown>> = {}, end?: JobEnd): FollowedJob {
  const result = parseJob(JSON.stringify({ id: 'job_1', status: 'active', ...fields }));
  if (result.kind !== 'job') throw new Error(result.error);
  return { ...result.job, end };
}

/** The inputs of a step that sends agent job `job_1` a follow-up message, or only follows it. */
export const MESSAGE: Inputs = {
  ...INPUTS,
  task: { kind: 'message', jobId: 'job_1', instruction: 'x' },
};
export const FOLLOW: Inputs = { ...INPUTS, task: { kind: 'follow', jobId: 'job_1' } };

/** A run that created agent job `job_1` and ended with `ending`. */
export const resultOf = (ending: Ending, more: Partial<RunResult> = {}): RunResult => ({
  ...nothingKnown(FACTS),
  inputs: INPUTS,
  prompt: 'Document it.',
  job: jobOf(),
  isAccepted: true,
  rerunEffect: 'follows',
  wasSeen: true,
  checks: 3,
  tookMs: 65_000,
  endedAtMs: Date.UTC(2026, 10, 21, 8, 0, 30),
  ending,
  ...more,
});

/** A run whose agent job ended, with these fields. */
export function endedWith(
  end: JobEnd,
  fields: Readonly<Record<string, unknown>> = {},
  more: Partial<RunResult> = {},
): RunResult {
  const status = end === 'pull-request' || end === 'no-changes' ? 'completed' : end;
  return resultOf({ kind: 'ended', end }, { job: jobOf({ status, ...fields }, end), ...more });
}

/** A run that timed out while agent job `job_1` was active. */
export const timedOut = (more: Partial<RunResult> = {}): RunResult =>
  resultOf({ kind: 'timed-out' }, more);

/** A run that failed. */
export function failed(call: 'not-accepted' | 'in-doubt', more: Partial<RunResult> = {}) {
  const state = call === 'in-doubt' ? { kind: call, namedId: undefined } : { kind: call };
  return resultOf({ kind: 'error', heading: 'It failed', message: 'Why.', call: state }, more);
}

/** The report on a run with nothing to redact. */
export const plainReportOn = (result: RunResult) => reportOn(result, (text) => text);
