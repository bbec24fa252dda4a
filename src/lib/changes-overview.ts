/** The changes in short, for people. `changes/` makes the overview and `report/` shows it. */
export type ChangesOverview =
  /** There was nothing to start from. */
  { readonly kind: 'unknown'; readonly reason: string } | KnownChangesOverview;

export interface KnownChangesOverview {
  readonly kind: 'known';
  readonly commits: number;
  readonly files: number;
  /** Those that `paths` selects. */
  readonly selectedFiles: number;
  /** `paths`, and up to three of the changed files: a skipped step shows both. */
  readonly patterns: readonly string[];
  readonly exampleFiles: readonly string[];
  readonly base: string;
  readonly head: string;
  /** The page that shows them on GitHub. */
  readonly url: string;
  /** What is missing from the list or the prompt, one sentence each. */
  readonly leftOut: readonly string[];
}

/** Why nothing is sent. */
export type SkipReason =
  | 'no-matching-file'
  | 'nothing-changed'
  | 'nothing-to-start-from'
  /** A newer run already has the changes of this re-run. */
  | 'newer-run';

/** The changes that are this step's part, for its record. */
export interface CoveredRange {
  /** A commit, or `undefined` when there was nothing to start from. */
  readonly from: string | undefined;
  /** The head. */
  readonly to: string;
}
