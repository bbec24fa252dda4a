import {
  type ChangedFile,
  type Comparison,
  type GitHub,
  MAX_PULL_REQUEST_FILES,
  type WorkflowEvent,
} from '../github/github.ts';
import type { CoveredRange, KnownChangesOverview, SkipReason } from '../lib/changes-overview.ts';
import type { Covered, EarlierWork } from '../lib/covered.ts';
import { badStart, GitHubError, messageOf, RunError, tokenAdvice } from '../lib/errors.ts';
import { pluralize, quote } from '../lib/text.ts';
import { checkHead, compareIfThere, type FoundBase, releaseBefore, tagBefore } from './base.ts';
import type { BlockContent } from './block.ts';
import { changedFiles, namesOf } from './files.ts';
import { pathFilter } from './path-filter.ts';
import { type EventRange, type PullRequestRange, rangeOf } from './range.ts';

/** What changed, or that there is nothing to start from. */
export type Changes = KnownChanges | NoStart | NewerRun;

export interface KnownChanges {
  readonly kind: 'known';
  readonly event: WorkflowEvent;
  /** As people name it: a tag, a branch or a commit. */
  readonly base: string;
  readonly head: string;
  /** With all files. */
  readonly comparison: Comparison;
  /** Those that `paths` selects; all when there are no `paths`. */
  readonly files: readonly ChangedFile[];
  /** What may be missing from the list, one sentence each: removed commits as well. */
  readonly gaps: readonly string[];
  /** What else the log should say, one sentence each. */
  readonly notes: readonly string[];
  /** Whether `base` does not lead to `head`. */
  readonly startsAtCommonCommit: boolean;
  /** Earlier agent jobs that had some of these changes and failed, or are still at work. */
  readonly earlier: readonly EarlierWork[];
  /** What to record, unless the event alone says where the changes start. */
  readonly range: CoveredRange | undefined;
}

export interface NoStart {
  readonly kind: 'nothing-to-start-from';
  readonly event: WorkflowEvent;
  readonly reason: string;
  /** No earlier run could have left a start. */
  readonly isFirstRun: boolean;
  readonly range: CoveredRange | undefined;
}

/** The changes are the part of a newer run. */
export interface NewerRun {
  readonly kind: 'newer-run';
  readonly event: WorkflowEvent;
  readonly runNumber: number;
  readonly range: undefined;
}

export interface ChangesQuery {
  readonly since: string;
  readonly paths: readonly string[];
  /** What earlier runs of this step have covered. Called only under `last-success`. */
  readonly lastCovered: () => Promise<Covered>;
  /**
   * Called after each file that is checked against `paths`. It may wait, or throw to stop the
   * check.
   */
  readonly pause?: () => Promise<void>;
}

/**
 * Finds what changed in the repository since the start that the event, `since` or the records of
 * earlier runs name. Throws a `RunError` when GitHub fails or the token may not, when
 * `since` names a start that does not exist, or when the runner does not say what the run is about,
 * and what `lastCovered` throws.
 */
export async function findChanges(github: GitHub, query: ChangesQuery): Promise<Changes> {
  const permissions = ['contents: read'];
  try {
    const range = rangeOf(github.event);
    const isBySuccess =
      query.since === 'last-success' || (query.since === 'auto' && range.kind === 'none');
    if (range.kind === 'pull-request') permissions.push('pull-requests: read');
    if (isBySuccess) permissions.push('actions: read', 'checks: read');
    const found = isBySuccess
      ? await sinceLastSuccess(github, range, query)
      : query.since === 'auto'
        ? await sinceEvent(github, range)
        : await sinceNamed(github, query.since, range.head);
    return await changesOf(github, range.head, found, query);
  } catch (error) {
    throw error instanceof GitHubError ? changesErrorOf(error, permissions) : error;
  }
}

