/** Records as GitHub keeps them, to test what reads them. */
import type { KeptAnnotation, WorkflowJob } from '../../src/github/github.ts';
import type { PausingClock, Step } from '../../src/history/annotations.ts';
import { FATES, type Judge, type Judged, type JudgeQuery } from '../../src/model/agent-job.ts';
import type { Recorded, StepRecord } from '../../src/model/record.ts';
import { lineOf, RECORD_TITLE } from '../../src/record/record-line.ts';
import { FakeClock } from './fakes.ts';

export const KEY = '0123456789abcdef';
export const OTHER = '00000000000000ff';

export const commit = (digit: string) => digit.repeat(40);

/** A plain text is the ID of an agent job. */
export function recordOf(what: Recorded | string, more: Partial<StepRecord> = {}): StepRecord {
  const recorded = typeof what === 'string' ? ({ kind: 'job', id: what } as const) : what;
  return { what: recorded, key: KEY, pending: [], codePulls: [], ...more };
}

export function kept(what: Recorded | string, more: Partial<StepRecord> = {}): KeptAnnotation {
  return { level: 'notice', title: RECORD_TITLE, message: lineOf(recordOf(what, more)) };
}

export const TODO: Recorded = { kind: 'todo' };
export const NONE: Recorded = { kind: 'none' };
export const UNKNOWN: Recorded = { kind: 'unknown' };
export const ASKED: Recorded = { kind: 'asked' };

export const UNREADABLE: KeptAnnotation = { level: 'notice', title: RECORD_TITLE, message: 'v=2' };
const LINT: KeptAnnotation = { level: 'warning', title: 'eslint', message: 'no-unused-vars' };
export const FULL: readonly KeptAnnotation[] = Array.from({ length: 50 }, () => LINT);

/**
 * The workflow job of run `run` in attempt `attempt`, an hour after it completed. Its ID is 100
 * times the run's plus the attempt.
 */
export function workflowJob(
  run: number,
  attempt = 1,
  more: Partial<WorkflowJob> = {},
): WorkflowJob {
  const ids = { id: 100 * run + attempt, run_id: run, run_attempt: attempt };
  const { status = 'completed' } = more;
  const over = { conclusion: 'success', completed_at: endedAgo(3_600) };
  const end = status === 'completed' ? over : {};
  return { ...ids, ...{ name: 'docs', status, runner_name: 'r' }, ...end, ...more };
}

/** A time before {@link fakeTime} starts. */
export const endedAgo = (seconds: number) =>
  new Date(Date.UTC(2026, 0, 1) - seconds * 1_000).toISOString();

/** The step in an attempt of a run. */
export function stepIn(run: number, attempt = 1, more: Partial<Step> = {}): Step {
  return {
    thisWorkflowJob: workflowJob(run, attempt, { status: 'in_progress' }),
    proveAccess: async () => [],
    ...{ runId: run, attempt, repository: 'o/r', isComposite: false },
    ...{ key: KEY },
    ...more,
  };
}

/** Time that passes only in pauses. */
export function fakeTime(): PausingClock & { readonly clock: FakeClock } {
  const clock = new FakeClock();
  const pause = async (ms: number) => clock.pass(ms);
  return { clock, now: () => clock.now(), date: () => clock.date(), pause };
}

/** What the service says about agent jobs, by ID. It no longer knows a job without a state. */
export function judgeOf(states: Readonly<Record<string, string | Judged>>) {
  const asked: JudgeQuery[] = [];
  const judge: Judge = async (query) => {
    asked.push(query);
    const state = states[query.id];
    if (state === undefined) return { kind: 'not-found' };
    return typeof state === 'string' ? known(state) : state;
  };
  return { asked, judge };
}

const JUDGED = { ...FATES, missed: 'missed', uncertain: 'uncertain' } as const;

/** An agent job with this status. A `missed` or `uncertain` job has completed. */
export function known(state: string): Judged {
  const fate = JUDGED[state as keyof typeof JUDGED] ?? 'running';
  const cameToNothing = fate === 'failed' || fate === 'missed';
  const status = fate === 'missed' || fate === 'uncertain' ? 'completed' : state;
  const prLink = 'https://github.com/o/r/pull/1';
  return { kind: 'known', fate, cameToNothing, status, prLink, sourceRepository: '' };
}
