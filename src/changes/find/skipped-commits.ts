/** Which commits a team keeps from the agent: they need no documentation. */
import type { Commit, SourcePull } from '../../github/github.ts';
import { reachableFrom } from '../../model/commits.ts';
import { subjectOf } from './source-pulls.ts';

/** In the first line of a commit's message, or in the title of its pull request. */
const MARKER = /\[skip docs\]/i;
const LABEL = 'skip-docs';

/**
 * By the mark in a title (https://www.conventionalcommits.org), also in the list of titles that a squash
 * merge writes, or by a note in the text.
 */
const BREAKING_TITLE = /^[ \t*-]{0,10}[\w-]{1,50}(?:\([^)\n]{0,200}\))?!:/m;
const BREAKING_NOTE =
  /^[^A-Za-z0-9\n]{0,20}(?:\d{1,3}[.)] {0,4})?[^A-Za-z0-9\n]{0,20}BREAKING[ -]CHANGE/m;
/** A description may hold an empty heading of its template, so it has to say what breaks. */
const BREAKING_FOOTER = /^BREAKING[ -]CHANGE: {0,4}\S/m;

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
  if (isMarkedBreaking(commit, pull)) return undefined;
  const found = patterns.find(({ matches }) => titles.some(matches));
  return found && { kind: 'pattern', pattern: found.pattern };
}

/** Whether a commit, or the pull request behind it, says that it breaks something. */
function isMarkedBreaking({ commit }: Commit, pull: SourcePull | undefined): boolean {
  const isTitled = [commit.message, pull?.title ?? ''].some((text) => BREAKING_TITLE.test(text));
  return isTitled || BREAKING_NOTE.test(commit.message) || BREAKING_FOOTER.test(pull?.body ?? '');
}

/** The `skipped` commits, and the merges that brought nothing else. */
export function withTheirMerges(
  commits: readonly Commit[],
  pulls: ReadonlyMap<string, SourcePull>,
  skipped: ReadonlyMap<string, SkippedBy>,
): ReadonlyMap<string, SkippedBy> {
  const all = new Map(skipped);
  for (const commit of commits) {
    const [first, ...merged] = (commit.parents ?? []).map(({ sha }) => sha);
    if (first === undefined || merged.length === 0 || all.has(commit.sha)) continue;
    const before = reachableFrom([first], commits);
    const brought = [...reachableFrom(merged, commits)].filter((sha) => !before.has(sha));
    const by = all.get(brought[0] ?? '');
    const areAllSkipped = brought.every((sha) => all.has(sha));
    if (by === undefined || !areAllSkipped) continue;
    if (!isMarkedBreaking(commit, pulls.get(commit.sha))) all.set(commit.sha, by);
  }
  return all;
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
