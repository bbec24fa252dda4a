import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as untrusted from '../../../src/lib/text.ts';
import { anyText } from '../../support/hostile-texts.ts';
import { commandIn, linesOf } from '../../support/runner-rules.ts';

describe('logLine', () => {
  test('turns any text into one line, which is never a command', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const line = untrusted.logLine(value);
        expect(linesOf(`${line}\n`)).toHaveLength(1);
        expect(commandIn(line)).toBeUndefined();
      }),
      { numRuns: 1_000 },
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
    expect(untrusted.logLine(value)).toBe(expected);
  });
});

test.each([
  ['a\nb\r\nc\td', 'a\\nb\\r\\nc\\td'],
  ['\u202eevil', '\\u{202e}evil'],
  ['\u{e0041}', '\\u{e0041}'],
  ['\ud800', '\\u{d800}'],
  ['👩\u200d💻 für', '👩\u200d💻 für'],
])('escapeInvisible turns %j into %j', (value, expected) => {
  expect(untrusted.escapeInvisible(value)).toBe(expected);
});

test('escapeInvisibleInLines keeps lines and tabs', () => {
  expect(untrusted.escapeInvisibleInLines('a\r\n\tb\rc\u0007\n')).toBe('a\n\tb\nc\\u{7}\n');
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['a😀b', 3, 'a…'],
  ['a😀b', 4, 'a😀b'],
  ['a😀bc', 4, 'a😀…'],
])('cut %j to %s is %j', (value, max, expected) => {
  expect(untrusted.cut(value, max)).toBe(expected);
});

test('a quote cannot be closed from inside, and its length is limited', () => {
  fc.assert(
    fc.property(anyText, (value) => {
      const quoted = untrusted.quote(value);
      expect(quoted.slice(1, -1)).not.toContain('`');
      expect(quoted.length).toBeLessThanOrEqual(502);
      expect(untrusted.messageToHtml(quoted)).toMatch(/^<code>[^<>]*<\/code>$/);
    }),
  );
});

test.each([
  ['https://github.com/a/b/pull/1', 'https://github.com/a/b/pull/1'],
  ['http://ghe.local/a', 'http://ghe.local/a'],
  ['https://x/a b"<>', 'https://x/a%20b%22%3C%3E'],
  ['javascript:alert(1)', undefined],
  ['https://u:p@x/', undefined],
  ['https://u@x/', undefined],
  ['https://:p@x/', undefined],
  ['ftp://x/', undefined],
  ['//x/y', undefined],
  ['', undefined],
])('safeLink %j is %j', (value, expected) => {
  expect(untrusted.safeLink(value)).toBe(expected);
});

test.each([
  { n: 0, expected: '0 checks' },
  { n: 1, expected: '1 check' },
  { n: 2, expected: '2 checks' },
])('$n is counted as $expected', ({ n, expected }) => {
  expect(untrusted.pluralize(n, 'check')).toBe(expected);
});

// The first five are read as credentials by https://url.spec.whatwg.org/#concept-url-parser too.
test.each([
  ['https://user:pw@github.com/a', 'https://***@github.com/a'],
  ['https:/user:pw@github.com/a', 'https:/***@github.com/a'],
  ['https:user:pw@github.com/a', 'https:***@github.com/a'],
  ['https:\\\\user:pw@github.com/a', 'https:\\\\***@github.com/a'],
  [' HTTPS://user:p@w@github.com/a', ' HTTPS://***@github.com/a'],
  ['https://us er:pw@github.com/a', 'https://***@github.com/a'],
  ['//user:pw@github.com/a', '//***@github.com/a'],
  ['ssh://git@github.com/a', 'ssh://***@github.com/a'],
  ['https://github.com/@acme/a@b', 'https://github.com/@acme/a@b'],
  ['https://github.com/?x=a@b', 'https://github.com/?x=a@b'],
  ['git@github.com:acme/docs.git', 'git@github.com:acme/docs.git'],
  ['x'.repeat(5_000), 'x'.repeat(4_000)],
])('%j is shown without credentials as %j', (url, shown) => {
  expect(untrusted.withoutCredentials(url)).toBe(shown);
  expect(shown).not.toContain('pw');
});
