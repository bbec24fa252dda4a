/** The text with each secret replaced by `***`. A longer one comes first: it may hold another. */
export function redact(text: string, secrets: readonly Secret[]): string {
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((redacted, { pattern }) => redacted.replace(pattern, '***'), text);
}

/** No key or token is longer. Of a longer secret only the beginning is looked for. */
const MAX_LENGTH = 1_000;

/** A secret as it is found in text. */
export interface Secret {
  readonly length: number;
  readonly pattern: RegExp;
}

/**
 * A secret in the forms that encoders give it: as it is, in JSON, in a URL or a form, in HTML, in a quote of
 * our messages, and in base64, alone or inside something longer such as `Bearer <secret>`; in capital or
 * small letters, as hosts and header fields change them.
 */
export function secretOf(secret: string): Secret {
  const text = secret.slice(0, MAX_LENGTH).toWellFormed();
  const forms = [inHtml, inUrl, behindBackslashes, asItIs].map((encode) =>
    text.replace(SPECIAL, (char) => (char === '.' ? '\\.' : encode(char))),
  );
  const expression = [...base64Forms(text), ...new Set(forms)].join('|');
  return { length: text.length, pattern: new RegExp(expression, 'gi') };
}

/** Encoders may change these, but for the dot. Most secrets have none, so that all their forms are one. */
const SPECIAL = /[^\w-]/gu;

/** The character, also in a quote of our messages. `RegExp.escape` is newer than Node 22. */
const asItIs = (char: string) => (char === '`' ? "[`']" : `\\${char}`);

/** Encoders differ in what they change, and in how: by name, or by number, in PHP with a zero before it. */
function inHtml(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const names = [...(HTML_NAMES[char] ?? []), `#0?${code}`, `#x${code.toString(16)}`];
  return `(?:&(?:${names.join('|')});|${asItIs(char)})`;
}

const HTML_NAMES: Readonly<Record<string, readonly string[]>> = {
  '&': ['amp'],
  '<': ['lt'],
  '>': ['gt'],
  '"': ['quot'],
  "'": ['apos'],
};

/** Encoders differ in what they change. */
function inUrl(char: string): string {
  const escaped = Buffer.from(char).toString('hex').replace(/../g, '%$&');
  return `(?:${escaped}|${char === ' ' ? '\\+|' : ''}${asItIs(char)})`;
}

/** JSON, and whatever else puts a backslash before what is special to it: shells, Node's `inspect`. */
function behindBackslashes(char: string): string {
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at));
  const escaped = units.map((unit) => `\\\\u${unit.toString(16).padStart(4, '0')}`).join('');
  return `(?:${escaped}|\\\\${char === '\\' ? '' : '?'}${asItIs(char)})`;
}

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
