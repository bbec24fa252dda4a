import { isActive, type JobEnd } from '../model/agent-job.ts';
import type { KnownChangesOverview, SkipReason } from '../model/changes.ts';
import type { RerunEffect } from '../model/record.ts';
import type { CallState } from '../model/run-error.ts';
import { isDispatched, settingsUrl } from '../model/run-facts.ts';
import { isNamedStart } from '../model/start.ts';
import { formatDuration, utcMinute } from '../text/duration.ts';
import { quote } from '../text/escape.ts';
import { NEW_RUN_URL, pageUrl } from '../text/pages.ts';
import { pullRequestOf } from '../text/pull-request-link.ts';
import { withoutCredentials } from '../text/url.ts';
import {
  capitalize,
  listInWords,
  newRun,
  newRunSince,
  pluralize,
  shortRef,
} from '../text/words.ts';
import type { Ending, RunResult } from './ending.ts';
import { existedBefore } from './pull-operation.ts';

const OUTCOMES = {
  'pull-request': { level: 'notice', icon: '✅' },
  'no-changes': { level: 'notice', icon: '✅' },
  archived: { level: 'warning', icon: '⚠️' },
  failed: { level: 'error', icon: '❌' },
  'timed-out': { level: 'error', icon: '⏳' },
  cancelled: { level: 'error', icon: '⏹️' },
  skipped: { level: 'notice', icon: '⏭️' },
  started: { level: 'notice', icon: '▶️' },
  'dry-run': { level: 'notice', icon: '📝' },
  'unusable-link': { level: 'warning', icon: '⚠️' },
  error: { level: 'error', icon: '❌' },
} as const;

export type Outcome = keyof typeof OUTCOMES;

/** What an ending means for the step, and the texts that describe it. */
export interface Wording {
  readonly outcome: Outcome;
  readonly level: 'notice' | 'warning' | 'error';
  readonly icon: string;
  readonly isFailure: boolean;
  readonly heading: string;
  /** The link to the pull request in a sentence. The summary shows the pull request instead. */
  readonly pullMessage?: string;
  /** What happened and why, one paragraph each, with untrusted text between backticks. */
  readonly messages: readonly string[];
  /** The agent job may still have a result, so the reader may want to follow it. */
  readonly isFollowable: boolean;
}

function say(
  outcome: Outcome,
  heading: string,
  messages: readonly string[],
  isFollowable = false,
): Wording {
  const { level, icon } = OUTCOMES[outcome];
  return { outcome, level, icon, isFailure: level === 'error', heading, messages, isFollowable };
}

