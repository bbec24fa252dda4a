/**
 * GitHub's REST API, as far as the action reads it: what the other rooms know of it. Fields have
 * GitHub's own names. rest.ts implements it.
 */
import type { Effects } from '../effects/effects.ts';
import { GitHubError } from '../model/errors.ts';

export interface GitHubAccess extends Pick<Effects, 'http' | 'clock' | 'runner' | 'signal'> {
  readonly token: string;
  /** On the clock's scale, in ms. No request is started after it. */
  readonly deadline: number;
  /** `timeout`. At most a third of it is lost to failures of GitHub, and at most 5 minutes. */
  readonly timeoutMs: number;
}

/**
 * The parts of GitHub's API that are read. Each call rejects with a `GitHubError` when it fails, and
 * with the signal's reason after a cancel.
 */
export interface GitHub {
  /** Throws a `GitHubError` when the file that the runner names cannot be read. */
  readonly event: WorkflowEvent;
  /** From the last common commit to `head`. https://docs.github.com/rest/commits/commits#compare-two-commits */
  compare(base: string, head: string): Promise<Comparison>;
  /** The last common commit. https://docs.github.com/rest/commits/commits#compare-two-commits */
  mergeBase(base: string, head: string): Promise<string>;
  /**
   * A pull request's own files and commits, whatever happened to its base: at most 3,000 files and
   * 250 commits, oldest first.
   * https://docs.github.com/rest/pulls/pulls#list-pull-requests-files
   * https://docs.github.com/rest/pulls/pulls#list-commits-on-a-pull-request
   */
  pullRequest(number: number): Promise<PullRequestChanges>;
  /** A pull request of any repository (`owner/name`). https://docs.github.com/rest/pulls/pulls#get-a-pull-request */
  pull(repository: string, number: number): Promise<PullRequest>;
  /**
   * The commits of a pull request of any repository, oldest first, at most 250.
   * https://docs.github.com/rest/pulls/pulls#list-commits-on-a-pull-request
   */
  pullCommits(repository: string, number: number): Promise<readonly PullRequestCommit[]>;
  /**
   * What a pull request of any repository changes: its title, and its first files. It takes `limitMs`
   * at most.
   * https://docs.github.com/rest/pulls/pulls#list-pull-requests-files
   */
  pullPages(repository: string, number: number, limitMs: number): Promise<PullPages>;
  /**
   * The pull requests behind commits of this repository, in one request to the GraphQL API for each
   * 100 of them, and in more only where GitHub ends one that takes too long. `undefined` where there is
   * no such API. Rejects with a `GitHubError`: with `SomePullsMissing` when a part was read, and with
   * `forbidden` when the token may not read pull requests.
   * https://docs.github.com/graphql/reference/objects#commit
   */
  pullsBehind(commits: readonly CommitToAsk[]): Promise<readonly PullsOfCommit[] | undefined>;
  /** https://docs.github.com/rest/actions/workflow-runs#get-a-workflow-run */
  run(id: number): Promise<WorkflowRun>;
  /**
   * The runs of a workflow on a branch, of any status, newest first, page by page. The list ends at
   * 1,000 runs, whatever `total` says.
   * https://docs.github.com/rest/actions/workflow-runs#list-workflow-runs-for-a-workflow
   */
  runs(workflowId: number, branch: string): AsyncIterable<WorkflowRunsPage>;
  /** The names of the tags with this beginning. https://docs.github.com/rest/git/refs#list-matching-references */
  tags(beginning: string): Promise<readonly string[]>;
  /** Without drafts. https://docs.github.com/rest/releases/releases#list-releases */
  releases(): Promise<readonly Release[]>;
  /** Those of every attempt. https://docs.github.com/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run */
  workflowJobs(runId: number): Promise<readonly WorkflowJob[]>;
  /** https://docs.github.com/rest/actions/workflow-jobs#get-a-job-for-a-workflow-run */
  workflowJob(id: number): Promise<WorkflowJob>;
  /**
   * The parents of a commit, `undefined` when GitHub does not show it.
   * https://docs.github.com/rest/commits/commits#get-a-commit
   */
  parentsOf(sha: string): Promise<readonly string[] | undefined>;
  /** Every file, link and submodule of a commit. https://docs.github.com/rest/git/trees#get-a-tree */
  tree(sha: string): Promise<Tree>;
  /**
   * The contents of files by their object ids, in one request to the GraphQL API. Those that GitHub
   * does not have are left out. `undefined` where there is no such API, or the token may not use it.
   * https://docs.github.com/graphql/reference/objects#blob
   */
  blobs(ids: readonly string[]): Promise<ReadonlyMap<string, Blob> | undefined>;
  /** https://docs.github.com/rest/checks/runs#list-check-run-annotations */
  annotations(checkRunId: number): Promise<readonly KeptAnnotation[]>;
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

export interface Comparison {
  readonly status: 'ahead' | 'behind' | 'identical' | 'diverged';
  /** The page that shows it to people. */
  readonly url: string;
  /** The last commit that both ends have: where the list of commits and files starts. */
  readonly mergeBase: string;
  readonly totalCommits: number;
  /** Oldest first, at most 1,000. */
  readonly commits: readonly Commit[];
  /** At most 300. */
  readonly files: readonly ChangedFile[];
}

export interface PullRequestChanges extends Pick<Comparison, 'commits' | 'files'> {
  /** The page that shows its files to people. */
  readonly url: string;
}

export interface Commit {
  readonly sha: string;
  /** A merge commit has several, of which the first is the branch that it was made on. */
  readonly parents?: readonly { readonly sha: string }[] | null | undefined;
  readonly commit: {
    /** The whole message: subject and body. */
    readonly message: string;
    /** As git has it. */
    readonly author?: { readonly name: string } | null | undefined;
  };
  /** The account, if GitHub knows it. `type`: `User`, `Bot` and others. */
  readonly author?: Account | null | undefined;
}

interface Account {
  readonly login?: string | undefined;
  readonly type?: string | undefined;
}

export interface ChangedFile {
  readonly filename: string;
  /** The name before a rename, or of the file that was copied. */
  readonly previous_filename?: string | undefined;
  readonly status: string;
  /** The object id of its content at the head, or of the content that was removed. */
  readonly sha?: string | undefined;
  readonly additions: number;
  readonly deletions: number;
  /** Missing for binary files, and for those that GitHub gives without one. */
  readonly patch?: string | undefined;
  /**
   * The counts are not known, and there may be a patch: only the trees name this file, past those
   * that GitHub lists, or GitHub left it at zero because the response was too long.
   */
  readonly isUncounted?: boolean;
}

/** Every file of a commit. There may be 100,000, so no more is kept of each than is needed. */
export interface Tree {
  /** By their paths. */
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** GitHub lists at most 100,000 entries, and then says so. */
  readonly truncated: boolean;
}

export interface TreeEntry {
  readonly mode: string;
  /** `blob`, or `commit` for a submodule. */
  readonly type: string;
  readonly sha: string | undefined;
  /** In bytes, 0 for a submodule. */
  readonly size: number;
}

/** The content of a file. */
export interface Blob {
  /** `undefined` for a binary file, and for one that GitHub would cut. */
  readonly text: string | undefined;
  readonly isBinary: boolean;
}

export interface PullRequest {
  /** `open`, also for a draft, or `closed`. */
  readonly state: string;
  readonly head: { readonly sha: string };
  /** ISO 8601. A merged pull request has both. */
  readonly merged_at?: string | undefined;
  readonly closed_at?: string | undefined;
  readonly title?: string | undefined;
  readonly labels?: readonly { readonly name: string }[] | undefined;
}

export interface PullPages {
  readonly title: string;
  readonly files: readonly Pick<ChangedFile, 'filename' | 'additions' | 'deletions'>[];
  /** There are more files. */
  readonly hasMore: boolean;
}

/** Some pull requests could not be read. `found` has those of the other commits. */
export class SomePullsMissing extends GitHubError {
  readonly found: readonly PullsOfCommit[];

