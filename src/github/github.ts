/**
 * The part of GitHub's API that the action reads, as the other rooms see it. rest.ts implements it.
 */
import type { Effects } from '../effects/effects.ts';
import type { DocsPullSummary } from '../model/docs-pull.ts';
import type { GitHubError } from './errors.ts';
import type { Payload } from './payload.ts';
import type {
  Blob,
  ChangedFile,
  CodePull,
  Commit,
  CommitEnd,
  ComparisonStatus,
  KeptAnnotation,
  PullRequest,
  Release,
  Tree,
  WorkflowJob,
  WorkflowRun,
  WorkflowRunsPage,
} from './shapes.ts';

export { isOfFork, type Payload } from './payload.ts';
export type {
  Blob,
  ChangedFile,
  ChangedLines,
  CodePull,
  Commit,
  KeptAnnotation,
  PullRequest,
  Tree,
  WorkflowJob,
  WorkflowRun,
  WorkflowRunsPage,
} from './shapes.ts';
export { NO_LINES, uncountedLines } from './shapes.ts';

export interface GitHubAccess extends Pick<Effects, 'http' | 'clock' | 'runner' | 'signal'> {
  readonly token: string;
  /** On the clock's scale, in ms. No request starts after it. */
  readonly deadline: number;
  /** The step's `timeout`. GitHub's failures may take up to a third of it, and up to 5 minutes. */
  readonly timeoutMs: number;
}

/**
 * Reads from GitHub's API. Each call rejects with a `GitHubError` when it fails, and with the
 * signal's reason after a cancel.
 */
export interface GitHub {
  /** Throws a `GitHubError` when the event's file can't be read. */
  readonly event: WorkflowEvent;
  /**
   * The changes from the last common commit to `head`.
   * https://docs.github.com/rest/commits/commits#compare-two-commits
   */
  compare(base: string, head: string): Promise<Comparison>;
  /** The last common commit. https://docs.github.com/rest/commits/commits#compare-two-commits */
  mergeBase(base: string, head: string): Promise<string>;
  /**
   * A pull request's own files and commits as they are now, no matter what happened to its base: at
   * most 3,000 files and 250 commits, oldest first.
   * https://docs.github.com/rest/pulls/pulls#list-pull-requests-files
   * https://docs.github.com/rest/pulls/pulls#list-commits-on-a-pull-request
   */
  pullRequest(number: number): Promise<PullRequestChanges>;
  /** The web page that shows the files of a pull request. */
  filesPage(number: number): string;
  /**
   * A pull request of any repository (`owner/name`).
   * https://docs.github.com/rest/pulls/pulls#get-a-pull-request
   */
  pull(repository: string, number: number): Promise<PullRequest>;
  /**
   * How `head` relates to `base` in any repository: whether it contains everything in `base`. Takes
   * at most `limitMs`, if given.
   * https://docs.github.com/rest/commits/commits#compare-two-commits
   */
  compareStatus(
    repository: string,
    base: string,
    head: string,
    limitMs?: number,
  ): Promise<ComparisonStatus | undefined>;
  /**
   * A pull request of any repository, with its first files if they can be read. Takes at most
   * `limitMs`.
   * https://docs.github.com/rest/pulls/pulls#list-pull-requests-files
   */
  docsPull(repository: string, number: number, limitMs: number): Promise<DocsPullSummary>;
  /**
   * The pull requests behind commits of this repository, in one GraphQL request per 50 commits.
   * `undefined` without such an API. Rejects only with the signal's reason.
   * https://docs.github.com/graphql/reference/objects#commit
   */
  pullsBehind(commits: readonly CommitToAsk[]): Promise<PullsBehind | undefined>;
  /** https://docs.github.com/rest/actions/workflow-runs#get-a-workflow-run */
  run(id: number): Promise<WorkflowRun>;
  /**
   * The runs of a workflow on a branch, of any status, page by page. The list ends at 1,000 runs,
   * no matter what `total` says, and can be outdated and out of order. Without a branch, yields the
   * runs on all branches, newest first.
   * https://docs.github.com/rest/actions/workflow-runs#list-workflow-runs-for-a-workflow
   */
  runs(workflowId: number, branch: string | undefined): AsyncIterable<WorkflowRunsPage>;
  /**
   * The names of the tags that start with `beginning`.
   * https://docs.github.com/rest/git/refs#list-matching-references
   */
  tags(beginning: string): Promise<readonly string[]>;
  /** The releases, without drafts. https://docs.github.com/rest/releases/releases#list-releases */
  releases(): Promise<readonly Release[]>;
  /**
   * The workflow jobs of every attempt of a run.
   * https://docs.github.com/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run
   */
  workflowJobs(runId: number): Promise<readonly WorkflowJob[]>;
  /** https://docs.github.com/rest/actions/workflow-jobs#get-a-job-for-a-workflow-run */
  workflowJob(id: number): Promise<WorkflowJob>;
  /**
   * The commit that `ref` names: an object ID, `tags/<name>`, `heads/<name>`, or anything else that
   * GitHub resolves. `undefined` when GitHub doesn't show it.
   * https://docs.github.com/rest/commits/commits#get-a-commit
   */
  commit(ref: string): Promise<CommitEnd | undefined>;
  /**
   * The commit of an annotated tag, by the tag's own object ID. `undefined` if there is no such
   * tag, or it isn't for a commit. https://docs.github.com/rest/git/tags#get-a-tag
   */
  commitOfTag(sha: string): Promise<string | undefined>;
  /**
   * Every file, link and submodule of a commit. https://docs.github.com/rest/git/trees#get-a-tree
   */
  tree(sha: string): Promise<Tree>;
  /**
   * The files named as `<commit>:<path>`, in one GraphQL request. A file that GitHub doesn't have
   * is `undefined`. The whole result is `undefined` without such an API, or if the token may not
   * use it.
   * https://docs.github.com/graphql/reference/objects#blob
   */
  blobs(names: readonly string[]): Promise<readonly (Blob | undefined)[] | undefined>;
  /** https://docs.github.com/rest/checks/runs#list-check-run-annotations */
  annotations(checkRunId: number): Promise<readonly KeptAnnotation[]>;
}

