/** What people read: endings, what to do next, and what happened to earlier calls. */
import type { Level } from '../effects.ts';
import { Cancelled, messageOf, SECTION_OF, StepError, type Topic } from '../errors.ts';
import type { RunFacts } from '../github/event.ts';
import type { EarlierEnd, LedgerWarning } from '../ledger/decide.ts';
import { STUCK_MS } from '../limits.ts';
import { linesOf, quote } from '../text/escape.ts';
import { formatDuration, pullName } from '../text/words.ts';
import { adviceOn, SECTIONS, type Section } from './advice.ts';
import { type CallState, type Ending, type Report, SKIPPED } from './ending.ts';

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

export interface Wording {
  readonly outcome: keyof typeof OUTCOMES;
  readonly heading: string;
  /** What the reader does next comes first. Untrusted text is quoted. */
  readonly lines: readonly string[];
  readonly section: Section | undefined;
}

type PlainEnding = Exclude<Ending, { kind: 'stopped' }>;

type Heading = readonly [outcome: Wording['outcome'], heading: string, section?: Section];

const HEADINGS: Readonly<Record<PlainEnding['kind'], Heading>> = {
  'pull-request': ['pull-request', 'Docs pull request ready'],
  'no-changes': ['no-changes', 'Completed without a pull request'],
  archived: ['archived', 'The agent job was archived'],
  failed: ['failed', 'The agent job failed', 'agent-job'],
  'not-found': ['error', 'The agent job was not found', 'agent-job'],
  stuck: ['error', 'The agent job does not end', 'agent-job'],
  merged: ['error', 'The docs pull request was merged too early', 'agent-job'],
  closed: ['error', 'The docs pull request was closed too early', 'agent-job'],
  'timed-out': ['timed-out', 'Timed out; the agent job may still be running', 'timeout'],
  skipped: ['skipped', 'Skipped; nothing was sent'],
  started: ['started', 'Started; not waiting for the agent job'],
  'dry-run': ['dry-run', 'Dry run; nothing was sent'],
};

/** If the step's time is over, that is why git or a request failed. */
export function wordingOf(report: Report, isTimeOver: boolean): Wording {
  const { ending, job, appendedTo } = report;
  const wording =
    ending.kind === 'stopped'
      ? wordsOfStop(report, ending.error, isTimeOver)
      : wordsOf(report, ending);
  const { lines } = wording;
  // A link that is known is shown on every way out.
  const link = job?.prLink || appendedTo || '';
  const isShown = link === '' || lines.some((line) => line.includes(link));
  return isShown ? wording : { ...wording, lines: [...lines, `The docs pull request: ${link}`] };
}

function wordsOf(report: Report, ending: PlainEnding): Wording {
  const [outcome, usual, section] = HEADINGS[ending.kind];
  const isOld = outcome === 'pull-request' && isUpdated(report);
  const heading = isOld ? 'Docs pull request updated' : usual;
  return { outcome, heading, lines: linesOfEnding(report, ending), section };
}

