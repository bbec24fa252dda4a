import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cut,
  escapeInvisible,
  escapeInvisibleInLines,
  logLine,
  quote,
  shortenQuotes,
} from '../../../src/text/escape.ts';
import { dose } from '../../support/dose.ts';
import { anyText } from '../../support/hostile-texts.ts';
import { commandIn, linesOf } from '../../support/runner-rules.ts';

describe('logLine', () => {
  test('turns any text into one line, which is never a command', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const line = logLine(value);
        expect(linesOf(`${line}\n`)).toHaveLength(1);
        expect(commandIn(line)).toBeUndefined();
      }),
      { numRuns: dose(100, 2_000) },
    );
  });

  test.each([
    ['x ##[set-output name=result]evil', 'x ## [set-output name=result]evil'],
    ['ok\r::stop-commands::t', 'ok\\r::stop-commands::t'],
    ['\t::add-mask::x', '\\t::add-mask::x'],
    ['\u00a0::add-mask::x', '\u00a0: :add-mask::x'],
    ['::error::x', ': :error::x'],
    ['plain', 'plain'],
  ])('turns %j into %j', (value, expected) => {
    expect(logLine(value)).toBe(expected);
  });
});

test.each([
  ['a\nb\r\nc\td', 'a\\nb\\r\\nc\\td'],
  ['\u202eevil', '\\u{202e}evil'],
  ['\u{e0041}', '\\u{e0041}'],
  ['\ud800', '\\u{d800}'],
  ['\u2800', '\\u{2800}'],
  ['👩\u200d💻 für', '👩\u200d💻 für'],
])('escapeInvisible turns %j into %j', (value, expected) => {
  expect(escapeInvisible(value)).toBe(expected);
});

/**
 * `Default_Ignorable_Code_Point` as Unicode 16 lists it, so that the engine is not its own judge.
 * https://www.unicode.org/Public/16.0.0/ucd/DerivedCoreProperties.txt
 */
const DEFAULT_IGNORABLE: readonly (readonly [first: number, last: number])[] = [
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

test('every character that Unicode lists as ignorable is written out, but those of scripts and emoji', () => {
  const kept = DEFAULT_IGNORABLE.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  ).filter((code) => escapeInvisible(`a${String.fromCodePoint(code)}b`).length === 3);
  expect(kept).toEqual([0x200c, 0x200d, 0xfe0f]);
});

test.each([
  ['a\u200d\u200cb', 'a\\u{200d}\\u{200c}b'],
  ['a\ufe0f\ufe0f', 'a\ufe0f\\u{fe0f}'],
  ['\u200da \u200cb\u200d', '\\u{200d}a \\u{200c}b\\u{200d}'],
  ['\ufe0f', '\\u{fe0f}'],
])('a joiner that joins nothing, or is not alone, is written out: %j', (text, shown) => {
  expect(escapeInvisible(text)).toBe(shown);
});

// "❤️" has U+FE0F, the family has U+200D, and the Persian word has U+200C.
test.each(['❤️ 👨\u200d👩\u200d👧 🏴', 'می\u200cخواهم', 'नमस्ते', '한국어', 'a\u0301 b'])(
  'what people write stays as it is: %s',
  (text) => {
    expect(escapeInvisible(text)).toBe(text);
  },
);

test('escapeInvisibleInLines keeps lines and tabs', () => {
  expect(escapeInvisibleInLines('a\r\n\tb\rc\u0007\n')).toBe('a\n\tb\nc\\u{7}\n');
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['a😀b', 3, 'a…'],
  ['a😀b', 4, 'a😀b'],
  ['a😀bc', 4, 'a😀…'],
])('cut %j to %s is %j', (value, max, expected) => {
  expect(cut(value, max)).toBe(expected);
});

test('a quote cannot be closed from inside, and is shown with at most 500 characters', () => {
  fc.assert(
    fc.property(anyText, (value) => {
      const quoted = quote(value.repeat(50));
      expect(quoted.slice(1, -1)).not.toContain('`');
      const shown = shortenQuotes(`before ${quoted} after`);
      expect(shown).toMatch(/^before `[^`]{0,500}` after$/);
      if (quoted.length <= 502) expect(shown).toContain(quoted);
    }),
    { numRuns: dose(30, 500) },
  );
});
