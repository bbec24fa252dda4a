/** What to do about an error, by its topic, and the section of the help page that lists its causes. */
import type { Topic } from '../errors.ts';

/** The headings of .github/TROUBLESHOOTING.md, which are the headings of errors as well. */
export const SECTIONS = {
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
} as const;

export type Section = keyof typeof SECTIONS;

/** The URL of a section, whose anchor GitHub makes of the heading. Empty without the page's URL. */
export const sectionUrl = (section: Section, helpPage: string) =>
  helpPage && `${helpPage}#${SECTIONS[section].toLowerCase().replaceAll(' ', '-')}`;

/** Where the help is. The page's URL is missing for a local action, and on an Enterprise Server. */
export const helpLine = (section: Section, helpPage: string) =>
  helpPage === ''
    ? `Troubleshooting: see "${SECTIONS[section]}" in .github/TROUBLESHOOTING.md of this action.`
    : `Troubleshooting: ${sectionUrl(section, helpPage)}`;

interface Advice {
  readonly section: Section;
  /** A sentence without its end. `about` is what the error names, quoted. */
  readonly fix: string | ((about: string) => string);
  /** How the sentence ends, unless a re-run would send a prompt again. */
  readonly after?: string;
}

const RERUN = ', then re-run the failed jobs';
const INSTALL_GIT =
  'Install git 2.31 or newer in the container of the workflow job, in a step before this one';

/** A re-run reads secrets and variables again, but not the workflow file. */
export const ADVICE: Readonly<Record<Topic, Advice>> = {
  // Each problem says what to write.
  inputs: { section: 'inputs', fix: '' },
  certificates: {
    section: 'network',
    fix: 'Remove the variable, and start a new run. For a private certificate authority, set `NODE_EXTRA_CA_CERTS` to its PEM file',
  },
  network: { section: 'network', fix: 'Make sure that the runner can reach it', after: RERUN },

  'key-refused': {
    section: 'key',
    fix: 'Replace the secret with a valid admin key',
    after: RERUN,
  },
  'key-forbidden': {
    section: 'key',
    fix: "In the Mintlify dashboard, make sure that it's an admin key and that its allow-list has the runner's address",
    after: RERUN,
  },
  'key-in-prompt': {
    section: 'key',
    fix: 'The repository exposes the key: delete it in your Mintlify dashboard, and save a new one',
  },
  credits: { section: 'service', fix: 'Check your Mintlify plan and credits', after: RERUN },
  'prompt-too-long': {
    section: 'service',
    fix: 'Shorten the prompt, or include fewer changes with `changes: files` or `paths`, then start a new run',
  },
  'rate-limit': {
    section: 'service',
    fix: 'Mintlify accepts 100 prompts per project per hour',
    after: '. Re-run the failed jobs later',
  },
  service: {
    section: 'service',
    fix: 'Check `projectId`, `jobId`, `baseUrl`, and the prompt',
    after: '. Then re-run the failed jobs, or, if you changed the workflow file, start a new run',
  },
  'job-unreadable': {
    section: 'service',
    fix: 'Check `jobId` and `projectId`, then start a new run',
  },
  // What to do depends on what the run was about.
  'in-doubt': { section: 'in-doubt', fix: '' },
  'other-run': {
    section: 'timeout',
    fix: 'Re-run the failed jobs once it has ended, or set a longer `timeout`',
  },

  'ledger-busy': { section: 'ledger', fix: 'Re-run the failed jobs' },
  'ledger-refused': {
    section: 'ledger',
    fix: 'Let its hooks and rules accept `refs/docs-agent/`, or set `since: event` with `pullRequest: new`, which needs no ledger',
  },
  'ledger-shared': {
    section: 'ledger',
    fix: 'Give one of the steps another `id`, or, in a composite action or a reusable workflow, another `matrix`',
  },
  'ledger-unreadable': {
    section: 'ledger',
    fix: (command) => `Update the action, or start over: ${command}`,
  },
  'covered-gone': {
    section: 'changes',
    fix: 'Start a new run with `since` set to the commit before the first change to send',
  },
  'write-denied': {
    section: 'permissions',
    fix: (next) => `Give the workflow job \`contents: write\`, then ${next}`,
  },

  git: { section: 'git', fix: 'Re-run the failed jobs; if it fails again, try a newer git' },
  'git-missing': { section: 'git', fix: INSTALL_GIT },
  'git-network': {
    section: 'network',
    fix: "Re-run the failed jobs; if it fails again, check the runner's network, proxy (`https_proxy`) and certificates (`http.sslCAInfo`)",
  },
  'commit-gone': {
    section: 'changes',
    fix: 'The changes start or end at a commit that is gone: start a new run with `since` set to a branch, tag or commit that is still there',
  },
  'repository-denied': {
    section: 'permissions',
    fix: 'Give the workflow job `contents: read`, set `githubToken` to a token with access, or fix what the server names',
  },
  'repository-moved': {
    section: 'git',
    fix: 'The repository was renamed or moved, so start a new run in the new one',
  },
  'temporary-folder': {
    section: 'git',
    fix: 'Make sure that the step can write to this folder, that the disk has space, and that nothing deletes it',
    after: RERUN,
  },
  'token-refused': {
    section: 'permissions',
    fix: "The server does not accept the token: set `githubToken` to a valid one, or remove the input to use the workflow job's token",
  },

  github: { section: 'github', fix: 'Re-run the failed jobs once that is resolved' },
  'github-permission': {
    section: 'permissions',
    fix: (permission) => `Give the workflow job ${permission}, and start a new run`,
  },
  'github-token': {
    section: 'permissions',
    fix: 'Correct `githubToken`, or leave it out, and start a new run',
  },

  event: {
    section: 'changes',
    fix: 'Start the workflow by another event, or remove `changes`, `paths`, `skip`, `since`, and `pullRequest` from the step',
  },
  'event-file': {
    section: 'unexpected',
    fix: 'The runner did not write the event: re-run the failed jobs',
  },
  'pull-request-start': {
    section: 'changes',
    fix: 'Start a run by hand with `since` set to the commit before its first one',
  },
  'pull-request-unknown': {
    section: 'changes',
    fix: 'Check the number, and that the workflow job has `pull-requests: read`, then start a new run',
  },
  'since-ambiguous': { section: 'changes', fix: (names) => `Start a new run with ${names}` },
  'since-unknown': { section: 'changes', fix: 'Check the name, and start a new run with it' },
  'since-unrelated': {
    section: 'changes',
    fix: 'Start a new run with `since` set to a commit or tag in the history of this branch',
  },

  'cut-off': {
    section: 'timeout',
    fix: 'This was cut off by `timeout`: set a longer one, and start a new run',
  },
  unexpected: {
    section: 'unexpected',
    fix: 'Report it with the log in the repository of this action',
  },
};

/** Sentences that say what to do about an error. Empty where its message or the run's state says it. */
export function adviceFor(
  { topic, about }: { readonly topic: Topic; readonly about: string },
  mayRerun: boolean,
): string {
  const { fix, after = '' } = ADVICE[topic];
  const sentence = typeof fix === 'string' ? fix : fix(about);
  return sentence === '' ? '' : `${sentence}${mayRerun ? after : ''}.`;
}
