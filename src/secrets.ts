/** Finds and removes secrets in text, however they are encoded there. */

/**
 * A pattern that finds a secret in text, in each form in which it is commonly echoed: as it is,
 * with any of its characters escaped as in JSON, a URL or HTML, and in base64 (group `base64`),
 * alone or inside something longer such as `Bearer <secret>`.
 */
export function secretPattern(secret: string): RegExp {
  const escaped = [...secret].map(anySpelling).join('');
  const encoded = [0, 1, 2]
    .map((offset) => base64Core(secret, offset))
    .filter((core) => core.length >= MIN_BASE64_LENGTH)
    .map((core) => [...core].map(anySpelling).join(''));
  const base64 = encoded.length === 0 ? '' : `|(?<base64>${encoded.join('|')})`;
  return new RegExp(`${escaped}${base64}`, 'g');
}

/** Shorter pieces of base64 could be parts of ordinary words. */
const MIN_BASE64_LENGTH = 8;

/**
 * Replaces everything that the patterns find in the text by `***`. Each pattern sees the text as it
 * was given, so that what one of them finds does not hide a part of what another one would find.
 */
export function redact(text: string, patterns: readonly RegExp[]): string {
  const found = patterns
    .flatMap((pattern) => Array.from(text.matchAll(pattern), (match) => rangeOf(match)))
    .sort((a, b) => a.start - b.start);
  let redacted = '';
  let end = 0;
  for (const range of found) {
    if (range.start >= end) redacted += `${text.slice(end, range.start)}***`;
    end = Math.max(end, range.end);
  }
  return redacted + text.slice(end);
}

/**
 * What to remove for a match. In base64 the characters beside the secret hold bits of it, together
 * with those of what is beside it.
 */
function rangeOf({ 0: match, index, input, groups }: RegExpExecArray) {
  const end = index + match.length;
  if (groups?.['base64'] === undefined) return { start: index, end };
  const before = /[\w+/-]{0,3}$/.exec(input.slice(Math.max(0, index - 3), index))?.[0] ?? '';
  const after = /^[\w+/-]{0,3}={0,2}/.exec(input.slice(end, end + 5))?.[0] ?? '';
  return { start: index - before.length, end: end + after.length };
}

/** The characters that are commonly escaped in HTML by a name. */
const HTML_NAMES: Readonly<Record<string, readonly string[]>> = {
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  '"': ['&quot;'],
  "'": ['&apos;'],
};

/** A pattern for one character as itself or as one of its escapes. */
function anySpelling(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).padStart(2, '0');
  const anyCase = (text: string) => text.replace(/[a-f]/g, (x) => `[${x}${x.toUpperCase()}]`);
  // No text may match in two ways, because each such character would double the time of a failed
  // match. The escapes come first, so that a `u` of the secret is not found in `\\u0041`.
  const spellings = [
    `\\\\[ux](?:00)?${anyCase(hex)}`,
    `\\\\?${RegExp.escape(character)}`,
    [...Buffer.from(character)]
      .map((byte) => anyCase(`%${byte.toString(16).padStart(2, '0')}`))
      .join(''),
    `&#0*${code};`,
    `&#[xX]0*${anyCase(hex)};`,
    ...(HTML_NAMES[character] ?? []),
    // The alphabet of base64 that is safe in URLs.
    ...(character === '+' ? ['-'] : character === '/' ? ['_'] : []),
  ];
  return `(?:${spellings.join('|')})`;
}

/**
 * The part of a secret's base64 that does not depend on the text around the secret, when `offset`
 * bytes (modulo 3) come before it.
 */
function base64Core(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const [first, end] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
  return bytes.toString('base64').slice(first, end);
}
