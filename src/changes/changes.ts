/** What changed, as the files of this folder pass it on, and as people read it. */
import type { ChangedFile } from '../git/diff.ts';
import type { Commit } from '../github/commits.ts';
import type { CodePull, PullRequest } from '../github/pull-requests.ts';

export interface RangeCommit extends Commit {
  readonly pull: CodePull | undefined;
  readonly isSkipped: boolean;
}

export interface Changes {
  readonly repository: string;
  /** The two commits whose trees are compared: tags or ids. `from` is empty for a first release. */
  readonly from: string;
  readonly to: string;
  readonly compareUrl: string;
  readonly pull: PullRequest | undefined;
  /** Oldest first. Empty if the two commits have no common ancestor. */
  readonly commits: readonly RangeCommit[];
  /** In the order of paths. `selected` are those that `paths` selects. */
  readonly files: readonly ChangedFile[];
  readonly selected: readonly ChangedFile[];
  readonly codePullRequests: readonly number[];
  readonly warnings: readonly string[];
}

export type ChangesOverview = ReturnType<typeof overviewOf>;

/** What people read about the changes of a run, in the log and the summary. */
export const overviewOf = (changes: Changes) => ({
  from: changes.from,
  to: changes.to,
  compareUrl: changes.compareUrl,
  commits: changes.commits.length,
  skippedCommits: changes.commits.filter(({ isSkipped }) => isSkipped).length,
  files: changes.files.length,
  selectedFiles: changes.selected.length,
});
