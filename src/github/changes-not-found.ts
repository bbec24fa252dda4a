/** The error of a step that can't find its changes, with how to send them or leave them behind. */

import type { LookedAtBy } from '../model/record.ts';
import { CHANGES_NOT_FOUND, RunError } from '../model/run-error.ts';
import { isNamedStart } from '../model/start.ts';
import { quote } from '../text/escape.ts';
import { capitalize, newRun, newRunSince } from '../text/words.ts';
import { type GitHubError, tokenAdvice } from './errors.ts';
import { changesOfEvent, isTag } from './event.ts';
import type { WorkflowEvent } from './github.ts';

/** A search for changes that failed. */
export interface FailedSearch {
  readonly since: string;
  /** `undefined` when the event couldn't be read. */
  readonly event: WorkflowEvent | undefined;
  /** All token permissions that the step needs. */
  readonly permissions: readonly string[];
}

/** Returns the error to report when GitHub fails. */
export function changesErrorOf(
  cause: GitHubError,
  search: FailedSearch,
  lookedAtBy: LookedAtBy,
): RunError {
  const advice = tokenAdvice(cause, search.permissions);
  const next = whatNext(cause, search, advice, lookedAtBy);
  const message = `${cause.message}, so no prompt was sent. ${next}.`;
  return new RunError(CHANGES_NOT_FOUND, message, { cause });
}

/** Returns at most two sentences, without the last period. */
function whatNext(
  { kind }: GitHubError,
  search: FailedSearch,
  advice: string | undefined,
  lookedAtBy: LookedAtBy,
): string {
  const behind = behindOf(search);
  const isNextRunSending = lookedAtBy === 'next' && behind.kind !== 'nothing';
  if (advice !== undefined) {
    // A re-run uses the workflow file of its own commit.
    const again = behind.kind === 'label' ? ', then push to the pull request' : undefined;
    const sends = isNextRunSending ? '; the next run then sends these changes' : again;
    return sends === undefined
      ? `${advice}, then ${withStart(behind)}`
      : `${advice}${sends}${andElse(behind)}`;
  }
  // The response is just as large each time.
  if (kind === 'too-large') return capitalize(withStart(behind));
  const again = 'Press "Re-run failed jobs"';
  // No later run has these changes, and a run with its own start needs no list of tags.
  if (behind.kind === 'nothing') return `${again}, or ${withStart(behind)}`;
  const next = isNextRunSending ? ', or wait for the next run, which sends these changes' : '';
  return `${again}${next}${andElse(behind)}`;
}

/**
 * Says how to send changes from another start and leave the others behind. Returns what `whatNext`
 * returns.
 */
export const startAnew = (search: Omit<FailedSearch, 'permissions'>): string =>
  capitalize(withStart(behindOf(search)));

/**
 * What leaves a run's changes behind for good.
 * - `commit`: records determine where changes start, and a new run that names this commit does so
 *   anew.
 * - `nothing`: every event has its own start, or the pull request was merged.
 * - `label`: on a pull request, the label `skip-docs`.
 * - `since`: a person named the start.
 * - `unknown`: the event couldn't be read.
 */
type Behind =
  | { readonly kind: 'commit'; readonly head: string }
  | { readonly kind: 'nothing' | 'label' | 'since' | 'unknown' };

function behindOf({ since, event }: Omit<FailedSearch, 'permissions'>): Behind {
  if (isNamedStart(since)) return { kind: 'since' };
  if (event === undefined) return { kind: 'unknown' };
  const { kind, head } = changesOfEvent(event);
  if (kind === 'pull-request') {
    // Nobody can push to a merged pull request, and it has no later run.
    return { kind: event.payload.pull_request?.merged ? 'nothing' : 'label' };
  }
  // No later run builds on the run of a tag or a merge group.
  const hasHistory = !isTag(event.ref) && event.payload.merge_group === undefined;
  const isOwn = kind !== 'none' && (since === 'auto' || !hasHistory);
  return isOwn ? { kind: 'nothing' } : { kind: 'commit', head: quote(head) };
}

/** How to leave a pull request's changes behind, to append after how to send them. */
export const LABEL_FIRST =
  'To leave its changes behind instead, add the label `skip-docs` to the pull request first';

/** Says how to send changes from another start. */
function withStart(behind: Behind): string {
  switch (behind.kind) {
    case 'commit':
      return newRun(
        `the commit before the first change to send, or to ${behind.head} to leave all of them behind`,
      );
    case 'label':
      return 'add the label `skip-docs` to the pull request to leave its changes behind, then press "Re-run failed jobs"';
    case 'nothing':
      return `${newRunSince()}${andElse(behind)}`;
    case 'since':
    case 'unknown':
      return newRunSince();
  }
}

/** Continues the sentence about how to send the changes. */
function andElse(behind: Behind): string {
  switch (behind.kind) {
    case 'commit':
      return `. To leave these changes behind instead, ${newRun(behind.head)}`;
    case 'label':
      return `. ${LABEL_FIRST}`;
    case 'since':
      return '. To leave some of these changes behind instead, start a new run with a later `since`';
    case 'nothing':
      return '. Later events start at their own changes and do not need these';
    case 'unknown':
      return `. If that fails again, ${newRunSince()}`;
  }
}
