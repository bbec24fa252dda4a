import { escapeHtml, escapeInvisible, quote, shortenQuotes } from '../text/escape.ts';

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

/**
 * One of our own messages, without secrets, as inline HTML: what {@link quote} put between backticks is
 * `<code>`.
 */
export function messageToHtml(message: string): string {
  return escapeHtml(escapeInvisible(shortenQuotes(message))).replace(
    /`([^`]*)`/g,
    '<code>$1</code>',
  );
}
