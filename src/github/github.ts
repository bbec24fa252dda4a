/** GitHub's REST API, as far as the action reads it: its data, with GitHub's own names, and its calls. */
import * as z from 'zod/mini';
import type { Effects } from '../effects/effects.ts';
import type { createGitHub } from './rest.ts';

/** The parts of GitHub's API that are read. Each call rejects with a `GitHubError` when it fails. */
export type GitHub = ReturnType<typeof createGitHub>;

export interface GitHubAccess extends Pick<Effects, 'http' | 'clock' | 'runner' | 'signal'> {
  readonly token: string;
  /** On the clock's scale, in ms. No request is started after it. */
  readonly deadline: number;
  /** `timeout`. At most a third of it is lost to failures of GitHub, and at most 5 minutes. */
  readonly timeoutMs: number;
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

/** A text that GitHub may leave out or give as null. */
const textOr = <F extends string | undefined>(fallback: F) => {
  const filled = z.transform((text: string | null | undefined) => text ?? fallback);
  return z.pipe(z.nullish(z.string()), filled);
};
const nullableText = textOr(undefined);

export const fileSchema = z.object({
  filename: z.string(),
  /** The name before a rename, or of the file that was copied. */
  previous_filename: nullableText,
  status: z.string(),
  additions: z.number(),
  deletions: z.number(),
  /** Missing for binary files, and for those that GitHub considers too large. */
  patch: nullableText,
});

export interface ChangedFile extends z.infer<typeof fileSchema> {
  /** Only the trees name this file, past those that GitHub lists: the counts are not known. */
  readonly isFromTree?: true;
}

/** With the whole message: subject and body. */
export const commitSchema = z.object({
  sha: z.string(),
  commit: z.object({ message: z.string() }),
});
export type Commit = z.infer<typeof commitSchema>;

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
/** GitHub lists at most this many files of a pull request. */
export const MAX_PULL_REQUEST_FILES = 3_000;

/** Every file of a commit. GitHub lists at most 100,000 entries. */
export const treeSchema = z.object({
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string(),
      /** `blob`, `tree` for a folder, or `commit` for a submodule. */
      type: z.string(),
      sha: z.nullish(z.string()),
    }),
  ),
  truncated: z.boolean(),
});
export type Tree = z.infer<typeof treeSchema>;

export const releaseSchema = z.object({
  tag_name: z.string(),
  draft: z.boolean(),
  prerelease: z.boolean(),
});
export type Release = z.infer<typeof releaseSchema>;

export const runSchema = z.object({
  id: z.number(),
  workflow_id: z.number(),
  run_number: z.number(),
  /** `completed`, `in_progress`, `queued`, `waiting` and others. */
  status: nullableText,
  head_branch: nullableText,
  /** `owner/name`: another one for a run of a fork, and null after that was deleted. */
  head_repository: z.nullish(z.object({ full_name: z.string() })),
});
export type WorkflowRun = z.infer<typeof runSchema>;

/** GitHub's workflow job, in one attempt of its run. */
export const workflowJobSchema = z.object({
  /** Also the id of its check run. */
  id: z.number(),
  /** GitHub promises it, and other engines leave it out. */
  run_id: z.optional(z.number()),
  name: z.string(),
  run_attempt: z.number(),
  status: z.string(),
  runner_name: nullableText,
});
export type WorkflowJob = z.infer<typeof workflowJobSchema>;

export const annotationSchema = z.object({ title: textOr(''), message: textOr('') });
