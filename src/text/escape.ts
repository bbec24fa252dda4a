/** Keeps text from outside from being read as a command, and shows what cannot be seen. */

/**
 * Characters that cannot be seen: controls, format characters (bidirectional overrides, tags), line
 * breaks, lone surrogates, the blank pattern of Braille, and what Unicode calls ignorable. Scripts and
 * emoji need two joiners between visible characters, and the emoji selector behind one. These stay,
 * one at a time: many would be a hidden text.
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const INVISIBLE = String.raw`[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\u2800]`;
const VISIBLE = String.raw`[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\u2800]`;
const UNSEEN = new RegExp(
  String.raw`(?!(?<=${VISIBLE})(?:[\u200c\u200d](?=${VISIBLE})|\ufe0f))${INVISIBLE}`,
  'gu',
);

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

/**
 * Untrusted text inside one of our messages: on one line, between backticks it cannot close. It is cut
 * where it is shown ({@link shortenQuotes}), because secrets have to be taken out of all of it before.
 */
export const quote = (text: string) => `\`${escapeInvisible(text).replaceAll('`', "'")}\``;

/** Longest piece of untrusted text in a message that is shown, in UTF-16 units. */
const MAX_QUOTE = 500;

/** One of our messages, without secrets, with each long {@link quote} cut. */
export const shortenQuotes = (message: string) =>
  message.replace(/`([^`]*)`/g, (_, text: string) => `\`${cut(text, MAX_QUOTE)}\``);

/**
 * One line for the log that the runner cannot mistake for a command. The runner reads `::name::` at
 * the start of a line (after white space) and `##[name]` anywhere in it:
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

/** Text as HTML text or as a quoted attribute value. */
export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (found) => HTML_ESCAPES[found] ?? found);
