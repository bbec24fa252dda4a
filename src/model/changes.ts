/** A summary of the changes for people. `unknown` means that there was nothing to start from. */
export type ChangesOverview =
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      /** No earlier run could have left a start. */
      readonly isFirstRun: boolean;
    }
  | KnownChangesOverview;

export interface KnownChangesOverview {
  readonly kind: 'known';
  readonly commits: number;
  readonly files: number;
  /** The number of files that `paths` selects. */
  readonly selectedFiles: number;
  /** `paths`, and up to three of the changed files. A skipped step shows both. */
  readonly patterns: readonly string[];
  readonly exampleFiles: readonly string[];
  readonly base: string;
  readonly head: string;
  /** The GitHub page that shows the changes. */
  readonly url: string;
  /** What is missing from the list or the prompt, one sentence each. */
  readonly leftOut: readonly string[];
  /** The number of the pull request if these are its own changes. */
  readonly pull?: number | undefined;
  /** The pull request was merged, so it has no later run. */
  readonly isPullMerged?: boolean;
  /** The code pull requests whose changes the prompt includes. */
  readonly codePulls: readonly number[];
  /** Commits that need no documentation. */
  readonly skipped: SkippedOverview;
}

interface SkippedOverview {
  readonly commits: number;
  /** What skipped the commits, one phrase each. */
  readonly by: readonly string[];
  /** What to change so that the commits are sent, one phrase each. */
  readonly undo: readonly string[];
  readonly pulls: readonly number[];
}

/**
 * Why nothing is sent.
 * - `sent-as-it-is`: an agent job has exactly these changes of the pull request.
 * - `all-done`: a person declares with `since` that everything up to this run's commit is done.
 * - `since-is-head`: `since` otherwise names this run's commit, or a later one.
 * - `fork`: this repository is a fork without a key, and its owner only synchronized it.
 */
export type SkipReason =
  | 'no-matching-file'
  | 'nothing-changed'
  | 'no-documentation-needed'
  | 'sent-as-it-is'
  | 'nothing-to-start-from'
  | 'all-done'
  | 'since-is-head'
  | 'fork';
