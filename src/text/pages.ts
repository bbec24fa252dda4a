/** The addresses of this project's pages, as texts link them. */
const PAGES = 'https://github.com/docs-agent/docs-agent-job/blob/v1/.github';

/** A section of a page, like `RECIPES.md#by-hand`. */
export const pageUrl = (section: string) => `${PAGES}/${section}`;

/** How to start a new run, with and without a form for it. */
export const NEW_RUN_URL = pageUrl('TROUBLESHOOTING.md#start-a-new-run');
