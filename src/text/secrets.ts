/**
 * Replaces each secret in a text with `***`. Longer secrets go first, because they may contain
 * shorter ones.
 */
export function redact(text: string, secrets: readonly Secret[]): string {
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((redacted, { pattern }) => redacted.replace(pattern, '***'), text);
}

/** Longer than any key or token. Of a longer secret, only the beginning is matched. */
const MAX_LENGTH = 1_000;

/** A secret, prepared for matching in a text. */
export interface Secret {
  readonly length: number;
  readonly pattern: RegExp;
}

/**
 * Matches a secret in the forms that encoders give it: as is, in JSON, in a URL or a form, in HTML,
 * in a quote of our messages, and in base64, alone or inside something longer such as `Bearer
 * <secret>`. Ignores case, which hosts and header fields change.
 */
export function secretOf(secret: string): Secret {
  const text = secret.slice(0, MAX_LENGTH).toWellFormed();
  const forms = [inHtml, inUrl, behindBackslashes, asItIs].map((encode) =>
    text.replace(SPECIAL, (char) => (char === '.' ? '\\.' : encode(char))),
  );
  const expression = [...base64Forms(text), ...new Set(forms)].join('|');
  return { length: text.length, pattern: new RegExp(expression, 'gi') };
}

/**
 * The characters that encoders may change. Most secrets have none, so all their forms are the same.
 */
const SPECIAL = /[^\w-]/gu;

/**
 * The character itself, also in a quote of our messages. `RegExp.escape` requires a newer version
 * than Node 22.
 */
const asItIs = (char: string) => (char === '`' ? "[`']" : `\\${char}`);

/**
 * Encoders escape different characters, by name or by number. PHP adds a zero before the number.
 */
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

/** Encoders escape different characters. */
function inUrl(char: string): string {
  const escaped = Buffer.from(char).toString('hex').replace(/../g, '%$&');
  return `(?:${escaped}|${char === ' ' ? '\\+|' : ''}${asItIs(char)})`;
}

/** JSON, and anything else that escapes with a backslash: shells, Node's `inspect`. */
function behindBackslashes(char: string): string {
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at));
  const escaped = units.map((unit) => `\\\\u${unit.toString(16).padStart(4, '0')}`).join('');
  return `(?:${escaped}|\\\\${char === '\\' ? '' : '?'}${asItIs(char)})`;
}

/** Shorter pieces of base64 could be parts of ordinary words. */
const MIN_BASE64_LENGTH = 8;
const BASE64_UNIT = '[\\w+/-]';

/** The two characters in which the alphabets differ, also escaped in a URL or in JSON. */
const inBase64 = (core: string) =>
  core.replaceAll('+', '(?:[+-]|%2b)').replaceAll('/', '(?:\\\\?/|_|%2f)');

/**
 * The base64 of a secret at any byte offset: the part that no surrounding text changes, the
 * adjacent characters that hold some of its bits, and the padding.
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
