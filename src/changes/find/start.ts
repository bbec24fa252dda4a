import {
  type Comparison,
  type GitHub,
  MAX_PULL_REQUEST_FILES,
  type PullRequestChanges,
} from '../../github/github.ts';
import { GitHubError, isNotFound, RunError } from '../../model/errors.ts';
import { isNamedStart, type Start } from '../../model/start.ts';
import { quote } from '../../text/escape.ts';
import { pluralize } from '../../text/words.ts';
import type { EventRange, Tag } from './event.ts';
import { allFiles } from './files.ts';
import type { Found, NotFound } from './found.ts';
import { compareVersions, isPrerelease, isSameVersion, versionOf } from './version.ts';

/** The start of the changes that `since` names cannot be used. */
const badStart = (message: string) =>
  new RunError('The start of the changes was not found', message);

const leadsToHead = ({ status }: Comparison) => status === 'ahead' || status === 'identical';

const FIRST_RUN = 'this is the first run of this workflow on this branch';
const NO_RECORD = 'no earlier run of this step on this branch has a record of what it covered';
const COVERED_REMOVED =
  'commits were removed since the last agent job (a force push or a rebase); the list starts at the last common commit and does not show them';

/**
 * Since the `start` that earlier runs of this step left, if that is given; else since the one that
 * `since` names. If no run has a record, or GitHub no longer has that commit, since where the event
 * starts. Throws a `RunError` when GitHub does not have the start that a person named.
 */
export async function compareSince(
  github: GitHub,
  since: string,
  range: EventRange,
  start?: Start,
): Promise<Found | NotFound> {
  if (start?.kind === 'nothing') return sinceFirst(github, range, start);
  const isNamed = isNamedStart(since);
  if (start !== undefined) {
    const found = await between(github, start.sha, range.head, COVERED_REMOVED);
    const isLast = !isNamed && range.kind === 'none';
    if (!('reason' in found) || isLast) return found;
  }
  if (!isNamed) return sinceEvent(github, range);
  const found = await between(github, since, range.head);
  if ('reason' in found) {
    const message = `\`since\` is ${quote(since)}, and GitHub finds no such branch, tag or commit in ${quote(github.event.repository)} (HTTP 404). Check the name. No prompt was sent.`;
    throw badStart(message);
  }
  const note = `${quote(since)} does not lead to ${quote(range.head)}, so the changes start at the last common commit`;
  return { ...found, notes: leadsToHead(found) ? [] : [note] };
}

/**
 * Where nothing is on record: from the oldest start that the event of an earlier run names and that
 * GitHub still has, else from where this event says.
 */
async function sinceFirst(
  github: GitHub,
  range: EventRange,
  { begins, runs }: Extract<Start, { kind: 'nothing' }>,
): Promise<Found | NotFound> {
  const gone: string[] = [];
  for (const begin of begins) {
    const found = await sinceBegin(github, begin, range.head);
    if (!('reason' in found)) return { ...found, warnings: notSentAgain(gone) };
    gone.push(found.reason);
  }
  const isFirstRun = runs === 0;
  const reason = isFirstRun ? FIRST_RUN : NO_RECORD;
  if (range.kind === 'none') return { reason, isFirstRun };
  const found = await sinceEvent(github, range);
  return 'reason' in found ? found : { ...found, warnings: notSentAgain(gone) };
}

