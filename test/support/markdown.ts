import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/**
 * Renders GitHub Flavored Markdown as HTML. Passes HTML through, as GitHub does before it
 * sanitizes.
 */
export function render(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/** The elements of a rendered summary. */
export function elementsOf(markdown: string) {
  const html = render(markdown);
  const tags = [...html.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, tag = '']) =>
    tag.toLowerCase(),
  );
  const links = [...html.matchAll(/<a [^>]*href="([^"]*)"/gi)].map(([, href = '']) =>
    href.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );
  return { tags, links, headings: html.match(/<h[1-6]/gi) ?? [] };
}

/** The tags of a rendered summary that lack an opening or closing tag. */
export function unpairedTagsOf(markdown: string): readonly string[] {
  const open: string[] = [];
  const unpaired: string[] = [];
  for (const [, slash = '', tag = ''] of render(markdown).matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (slash === '') open.push(tag);
    else if (open.at(-1) === tag) open.pop();
    else unpaired.push(tag);
  }
  return [...open, ...unpaired];
}
