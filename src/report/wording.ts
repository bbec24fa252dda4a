import { isActive, type Job, type JobEnd } from '../agent/job.ts';
import type { AnnotationLevel } from '../lib/annotation.ts';
import { formatDuration } from '../lib/duration.ts';
import { pluralize, quote, withoutCredentials } from '../lib/text.ts';
import type { Ending, RunResult } from './ending.ts';

export type Outcome =
  | JobEnd
  | 'timed-out'
  | 'cancelled'
  | 'skipped'
  | 'started'
  | 'dry-run'
  | 'error';

/** What an ending means for the step, and the texts that describe it. */
export interface Wording {
  readonly outcome: Outcome;
  readonly isFailure: boolean;
  readonly level: AnnotationLevel;
  readonly icon: string;
  readonly heading: string;
  /** What happened and why, a paragraph each. Untrusted text in it is between backticks. */
  readonly messages: readonly string[];
  /** Whether the agent job may still have a result, so that the reader may want to follow it. */
  readonly isFollowable: boolean;
}

const SUCCESS = { isFailure: false, level: 'notice', isFollowable: false } as const;
const WARNING = { isFailure: false, level: 'warning', isFollowable: false, icon: '⚠️' } as const;
const FAILURE = { isFailure: true, level: 'error', isFollowable: false, icon: '❌' } as const;

export function wordingOf(result: RunResult): Wording {
  const { ending } = result;
  switch (ending.kind) {
    case 'ended':
      return wordingOfEnd(ending.end, result);
    case 'started':
      return wordingOfStart(result);
    case 'skipped':
      return {
        ...SUCCESS,
        outcome: 'skipped',
        icon: '⏭️',
        heading: 'Skipped; no relevant file changed',
        messages: [whySkipped(result)],
      };
    case 'dry-run':
      return {
        ...SUCCESS,
        outcome: 'dry-run',
        icon: '📝',
        heading: 'Dry run; nothing was sent',
        messages: [whatWouldHappen(result)],
      };
    case 'timed-out':
      return wordingOfTimeout(result);
    case 'not-found':
      return wordingOfNotFound(result, ending.error);
    case 'unreadable':
      return {
        ...FAILURE,
        outcome: 'error',
        heading: 'The agent job could not be read',
        messages: [`${agentJob(result)} could not be read: ${ending.error}`],
        isFollowable: true,
      };
    case 'cancelled':
      return wordingOfCancel(result, ending);
    case 'bad-inputs':
      return {
        ...FAILURE,
        outcome: 'error',
        heading: 'The inputs cannot be used',
        messages: ending.problems,
      };
    case 'error':
      return wordingOfError(result, ending);
  }
}

const agentJob = ({ job }: RunResult) => `Agent job ${quote(job.id)}`;

function wordingOfStart(result: RunResult): Wording {
  return {
    ...SUCCESS,
    outcome: 'started',
    icon: '▶️',
    heading: hasMessage(result) ? 'Follow-up message sent' : 'Agent job started',
    messages: [
      `${agentJob(result)} ${statusOf(result.job)}. This step does not wait for it (\`wait: false\`).`,
    ],
    isFollowable: true,
  };
}

function wordingOfTimeout(result: RunResult): Wording {
  const { inputs, job, lastError } = result;
  const wasActive = isActive(job);
  const timeout = formatDuration(inputs?.timeoutMs ?? 0);
  return {
    ...FAILURE,
    outcome: 'timed-out',
    icon: '⏳',
    heading: `Timed out; ${headingOfState(result)}`,
    messages: [
      `${agentJob(result)} ${wasActive ? 'did not end' : 'was not seen to end'} within ${timeout} (\`timeout\`). ${stateOfJob(result)}`,
      ...lastReadFailed(lastError),
    ],
    isFollowable: true,
  };
}

function wordingOfNotFound(result: RunResult, error: string): Wording {
  const { isAccepted } = result;
  return {
    ...FAILURE,
    outcome: 'error',
    heading: 'The agent job was not found',
    messages: [
      isAccepted
        ? `${agentJob(result)} exists, because the service accepted it in this run, but it still cannot be read: ${error}`
        : `${agentJob(result)} was not found: ${error}`,
    ],
    isFollowable: isAccepted,
  };
}

const lastReadFailed = (error: string | undefined) =>
  error === undefined ? [] : [`The last check failed: ${error}.`];

/** Whether the run sends a prompt to an agent job that already exists. */
function hasMessage({ inputs }: RunResult): boolean {
  return inputs?.task.kind === 'message';
}

function statusOf(job: Job): string {
  return isActive(job) ? 'is running' : `has the status ${quote(job.status)}`;
}

/** What is known of an agent job that was not seen to end. */
function headingOfState({ job }: RunResult): string {
  if (job.status === '') return 'the state of the agent job is not known';
  return isActive(job) ? 'the agent job is still running' : 'the agent job may still be running';
}

function stateOfJob({ job }: RunResult): string {
  if (job.status === '') return 'Its state is not known. It may still open a pull request.';
  return isActive(job)
    ? 'It is still running and may still open a pull request.'
    : `Its status was last ${quote(job.status)}. It may still be running and open a pull request.`;
}

