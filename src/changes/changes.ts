import type { ChangedFile, Comparison, GitHub, WorkflowEvent } from '../github/github.ts';
import type { CoveredRange } from '../lib/changes-overview.ts';
import type { Covered, EarlierWork } from '../lib/covered.ts';
import { GitHubError, RunError, tokenAdvice } from '../lib/errors.ts';
import { changedFiles, namesOf } from './files.ts';
import { pathFilter } from './path-filter.ts';
import { type EventRange, rangeOf } from './range.ts';
import { sinceEvent, sinceLastSuccess, sinceNamed } from './start.ts';

export { changesBlock } from './block.ts';
export { contentOf, describeChanges, foldersIn, overviewOf, skipReason } from './overview.ts';

/** What changed, or that there is nothing to start from. */
export type Changes =
  | KnownChanges
  | NoStart
  /** The changes are the part of a newer run. */
  | {
      readonly kind: 'newer-run';
      readonly event: WorkflowEvent;
      readonly runNumber: number;
      readonly range: undefined;
    };

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

export interface ChangesQuery {
  readonly since: string;
  readonly paths: readonly string[];
  /** What earlier runs of this step have covered. Called only under `last-success`. */
  readonly lastCovered: () => Promise<Covered>;
  /** Called after each file that is checked against `paths`. It may wait, or throw to stop. */
  readonly pause?: () => Promise<void>;
}

/**
 * Finds what changed in the repository since the start that the event, `since` or the records of
 * earlier runs name. Throws a `RunError` when GitHub fails or the token may not, when `since` names a
 * start that does not exist, or when the runner does not say what the run is about, and what
 * `lastCovered` throws.
 */
export async function findChanges(github: GitHub, query: ChangesQuery): Promise<Changes> {
  const { since } = query;
  const permissions = ['contents: read'];
  try {
    const range = rangeOf(github.event);
    const isBySuccess = since === 'last-success' || (since === 'auto' && range.kind === 'none');
    if (range.kind === 'pull-request') permissions.push('pull-requests: read');
    if (isBySuccess) permissions.push('actions: read', 'checks: read');
    const covered = isBySuccess ? await query.lastCovered() : undefined;
    return await changesSince(github, range, covered, query);
  } catch (error) {
    throw error instanceof GitHubError ? changesErrorOf(error, permissions) : error;
  }
}

/** The error to report when GitHub fails. `permissions` are all that the search needs. */
export function changesErrorOf(
  cause: GitHubError,
  permissions: readonly string[] = ['contents: read'],
): RunError {
  const listed = permissions.map((permission) => `\`${permission}\``);
  const advice = tokenAdvice(cause, new Intl.ListFormat('en').format(listed));
  const next = permissions.includes('checks: read')
    ? 'The next run has all of these changes'
    : advice === undefined
      ? 'Run this workflow job again'
      : 'To send these changes later, name the commit before them in `since`';
  const message = `${[cause.message, advice ?? [], next].flat().join('. ')}. No prompt was sent.`;
  return new RunError('The changes could not be found', message, { cause });
}

/** `covered` is what earlier runs have covered, where the changes start behind that. */
async function changesSince(
  github: GitHub,
  eventRange: EventRange,
  covered: Covered | undefined,
  { since, paths, pause }: ChangesQuery,
): Promise<Changes> {
  const { event } = github;
  if (covered?.kind === 'newer') {
    return { kind: 'newer-run', event, runNumber: covered.runNumber, range: undefined };
  }
  const { head } = eventRange;
  const found =
    covered !== undefined
      ? await sinceLastSuccess(github, eventRange, covered)
      : since === 'auto'
        ? await sinceEvent(github, eventRange)
        : await sinceNamed(github, since, head);
  const isRecorded = covered !== undefined || since !== 'auto';
  if ('reason' in found) {
    const { reason, isFirstRun = false } = found;
    const range = isRecorded ? { from: undefined, to: head } : undefined;
    return { kind: 'nothing-to-start-from', event, reason, isFirstRun, range };
  }
  const { base, comparison, gaps = [], notes = [], isWhole = false } = found;
  const all = isWhole
    ? { files: comparison.files, gaps: [] }
    : await changedFiles(github, comparison, head);
  return {
    kind: 'known',
    event,
    base,
    head,
    comparison: { ...comparison, files: all.files },
    files: await selectedFiles(all.files, paths, pause),
    gaps: [...all.gaps, ...gaps],
    notes,
    earlier: covered?.kind === 'from' ? covered.earlier : [],
    range: isRecorded ? { from: comparison.mergeBase, to: head } : undefined,
  };
}

/** A file that was renamed counts under both of its names. */
async function selectedFiles(
  files: readonly ChangedFile[],
  paths: readonly string[],
  pause: ChangesQuery['pause'],
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
