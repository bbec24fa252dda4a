/** What people read: endings, what to do next, and what happened to earlier calls. */
import type { Level } from '../effects.ts';
import type { Topic } from '../errors.ts';
import type { EarlierEnd, LedgerWarning } from '../ledger/decide.ts';
import { STUCK_MS } from '../limits.ts';
import { linesOf, quote } from '../text/escape.ts';
import { formatDuration, pullName } from '../text/words.ts';
import { ADVICE, SECTIONS, type Section } from './advice.ts';
import { type CallState, type Report, type Shown, SKIPPED } from './ending.ts';

export const OUTCOMES = {
  'pull-request': { level: 'notice', icon: '✅' },
  'no-changes': { level: 'notice', icon: '✅' },
  archived: { level: 'warning', icon: '⚠️' },
  failed: { level: 'error', icon: '❌' },
  'timed-out': { level: 'error', icon: '⏳' },
  cancelled: { level: 'error', icon: '⏹️' },
  skipped: { level: 'notice', icon: '⏭️' },
  started: { level: 'notice', icon: '▶️' },
  'dry-run': { level: 'notice', icon: '📝' },
  error: { level: 'error', icon: '❌' },
} as const satisfies Record<string, { level: Level; icon: string }>;

const isOutcome = (kind: string): kind is keyof typeof OUTCOMES => kind in OUTCOMES;

export interface Wording {
  readonly outcome: keyof typeof OUTCOMES;
  readonly heading: string;
  /** What the reader does next comes first. Untrusted text is quoted. */
  readonly lines: readonly string[];
  readonly section?: Section;
}

const STATES: Readonly<Record<CallState['kind'], string>> = {
  'not-sent': 'nothing was sent',
  accepted: 'the agent job may still be running',
  'in-doubt': 'the prompt may have been sent',
};

/** An ending whose kind is not an outcome is an error. */
export function wordingOf(report: Report, ending: Shown): Wording {
  const outcome = isOutcome(ending.kind) ? ending.kind : 'error';
  const { lines, ...words } = wordsOf(report, ending);
  // A link that is known is shown on every way out.
  const link = report.job?.prLink || report.appendedTo || '';
  const isShown = link === '' || outcome === 'skipped' || lines.some((line) => line.includes(link));
  return {
    outcome,
    ...words,
    lines: isShown ? lines : [...lines, `The docs pull request: ${link}`],
  };
}

