import { stringify } from 'node:querystring';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeHtml, quote } from '../../../src/text/escape.ts';
import { redact, secretOf } from '../../../src/text/secrets.ts';
import { dose } from '../../support/dose.ts';

/** Changes the characters of `characters` alone. */
const change =
  (characters: RegExp, how: (char: string) => string) =>
  (text: string): string =>
    text.replace(characters, how);
const code = (char: string, radix: number) => (char.codePointAt(0) ?? 0).toString(radix);

/** The part of a URL that holds the text, as a browser and Node write it. https://url.spec.whatwg.org */
function inUrl(part: 'search' | 'hash' | 'password', text: string): string {
  const url = new URL('https://example.com');
  url[part] = text;
  return url[part];
}

/** What else writes a key with special characters. */
const WRITERS: readonly (readonly [string, (text: string) => string])[] = [
  ['JSON as Ruby on Rails and Go write it', (text) => unicodeEscapes(/[<>&]/g, text)],
  ['JSON as .NET writes it', (text) => unicodeEscapes(/[<>&'+`]/g, text)],
  ["Node's inspect", (text) => inspect(text)],
  ["bash's printf %q", change(/[^\w.,:/@^-]/g, (char) => `\\${char}`)],
  ['a query', (text) => inUrl('search', text)],
  ['a fragment', (text) => inUrl('hash', text)],
  ['credentials of a URL', (text) => inUrl('password', text)],
  ['a whole URL', encodeURI],
  ["Node's querystring", (text) => stringify({ k: text })],
  ['a URL with every other character escaped', change(/[^\w.-]/g, (char) => `%${code(char, 16)}`)],
  ['HTML as React writes it', change(/[&<>"']/g, (char) => `&#x${code(char, 16)};`)],
  ['HTML as PHP writes it', change(/[&<>"']/g, (char) => `&#0${code(char, 10)};`)],
  ['XML', (text) => escapeHtml(text).replaceAll('&#39;', '&apos;')],
  ['the text of a web page', change(/[&<>]/g, escapeHtml)],
  ['an attribute of a web page', change(/[&"]/g, escapeHtml)],
];

function unicodeEscapes(characters: RegExp, text: string): string {
  return JSON.stringify(text).replace(characters, (char) => `\\u00${code(char, 16)}`);
}

const RUNS = { numRuns: dose(30, 100) };
const lower = (text: string) => text.toLowerCase();

describe('a secret', () => {
  /**
   * Printable ASCII, like keys and tokens, without the characters that surround it in these tests.
   */
  const secret = fc
    .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 8, maxLength: 60 })
    .map((codes) => String.fromCharCode(...codes).replace(/[~7 ]/g, 'k'))
    .filter((text) => new Set(text).size > 4);
  const around = fc.string({ unit: fc.constantFrom(' ', '~', '7', 'é'), maxLength: 10 });

  /** Every run of eight characters. */
  const eights = (text: string) =>
    Array.from({ length: Math.max(0, text.length - 7) }, (_, at) => text.slice(at, at + 8));

  function expectNothingLeft(text: string, given: string, left: readonly string[]): void {
    const redacted = redact(given, [secretOf(text)]);
    expect(left.filter((piece) => redacted.includes(piece))).toEqual([]);
  }

  test('is removed as it is, and nothing around it', () => {
    fc.assert(
      fc.property(around, secret, around, (before, text, after) => {
        const sought = [secretOf(text)];
        expect(redact(`${before}${text}${after}`, sought)).toBe(`${before}***${after}`);
      }),
      RUNS,
    );
  });

  test.each<readonly [form: string, encode: (text: string) => string]>([
    ['JSON', (text) => JSON.stringify(text)],
    ['JSON with escaped slashes', (text) => JSON.stringify(text).replaceAll('/', '\\/')],
    ['a URL', (text) => encodeURIComponent(text)],
    ['a URL with small letters', (text) => encodeURIComponent(text).replace(/%../g, lower)],
    ['a form', (text) => new URLSearchParams({ k: text }).toString()],
    ["this action's HTML", escapeHtml],
    ...WRITERS,
  ])('is removed from %s', (_form, encode) => {
    fc.assert(
      fc.property(around, secret, around, (before, text, after) => {
        const given = `${before}${encode(text)}${after}`;
        expectNothingLeft(text, given, [...eights(text), ...eights(encode(text).slice(1, -1))]);
      }),
      { numRuns: dose(8, 40) },
    );
  });

  // https://www.rfc-editor.org/rfc/rfc4648#section-4
  test('is removed from base64 with each character that holds one of its bits, and no other', () => {
    const beside = fc.string({ unit: fc.constantFrom('7', '~', 'k'), maxLength: 5 });
    fc.assert(
      fc.property(beside, secret, beside, (before, text, after) => {
        const encoded = btoa(`${before}${text}${after}`);
        const start = Math.floor((before.length * 8) / 6);
        const end = Math.ceil(((before.length + text.length) * 8) / 6);
        const rest = encoded.slice(end).replace(/^=+/, '');
        expect(redact(encoded, [secretOf(text)])).toBe(`${encoded.slice(0, start)}***${rest}`);
      }),
      RUNS,
    );
  });

  test.each(['mint_0123456789', 'mint_0123456789a', 'mint_0123456789ab'])(
    'is removed from its base64, and nothing beside that: %s',
    (text) => {
      const around = ['x %s y', 'id-%s x', '/abc/%s"', '\\n%s\\n', 'a%20%s, b'];
      const given = around.map((line) => line.replace('%s', btoa(text)));
      const expected = around.map((line) => line.replace('%s', '***'));
      expect(given.map((line) => redact(line, [secretOf(text)]))).toEqual(expected);
    },
  );

  test('whose characters stand apart is not taken for one that is escaped', () => {
    const apart = [...'mint_secret'].join('/');
    expect(redact(apart, [secretOf('mint_secret')])).toBe(apart);
  });

  test.each<readonly [alphabet: string, encode: (bytes: Buffer) => string]>([
    ['the standard alphabet', (bytes) => bytes.toString('base64')],
    ['the alphabet for URLs', (bytes) => bytes.toString('base64url')],
    ['base64 escaped for a URL', (bytes) => encodeURIComponent(bytes.toString('base64'))],
    ['base64 with escaped slashes', (bytes) => bytes.toString('base64').replaceAll('/', '\\/')],
  ])('is removed from base64 wherever it is in the encoded text: %s', (_alphabet, encode) => {
    fc.assert(
      fc.property(around, secret, around, fc.nat(2), (before, text, after, shift) => {
        const prefix = `${before}${'7'.repeat(shift)}`;
        // The part of the encoded text that is only the secret's: its whole groups of six bits.
        const start = Math.ceil((Buffer.byteLength(prefix) * 8) / 6);
        const end = Math.floor((Buffer.byteLength(prefix + text) * 8) / 6);
        const bytes = Buffer.from(`${prefix}${text}${after}`);
        const core = bytes.toString('base64').slice(start, end);
        const url = bytes.toString('base64url').slice(start, end);
        expectNothingLeft(text, encode(bytes), [...eights(core), ...eights(url)]);
      }),
      { numRuns: dose(8, 40) },
    );
  });

  // Many services show the beginning of a key. That must not block the step.
  test.each([
    { what: 'its beginning', of: (text: string) => text.slice(0, -1) },
    { what: 'its base64 without the end', of: (text: string) => btoa(text).slice(0, -4) },
    { what: 'its base64 in more', of: (text: string) => btoa(`~${text}`).slice(0, -4) },
  ])('is searched for in linear time in a long text of $what', ({ of }) => {
    const text = `mint_${'aB3dE'.repeat(12)}`;
    const piece = of(text);
    const given = `${piece}~`.repeat(dose(2 ** 16, 2 ** 20) / piece.length);
    const at = performance.now();
    redact(given, [secretOf(text)]);
    // This takes milliseconds. With backtracking it took hours.
    expect(performance.now() - at).toBeLessThan(30_000);
  });

  test('is removed from a quote in a message, and from a host', () => {
    const text = 'mint_Ab`Cd`EfGh';
    const shown = `It is ${quote(`x${text}y`)}.`;
    expect(redact(shown, [secretOf(text)])).toBe('It is `x***y`.');
    const { host } = new URL('https://mint_AbCdEfGh.example.com');
    expect(redact(host, [secretOf('mint_AbCdEfGh')])).toBe('***.example.com');
  });

  test('that repeats one letter is removed', () => {
    const text = 'k'.repeat(40);
    const given = `${text}k ${Buffer.from(`7${text}`).toString('base64')}`;
    expectNothingLeft(text, given, [...eights(text), 'tra2tra2']);
  });

  test('of six characters is removed in base64 too, and of five as it is only', () => {
    expect(redact(`abcdef ${btoa('abcdef')}`, [secretOf('abcdef')])).toBe('*** ***');
    const five = btoa('abcde');
    expect(redact(`abcde ${five}`, [secretOf('abcde')])).toBe(`*** ${five}`);
  });

  // https://www.rfc-editor.org/rfc/rfc4648#section-5
  test('is removed from base64 with the letters that are safe in URLs', () => {
    const secret = '>>>???>>>???';
    const encoded = Buffer.from(secret).toString('base64url');
    expect(encoded).toMatch(/-.*_/);
    expect(redact(`x ${encoded} y`, [secretOf(secret)])).toBe('x *** y');
  });

  test('is removed from base64 in which it stands twice, whatever is between', () => {
    const secret = 'mint_Zq7+x/Secret_KEY';
    for (const between of ['', ':', 'xy']) {
      const encoded = btoa(`${secret}${between}${secret}`);
      const redacted = redact(`a ${encoded} b`, [secretOf(secret)]);
      expect(redacted).toMatch(/^a [*\w+/=]* b$/);
      expect(eights(encoded).filter((piece) => redacted.includes(piece))).toEqual([]);
    }
  });

  // A proxy may echo the header of RFC 7617, which joins two secrets.
  test('is removed from base64 beside another one, in any order', () => {
    const secrets = ['uSERNAME', 'pwSECRET', 'uSERNAME:pwSECRET'].map(secretOf);
    const encoded = btoa('uSERNAME:pwSECRET');
    for (const inOrder of [secrets, secrets.toReversed()]) {
      expect(redact(`407 Basic ${encoded}`, inOrder)).toMatch(/^407 Basic \*+$/);
    }
  });

  test('is removed before one that is a part of it', () => {
    const secrets = ['pwSECRET', 'user:pwSECRET'].map(secretOf);
    expect(redact('to user:pwSECRET@proxy', secrets)).toBe('to ***@proxy');
  });
});
