import { changesErrorOf } from '../../github/changes-not-found.ts';
import { GitHubError } from '../../github/errors.ts';
import { type ComparedChanges, changesOfEvent, type EventChanges } from '../../github/event.ts';
import type { GitHub, WorkflowEvent } from '../../github/github.ts';
import type { SkipReason } from '../../model/changes.ts';
import type { LookedAtBy } from '../../model/record.ts';
import { isDispatched } from '../../model/run-facts.ts';
import { isNamedStart, type Start } from '../../model/start.ts';
import { selectFiles } from './all-files.ts';
import { findCodePulls, MAX_ASKED } from './code-pulls.ts';
import { compareSince } from './compare-since.ts';
import type { Changes, CodePulls, KnownChanges } from './found.ts';
import { hashOfChanges, ownChanges } from './own-changes.ts';
import { skipPattern, skippedCommits, skippedInPull } from './skipped-commits.ts';

export interface ChangesQuery {
  /** Opens GitHub's API, once per run. */
  readonly github: () => Promise<GitHub>;
  /** Where earlier runs of this step say that the changes start, if they decide it. */
  readonly start: Start | undefined;
  readonly lookedAtBy: LookedAtBy;
  /** All token permissions that the step needs. */
  readonly permissions: readonly string[];
  readonly since: string;
  /** How much about the changes the prompt includes. */
  readonly changes: 'none' | 'files' | 'diff';
  readonly paths: readonly string[];
  /** The patterns of the `skip` input. */
  readonly skip: readonly string[];
}

/**
 * Finds what changed since the start that the event, `since` or the records of earlier runs name.
 * Throws a `RunError` when GitHub fails or the token lacks a permission, when `since` names no
 * start, or when the runner doesn't say what the run is about.
 */
export async function findChanges(query: ChangesQuery): Promise<Changes> {
  const { since, start } = query;
  let event: WorkflowEvent | undefined;
  try {
    const github = await query.github();
    event = github.event;
    const eventChanges = changesOfEvent(event);
    const { head } = eventChanges;
    const found =
      eventChanges.kind === 'pull-request' && !isNamedStart(since)
        ? await ownChanges(github, eventChanges)
        : await compareSince(github, since, asCompared(eventChanges), start);
    if (found.kind === 'left-out') return found;
    const isRecorded = start !== undefined || since !== 'auto';
    if (found.kind === 'nothing') {
      const { reason, isFirstRun = false, warnings = [] } = found;
      const range = isRecorded ? { from: undefined, to: head } : undefined;
      return { kind: 'nothing-to-start-from', reason, isFirstRun, warnings, event, range };
    }
    const { ownPull, isSinceHead = false, gaps } = found;
    const isOwn = ownPull !== undefined;
    const hasRange = isRecorded && !isSinceHead && !isOwn;
    const selection = selectFiles(found.files, query.paths);
    const { earlier, isSentBefore } =
      start?.kind === 'from' ? start : { earlier: [], isSentBefore: false };
    const known: KnownChanges = {
      kind: 'known',
      event,
      status: found.status,
      base: found.base,
      head: found.head ?? head,
      url: found.url,
      mergeBase: found.mergeBase,
      totalCommits: found.totalCommits,
      commits: found.commits,
      ...selection,
      gaps,
      notes: found.notes ?? [],
      warnings: found.warnings ?? [],
      isUnchanged: found.isUnchanged,
      isSinceHead,
      ownPull,
      earlier,
      isSentBefore,
      ownHash: isOwn && gaps.length === 0 ? hashOfChanges(selection.selected) : undefined,
      isSentAsItIs: false,
      range: hasRange ? { from: found.mergeBase, to: head } : undefined,
      pulls: NO_PULLS,
      skipped: new Map(),
    };
    return await withPulls(github, known, query);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const search = { since, event, permissions: query.permissions };
    throw changesErrorOf(error, search, query.lookedAtBy);
  }
}

/** From a named start, a pull request is compared like any other event. */
const asCompared = (changes: EventChanges): ComparedChanges =>
  changes.kind === 'pull-request'
    ? { kind: 'none', reason: 'a start is named', head: changes.head }
    : changes;

const NO_PULLS: CodePulls = { byCommit: new Map(), missing: undefined };

/**
 * Adds the pull requests behind the commits, and which commits need no documentation. Doesn't ask
 * GitHub when nothing is sent anyway, or about a pull request's own changes.
 */
async function withPulls(
  github: GitHub,
  changes: KnownChanges,
  query: ChangesQuery,
): Promise<KnownChanges> {
  const { skip } = query;
  const patterns = skip.map(skipPattern);
  const { commits, ownPull } = changes;
  if (ownPull !== undefined) {
    const byCommit = new Map(commits.map(({ sha }) => [sha, ownPull]));
    const pulls = { byCommit, missing: undefined };
    return { ...changes, pulls, skipped: skippedInPull(commits, ownPull, patterns) };
  }
  if (skipReason(changes, query) !== undefined) return changes;
  const skippedBySubject = skippedCommits(commits, NO_PULLS.byCommit, patterns);
  const bySubject = { ...changes, skipped: skippedBySubject };
  if (skipReason(bySubject, query) !== undefined) return bySubject;
  const pulls = await findCodePulls(github, changes);
  return { ...changes, pulls, skipped: skippedCommits(commits, pulls.byCommit, patterns) };
}

/**
 * Returns why nothing is sent, if that is certain. A prompt that somebody typed is sent even
 * without changes if records determine where changes start, and `paths` is empty. `level` is the
 * input `changes`.
 */
export function skipReason(
  changes: Changes,
  { since, changes: level }: Pick<ChangesQuery, 'since' | 'changes'>,
): SkipReason | undefined {
  const { event } = changes;
  if (changes.kind === 'left-out') return 'no-documentation-needed';
  if (changes.kind !== 'known') {
    // The release notes alone are worth sending.
    const hasNotes = event.name === 'release' && event.payload.release?.body?.trim();
    return hasNotes && level !== 'none' ? undefined : changes.kind;
  }
  const { totalCommits, commits, selected, gaps, isFiltered, isUnchanged, skipped } = changes;
  if (changes.isSinceHead) return 'since-is-head';
  const areAllKnown = commits.length === totalCommits && totalCommits <= MAX_ASKED;
  const areAllSkipped =
    areAllKnown && totalCommits > 0 && commits.every(({ sha }) => skipped.has(sha));
  if (changes.ownPull !== undefined && areAllSkipped) return 'no-documentation-needed';
  if (changes.isSentAsItIs) return 'sent-as-it-is';
  // The docs may describe changes that were reverted since.
  if (gaps.length > 0 || (changes.isSentBefore && totalCommits > 0)) return undefined;
  const isPromptAlone = isDispatched(event.name) && !isFiltered && !isNamedStart(since);
  if (isUnchanged) return isPromptAlone ? undefined : 'nothing-changed';
  if (isFiltered && selected.length === 0) return 'no-matching-file';
  return areAllSkipped && !isPromptAlone ? 'no-documentation-needed' : undefined;
}
