import { escapeHtml, escapeInvisible, quote, shortenQuotes } from '../text/escape.ts';

/** Renders untrusted text as inline HTML. Inside `<code>`, GitHub adds no links and no emoji. */
export function codeHtml(text: string): string {
  return `<code>${escapeHtml(escapeInvisible(text))}</code>`;
}

/** How much of a long word fits a table cell on a narrow screen. */
const LONG_WORD = /\S{16}(?=\S)/gu;

/** Like {@link codeHtml}, for a table cell, where GitHub breaks a long word only at a `<wbr>`. */
export function wrappingCodeHtml(text: string): string {
  const parts = escapeInvisible(text).replace(LONG_WORD, '$&\n').split('\n');
  return `<code>${parts.map(escapeHtml).join('<wbr>')}</code>`;
}

/**
 * Renders untrusted text as a Markdown code span that the text can't close. A heading needs one,
 * because GitHub also reads Markdown between its HTML tags.
 * https://spec.commonmark.org/0.31.2/#code-spans
 */
export function codeSpan(text: string): string {
  const shown = escapeInvisible(text);
  const runs = shown.match(/`+/g) ?? [];
  const fence = '`'.repeat(1 + Math.max(0, ...runs.map(({ length }) => length)));
  // Protects a backtick or space at either edge: Markdown strips one space from each side, unless
  // the text is all spaces.
  const edge = /^[` ]|[` ]$/.test(shown) && /[^ ]/.test(shown) ? ' ' : '';
  return `${fence}${edge}${shown}${edge}${fence}`;
}

/**
 * Renders one of our own messages, free of secrets, as inline HTML. Text that {@link quote} put
 * between backticks becomes `<code>`.
 */
export function messageToHtml(message: string): string {
  return escapeHtml(escapeInvisible(shortenQuotes(message))).replace(
    /`([^`]*)`/g,
    '<code>$1</code>',
  );
}
