/** What people read about the changes of a run, in the log and the summary. */
import type { Changes } from './changes.ts';

export interface ChangesOverview
  extends Pick<Changes, 'from' | 'to' | 'compareUrl' | 'codePullRequests' | 'warnings'> {
  readonly commits: number;
  readonly skippedCommits: number;
  readonly files: number;
  readonly selectedFiles: number;
}

export const overviewOf = (changes: Changes): ChangesOverview => ({
  from: changes.from,
  to: changes.to,
  compareUrl: changes.compareUrl,
  commits: changes.commits.length,
  // A skipped merge commit says nothing that the commits it brought don't say.
  skippedCommits: changes.commits.filter((one) => one.isSkipped && one.parents.length < 2).length,
  files: changes.files.length,
  selectedFiles: changes.selected.length,
  codePullRequests: changes.codePullRequests,
  warnings: changes.warnings,
});