  constructor({ kind, message }: GitHubError, found: readonly PullsOfCommit[]) {
    super(kind, message);
    this.found = found;
  }
}

export interface CommitToAsk {
  readonly sha: string;
  /** The pull request that its subject names. */
  readonly named: number | undefined;
}

/** The pull requests that GitHub lists for a commit, and the one that its subject names. */
export interface PullsOfCommit {
  readonly sha: string;
  readonly listed: readonly SourcePull[];
  readonly named: SourcePull | undefined;
}

/** A pull request of this repository. */
export interface SourcePull {
  readonly number: number;
  readonly title: string;
  /** As its author wrote it, in Markdown. */
  readonly body: string;
  readonly author: string | undefined;
  readonly isByBot: boolean;
  readonly labels: readonly string[];
  readonly isMerged: boolean;
  /** ISO 8601, once it is merged. */
  readonly mergedAt: string;
  /** Unknown for some seconds after the merge. */
  readonly mergeCommit: string | undefined;
}

export interface PullRequestCommit {
  readonly sha: string;
  readonly parents: readonly { readonly sha: string }[];
  readonly commit: { readonly author?: { readonly email?: string | undefined } | null | undefined };
  readonly author?: Account | null | undefined;
}

export interface Release {
  readonly tag_name: string;
  readonly prerelease: boolean;
}

export interface WorkflowRunsPage {
  /** How many runs there are. GitHub lists at most 1,000 of them. */
  readonly total: number;
  readonly runs: readonly WorkflowRun[];
}

export interface WorkflowRun {
  readonly id: number;
  readonly workflow_id: number;
  readonly run_number: number;
  /** `completed`, `in_progress`, `queued`, `waiting` and others. */
  readonly status: string | undefined;
  readonly head_branch: string | undefined;
  readonly head_sha: string | undefined;
  /** `owner/name`: another one for a run of a fork, and null after that was deleted. */
  readonly head_repository?: { readonly full_name: string } | null | undefined;
}

/** GitHub's workflow job, in one attempt of its run. */
export interface WorkflowJob {
  /** Also the id of its check run. */
  readonly id: number;
  /** GitHub promises it, and other engines leave it out. */
  readonly run_id?: number | undefined;
  readonly name: string;
  readonly run_attempt: number;
  readonly status: string;
  /** `success`, `failure`, `cancelled`, `skipped` and others, once it has completed. */
  readonly conclusion?: string | undefined;
  /** ISO 8601, once it has completed. */
  readonly completed_at?: string | undefined;
  readonly runner_name: string | undefined;
}

/** What GitHub keeps of an annotation. A text that is missing is empty. */
export interface KeptAnnotation {
  /** `notice`, `warning` or `failure`. */
  readonly level: string;
  readonly title: string;
  readonly message: string;
}

/** No more commits of a comparison are read, of more than these the newest. */
export const MAX_COMPARED_COMMITS = 1_000;
/** GitHub lists at most this many files of a comparison, and does not say how many there are. */
export const MAX_COMPARED_FILES = 300;
/** GitHub lists at most this many commits of a pull request. */
export const MAX_PULL_REQUEST_COMMITS = 250;
/** GitHub lists at most this many files of a pull request. */
export const MAX_PULL_REQUEST_FILES = 3_000;
