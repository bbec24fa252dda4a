import { startAnew } from '../../github/changes-not-found.ts';
import { GitHubError, isNotFound } from '../../github/errors.ts';
import type { ComparedChanges, Tag } from '../../github/event.ts';
import type { Comparison, GitHub } from '../../github/github.ts';
import { RunError } from '../../model/run-error.ts';
import { isNamedStart, type Start } from '../../model/start.ts';
import { quote } from '../../text/escape.ts';
import { pluralize } from '../../text/words.ts';
import { allFiles, haveSameFiles } from './all-files.ts';
import type { Found, NotFound } from './found.ts';
import { tagsBefore, versionedTag } from './tag-before.ts';
import { isAliasOf } from './version.ts';

/** The error for a start that is unusable. */
const badStart = (message: string) =>
  new RunError('The start of the changes was not found', message);

/** A commit, and the name that people use for it. */
interface Base {
  readonly sha: string;
  readonly name: string;
}
const asCommit = (sha: string): Base => ({ sha, name: sha });

const leadsToHead = ({ status }: Comparison) => status === 'ahead' || status === 'identical';

const FIRST_RUN = 'this is the first run of this workflow on this branch';
const NO_RECORD = 'no earlier run of this step on this branch has a record of what it covered';
const COVERED_REMOVED =
  'commits were removed since the last agent job (a force push or a rebase); the list starts at the last common commit and does not show them';

/**
 * Compares the head with the start: the `start` that earlier runs of this step left, or else the
 * one that `since` names, or else the event's own. Throws a `RunError` when GitHub doesn't have the
 * start, and when a name is ambiguous.
 */
export async function compareSince(
  github: GitHub,
  since: string,
  eventChanges: ComparedChanges,
  start?: Start,
): Promise<Found | NotFound> {
  const search: Search = { github, since, eventChanges };
  if (start?.kind === 'not-recorded') return sinceOldestEventStart(search, start);
  if (start !== undefined) return sinceCommit(search, start.sha, COVERED_REMOVED);
  return isNamedStart(since) ? sinceNamed(search) : sinceEvent(search);
}

/** What every search for a start needs. */
interface Search {
  readonly github: GitHub;
  readonly since: string;
  readonly eventChanges: ComparedChanges;
}

/** What to do when the start is unusable, in at most two sentences without the last period. */
const elsewhere = ({ github, since }: Search) => startAnew({ since, event: github.event });

/** Starts at the branch, tag or commit that a person named. */
async function sinceNamed(search: Search): Promise<Found> {
  const { github, since, eventChanges } = search;
  const { head } = eventChanges;
  const sha = await commitNamed(github, since);
  const found = sha && (await compareIfThere(search, { sha, name: since }));
  if (!found) {
    await checkHead(search);
    const message = `\`since\` is ${quote(since)}, and GitHub finds no such branch, tag or commit in ${quote(github.event.repository)} (HTTP 404), so no prompt was sent. Check the name.`;
    throw badStart(message);
  }
  const note = `${quote(since)} does not lead to ${quote(head)}, so the changes start at the last common commit`;
  const isSinceHead = found.status === 'identical' || found.status === 'behind';
  return { ...found, isSinceHead, notes: leadsToHead(found) || isSinceHead ? [] : [note] };
}

const WHOLE_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/**
 * Returns the commit that a person named. Looks up both a branch and a tag, because GitHub picks
 * the branch if both have the name. Throws a `RunError` when both exist.
 */
async function commitNamed(github: GitHub, since: string): Promise<string | undefined> {
  // GitHub allows no branch or tag with such a name.
  if (WHOLE_ID.test(since)) return since.toLowerCase();
  const name = since.replace(/^refs\/(?=(?:heads|tags)\/)/, '');
  const exact = /^(?:heads|tags)\//.test(name) ? await github.commit(name) : undefined;
  if (exact !== undefined) return exact.sha;
  const tag = await github.commit(`tags/${name}`);
  const branch = await github.commit(`heads/${name}`);
  if (tag !== undefined && branch !== undefined) {
    const message = `\`since\` is ${quote(since)}, which is a tag and a branch in ${quote(github.event.repository)}, so no prompt was sent. Write ${quote(`tags/${name}`)} or ${quote(`heads/${name}`)}.`;
    throw badStart(message);
  }
  return (tag ?? branch ?? (await github.commit(name)))?.sha;
}

