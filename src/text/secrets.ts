import { HTML_NAMES } from './html-names.ts';

/** The text with each secret replaced by `***`. A longer one comes first: it may hold another. */
export function redact(text: string, secrets: readonly Secret[]): string {
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((redacted, { pattern }) => redacted.replace(pattern, '***'), text);
}

/** A longer secret is looked for in pieces: the engine cannot compile an expression of any length. */
const MAX_PIECE_LENGTH = 1_000;
/** Longer than any piece in any encoding. */
const MAX_ENCODED_LENGTH = 12_000;

/**
 * The beginning of a long text without its secrets. It is cut to `maxLength` first, because `clean`
 * takes a while for megabytes. What may be left of a secret at the cut is removed with the end.
 */
export function redactedBeginning(
  text: string,
  maxLength: number,
  clean: (beginning: string) => string,
): string {
  const redacted = clean(text.slice(0, maxLength));
  return text.length > maxLength ? redacted.slice(0, -MAX_ENCODED_LENGTH) : redacted;
}

/** A secret, or a piece of one, as it is found in text. */
export interface Secret {
  readonly length: number;
  readonly pattern: RegExp;
}

/**
 * A secret as it is found in each form that encoders give it: as it is, in JSON, in a URL or a form, in
 * HTML, and in base64, alone or inside something longer such as `Bearer <secret>`; in capital or small
 * letters, as hosts and header fields change them. A text that can be read in two ways at one place of
 * the secret cannot at the next, so that searching takes time linear in the text.
 */
export function secretsIn(secret: string): readonly Secret[] {
  const characters = [...secret.toWellFormed()];
  const count = Math.ceil(characters.length / MAX_PIECE_LENGTH);
  // All of about the same length: a short one could be part of an ordinary word.
  const length = Math.ceil(characters.length / count);
  return Array.from({ length: count }, (_, index) => {
    const piece = characters.slice(index * length, (index + 1) * length);
    const forms = [inJson, inHtml, inUrl, inQuote].map((form) => piece.map(form).join(''));
    const expression = [...base64Forms(piece.join('')), ...forms].join('|');
    return { length: piece.length, pattern: new RegExp(expression, 'gi') };
  });
}

/** Each unit of a text as itself in a regular expression. `RegExp.escape` is newer than Node 22. */
const literal = (text: string) =>
  text.replace(/[^A-Za-z0-9]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);

const hex = (value: number, digits = 2) => value.toString(16).padStart(digits, '0');

/** No encoder escapes these. */
const isNeverEscaped = (character: string) => /^[A-Za-z0-9]$/.test(character);

/** One of the forms. One that stood there twice would be tried twice, at each place of the secret. */
const anyOf = (...forms: readonly string[]) => `(?:${[...new Set(forms)].join('|')})`;

/** Encoders differ in what they escape beside `\`: quotes, `/`, or `<`, `>` and `&`, for example. */
function inJson(character: string): string {
  if (isNeverEscaped(character)) return character;
  const units = character.split('').map((unit) => `\\\\u${hex(unit.charCodeAt(0), 4)}`);
  const escapes = [literal(JSON.stringify(character).slice(1, -1)), units.join('')];
  if (/["'/]/.test(character)) escapes.push(literal(character), literal(`\\${character}`));
  return anyOf(...escapes);
}

/**
 * In a form a space is a `+`. The parser of URLs leaves a `%` as it is, and makes `/` of `\`.
 * https://url.spec.whatwg.org/#path-state
 */
function inUrl(character: string): string {
  if (isNeverEscaped(character)) return character;
  const bytes = [...Buffer.from(character)].map((byte) => `%${hex(byte)}`).join('');
  const other: Readonly<Record<string, readonly string[]>> = { ' ': ['\\+'], '\\': ['/'] };
  return anyOf(bytes, literal(character), ...(other[character] ?? []));
}

function inHtml(character: string): string {
  if (isNeverEscaped(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const name = HTML_NAMES[character];
  const escapes = [`&#0*${code};`, `&#x0*${code.toString(16)};`];
  if (name !== undefined) escapes.push(`&${name};`);
  return anyOf(...(character === '&' ? [] : [literal(character)]), ...escapes);
}

/** A quote in one of our messages shows a backtick as an apostrophe. */
const inQuote = (character: string) => (character === '`' ? "[`']" : literal(character));

/** Shorter pieces of base64 could be parts of ordinary words. */
const MIN_BASE64_LENGTH = 8;
const BASE64_UNIT = '[\\w+/-]';

/** The two characters in which the alphabets differ, escaped in a URL or in JSON as well. */
const inBase64 = (core: string) =>
  core.replaceAll('+', '(?:[+-]|%2b)').replaceAll('/', '(?:\\\\?/|_|%2f)');

/**
 * A secret's base64 after any number of bytes: what no text around it changes, the characters beside
 * that which hold bits of it, and the padding.
 */
function base64Forms(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor((bytes.length * 8) / 6);
    if (last - first < MIN_BASE64_LENGTH) return [];
    const before = offset > 0 ? `${BASE64_UNIT}?` : '';
    const after = (bytes.length * 8) % 6 > 0 ? `${BASE64_UNIT}?` : '';
    const core = inBase64(bytes.toString('base64').slice(first, last));
    return `${before}${core}${after}={0,2}`;
  });
}