function whySkipped(result: RunResult): string {
  const { changes } = result;
  if (changes === undefined) return 'Nothing changed.';
  if (changes.kind === 'unknown') return `There is nothing to start from: ${changes.reason}.`;
  const since = `since ${quote(changes.base)}`;
  const none = changes.files === 1 ? 'it does not match' : 'none of them matches';
  const reason =
    changes.files === 0
      ? `No file changed ${since}`
      : `${pluralize(changes.files, 'file')} changed ${since}, and ${none} \`paths\``;
  return `${reason}. ${hasMessage(result) ? 'The message was not sent.' : 'No agent job was created.'}`;
}

function whatWouldHappen({ prompt, job }: RunResult): string {
  if (prompt === undefined) {
    return `Without \`dryRun\` this step would follow agent job ${quote(job.id)}.`;
  }
  return job.id === ''
    ? 'Without `dryRun` this step would create an agent job with the prompt below.'
    : `Without \`dryRun\` this step would send the prompt below to agent job ${quote(job.id)} as a follow-up message.`;
}

function wordingOfEnd(end: JobEnd, result: RunResult): Wording {
  const { job, facts, inputs } = result;
  const name = agentJob(result);
  // With `jobId` a re-run reads the same agent job.
  const canCreate = facts.runId > 0 && inputs?.task.kind === 'create';
  switch (end) {
    case 'pull-request':
      return {
        ...SUCCESS,
        outcome: end,
        icon: '✅',
        heading: 'Docs pull request ready',
        messages: [`The agent opened a pull request: ${job.prLink}`],
      };
    case 'no-changes':
      if (job.refusedPrLink !== '') {
        return {
          ...WARNING,
          outcome: end,
          heading: 'Completed: the pull request link cannot be used',
          messages: [
            `${name} completed. Its pull request link ${quote(withoutCredentials(job.refusedPrLink))} is not an http(s) URL without credentials, so it was not used. Look at the agent job in the Mintlify dashboard.`,
          ],
        };
      }
      return {
        ...SUCCESS,
        outcome: end,
        icon: '✅',
        heading: 'Completed: no files changed',
        messages: [`${name} completed without changing any file, so there is no pull request.`],
      };
    case 'archived':
      return {
        ...WARNING,
        outcome: end,
        heading: 'The agent job was archived',
        messages: [`${name} was archived. ${archivedLink(job)}`],
      };
    case 'failed':
      return {
        ...FAILURE,
        outcome: end,
        heading: 'The agent job failed',
        messages: [
          `${name} failed. The service gives no reason. Look at the agent job in the Mintlify dashboard.${canCreate ? ' Then press "Re-run failed jobs", which creates a new one.' : ''}`,
        ],
      };
  }
}

function archivedLink({ prLink, refusedPrLink }: Job): string {
  if (prLink !== '') return `Its pull request: ${prLink}`;
  if (refusedPrLink === '') return 'It has no pull request.';
  return `Its pull request link ${quote(withoutCredentials(refusedPrLink))} cannot be used.`;
}

function wordingOfCancel(
  result: RunResult,
  { signal, mayBeAccepted }: Extract<Ending, { kind: 'cancelled' }>,
): Wording {
  const { job, end, lastError } = result;
  const isMessageUnsent =
    hasMessage(result) && !result.isAccepted && result.resumedFrom === undefined;
  const cancelled = `The step was cancelled (${signal})`;
  const wording = (
    heading: string,
    messages: readonly string[],
    isFollowable = false,
  ): Wording => ({
    ...FAILURE,
    outcome: 'cancelled',
    icon: '⏹️',
    heading: `Cancelled; ${heading}`,
    messages,
    isFollowable,
  });

  if (mayBeAccepted) {
    const message = `${cancelled} before the service answered, so it may have accepted the request.`;
    const messages = [message, whatToCheck(result)];
    return wording('the request may have been accepted', messages, job.id !== '');
  }
  if (job.id === '') {
    return wording('no agent job was created', [`${cancelled} before an agent job was created.`]);
  }
  if (isMessageUnsent) {
    const message = `${cancelled} before the follow-up message to agent job ${quote(job.id)} was sent.`;
    return wording('the follow-up message was not sent', [message]);
  }
  if (end !== undefined) {
    const message = `${cancelled}. ${agentJob(result)} had already ended: its status is ${quote(job.status)}.`;
    return wording('the agent job had already ended', [message]);
  }
  const message = `${cancelled}. This does not cancel agent job ${quote(job.id)}: the service has no call for that. ${stateOfJob(result)}`;
  return wording(headingOfState(result), [message, ...lastReadFailed(lastError)], true);
}

function wordingOfError(
  result: RunResult,
  { heading, message, mayBeAccepted }: Extract<Ending, { kind: 'error' }>,
): Wording {
  return {
    ...FAILURE,
    outcome: 'error',
    heading,
    messages: mayBeAccepted ? [message, whatToCheck(result)] : [message],
    isFollowable: result.job.id !== '' && (mayBeAccepted || result.isAccepted),
  };
}

function whatToCheck({ job, endedAtMs }: RunResult): string {
  if (job.id !== '') {
    return `Before you run this again, look at agent job ${quote(job.id)} in the Mintlify dashboard.`;
  }
  const minute = new Date(endedAtMs).toISOString().slice(0, 16).replace('T', ' ');
  return `An agent job may exist. Before you run this again, look in the Mintlify dashboard and among the pull requests of the docs repository for one from about ${minute} UTC.`;
}
