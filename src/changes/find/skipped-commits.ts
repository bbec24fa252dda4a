/** Finds the commits that a team keeps from the agent because they need no documentation. */
import type { CodePull, Commit } from '../../github/github.ts';
import { isBreaking } from './breaking.ts';
import { subjectOf } from './code-pulls.ts';
import type { KnownChanges, SkippedBy } from './found.ts';

/** Matches the first line of a commit's message, or the title of its pull request. */
const MARKER = /\[skip docs\]/i;
const LABEL = 'skip-docs';

/**
 * Returns why a commit is skipped, or `undefined`. Only the marker and the label skip a commit that
 * is marked as breaking. Takes time linear in the texts.
 */
export function skippedBy(
  commit: Commit,
  pull: CodePull | undefined,
  patterns: readonly SkipPattern[],
): SkippedBy | undefined {
  const titles = titlesOf(commit, pull);
  if (titles.some((title) => MARKER.test(title))) {
    return { kind: 'marker', isInCommit: MARKER.test(subjectOf(commit)) };
  }
  if (pull?.labels.some(isSkipLabel)) return { kind: 'label' };
  if (isBreaking(commit, pull)) return undefined;
  const logins = loginsOf(commit);
  const found = patterns.find(({ isAuthor, fits }) => (isAuthor ? logins : titles).some(fits));
  return found && { kind: 'pattern', pattern: found.pattern };
}

/** The author's login, with and without the `[bot]` that GitHub appends for apps. */
function loginsOf({ author }: Commit): readonly string[] {
  const login = author?.login;
  return login === undefined ? [] : [login, login.replace(/\[bot\]$/, '')];
}

const isSkipLabel = (label: string) => label.toLowerCase() === LABEL;

/** Why a pull request's title or label skips it whole, no matter what it changes. */
export function leftOutBy({ title, labels }: CodePull): SkippedBy | undefined {
  if (MARKER.test(title)) return { kind: 'marker', isInCommit: false };
  return labels.some(isSkipLabel) ? { kind: 'label' } : undefined;
}

/** The first line of a commit's message, and the title of its pull request. */
function titlesOf(commit: Commit, pull: CodePull | undefined): readonly string[] {
  const subject = subjectOf(commit);
  return pull === undefined ? [subject] : [subject, pull.title.trim()];
}

/** Returns the patterns without `*` that match no title, but start one. */
export function beginningsIn(
  skip: readonly string[],
  { commits, pulls }: Pick<KnownChanges, 'commits' | 'pulls'>,
): readonly string[] {
  const titles = commits
    .flatMap((commit) => titlesOf(commit, pulls.byCommit.get(commit.sha)))
    .map(folded);
  return skip.filter((line) => {
    const { pattern, isAuthor, fits } = skipPattern(line);
    if (isAuthor || pattern.includes('*')) return false;
    return !titles.some(fits) && titles.some((title) => title.startsWith(folded(pattern)));
  });
}

/**
 * Returns the skipped commits, each with the reason. A merge is skipped if the branch it merged is:
 * every commit of the range on that branch's line of first parents. A merge that is itself breaking
 * is not. `commits` are parents first.
 */
export function skippedCommits(
  commits: readonly Commit[],
  pulls: ReadonlyMap<string, CodePull>,
  patterns: readonly SkipPattern[],
): ReadonlyMap<string, SkippedBy> {
  const skipped = new Map<string, SkippedBy>();
  /** The commits whose whole line of first parents is skipped. */
  const lines = new Map<string, SkippedBy>();
  const range = new Set(commits.map(({ sha }) => sha));
  for (const commit of commits) {
    const pull = pulls.get(commit.sha);
    const [first = '', ...merged] = (commit.parents ?? []).map(({ sha }) => sha);
    const areMergedSkipped = merged.every((sha) => lines.has(sha)) && !isBreaking(commit, pull);
    const ofMerged = areMergedSkipped ? lines.get(merged[0] ?? '') : undefined;
    const by = skippedBy(commit, pull, patterns) ?? ofMerged;
    if (by === undefined) continue;
    skipped.set(commit.sha, by);
    if (!range.has(first) || lines.has(first)) lines.set(commit.sha, by);
  }
  return skipped;
}

/**
 * Returns which of a pull request's own commits are skipped, and why. "Update branch" merges the
 * base branch, which adds nothing to the pull request, so such a merge is skipped if every other
 * commit is.
 */
export function skippedInPull(
  commits: readonly Commit[],
  pull: CodePull,
  patterns: readonly SkipPattern[],
): ReadonlyMap<string, SkippedBy> {
  const range = new Set(commits.map(({ sha }) => sha));
  const skipped = new Map(
    skippedCommits(commits, new Map(commits.map(({ sha }) => [sha, pull])), patterns),
  );
  const others = commits.filter(({ sha }) => !skipped.has(sha));
  const [by] = skipped.values();
  const takesInBase = (commit: Commit) => {
    const merged = (commit.parents ?? []).slice(1);
    return merged.length > 0 && !merged.some(({ sha }) => range.has(sha)) && !isBreaking(commit);
  };
  if (by !== undefined && others.every(takesInBase)) {
    for (const { sha } of others) skipped.set(sha, by);
  }
  return skipped;
}

/** A line of `skip`. */
export interface SkipPattern {
  readonly pattern: string;
  /** Matches the author's login instead of titles. */
  readonly isAuthor: boolean;
  fits(text: string): boolean;
}

/** `@` and a pattern without `/` or space names an author. `@acme/ui: *` is for a title. */
export function skipPattern(line: string): SkipPattern {
  const isAuthor = /^@[^/\s]+$/.test(line);
  return { pattern: line, isAuthor, fits: textPattern(isAuthor ? line.slice(1) : line) };
}

/**
 * Matches a whole text against a pattern, ignoring case. `*` stands for any text, and nothing else
 * is special. Looks for each part between stars once, from where the previous one ends, so the time
 * is linear in the text for a pattern of limited length.
 */
function textPattern(pattern: string): SkipPattern['fits'] {
  const [first = '', ...rest] = folded(pattern).split('*');
  const last = rest.pop();
  return (given) => {
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
  };
}

/** Folds upper and lower case. */
const folded = (text: string) => text.toLowerCase();
