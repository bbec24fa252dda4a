import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  beginningOf,
  bytesOf,
  firstOf,
  indented,
  lineBytes,
  quoted,
  shareOf,
} from '../../../src/changes/lines.ts';
import { anyText } from '../../support/hostile-texts.ts';

test('counts bytes of UTF-8 with the line breaks', () => {
  expect(bytesOf(['ab', 'ü', '😀'])).toBe(3 + 3 + 5);
  expect(firstOf(['ab', 'ü', 'c'], lineBytes, 7)).toEqual(['ab', 'ü']);
});

test.each([
  [14, ['one', 'two words']],
  [13, ['one', 'two w…']],
  [8, ['one…']],
  [4, []],
])('cuts a text to %i bytes and marks the cut', (maxBytes, shown) => {
  expect(beginningOf(['one', 'two words'], maxBytes)).toEqual(shown);
});

test('cuts no character in half', () => {
  expect(beginningOf(['🦊🦊🦊'], 11)).toEqual(['🦊…']);
});

test('indents every line and keeps one blank line of several', () => {
  expect(indented('\n\na\n \t\n\n  b\n\n', '  ')).toEqual(['  a', '', '    b']);
});

test('quotes a text so that it cannot close its quotation marks', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(quoted(text, 5_000)).toMatch(/^"(?:[^"\\\p{Cc}\p{Zl}\p{Zp}]|\\["\\])*"$/u);
    }),
    { numRuns: 50 },
  );
});

test('shares room equally: the greatest limit with which all texts fit', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 8 });
  fc.assert(
    fc.property(sizes, fc.nat(300), (all, room) => {
      const fits = (limit: number) =>
        all.reduce((sum, size) => sum + Math.min(size, limit), 0) <= room;
      const share = shareOf(all, room);
      expect([fits(share), fits(share + 1)]).toEqual([true, share === Number.POSITIVE_INFINITY]);
    }),
  );
});
