/** Which commits say of themselves that they break something. */
import type { CodePull, Commit } from '../../github/github.ts';

/**
 * In a commit's message or the title of its pull request: `!` before the first colon of a line, as in the
 * list of titles that a squash merge writes, or the words of a footer. In doubt it counts: a commit that
 * breaks nothing is then only not skipped.
 * https://www.conventionalcommits.org/en/v1.0.0/#specification
 */
const MARK = /^[^:\n]{1,250}!:|BREAKING[ -]CHANGE/m;
/**
 * A description may hold an empty heading of its template, and that of a bot quotes the titles of other
 * projects: only a footer that says what breaks counts there.
 */
const FOOTER = /^BREAKING[ -]CHANGE: *\S/m;

/** Whether a commit, or the pull request behind it, is marked as breaking. Linear in the texts. */
export const isBreaking = ({ commit: { message } }: Commit, pull?: CodePull): boolean =>
  MARK.test(message) || MARK.test(pull?.title ?? '') || FOOTER.test(pull?.body ?? '');