/** The error to report when GitHub fails. `permissions` are all that the search needs. */
export function changesErrorOf(
  error: GitHubError,
  permissions: readonly string[] = ['contents: read'],
): RunError {
  const listed = permissions.map((permission) => `\`${permission}\``);
  const advice = tokenAdvice(error, new Intl.ListFormat('en').format(listed));
  const isBySuccess = permissions.includes('checks: read');
  const next = isBySuccess
    ? 'The next run has all of these changes'
    : advice === undefined
      ? 'Run this workflow job again'
      : 'To send these changes later, name the commit before them in `since`';
  const sentences = [error.message, ...(advice === undefined ? [] : [advice]), next];
  return new RunError(
    'The changes could not be found',
    `${sentences.join('. ')}. No prompt was sent.`,
    {
      cause: error,
    },
  );
}

/** A start that was found, and what is known about it. */
interface Found extends FoundBase {
  readonly gaps?: readonly string[];
  readonly notes?: readonly string[];
  readonly earlier?: readonly EarlierWork[];
  readonly isRecorded?: boolean;
  /** The list of files is not one of a comparison. */
  readonly isWhole?: boolean;
}

/** See {@link NewerRun}. */
interface Newer {
  readonly newerRun: number;
  readonly isRecorded?: false;
}

interface NotFound {
  readonly reason: string;
  readonly isFirstRun?: boolean;
  readonly isRecorded?: boolean;
}

async function changesOf(
  github: GitHub,
  head: string,
  found: Found | NotFound | Newer,
  query: ChangesQuery,
): Promise<Changes> {
  const { event } = github;
  const { isRecorded = false } = found;
  if ('newerRun' in found) {
    return { kind: 'newer-run', event, runNumber: found.newerRun, range: undefined };
  }
  if ('reason' in found) {
    const { reason, isFirstRun = false } = found;
    const range = isRecorded ? { from: undefined, to: head } : undefined;
    return { kind: 'nothing-to-start-from', event, reason, isFirstRun, range };
  }
  const { base, comparison, gaps = [], notes = [], earlier = [], isWhole = false } = found;
  const all = isWhole
    ? { files: comparison.files, gaps: [] }
    : await changedFiles(github, comparison, head);
  return {
    kind: 'known',
    event,
    base,
    head,
    comparison: { ...comparison, files: all.files },
    files: await selectedFiles(all.files, query),
    gaps: [...all.gaps, ...gaps],
    notes,
    startsAtCommonCommit: !leadsToHead(comparison),
    earlier,
    range: isRecorded ? { from: comparison.mergeBase, to: head } : undefined,
  };
}

const leadsToHead = ({ status }: Comparison) => status === 'ahead' || status === 'identical';

const COVERED_REMOVED =
  'commits were removed since the last agent job (a force push or a rebase); the list starts at the last common commit and does not show them';

/**
 * From what earlier runs of this step have covered. If none has a record, or GitHub no longer has
 * that commit, from where the event starts.
 */
async function sinceLastSuccess(
  github: GitHub,
  range: EventRange,
  query: ChangesQuery,
): Promise<Found | NotFound | Newer> {
  const covered = await query.lastCovered();
  if (covered.kind === 'newer') return { newerRun: covered.runNumber };
  if (covered.kind === 'nothing') {
    const { isFirstRun } = covered;
    const found = range.kind === 'none' ? noRecord(isFirstRun) : await sinceEvent(github, range);
    return { ...found, isRecorded: true };
  }
  const { sha, earlier } = covered;
  const found = await between(github, sha, range.head, COVERED_REMOVED);
  if (!('reason' in found)) return { ...found, earlier, isRecorded: true };
  if (range.kind === 'none') return { ...found, isRecorded: true };
  return { ...(await sinceEvent(github, range)), earlier, isRecorded: true };
}

function noRecord(isFirstRun: boolean): NotFound {
  const reason = isFirstRun
    ? 'this is the first run of this workflow on this branch'
    : 'no earlier run of this step on this branch has a record of what it covered';
  return { reason, isFirstRun };
}

/** Throws a `RunError` when GitHub does not have the start that a person named. */
async function sinceNamed(github: GitHub, since: string, head: string): Promise<Found> {
  const comparison = await compareIfThere(github, since, head);
  if (comparison === undefined) {
    await checkHead(github, head);
    const where = quote(github.event.repository);
    throw badStart(
      `\`since\` is ${quote(since)}, and GitHub finds no such branch, tag or commit in ${where} (HTTP 404). Check the name. No prompt was sent.`,
    );
  }
  const note = `${quote(since)} does not lead to ${quote(head)}, so the changes start at the last common commit`;
  const notes = leadsToHead(comparison) ? [] : [note];
  return { base: since, comparison, notes, isRecorded: true };
}