function linesOfEnding(report: Report, ending: PlainEnding): readonly string[] {
  const { job, inputs, prompt, docsPull } = report;
  const agentJob = `Agent job ${quote(jobIdOf(report))}`;
  const tryAgain = howToTryAgain(report);
  switch (ending.kind) {
    case 'pull-request': {
      const title = docsPull === undefined ? '' : ` ${quote(docsPull.title)}`;
      return [`Review the docs pull request${title}: ${job?.prLink ?? ''}`];
    }
    case 'no-changes':
      return [
        `${agentJob} opened no pull request. Either the agent found nothing to change, or the Mintlify project commits without pull requests.`,
      ];
    case 'archived': {
      const line = `${agentJob} was archived in Mintlify, which counts as done.`;
      return [...afterArchived(report), line];
    }
    case 'failed':
      return [
        tryAgain,
        `${agentJob} failed, and Mintlify gives no reason: look at it in the Mintlify dashboard.`,
      ];
    case 'not-found': {
      const line = `${agentJob} was not found: ${ending.said}.`;
      return inputs?.jobId === undefined ? [tryAgain, line] : [COMPARE_IDS, line];
    }
    case 'stuck':
      return [tryAgain, `${agentJob} has been active for over ${formatDuration(STUCK_MS)}.`];
    case 'merged':
    case 'closed':
      return [
        tryAgain,
        `${quote(pullName(ending.link))} was ${ending.kind} before the agent was done, so its last changes may be missing: ${ending.link}`,
      ];
    case 'timed-out': {
      const { lastError } = ending;
      const limit = `${formatDuration(inputs?.timeoutMs ?? 0)} (\`timeout\`)`;
      const check = lastError === undefined ? '' : `, and the last check failed: ${lastError}`;
      return [nextStep(report), `${agentJob} did not end within ${limit}${check}.`];
    }
    case 'skipped':
      return [SKIPPED[ending.reason]];
    case 'started':
      return [`${agentJob} is running, and this step does not wait for it (\`wait: false\`).`];
    case 'dry-run': {
      const what = prompt === undefined ? 'follow' : 'send the prompt in the job summary to';
      return [`Without \`dryRun\`, this run would ${what} ${nameOf(report)}.`];
    }
  }
}

const COMPARE_IDS =
  'Compare `jobId` and `projectId` with the run that created the agent job, then start a new run.';

function afterArchived({ job, changes, ledger }: Report): readonly string[] {
  if (job?.prLink) return [`Review the docs pull request: ${job.prLink}`];
  if (!changes?.from || ledger?.scope !== 'heads') return [];
  const from = quote(changes.from);
  return [`To send these changes again, start a new run with \`since\` set to ${from}.`];
}

function wordsOfStop(report: Report, error: unknown, isTimeOver: boolean): Wording {
  const { call, facts } = report;
  if (error instanceof Cancelled) {
    const heading = `Cancelled; ${whatWasSent(call)}`;
    const lines = [nextStep(report), `The step was cancelled (${quote(error.signal)}).`];
    const section = call?.kind === 'in-doubt' ? 'in-doubt' : 'cancelled';
    return { outcome: 'cancelled', heading, lines, section };
  }
  if (error instanceof StepError && error.topic === 'key-missing' && isWithoutSecrets(facts))
    return wordsOf(report, { kind: 'skipped', reason: 'no-secrets' });
  if (error instanceof StepError) return wordsOfError(report, error, isTimeOver);
  const bug = `This is a bug in the action: ${quote(messageOf(error))}`;
  return wordsOfError(report, new StepError('unexpected', bug), isTimeOver);
}

function wordsOfError(report: Report, error: StepError, isTimeOver: boolean): Wording {
  const { call } = report;
  const { message } = error;
  if (call?.kind === 'in-doubt') {
    const lines = [nextStep(report), `${message}.`];
    return { outcome: 'error', heading: SECTIONS['in-doubt'], lines, section: 'in-doubt' };
  }
  const isCutOff = isTimeOver && ['network', 'git', 'git-network', 'github'].includes(error.topic);
  const topic = isCutOff ? 'cut-off' : error.topic;
  const section = SECTION_OF[topic];
  const heading = `${SECTIONS[section]}; ${whatWasSent(call)}`;
  // Each bad input has a line, which says what to write.
  if (section === 'inputs') return { outcome: 'error', heading, lines: linesOf(message), section };
  const line = `${message}. ${adviceOn(topic, error.detail, call !== undefined)}`;
  const more = call === undefined ? sinceLines(report, topic) : [nextStep(report)];
  const lines = call?.rerun === 'sends' ? [...more, line] : [line, ...more];
  return { outcome: 'error', heading, lines, section };
}

/** GitHub gives such a run no secrets, and whoever started it cannot change that. */
const isWithoutSecrets = ({ eventName, isFork, isForkPullRequest, isDependabot }: RunFacts) =>
  eventName !== 'workflow_dispatch' && (isFork || isForkPullRequest || isDependabot);

