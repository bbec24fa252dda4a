/** Finds and removes secrets in text, however they are encoded there. */

/**
 * A pattern that finds a secret in text, in each form in which it is commonly echoed: as it is,
 * with any of its characters escaped as in JSON, a URL or HTML, and in base64, alone or inside
 * something longer such as `Bearer <secret>`.
 */
export function secretPattern(secret: string): RegExp {
  const escaped = [...secret].map(anySpelling).join('');
  const encoded = [0, 1, 2]
    .map((offset) => base64Core(secret, offset))
    .filter((core) => core.length >= MIN_BASE64_LENGTH)
    .map((core) => `[\\w+/-]{0,3}${[...core].map(anySpelling).join('')}[\\w+/-]{0,3}={0,2}`);
  return new RegExp([escaped, ...encoded].join('|'), 'g');
}

/** Shorter pieces of base64 could be parts of ordinary words. */
const MIN_BASE64_LENGTH = 8;

/** Replaces everything that the patterns find in the text by `***`. */
export function redact(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce((redacted, pattern) => redacted.replace(pattern, '***'), text);
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