export function wordingOf(result: RunResult): Wording {
  const { ending, inputs, job, isAccepted } = result;
  const agentJob = `Agent job ${quote(job.id)}`;
  switch (ending.kind) {
    case 'ended':
      return wordingOfEnd(ending.end, result);
    case 'started': {
      // The record of the agent job is an annotation too, so the heading says more than that.
      const headings = {
        create: 'Agent job started; not waiting for it',
        message: 'Follow-up message sent; not waiting for the agent job',
        follow: capitalize(headingOfState(result)),
      };
      const call = isAccepted ? (inputs?.task.kind ?? 'create') : 'follow';
      const message = `This step does not wait for agent job ${quote(job.id)} (\`wait: false\`).`;
      return say('started', headings[call], [message], true);
    }
    case 'timed-out': {
      const didNotEnd = isRunning(result) ? 'did not end' : 'was not seen to end';
      const timeout = formatDuration(inputs?.timeoutMs ?? 0);
      const event = `${agentJob} ${didNotEnd} within ${timeout} (\`timeout\`).`;
      const state = headingOfState(result);
      return say('timed-out', `Timed out; ${state}`, withState(event, result), true);
    }
    case 'not-found': {
      const message = isAccepted
        ? `${agentJob} exists, because the service accepted it in this run, but it still cannot be read: ${ending.error}`
        : `${agentJob} was not found: ${ending.error}`;
      return say('error', 'The agent job was not found', [message], isAccepted);
    }
    case 'unreadable': {
      const message = `${agentJob} could not be read: ${ending.error}`;
      return say('error', 'The agent job could not be read', [message], true);
    }
    case 'skipped': {
      const { reason } = ending;
      const messages = [...whySkipped(result, reason), ...notChecked(result)];
      const wording = say('skipped', `Skipped; ${SKIPPED[reason]}`, messages);
      const isSurprising = reason === 'nothing-to-start-from' && !isFirstOfSchedule(result);
      return isSurprising ? { ...wording, level: 'warning' } : wording;
    }
    case 'overtaken': {
      const messages = overtaken(ending.by, result);
      return say('skipped', 'Skipped; a newer run has these changes', messages);
    }
    case 'missed': {
      const how = ending.how ?? 'closed';
      const docs = how === 'merged' ? 'may be missing from the docs' : 'is not in the docs';
      const messages = [
        `${quote(ending.name)} was ${how} before the agent was seen to finish, so what it wrote ${docs}. Look for it on the branch of the pull request: ${ending.link}`,
        ...sentBy(result, ' again'),
      ];
      const heading = `The agent was not seen to finish; the pull request was ${how}`;
      return say('error', heading, messages);
    }
    case 'last-at-work': {
      const limit = formatDuration(ending.limitMs);
      const share = ending.isHalf ? 'half' : 'what was left';
      const messages = [
        `Agent job ${quote(ending.lastId)}, the last one of this step, did not end within ${limit} (${share} of \`timeout\`). No prompt was sent, so that two agents do not work on the same pages.`,
        ...sentBy(result),
      ];
      return say('timed-out', 'Timed out; the last agent job is still running', messages);
    }
    case 'dry-run': {
      const messages = [whatWouldHappen(result), ...notChecked(result)];
      return say('dry-run', 'Dry run; nothing was sent', messages);
    }
    case 'cancelled':
      return wordingOfCancel(result, ending);
    case 'bad-inputs':
      return say('error', 'The inputs cannot be used', ending.problems);
    case 'error': {
      const { heading, message, call } = ending;
      const isInDoubt = call.kind === 'in-doubt';
      const messages = isInDoubt ? [message, whatToCheck(result, call)] : [message];
      return say('error', heading, messages, isAccepted && job.id !== '');
    }
  }
}

/** Whether the prompt goes to an agent job as a follow-up message. */
export const hasMessage = ({ inputs, appendedTo }: RunResult) =>
  inputs?.task.kind === 'message' || appendedTo !== undefined;

/** What is known about an agent job that wasn't seen to end. */
function headingOfState(result: RunResult): string {
  const { job } = result;
  if (job.status === '') return 'the state of the agent job is not known';
  return isRunning(result)
    ? 'the agent job is still running'
    : 'the agent job may still be running';
}

/** Whether this run's last check showed the agent job working. */
const isRunning = ({ job, wasSeen, lastError }: RunResult) =>
  isActive(job) && wasSeen && lastError === undefined;

/** What happened, and what is known about the agent job, which wasn't seen to end. */
function withState(event: string, result: RunResult): readonly string[] {
  const { job, lastError } = result;
  const known = [
    job.status !== '' && !isActive(job) && `its last known status is ${quote(job.status)}`,
    lastError !== undefined && `the last check failed: ${lastError}`,
  ].filter((clause) => clause !== false);
  const although = known.length === 0 ? '' : `, although ${listInWords(known)}`;
  const next = existedBefore(result) ? 'add to its pull request' : 'open a pull request';
  return [`${event} It may still ${next}${although}.`];
}

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  'no-matching-file': 'no relevant file changed',
  'nothing-changed': 'no relevant file changed',
  'no-documentation-needed': 'no documentation needed',
  'sent-as-it-is': 'these changes were sent before',
  'nothing-to-start-from': 'nothing to start from',
  'all-done': 'everything up to this commit is done',
  'since-is-head': 'no change after `since`',
  fork: 'this repository is a fork without a key',
};

