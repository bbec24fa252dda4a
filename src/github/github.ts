/** GitHub's REST API, as far as the action reads it: what the other rooms know of it. */
import type * as z from 'zod/mini';
import type { Effects } from '../effects/effects.ts';
import type { commitSchema, createGitHub, fileSchema } from './rest.ts';

export interface GitHubAccess extends Pick<Effects, 'http' | 'clock' | 'runner' | 'signal'> {
  readonly token: string;
  /** On the clock's scale, in ms. No request is started after it. */
  readonly deadline: number;
  /** `timeout`. At most a third of it is lost to failures of GitHub, and at most 5 minutes. */
  readonly timeoutMs: number;
}

/** The parts of GitHub's API that are read. Each call rejects with a `GitHubError` when it fails. */
export type GitHub = ReturnType<typeof createGitHub>;

/** What a call reads, with GitHub's own names. The schemas are in rest.ts. */
type Read<Call extends Exclude<keyof GitHub, 'event'>> = Awaited<ReturnType<GitHub[Call]>>;
export type Comparison = Read<'compare'>;
export type WorkflowRun = Read<'run'>;
export type WorkflowJob = Read<'workflowJob'>;

export type Commit = z.infer<typeof commitSchema>;

export interface ChangedFile extends z.infer<typeof fileSchema> {
  /** Only the trees name this file, past those that GitHub lists: the counts are not known. */
  readonly isFromTree?: true;
}

/** The event that started the workflow, as the runner passes it. */
export interface WorkflowEvent {
  readonly name: string;
  /** The webhook's payload. It comes from outside and is not trusted. */
  readonly payload: unknown;
  readonly sha: string;
  readonly ref: string;
  /** `owner/name` */
  readonly repository: string;
}

/** No more commits of a comparison are read. */
export const MAX_COMPARED_COMMITS = 1_000;
/** GitHub lists at most this many files of a comparison, and does not say how many there are. */
export const MAX_COMPARED_FILES = 300;
/** GitHub lists at most this many files of a pull request. */
export const MAX_PULL_REQUEST_FILES = 3_000;