/** One warning, however many earlier runs started where the changes cannot start any more. */
function notSentAgain([first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  const more = pluralize(others.length, 'other earlier run');
  const also = others.length === 0 ? '' : `, and neither are those of ${more} like it`;
  return [`${first}. The changes of that earlier run are not sent again${also}`];
}

/** From the start that a record names: a commit, or the parent of one. */
async function sinceBegin(github: GitHub, begin: string, head: string): Promise<Found | NotFound> {
  if (!begin.endsWith('^')) return between(github, begin, head, COVERED_REMOVED);
  const child = begin.slice(0, -1);
  const parents = await github.parentsOf(child);
  const [parent] = parents ?? [];
  if (parent !== undefined) return between(github, parent, head, COVERED_REMOVED);
  if (parents === undefined) await checkHead(github, head);
  const why = parents === undefined ? 'GitHub no longer has it' : 'it has none';
  return { reason: `The changes would start at the parent of ${quote(child)}, but ${why}` };
}

/** From where the event itself says that its changes start. */
export async function sinceEvent(github: GitHub, range: EventRange): Promise<Found | NotFound> {
  if (range.kind === 'between') return sincePush(github, range);
  if (range.kind === 'pull-request') return pullRequest(github, range);
  if (!('reason' in range)) return firstBefore(github, range);
  return { reason: range.reason, isFirstPush: range.isFirstPush ?? false };
}

/**
 * From the commit before the push; that of a new branch from the default branch. If it was merged there
 * since, the comparison with that branch is empty, and the push itself says where it started.
 */
async function sincePush(github: GitHub, range: Extract<EventRange, { kind: 'between' }>) {
  const { base, head, begin, ifRemoved } = range;
  const found = await between(github, base, head, ifRemoved);
  const isMerged = !('reason' in found) && found.mergeBase === head;
  return isMerged && begin?.endsWith('^') ? sinceBegin(github, begin, head) : found;
}

/** A start that GitHub no longer has counts as none. */
async function between(github: GitHub, base: string, head: string, ifRemoved?: string) {
  const found = await compareIfThere(github, base, head);
  if (found !== undefined) {
    const removed = ifRemoved === undefined || leadsToHead(found) ? [] : [ifRemoved];
    return { ...found, gaps: [...found.gaps, ...removed] };
  }
  await checkHead(github, head);
  const reason = `GitHub no longer has ${quote(base)}, where the changes would start (a force push removes commits)`;
  return { reason };
}

/** Why GitHub does not list the files of a pull request, while it may still compare its base and head. */
const NOT_LISTED: readonly GitHubError['kind'][] = ['forbidden', 'not-found', 'unavailable'];

/**
 * A pull request's own files and commits, or the comparison of its base and head if the token may
 * not list them. The comparison never ends at the merge commit: GitHub does not keep the base
 * current, so that range contains other people's changes.
 */
async function pullRequest(github: GitHub, range: Extract<EventRange, { kind: 'pull-request' }>) {
  const { number, base, head } = range;
  try {
    const own = await github.pullRequest(number);
    // It is listed as it is now, and may have got or lost commits since the event.
    if ((await headOf(github, number, own, head)) !== head) {
      const found = await between(github, base, head);
      const note = `Pull request ${number} has changed since this run was started. Its changes up to ${quote(head)} are compared with its base`;
      return 'reason' in found ? found : { ...found, notes: [note] };
    }
    const totalCommits = Math.max(range.totalCommits, own.commits.length);
    const gap = `GitHub lists only the first ${MAX_PULL_REQUEST_FILES} files of a pull request; there may be more`;
    const gaps = own.files.length < MAX_PULL_REQUEST_FILES ? [] : [gap];
    const found = { ...own, base, status: 'ahead' as const, mergeBase: base, totalCommits, gaps };
    return { ...found, isPullRequest: true };
  } catch (error) {
    if (!(error instanceof GitHubError && NOT_LISTED.includes(error.kind))) throw error;
    const found = await between(github, base, head);
    const advice =
      error.kind === 'unavailable' ? '' : '. `pull-requests: read` gives the exact list';
    const note = `The files of pull request ${number} are taken from the comparison of its base and head: ${error.message}${advice}`;
    return 'reason' in found ? found : { ...found, notes: [note] };
  }
}

/**
 * Where a pull request ends now. Its list of commits says so if it ends at `head`; else it may be cut,
 * or in another order.
 */
async function headOf(
  github: GitHub,
  number: number,
  { commits }: PullRequestChanges,
  head: string,
): Promise<string> {
  if (commits.at(-1)?.sha === head) return head;
  return (await github.pull(github.event.repository, number)).head.sha;
}

/** How many tags or releases are tried as the start when GitHub no longer knows the first ones. */
const MAX_TAGS_TRIED = 10;

/**
 * The tag or release before the event's: of those with the same prefix, the greatest that is smaller
 * in natural order. A pre-release counts only for one. It need not lead to the head: many projects
 * tag on release branches.
 */
async function firstBefore(github: GitHub, { head, kind, ...tag }: Extract<EventRange, Tag>) {
  const current = candidateOf(tag);
  const { prefix } = current.version;
  const isTag = kind === 'tag-before';
  const others: readonly Tag[] = isTag
    ? (await github.tags(prefix)).map((tag_name) => ({ tag_name }))
    : await github.releases();
  const greatest = greatestBefore(current, others);
  let isAnyGone = false;
  for (const { base, version } of greatest) {
    const found = await compareIfThere(github, base, head);
    isAnyGone ||= found === undefined;
    // `v3` and `v3.1` may have been moved to the new `v3.1.0`. Then they are other names for it.
    const isAlias = found?.status === 'identical' && isSameVersion(version, current.version);
    if (found !== undefined && !isAlias) return found;
  }
  if (isAnyGone) await checkHead(github, head);
  const noun = isTag ? 'tag' : 'release';
  return { reason: `there is no earlier ${noun} like ${quote(tag.tag_name)}` };
}

/**
 * The greatest that are before `current` and may be its start, the greatest first. A repository may
 * have tens of thousands of tags, so only those that are tried are kept in order.
 */
function greatestBefore(current: TagCandidate, others: readonly Tag[]) {
  const greatest: TagCandidate[] = [];
  for (const tag of others) {
    const other = candidateOf(tag);
    const { version, isPrerelease } = other;
    if (version.prefix !== current.version.prefix) continue;
    if (isPrerelease && !current.isPrerelease) continue;
    if (compareVersions(version, current.version) >= 0) continue;
    const last = greatest.findLastIndex((one) => compareVersions(one.version, version) >= 0);
    greatest.splice(last + 1, 0, other);
    if (greatest.length > MAX_TAGS_TRIED) greatest.pop();
  }
  return greatest;
}

type TagCandidate = ReturnType<typeof candidateOf>;

function candidateOf({ tag_name: base, prerelease }: Tag) {
  const version = versionOf(base);
  return { base, version, isPrerelease: prerelease ?? isPrerelease(version) };
}

/** `undefined` when GitHub lacks an end. Throws a `RunError` when they have no commit in common. */
async function compareIfThere(github: GitHub, base: string, head: string) {
  const comparison = await github.compare(base, head).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    // GitHub's words for commits of unrelated histories, both of which it has.
    if (!/no common ancestor/i.test(error.message)) return undefined;
    const message = `${quote(base)} and ${quote(head)} have no commit in common, so GitHub cannot compare them. Name another start in \`since\`. No prompt was sent.`;
    throw badStart(message);
  });
  return comparison && { ...comparison, base, ...(await allFiles(github, comparison, head)) };
}

/** Throws a `GitHubError` when GitHub does not show the head either: the token may not read it. */
async function checkHead(github: GitHub, head: string): Promise<void> {
  if ((await github.parentsOf(head)) !== undefined) return;
  const message = `GitHub does not show commit ${quote(head)} of ${quote(github.event.repository)} (HTTP 404)`;
  throw new GitHubError('not-found', message);
}
