import { describe, expect, test } from 'vitest';
import { withSkips } from '../../../src/changes/skip.ts';
import type { Commit } from '../../../src/github/github.ts';
import type { CodePull } from '../../../src/github/pull-requests.ts';
import { Origin } from '../../support/origin.ts';
import { behind, commitOf, picker } from './given.ts';

/** Whether `lines` of `skip` leave out a commit, behind which a pull request may stand. */
function isSkipped(commit: Commit, lines: readonly string[], pull?: Partial<CodePull>): boolean {
  const found = pull && { ...behind(1, 'A title'), ...pull };
  const rules = { touches: () => true, pullOf: () => found, lines };
  return withSkips([commit], rules)[0]?.isSkipped === true;
}

test.each<[pattern: string, yes: readonly string[], no: readonly string[]]>([
  ['chore: x', ['chore: x', 'CHORE: X'], ['chore: xy', 'a chore: x', '']],
  ['chore*', ['chore', 'chore(deps): x', 'Chores'], ['a chore']],
  ['a*b*c', ['abc', 'a-b-b-c-c'], ['acb', 'abcd']],
  ['ab*ba', ['abba', 'ab-ba'], ['aba']],
  ['.+[a](?)\\', ['.+[A](?)\\'], ['a']],
  ['Ä*ß', ['ä-ß'], ['a-ß']],
])('the pattern %s is about a whole text, whatever its case', (pattern, yes, no) => {
  const fits = (text: string) => isSkipped(commitOf(text), [pattern]);
  expect(yes.filter((text) => !fits(text))).toEqual([]);
  expect(no.filter(fits)).toEqual([]);
});

test('a pattern takes time linear in a title', () => {
  expect(isSkipped(commitOf('a'.repeat(8_000)), ['*a*a*a*a*b'])).toBe(false);
});

const LINES = ['chore*', '@renovate', 'label: CI *', '@acme/ui: *'];

type Row = [
  what: string,
  isLeftOut: boolean,
  message: string,
  pull?: Partial<CodePull>,
  author?: Partial<Commit>,
];

test.each<Row>([
  // Always.
  ['the marker in the first line', true, '\n[SKIP DOCS] Fix it\r\nx'],
  ['the marker in a pull request title', true, 'Fix it (#1)', { title: 'Fix [Skip Docs]' }],
  ['a breaking change and the label', true, 'feat!: x', { labels: ['skip-docs'] }],
  ['a pull request of the agent', true, 'Docs (#2)', { author: 'mintlify[bot]' }],
  ['the agent as its author', true, 'Docs', {}, { author: 'mintlify[bot]' }],
  ['the agent without an account', true, 'Docs', {}, { authorName: 'Mintlify Agent' }],
  ['the marker in a later line', false, 'Fix it\n\n[skip docs]'],
  ['another label', false, 'Fix it', { labels: ['docs'] }],
  ['the marker in the description', false, 'Fix it', { body: '[skip docs]' }],
  // By the lines.
  ['a first line that fits', true, 'chore: x\n\nMore.'],
  ['a title of its pull request that fits', true, 'Bump x (#1)', { title: ' Chore: bump x ' }],
  ['a label of its pull request that fits', true, 'x', { labels: ['bug', 'ci (Linux)'] }],
  ['an author of its pull request that fits', true, 'x', { author: 'renovate[bot]' }],
  ['a title that begins like an author', true, '@acme/ui: x'],
  ['a later line that fits', false, 'feat: x\nchore: y'],
  // Breaking changes.
  ['a mark behind a scope', false, 'chore(node)!: remove Node 18'],
  ['a footer', false, 'chore: x\r\n\r\n- BREAKING-CHANGE: y'],
  ['a mark in a squashed commit', false, 'chore: x (#7)\n\n* feat!: drop y\n\n* chore: z'],
  ['a mark in the title of its pull request', false, 'chore: x', { title: 'chore!: x' }],
  ['a mark in a description', true, 'chore: x', { body: '- feat!: z' }],
  ["the heading of others' notes", true, 'chore: x\n\n##### ⚠ BREAKING CHANGES\n\n- y'],
])('a commit with %s is left out: %s', (_, isLeftOut, message, pull, author) => {
  expect(isSkipped(commitOf(message, author), LINES, pull)).toBe(isLeftOut);
});

test.each<[login: string, line: string, fits: boolean]>([
  ['Renovate[bot]', '@rENOVATE[bot]', true],
  ['dependabot[bot]', '@*[bot]', true],
  ['octocat', '@*[bot]', false],
  ['dependabot[bot]', '@dependabot', true],
  ['renovate-bot', '@renovate', false],
  ['octocat', 'octocat', false],
])('the author %s is fitted by %s: %s', (author, line, fits) => {
  expect(isSkipped(commitOf('x', { author }), [line])).toBe(fits);
});

describe('a merge commit', () => {
  const at = (sha: string, message: string, ...parents: readonly string[]) =>
    commitOf(message, { sha, parents: [...parents] });
  const rules = { touches: () => true, pullOf: () => undefined, lines: ['chore*'] };

  test('stays if it breaks something itself', () => {
    const commits = [at('c1', 'chore', 'start'), at('M', 'feat!: x', 'm', 'c1')];
    expect(withSkips(commits, rules)).toMatchObject([
      { isSkipped: true, isRedundant: false },
      { isSkipped: false, isRedundant: false },
    ]);
  });

  test('in a random history is left out just if git lists nothing else that it brought and that counts', () => {
    using origin = new Origin();
    const start = origin.commit({ message: 'start' });
    const commits: Commit[] = [];
    const pick = picker(7);
    const recent = () => commits.at(-1 - pick(Math.min(5, commits.length)))?.sha ?? start;
    for (let n = 0; n < 90; n += 1) {
      const parents = [...new Set([recent(), ...(pick(3) === 0 ? [recent()] : [])])];
      const kind = parents.length > 1 ? 'Merge' : pick(6) === 0 ? 'feat' : 'chore';
      const sha = origin.commit({ message: `${kind} ${n}`, parents });
      commits.push(at(sha, `${kind} ${n}`, ...parents));
    }
    const counting = new Set(commits.filter(() => pick(2) === 0).map(({ sha }) => sha));
    const found = withSkips(commits, { ...rules, touches: (sha) => counting.has(sha) });
    expect(new Set(found.map(({ sha }) => sha))).toEqual(counting);
    const skipped = new Set(found.filter((commit) => commit.isSkipped).map(({ sha }) => sha));
    const ends = { skipped: 0, needed: 0, own: 0 };
    for (const { parents, isSkipped, isRedundant } of found) {
      const [first = '', ...merged] = parents;
      if (merged.length === 0) continue;
      const listed = origin.git('rev-list', ...merged, `^${first}`, `^${start}`);
      const brought = listed.split('\n').filter((one) => one !== '');
      const those = brought.filter((one) => counting.has(one));
      const end = those.some((one) => !skipped.has(one))
        ? 'needed'
        : brought.length > 0 && those.length === 0
          ? 'own'
          : 'skipped';
      ends[end] += 1;
      expect([isSkipped, isRedundant]).toEqual([end === 'skipped', end !== 'own']);
    }
    expect(Math.min(...Object.values(ends))).toBeGreaterThan(1);
  });
});
