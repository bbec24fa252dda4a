/** The changes in short, for people. `changes/` makes the overview and `report/` shows it. */
export type ChangesOverview =
  | { readonly kind: 'unknown'; readonly reason: string }
  | KnownChangesOverview;

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
