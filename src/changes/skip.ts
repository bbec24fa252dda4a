/** Finds the commits that need no documentation. */
import type { CodePull, Commit } from '../github/commits.ts';
import { linesOf } from '../text/escape.ts';
import type { RangeCommit } from './changes.ts';
import { literal } from './paths.ts';

/** In the first line of a commit or the title of its pull request. */
const MARKER = /\[skip docs\]/i;
const LABEL = 'skip-docs';
/** What Mintlify's agent commits and opens. Without this, the action would feed itself. */
const AGENT = 'mintlify[bot]';
/** Git's name for the author of the agent's commits, for which GitHub may know no account. */
const AGENT_NAMES = [AGENT, 'Mintlify Agent'];

/**
 * Matches a commit's message or the title of its pull request: `!` before the first colon of a
 * line, as in the list of titles that a squash merge writes, or the words of a footer. A false
 * match only means that a commit isn't skipped.
 * https://www.conventionalcommits.org/en/v1.0.0/#specification
 */
const BREAKING = /^[^:\n]{1,250}!:|BREAKING[ -]CHANGE/m;

/**
 * Adds to each commit its pull request and whether it needs no documentation. `lines` are those of
 * the input `skip`. A merge commit needs none if nothing that it merged does. `commits` are parents
 * first.
 */
export function withSkips(
  commits: readonly Commit[],
  pullOf: (sha: string) => CodePull | undefined,
  lines: readonly string[],
): readonly RangeCommit[] {
  const rules = lines.map(ruleOf);
  const range = new Map<string, RangeCommit>();
  for (const commit of commits) {
    const pull = pullOf(commit.sha);
    const isBreaking = BREAKING.test(commit.message) || BREAKING.test(pull?.title ?? '');
    const texts = textsOf(commit, pull);
    const isSkipped =
      isAlwaysSkipped(texts) ||
      (!isBreaking &&
        (mergesOnlySkipped(commit, range) ||
          rules.some(({ about, pattern }) => texts[about].some((text) => pattern.test(text)))));
    range.set(commit.sha, { ...commit, pull, isSkipped });
  }
  return [...range.values()];
}

/** Whether all that a merge commit merged is skipped, or was there before the range. */
function mergesOnlySkipped(
  { parents: [first, ...merged] }: Commit,
  range: ReadonlyMap<string, RangeCommit>,
): boolean {
  if (merged.length === 0) return false;
  const before = new Set(ancestors([first ?? ''], range));
  return ancestors(merged, range).every((commit) => commit.isSkipped || before.has(commit));
}

/** The commits of the range that the given ones contain, with themselves. */
function ancestors(
  shas: readonly string[],
  range: ReadonlyMap<string, RangeCommit>,
): readonly RangeCommit[] {
  const found = new Set<RangeCommit>();
  const rest = [...shas];
  for (let sha = rest.pop(); sha !== undefined; sha = rest.pop()) {
    const commit = range.get(sha);
    if (commit === undefined || found.has(commit)) continue;
    found.add(commit);
    rest.push(...commit.parents);
  }
  return [...found];
}

/** What a line of `skip` can be about, of a commit and its pull request. */
type Texts = Readonly<Record<'title' | 'author' | 'label', readonly string[]>>;

const textsOf = ({ message, author, authorName }: Commit, pull: CodePull | undefined): Texts => ({
  title: [linesOf(message.trim())[0]?.trim() ?? '', pull?.title.trim() ?? ''],
  author: [AGENT_NAMES.includes(authorName) ? AGENT : author, pull?.author].flatMap(loginsOf),
  label: pull?.labels ?? [],
});

/** A login with and without the `[bot]` that GitHub appends for apps. */
const loginsOf = (login: string | undefined): readonly string[] =>
  login === undefined ? [] : [login, login.replace(/\[bot\]$/, '')];

const isAlwaysSkipped = ({ title, author, label }: Texts) =>
  author.includes(AGENT) ||
  title.some((text) => MARKER.test(text)) ||
  label.some((text) => text.toLowerCase() === LABEL);

/** `@` and a pattern without `/` or space names an author. `@acme/ui: *` is for a title. */
function ruleOf(line: string): { readonly about: keyof Texts; readonly pattern: RegExp } {
  const [, author] = /^@([^/\s]+)$/.exec(line) ?? [];
  if (author !== undefined) return { about: 'author', pattern: patternOf(author) };
  const [, label] = /^label:\s*(\S.*)$/.exec(line) ?? [];
  if (label !== undefined) return { about: 'label', pattern: patternOf(label) };
  return { about: 'title', pattern: patternOf(line) };
}

/** Matches a whole text, ignoring case. `*` stands for any text, and nothing else is special. */
const patternOf = (line: string) =>
  new RegExp(`^${line.split('*').map(literal).join('.*')}$`, 'isu');