function wordsOf(report: Report, ending: Shown): Omit<Wording, 'outcome'> {
  const { job, inputs, changes, docsPull, ledger } = report;
  const call = callOf(report);
  const agentJob = `Agent job ${quote(jobIdOf(report))}`;
  switch (ending.kind) {
    case 'pull-request': {
      const title = docsPull === undefined ? '' : ` ${quote(docsPull.title)}`;
      return {
        heading: `Docs pull request ${isUpdated(report) ? 'updated' : 'ready'}`,
        lines: [`Review the docs pull request${title}: ${job?.prLink ?? ''}`],
      };
    }
    case 'no-changes':
      return {
        heading: 'Completed without a pull request',
        lines: [
          `${agentJob} opened no pull request. Either the agent found nothing to change, or the Mintlify project commits without pull requests.`,
        ],
      };
    case 'archived': {
      const lines = [`${agentJob} was archived in Mintlify, which counts as done.`];
      if (job?.prLink) lines.unshift(`Review the docs pull request: ${job.prLink}`);
      else if (changes?.from && ledger?.scope === 'heads')
        lines.unshift(
          `To send these changes again, start a new run with \`since\` set to ${quote(changes.from)}.`,
        );
      return { heading: 'The agent job was archived', lines };
    }
    case 'failed':
      return {
        heading: 'The agent job failed',
        lines: [
          howToTryAgain(report),
          `${agentJob} failed, and Mintlify gives no reason: look at it in the Mintlify dashboard.`,
        ],
        section: 'agent-job',
      };
    case 'stuck':
      return {
        heading: 'The agent job does not end',
        lines: [
          howToTryAgain(report),
          `${agentJob} has been active for over ${formatDuration(STUCK_MS)}.`,
        ],
        section: 'agent-job',
      };
    case 'merged':
    case 'closed':
      return {
        heading: `The docs pull request was ${ending.kind} too early`,
        lines: [
          howToTryAgain(report),
          `${quote(pullName(ending.link))} was ${ending.kind} before the agent was done, so its last changes may be missing: ${ending.link}`,
        ],
        section: 'agent-job',
      };
    case 'not-found':
      return {
        heading: 'The agent job was not found',
        lines: [
          inputs?.task.kind === 'create'
            ? howToTryAgain(report)
            : 'Compare `jobId` and `projectId` with the run that created the agent job, then start a new run.',
          `${agentJob} was not found: ${ending.said}.`,
        ],
        section: 'agent-job',
      };
    case 'timed-out': {
      const { lastError } = ending;
      const check = lastError === undefined ? '' : `, and the last check failed: ${lastError}`;
      return {
        heading: `Timed out; ${STATES[call.kind]}`,
        lines: [
          nextStep(report),
          `${agentJob} did not end within ${formatDuration(inputs?.timeoutMs ?? 0)} (\`timeout\`)${check}.`,
        ],
        section: 'timeout',
      };
    }
    case 'cancelled':
      return {
        heading: `Cancelled; ${STATES[call.kind]}`,
        lines: [nextStep(report), `The step was cancelled (${quote(ending.signal)}).`],
        section: call.kind === 'in-doubt' ? 'in-doubt' : 'cancelled',
      };
    case 'skipped':
      return { heading: 'Skipped; nothing was sent', lines: [SKIPPED[ending.reason]] };
    case 'started':
      return {
        heading: 'Started; not waiting for the agent job',
        lines: [`${agentJob} is running, and this step does not wait for it (\`wait: false\`).`],
      };
    case 'dry-run': {
      const what = report.prompt === undefined ? 'follow' : 'send the prompt in the job summary to';
      return {
        heading: 'Dry run; nothing was sent',
        lines: [`Without \`dryRun\`, this run would ${what} ${nameOf(report)}.`],
      };
    }
    case 'error':
      return wordsOfError(report, ending);
  }
}

function wordsOfError(
  report: Report,
  { topic, about, message }: Extract<Shown, { kind: 'error' }>,
): Omit<Wording, 'outcome'> {
  const call = callOf(report);
  const next = nextStep(report);
  if (call.kind === 'in-doubt')
    return { heading: SECTIONS['in-doubt'], lines: [next, `${message}.`], section: 'in-doubt' };
  const { section, text } = ADVICE[topic];
  const heading = `${SECTIONS[section]}; ${STATES[call.kind]}`;
  // Each bad input has a line, which says what to write.
  if (topic === 'inputs') return { heading, lines: linesOf(message), section };
  const line = `${message}. ${text(about, call.kind === 'accepted')}`;
  if (call.kind !== 'accepted')
    return { heading, lines: [line, ...sinceLines(report, topic)], section };
  return { heading, lines: call.rerun === 'follows' ? [line, next] : [next, line], section };
}

/** By default, nothing was sent. */
export const callOf = ({ call = { kind: 'not-sent' } }: Report): CallState => call;

/** An agent job that has an open pull request may open another one. */
export const isUpdated = ({ appendedTo, job }: Report) =>
  appendedTo !== undefined && appendedTo === job?.prLink;

const RERUN = 're-run the failed jobs';

/** The agent job that the run sent or followed, or that a response named. Empty if there is none. */
export function jobIdOf(report: Report): string {
  const { job, inputs } = report;
  const call = callOf(report);
  const called = call.kind === 'not-sent' ? undefined : call.jobId;
  const given = inputs === undefined || inputs.task.kind === 'create' ? '' : inputs.task.jobId;
  return job?.id ?? called ?? given;
}

export function nameOf(report: Report): string {
  const id = jobIdOf(report);
  if (id !== '') return `agent job ${quote(id)}`;
  const { appendedTo } = report;
  return appendedTo ? `the agent job of ${quote(pullName(appendedTo))}` : 'a new agent job';
}

const isMessage = ({ inputs, appendedTo }: Report) =>
  inputs?.task.kind === 'message' || appendedTo !== undefined;

/**
 * The next run on a branch starts where the ledger ends, so it sends what this run did not get
 * covered. It knows nothing of a first run that ended before its claim.
 */