/**
 * Without recorded changes, starts at the oldest start that an earlier run's event names and GitHub
 * still has, or else where this event says.
 */
async function sinceOldestEventStart(
  search: Search,
  { eventStarts, olderRuns }: Extract<Start, { kind: 'not-recorded' }>,
): Promise<Found | NotFound> {
  const { eventChanges } = search;
  const reasons: string[] = [];
  let gone: string | undefined;
  for (const eventStart of new Set(eventStarts)) {
    const found = await sinceEventStart(search, eventStart);
    if (found.kind === 'found') return { ...found, warnings: notSentAgain(reasons) };
    // A token that may not read the contents gets 404 for each.
    if (found.isGone && gone === undefined) await checkHead(search);
    if (found.isGone) gone ??= eventStart;
    reasons.push(found.reason);
  }
  const isFirstRun = olderRuns.read === 0;
  const none = { kind: 'nothing' as const, reason: isFirstRun ? FIRST_RUN : NO_RECORD, isFirstRun };
  const found = eventChanges.kind === 'none' ? none : await sinceEvent(search);
  // Earlier runs determine where changes start, and no other start can replace theirs.
  if (found.kind === 'nothing' && gone !== undefined) throw goneStart(search, gone);
  return { ...found, warnings: notSentAgain(reasons) };
}

