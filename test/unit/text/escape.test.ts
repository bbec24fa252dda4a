import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cut,
  escapeHtml,
  escapeInvisible,
  escapeInvisibleInLines,
  logLine,
  quote,
  safeLink,
} from '../../../src/text/escape.ts';
import { anyText } from '../../support/hostile-texts.ts';
import { commandIn, linesOf } from '../../support/runner-rules.ts';

test('any text becomes one line of the log that is never a command, and changes no more', () => {
  const check = (text: string) => {
    const line = logLine(text);
    expect(linesOf(`${line}\n`)).toHaveLength(1);
    expect(commandIn(line)).toBeUndefined();
  };
  fc.assert(fc.property(anyText, check), { numRuns: 200 });
  expect(logLine('\u00a0::a #1 ##[b] ::c')).toBe('\u00a0: :a #1 ## [b] ::c');
});

// "❤️" has U+FE0F, the family has U+200D, and the Persian word has U+200C.
test.each([
  ['a\nb\r\nc\td', 'a\\nb\\r\\nc\\td'],
  ['\u202eevil', '\\u{202e}evil'],
  ['\u00ad\u061c\u{e0041}', '\\u{ad}\\u{61c}\\u{e0041}'],
  ['\ud800', '\\u{d800}'],
  ['\u2800', '\\u{2800}'],
  ['a\u200d\u200cb', 'a\\u{200d}\\u{200c}b'],
  ['a\ufe0f\ufe0f', 'a\ufe0f\\u{fe0f}'],
  ['\u200da \u200cb\u200d', '\\u{200d}a \\u{200c}b\\u{200d}'],
  ...['❤️ 👨\u200d👩\u200d👧 🏴', 'می\u200cخواهم', 'नमस्ते', 'a\u0301 b'].map((text) => [text, text]),
])('escapeInvisible turns %j into %j', (text = '', shown) => {
  expect(escapeInvisible(text)).toBe(shown);
});

test('escapeInvisibleInLines keeps lines and tabs', () => {
  expect(escapeInvisibleInLines('a\r\n\tb\rc\u0007\n')).toBe('a\n\tb\nc\\u{7}\n');
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['a😀b', 3, 'a…'],
])('cut %j to %s is %j', (text, max, shown) => {
  expect(cut(text, max)).toBe(shown);
});

test('HTML stays text, also in a quoted attribute', () => {
  expect(escapeHtml(`<b c="d" e='f'>&lt;`)).toBe('&lt;b c=&quot;d&quot; e=&#39;f&#39;&gt;&amp;lt;');
});

test('a quote cannot be closed from inside, and is shown with at most 500 characters', () => {
  const check = (text: string) => {
    expect(quote(text.repeat(50))).toMatch(/^`[^`]{0,500}`$/);
  };
  fc.assert(fc.property(anyText, check), { numRuns: 50 });
});

test.each<readonly [string, string | undefined]>([
  ['https://github.com/a/b/pull/1', 'https://github.com/a/b/pull/1'],
  ['http://x/a b"<>?`', 'http://x/a%20b%22%3C%3E?%60'],
  ['https://u@x/', undefined],
  ['//x/y', undefined],
])('only a link to a website without credentials is safe: %j', (text, link) => {
  expect(safeLink(text)).toBe(link);
});
