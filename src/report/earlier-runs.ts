/** What people read about the calls of earlier runs. */
import type { LedgerWarning } from '../ledger/decide.ts';
import type { Call } from '../ledger/state.ts';
import { quote } from '../text/escape.ts';

/** The log line before the first wait. */
export const waitingLine = ({ run, job }: Call): string =>
  job === null
    ? `Waiting: workflow run ${run} is calling Mintlify.`
    : `Waiting: agent job ${quote(job)} of workflow run ${run} is still active.`;

/** The text of a warning, at most three sentences. */
export function ledgerWarning(warning: LedgerWarning): string {
  switch (warning.kind) {
    case 'doubt':
      return `It is unknown whether Mintlify took the prompt of workflow run ${warning.call.run}, so its changes are sent again. Look for a second pull request, and close one of the two.`;
    case 'gone':
      return `Mintlify no longer knows agent job ${quote(warning.call.job ?? '')} of workflow run ${warning.call.run}, so its changes are sent again.`;
    case 'stuck':
      return `Agent job ${quote(warning.call.job ?? '')} of workflow run ${warning.call.run} has been active for over 2 hours, so its changes are sent again.`;
    case 'docs-pull-unreadable':
      return `The token cannot read ${quote(warning.link)}, so the prompt goes to a new agent job and not to this pull request. Set \`githubToken\` to a token that may read its repository.`;
  }
}