/** Returns a single warning, no matter how many earlier runs had a start that is unusable now. */
function notSentAgain([first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  const more = pluralize(others.length, 'other earlier run');
  const also = others.length === 0 ? '' : `, and neither are those of ${more} like it`;
  return [`${first}. The changes of that earlier run are not sent again${also}`];
}

/** Starts where a record or a push says: at a commit or its parent. */
async function sinceEventStart(
  search: Search,
  eventStart: string,
): Promise<Found | (NotFound & { readonly isGone: boolean })> {
  const { github } = search;
  const isParent = eventStart.endsWith('^');
  const named = isParent ? eventStart.slice(0, -1) : eventStart;
  const child = isParent ? await github.commit(named) : undefined;
  const sha = isParent ? child?.parents[0] : named;
  const found = sha && (await compareIfThere(search, asCommit(sha), COVERED_REMOVED));
  if (found) return found;
  const isGone = !(isParent && child !== undefined && sha === undefined);
  const what = isParent ? `the parent of ${quote(named)}` : quote(named);
  const why = isGone ? 'GitHub no longer has it' : 'it has none';
  return { kind: 'nothing', reason: `The changes would start at ${what}, but ${why}`, isGone };
}

/** Starts where the event itself says that its changes start. */
async function sinceEvent(search: Search): Promise<Found | NotFound> {
  const { eventChanges } = search;
  switch (eventChanges.kind) {
    case 'commit':
      return sinceCommit(search, eventChanges.base, eventChanges.gapIfRemoved);
    case 'new-branch':
      return sinceNewBranch(search, eventChanges);
    case 'tag-before':
    case 'release-before':
      return firstBefore(search, eventChanges);
    case 'no-start':
    case 'none':
      return { kind: 'nothing', reason: eventChanges.reason };
  }
}

/**
 * Starts at the default branch. If the new branch was merged there since, that comparison is empty,
 * and the push itself says where it started.
 */
async function sinceNewBranch(
  search: Search,
  { base: name, eventStart, head }: Extract<ComparedChanges, { kind: 'new-branch' }>,
): Promise<Found> {
  const { github } = search;
  const sha = (await github.commit(`heads/${name}`))?.sha;
  const found = sha && (await compareIfThere(search, { sha, name }));
  if (found && found.mergeBase !== head) return found;
  const own = await sinceEventStart(search, eventStart);
  if (own.kind === 'found') return own;
  if (found) return found;
  await checkHead(search);
  throw goneStart(search, name);
}

/** Starts at a commit. Throws a `RunError` when GitHub no longer has it. */
async function sinceCommit(search: Search, sha: string, gapIfRemoved?: string): Promise<Found> {
  const found = await compareIfThere(search, asCommit(sha), gapIfRemoved);
  if (found !== undefined) return found;
  await checkHead(search);
  throw goneStart(search, sha);
}

/** The error for changes that exist, but can't be determined. */
function goneStart(search: Search, base: string): RunError {
  const what = `GitHub no longer has ${quote(base)}, where the changes of this run start (a force push removes commits), so no prompt was sent`;
  return badStart(`${what}. ${elsewhere(search)}.`);
}

/**
 * Starts at the tag or release before the event's: among those with the same prefix, the greatest
 * one that is smaller in natural order. A pre-release counts only before another pre-release. It
 * need not lead to the head, because many projects tag on release branches.
 */
async function firstBefore(
  search: Search,
  { head, kind, ...tag }: Extract<ComparedChanges, Tag>,
): Promise<Found | NotFound> {
  const { github } = search;
  const isTag = kind === 'tag-before';
  const { version: current } = versionedTag(tag);
  const others: readonly Tag[] = isTag
    ? (await github.tags(current.prefix)).map((tag_name) => ({ tag_name }))
    : await github.releases();
  let isAnyGone = false;
  for (const { name, version } of tagsBefore(tag, others)) {
    const commit = await github.commit(`tags/${name}`);
    isAnyGone ||= commit === undefined;
    // `v3` and `v3.1` may have moved to the new `v3.1.0`, and are then just other names for it.
    const isAlias = commit?.sha === head && isAliasOf(version, current);
    if (commit === undefined || isAlias) continue;
    const found = await compareIfThere(search, { sha: commit.sha, name });
    if (found !== undefined) return found;
  }
  if (isAnyGone) await checkHead(search);
  const noun = isTag ? 'tag' : 'release';
  return { kind: 'nothing', reason: `there is no earlier ${noun} like ${quote(tag.tag_name)}` };
}

/**
 * Returns the changes from a commit to the head, or `undefined` when GitHub lacks either.
 * `gapIfRemoved` says what is missing if the commit doesn't lead to the head. Throws a `RunError`
 * when they have no commit in common.
 */
async function compareIfThere(
  search: Search,
  base: Base,
  gapIfRemoved?: string,
): Promise<Found | undefined> {
  const { github } = search;
  const { head } = search.eventChanges;
  const compare = async (sha: string) =>
    github.compare(sha, head).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      // GitHub's words for two commits that it has, but whose histories are unrelated.
      if (!/no common ancestor/i.test(error.message)) return undefined;
      const message = `${quote(base.name)} and ${quote(head)} have no commit in common, so GitHub cannot compare them, and no prompt was sent. ${elsewhere(search)}.`;
      throw badStart(message);
    });
  // The event of a moved tag names the annotated tag's own object.
  const commitOfTag = async () => {
    const sha = await github.commitOfTag(base.sha);
    return sha && compare(sha);
  };
  const comparison = (await compare(base.sha)) ?? (await commitOfTag());
  if (!comparison) return undefined;
  const isUnchanged = await haveSameFiles(github, comparison, head);
  const { files, gaps } = await allFiles(github, { ...comparison, isUnchanged }, head);
  const isRemoved = gapIfRemoved !== undefined && !leadsToHead(comparison);
  const allGaps = isRemoved ? [...gaps, gapIfRemoved] : gaps;
  return { ...comparison, kind: 'found', base: base.name, isUnchanged, files, gaps: allGaps };
}

/**
 * Throws a `GitHubError` when GitHub doesn't show the head either, because the token may not read
 * it.
 */
async function checkHead({ github, eventChanges: { head } }: Search): Promise<void> {
  if ((await github.commit(head)) !== undefined) return;
  const message = `GitHub does not show commit ${quote(head)} of ${quote(github.event.repository)} (HTTP 404)`;
  throw new GitHubError('not-found', message);
}