function whySkipped(result: RunResult, reason: SkipReason): readonly string[] {
  const { changes, inputs, facts } = result;
  const sent = notSent(result);
  if (reason === 'fork') {
    const key = `This repository is a fork, and \`adminApiKey\` is not set. That is no failure, as most forks are only kept in sync. To use this step here, set the secret at ${settingsUrl(facts, 'secrets')}`;
    return [`${key}. ${sent}`];
  }
  if (reason === 'all-done') {
    const later = inputs?.dryRun
      ? 'Without `dryRun`, later runs would start here'
      : 'Later runs start here';
    return [
      `\`since\` is the commit of this run, so everything up to it counts as done. ${later}. ${sent}`,
    ];
  }
  if (reason === 'since-is-head') {
    return [`\`since\` names the commit of this run, or a later one. ${sent}`];
  }
  if (changes === undefined) return [sent];
  if (changes.kind === 'unknown') {
    const start = `There is nothing to start from: ${changes.reason}. ${sent}`;
    return [start, ...afterNoStart(result)];
  }
  if (changes.pull !== undefined) return whyPullSkipped(result, reason, changes);
  const { commits, files, base, patterns, exampleFiles, skipped } = changes;
  const since = `since ${quote(shortRef(base))}`;
  if (reason === 'no-documentation-needed') {
    const need = commits === 1 ? 'The commit' : `All ${commits} commits`;
    return [
      `${need} ${since} ${commits === 1 ? 'needs' : 'need'} no documentation. ${sent}`,
      `Skipped by ${listInWords(skipped.by)}.`,
      ...whatBecomesOfSkipped(result, base, skipped.undo),
    ];
  }
  if (files === 0) return [`No file changed ${since}. ${sent}`];
  return [
    `${pluralize(files, 'file')} changed ${since}, and ${noneMatches(files)} \`paths\`. ${sent}`,
    ...whatDoesNotMatch(patterns, exampleFiles, files),
    ...whatBecomesOfSkipped(result, base, ['change `paths`']),
  ];
}

/** Why no changes of a pull request are sent. */
function whyPullSkipped(
  result: RunResult,
  reason: SkipReason,
  { pull, base, files, patterns, exampleFiles, skipped }: KnownChangesOverview,
): readonly string[] {
  const sent = notSent(result);
  if (reason === 'sent-as-it-is') {
    return [
      `An agent job already has the changes of pull request #${pull} as they are now. ${sent}`,
    ];
  }
  if (reason === 'no-documentation-needed') {
    return [
      `Pull request #${pull} needs no documentation. ${sent}`,
      `Skipped by ${listInWords(skipped.by)}.`,
      ...whatBecomesOfSkipped(result, base, skipped.undo),
    ];
  }
  if (files === 0) return [`Pull request #${pull} changes no file. ${sent}`];
  return [
    `Pull request #${pull} changes ${pluralize(files, 'file')}, and ${noneMatches(files)} \`paths\`. ${sent}`,
    ...whatDoesNotMatch(patterns, exampleFiles, files),
    ...whatBecomesOfSkipped(result, base, ['change `paths`']),
  ];
}

const noneMatches = (files: number) => (files === 1 ? 'it does not match' : 'none of them matches');

const whatDoesNotMatch = (
  patterns: readonly string[],
  exampleFiles: readonly string[],
  files: number,
) => [
  `\`paths\`: ${listOf(patterns, patterns.length)}.`,
  `Changed: ${listOf(exampleFiles, files)}.`,
];

function overtaken(by: number, result: RunResult): readonly string[] {
  const newer = `run #${by} of this workflow is newer and has them`;
  const again = 'To send the prompt of this run, start a new run with it.';
  return [
    `The changes of this run were not sent: ${newer}. ${notSent(result)}`,
    ...(isDispatched(result.facts.eventName) ? [again] : []),
    ...notChecked(result),
  ];
}

const notSent = (result: RunResult) =>
  hasMessage(result) ? 'The message was not sent.' : 'No agent job was created.';

/**
 * Says what becomes of skipped changes, because otherwise nobody notices that a wrong `paths` or
 * `skip` loses them. The reader must do `undo` first, or the next run skips the same changes again.
 */
