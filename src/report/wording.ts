import { isActive, type JobEnd } from '../agent/job.ts';
import type { AnnotationLevel } from '../lib/annotation.ts';
import { formatDuration } from '../lib/duration.ts';
import { capitalize, pluralize, quote, shortRef, withoutCredentials } from '../lib/text.ts';
import type { Ending, RunResult } from './ending.ts';

interface Style {
  readonly level: AnnotationLevel;
  readonly icon: string;
}

const ENDS = {
  'pull-request': { level: 'notice', icon: '✅' },
  'no-changes': { level: 'notice', icon: '✅' },
  archived: { level: 'warning', icon: '⚠️' },
  failed: { level: 'error', icon: '❌' },
} as const satisfies Record<JobEnd, Style>;

// An outcome that is listed twice, here or in `ENDS`, does not compile: error TS1117 or TS2322.
const OTHERS = {
  'timed-out': { level: 'error', icon: '⏳' },
  cancelled: { level: 'error', icon: '⏹️' },
  skipped: { level: 'notice', icon: '⏭️' },
  started: { level: 'notice', icon: '▶️' },
  'dry-run': { level: 'notice', icon: '📝' },
  error: { level: 'error', icon: '❌' },
} as const satisfies Record<string, Style> & Partial<Record<JobEnd, never>>;

const OUTCOMES: Readonly<Record<Outcome, Style>> = { ...ENDS, ...OTHERS };

export type Outcome = JobEnd | keyof typeof OTHERS;

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

/** What is said of one ending, before its outcome gives it an icon and a level. */
interface Text {
  readonly outcome: Outcome;
  readonly heading: string;
  readonly messages: readonly string[];
  readonly isFollowable?: boolean;
  readonly isWarning?: boolean;
}

export function wordingOf(result: RunResult): Wording {
  const { outcome, heading, messages, isFollowable = false, isWarning = false } = textOf(result);
  const { level, icon } = isWarning ? ENDS.archived : OUTCOMES[outcome];
  return { outcome, isFailure: level === 'error', level, icon, heading, messages, isFollowable };
}

function textOf(result: RunResult): Text {
  const { ending } = result;
  switch (ending.kind) {
    case 'ended':
      return textOfEnd(ending.end, result);
    case 'started':
      return textOfStart(result);
    case 'skipped':
      return {
        outcome: 'skipped',
        heading:
          result.changes?.kind === 'unknown'
            ? 'Skipped; nothing to start from'
            : 'Skipped; no relevant file changed',
        messages: whySkipped(result),
      };
    case 'dry-run':
      return {
        outcome: 'dry-run',
        heading: 'Dry run; nothing was sent',
        messages: [whatWouldHappen(result)],
      };
    case 'timed-out':
      return textOfTimeout(result);
    case 'not-found':
      return textOfNotFound(result, ending.error);
    case 'unreadable':
      return {
        outcome: 'error',
        heading: 'The agent job could not be read',
        messages: [`${agentJob(result)} could not be read: ${ending.error}`],
        isFollowable: true,
      };
    case 'cancelled':
      return textOfCancel(result, ending);
    case 'bad-inputs':
      return {
        outcome: 'error',
        heading: 'The inputs cannot be used',
        messages: ending.problems,
      };
    case 'error':
      return textOfError(result, ending);
  }
}

const agentJob = ({ job }: RunResult) => `Agent job ${quote(job.id)}`;

function textOfStart(result: RunResult): Text {
  return {
    outcome: 'started',
    heading: headingOfStart(result),
    messages: [`This step does not wait for agent job ${quote(result.job.id)} (\`wait: false\`).`],
    isFollowable: true,
  };
}

/** It says more than the record of the agent job, which is an annotation as well. */
function headingOfStart(result: RunResult): string {
  switch (result.inputs?.task.kind) {
    case 'message':
      return 'Follow-up message sent; not waiting for the agent job';
    case 'follow':
      return capitalize(headingOfState(result));
    default:
      return 'Agent job started; not waiting for it';
  }
}

function textOfTimeout(result: RunResult): Text {
  const { inputs, job, lastError } = result;
  const wasActive = isActive(job);
  const timeout = formatDuration(inputs?.timeoutMs ?? 0);
  return {
    outcome: 'timed-out',
    heading: `Timed out; ${headingOfState(result)}`,
    messages: [
      `${agentJob(result)} ${wasActive ? 'did not end' : 'was not seen to end'} within ${timeout} (\`timeout\`). ${stateOfJob(result)}`,
      ...lastReadFailed(lastError),
    ],
    isFollowable: true,
  };
}

