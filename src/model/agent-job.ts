/** Mintlify's agent job, and what became of it. */
import type { Added } from './record.ts';

/** Where Mintlify's agent API is, unless an input says otherwise. */
export const DEFAULT_BASE_URL = 'https://api.mintlify.com';

/** A job of which nothing is known: every field is empty. */
const NO_JOB = {
  id: '',
  status: '',
  sourceRepository: '',
  sourceRef: '',
  model: '',
  /** An http(s) URL without credentials, or empty. */
  prLink: '',
  /** The link that the service gave, when it must not be used; else empty. */
  refusedPrLink: '',
  createdAt: '',
  archivedAt: '',
  /** The whole job as the service wrote it; only a `prLink` that must not be used is null in it. */
  json: '',
};

export type Job = Readonly<typeof NO_JOB>;

/** An agent job that a run follows. */
export type FollowedJob = Job & {
  /** How it ended, once an end was read that counts. */
  readonly end: JobEnd | undefined;
};

/** An agent job of which only the id is known; with an empty id none is known. */
export const unread = (id: string): FollowedJob => ({ ...NO_JOB, id, end: undefined });

/**
 * What each status of the service means for the changes that an agent job has: it is still at work,
 * it has ended well, or its prompt has to be sent again. A status that is missing here is not known.
 */
export const FATES = {
  active: 'running',
  completed: 'covered',
  archived: 'covered',
  failed: 'failed',
} as const;

type Status = keyof typeof FATES;
type StatusFate = (typeof FATES)[Status];
type EndStatus = { [S in Status]: (typeof FATES)[S] extends 'running' ? never : S }[Status];

/** How an agent job ended. One that completed did so with a pull request, or without changes. */
export type JobEnd = 'pull-request' | 'no-changes' | Exclude<EndStatus, 'completed'>;

const isKnown = (status: string): status is Status => Object.hasOwn(FATES, status);
const isEnd = (status: Status): status is EndStatus => FATES[status] !== 'running';

/** It is at work, and its status is known today. */
export const isActive = ({ status }: Job): boolean => isKnown(status) && !isEnd(status);

/** What became of an agent job. One whose status is not known today is still at work. */
export const fateOf = ({ status }: Job): StatusFate =>
  isKnown(status) ? FATES[status] : 'running';

/** It ended without a result, so that its prompt may be sent again. */
export const cameToNothing = (job: Job): boolean =>
  fateOf(job) === 'failed' || (endOf(job) === 'archived' && job.prLink === '');

/** `undefined` while it is active, or has a status that is not known today. */
export function endOf({ status, prLink }: Job): JobEnd | undefined {
  if (!isKnown(status) || !isEnd(status)) return undefined;
  if (status === 'completed') return prLink === '' ? 'no-changes' : 'pull-request';
  return status;
}

/** The result of following an agent job. What was read of it is in the state of the wait. */
export type WaitEnding =
  | { readonly kind: 'ended'; readonly end: JobEnd }
  /** It has not ended, and the step does not wait for it (`wait: false`). */
  | { readonly kind: 'started' }
  | { readonly kind: 'timed-out' }
  /** The service does not know it, or no longer knows it. */
  | { readonly kind: 'not-found'; readonly error: string }
  /** The service refuses to show it, or the connection to the service is not trusted. */
  | { readonly kind: 'unreadable'; readonly error: string };

/**
 * What became of an agent job, and so of the changes that it had.
 * - `running`: it has not ended, or may still read as ended from before a message.
 * - `covered`: it has ended well.
 * - `failed`: its changes are to be sent again.
 * - `missed`: it ended well, and what it added to its pull request may have reached nobody.
 * - `uncertain`: it ended well, and whether it added anything to its open pull request is not known.
 */
export type Fate = 'running' | 'covered' | 'failed' | 'missed' | 'uncertain';

export type Judged =
  | {
      readonly kind: 'known';
      readonly fate: Fate;
      /** It has ended without a result, so that a re-run sends its prompt again. */
      readonly cameToNothing: boolean;
      readonly status: string;
      /** An http(s) URL without credentials, or empty. */
      readonly prLink: string;
      /** The address of the docs repository, or empty. */
      readonly sourceRepository: string;
    }
  /** The service does not know it, or no longer knows it. */
  | { readonly kind: 'not-found' }
  /** Without a key, in a dry run. */
  | { readonly kind: 'not-read' }
  /** The service or GitHub could not say; if `isPassing`, they may later. A sentence without its full stop. */
  | { readonly kind: 'error'; readonly error: string; readonly isPassing: boolean };

export interface JudgeQuery {
  readonly id: string;
  /** What a follow-up message to it added is not certain. */
  readonly added?: Added | undefined;
  /** When it got its last follow-up message, in Unix seconds, if that is known. */
  readonly messagedAt?: number | undefined;
}

/** Reads an agent job, once a run, and judges it. Rejects only to end the step. */
export type Judge = (query: JudgeQuery) => Promise<Judged>;

/** What a run has read of an agent job of an earlier run or attempt. */
export type JobRead =
  | {
      readonly kind: 'read';
      readonly job: Job;
      /** This step has read it as `active` since its last message. */
      readonly wasActive: boolean;
      /** This step has waited for its end, so this is not the end before its last message. */
      readonly wasWaitedFor: boolean;
    }
  /** The service does not know it, or no longer knows it. */
  | { readonly kind: 'not-found' }
  /** The service could not say; if `isPassing`, it may later. A sentence without its full stop. */
  | { readonly kind: 'error'; readonly error: string; readonly isPassing: boolean };

/** The last agent job of a step, which did not end within `limitMs`. */
export interface LastAtWork {
  readonly lastId: string;
  readonly limitMs: number;
  /** The limit was half of `timeout`, and not what was left of it. */
  readonly isHalf: boolean;
}
