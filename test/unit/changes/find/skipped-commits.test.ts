import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { skippedBy, textPattern } from '../../../../src/changes/find/skipped-commits.ts';
import { dose } from '../../../support/dose.ts';
import { anyText } from '../../../support/hostile-texts.ts';
import { commitOf as commit, pullOf as pull } from '../../../support/pulls.ts';

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
        expect(textPattern(pattern).matches(text)).toBe(expressionFor(pattern).test(text));
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
    judgedBy(['σ', 'ς', 'Σ', 'α', 'Ä', 'ä', 'Я', 'я', '*', ' ']);
  });

  test('fits any text that is put for its stars', () => {
    const parts = fc.array(
      anyText.filter((text) => !text.includes('*')),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(parts, anyText, (fixed, filled) => {
        expect(textPattern(fixed.join('*')).matches(fixed.join(filled))).toBe(true);
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
    expect(textPattern(row.pattern).matches('a'.repeat(1_000_000))).toBe(row.fits);
  });
});

describe('a commit', () => {
  const patterns = ['chore*', '*typo*', 'Merge branch *'].map(textPattern);
  const by = (message: string, title?: string, labels: readonly string[] = []) =>
    skippedBy(commit(message), title === undefined ? undefined : pull({ title, labels }), patterns);
  const chore = { kind: 'pattern', pattern: 'chore*' };

  test.each<[what: string, message: string, title?: string, labels?: readonly string[]]>([
    ['whose subject has the marker', 'Fix it [skip docs]'],
    ['whose subject has the marker in capitals, before line breaks', '\n[SKIP DOCS] Fix it\r\nx'],
    ['whose pull request has the marker', 'Fix it (#1)', 'Fix it [Skip Docs]'],
    ['that breaks something and has the marker', 'feat!: x [skip docs]\n\nBREAKING CHANGE: y'],
  ])('%s is skipped by it', (_, ...given) => {
    expect(by(...given)).toEqual({ kind: 'marker' });
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
    ['that breaks something in its scope', 'chore(node)!: remove Node 18'],
    ['that breaks something by its note', 'chore: x\n\nBREAKING CHANGE: y'],
    ['that breaks something by its note with a hyphen', 'chore: x\r\n\r\n- BREAKING-CHANGE: y'],
    ['that breaks something by a heading', 'chore: x\n\n## **BREAKING CHANGES**'],
    ['whose pull request breaks something', 'chore: x', 'chore!: x'],
  ])('%s is not skipped', (_, ...given) => {
    expect(by(...given)).toBeUndefined();
  });

  test('that only speaks of a breaking change is skipped like any other', () => {
    expect(by('chore: warn of a BREAKING CHANGE')).toEqual(chore);
    expect(by('chore: x\n\nThis is no BREAKING CHANGE.')).toEqual(chore);
    expect(by('chore: say so!: x')).toEqual(chore);
  });

  test('is judged in a time that grows with its message alone', { timeout: 10_000 }, () => {
    for (const unit of ['a', ' ', '\n', '#', '(', '[skip doc', 'a(', 'BREAKING ', '- BREAKING\n']) {
      by(`chore${unit.repeat(1_000_000)}`, `x${unit.repeat(1_000_000)}`);
    }
  });
});