function textOfNotFound(result: RunResult, error: string): Text {
  const { isAccepted } = result;
  return {
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

/** What is known of an agent job that was not seen to end. */
function headingOfState({ job }: RunResult): string {
  if (job.status === '') return 'the state of the agent job is not known';
  return isActive(job) ? 'the agent job is still running' : 'the agent job may still be running';
}

function stateOfJob({ job }: RunResult): string {
  return job.status === '' || isActive(job)
    ? 'It may still open a pull request.'
    : `Its status was last ${quote(job.status)}. It may still open a pull request.`;
}

function whySkipped(result: RunResult): readonly string[] {
  const { changes } = result;
  const sent = hasMessage(result) ? 'The message was not sent.' : 'No agent job was created.';
  if (changes?.kind === 'unknown') {
    return result.ending.kind === 'skipped' && result.ending.reason === 'newer-run'
      ? [`The changes of this run were not sent again: ${changes.reason}. ${sent}`]
      : [
          `There is nothing to start from: ${changes.reason}. ${sent} The next run starts at the commit of this one.`,
        ];
  }
  if (changes === undefined) return [sent];
  const { files, base, patterns, exampleFiles } = changes;
  const since = `since ${quote(shortRef(base))}`;
  if (files === 0) return [`No file changed ${since}. ${sent}`];
  const none = files === 1 ? 'it does not match' : 'none of them matches';
  return [
    `${pluralize(files, 'file')} changed ${since}, and ${none} \`paths\`. ${sent}`,
    `\`paths\`: ${listOf(patterns, patterns.length)}.`,
    `Changed: ${listOf(exampleFiles, files)}.`,
  ];
}

const MAX_LISTED = 10;

/** The first of `total` names, and how many more there are. */
function listOf(names: readonly string[], total: number): string {
  const shown = names.slice(0, MAX_LISTED).map(quote);
  const more = total - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function whatWouldHappen({ prompt, job }: RunResult): string {
  if (prompt === undefined) {
    return `Without \`dryRun\` this step would follow agent job ${quote(job.id)}.`;
  }
  return job.id === ''
    ? 'Without `dryRun` this step would create an agent job. The job summary shows its prompt.'
    : `Without \`dryRun\` this step would send agent job ${quote(job.id)} a follow-up message. The job summary shows it.`;
}

function textOfEnd(end: JobEnd, result: RunResult): Text {
  const { job, facts, inputs } = result;
  const name = `agent job ${quote(job.id)}`;
  // With `jobId` a re-run reads the same agent job.
  const canCreate = facts.runId > 0 && inputs?.task.kind === 'create';
  switch (end) {
    case 'pull-request':
      return {
        outcome: end,
        heading: 'Docs pull request ready',
        messages: [`The agent opened a pull request: ${job.prLink}`],
      };
    case 'no-changes':
      if (job.refusedPrLink !== '') {
        return {
          outcome: end,
          isWarning: true,
          heading: 'Completed: the pull request link cannot be used',
          messages: [
            `The link ${quote(withoutCredentials(job.refusedPrLink))} is not an http(s) URL without credentials. Look at ${name} in the Mintlify dashboard.`,
          ],
        };
      }
      return {
        outcome: end,
        heading: 'Completed: no files changed',
        messages: [`${capitalize(name)} opened no pull request.`],
      };
    case 'archived':
      return {
        outcome: end,
        heading: 'The agent job was archived',
        messages: [archivedLink(result)],
      };
    case 'failed':
      return {
        outcome: end,
        heading: 'The agent job failed',
        messages: [
          `The service gives no reason. Look at ${name} in the Mintlify dashboard.${canCreate ? ' Then press "Re-run failed jobs", which creates a new one.' : ''}`,
        ],
      };
  }
}

function archivedLink(result: RunResult): string {
  const { prLink, refusedPrLink } = result.job;
  if (prLink !== '') return `Its pull request: ${prLink}`;
  if (refusedPrLink === '') return `${agentJob(result)} has no pull request.`;
  return `The link of its pull request cannot be used: ${quote(withoutCredentials(refusedPrLink))}.`;
}

function textOfCancel(
  result: RunResult,
  { signal, mayBeAccepted }: Extract<Ending, { kind: 'cancelled' }>,
): Text {
  const { job, end, lastError } = result;
  const isMessageUnsent =
    hasMessage(result) && !result.isAccepted && result.resumedFrom === undefined;
  const cancelled = `The step was cancelled (${signal})`;
  const wording = (heading: string, messages: readonly string[], isFollowable = false): Text => ({
    outcome: 'cancelled',
    heading: `Cancelled; ${heading}`,
    messages,
    isFollowable,
  });

  if (mayBeAccepted) {
    const message = `${cancelled} before the service responded, so it may have accepted the request.`;
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
  const message = `${cancelled}. This does not cancel agent job ${quote(job.id)}, because the service has no call for that. ${stateOfJob(result)}`;
  return wording(headingOfState(result), [message, ...lastReadFailed(lastError)], true);
}

function textOfError(
  result: RunResult,
  { heading, message, mayBeAccepted }: Extract<Ending, { kind: 'error' }>,
): Text {
  return {
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
