import type { GitHub } from '../github/github.ts';
import type { Judge } from '../lib/covered.ts';
import { GitHubError, LAST_JOB_NOT_KNOWN, RunError } from '../lib/errors.ts';
import { quote } from '../lib/escape.ts';
import { pullRequestAt } from '../lib/pull-request.ts';
import { withoutFullStop } from '../lib/words.ts';

/** What GitHub says of the pull request that a link names. */
export type PullState =
  /** `head` is the commit that it ends at. */
  | { readonly kind: 'open' | 'closed'; readonly name: string; readonly head: string }
  /** It cannot be known. `reason` is a sentence without its full stop, with what to do. */
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Reads a pull request of any repository on this GitHub server; the token goes to no other. Throws a
 * `GitHubError` when GitHub fails, but not when it does not show the pull request to the token.
 */
export async function readPull(
  github: () => Promise<Pick<GitHub, 'pull'>>,
  serverUrl: string,
  link: string,
): Promise<PullState> {
  const named = pullRequestAt(serverUrl, link);
  if (named === undefined) {
    const reason = `${quote(link)} is not the address of a pull request on this GitHub server (${quote(serverUrl)}), so whether it is open cannot be looked up`;
    return { kind: 'unknown', reason };
  }
  const name = `${named.repository}#${named.number}`;
  try {
    const api = await github();
    const { state, head } = await api.pull(named.repository, Number(named.number));
    return { kind: state === 'open' ? 'open' : 'closed', name, head: head.sha };
  } catch (error) {
    const isHidden =
      error instanceof GitHubError && (error.kind === 'forbidden' || error.kind === 'not-found');
    if (!isHidden) throw error;
    const reason = `GitHub does not show pull request ${quote(name)} to the token: ${error.message}. Give the workflow job \`permissions:\` with \`pull-requests: read\`. For a private docs repository, pass a \`githubToken\` of a GitHub App that may read this repository and that one`;
    return { kind: 'unknown', reason };
  }
}

/** The pull request that the prompt is added to. */
export interface Appended {
  readonly jobId: string;
  /** `owner/name#123` */
  readonly name: string;
  readonly link: string;
  /** The commit that it ends at before the message. */
  readonly head: string;
}

/** The agent job that gets a follow-up message, or why a new one is created: a whole sentence. */
export type AppendTarget =
  | { readonly appended: Appended }
  | { readonly appended: undefined; readonly why: string; readonly isWarning?: boolean };

/** The error of a step that cannot know where its prompt goes. `reason` has no full stop. */
export function lastJobNotKnown(reason: string, cause?: unknown): RunError {
  const message = `${reason}. No prompt was sent. If that passes, run this again. Otherwise start a new run with \`pullRequest: new\`, which does not look at the last agent job.`;
  return new RunError(LAST_JOB_NOT_KNOWN, message, { cause: cause ?? new Error(reason) });
}

/**
 * Whether the pull request of the step's last agent job is certainly open. Throws a `RunError` when
 * the service cannot say what became of that agent job, and what `readState` throws.
 */
export async function findAppendTarget(
  lastId: string | undefined,
  judge: Judge,
  readState: (link: string) => Promise<PullState>,
): Promise<AppendTarget> {
  const isCreated = 'A new agent job is needed';
  const create = (why: string, isWarning = false): AppendTarget => ({
    appended: undefined,
    why: isWarning ? `${isCreated}, because ${why}.` : `${isCreated}: ${why}.`,
    isWarning,
  });
  if (lastId === undefined) return create('this step has no earlier one on record');
  const agentJob = `agent job ${quote(lastId)}`;
  const judged = await judge(lastId, {});
  if (judged.kind === 'gone') return create(`the service no longer knows ${agentJob}`);
  if (judged.kind === 'not-read') {
    return create(`without \`adminApiKey\` ${agentJob} cannot be read`, true);
  }
  if (judged.kind === 'error') {
    const error = withoutFullStop(judged.error);
    throw lastJobNotKnown(`What became of ${agentJob}, the last one of this step: ${error}`);
  }
  const { status, prLink } = judged;
  if (status !== 'completed') return create(`${agentJob} has the status ${quote(status)}`);
  if (prLink === '') return create(`${agentJob} opened no pull request`);
  const pull = await readState(prLink);
  if (pull.kind === 'unknown') return create(pull.reason, true);
  if (pull.kind === 'closed') return create(`pull request ${quote(pull.name)} is closed or merged`);
  return { appended: { jobId: lastId, name: pull.name, link: prLink, head: pull.head } };
}
