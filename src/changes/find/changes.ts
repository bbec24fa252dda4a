import type { GitHub, WorkflowEvent } from '../../github/github.ts';
import type { KnownChangesOverview, SkipReason } from '../../model/changes.ts';
import { GitHubError } from '../../model/errors.ts';
import { isTyped } from '../../model/run-facts.ts';
import { isNamedStart, type Start } from '../../model/start.ts';
import { quote } from '../../text/escape.ts';
import { pluralize, shortRef } from '../../text/words.ts';
import { changesErrorOf } from './changes-not-found.ts';
import { findCodePulls, MAX_ASKED, numberIn, subjectOf } from './code-pulls.ts';
import { type ComparedRange, type EventRange, rangeOf } from './event.ts';
import { selectFiles } from './files.ts';
import type { Changes, CodePulls, KnownChanges, LeftOutPull, SkippedBy } from './found.ts';
import { hashOfChanges, ownChanges } from './own-changes.ts';
import { skipPattern, skippedCommits, skippedInPull } from './skipped-commits.ts';
import { compareSince } from './start.ts';

export interface ChangesQuery {
  /** Opens GitHub's API, once a run. */
  readonly github: () => Promise<GitHub>;
  /** What earlier runs of this step say, where they say where the changes start. */
  readonly start: Start | undefined;
  /** This run has seen that the next one will look at it. */
  readonly isNextRunLooking: boolean;
  readonly since: string;
  /** How much of them the prompt tells. */
  readonly changes: 'none' | 'files' | 'diff';
  readonly paths: readonly string[];
  /** The patterns of the input of this name. */
  readonly skip: readonly string[];
}

/**
 * Finds what changed since the start that the event, `since` or the records of earlier runs name.
 * Throws a `RunError` when GitHub fails or the token may not, when `since` names no start, or when
 * the runner does not say what the run is about.
 */
export async function findChanges(query: ChangesQuery): Promise<Changes> {
  const { since, start } = query;
  const permissions = ['contents: read'];
  let event: WorkflowEvent | undefined;
  try {
    const github = await query.github();
    event = github.event;
    const eventRange = rangeOf(event);
    const { head } = eventRange;
    if (eventRange.kind === 'pull-request') permissions.push('pull-requests: read');
    if (start !== undefined) permissions.push('actions: read', 'checks: read');
    const found =
      eventRange.kind === 'pull-request' && !isNamedStart(since)
        ? await ownChanges(github, eventRange)
        : await compareSince(github, since, comparedRange(eventRange), start);
    if ('kind' in found) return found;
    const from = 'reason' in found ? undefined : found.mergeBase;
    const isSinceHead = 'isSinceHead' in found && found.isSinceHead === true;
    const isRecorded = (start !== undefined || since !== 'auto') && !isSinceHead;
    const range = isRecorded ? { from, to: head } : undefined;
    if ('reason' in found) {
      const { reason, isFirstRun = false, warnings = [] } = found;
      return { kind: 'nothing-to-start-from', reason, isFirstRun, warnings, event, range };
    }
    const isOwn = found.ownPull !== undefined;
    const selection = selectFiles(found.files, query.paths);
    const { earlier, isSentBefore } =
      start?.kind === 'from' ? start : { earlier: [], isSentBefore: false };
    const known: KnownChanges = {
      kind: 'known',
      notes: [],
      warnings: [],
      isSinceHead: false,
      head,
      ownPull: undefined,
      ...found,
      event,
      ...selection,
      earlier,
      isSentBefore,
      own: isOwn && found.gaps.length === 0 ? hashOfChanges(selection.selected) : undefined,
      isSentAsItIs: false,
      range: isOwn ? undefined : range,
      pulls: NO_PULLS,
      skipped: new Map(),
    };
    return await withPulls(github, known, query);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    throw changesErrorOf(error, { since, event }, permissions, query.isNextRunLooking);
  }
}

/** From a named start, a pull request is compared like any other event. */
const comparedRange = (range: EventRange): ComparedRange =>
  range.kind === 'pull-request'
    ? { kind: 'none', reason: 'a start is named', head: range.head }
    : range;

const NO_PULLS: CodePulls = { byCommit: new Map(), missing: undefined };

