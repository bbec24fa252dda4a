/** Finds commits that declare a breaking change. */
import type { CodePull, Commit } from '../../github/github.ts';

/**
 * Matches a commit's message or the title of its pull request: `!` before the first colon of a
 * line, as in the list of titles that a squash merge writes, or the words of a footer. A false
 * match only means that a commit isn't skipped.
 * https://www.conventionalcommits.org/en/v1.0.0/#specification
 */
const MARK = /^[^:\n]{1,250}!:|BREAKING[ -]CHANGE/m;
/**
 * Matches only a footer that says what breaks. A description may contain its template's empty
 * heading, and a bot's description quotes the titles of other projects.
 */
const FOOTER = /^BREAKING[ -]CHANGE: *\S/m;

/** Whether a commit or its pull request is marked as breaking. Takes time linear in the texts. */
export const isBreaking = ({ commit: { message } }: Commit, pull?: CodePull): boolean =>
  MARK.test(message) || MARK.test(pull?.title ?? '') || FOOTER.test(pull?.body ?? '');
