/** What changed, as the files of this folder pass it on, and as people read it. */
import type { ChangedFile } from '../git/diff.ts';
import type { CodePull, Commit } from '../github/commits.ts';
import type { PullRequest } from '../github/pull-requests.ts';

export interface RangeCommit extends Commit {
  /** The pull request that brought it. */
  readonly pull: CodePull | undefined;
  /** The team says that it needs no documentation. */
  readonly isSkipped: boolean;
}

export interface Changes {
  /** `owner/name` */
  readonly repository: string;
  /** The two commits whose trees are compared: tags or ids. `from` is empty for a first release. */
  readonly from: string;
  readonly to: string;
  /** The page that compares them; empty without a start. */
  readonly compareUrl: string;
  /** The pull request that the run is about, as GitHub shows it now. */
  readonly pull: PullRequest | undefined;
  /** Oldest first. Empty if the two commits have no common ancestor. */
  readonly commits: readonly RangeCommit[];
  /** Every changed file, in the order of paths. */
  readonly files: readonly ChangedFile[];
  /** Those that `paths` selects. */
  readonly selected: readonly ChangedFile[];
  /** Numbers of this repository's pull requests whose changes are included. */
  readonly codePullRequests: readonly number[];
  /** What is missing, each a sentence. */
  readonly warnings: readonly string[];
}

/** What people read about the changes of a run, in the log and the summary. */
export type ChangesOverview = ReturnType<typeof overviewOf>;

export const overviewOf = (changes: Changes) => ({
  from: changes.from,
  to: changes.to,
  compareUrl: changes.compareUrl,
  commits: changes.commits.length,
  skippedCommits: changes.commits.filter(({ isSkipped }) => isSkipped).length,
  files: changes.files.length,
  selectedFiles: changes.selected.length,
  codePullRequests: changes.codePullRequests,
  warnings: changes.warnings,
});
