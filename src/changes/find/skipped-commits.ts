/** Which commits a team keeps from the agent: they need no documentation. */
import type { Commit, SourcePull } from '../../github/github.ts';
import { subjectOf } from './source-pulls.ts';

/** In the first line of a commit's message, or in the title of its pull request. */
const MARKER = /\[skip docs\]/i;
const LABEL = 'skip-docs';

/** By its mark (https://www.conventionalcommits.org), or by a note in the text. */
const BREAKING_SUBJECT = /^\w+(?:\([^)\n]{0,200}\))?!:/;
const BREAKING_NOTE = /^[\s#>*-]{0,20}BREAKING[ -]CHANGE/m;

/** How a commit was skipped: by the marker, by the label, or by a pattern of `skip`. */
export type SkippedBy =
  | { readonly kind: 'marker' | 'label' }
  | { readonly kind: 'pattern'; readonly pattern: string };

/**
 * Why a commit is skipped, `undefined` if it is not. One that is marked as breaking is left out by
 * the marker and the label alone. Takes time linear in the texts.
 */
export function skippedBy(
  commit: Commit,
  pull: SourcePull | undefined,
  patterns: readonly TextPattern[],
): SkippedBy | undefined {
  const subject = subjectOf(commit);
  const titles = pull === undefined ? [subject] : [subject, pull.title.trim()];
  if (titles.some((title) => MARKER.test(title))) return { kind: 'marker' };
  if (pull?.labels.some((label) => label.toLowerCase() === LABEL)) return { kind: 'label' };
  const isBreaking =
    titles.some((title) => BREAKING_SUBJECT.test(title)) ||
    BREAKING_NOTE.test(commit.commit.message);
  if (isBreaking) return undefined;
  const found = patterns.find(({ matches }) => titles.some(matches));
  return found && { kind: 'pattern', pattern: found.pattern };
}

export interface TextPattern {
  readonly pattern: string;
  matches(text: string): boolean;
}

/**
 * A pattern that fits a whole text: `*` stands for any text, nothing else is special, and upper and
 * lower case are alike. Each part between two stars is looked for once, from where the one before it
 * ends, so the time is linear in the text for a pattern of limited length.
 */
export function textPattern(pattern: string): TextPattern {
  const [first = '', ...rest] = folded(pattern).split('*');
  const last = rest.pop();
  return {
    pattern,
    matches(given) {
      const text = folded(given);
      if (last === undefined) return text === first;
      if (!text.startsWith(first)) return false;
      let at = first.length;
      for (const part of rest) {
        const found = text.indexOf(part, at);
        if (found === -1) return false;
        at = found + part.length;
      }
      return text.length - last.length >= at && text.endsWith(last);
    },
  };
}

/** The same for upper and lower case. A capital sigma at the end of a word has a form of its own. */
const folded = (text: string) => text.toLowerCase().replaceAll('ς', 'σ');
