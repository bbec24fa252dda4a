/** HTML for the job summary. Untrusted text can neither close its element nor become Markdown. */
import { cut, escapeHtml, escapeInvisible } from '../text/escape.ts';
import { safeLink } from '../text/url.ts';

/** The longest untrusted text in a table cell or a line, in UTF-16 units. */
const MAX_LENGTH = 500;

/**
 * Untrusted text as code, where GitHub adds no links, mentions, or emoji. Words stay whole, because
 * the runner masks secrets in the finished summary.
 */
export const code = (text: string) =>
  `<code>${escapeHtml(escapeInvisible(cut(text, MAX_LENGTH)))}</code>`;

/** Links HTML to an untrusted URL, unless that is unsafe. */
export function linked(html: string, url: string): string {
  const link = safeLink(url);
  return link === undefined ? html : `<a href="${escapeHtml(link)}">${html}</a>`;
}

/** One of our messages. What `quote` put between backticks becomes code, and a URL becomes a link. */
export function messageHtml(message: string): string {
  const parts = escapeInvisible(message).split('`');
  return parts.map((part, at) => (at % 2 === 1 ? code(part) : withLinks(part))).join('');
}

/** A period or a comma after a URL belongs to the sentence. */
const withLinks = (text: string) =>
  text
    .split(/(https?:\/\/\S+[^\s.,;:)])/)
    .map((part, at) => (at % 2 === 1 ? linked(escapeHtml(part), part) : escapeHtml(part)))
    .join('');

export const list = (items: readonly string[]) =>
  ['<ul>', ...items.map((html) => `<li>${html}</li>`), '</ul>'].join('\n');

/** Leaves out rows without a value. Empty if there are none. */
export function table(rows: readonly (readonly [name: string, html: string])[]): string {
  const lines = rows
    .filter(([, html]) => html !== '')
    .map(([name, html]) => `<tr><th align="left">${name}</th><td>${html}</td></tr>`);
  return lines.length === 0 ? '' : ['<table>', ...lines, '</table>'].join('\n');
}
