import { type Comparison, type GitHub, MAX_PULL_REQUEST_FILES } from '../github/github.ts';
import type { Covered } from '../lib/covered.ts';
import { badStart, GitHubError, messageOf } from '../lib/errors.ts';
import { quote } from '../lib/text.ts';
import {
  checkHead,
  compareIfThere,
  type Found,
  type NotFound,
  releaseBefore,
  tagBefore,
} from './base.ts';
import type { EventRange } from './range.ts';

const leadsToHead = ({ status }: Comparison) => status === 'ahead' || status === 'identical';

const COVERED_REMOVED =
  'commits were removed since the last agent job (a force push or a rebase); the list starts at the last common commit and does not show them';

/**
 * From what earlier runs of this step have covered. If none has a record, or GitHub no longer has
 * that commit, from where the event starts.
 */
export async function sinceLastSuccess(
  github: GitHub,
  range: EventRange,
  covered: Exclude<Covered, { kind: 'newer' }>,
): Promise<Found | NotFound> {
  const found =
    covered.kind === 'nothing'
      ? noRecord(covered.isFirstRun)
      : await between(github, covered.sha, range.head, COVERED_REMOVED);
  return 'reason' in found && range.kind !== 'none' ? sinceEvent(github, range) : found;
}

function noRecord(isFirstRun: boolean): NotFound {
  const reason = isFirstRun
    ? 'this is the first run of this workflow on this branch'
    : 'no earlier run of this step on this branch has a record of what it covered';
  return { reason, isFirstRun };
}

/** Throws a `RunError` when GitHub does not have the start that a person named. */
export async function sinceNamed(github: GitHub, since: string, head: string): Promise<Found> {
  const found = await between(github, since, head);
  if ('reason' in found) {
    const where = quote(github.event.repository);
    throw badStart(
      `\`since\` is ${quote(since)}, and GitHub finds no such branch, tag or commit in ${where} (HTTP 404). Check the name. No prompt was sent.`,
    );
  }
  const note = `${quote(since)} does not lead to ${quote(head)}, so the changes start at the last common commit`;
  return { ...found, notes: leadsToHead(found.comparison) ? [] : [note] };
}

export async function sinceEvent(github: GitHub, range: EventRange): Promise<Found | NotFound> {
  switch (range.kind) {
    case 'between':
      return between(github, range.base, range.head, range.ifRemoved);
    case 'pull-request':
      return pullRequest(github, range);
    case 'tag-before':
      return tagBefore(github, range.tag, range.head);
    case 'release-before':
      return releaseBefore(github, range, range.head);
    case 'no-start':
      return { reason: range.reason };
    case 'none':
      return { reason: 'the event names no changes' };
  }
}

/** A start that GitHub no longer has counts as none. */
async function between(
  github: GitHub,
  base: string,
  head: string,
  ifRemoved?: string,
): Promise<Found | NotFound> {
  const comparison = await compareIfThere(github, base, head);
  if (comparison !== undefined) {
    const isRemoved = ifRemoved !== undefined && !leadsToHead(comparison);
    return { base, comparison, gaps: isRemoved ? [ifRemoved] : [] };
  }
  await checkHead(github, head);
  return {
    reason: `GitHub no longer has ${quote(base)}, where the changes would start (a force push removes commits)`,
  };
}

/**
 * A pull request's own files and commits. If the token may not list them, the comparison of its base
 * and head is used instead. The comparison never ends at the merge commit: GitHub does not keep the
 * base current, so that range contains other people's changes.
 */
async function pullRequest(
  github: GitHub,
  { number, base, head, totalCommits }: Extract<EventRange, { kind: 'pull-request' }>,
): Promise<Found | NotFound> {
  try {
    const own = await github.pullRequest(number);
    const commits = Math.max(totalCommits, own.commits.length);
    const comparison = { ...own, status: 'ahead', mergeBase: base, totalCommits: commits } as const;
    const gap = `GitHub lists only the first ${MAX_PULL_REQUEST_FILES} files of a pull request; there may be more`;
    const gaps = own.files.length < MAX_PULL_REQUEST_FILES ? [] : [gap];
    return { base, comparison, gaps, isWhole: true };
  } catch (error) {
    const mayNot =
      error instanceof GitHubError && (error.kind === 'forbidden' || error.kind === 'not-found');
    if (!mayNot) throw error;
    const found = await between(github, base, head);
    const note = `The files of pull request ${number} are taken from the comparison of its base and head: ${messageOf(error)}. \`pull-requests: read\` gives the exact list`;
    return 'reason' in found ? found : { ...found, notes: [note] };
  }
}
