/** What people read: endings, what to do next, and what happened to earlier calls. */
import type { Level } from '../effects.ts';
import type { LedgerWarning } from '../ledger/decide.ts';
import type { Call } from '../ledger/state.ts';
import { linesOf, quote } from '../text/escape.ts';
import { formatDuration, pullName } from '../text/words.ts';
import { ADVICE, adviceFor, SECTIONS, type Section } from './advice.ts';
import { type CallState, type Ending, type Known, SKIPPED } from './ending.ts';

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

const PAGE = 'https://github.com/docs-agent/docs-agent-job/blob/v1/.github/TROUBLESHOOTING.md';

/** The URL of a section of the page. GitHub makes its anchor of the heading. */
export const sectionUrl = (section: Section) =>
  `${PAGE}#${SECTIONS[section].toLowerCase().replaceAll(' ', '-')}`;

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
export function wordingOf(known: Known, ending: Ending): Wording {
  return { outcome: isOutcome(ending.kind) ? ending.kind : 'error', ...wordsOf(known, ending) };
}

function wordsOf(known: Known, ending: Ending): Omit<Wording, 'outcome'> {
  const { job, inputs, call, changes, docsPull, ledger } = known;
  const agentJob = `Agent job ${quote(jobIdOf(known))}`;
  switch (ending.kind) {
    case 'pull-request': {
      const title = docsPull === undefined ? '' : ` ${quote(docsPull.title)}`;
      return {
        heading: `Docs pull request ${isUpdated(known) ? 'updated' : 'ready'}`,
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
          howToTryAgain(known),
          `${agentJob} failed, and Mintlify gives no reason: look at it in the Mintlify dashboard.`,
        ],
        section: 'agent-job',
      };
    case 'pull-request-ended':
      return {
        heading: `The docs pull request was ${ending.how} too early`,
        lines: [
          howToTryAgain(known),
          `${quote(pullName(ending.link))} was ${ending.how} before the agent was done, so its last changes may be missing: ${ending.link}`,
        ],
        section: 'agent-job',
      };
    case 'gone':
      return {
        heading: 'The agent job was not found',
        lines: [
          inputs?.task.kind === 'create'
            ? howToTryAgain(known)
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
          nextStep(known),
          `${agentJob} did not end within ${formatDuration(inputs?.timeoutMs ?? 0)} (\`timeout\`)${check}.`,
        ],
        section: 'timeout',
      };
    }
    case 'cancelled':
      return {
        heading: `Cancelled; ${STATES[call.kind]}`,
        lines: [nextStep(known), `The step was cancelled (${quote(ending.signal)}).`],
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
      const what = known.prompt === undefined ? 'follow' : 'send the prompt in the job summary to';
      return {
        heading: 'Dry run; nothing was sent',
        lines: [`Without \`dryRun\`, this run would ${what} ${nameOf(known)}.`],
      };
    }
    case 'error': {
      const { topic, message } = ending;
      if (call.kind === 'in-doubt')
        return {
          heading: SECTIONS['in-doubt'],
          lines: [nextStep(known), `${message}.`],
          section: 'in-doubt',
        };
      const { section } = ADVICE[topic];
      // Each bad input has a line, which says what to write.
      const what = topic === 'inputs' ? linesOf(message) : [`${message}. ${adviceFor(ending)}`];
      return {
        heading: `${SECTIONS[section]}; ${STATES[call.kind]}`,
        lines: [...what, ...(call.kind === 'accepted' ? [nextStep(known)] : [])],
        section,
      };
    }
  }
}

/** An agent job that has an open pull request may open another one. */
export const isUpdated = ({ appendedTo, job }: Known) =>
  appendedTo !== undefined && appendedTo === job?.prLink;

const RERUN = 're-run the failed jobs';

/** The agent job that the run sent or followed, or that a response named. Empty if there is none. */
export function jobIdOf({ job, inputs, call }: Known): string {
  const called = call.kind === 'not-sent' ? undefined : call.jobId;
  const given = inputs === undefined || inputs.task.kind === 'create' ? '' : inputs.task.jobId;
  return job?.id ?? called ?? given;
}

export function nameOf(known: Known): string {
  const id = jobIdOf(known);
  if (id !== '') return `agent job ${quote(id)}`;
  const { appendedTo } = known;
  return appendedTo ? `the agent job of ${quote(pullName(appendedTo))}` : 'a new agent job';
}

const isMessage = ({ inputs, appendedTo }: Known) =>
  inputs?.task.kind === 'message' || appendedTo !== undefined;

/**
 * The next run on a branch starts where the ledger ends, so it sends what this run did not get
 * covered. It knows nothing of a first run that ended before it had a prompt to claim.
 */
function orNextRun({ ledger, inputs, prompt }: Known): string {
  const isSending =
    ledger?.scope === 'heads' &&
    prompt !== undefined &&
    inputs?.sendsChanges === true &&
    inputs.since === '';
  return isSending ? ', or wait for the next run' : '';
}

/** After a run that sent nothing, or whose agent job came to nothing. */
const howToTryAgain = (known: Known) =>
  known.inputs?.task.kind === 'follow'
    ? 'To try again, start a new run with a prompt and without `jobId`.'
    : `To try again, ${RERUN}${orNextRun(known)}.`;

/** After a run that stopped before its agent job ended. */
function nextStep(known: Known): string {
  const { call, changes, ledger } = known;
  switch (call.kind) {
    case 'not-sent':
      return known.inputs?.task.kind === 'follow'
        ? `To try again, ${RERUN}.`
        : howToTryAgain(known);
    case 'accepted': {
      if (call.rerun === 'follows') return `To wait for the agent job, ${RERUN}.`;
      const again = isMessage(known) ? 'sends the message again' : 'creates a second agent job';
      return `To wait for the agent job, start a new run with \`jobId\` set to ${quote(call.jobId)}, without a prompt or \`pullRequest\`. A re-run ${again}.`;
    }
    case 'in-doubt': {
      const sent = `${isMessage(known) ? 'the message to ' : ''}${nameOf(known)}`;
      const ifThere =
        ledger?.scope === 'heads' && changes !== undefined
          ? `start a new run with \`since\` set to ${quote(changes.to)}, which sends only later changes`
          : 'there is nothing to do';
      return `In the Mintlify dashboard, look for ${sent}. If it is there, ${ifThere}; if not, ${RERUN}${orNextRun(known)}.`;
    }
  }
}

export const waitingLine = ({ run, job }: Call): string =>
  job === null
    ? `Waiting: workflow run ${run} is calling Mintlify.`
    : `Waiting: agent job ${quote(job)} of workflow run ${run} is still active.`;

export function ledgerWarning(warning: LedgerWarning): string {
  switch (warning.kind) {
    case 'doubt':
      return `It is unknown whether Mintlify accepted the prompt of workflow run ${warning.call.run}, so its changes are sent again. Look for a second pull request, and close one of the two.`;
    case 'gone':
      return `Mintlify no longer knows agent job ${quote(warning.call.job ?? '')} of workflow run ${warning.call.run}, so its changes are sent again.`;
    case 'stuck':
      return `Agent job ${quote(warning.call.job ?? '')} of workflow run ${warning.call.run} has been active for over 2 hours, so its changes are sent again.`;
    case 'docs-pull-unreadable':
      return `The token cannot read ${quote(warning.link)}, so the prompt goes to a new agent job and not to this pull request. Set \`githubToken\` to a token that may read its repository, or, if that was renamed, connect Mintlify to its new name.`;
  }
}