/** The event that started the workflow, as the runner passes it. */
export interface WorkflowEvent {
  readonly name: string;
  /** The fields of the webhook's payload that the action reads. They are untrusted. */
  readonly payload: Payload;
  readonly sha: string;
  readonly ref: string;
  /** `owner/name` */
  readonly repository: string;
}

export interface Comparison {
  readonly status: ComparisonStatus;
  /** The web page that shows the comparison. */
  readonly url: string;
  /** The last commit that both ends contain, where the lists of commits and files start. */
  readonly mergeBase: string;
  /** The object ID of the root folder of `mergeBase`, if GitHub provides it. */
  readonly baseTree?: string | undefined;
  readonly totalCommits: number;
  /** Oldest first, at most 1,000. */
  readonly commits: readonly Commit[];
  /** At most 300. */
  readonly files: readonly ChangedFile[];
}

export type PullRequestChanges = Pick<Comparison, 'commits' | 'files'>;

export interface CommitToAsk {
  readonly sha: string;
  /** The pull request that the commit's subject names. */
  readonly named: number | undefined;
}

/** The pull requests that GitHub lists for a commit, and the one that its subject names. */
export interface PullsOfCommit {
  readonly sha: string;
  readonly listed: readonly CodePull[];
  readonly named: CodePull | undefined;
}

/** What was read until the first failure, if any. */
export interface PullsBehind {
  readonly found: readonly PullsOfCommit[];
  /** `forbidden` when the token may not read pull requests. */
  readonly error: GitHubError | undefined;
}

/** The most commits of a comparison to read. Of more, only the newest are read. */
export const MAX_COMPARED_COMMITS = 1_000;
/** GitHub lists at most this many files of a comparison, and doesn't say how many there are. */
export const MAX_COMPARED_FILES = 300;
/** GitHub lists at most this many files of a pull request. */
export const MAX_PULL_REQUEST_FILES = 3_000;
