import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as untrusted from '../../src/text.ts';
import { anyText } from '../support/hostile-texts.ts';
import { commandIn, linesOf } from '../support/runner-rules.ts';

describe('logLine', () => {
  test('makes one line of any text, which is never a command', () => {
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
  ])('%j becomes %j', (value, expected) => {
    expect(untrusted.logLine(value)).toBe(expected);
  });
});

test.each([
  ['a\nb\r\nc\td', 'a\\nb\\r\\nc\\td'],
  ['\u202eevil', '\\u{202e}evil'],
  ['\u{e0041}', '\\u{e0041}'],
  ['\ud800', '\\u{d800}'],
  ['👩\u200d💻 für', '👩\u200d💻 für'],
])('visible: %j becomes %j', (value, expected) => {
  expect(untrusted.visible(value)).toBe(expected);
});

test('visibleLines keeps lines and tabs', () => {
  expect(untrusted.visibleLines('a\r\n\tb\rc\u0007\n')).toBe('a\n\tb\nc\\u{7}\n');
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

test('quote cannot be closed and is bounded', () => {
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

describe('a secret', () => {
  /** Printable ASCII, as keys and tokens are, but for the characters that stand around it here. */
  const secret = fc
    .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 8, maxLength: 60 })
    .map((codes) => String.fromCharCode(...codes).replace(/[~7 ]/g, 'k'))
    .filter((text) => new Set(text).size > 4);
  const around = fc.string({ unit: fc.constantFrom(' ', '~', '7', 'é'), maxLength: 10 });

  /** Every run of eight characters. */
  const eights = (text: string) =>
    Array.from({ length: Math.max(0, text.length - 7) }, (_, at) => text.slice(at, at + 8));

  function expectNothingLeft(text: string, given: string, left: readonly string[]): void {
    const redacted = untrusted.redact(given, [untrusted.secretPattern(text)]);
    expect(left.filter((piece) => redacted.includes(piece))).toEqual([]);
  }

  test('is taken out as it is, and nothing around it', () => {
    fc.assert(
      fc.property(around, secret, around, (before, text, after) => {
        const pattern = untrusted.secretPattern(text);
        expect(untrusted.redact(`${before}${text}${after}`, [pattern])).toBe(
          `${before}***${after}`,
        );
      }),
    );
  });

  const NAMED: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  };
  const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
  const inEach = (text: string, spell: (character: string) => string) =>
    [...text].map(spell).join('');

  test.each<{ form: string; encode: (text: string) => string }>([
    { form: 'JSON', encode: (text) => JSON.stringify(text) },
    { form: 'JSON with escaped slashes', encode: (text) => text.replaceAll('/', '\\/') },
    { form: 'JSON escapes', encode: (text) => inEach(text, (c) => `\\u00${hex(c)}`) },
    {
      form: 'JSON escapes in capitals',
      encode: (text) => inEach(text, (c) => `\\u00${hex(c).toUpperCase()}`),
    },
    { form: 'a URL', encode: (text) => encodeURIComponent(text) },
    { form: 'a form', encode: (text) => new URLSearchParams({ k: text }).toString() },
    {
      form: 'URL escapes in small letters',
      encode: (text) => inEach(text, (c) => `%${hex(c)}`),
    },
    { form: 'HTML', encode: (text) => inEach(text, (c) => NAMED[c] ?? c) },
    { form: "this action's HTML", encode: untrusted.escapeHtml },
    { form: 'decimal HTML escapes', encode: (t) => inEach(t, (c) => `&#${c.charCodeAt(0)};`) },
    { form: 'hexadecimal HTML escapes', encode: (t) => inEach(t, (c) => `&#x${hex(c)};`) },
  ])('is taken out of $form', ({ encode }) => {
    fc.assert(
      fc.property(around, secret, around, (before, text, after) => {
        const given = `${before}${encode(text)}${after}`;
        expectNothingLeft(text, given, [...eights(text), ...eights(encode(text).slice(1, -1))]);
      }),
      { numRuns: 20 },
    );
  });

  test.each<{ alphabet: string; encode: (bytes: Buffer) => string }>([
    { alphabet: 'the standard alphabet', encode: (bytes) => bytes.toString('base64') },
    { alphabet: 'the alphabet for URLs', encode: (bytes) => bytes.toString('base64url') },
    {
      alphabet: 'the standard alphabet, escaped for a URL',
      encode: (bytes) => encodeURIComponent(bytes.toString('base64')),
    },
    {
      alphabet: 'the standard alphabet, with escaped slashes',
      encode: (bytes) => bytes.toString('base64').replaceAll('/', '\\/'),
    },
  ])('is taken out of base64 in $alphabet, wherever it stands in what was encoded', (row) => {
    fc.assert(
      fc.property(around, secret, around, fc.nat(2), (before, text, after, shift) => {
        const prefix = `${before}${'7'.repeat(shift)}`;
        // What of the encoded text is the secret's alone: its whole groups of six bits.
        const start = Math.ceil((Buffer.byteLength(prefix) * 8) / 6);
        const end = Math.floor((Buffer.byteLength(prefix + text) * 8) / 6);
        const bytes = Buffer.from(`${prefix}${text}${after}`);
        const core = bytes.toString('base64').slice(start, end);
        const url = bytes.toString('base64url').slice(start, end);
        expectNothingLeft(text, row.encode(bytes), [...eights(core), ...eights(url)]);
      }),
      { numRuns: 20 },
    );
  });

  test.each(['mint_0123456789', 'mint_0123456789a', 'mint_0123456789ab'])(
    'is taken out of its base64 with the padding, as in %s',
    (text) => {
      const pattern = untrusted.secretPattern(text);
      expect(untrusted.redact(`x ${btoa(text)} y`, [pattern])).toBe('x *** y');
    },
  );

  // A service that shows the beginning of a key, as many do, must not hold the step.
  test.each([
    { what: 'its beginning', of: (text: string) => text.slice(0, -1) },
    { what: 'its base64 but for the end', of: (text: string) => btoa(text).slice(0, -4) },
    {
      what: 'its base64 within something longer',
      of: (text: string) => btoa(`~${text}`).slice(0, -4),
    },
  ])('is looked for in linear time in a megabyte of $what', ({ of }) => {
    const text = `mint_${'aB3dE'.repeat(12)}`;
    const piece = of(text);
    const given = `${piece}~`.repeat(2 ** 20 / piece.length);
    const pattern = untrusted.secretPattern(text);
    const at = performance.now();
    untrusted.redact(given, [pattern]);
    // Milliseconds, where it was hours.
    expect(performance.now() - at).toBeLessThan(30_000);
  });

  test('of one letter over and over is taken out', () => {
    const text = 'k'.repeat(40);
    const given = `${text}k ${Buffer.from(`7${text}`).toString('base64')}`;
    expectNothingLeft(text, given, [...eights(text), 'tra2tra2']);
  });

  test('too short for its base64 to be told from a word is taken out as it is only', () => {
    const pattern = untrusted.secretPattern('abc');
    expect(untrusted.redact('abc YWJj', [pattern])).toBe('*** YWJj');
  });
});

test.each([
  { n: 0, expected: '0 reads' },
  { n: 1, expected: '1 read' },
  { n: 2, expected: '2 reads' },
])('$n is counted as $expected', ({ n, expected }) => {
  expect(untrusted.count(n, 'read')).toBe(expected);
});
