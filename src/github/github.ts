/** Interfaces of GitHub's REST API, as far as the action reads it. */
import type { Clock, Http, Runner } from '../effects/effects.ts';
import type { Annotation } from '../lib/annotation.ts';

export interface GitHubAccess {
  readonly token: string;
  readonly http: Http;
  /** Logs waits, and removes secrets from GitHub's error texts. */
  readonly runner: Pick<Runner, 'info' | 'redact'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** On {@link Clock.now}'s scale: no request is started after it. */
  readonly deadline: number;
  /** `timeout`. At most a third of it is lost to failures of GitHub, and at most 5 minutes. */
  readonly timeoutMs: number;
}

/** Loads the client of GitHub's API. It is called only when that is needed. */
export type OpenGitHub = (access: GitHubAccess) => Promise<GitHub>;

/** The event that started the workflow, as the runner passes it. */
export interface WorkflowEvent {
  readonly name: string;
  /** The webhook's payload. It comes from outside and is not trusted. */
  readonly payload: unknown;
  readonly sha: string;
  readonly ref: string;
  readonly runId: number;
  /** `owner/name` */
  readonly repository: string;
}

export interface ChangedFile {
  readonly path: string;
  /** The name before a rename. */
  readonly previousPath: string | undefined;
  readonly status: string;
  readonly additions: number;
  readonly deletions: number;
  /** Missing for binary files, and for those that GitHub considers too large. */
  readonly patch: string | undefined;
  /** Only the trees name this file, past those that GitHub lists: the counts are not known. */
  readonly isFromTree?: true;
}

export interface Commit {
  readonly sha: string;
  /** The whole message: subject and body. */
  readonly message: string;
}

export interface Comparison {
  readonly status: 'ahead' | 'behind' | 'identical' | 'diverged';
  readonly url: string;
  /** The last commit that both ends have: where the list of commits and files starts. */
  readonly mergeBase: string;
  readonly totalCommits: number;
  /** At most the first {@link MAX_COMPARED_COMMITS}, oldest first. */
  readonly commits: readonly Commit[];
  /** At most {@link MAX_COMPARED_FILES}. */
  readonly files: readonly ChangedFile[];
}

/** No more commits of a comparison are read. */
export const MAX_COMPARED_COMMITS = 1_000;

/** GitHub lists at most this many files of a comparison, and does not say how many there are. */
export const MAX_COMPARED_FILES = 300;

/** A pull request's own commits and files, whatever happened to its base. */
export interface PullRequestChanges {
  /** The page of its files. */
  readonly url: string;
  /** At most 250, oldest first. */
  readonly commits: readonly Commit[];
  /** At most {@link MAX_PULL_REQUEST_FILES}. */
  readonly files: readonly ChangedFile[];
}

/** GitHub lists at most this many files of a pull request. */
export const MAX_PULL_REQUEST_FILES = 3_000;

/** Every file of a commit. */
export interface Tree {
  /** Mode and object id of each file, by its path. */
  readonly entries: ReadonlyMap<string, string>;
  /** GitHub lists at most 100,000 entries. */
  readonly isTruncated: boolean;
}

export interface Release {
  readonly tag: string;
  readonly isPrerelease: boolean;
}

export interface WorkflowRun {
  readonly id: number;
  readonly workflowId: number;
  readonly runNumber: number;
  /** `completed`, `in_progress`, `queued`, `waiting` and others. */
  readonly status: string;
  readonly headSha: string;
  readonly headBranch: string | undefined;
  /** `owner/name`; another one for a run of a fork. */
  readonly headRepository: string | undefined;
}

/** GitHub's workflow job, in one attempt of its run. */
export interface WorkflowJob {
  /** Also the id of its check run. */
  readonly id: number;
  /** GitHub promises it, and other engines leave it out. */
  readonly runId: number | undefined;
  readonly name: string;
  readonly runAttempt: number;
  readonly status: string;
  readonly runnerName: string | undefined;
}

/** The parts of GitHub's API that are read. Each call rejects with a `GitHubError` when it fails. */
export interface GitHub {
  /** Throws a `GitHubError` when the file that the runner names cannot be read. */
  readonly event: WorkflowEvent;
  compare(base: string, head: string): Promise<Comparison>;
  pullRequest(number: number): Promise<PullRequestChanges>;
  run(id: number): Promise<WorkflowRun>;
  /** Those of any status, newest first. */
  runs(workflowId: number, branch: string): AsyncIterable<WorkflowRun>;
  /** The names of the tags with this beginning. */
  tags(beginning: string): Promise<readonly string[]>;
  /** Without drafts. */
  releases(): Promise<readonly Release[]>;
  /** Whether GitHub shows that commit. */
  hasCommit(sha: string): Promise<boolean>;
  tree(sha: string): Promise<Tree>;
  workflowJob(id: number): Promise<WorkflowJob>;
  /** Those of every attempt. */
  workflowJobs(runId: number): Promise<readonly WorkflowJob[]>;
  annotations(checkRunId: number): Promise<readonly Annotation[]>;
}