function orNextRun({ ledger, inputs, isRemembered }: Report): string {
  const isSent = inputs?.sendsChanges === true && inputs.since === '' && isRemembered === true;
  return ledger?.scope === 'heads' && isSent ? ', or wait for the next run' : '';
}

/** A new run by hand would start at its own commit, if nothing remembers where this push starts. */
function sinceLines({ facts, inputs, isRemembered = false }: Report, topic: Topic) {
  const { before = '' } = facts.payload;
  // Other events have a `before` that is none of this branch.
  if (facts.eventName !== 'push' || !facts.ref.startsWith('refs/heads/')) return [];
  const isFirst = inputs?.sendsChanges === true && inputs.since === '' && !isRemembered;
  if (!isFirst || /^0*$/.test(before) || topic === 'write-denied') return [];
  return [`If you start a new run, set \`since\` to ${quote(before)}, where these changes start.`];
}

/** After a run that sent nothing, or whose agent job came to nothing. */
const howToTryAgain = (report: Report) =>
  report.inputs?.task.kind === 'follow'
    ? 'To try again, start a new run with a prompt and without `jobId`.'
    : `To try again, ${RERUN}${orNextRun(report)}.`;

/** After a run that stopped before its agent job ended. */
function nextStep(report: Report): string {
  const { changes, ledger, inputs } = report;
  const call = callOf(report);
  switch (call.kind) {
    case 'not-sent':
      return inputs?.task.kind === 'follow' ? `To try again, ${RERUN}.` : howToTryAgain(report);
    case 'accepted': {
      if (call.rerun === 'follows') return `To wait for the agent job, ${RERUN}.`;
      const [again, it] = isMessage(report)
        ? ['sends the message again', 'the agent job']
        : ['creates a second agent job', 'the first one'];
      const without = inputs?.pullRequest === 'append' ? ' or `pullRequest`' : '';
      return `Do not re-run: that ${again}; to wait for ${it}, start a new run with \`jobId\` set to ${quote(call.jobId)} and without a prompt${without}.`;
    }
    case 'in-doubt': {
      const sent = `${isMessage(report) ? 'the message to ' : ''}${nameOf(report)}`;
      const ifThere =
        ledger?.scope === 'heads' && changes !== undefined
          ? `start a new run with \`since\` set to ${quote(changes.to)}, which sends only later changes`
          : 'there is nothing to do';
      return `In the Mintlify dashboard, look for ${sent}. If it is there, ${ifThere}; if not, ${RERUN}${orNextRun(report)}.`;
    }
  }
}

/** Of an earlier run, whose end nobody had recorded: that run may have been cancelled. */
export function earlierEndText({ call, end }: EarlierEnd): string {
  const who = `Agent job ${quote(call.job)} of workflow run ${call.run}`;
  switch (end.kind) {
    case 'pull-request':
      return `${who} has ended with a docs pull request: ${end.job.prLink}`;
    case 'no-changes':
      return `${who} has completed without a pull request.`;
    case 'archived':
      return `${who} was archived.${end.job.prLink && ` Its docs pull request: ${end.job.prLink}`}`;
    case 'merged':
    case 'closed':
      return `${who} was not done before its docs pull request was ${end.kind}, so its changes are sent again: ${end.link}`;
    case 'failed':
      return `${who} failed, so its changes are sent again.`;
    case 'not-found':
      return `${who} is no longer known to Mintlify, so its changes are sent again.`;
    case 'stuck':
      return `${who} has been active for over ${formatDuration(STUCK_MS)}, so its changes are sent again.`;
  }
}

export function ledgerWarning(warning: LedgerWarning): string {
  switch (warning.kind) {
    case 'doubt':
      return `It is unknown whether Mintlify accepted the prompt of workflow run ${warning.call.run}, so its changes are sent again. Look for a second pull request, and close one of the two.`;
    case 'elsewhere':
      return `${quote(warning.link)} is on another host than this repository, so the prompt goes to a new agent job. \`pullRequest: append\` needs a docs repository on the same host.`;
    case 'unreadable':
      return `The token cannot read ${quote(warning.link)}, so the prompt goes to a new agent job and not to this pull request. Set \`githubToken\` to a token that may read its repository, or, if that was renamed, connect Mintlify to its new name.`;
  }
}
