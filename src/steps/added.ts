/** Checks what a follow-up message added to the pull request. */

import { docsPullLinkOf, docsPullReader } from '../github/docs-pull-reader.ts';
import { GitHubError } from '../github/errors.ts';
import { fateOfAddition } from '../model/addition.ts';
import { type FollowedJob, fateOf } from '../model/agent-job.ts';
import type { DocsPullState, KnownDocsPull } from '../model/docs-pull.ts';
import type { LookedAtBy, StepRecord } from '../model/record.ts';
import type { Ending } from '../report/ending.ts';
import { quote } from '../text/escape.ts';
import { shortRef } from '../text/words.ts';
import { toWrite } from './records.ts';
import type { RunContext } from './run-context.ts';

/** What this run or an earlier attempt sent to the agent job. */
export interface Sent {
  /** The record that the step leaves. */
  readonly record: StepRecord;
  /** The link to the pull request, for when the service no longer returns one. */
  readonly link: string;
  readonly lookedAtBy: LookedAtBy;
  /** Sent by an earlier attempt, which may have seen the agent working. */
  readonly isEarlier: boolean;
  /** A warning has said that the token may not read the docs repository. */
  readonly isWarned: boolean;
}

/** The link to the agent job's pull request, or else to the one that the message was for. */
export function linkOfSent(job: FollowedJob, { link, record: { added } }: Sent): string {
  const number = typeof added === 'object' ? added.number : undefined;
  return job.prLink || link || docsPullLinkOf(job, number);
}

/** How the run ends. `isCertain` means that the agent's additions have reached the pull request. */
interface AdditionEnd {
  readonly ending: Ending;
  readonly isCertain: boolean;
}

/**
 * Returns how a run ends when its agent job has ended after a message to an open pull request. The
 * additions count only once they have certainly reached that pull request. Returns `undefined` when
 * there is nothing to check, or when GitHub can't say. `wasActive` means that this step has read
 * the agent job as `active` since the message.
 */
export async function checkAddition(
  context: RunContext,
  job: FollowedJob,
  sent: Sent,
  wasActive: boolean,
): Promise<AdditionEnd | undefined> {
  const { github, facts, effects, tell } = context;
  const { runner, clock } = effects;
  const { record, lookedAtBy } = sent;
  const { added } = record;
  const { end } = job;
  if (added === undefined || end === undefined || fateOf(job) !== 'covered') return undefined;
  const link = linkOfSent(job, sent);
  const pull = await readDocsPull(() => docsPullReader(github, facts.serverUrl)(link));
  if (pull.kind === 'unknown') {
    const next = lookedAtBy === 'next' ? ' The next run looks again.' : '';
    const message = `Could not confirm that the agent's changes reached the pull request: ${pull.reason}.${next}`;
    runner.annotate('warning', 'Docs agent: the pull request could not be checked', message);
    return undefined;
  }
  const fate = fateOfAddition(added, pull, wasActive, clock.date());
  if (fate === 'missed' || added === 'missed') {
    if (added !== 'missed') {
      tell({ record: toWrite({ ...record, added: 'missed' }) });
    }
    const how = pull.kind === 'open' ? undefined : pull.kind;
    return { ending: { kind: 'missed', name: pull.name, link, how }, isCertain: false };
  }
  const isSame = added.number === pull.number;
  if (isSame && fate === 'covered') await warnOfRewrite(context, pull, added.head);
  const isUnchanged = isSame && pull.kind === 'open' && pull.head === added.head;
  // The service may no longer return the link. A completed job then seems to have no pull request.
  const isLinkMissing = end === 'no-changes' && job.refusedPrLink === '';
  const endWithLink = isLinkMissing ? 'pull-request' : end;
  const counted = isUnchanged && endWithLink === 'pull-request' ? 'no-changes' : endWithLink;
  // An agent job can return a different pull request from the one it had.
  const hasChanged = isSame && pull.head !== added.head;
  tell({ hasChanged, job: { ...job, prLink: isLinkMissing ? link : job.prLink, end: counted } });
  if (fate === 'covered') tell({ record: toWrite({ ...record, added: undefined }) });
  return { ending: { kind: 'ended', end: counted }, isCertain: fate === 'covered' };
}

async function readDocsPull(read: () => Promise<DocsPullState>): Promise<DocsPullState> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return { kind: 'unknown', isHidden: false, reason: error.message };
  }
}

/** How long to spend on the check for rewritten commits, in ms. */
const REWRITE_LIMIT_MS = 5_000;

/**
 * Warns when the pull request no longer contains the commit that was its head before the message.
 * Stays silent when GitHub can't answer.
 */
async function warnOfRewrite(
  { github, facts, effects, tell }: RunContext,
  { repository, name, head }: KnownDocsPull,
  before: string,
): Promise<void> {
  if (head === before) return;
  try {
    const status = await (await github()).compareStatus(repository, before, head, REWRITE_LIMIT_MS);
    if (status !== 'diverged' && status !== 'behind') return;
  } catch {
    return;
  }
  const page = `${facts.serverUrl}/${repository}/compare/${head}...${before}`;
  const message = `The branch of ${quote(name)} no longer contains ${quote(shortRef(before))}, where it ended before the follow-up message. It was rebased or rewritten since, and commits of others may be gone. See what is missing: ${page}`;
  effects.runner.annotate('warning', 'Docs agent: the branch was rewritten', message);
  tell({ pullWarning: message });
}
