/** The error of a step that cannot find its changes: what sends them, and what leaves them behind. */
import { type GitHubError, tokenAdvice } from '../../github/errors.ts';
import type { WorkflowEvent } from '../../github/github.ts';
import { CHANGES_NOT_FOUND, RunError } from '../../model/run-error.ts';
import { isNamedStart } from '../../model/start.ts';
import { quote } from '../../text/escape.ts';
import { capitalize, newRun, newRunSince } from '../../text/words.ts';
import { isTag, rangeOf } from './event.ts';

/** A search for changes that failed. */
export interface FailedSearch {
  readonly since: string;
  /** `undefined` when it could not be read. */
  readonly event: WorkflowEvent | undefined;
}

/** The error to report when GitHub fails. `permissions` are all that the search needs. */
export function changesErrorOf(
  cause: GitHubError,
  search: FailedSearch,
  permissions: readonly string[],
  isNextRunLooking: boolean,
): RunError {
  const advice = tokenAdvice(cause, permissions);
  const next = whatNext(cause, search, advice, isNextRunLooking);
  const message = `${cause.message}, so no prompt was sent. ${next}.`;
  return new RunError(CHANGES_NOT_FOUND, message, { cause });
}

/** Two sentences at most, without the last full stop. */
function whatNext(
  { kind }: GitHubError,
  search: FailedSearch,
  advice: string | undefined,
  isNextRunLooking: boolean,
): string {
  const behind = behindOf(search);
  const isNextRunSending = isNextRunLooking && behind.kind !== 'nothing';
  if (advice !== undefined) {
    // A re-run uses the workflow file of its commit.
    const again = behind.kind === 'label' ? ', then push to the pull request' : undefined;
    const sends = isNextRunSending ? '; the next run then sends these changes' : again;
    return sends === undefined
      ? `${advice}, then ${withStart(behind)}`
      : `${advice}${sends}${andElse(behind)}`;
  }
  // The response is as large each time.
  if (kind === 'too-large') return capitalize(withStart(behind));
  const again = 'Press "Re-run failed jobs"';
  // No later run has these changes, and with a start of its own a run needs no list of tags.
  if (behind.kind === 'nothing') return `${again}, or ${withStart(behind)}`;
  const next = isNextRunSending ? ', or wait for the next run, which sends these changes' : '';
  return `${again}${next}${andElse(behind)}`;
}

/** How a person sends changes from another start, and leaves the others behind. As `whatNext`. */
export const startAnew = (search: FailedSearch): string => capitalize(withStart(behindOf(search)));

/**
 * What leaves the changes of a run behind for good.
 * - `commit`: records say where changes start, and a new run that names this commit says so anew.
 * - `nothing`: every event has its own start, or the pull request was merged.
 * - `label`: on a pull request, the label `skip-docs`.
 * - `since`: a person named the start.
 * - `unknown`: the event could not be read.
 */
type Behind =
  | { readonly kind: 'commit'; readonly head: string }
  | { readonly kind: 'nothing' | 'label' | 'since' | 'unknown' };

function behindOf({ since, event }: FailedSearch): Behind {
  if (isNamedStart(since)) return { kind: 'since' };
  if (event === undefined) return { kind: 'unknown' };
  const range = rangeOf(event);
  if (range.kind === 'pull-request') {
    // Nobody can push to one that was merged, and it has no later run.
    return { kind: event.payload.pull_request?.merged ? 'nothing' : 'label' };
  }
  // A tag, and the branch of a merge group, has no later runs that build on this one.
  const hasHistory = !isTag(event.ref) && event.payload.merge_group === undefined;
  const isOwn = range.kind !== 'none' && (since === 'auto' || !hasHistory);
  return isOwn ? { kind: 'nothing' } : { kind: 'commit', head: quote(range.head) };
}

export const FIRST = 'the first change to send';
/** How the changes of a pull request are left behind. It goes on after what sends them. */
export const LABEL_FIRST =
  'To leave its changes behind instead, add the label `skip-docs` to the pull request first';

/** How changes are sent from another start. */
function withStart(behind: Behind): string {
  switch (behind.kind) {
    case 'commit':
      return newRun(`the commit before ${FIRST}, or to ${behind.head} to leave all of them behind`);
    case 'label':
      return 'add the label `skip-docs` to the pull request to leave its changes behind, then press "Re-run failed jobs"';
    case 'nothing':
      return `${newRunSince(FIRST)}${andElse(behind)}`;
    case 'since':
    case 'unknown':
      return newRunSince(FIRST);
  }
}

/** Goes on after what sends the changes. */
function andElse(behind: Behind): string {
  switch (behind.kind) {
    case 'commit':
      return `. To leave them behind instead, ${newRun(behind.head)}`;
    case 'label':
      return `. ${LABEL_FIRST}`;
    case 'since':
      return '. To leave some of them behind instead, start a new run with a later `since`';
    case 'nothing':
      return '. Later events start at their own changes and do not need these';
    case 'unknown':
      return `. If that fails again, ${newRunSince(FIRST)}`;
  }
}
