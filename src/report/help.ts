const PAGE = 'https://github.com/docs-agent/docs-agent-job/blob/v1/.github/TROUBLESHOOTING.md';

/**
 * The address of the section of TROUBLESHOOTING.md about a heading. "Timed out; the agent job is
 * still running" is about "Timed out".
 */
export const helpUrl = (heading: string): string => `${PAGE}#${anchorOf(heading.split(';', 1)[0])}`;

/**
 * The anchor that GitHub gives a section.
 * https://docs.github.com/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#section-links
 */
export function anchorOf(title = ''): string {
  return title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}
