/** Finds the commits that need no documentation. */
import type { Commit } from '../github/github.ts';
import type { CodePull } from '../github/pull-requests.ts';
import { firstLineOf } from './lines.ts';
import { ANY_TEXT, isExactly, matches, type Part } from './paths.ts';

export interface RangeCommit extends Commit {
  readonly pull: CodePull | undefined;
  readonly isSkipped: boolean;
}

/** Mintlify's agent. Without it in these lines, the action would feed itself. */
const AGENT = 'mintlify[bot]';
/** The author of its commits, for which GitHub may know no account. */
const AGENT_NAMES = [AGENT, 'Mintlify Agent'];
const ALWAYS = ['*[skip docs]*', 'label:skip-docs', `@${AGENT}`];

/**
 * In any line, because a squash merge lists titles. A false match only means that a commit isn't
 * skipped. `BREAKING CHANGES` at the end of a line is the heading of release notes that it quotes.
 * https://www.conventionalcommits.org/en/v1.0.0/#specification
 */
const BREAKING = /^[^:\n]{1,250}!:|BREAKING[ -]CHANGE(?!S\s*$)/m;

/**
 * Adds whether a commit needs no documentation, by the `lines` of the input `skip`. A merge commit
 * needs none if nothing that it merged does. Expects parents first.
 */
export function withSkips(
  commits: readonly Commit[],
  pullOf: (sha: string) => CodePull | undefined,
  lines: readonly string[],
): readonly RangeCommit[] {
  const [always, rules] = [ALWAYS.map(ruleOf), lines.map(ruleOf)];
  const range = new Map<string, RangeCommit>();
  for (const commit of commits) {
    const pull = pullOf(commit.sha);
    const isBreaking = BREAKING.test(commit.message) || BREAKING.test(pull?.title ?? '');
    const texts = textsOf(commit, pull);
    const fits = ({ about, parts }: Rule) =>
      texts[about].some((text) => matches(parts, text.toUpperCase()));
    const isSkipped =
      always.some(fits) || (!isBreaking && (mergesOnlySkipped(commit, range) || rules.some(fits)));
    range.set(commit.sha, { ...commit, pull, isSkipped });
  }
  return [...range.values()];
}

function mergesOnlySkipped(
  { parents: [first = '', ...merged] }: Commit,
  range: ReadonlyMap<string, RangeCommit>,
): boolean {
  if (merged.length === 0) return false;
  const before = withAncestors([first], range);
  const after = [...withAncestors(merged, range)];
  return after.every((sha) => before.has(sha) || range.get(sha)?.isSkipped !== false);
}

function withAncestors(
  shas: readonly string[],
  range: ReadonlyMap<string, RangeCommit>,
): ReadonlySet<string> {
  const found = new Set(shas);
  for (const sha of found) for (const parent of range.get(sha)?.parents ?? []) found.add(parent);
  return found;
}

type Texts = Readonly<Record<'title' | 'author' | 'label', readonly string[]>>;

const textsOf = ({ message, author, authorName }: Commit, pull: CodePull | undefined): Texts => ({
  title: [firstLineOf(message), pull?.title.trim() ?? ''],
  author: [AGENT_NAMES.includes(authorName) ? AGENT : author, pull?.author].flatMap(loginsOf),
  label: pull?.labels ?? [],
});

/** A login with and without the `[bot]` that GitHub appends for apps. */
const loginsOf = (login: string | undefined): readonly string[] =>
  login === undefined ? [] : [login, login.replace(/\[bot\]$/, '')];

interface Rule {
  readonly about: keyof Texts;
  readonly parts: readonly Part[];
}

/** `@` and a pattern without `/` or space names an author. `@acme/ui: *` is for a title. */
function ruleOf(line: string): Rule {
  const [, author] = /^@([^/\s]+)$/.exec(line) ?? [];
  if (author !== undefined) return { about: 'author', parts: partsOf(author) };
  const [, label] = /^label:\s*(\S.*)$/.exec(line) ?? [];
  if (label !== undefined) return { about: 'label', parts: partsOf(label) };
  return { about: 'title', parts: partsOf(line) };
}

/** `*` stands for any text, and nothing else is special. Ignores case. */
const partsOf = (pattern: string): readonly Part[] =>
  Array.from(pattern.toUpperCase(), (character) =>
    character === '*' ? ANY_TEXT : { last: isExactly(character), isOptional: false },
  );
