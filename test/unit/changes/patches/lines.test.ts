import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  beginningOf,
  bytesOf,
  finishLine,
  oneLine,
  takeLines,
} from '../../../../src/changes/patches/lines.ts';
import { dose } from '../../../support/dose.ts';
import { anyText } from '../../../support/hostile-texts.ts';

const asIs = (text: string) => text;

test('lines are taken as long as they fit, with their line breaks', () => {
  expect(takeLines(['ab', 'ü', 'c'], 6)).toEqual(['ab', 'ü']);
  expect(takeLines(['ab', 'ü', 'c'], 8)).toEqual(['ab', 'ü', 'c']);
  expect(takeLines(['ab'], 2)).toEqual([]);
  expect(bytesOf(['ab', 'ü'])).toBe(6);
});

test('the beginning of lines is cut in the line that does not fit, and marked', () => {
  const lines = ['one', 'two words'];
  expect(beginningOf(lines, 14, asIs)).toBe(lines);
  expect(beginningOf(lines, 13, asIs)).toEqual(['one', 'two w…']);
  expect(beginningOf(lines, 12, asIs)).toEqual(['one', 'two…']);
  expect(beginningOf(lines, 8, asIs)).toEqual(['one…']);
  expect(beginningOf(lines, 4, asIs)).toEqual([]);
  expect(beginningOf(['\u{1f98a}\u{1f98a}'], 8, asIs)).toEqual(['\u{1f98a}…']);
});

test('a beginning fits, begins as the whole does, and is as long as it can be', () => {
  const anyLines = fc.array(
    anyText.map((text) => text.replace(/[\r\n]/g, '')),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(anyLines, fc.nat(300), (lines, maxBytes) => {
      const shown = beginningOf(lines, maxBytes, asIs);
      if (shown === lines) return;
      expect(bytesOf(shown)).toBeLessThanOrEqual(maxBytes);
      const whole = lines.map((line) => finishLine(line, asIs)).join('\n');
      expect(whole.startsWith(shown.join('\n').replace(/…$/, ''))).toBe(true);
    }),
    { numRuns: dose(100, 2_000) },
  );
});

test.each([2_001, 12_001, 60_000])('a line of %i characters has 2,000, with a mark', (length) => {
  const shown = [finishLine('x'.repeat(length), asIs), oneLine('x'.repeat(length), 2_000, asIs)];
  expect(shown).toEqual(Array(2).fill(`${'x'.repeat(1_999)}…`));
});

test('no half of a secret is left, wherever a line is cut', () => {
  const secret = 'ghs_SECRETSECRETSECRET';
  const clean = (text: string) => text.replaceAll(secret, '***');
  for (let shift = 0; shift <= secret.length; shift += 1) {
    const before = (limit: number) => 'x'.repeat(limit - shift);
    const shown = [
      oneLine(before(300) + secret, 300, clean),
      finishLine(before(2_000) + secret.repeat(9), clean),
      ...beginningOf([before(100) + secret, 'more'], 100, clean),
    ];
    expect(shown.join('')).not.toMatch(/ghs_|SECRET/);
  }
});

test('what was finished once stays as it is', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = finishLine(text, asIs);
      // What is written out takes more room, and a line has 2,000 characters.
      fc.pre(once.length <= 2_000);
      expect(finishLine(once, asIs)).toBe(once);
    }),
    { numRuns: dose(100, 2_000) },
  );
});
