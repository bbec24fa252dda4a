import type { Job, JobEnd } from '../agent/job.ts';
import { formatDuration } from '../duration.ts';
import type { AnnotationLevel } from '../effects/effects.ts';
import type { JobExists } from '../errors.ts';
import type { Inputs } from '../inputs.ts';
import { count, quote } from '../text.ts';

/** Every way a run can end. */
export type Ending =
  | { readonly kind: 'ended'; readonly end: JobEnd; readonly job: Job }
  | { readonly kind: 'started'; readonly job: Job }
  | { readonly kind: 'skipped'; readonly changedFiles: number; readonly base: string }
  | { readonly kind: 'timed-out'; readonly fault: string | undefined }
  | { readonly kind: 'cancelled'; readonly signal: string; readonly jobExists: JobExists }
  | {
      readonly kind: 'error';
      /** What could not be done, in a few words. */
      readonly title: string;
      readonly message: string;
      readonly jobExists: JobExists;
      /** Whether following the job, if its id is known, may come to more. */
      readonly isFollowable: boolean;
    };

export type Outcome = JobEnd | 'timed-out' | 'cancelled' | 'skipped' | 'started' | 'error';

/** All that is known when a run ends; what it never came to is missing. */
export interface RunRecord {
  readonly inputs: Inputs | undefined;
  /** What was sent, changes included. */
  readonly prompt: string | undefined;
  /** Where the changes start and how much changed, for people. */
  readonly changes: string | undefined;
  readonly jobId: string | undefined;
  readonly job: Job | undefined;
  readonly reads: number;
  readonly tookMs: number;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
  readonly ending: Ending;
}

export interface Verdict {
  readonly outcome: Outcome;
  readonly isFailure: boolean;
  readonly level: AnnotationLevel;
  readonly heading: string;
  /** Untrusted text in it stands between backticks. */
  readonly message: string;
  /** Whether the reader needs to be told how to follow the job. */
  readonly isFollowable: boolean;
}

/** What an ending means for the step, and how it is said. */
export function verdictOn(record: RunRecord): Verdict {
  const { ending } = record;
  switch (ending.kind) {
    case 'ended':
      return verdictOnEnd(ending.end, ending.job);
    case 'started':
      return {
        outcome: 'started',
        isFailure: false,
        level: 'notice',
        heading: 'Job started',
        message: `Job ${quote(ending.job.id)} was accepted and works on in the service; this step does not wait for it (\`wait: false\`).`,
        isFollowable: true,
      };
    case 'skipped':
      return {
        outcome: 'skipped',
        isFailure: false,
        level: 'notice',
        heading: 'Skipped: nothing relevant changed',
        message: `Nothing that \`paths\` selects changed since ${quote(ending.base)} (${count(ending.changedFiles, 'changed file')}, none of them selected), so the agent was not asked.`,
        isFollowable: false,
      };
    case 'timed-out':
      return {
        outcome: 'timed-out',
        isFailure: true,
        level: 'error',
        heading: 'Timed out: the job goes on',
        message: `Job ${quote(record.jobId ?? '')} did not end within ${formatDuration(record.inputs?.timeoutMs ?? 0)} (\`timeout\`). It goes on in the service and may still open a pull request: follow it with \`jobId\` rather than creating another one.${ending.fault === undefined ? '' : ` The last read failed: ${ending.fault}.`}`,
        isFollowable: true,
      };
    case 'cancelled':
      return verdictOnCancel(record, ending);
    case 'error':
      return {
        outcome: 'error',
        isFailure: true,
        level: 'error',
        heading: ending.title,
        message:
          ending.jobExists === 'maybe'
            ? `${ending.message} ${whatToCheck(record)}`
            : ending.message,
        isFollowable: ending.isFollowable && record.jobId !== undefined,
      };
  }
}

function verdictOnEnd(end: JobEnd, job: Job): Verdict {
  const common = { outcome: end, isFailure: false, isFollowable: false } as const;
  switch (end) {
    case 'pull-request':
      return {
        ...common,
        level: 'notice',
        heading: 'Pull request ready',
        message: `The agent opened a pull request: ${job.prLink}`,
      };
    case 'no-changes':
      if (job.refusedPrLink !== '') {
        return {
          ...common,
          level: 'warning',
          heading: 'Completed, without a link that can be used',
          message: `Job ${quote(job.id)} completed, but its pull request link ${quote(job.refusedPrLink)} is not an http(s) URL without credentials, so it is not put out. Look at the job in the dashboard.`,
        };
      }
      return {
        ...common,
        level: 'notice',
        heading: 'No file was changed',
        message: `Job ${quote(job.id)} completed and no file was changed, so there is no pull request.`,
      };
    case 'archived':
      return {
        ...common,
        level: 'warning',
        heading: 'The job was archived',
        message: `Job ${quote(job.id)} was archived. ${job.prLink === '' ? 'It opened no pull request' : `Its pull request: ${job.prLink}`}`,
      };
    case 'failed':
      return {
        ...common,
        isFailure: true,
        level: 'error',
        heading: 'The job failed',
        message: `Job ${quote(job.id)} failed: the agent met an error it could not recover from. The service gives no reason here; look at the job in the dashboard, then run again.`,
      };
  }
}

function verdictOnCancel(
  record: RunRecord,
  { signal, jobExists }: Extract<Ending, { kind: 'cancelled' }>,
): Verdict {
  const common = { outcome: 'cancelled', isFailure: true, level: 'error' } as const;
  if (jobExists === 'maybe') {
    return {
      ...common,
      heading: 'Cancelled while the service was being asked',
      message: `The step was cancelled (${signal}) before the service answered, so it may have taken the request. ${whatToCheck(record)}`,
      isFollowable: record.jobId !== undefined,
    };
  }
  if (record.jobId === undefined) {
    return {
      ...common,
      heading: 'Cancelled before a job was created',
      message: `The step was cancelled (${signal}); no job was created.`,
      isFollowable: false,
    };
  }
  return {
    ...common,
    heading: 'Cancelled: the job goes on',
    message: `The step was cancelled (${signal}). Job ${quote(record.jobId)} goes on in the service, which has no call to stop it, and may still open a pull request: follow it with \`jobId\`.`,
    isFollowable: true,
  };
}

function whatToCheck({ jobId, endedAt }: RunRecord): string {
  if (jobId !== undefined) {
    return `Before running again look at job ${quote(jobId)} in the dashboard.`;
  }
  const minute = new Date(endedAt).toISOString().slice(0, 16).replace('T', ' ');
  return `A job may exist: before running again look in the dashboard, and among the pull requests of the docs repository, for one created about ${minute} UTC.`;
}
