/**
 * Interfaces for everything that the action does outside its own memory. The real implementations
 * are in this folder and are created only in index.ts. Tests pass their own.
 */

export interface Effects {
  readonly http: Http;
  readonly clock: Clock;
  readonly runner: Runner;
  readonly files: Files;
  /** Loads the client of GitHub's API. It is called only when that is needed. */
  readonly openGitHub: (access: GitHubAccess) => Promise<GitHub>;
  /** Aborted, with a `CancelledError` as its reason, when the runner cancels the step. */
  readonly signal: AbortSignal;
}

/** The code of a `not-sent` delivery whose proxy is of a kind that is not supported. */
export const PROXY_NOT_SUPPORTED = 'ERR_PROXY_NOT_SUPPORTED';

// --- HTTP -----------------------------------------------------------------------------------------

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds from start until the request begins to be sent. */
  readonly connectTimeoutMs: number;
  /** Milliseconds from start to last byte. */
  readonly timeoutMs: number;
  /** The largest body that is read, as sent and as decoded. */
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
  /** Milliseconds to wait for the answer after a cancel, if the request was already sent. */
  readonly graceMs: number;
}

/** What is known after a request: its answer, that it was never sent, or that no answer came. */
export type Delivery =
  | Answer
  /** Not one byte of the request was sent. */
  | { readonly kind: 'not-sent'; readonly error: string; readonly code: string }
  /** It was sent, wholly or in part, and no status line came back. */
  | { readonly kind: 'lost'; readonly error: string };

export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The whole body; or why it could not be read whole, and the text that was received. */
  readonly body: { readonly text: string } | { readonly error: string; readonly received: string };
}

export interface Http {
  /** Sends one request once. Follows no redirect, never retries and never rejects. */
  send(request: HttpRequest): Promise<Delivery>;
  /** Closes every connection, including those that are still being made. */
  close(): void;
}

// --- Clock ----------------------------------------------------------------------------------------

export interface Clock {
  /** Milliseconds on a clock that never jumps. */
  now(): number;
  /** Milliseconds since 1970, for comparing with dates from outside. */
  date(): number;
  /** From 0 to below 1. */
  random(): number;
  /** Resolves after `ms` milliseconds, or as soon as `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

// --- The runner -----------------------------------------------------------------------------------

export type AnnotationLevel = 'notice' | 'warning' | 'error';

export interface Runner {
  /** Masks a secret in everything that is logged from now on. */
  mask(secret: string): void;
  /**
   * The text without the masked secrets, in each form in which they are commonly echoed. Text from
   * outside is redacted before anything cuts it, so that no half of a secret is left.
   */
  redact(text: string): string;
  info(line: string): void;
  /** Written only when step debugging is on. */
  debug(line: string): void;
  annotate(level: AnnotationLevel, title: string, message: string): void;
  /** Throws when outputs cannot be written, so that this is known before an agent job exists. */
  checkOutputs(): void;
  setOutput(name: string, value: string): void;
  writeSummary(markdown: string): Promise<void>;
}

// --- Files ----------------------------------------------------------------------------------------

export interface Files {
  /**
   * The bytes of a regular file, at most `maxBytes + 1` of them. A relative path starts at the
   * workspace, and must lie inside it once links are followed. Rejects with an error that says why
   * the file cannot be used; anything but a regular file is not even opened.
   */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
}

// --- The repository -------------------------------------------------------------------------------

export interface GitHubAccess {
  readonly token: string;
  /** Logs long waits, and removes secrets from GitHub's error texts. */
  readonly runner: Pick<Runner, 'info' | 'redact'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** On {@link Clock.now}'s scale: no request is started after it. */
  readonly deadline: number;
}

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
}

export interface Comparison {
  readonly status: 'ahead' | 'behind' | 'identical' | 'diverged';
  readonly url: string;
  /** How many commits there are; `commits` holds at most 250 of them, oldest first. */
  readonly totalCommits: number;
  readonly commits: readonly { readonly sha: string; readonly subject: string }[];
  /** At most {@link MAX_COMPARED_FILES}. */
  readonly files: readonly ChangedFile[];
}

/** GitHub lists at most this many files of a comparison, and does not say how many there are. */
export const MAX_COMPARED_FILES = 300;

/** A pull request's own commits and files, whatever happened to its base. */
export interface PullRequestChanges {
  /** The page of its files. */
  readonly url: string;
  /** At most 250, oldest first. */
  readonly commits: readonly { readonly sha: string; readonly subject: string }[];
  /** At most {@link MAX_PULL_REQUEST_FILES}. */
  readonly files: readonly ChangedFile[];
}

/** GitHub lists at most this many files of a pull request. */
export const MAX_PULL_REQUEST_FILES = 3_000;

export interface Release {
  readonly tag: string;
  readonly isPrerelease: boolean;
}

export interface WorkflowRun {
  readonly id: number;
  readonly workflowId: number;
  readonly runNumber: number;
  readonly headSha: string;
  readonly headBranch: string | undefined;
  /** `owner/name`; another one for a run of a fork. */
  readonly headRepository: string | undefined;
}

/** GitHub's workflow job, in one attempt of its run. */
export interface WorkflowJob {
  /** Also the id of its check run. */
  readonly id: number;
  readonly name: string;
  readonly runAttempt: number;
  readonly status: string;
  readonly runnerName: string | undefined;
}

/** A notice, warning or error that a workflow job wrote. */
export interface CheckAnnotation {
  readonly level: string;
  readonly title: string;
  readonly message: string;
}

/**
 * The parts of GitHub's API that are read. Each call rejects with a `GitHubError` when GitHub
 * fails.
 */
export interface GitHub {
  /** Throws a `GitHubError` when the file that the runner names cannot be read. */
  readonly event: WorkflowEvent;
  /** `GET /repos/{owner}/{repo}/compare/{base}...{head}` */
  compare(base: string, head: string): Promise<Comparison>;
  /** `GET /repos/{owner}/{repo}/pulls/{pull_number}/files` and `…/commits` */
  pullRequest(number: number): Promise<PullRequestChanges>;
  /** `GET /repos/{owner}/{repo}/actions/runs/{run_id}` */
  run(id: number): Promise<WorkflowRun>;
  /** `GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs?status=success&branch=…`, newest first. */
  successfulRuns(workflowId: number, branch: string): AsyncIterable<WorkflowRun>;
  /** `GET /repos/{owner}/{repo}/git/matching-refs/tags/{beginning}`: the names of those tags. */
  tags(beginning: string): Promise<readonly string[]>;
  /** `GET /repos/{owner}/{repo}/releases`, without drafts. */
  releases(): Promise<readonly Release[]>;
  /** `GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs?filter=all`: those of every attempt. */
  workflowJobs(runId: number): Promise<readonly WorkflowJob[]>;
  /** `GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations` */
  annotations(checkRunId: number): Promise<readonly CheckAnnotation[]>;
}
