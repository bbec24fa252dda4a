/** The changes as people are told of them; made in changes/, shown by report/. */
export type ChangesOverview =
  | { readonly kind: 'unknown'; readonly reason: string }
  | KnownChangesOverview;

export interface KnownChangesOverview {
  readonly kind: 'known';
  readonly commits: number;
  readonly files: number;
  /** Those that `paths` selects. */
  readonly selectedFiles: number;
  readonly base: string;
  readonly head: string;
  /** The page that shows them on GitHub. */
  readonly url: string;
  /** What the list or the prompt lacks, a sentence each. */
  readonly leftOut: readonly string[];
}
