/**
 * Making untrusted text harmless where it is shown. What the service, a prompt, a file name or a
 * commit message says is data: these functions keep it from becoming anything else.
 */

/**
 * Characters that change how a line looks or where it ends without being seen: controls, format
 * characters (bidirectional overrides, tags, zero-width marks), Unicode's line breaks and lone
 * surrogates. The two joiners stay, because many scripts and emoji need them.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const SHORT_NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text on one line, with every control and bidirectional character written out (`\n`, `\u{202e}`). */
export function visible(text: string): string {
  return text.replace(
    UNSEEN,
    (unseen) => SHORT_NAMES[unseen] ?? `\\u{${unseen.codePointAt(0)?.toString(16)}}`,
  );
}

/** As {@link visible}, but tabs and line breaks stay; `\r\n` and `\r` become `\n`. */
export function visibleLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.split('\t').map(visible).join('\t'))
    .join('\n');
}

/**
 * Cuts to at most `max` UTF-16 units, marks the cut with `…`, and splits no surrogate pair.
 */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Longest piece of untrusted text quoted in a message, in UTF-16 units. */
const MAX_QUOTE = 500;

/**
 * Untrusted text inside one of our own messages: on one line, cut short, between backticks that it
 * cannot close. {@link messageToHtml} turns the backticks into `<code>`.
 */
export function quote(text: string): string {
  return `\`${cut(visible(text.slice(0, 2 * MAX_QUOTE)), MAX_QUOTE).replaceAll('`', "'")}\``;
}

/**
 * One line for the log that the runner cannot take for a command. The runner reads `::name::` at
 * the start of a line (after white space) and `##[name]` anywhere in it:
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function logLine(text: string): string {
  return visible(text)
    .replaceAll('##[', '## [')
    .replace(/^(\s*):(?=:)/, '$1: ');
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML text or as a quoted attribute value. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? character);
}

/**
 * Untrusted text as inline HTML. Inside `<code>` GitHub links no `@mention`, `#1`, commit or URL
 * and shows no emoji for `:name:`.
 */
export function codeHtml(text: string): string {
  return `<code>${escapeHtml(visible(text))}</code>`;
}

/** One of our own messages as inline HTML: what {@link quote} put between backticks is `<code>`. */
export function messageToHtml(message: string): string {
  return escapeHtml(visible(message)).replace(/`([^`]*)`/g, '<code>$1</code>');
}

/**
 * The URL in its normal form when it is http(s) and carries no credentials, else `undefined`: the
 * only links that may be shown or set as an output.
 */
export function safeLink(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined;
}

const MAX_ID_LENGTH = 1_000;

/**
 * Whether an id can be set as an output and stand in the path of a request. Ids are the service's to choose;
 * `.` and `..` would change the path, and control characters have no place in one.
 */
export function isUsableId(text: string): boolean {
  const isPath = text === '.' || text === '..';
  return text !== '' && text.length <= MAX_ID_LENGTH && !isPath && !/\p{Cc}/u.test(text);
}

/** Text with a capital letter at its start. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The URL in a text without the user and password that it may hold. */
export function withoutCredentials(text: string): string {
  return text.replace(/(\/\/)[^/?#\s]*@/g, '$1***@');
}

/** `1 read`, `2 reads`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/**
 * What finds a secret in text, in each form in which it is commonly echoed: as it is, with any of
 * its characters escaped as in JSON, a URL or HTML, and in base64, alone or inside something longer
 * such as `Bearer <secret>`.
 */
export function secretPattern(secret: string): RegExp {
  const escaped = [...secret].map(anySpelling).join('');
  const encoded = [0, 1, 2]
    .map((offset) => base64Core(secret, offset))
    .filter((core) => core.length >= MIN_BASE64_LENGTH)
    .map((core) => `[\\w+/-]{0,3}${[...core].map(anySpelling).join('')}[\\w+/-]{0,3}={0,2}`);
  return new RegExp([escaped, ...encoded].join('|'), 'g');
}

/** Shorter pieces of base64 stand in ordinary words. */
const MIN_BASE64_LENGTH = 8;

/** Takes out of text what the patterns of its secrets find. */
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
  // No text may match in two ways: each character that could would double the time of a near miss.
  // The escapes come first, so that a `u` of the secret is not found in `\\u0041`.
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
 * The part of a secret's base64 that is the same whatever stands around the secret, when `offset`
 * bytes (modulo 3) stand before it.
 */
function base64Core(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const [first, end] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
  return bytes.toString('base64').slice(first, end);
}