function whatBecomesOfSkipped(
  { inputs, record: left, facts, changes }: RunResult,
  base: string,
  undo: readonly string[],
): readonly string[] {
  if (inputs?.dryRun) return [];
  if (undo.length === 0) {
    const page = pageUrl('RECIPES.md#by-hand');
    return [
      `\`[skip docs]\` in a commit's message cannot be taken back. To document the change anyway, describe it in a prompt of its own (${page}).`,
    ];
  }
  const first = `To send them anyway, first ${listInWords(undo)}`;
  if (/^pull_request/.test(facts.eventName ?? '')) {
    const isInFile = undo.some((one) => one.startsWith('change'));
    if (!isInFile) return [`${first}, then press "Re-run all jobs".`];
    // A re-run uses the workflow file of its own commit, and a merged pull request has no other
    // run.
    const isMerged = changes?.kind === 'known' && changes.isPullMerged === true;
    return [
      isMerged
        ? `${first}, then ${newRunSince('the first of them')} (${NEW_RUN_URL}).`
        : `${first}: the next run of this pull request sends them.`,
    ];
  }
  const range = left?.content.range;
  const what =
    range === undefined ? 'No later run sends these changes' : 'These changes count as done';
  const run = newRun(quote(range?.from ?? base));
  return [`${what}. ${first}, then ${run} (${NEW_RUN_URL}).`];
}

/** The first run of a schedule has nothing to start from, and nobody needs to act. */
const isFirstOfSchedule = ({ changes, facts }: RunResult) =>
  facts.eventName === 'schedule' && changes?.kind === 'unknown' && changes.isFirstRun;

/** What the reader can do when there is nothing to start from. */
function afterNoStart({ facts, inputs, record }: RunResult): readonly string[] {
  const { eventName } = facts;
  const isFiltered = (inputs?.paths ?? []).length > 0;
  const advice: string[] = [];
  if (record?.content.range !== undefined) {
    const isAlone = isDispatched(eventName) && !isFiltered;
    const alone = isAlone ? ` ${SEND_ALONE}` : '';
    advice.push(`The next run starts at the commit of this one.${alone}`);
    // A schedule that runs less often would never find where to start.
    if (eventName === 'schedule') advice.push(GITHUB_FORGETS);
  }
  const without = isFiltered ? 'set `changes: none` and remove `paths`' : 'set `changes: none`';
  return [
    ...advice,
    `To send earlier changes, ${newRunSince('the first of them')} (${NEW_RUN_URL}). For a prompt that needs no changes, ${without}.`,
  ];
}

const SEND_ALONE = 'To send the prompt without changes, start another run with `dryRun: false`.';
const GITHUB_FORGETS =
  "If the schedule runs less often than GitHub keeps runs (90 days, unless the repository's settings for Actions say otherwise), set `since`.";

const MAX_LISTED = 10;

