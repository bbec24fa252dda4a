import type { GitHub } from '../../github/github.ts';
import type { KnownChangesOverview, SkipReason } from '../../model/changes.ts';
import {
  CHANGES_NOT_FOUND,
  GitHubError,
  gitHubStop,
  type RunError,
  tokenAdvice,
} from '../../model/errors.ts';
import { isTyped } from '../../model/run-facts.ts';
import { newerRunHasThem, type Start } from '../../model/start.ts';
import { quote } from '../../text/escape.ts';
import { pluralize, shortRef } from '../../text/words.ts';
import { rangeOf } from './event.ts';
import { type FileQuery, selectFiles } from './files.ts';
import type { Changes, KnownChanges } from './found.ts';
import { changesSince } from './start.ts';

export interface ChangesQuery extends FileQuery {
  /** Opens GitHub's API, once a run. */
  readonly github: () => Promise<GitHub>;
  /** What earlier runs of this step say, where they say where the changes start. */
  readonly start: Start | undefined;
  readonly since: string;
}

/**
 * Finds what changed since the start that the event, `since` or the records of earlier runs name.
 * Throws a `RunError` when GitHub fails or the token may not, when `since` names no start, or when
 * the runner does not say what the run is about.
 */
export async function findChanges(query: ChangesQuery): Promise<Changes> {
  const { since, start, pause } = query;
  const permissions = ['contents: read'];
  try {
    const github = await query.github();
    const { event } = github;
    const eventRange = rangeOf(event);
    const { head } = eventRange;
    if (eventRange.kind === 'pull-request') permissions.push('pull-requests: read');
    if (start !== undefined) permissions.push('actions: read', 'checks: read');
    if (start?.kind === 'newer') {
      const reason = newerRunHasThem(start.runNumber);
      return { kind: 'newer-run', ...NOT_FIRST, event, reason, range: undefined };
    }
    const found = await changesSince({ github, pause }, since, eventRange, start);
    const from = 'reason' in found ? undefined : found.mergeBase;
    const range = start !== undefined || since !== 'auto' ? { from, to: head } : undefined;
    if ('reason' in found) {
      return { kind: 'nothing-to-start-from', ...NOT_FIRST, ...found, event, range };
    }
    const selection = await selectFiles(found.files, query);
    const earlier = start?.kind === 'from' ? start.earlier : [];
    return {
      kind: 'known',
      notes: [],
      warnings: [],
      isPullRequest: false,
      ...found,
      event,
      head,
      ...selection,
      earlier,
      range,
    };
  } catch (error) {
    throw error instanceof GitHubError ? changesErrorOf(error, permissions) : error;
  }
}

const NOT_FIRST = { isFirstRun: false, isFirstPush: false };

/** The error to report when GitHub fails. `permissions` are all that the search needs. */
export function changesErrorOf(cause: GitHubError, permissions: readonly string[]): RunError {
  const advice = tokenAdvice(cause, permissions);
  const next = permissions.includes('checks: read')
    ? 'The next run has all of these changes'
    : advice === undefined
      ? cause.kind === 'too-large'
        ? 'Name the start of the changes in `since`'
        : 'Run this workflow job again'
      : 'To send these changes later, name the commit before them in `since`';
  return gitHubStop(CHANGES_NOT_FOUND, cause, advice, next);
}

/** Why nothing is sent, if that is certain. A typed prompt without `paths` needs no changes. */
export function skipReason(changes: Changes): SkipReason | undefined {
  const { name } = changes.event;
  // Only a typed prompt comes here when a newer run has the changes. It goes out without them.
  if (changes.kind === 'newer-run') return undefined;
  if (changes.kind !== 'known') {
    return name === 'schedule' || changes.isFirstPush ? changes.kind : undefined;
  }
  const { totalCommits, files, selected, gaps, isFiltered } = changes;
  if (gaps.length > 0) return undefined;
  if (totalCommits === 0 && files.length === 0) {
    return isTyped(name) && !isFiltered ? undefined : 'nothing-changed';
  }
  return isFiltered && selected.length === 0 ? 'no-matching-file' : undefined;
}

/** How many changed files a skipped step shows. */
const MAX_EXAMPLES = 3;

/** The changes in short, for people. */
export function overviewOf(
  { totalCommits: commits, files, selected, base, head, url }: KnownChanges,
  patterns: readonly string[],
  leftOut: readonly string[],
): KnownChangesOverview {
  const counts = { commits, files: files.length, selectedFiles: selected.length };
  const exampleFiles = files.slice(0, MAX_EXAMPLES).map(({ filename }) => filename);
  return { kind: 'known', ...counts, patterns, exampleFiles, base, head, url, leftOut };
}

/** The changes in a line, for the log. */
export function describeChanges(overview: KnownChangesOverview): string {
  const { commits, files, selectedFiles, base, head } = overview;
  const some = selectedFiles === files ? '' : `, ${selectedFiles} of them selected by \`paths\``;
  return `${pluralize(commits, 'commit')} and ${pluralize(files, 'changed file')}${some}, from ${short(base)} to ${short(head)}`;
}

const short = (ref: string) => quote(shortRef(ref));
