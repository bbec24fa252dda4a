/** The base URL of this project's pages. */
const PAGES = 'https://github.com/docs-agent/docs-agent-job/blob/v1/.github';

/** The URL of a section of a page, like `RECIPES.md#by-hand`. */
export const pageUrl = (section: string) => `${PAGES}/${section}`;

/** The page on how to start a new run, with or without a form. */
export const NEW_RUN_URL = pageUrl('TROUBLESHOOTING.md#start-a-new-run');
