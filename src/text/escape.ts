/** Keeps untrusted text from being read as a command, and makes invisible characters visible. */

/**
 * Invisible characters: controls, format characters (bidirectional overrides, tags), line breaks,
 * lone surrogates, the blank Braille pattern, and what Unicode calls ignorable. Scripts and emoji
 * need two joiners between visible characters, and the emoji selector after one. These stay, but
 * only one at a time, because many could hide a text.
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const INVISIBLE = String.raw`[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\u2800]`;
const VISIBLE = String.raw`[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\u2800]`;
const UNSEEN = new RegExp(
  String.raw`(?!(?<=${VISIBLE})(?:[\u200c\u200d](?=${VISIBLE})|\ufe0f))${INVISIBLE}`,
  'gu',
);

const SHORT_NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Puts a text on one line, with every invisible character written out (`\n`, `\u{202e}`). */
export function escapeInvisible(text: string): string {
  return text.replace(
    UNSEEN,
    (unseen) => SHORT_NAMES[unseen] ?? `\\u{${unseen.codePointAt(0)?.toString(16)}}`,
  );
}

/** Like {@link escapeInvisible}, but keeps tabs. */
export function escapeInvisibleButTabs(text: string): string {
  return text.split('\t').map(escapeInvisible).join('\t');
}

/** Like {@link escapeInvisibleButTabs} for each line. `\r\n` and `\r` become `\n`. */
export function escapeInvisibleInLines(text: string): string {
  return linesOf(text).map(escapeInvisibleButTabs).join('\n');
}

export const linesOf = (text: string): readonly string[] => text.split(/\r\n|\r|\n/);

/**
 * Cuts a text to at most `max` UTF-16 units and marks the cut with `…`. Never splits a surrogate
 * pair.
 */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The longest untrusted text to show in a message, in UTF-16 units. */
const MAX_QUOTE = 500;

/**
 * Quotes untrusted text in one of our messages: on one line, cut, between backticks that it can't
 * close.
 */
export const quote = (text: string) =>
  `\`${cut(escapeInvisible(text).replaceAll('`', "'"), MAX_QUOTE)}\``;

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
