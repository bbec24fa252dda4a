/** Mintlify's agent job and its outcome. */
import type { Added } from './record.ts';

/** The agent API's base URL unless an input overrides it. */
export const DEFAULT_BASE_URL = 'https://api.mintlify.com';

/** A job about which nothing is known: every field is empty. */
const NO_JOB = {
  id: '',
  status: '',
  sourceRepository: '',
  sourceRef: '',
  model: '',
  /** An http(s) URL without credentials, or empty. */
  prLink: '',
  /** The service's link if it must not be used, or empty. */
  refusedPrLink: '',
  createdAt: '',
  archivedAt: '',
  /** The whole job as the service wrote it, except that an unusable `prLink` is null. */
  json: '',
};

export type Job = Readonly<typeof NO_JOB>;

/** An agent job that a run follows. */
export type FollowedJob = Job & {
  /** How the job ended, once a read shows an end that counts. */
  readonly end: JobEnd | undefined;
};

/** An agent job of which only the ID is known. An empty ID means that there is none. */
export const unreadJob = (id: string): FollowedJob => ({ ...NO_JOB, id, end: undefined });

/** The statuses with which an agent job ends: well, or so that its prompt must be sent again. */
const END_FATES = { completed: 'covered', archived: 'covered', failed: 'failed' } as const;

/**
 * What each status means to other runs for the changes that an agent job has. Any other status is
 * unknown. For a re-run, see {@link cameToNothing}.
 */
export const FATES = { active: 'running', ...END_FATES } as const;

type Status = keyof typeof FATES;
type StatusFate = (typeof FATES)[Status];
type EndStatus = keyof typeof END_FATES;

/** How an agent job ended. A completed one has a pull request or no changes. */
export type JobEnd = 'pull-request' | 'no-changes' | Exclude<EndStatus, 'completed'>;

const isKnown = (status: string): status is Status => Object.hasOwn(FATES, status);
const isEnd = (status: string): status is EndStatus => Object.hasOwn(END_FATES, status);

/** Whether the job is working, by a status known today. */
export const isActive = ({ status }: Job): boolean => isKnown(status) && !isEnd(status);

/** The outcome of an agent job. An unknown status counts as still working. */
export const fateOf = ({ status }: Job): StatusFate =>
  isKnown(status) ? FATES[status] : 'running';

/**
 * Whether the job ended without a result, so that a re-run sends its prompt again. That is more
 * often than for other runs: somebody archived the job, and may want another one.
 */
export const cameToNothing = (job: Job): boolean =>
  fateOf(job) === 'failed' || (endOf(job) === 'archived' && job.prLink === '');

/** Returns `undefined` while the job is active or has an unknown status. */
export function endOf({ status, prLink }: Job): JobEnd | undefined {
  if (!isEnd(status)) return undefined;
  if (status === 'completed') return prLink === '' ? 'no-changes' : 'pull-request';
  return status;
}

/**
 * How long after a follow-up message a read may still show the end from before it. A later end
 * counts even if the agent job was never seen `active`.
 */
export const MESSAGE_GRACE_MS = 30_000;

/** The result of following an agent job. The state of the wait has what was read. */
export type WaitEnding =
  | { readonly kind: 'ended'; readonly end: JobEnd }
  /** The job hasn't ended, and the step doesn't wait for it (`wait: false`). */
  | { readonly kind: 'started' }
  | { readonly kind: 'timed-out' }
  /** The service doesn't know the job, or no longer does. */
  | { readonly kind: 'not-found'; readonly error: string }
  /** The service refuses to show the job, or the connection to the service isn't trusted. */
  | { readonly kind: 'unreadable'; readonly error: string };

/**
 * The outcome of an agent job, and therefore of the changes it had.
 * - `running`: it hasn't ended, or may still show the end from before a message.
 * - `covered`: it ended well.
 * - `failed`: its changes must be sent again.
 * - `missed`: it ended well, but its additions to a pull request may have reached nobody.
 * - `uncertain`: it ended well, but it may not have added anything to its open pull request.
 */
export type Fate = 'running' | 'covered' | 'failed' | 'missed' | 'uncertain';

export type Judged =
  | {
      readonly kind: 'known';
      readonly fate: Fate;
      /**
       * A re-run sends the job's prompt again, because the job ended without a result, or because
       * its additions may have reached nobody.
       */
      readonly cameToNothing: boolean;
      readonly status: string;
      /** An http(s) URL without credentials, or empty. */
      readonly prLink: string;
      /** The URL of the docs repository, or empty. */
      readonly sourceRepository: string;
    }
  /** The service doesn't know the job, or no longer does. */
  | { readonly kind: 'not-found' }
  /** A dry run without a key. */
  | { readonly kind: 'not-read' }
  /**
   * The service or GitHub couldn't answer. `isTemporary` means that they may later. `error` is a
   * sentence without a trailing period.
   */
  | { readonly kind: 'error'; readonly error: string; readonly isTemporary: boolean };

export interface JudgeQuery {
  readonly id: string;
  /** The pending addition of a follow-up message. */
  readonly added?: Added | undefined;
  /** When the job got its last follow-up message, in Unix seconds, if known. */
  readonly messagedAt?: number | undefined;
}

/** Reads an agent job, at most once per run, and judges it. Rejects only to end the step. */
export type Judge = (query: JudgeQuery) => Promise<Judged>;

/** What a run has read about an agent job of an earlier run or attempt. */
export type JobRead =
  | {
      readonly kind: 'read';
      readonly job: Job;
      /** This step has read the job as `active` since its last message. */
      readonly wasActive: boolean;
      /** This step waited for the end, so it isn't the one from before the last message. */
      readonly wasWaitedFor: boolean;
    }
  /** The service doesn't know the job, or no longer does. */
  | { readonly kind: 'not-found' }
  /**
   * The service couldn't answer. `isTemporary` means that it may later. `error` is a sentence
   * without a trailing period.
   */
  | { readonly kind: 'error'; readonly error: string; readonly isTemporary: boolean };

/** The step's last agent job, which didn't end within `limitMs`. */
export interface LastAtWork {
  readonly lastId: string;
  readonly limitMs: number;
  /** The limit was half of `timeout`, rather than what was left of it. */
  readonly isHalf: boolean;
}
