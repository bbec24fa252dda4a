/** What to do about an error, by its topic, and where the help page lists its causes. */
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

/**
 * Where the help is: a line, and the URL, whose anchor GitHub makes of the heading. Without the page's
 * URL, as for a local action or on an Enterprise Server, it is empty.
 */
export function helpOf(section: Section, helpPage: string) {
  const heading = SECTIONS[section];
  const url = helpPage && `${helpPage}#${heading.toLowerCase().replaceAll(' ', '-')}`;
  const where = url || `see "${heading}" in .github/TROUBLESHOOTING.md of this action.`;
  return { url, line: `Troubleshooting: ${where}` };
}

/** `detail` is what the error names. While an agent job goes on, more follows the advice. */
type Text = string | ((detail: string, isRunning: boolean) => string);

/** While an agent job goes on, a re-run may send the prompt again: what it does is said beside this. */
const thenRerun =
  (fix: string): Text =>
  (_detail, isRunning) =>
    isRunning ? `${fix}.` : `${fix}, then re-run the failed jobs.`;

/** A re-run reads secrets and variables again, but not the workflow file. */
const ADVICE: Readonly<Record<Topic, Text>> = {
  // Each problem says what to write.
  inputs: '',
  'key-missing': '',
  'key-refused': thenRerun('Replace the secret with a valid admin key'),
  'key-forbidden': thenRerun(
    "In the Mintlify dashboard, make sure that it's an admin key and that its allow-list has the runner's address",
  ),
  'key-in-prompt':
    'The repository exposes the key: delete it in your Mintlify dashboard, and save a new one.',
  service: (_detail, isRunning) =>
    isRunning
      ? 'Check `projectId`, `jobId`, and `baseUrl`.'
      : 'Check `projectId`, `jobId`, `baseUrl`, and the prompt. Then re-run the failed jobs, or, if you changed the workflow file, start a new run.',
  credits: thenRerun('Check your Mintlify plan and credits'),
  'prompt-too-long':
    'Shorten the prompt, or include fewer changes with `changes: files` or `paths`, then start a new run.',
  'rate-limit': 'Mintlify accepts 100 prompts per project per hour. Re-run the failed jobs later.',
  'job-unreadable': 'Check `jobId` and `projectId`, then start a new run.',
  network: 'Make sure that the runner can reach it, then re-run the failed jobs.',
  'git-network':
    "Re-run the failed jobs; if it fails again, check the runner's network, proxy (`https_proxy`) and certificates (`http.sslCAInfo`).",
  certificates:
    'Remove the variable, and start a new run. For a private certificate authority, set `NODE_EXTRA_CA_CERTS` to its PEM file.',
  // What to do depends on what the run was about.
  'in-doubt': '',
  'other-run': 'Re-run the failed jobs once it has ended, or set a longer `timeout`.',
  'cut-off': 'This was cut off by `timeout`: set a longer one, and start a new run.',
  'write-denied': (next) => `Give the workflow job \`contents: write\`, then ${next}.`,
  'repository-denied':
    'Give the workflow job `contents: read`, set `githubToken` to a token with access, or fix what the server names.',
  'token-refused':
    "The server does not accept the token: set `githubToken` to a valid one, or remove the input to use the workflow job's token.",
  'github-permission': (permission) => `Give the workflow job ${permission}, and start a new run.`,
  'github-token': 'Correct `githubToken`, or leave it out, and start a new run.',
  'ledger-busy': 'Re-run the failed jobs.',
  'ledger-refused':
    'Let its hooks and rules accept `refs/docs-agent/`, or set `since: event` with `pullRequest: new`, which needs no ledger.',
  'ledger-shared':
    'Give one of the steps another `id`, or, in a composite action or a reusable workflow, another `matrix`.',
  'ledger-unreadable': (command) => `Update the action, or start over: ${command}.`,
  git: 'Re-run the failed jobs; if it fails again, try a newer git.',
  'git-missing':
    'Install git 2.31 or newer in the container of the workflow job, in a step before this one.',
  'repository-moved': 'The repository was renamed or moved, so start a new run in the new one.',
  'temporary-folder':
    'Make sure that the step can write to this folder, that the disk has space, and that nothing deletes it, then re-run the failed jobs.',
  'commit-gone':
    'The changes start or end at a commit that is gone: start a new run with `since` set to a branch, tag or commit that is still there.',
  'covered-gone': 'Start a new run with `since` set to the commit before the first change to send.',
  event:
    'Start the workflow by another event, or remove `changes`, `paths`, `skip`, `since`, and `pullRequest` from the step.',
  'pull-request-start': 'Start a run by hand with `since` set to the commit before its first one.',
  'pull-request-unknown':
    'Check the number, and that the workflow job has `pull-requests: read`, then start a new run.',
  'since-ambiguous': (names) => `Start a new run with ${names}.`,
  'since-unknown': 'Check the name, and start a new run with it.',
  'since-unrelated':
    'Start a new run with `since` set to a commit or tag in the history of this branch.',
  github: 'Re-run the failed jobs once that is resolved.',
  'event-file': 'The runner did not write the event: re-run the failed jobs.',
  unexpected: 'Report it with the log in the repository of this action.',
};

/** What to do about an error, in at most two sentences. */
export function adviceOn(topic: Topic, detail: string, isRunning: boolean): string {
  const text = ADVICE[topic];
  return typeof text === 'string' ? text : text(detail, isRunning);
}