/**
 * The changes with the pull requests behind their commits, and with those of the commits that need no
 * documentation. GitHub is not asked where nothing is sent anyway, or of a pull request's own changes.
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
 * Why nothing is sent, if that is certain. A prompt that somebody typed is sent without changes, where
 * records say where the changes start and no `paths` are given. `level` is the input `changes`.
 */
export function skipReason(
  changes: Changes,
  { since, changes: level }: Pick<ChangesQuery, 'since' | 'changes'>,
): SkipReason | undefined {
  const { event } = changes;
  if (changes.kind === 'left-out') return 'no-documentation-needed';
  if (changes.kind !== 'known') {
    // It has that to tell.
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
  // The docs may tell of changes that are taken back by now.
  if (gaps.length > 0 || (changes.isSentBefore && totalCommits > 0)) return undefined;
  const isPromptAlone = isTyped(event.name) && !isFiltered && !isNamedStart(since);
  if (isUnchanged) return isPromptAlone ? undefined : 'nothing-changed';
  if (isFiltered && selected.length === 0) return 'no-matching-file';
  return areAllSkipped && !isPromptAlone ? 'no-documentation-needed' : undefined;
}

/** How many changed files a skipped step shows. */
const MAX_EXAMPLES = 3;

/** The changes in short, for people. */
export function overviewOf(
  changes: KnownChanges,
  patterns: readonly string[],
  leftOut: readonly string[],
): KnownChangesOverview {
  const { totalCommits: commits, files, selected, base, head, url } = changes;
  const counts = { commits, files: files.length, selectedFiles: selected.length };
  const exampleFiles = files.slice(0, MAX_EXAMPLES).map(({ filename }) => filename);
  const ownNumber = changes.ownPull?.number;
  return {
    ...{ kind: 'known', ...counts, patterns, exampleFiles, base, head, url, leftOut },
    pull: ownNumber,
    codePulls: ownNumber === undefined ? pullNumbers(changes, false) : [ownNumber],
    skipped: {
      commits: changes.skipped.size,
      by: [...new Set([...changes.skipped.values()].map(describeSkip))],
      undo: [...new Set([...changes.skipped.values()].flatMap(undoOf))],
      pulls: pullNumbers(changes, true),
    },
  };
}

/** A pull request that its title or label leaves out, in short. */
export function overviewOfLeftOut(changes: LeftOutPull): KnownChangesOverview {
  const { pull, by, commits, files, base, head, url } = changes;
  return {
    ...{ kind: 'known', commits, files, selectedFiles: files, base, head, url },
    ...{ patterns: [], exampleFiles: [], leftOut: [], pull: pull.number, codePulls: [] },
    skipped: { commits, by: [describeSkip(by)], undo: undoOf(by), pulls: [pull.number] },
  };
}

/** Those of the commits that are skipped, or of the others, each once. */
function pullNumbers({ commits, pulls, skipped }: KnownChanges, areSkipped: boolean) {
  const own = commits.filter(({ sha }) => skipped.has(sha) === areSkipped);
  const numbers = own.map(
    (commit) =>
      pulls.byCommit.get(commit.sha)?.number ??
      (areSkipped ? numberIn(subjectOf(commit)) : undefined),
  );
  return [...new Set(numbers)].filter((number) => number !== undefined);
}

function describeSkip(by: SkippedBy): string {
  switch (by.kind) {
    case 'marker':
      return '`[skip docs]`';
    case 'label':
      return 'the label `skip-docs`';
    case 'pattern':
      return `${quote(by.pattern)} in \`skip\``;
  }
}

function undoOf(by: SkippedBy): readonly string[] {
  switch (by.kind) {
    case 'marker':
      return by.isInCommit ? [] : ['take `[skip docs]` out of the title of the pull request'];
    case 'label':
      return ['take the label `skip-docs` off the pull request'];
    case 'pattern':
      return ['change `skip`'];
  }
}

/** The changes in a line, for the log. */
export function describeChanges(overview: KnownChangesOverview): string {
  const { commits, files, selectedFiles, base, head } = overview;
  const some = selectedFiles === files ? '' : `, ${selectedFiles} of them selected by \`paths\``;
  return `${pluralize(commits, 'commit')} and ${pluralize(files, 'changed file')}${some}, from ${short(base)} to ${short(head)}`;
}

const short = (ref: string) => quote(shortRef(ref));
