/** Finds the commits that need no documentation. */
import type { Commit } from '../github/github.ts';
import type { CodePull } from '../github/pull-requests.ts';
import { firstLineOf } from './lines.ts';
import { ANY_TEXT, isExactly, matches } from './paths.ts';

export interface RangeCommit extends Commit {
  readonly pull: CodePull | undefined;
  readonly isSkipped: boolean;
  /** A merge commit that the prompt need not list, because it lists what was merged. */
  readonly isRedundant: boolean;
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

interface SkipOptions {
  readonly touches: (sha: string) => boolean;
  readonly pullOf: (sha: string) => CodePull | undefined;
  /** The input `skip`. */
  readonly lines: readonly string[];
}

/**
 * The commits that count because they touch a selected file, and whether they need no documentation.
 * A merge commit needs none if none of those that it merged does. Expects parents first.
 */
export function withSkips(
  commits: readonly Commit[],
  { touches, pullOf, lines }: SkipOptions,
): readonly RangeCommit[] {
  const [always, rules] = [ALWAYS.map(ruleOf), lines.map(ruleOf)];
  const range = new Map(commits.map((commit) => [commit.sha, commit]));
  const found = new Map<string, RangeCommit>();
  for (const commit of commits) {
    if (!touches(commit.sha)) continue;
    const pull = pullOf(commit.sha);
    const isBreaking = BREAKING.test(commit.message) || BREAKING.test(pull?.title ?? '');
    const texts = textsOf(commit, pull);
    const isMerge = commit.parents.length > 1;
    const merged = isMerge ? mergedBy(commit, range) : [];
    const counting = merged.flatMap((sha) => found.get(sha) ?? []);
    const areSkipped = counting.every((one) => one.isSkipped);
    // If nothing that it brought counts, it changed a selected file itself. "Update branch" brings
    // nothing of the range.
    const isOfSkipped = isMerge && areSkipped && (counting.length > 0 || merged.length === 0);
    const fit = (fits: Rule) => fits(texts);
    const isSkipped = always.some(fit) || (!isBreaking && (isOfSkipped || rules.some(fit)));
    const isRedundant = isMerge && (isSkipped || !areSkipped);
    found.set(commit.sha, { ...commit, pull, isSkipped, isRedundant });
  }
  return [...found.values()];
}

type Commits = ReadonlyMap<string, Commit>;

/** The commits of the range that a merge commit brought. */
function mergedBy({ parents: [first = '', ...others] }: Commit, range: Commits): readonly string[] {
  const before = withAncestors([first], range);
  return [...withAncestors(others, range)].filter((sha) => range.has(sha) && !before.has(sha));
}

function withAncestors(shas: readonly string[], range: Commits): ReadonlySet<string> {
  const found = new Set(shas);
  for (const sha of found) for (const parent of range.get(sha)?.parents ?? []) found.add(parent);
  return found;
}

type Texts = Readonly<Record<'title' | 'author' | 'label', readonly string[]>>;
type Rule = (texts: Texts) => boolean;

function textsOf({ message, author, authorName }: Commit, pull: CodePull | undefined): Texts {
  const logins = [AGENT_NAMES.includes(authorName) ? AGENT : author, pull?.author];
  return {
    title: [firstLineOf(message), pull?.title.trim() ?? ''],
    // Also without the `[bot]` that GitHub appends for apps.
    author: logins.flatMap((login) => (login ? [login, login.replace(/\[bot\]$/, '')] : [])),
    label: pull?.labels ?? [],
  };
}

/**
 * `@` and a pattern without `/` or space names an author: `@acme/ui: *` is for a title. In a pattern,
 * `*` stands for any text, and nothing else is special. Ignores case.
 */
function ruleOf(line: string): Rule {
  const [, author] = /^@([^/\s]+)$/.exec(line) ?? [];
  const [, label] = /^label:\s*(\S.*)$/.exec(line) ?? [];
  const kind = author !== undefined ? 'author' : label !== undefined ? 'label' : 'title';
  const characters = Array.from((author ?? label ?? line).toUpperCase());
  const parts = characters.map((character) =>
    character === '*' ? ANY_TEXT : { last: isExactly(character), isOptional: false },
  );
  return (texts) => texts[kind].some((text) => matches(parts, text.toUpperCase()));
}