/** The first of `total` names, and how many more there are. */
function listOf(names: readonly string[], total: number): string {
  const shown = names.slice(0, MAX_LISTED).map(quote);
  const more = total - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/**
 * Says what a dry run left unchecked. A misspelled secret looks like a missing one, which a dry run
 * allows.
 */
function notChecked({ inputs }: RunResult): readonly string[] {
  if (!inputs?.dryRun) return [];
  return inputs.adminApiKey === undefined
    ? ['No `adminApiKey` was given, so neither the key nor `projectId` was checked.']
    : ['A dry run does not check `projectId`.'];
}

function whatWouldHappen({ prompt, job, appendedTo }: RunResult): string {
  if (appendedTo !== undefined) {
    return `Without \`dryRun\`, this step would add to the open pull request ${quote(appendedTo)}: the prompt in the job summary would go to its agent job as a follow-up message.`;
  }
  if (prompt === undefined) {
    return `Without \`dryRun\`, this step would follow agent job ${quote(job.id)}.`;
  }
  return job.id === ''
    ? 'Without `dryRun`, this step would create an agent job with the prompt in the job summary.'
    : `Without \`dryRun\`, this step would send agent job ${quote(job.id)} the follow-up message in the job summary.`;
}

function wordingOfEnd(end: JobEnd, result: RunResult): Wording {
  const { job, hasChanged, rerunEffect } = result;
  const { prLink, refusedPrLink } = job;
  const id = quote(job.id);
  const link = quote(withoutCredentials(refusedPrLink));
  const namesNone = `The service no longer names the pull request of agent job ${id}.`;
  const look = `Look at agent job ${id} in the Mintlify dashboard.`;
  switch (end) {
    case 'pull-request': {
      // The change may be a reviewer's push.
      if (hasChanged) {
        const pullMessage = `${pullName(prLink)} has changed since the message: ${prLink}`;
        return { ...say(end, 'Docs pull request updated', []), pullMessage };
      }
      const pullMessage = existedBefore(result)
        ? `The agent has finished. Its pull request: ${prLink}`
        : `The agent opened a pull request: ${prLink}`;
      return { ...say(end, 'Docs pull request ready', []), pullMessage };
    }
    case 'no-changes': {
      if (prLink !== '') {
        const same = `${pullName(prLink)} has not changed since the message.`;
        return say(end, 'Completed; the pull request has not changed', [same]);
      }
      if (refusedPrLink === '') {
        if (existedBefore(result)) {
          return say(end, 'Completed without a pull request', [`${namesNone} ${look}`]);
        }
        const none = `Agent job ${id} opened no pull request. Either the agent found nothing to change, or the Mintlify project commits without pull requests.`;
        return say(end, 'Completed without a pull request', [none]);
      }
      const message = `The link ${link} contains credentials or is not an http(s) URL. ${look}`;
      const heading = 'Completed: the pull request link cannot be used';
      return say('unusable-link', heading, [message]);
    }
    case 'archived': {
      const without = existedBefore(result) ? namesNone : `Agent job ${id} has no pull request.`;
      const noLink =
        refusedPrLink === '' ? without : `The link of its pull request cannot be used: ${link}.`;
      const again =
        rerunEffect === 'sends' ? ['To send the prompt again, press "Re-run all jobs".'] : [];
      const first = prLink === '' ? [noLink] : [];
      const wording = say(end, 'The agent job was archived', [
        ...first,
        ARCHIVED,
        ...again,
        ...(prLink === '' ? whatStaysOpen(result) : []),
      ]);
      return prLink === '' ? wording : { ...wording, pullMessage: `Its pull request: ${prLink}` };
    }
    case 'failed': {
      const again = rerunEffect === 'sends' ? [SEND_AGAIN] : [];
      const failed = `Agent job ${id} failed, and the service gives no reason: look at it in the Mintlify dashboard.`;
      return say(end, 'The agent job failed', [failed, ...again, ...whatStaysOpen(result)]);
    }
  }
}

const SEND_AGAIN = 'To send the prompt again, press "Re-run failed jobs".';

/** If an agent job fails after a message, its pull request gets no more changes. */
function whatStaysOpen(result: RunResult): readonly string[] {
  const { pullBefore, pullLink, docs } = result;
  if (pullBefore.kind !== 'existing' && !existedBefore(result)) return [];
  const link = (pullBefore.kind === 'existing' && pullBefore.link) || pullLink;
  // `docs` is what GitHub says of `pullLink`.
  const isOpen = link === pullLink ? docs?.isOpen : undefined;
  if (link === '' || isOpen === false) return [];
  const stays = isOpen ? 'stays open' : 'may still be open';
  return [`${pullName(link)} ${stays}, and nothing more is added to it: ${link}`];
}

const ARCHIVED =
  'An archived agent job does no more work. It can be archived in the Mintlify dashboard.';

/** A pull request's name as people write it, or its link. */
function pullName(link: string): string {
  const pull = pullRequestOf(link);
  return quote(pull === undefined ? link : `${pull.repository}#${pull.number}`);
}

type Ended<K extends Ending['kind']> = Extract<Ending, { kind: K }>;

function wordingOfCancel(result: RunResult, ending: Ended<'cancelled'>): Wording {
  const { job, isAccepted, resumedFrom } = result;
  const { signal, call } = ending;
  const id = quote(job.id);
  const cancelled = `The step was cancelled (${signal})`;
  const sayCancelled = (heading: string, messages: readonly string[], isFollowable = false) =>
    say('cancelled', `Cancelled; ${heading}`, messages, isFollowable);

  if (call.kind === 'in-doubt') {
    const message = `${cancelled} before the service responded, so it may have accepted the request.`;
    const messages = [message, whatToCheck(result, call)];
    return sayCancelled('the request may have been accepted', messages);
  }
  if (job.id === '') {
    const isFirst = result.facts.attempt === 1;
    const message = isFirst
      ? `${cancelled} before an agent job was created.`
      : `${cancelled} before this attempt created an agent job.`;
    const heading = isFirst ? 'no agent job was created' : 'this attempt created no agent job';
    return sayCancelled(heading, [message, ...nextAfterCancel(result)]);
  }
  if (hasMessage(result) && !isAccepted && resumedFrom === undefined) {
    const isFirst = result.facts.attempt === 1;
    const message = isFirst
      ? `${cancelled} before the follow-up message to agent job ${id} was sent.`
      : `${cancelled} before this attempt sent the follow-up message to agent job ${id}.`;
    const heading = isFirst ? 'the follow-up message was not sent' : 'this attempt sent no message';
    return sayCancelled(heading, [message, ...nextAfterCancel(result)]);
  }
  if (job.end !== undefined) {
    const message = `${cancelled} after agent job ${id} had ended with the status ${quote(job.status)}.`;
    return sayCancelled('the agent job had already ended', [message]);
  }
  const message = `${cancelled}, which does not cancel agent job ${id}: the service has no call for that.`;
  return sayCancelled(headingOfState(result), withState(message, result), true);
}

/** What to do after a cancel before the call. Without a decision to send, a re-run looks again. */
const nextAfterCancel = (result: RunResult): readonly string[] =>
  result.rerunEffect === 'sends' ? sentBy(result) : ['To try again, press "Re-run failed jobs".'];

/**
 * What to do when the service may have accepted the call. The reader looks first, because the call
 * may have cost credits.
 */
function whatToCheck(
  result: RunResult,
  { namedId }: Extract<CallState, { kind: 'in-doubt' }>,
): string {
  const { job, endedAtMs, rerunEffect, lookedAtBy } = result;
  const isNextLooking = lookedAtBy === 'next';
  const record = result.record?.content;
  const time = utcMinute(endedAtMs);
  const id = namedId === undefined ? '' : ` (the response named the id ${quote(namedId)})`;
  const look = hasMessage(result)
    ? `Look at agent job ${quote(job.id)} in the Mintlify dashboard for a message from about ${time}.`
    : `Look in the Mintlify dashboard and among the pull requests of the docs repository for an agent job from about ${time}${id}.`;
  // Later runs start where this one did, unless a person declares everything done.
  const mayBeSentAgain = isNextLooking || isNamedByHand(result);
  const found =
    mayBeSentAgain && record?.range !== undefined
      ? `${newRun(quote(record.range.to))}, which sends only later changes`
      : record?.ownHash === undefined
        ? 'do not send the prompt again'
        : 'the next run still sends these changes again';
  const next = isNextLooking ? ', or wait for the next run' : '';
  return `${look} If you find one, ${found}; if not, ${AFTER_DOUBT[rerunEffect ?? 'none']}${next}.`;
}

/** Whether a person typed this run's `since`. Runs with `last-success` then build on its record. */
const isNamedByHand = ({ facts, inputs }: RunResult) =>
  isDispatched(facts.eventName) && isNamedStart(inputs?.since ?? 'auto');

/** The advice for a person who looked and found nothing. */
const AFTER_DOUBT: Readonly<Record<RerunEffect | 'none', string>> = {
  asks: 'press "Re-run failed jobs", and once more if the new attempt stops and asks',
  sends: 'press "Re-run failed jobs"',
  follows: 'press "Re-run failed jobs"',
  none: 'start a new run',
};

/**
 * Says how to send the prompt of a step that came to nothing. `again` is ` again` if it was sent
 * before.
 */
function sentBy({ rerunEffect, lookedAtBy, changes }: RunResult, again = ''): readonly string[] {
  const isNextLooking = lookedAtBy === 'next';
  const what = `${changes?.kind === 'known' ? 'these changes' : 'the prompt'}${again}`;
  if (rerunEffect !== 'sends') return isNextLooking ? [`The next run sends ${what}.`] : [];
  const next = isNextLooking ? ', or wait for the next run' : '';
  return [`To send ${what}, press "Re-run failed jobs"${next}.`];
}

/** The section of TROUBLESHOOTING.md about a heading, or about the part before its semicolon. */
export const helpUrl = (heading: string): string =>
  pageUrl(`TROUBLESHOOTING.md#${anchorOf(heading.split(';', 1)[0])}`);

/**
 * The anchor that GitHub generates for a section.
 * https://docs.github.com/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#section-links
 */
export function anchorOf(title = ''): string {
  const kept = title.toLowerCase().replace(/[^\w\s-]/g, '');
  return kept.replaceAll(' ', '-');
}
