import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as text from '../../src/text.ts';
import { anyText } from '../support/hostile-texts.ts';
import { commandIn, linesOf } from '../support/runner-rules.ts';

describe('logLine', () => {
  test('makes one line of any text, which is never a command', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const line = text.logLine(value);
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
  ])('%j becomes %j', (value, expected) => {
    expect(text.logLine(value)).toBe(expected);
  });
});

test.each([
  ['a\nb\r\nc\td', 'a\\nb\\r\\nc\\td'],
  ['\u202eevil', '\\u{202e}evil'],
  ['\u{e0041}', '\\u{e0041}'],
  ['\ud800', '\\u{d800}'],
  ['👩\u200d💻 für', '👩\u200d💻 für'],
])('visible: %j becomes %j', (value, expected) => {
  expect(text.visible(value)).toBe(expected);
});

test('visibleLines keeps lines and tabs', () => {
  expect(text.visibleLines('a\r\n\tb\rc\u0007\n')).toBe('a\n\tb\nc\\u{7}\n');
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['a😀b', 3, 'a…'],
])('cut %j to %s is %j', (value, max, expected) => {
  expect(text.cut(value, max)).toBe(expected);
});

test('quote cannot be closed and is bounded', () => {
  fc.assert(
    fc.property(anyText, (value) => {
      const quoted = text.quote(value);
      expect(quoted.slice(1, -1)).not.toContain('`');
      expect(quoted.length).toBeLessThanOrEqual(502);
      expect(text.messageToHtml(quoted)).toMatch(/^<code>[^<>]*<\/code>$/);
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
  ['//x/y', undefined],
  ['', undefined],
])('safeLink %j is %j', (value, expected) => {
  expect(text.safeLink(value)).toBe(expected);
});

test('redact finds a secret as it is, in JSON, in a URL and in base64', () => {
  const secret = 'mint_"a/b\\c+d=';
  const forms = [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ];
  const redacted = text.redact(forms.join(' '), [secret, '']);
  expect(redacted).toMatch(/^\*\*\* "\*\*\*" \*\*\* \*\*\*=*$/);
});

test.each([
  [0, '0 reads'],
  [1, '1 read'],
  [2, '2 reads'],
])('count %s', (n, expected) => {
  expect(text.count(n, 'read')).toBe(expected);
});
