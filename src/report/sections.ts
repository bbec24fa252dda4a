/** The troubleshooting page, as errors link to it. */
import type { Topic } from '../errors.ts';

export type Section = Topic | 'cancelled';

/** The headings of .github/TROUBLESHOOTING.md, which are the headings of errors as well. */
export const SECTIONS: Readonly<Record<Section, string>> = {
  inputs: 'An input is rejected',
  key: 'Mintlify rejects the key',
  service: 'Mintlify returns an error',
  network: 'The connection fails',
  'in-doubt': 'The prompt may have been sent',
  timeout: 'The step times out',
  cancelled: 'The step was cancelled',
  'agent-job': 'The agent job did not complete',
  permissions: 'The token lacks a permission',
  ledger: 'The ledger cannot be read or written',
  git: 'git is missing or fails',
  changes: 'The changes cannot be found',
  github: 'GitHub returns an error',
  unexpected: 'An unexpected error',
};

const PAGE = 'https://github.com/docs-agent/docs-agent-job/blob/v1/.github/TROUBLESHOOTING.md';

/** The URL of a section of the page. GitHub makes its anchor of the heading. */
export const sectionUrl = (section: Section) =>
  `${PAGE}#${SECTIONS[section].toLowerCase().replaceAll(' ', '-')}`;
