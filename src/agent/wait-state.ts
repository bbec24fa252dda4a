import type { Job, JobEnd } from './job.ts';

/** What the wait is for. Times are on the clock's scale, in ms. */
export interface WaitPlan {
  readonly pollIntervalMs: number;
  readonly deadline: number;
  /** When this run created the job, if it did. */
  readonly createdAt?: number;
  /** When the follow-up message was accepted, if one was sent. */
  readonly messageAt?: number;
  /** The first job that could be read settles it (`wait: false`). */
  readonly once?: boolean;
}

export interface WaitState {
  readonly startedAt: number;
  readonly reads: number;
  /** Failed reads in a row, and what the last of them came to. */
  readonly failures: number;
  readonly fault: string | undefined;
  /** The job as last read, or as the service gave it when it was created or messaged. */
  readonly job: Job | undefined;
  /** The last status that was said in the log. */
  readonly saidStatus: string | undefined;
  readonly saidAt: number;
  readonly seenActive: boolean;
  readonly unknownStatusWarned: boolean;
  /** The job completed without a link, and is looked at once more, until this time at most. */
  readonly linkAwaited: { readonly job: Job; readonly until: number } | undefined;
}

export type WaitEnd =
  | { readonly kind: 'ended'; readonly end: JobEnd; readonly job: Job }
  | { readonly kind: 'read-once'; readonly job: Job }
  /** `fault` is what the last read came to, when it failed. */
  | { readonly kind: 'timed-out'; readonly fault: string | undefined }
  | { readonly kind: 'missing' | 'unreadable'; readonly fault: string };

/** What to do after a reading: sleep and read again, or stop. `say` and `warn` are for the log. */
export type Step =
  | {
      readonly do: 'sleep';
      readonly ms: number;
      readonly state: WaitState;
      readonly say?: string;
      readonly warn?: string;
    }
  | {
      readonly do: 'stop';
      readonly state: WaitState;
      readonly end: WaitEnd;
      readonly say?: string;
    };

/** The state before the first read; `job` is what the create or message call answered. */
export function startOfWait(now: number, job: Job | undefined): WaitState {
  return {
    startedAt: now,
    reads: 0,
    failures: 0,
    fault: undefined,
    job,
    saidStatus: job?.status,
    saidAt: now,
    seenActive: false,
    unknownStatusWarned: false,
    linkAwaited: undefined,
  };
}