function whatWasSent(call: CallState | undefined): string {
  if (call === undefined) return 'nothing was sent';
  return call.kind === 'in-doubt'
    ? 'the prompt may have been sent'
    : 'the agent job may still be running';
}

/** An agent job that has an open pull request may open another one. */
export const isUpdated = ({ appendedTo, job }: Report) =>
  appendedTo !== undefined && appendedTo === job?.prLink;

/** The agent job that the run sent or followed, or that a response named. Empty if there is none. */
export function jobIdOf({ job, call, inputs }: Report): string {
  return job?.id ?? call?.jobId ?? inputs?.jobId ?? '';
}

function nameOf(report: Report): string {
  const id = jobIdOf(report);
  if (id !== '') return `agent job ${quote(id)}`;
  const { appendedTo } = report;
  return appendedTo ? `the agent job of ${quote(pullName(appendedTo))}` : 'a new agent job';
}

const RERUN = 're-run the failed jobs';

/** Whether the changes start where the ledger ends, or else where the event says. */
const hasNoSince = ({ inputs }: Report) => inputs?.sendsChanges === true && inputs.since === '';

/**
 * The next run on a branch starts where the ledger ends, so it sends what this run did not get
 * covered. It knows nothing of a first run that ended before its claim.
 */
function rerunOrWait(report: Report): string {
  const { ledger, isRemembered } = report;
  const isSentNext = ledger?.scope === 'heads' && isRemembered === true && hasNoSince(report);
  return isSentNext ? `${RERUN}, or wait for the next run` : RERUN;
}

/** A new run by hand would start at its own commit, if the ledger has no start, as at a first push. */
function sinceLines(report: Report, topic: Topic): readonly string[] {
  const { facts, isRemembered } = report;
  const { before = '' } = facts.payload;
  // Other events have a `before` that is none of this branch.
  if (facts.eventName !== 'push' || !facts.ref.startsWith('refs/heads/')) return [];
  const isKnown = isRemembered === true || topic === 'write-denied';
  if (isKnown || !hasNoSince(report) || /^0*$/.test(before)) return [];
  // Of a ledger that starts over, every run is the first one.
  const isFirst = isRemembered === false || topic === 'ledger-unreadable';
  const when = isFirst ? 'you start' : 'this is the first run on this branch and you start';
  const since = `set \`since\` to ${quote(before)}, where these changes start`;
  return [`If ${when} a new run, ${since}.`];
}

/** After an agent job that came to nothing. */
const howToTryAgain = (report: Report) =>
  report.inputs !== undefined && report.inputs.prompt === undefined
    ? 'To try again, start a new run with a prompt and without `jobId`.'
    : `To try again, ${rerunOrWait(report)}.`;

/** After a run that stopped before its agent job ended. */
function nextStep(report: Report): string {
  const { call, inputs, appendedTo, changes, ledger } = report;
  if (call === undefined) return `To try again, ${rerunOrWait(report)}.`;
  const isMessage = inputs?.jobId !== undefined || appendedTo !== undefined;
  if (call.kind === 'in-doubt') {
    const sent = `${isMessage ? 'the message to ' : ''}${nameOf(report)}`;
    const ifThere =
      ledger?.scope === 'heads' && changes !== undefined
        ? `start a new run with \`since\` set to ${quote(changes.to)}, which sends only later changes`
        : 'there is nothing to do';
    return `In the Mintlify dashboard, look for ${sent}. If it is there, ${ifThere}; if not, ${rerunOrWait(report)}.`;
  }
  if (call.rerun === 'follows') return `To wait for the agent job, ${RERUN}.`;
  const [again, it] = isMessage
    ? ['sends the message again', 'the agent job']
    : ['creates a second agent job', 'the first one'];
  const without = inputs?.pullRequest === 'append' ? ' or `pullRequest`' : '';
  return `Do not re-run: that ${again}; to wait for ${it}, start a new run with \`jobId\` set to ${quote(call.jobId)} and without a prompt${without}.`;
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