async function sinceEvent(github: GitHub, range: EventRange): Promise<Found | NotFound> {
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
  { number, base, head, totalCommits }: PullRequestRange,
): Promise<Found | NotFound> {
  try {
    const { url, commits, files } = await github.pullRequest(number);
    const comparison: Comparison = {
      status: 'ahead',
      url,
      mergeBase: base,
      totalCommits: Math.max(totalCommits, commits.length),
      commits,
      files,
    };
    const gap = `GitHub lists only the first ${MAX_PULL_REQUEST_FILES} files of a pull request; there may be more`;
    const gaps = files.length < MAX_PULL_REQUEST_FILES ? [] : [gap];
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

/** A file that was renamed counts under both of its names. */
async function selectedFiles(
  files: readonly ChangedFile[],
  { paths, pause }: ChangesQuery,
): Promise<readonly ChangedFile[]> {
  if (paths.length === 0) return files;
  const isSelected = pathFilter(paths);
  const selected: ChangedFile[] = [];
  for (const file of files) {
    if (namesOf(file).some(isSelected)) selected.push(file);
    await pause?.();
  }
  return selected;
}

/** Events by which somebody asked for this very run. */
const DISPATCHES: readonly string[] = ['workflow_dispatch', 'repository_dispatch'];

/**
 * Why nothing needs to be sent, if that is certain. A typed prompt without `paths` is sent even when
 * nothing changed.
 */
export function skipReason(changes: Changes, paths: readonly string[]): SkipReason | undefined {
  const { name } = changes.event;
  if (changes.kind === 'newer-run') return 'newer-run';
  if (changes.kind === 'nothing-to-start-from') {
    return name === 'schedule' ? 'nothing-to-start-from' : undefined;
  }
  const { comparison, files, gaps } = changes;
  if (gaps.length > 0) return undefined;
  if (comparison.totalCommits === 0 && comparison.files.length === 0) {
    return DISPATCHES.includes(name) && paths.length === 0 ? undefined : 'nothing-changed';
  }
  return paths.length > 0 && files.length === 0 ? 'no-matching-file' : undefined;
}

/** The patterns that are the folder of a changed file, and so select nothing in it. */
export function foldersIn(
  patterns: readonly string[],
  { comparison }: KnownChanges,
): readonly string[] {
  const names = comparison.files.flatMap(namesOf);
  return patterns.filter((pattern) => {
    const folder = `${pattern.replace(/^!/, '')}/`;
    return !/[*?+[\]\\]/.test(folder) && names.some((name) => name.startsWith(folder));
  });
}

/** How many changed files a skipped step shows. */
const MAX_EXAMPLES = 3;

/** What the block tells of the changes. */
export function contentOf(changes: KnownChanges, isFiltered: boolean): BlockContent {
  const { url, totalCommits, commits, files } = changes.comparison;
  return { ...changes, url, totalCommits, commits, totalFiles: files.length, isFiltered };
}

export function overviewOf(
  changes: KnownChanges,
  patterns: readonly string[],
  leftOut: readonly string[],
): KnownChangesOverview {
  const { base, head, comparison, files } = changes;
  return {
    kind: 'known',
    commits: comparison.totalCommits,
    files: comparison.files.length,
    selectedFiles: files.length,
    patterns,
    exampleFiles: comparison.files.slice(0, MAX_EXAMPLES).map(({ path }) => path),
    base,
    head,
    url: comparison.url,
    leftOut,
  };
}

/** The changes in a line, for the log. */
export function describeChanges(overview: KnownChangesOverview): string {
  const { commits, files, selectedFiles, base, head } = overview;
  const selected =
    selectedFiles === files ? '' : `, ${selectedFiles} of them selected by \`paths\``;
  return `${pluralize(commits, 'commit')} and ${pluralize(files, 'changed file')}${selected}, from ${short(base)} to ${short(head)}`;
}

/** Commits are shown with seven digits. */
const short = (ref: string) => quote(/^[\da-f]{40,}$/.test(ref) ? ref.slice(0, 7) : ref);
