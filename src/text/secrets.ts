import { escapeHtml } from './escape.ts';

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
  const json = JSON.stringify(text).slice(1, -1);
  const form = new URLSearchParams({ k: text }).toString().slice('k='.length);
  const forms = [text, json, json.replaceAll('/', '\\/'), encodeURIComponent(text), form];
  forms.push(escapeHtml(text), text.replaceAll('`', "'"));
  const expression = [...base64Forms(text), ...new Set(forms.map(literal))].join('|');
  return { length: text.length, pattern: new RegExp(expression, 'gi') };
}

/** `RegExp.escape` is newer than Node 22. */
const literal = (text: string) => text.replace(/[^A-Za-z0-9]/g, '\\$&');

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
