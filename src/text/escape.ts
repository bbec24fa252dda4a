/** Keeps untrusted text from being read as a command, and makes invisible characters visible. */

/**
 * Controls, format characters, line breaks, lone surrogates, the blank Braille pattern, and
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const INVISIBLE = String.raw`\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\u2800`;
const VISIBLE = String.raw`[^\s${INVISIBLE}]`;
/** One joiner between visible characters, or a selector after one, stays. Many could hide a text. */
const UNSEEN = new RegExp(
  String.raw`(?!(?<=${VISIBLE})(?:[\u200c\u200d](?=${VISIBLE})|\ufe0f))[${INVISIBLE}]`,
  'gu',
);

const SHORT_NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Puts a text on one line, with every invisible character written out (`\n`, `\u{202e}`). */
export const escapeInvisible = (text: string) =>
  text.replace(
    UNSEEN,
    (unseen) => SHORT_NAMES[unseen] ?? `\\u{${unseen.codePointAt(0)?.toString(16)}}`,
  );

export const escapeInvisibleButTabs = (text: string) =>
  text.split('\t').map(escapeInvisible).join('\t');

/** Keeps tabs and lines. `\r\n` and `\r` become `\n`. */
export const escapeInvisibleInLines = (text: string) =>
  linesOf(text).map(escapeInvisibleButTabs).join('\n');

export const linesOf = (text: string): readonly string[] => text.split(/\r\n|\r|\n/);

/** Cuts a text to `max` UTF-16 units, between two characters, and marks the cut with `…`. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

const MAX_QUOTE_LENGTH = 500;

/** Puts untrusted text on one line of a message, cut, between backticks that it can't close. */
export const quote = (text: string) =>
  `\`${cut(escapeInvisible(text).replaceAll('`', "'"), MAX_QUOTE_LENGTH)}\``;

/**
 * Formats one log line so that the runner can't mistake it for a command. The runner reads
 * `::name::` at the start of a line (after white space) and `##[name]` anywhere in it:
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function logLine(text: string): string {
  const line = escapeInvisible(text).replaceAll('##[', '## [');
  return line.replace(/^(\s*):(?=:)/, '$1: ');
}

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML or for a quoted attribute value. */
export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (found) => HTML_ESCAPES[found] ?? found);

/** Normalizes an untrusted URL. `undefined` unless it is http(s) and without credentials. */
export function safeLink(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isWeb || url.username !== '' || url.password !== '') return undefined;
  // A query may hold backticks, which quote text in our messages.
  return url.href.replaceAll('`', '%60');
}
