/** What a failure of git means. */
import { StepError, type Topic } from '../errors.ts';
import { quote } from '../text/escape.ts';
import type { GitEnd } from './process.ts';

export interface Fault {
  /** What the server said, or else git. */
  readonly said: string;
  /** Its topic is `network` where the same command may work later. */
  readonly error: StepError;
}

type Cause = readonly [sign: RegExp, topic: Topic, advice: string];

/** Git has no codes for these, only sentences (with `LC_ALL=C`). The first row that fits counts. */
const CAUSES: readonly Cause[] = [
  [
    /not our ref|^fatal: couldn't find remote ref/m,
    'git',
    'The changes start or end at a commit that is gone: start a new run with `since` set to a branch, tag or commit that is still there.',
  ],
  [
    /returned error: 30\d/,
    'git',
    'The repository was renamed or moved, so start a new run in the new one.',
  ],
  [
    /returned error: 401|could not read Username|Authentication failed/,
    'permissions',
    "The token was not accepted (401): set `githubToken` to a valid token, or remove the input to use the workflow job's token.",
  ],
  [
    /returned error: 40[34]|^fatal: repository '.*' not found/m,
    'permissions',
    'Give the workflow job `contents: read`, set `githubToken` to a token with access, or fix what the server names.',
  ],
];
const OTHER: Cause = [
  /./,
  'network',
  "Re-run the failed jobs; if it fails again, check the runner's network, proxy (`https_proxy`) and certificates (`http.sslCAInfo`).",
];

export function faultOf(end: GitEnd, serverUrl: string, repository: string): Fault {
  const said = saidIn(end);
  const [, topic, advice] = CAUSES.find(([sign]) => sign.test(end.stderr)) ?? OTHER;
  const where = `${quote(repository)} at ${quote(serverUrl)}`;
  return { said, error: new StepError(topic, `Git failed on ${where}: ${quote(said)}. ${advice}`) };
}

export function explainLocal(end: GitEnd): StepError {
  const message = `Git failed on the runner: ${quote(saidIn(end))}. Re-run the failed jobs; if it fails again, try a newer git.`;
  return new StepError('git', message);
}

/** What the server said (`remote:`), else git's own last words. */
function saidIn({ status, stderr }: GitEnd): string {
  if (status === 'time-limit') return 'no response in time';
  const after = (prefix: RegExp) =>
    [...stderr.matchAll(prefix)].map(([, text = '']) => text.trim()).filter((text) => text !== '');
  const remote = after(/^remote:(.*)/gm).join(' ');
  return remote || (after(/^(?:fatal|error):(.*)/gm).at(-1) ?? `git ended with ${status}`);
}
