import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  skipPattern,
  skippedBy,
  skippedCommits,
} from '../../../../src/changes/find/skipped-commits.ts';
import { dose } from '../../../support/dose.ts';
import { type GitCommit, GitRepository } from '../../../support/git-repository.ts';
import { anyText } from '../../../support/hostile-texts.ts';
import { commitOf as commit, pullOf as pull } from '../../../support/pulls.ts';
import { noGit } from '../../../support/system.ts';

/** The same rule as a regular expression, which may take very long. */
function expressionFor(pattern: string): RegExp {
  const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`, 'isu');
}

describe('a pattern', () => {
  const judgedBy = (alphabet: readonly string[]) => {
    const some = fc
      .array(fc.constantFrom(...alphabet), { maxLength: 7 })
      .map((all) => all.join(''));
    const patterns = fc.array(fc.oneof(some, fc.constant('*')), { maxLength: 6 });
    fc.assert(
      fc.property(patterns, some, (parts, text) => {
        const pattern = parts.join('');
        expect(skipPattern(pattern).fits(text)).toBe(expressionFor(pattern).test(text));
      }),
      { numRuns: dose(1_000, 20_000) },
    );
  };

  test('fits what the same pattern as a regular expression fits', () => {
    judgedBy(['a', 'b', '*']);
    judgedBy(['a', 'A', '.', '\n']);
    judgedBy(['c', 'ch', 'chore', ':', ' ', '(', ')', '[', ']', '!', '?', '\\', '$', '^', '|']);
  });

  test('takes upper and lower case for alike in any script', () => {
    judgedBy(['α', 'Α', 'Ä', 'ä', 'Я', 'я', '*', ' ']);
  });

  test('fits any text that is put for its stars', () => {
    const parts = fc.array(
      anyText.filter((text) => !text.includes('*')),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(parts, anyText, (fixed, filled) => {
        expect(skipPattern(`x${fixed.join('*')}`).fits(`x${fixed.join(filled)}`)).toBe(true);
      }),
      { numRuns: dose(100, 1_000) },
    );
  });

  // A pattern has at most 200 characters. Each would take minutes if its parts were tried again.
  test.each([
    { pattern: '*a'.repeat(100), fits: true },
    { pattern: `${'*a'.repeat(99)}*b`, fits: false },
    { pattern: `${'a*'.repeat(99)}b`, fits: false },
    { pattern: `*b${'a'.repeat(197)}*`, fits: false },
    { pattern: `*${'a'.repeat(197)}b*`, fits: false },
    { pattern: `*${'a'.repeat(98)}b${'a'.repeat(98)}*`, fits: false },
  ])('takes no long time for a text of a million letters: $pattern', { timeout: 10_000 }, (row) => {
    expect(skipPattern(row.pattern).fits('a'.repeat(1_000_000))).toBe(row.fits);
  });
});

describe('an author', () => {
  const by = (login: string | undefined, message: string, line: string) =>
    skippedBy({ ...commit(message), author: { login } }, undefined, [skipPattern(line)]);

  test.each([
    { login: 'renovate[bot]', line: '@renovate[bot]', fits: true },
    { login: 'Renovate[bot]', line: '@rENOVATE[bot]', fits: true },
    { login: 'dependabot[bot]', line: '@*[bot]', fits: true },
    { login: 'octocat', line: '@*[bot]', fits: false },
    { login: 'dependabot[bot]', line: '@dependabot', fits: true },
    { login: 'dependabot[bot]', line: '@depend', fits: false },
    { login: 'dependabot', line: '@dependabot[bot]', fits: false },
    { login: 'renovate-bot', line: '@renovate', fits: false },
    { login: undefined, line: '@*[bot]', fits: false },
    { login: 'acme/ui: x', line: '@acme/ui: *', fits: false },
    { login: 'a team', line: '@a team', fits: false },
  ])('$login is fitted by $line: $fits', ({ login, line, fits }) => {
    expect(by(login, 'x', line)?.kind).toBe(fits ? 'pattern' : undefined);
  });

  test('is no title, and a title is no author', () => {
    expect(by('octocat', '@renovate[bot]', '@renovate[bot]')).toBeUndefined();
    expect(by('octocat', '@acme/ui: x', '@acme/ui: *')?.kind).toBe('pattern');
    expect(by('octocat', '@ you', '@ *')?.kind).toBe('pattern');
  });
});

describe('a commit', () => {
  const patterns = ['chore*', '*typo*', 'Merge branch *'].map(skipPattern);
  const by = (message: string, title?: string, labels: readonly string[] = []) =>
    skippedBy(commit(message), title === undefined ? undefined : pull({ title, labels }), patterns);
  const chore = { kind: 'pattern', pattern: 'chore*' };

  test.each<[what: string, message: string, title?: string, labels?: readonly string[]]>([
    ['whose subject has the marker', 'Fix it [skip docs]'],
    ['whose subject has the marker in capitals, before line breaks', '\n[SKIP DOCS] Fix it\r\nx'],
    ['whose pull request has the marker', 'Fix it (#1)', 'Fix it [Skip Docs]'],
    ['that breaks something and has the marker', 'feat!: x [skip docs]\n\nBREAKING CHANGE: y'],
  ])('%s is skipped by it', (_, ...given) => {
    expect(by(...given)).toMatchObject({ kind: 'marker' });
  });

  test.each(['skip-docs', 'Skip-Docs'])(
    'is skipped by the label %s, even if it breaks',
    (label) => {
      expect(by('feat!: x', 'feat!: x', ['bug', label])).toEqual({ kind: 'label' });
    },
  );

  test.each<[what: string, message: string, title?: string]>([
    ['whose first line fits', 'chore: x\n\nMore.'],
    ['whose first line fits in other letters', 'CHORE(deps): x'],
    ['whose pull request has a title that fits', 'Bump x (#1)', ' Chore: bump x '],
  ])('%s is skipped by the pattern', (_, ...given) => {
    expect(by(...given)).toEqual(chore);
  });

  test.each<[what: string, message: string, title?: string]>([
    ['whose first line fits only in part', 'Do the chore'],
    ['of which only a later line fits', 'feat: x\nchore: y\n\nA typo. [skip docs]'],
    ['whose pull request fits nothing', 'x', 'y'],
    ['with an empty message', ''],
    ['that breaks something by its mark', 'chore!: remove Node 18'],
    ['that breaks something by its mark behind two words', 'chore/ci and docs!: remove Node 18'],
    ['that breaks something by its mark behind an emoji', 'chore ✨!: remove Node 18'],
    ['that breaks something in its scope', 'chore(node)!: remove Node 18'],
    ['that breaks something by its note', 'chore: x\n\nBREAKING CHANGE: y'],
    ['that breaks something by its note with a hyphen', 'chore: x\r\n\r\n- BREAKING-CHANGE: y'],
    ['that breaks something by a heading', 'chore: x\n\n## **BREAKING CHANGES**'],
    ['that squashes one that breaks something', 'chore: x (#7)\n\n* feat!: drop y\n\n* chore: z'],
    ['that merges one that breaks something', 'chore: merge #8\n\nfeat(build-deps)!: drop y'],
    ['that speaks of a breaking change anywhere', 'chore: warn of a BREAKING CHANGE'],
    ['whose pull request breaks something', 'chore: x', 'chore!: x'],
  ])('%s is not skipped', (_, ...given) => {
    expect(by(...given)).toBeUndefined();
  });

  test('whose pull request describes what breaks is not skipped, unless the note is an empty heading', () => {
    const behind = (body: string) => skippedBy(commit('chore: x'), pull({ body }), patterns);
    expect(behind('Why.\r\n\r\nBREAKING CHANGE: y')).toBeUndefined();
    expect(behind('## BREAKING CHANGE\n\nBREAKING CHANGE:\n\n- [ ] docs')).toEqual(chore);
    // A bot tells what another project has changed.
    expect(behind('- feat!: z\n- BREAKING CHANGE: z')).toEqual(chore);
  });

  test('is skipped like any other where a `!` stands before a colon that ends no type', () => {
    expect(by('chore: say so!: x')).toEqual(chore);
  });

  test('is judged in a time that grows with its message alone', { timeout: 10_000 }, () => {
    for (const unit of ['a', ' ', '\n', '#', '(', '[skip doc', 'a(', 'BREAKING ', '- BREAKING\n']) {
      by(`chore${unit.repeat(200_000)}`, `x${unit.repeat(200_000)}`);
    }
  });
});

describe('a merge', () => {
  const patterns = [skipPattern('chore*')];
  const at = (sha: string, message: string, ...parents: readonly string[]) => ({
    ...{ ...commit(message), sha },
    parents: parents.map((parent) => ({ sha: parent })),
  });
  const skippedOf = (...commits: readonly ReturnType<typeof at>[]) => [
    ...skippedCommits(commits, new Map(), patterns).keys(),
  ];
  const main = at('m', 'feat: x', 'start');
  const tip = at('c2', 'chore: y', 'c1');

  test.each([
    {
      what: 'that has the same mark',
      merged: at('c1', 'chore: x', 'start'),
      left: ['c1', 'c2', 'M'],
    },
    { what: 'that has not', merged: at('c1', 'feat: z', 'start'), left: ['c2'] },
  ])('is skipped with its last commit only after a commit $what', ({ merged, left }) => {
    const merge = at('M', 'Merge pull request #1', 'm', 'c2');
    expect(skippedOf(main, merged, tip, merge)).toEqual(left);
  });

  test('is not skipped if it breaks something itself, or merges what is not in the range', () => {
    const merged = at('c1', 'chore: x', 'start');
    expect(skippedOf(main, merged, at('M', 'feat!: x', 'm', 'c1'))).toEqual(['c1']);
    expect(skippedOf(merged, at('M', 'Merge branch main', 'c1', 'before'))).toEqual(['c1']);
  });

  test.skipIf(noGit)(
    'in a random history is skipped if git lists only skipped commits on the branches that it merged',
    () => {
      const random = fc.array(fc.tuple(fc.nat(4), fc.nat(), fc.nat()), {
        ...{ minLength: 40, maxLength: 40 },
      });
      const [choices = []] = fc.sample(random, { numRuns: 1, seed: 61 });
      const given: GitCommit[] = [{ name: 'start', parents: [] }];
      for (const [kind, one, two] of choices) {
        // Mostly the newest ones, so that branches are long.
        const pick = (n: number) => given[Math.max(0, given.length - 1 - (n % 4))]?.name ?? '';
        const parents = kind === 0 ? [...new Set([pick(one), pick(two)])] : [pick(one)];
        const what = parents.length > 1 ? 'merge' : one % 20 === 0 ? 'feat' : 'chore';
        given.push({ name: `${what}-${given.length}`, parents });
      }
      const tips = given.map(({ name }) => name);
      given.push({ name: 'end', parents: tips.toReversed() });
      using git = new GitRepository(given);
      const commits = git.commits('start', 'end');
      const skipped = skippedCommits(commits, new Map(), patterns);
      const inRange = new Set(commits.map(({ sha }) => sha));
      const merges = commits.filter(({ parents }) => parents.length > 1);
      const merged = merges.map(({ sha, parents }) => {
        const isSkipped = parents.slice(1).every((parent) => {
          const line = git.git('rev-list', '--first-parent', parent.sha, '^start').split('\n');
          return inRange.has(parent.sha) && line.every((one) => one === '' || skipped.has(one));
        });
        return { sha, isSkipped };
      });
      expect(merges.map(({ sha }) => ({ sha, isSkipped: skipped.has(sha) }))).toEqual(merged);
      expect(new Set(merged.map(({ isSkipped }) => isSkipped)).size).toBe(2);
    },
  );
});
