/** Keeps text from outside from being read as a command, Markdown or HTML: it is data. */

/**
 * Characters that cannot be seen: controls, format characters (bidirectional overrides, tags), line
 * breaks, lone surrogates, the blank pattern of Braille, and what Unicode calls ignorable. Two
 * joiners and the emoji selector stay, because scripts and emoji need them.
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const UNSEEN =
  /(?!\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\u2800]/gu;

const SHORT_NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text on one line, with every character that cannot be seen written out (`\n`, `\u{202e}`). */
export function escapeInvisible(text: string): string {
  return text.replace(
    UNSEEN,
    (unseen) => SHORT_NAMES[unseen] ?? `\\u{${unseen.codePointAt(0)?.toString(16)}}`,
  );
}

/** As {@link escapeInvisible}, but tabs stay. */
export function escapeInvisibleButTabs(text: string): string {
  return text.split('\t').map(escapeInvisible).join('\t');
}

/** As {@link escapeInvisibleButTabs} for each line; `\r\n` and `\r` become `\n`. */
export function escapeInvisibleInLines(text: string): string {
  return linesOf(text).map(escapeInvisibleButTabs).join('\n');
}

export const linesOf = (text: string): readonly string[] => text.split(/\r\n|\r|\n/);

/** Cuts to at most `max` UTF-16 units, marks the cut with `…`, and splits no surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Longest piece of untrusted text quoted in a message, in UTF-16 units. */
const MAX_QUOTE = 500;

/** Untrusted text inside one of our messages: on one line, cut, between backticks it cannot close. */
export function quote(text: string): string {
  return `\`${cut(escapeInvisible(text.slice(0, 2 * MAX_QUOTE)), MAX_QUOTE).replaceAll('`', "'")}\``;
}

/**
 * One line for the log that the runner cannot mistake for a command. The runner reads `::name::` at
 * the start of a line (after white space) and `##[name]` anywhere in it:
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function logLine(text: string): string {
  const line = escapeInvisible(text).replaceAll('##[', '## [');
  return line.replace(/^(\s*):(?=:)/, '$1: ');
}

/** The characters that are commonly escaped in HTML by a name. */
export const HTML_NAMES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** Text as HTML text or as a quoted attribute value. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (found) => `&${HTML_NAMES[found]};`).replaceAll("'", '&#39;');
}

/** Untrusted text as inline HTML. Inside `<code>` GitHub links nothing and shows no emoji. */
export function codeHtml(text: string): string {
  return `<code>${escapeHtml(escapeInvisible(text))}</code>`;
}

/** How much of a long word fits a line of a table on a narrow screen. */
const LONG_WORD = /\S{16}(?=\S)/gu;

/** As {@link codeHtml}, for a table's cell, where GitHub breaks a long word only at a `<wbr>`. */
export function wrappingCodeHtml(text: string): string {
  const parts = escapeInvisible(text).replace(LONG_WORD, '$&\n').split('\n');
  return `<code>${parts.map(escapeHtml).join('<wbr>')}</code>`;
}

/**
 * Untrusted text as a code span of Markdown, which nothing in it can close: in a heading, Markdown is
 * read between HTML's tags. https://spec.commonmark.org/0.31.2/#code-spans
 */
export function codeSpan(text: string): string {
  const shown = escapeInvisible(text);
  const runs = shown.match(/`+/g) ?? [];
  const fence = '`'.repeat(1 + Math.max(0, ...runs.map(({ length }) => length)));
  // It keeps a backtick or a space of the text: one is taken off again, but not of a text of spaces.
  const edge = /^[` ]|[` ]$/.test(shown) && /[^ ]/.test(shown) ? ' ' : '';
  return `${fence}${edge}${shown}${edge}${fence}`;
}

/** One of our own messages as inline HTML: what {@link quote} put between backticks is `<code>`. */
export function messageToHtml(message: string): string {
  return escapeHtml(escapeInvisible(message)).replace(/`([^`]*)`/g, '<code>$1</code>');
}

/** The URL in its normal form when it may be a link or an output: http(s), without credentials. */
export function safeLink(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined;
}

const MAX_ID_LENGTH = 1_000;

/** Whether an id can be an output and part of a path, which `.` and `..` would change. */
export function isUsableId(text: string): boolean {
  return !['', '.', '..'].includes(text) && text.length <= MAX_ID_LENGTH && !/\p{Cc}/u.test(text);
}

/** Deeper data than this is not one of GitHub's. */
const MAX_DEPTH = 100;

/** The same data with every string in it changed. What is nested too deeply is left out. */
export function mapStrings<T>(value: T, change: (text: string) => string, depth?: number): T;
export function mapStrings(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return undefined;
  const map = (item: unknown) => mapStrings(item, change, depth + 1);
  if (Array.isArray(value)) return value.map(map);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item)]));
}

/** The value of a JSON text, or `undefined` when it is not one. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** No URL that is shown is longer. */
const MAX_URL_LENGTH = 4_000;

/**
 * A URL with its user and password replaced by `***`, also where it is spelled in a way that only
 * parsers accept: with one slash, none or backslashes, or with spaces. Cut to 4,000 characters.
 * https://url.spec.whatwg.org/#authority-state
 */
export function withoutCredentials(url: string): string {
  const shown = url.slice(0, MAX_URL_LENGTH);
  return shown.replace(/^(\s*[a-z][a-z\d+.-]*:[/\\]*|\s*[/\\]{2,})[^/\\?#]*@/i, '$1***@');
}

/** A commit as its first seven characters, and any other ref as it is. */
export function shortRef(ref: string): string {
  return /^[0-9a-f]{40,64}$/.test(ref) ? ref.slice(0, 7) : cut(ref, 100);
}

/** `1 check`, `2 checks`. */
export const pluralize = (n: number, noun: string, plural = `${noun}s`) =>
  `${n} ${n === 1 ? noun : plural}`;
