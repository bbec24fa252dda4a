import type { ChangedFile, Comparison, GitHub, WorkflowEvent } from '../github/github.ts';
import type { CoveredRange } from '../lib/changes-overview.ts';
import type { Covered, EarlierWork } from '../lib/covered.ts';
import { GitHubError, RunError, tokenAdvice } from '../lib/errors.ts';
import { changedFiles, namesOf } from './files.ts';
import { pathFilter } from './path-filter.ts';
import { rangeOf } from './range.ts';
import {
  type Found,
  leadsToHead,
  type NotFound,
  sinceEvent,
  sinceLastSuccess,
  sinceNamed,
} from './start.ts';

export { changesBlock } from './block.ts';
export { contentOf, describeChanges, foldersIn, overviewOf, skipReason } from './overview.ts';

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
    if (isBySuccess) {
      const covered = await query.lastCovered();
      if (covered.kind === 'newer') {
        const { runNumber } = covered;
        return { kind: 'newer-run', event: github.event, runNumber, range: undefined };
      }
      const found = await sinceLastSuccess(github, range, covered);
      return await changesOf(github, range.head, found, query);
    }
    const found =
      query.since === 'auto'
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

async function changesOf(
  github: GitHub,
  head: string,
  found: Found | NotFound,
  query: ChangesQuery,
): Promise<Changes> {
  const { event } = github;
  const { isRecorded = false } = found;
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
