import {
  type ChangedFile,
  type Comparison,
  type GitHub,
  MAX_COMPARED_FILES,
  MAX_PULL_REQUEST_FILES,
} from '../github/github.ts';
import type { KnownChangesOverview } from '../lib/changes-overview.ts';
import { GitHubError, messageOf, SinceError, tokenAdvice } from '../lib/errors.ts';
import { pluralize, quote } from '../lib/text.ts';
import { compareIfThere, isAncestor, lastSuccess, releaseBefore, tagBefore } from './base.ts';
import { pathFilter } from './path-filter.ts';
import { type Between, type Range, rangeOf } from './range.ts';

/** What changed, or the reason why that is not known. */
export type Changes =
  | { readonly kind: 'unknown'; readonly reason: string }
  | {
      readonly kind: 'known';
      readonly repository: string;
      readonly base: string;
      readonly head: string;
      readonly comparison: Comparison;
      /** Those that `paths` selects; all when there are no `paths`. */
      readonly files: readonly ChangedFile[];
      /** What may be missing from the list, one sentence each. */
      readonly gaps: readonly string[];
      /** What else the log should say, one sentence each. */
      readonly notes: readonly string[];
    };

export interface ChangesQuery {
  readonly since: string;
  readonly paths: readonly string[];
  /**
   * Called after each file that is checked against `paths`. It may wait, or throw to stop the
   * check.
   */
  readonly pause?: () => Promise<void>;
}

/**
 * Finds what changed in the repository since the start that the event or `since` names. If
 * GitHub's API fails, the result is `unknown` and the run goes on. Throws a `SinceError` when
 * `since` names a start that does not exist or that the token may not see, and a
 * `WorkflowContextError` when the runner does not say what the run is about.
 */
export async function findChanges(github: GitHub, query: ChangesQuery): Promise<Changes> {
  try {
    const range = await resolveRange(github, query.since);
    if ('reason' in range) return range;
    return {
      kind: 'known',
      repository: github.event.repository,
      ...range,
      files: await selectedFiles(range.comparison.files, query),
    };
  } catch (error) {
    // Any other error is a bug in this action and must not be reported as a failure of GitHub.
    if (!(error instanceof GitHubError)) throw error;
    const permissions = '`contents: read`, and `pull-requests: read` for pull requests';
    const advice = error.kind === 'not-found' ? undefined : tokenAdvice(error, permissions);
    if (advice === undefined) return { kind: 'unknown', reason: error.message };
    const reason = `${error.message}. ${advice}`;
    if (query.since === 'auto') return { kind: 'unknown', reason };
    throw new SinceError(`\`since\` is ${quote(query.since)}. ${reason}.`, { cause: error });
  }
}

/** Whether it is certain that `paths` selects none of the changed files. */
export function isNothingRelevant(changes: Changes, paths: readonly string[]): boolean {
  return (
    paths.length > 0 &&
    changes.kind === 'known' &&
    changes.files.length === 0 &&
    changes.gaps.length === 0
  );
}

interface ResolvedRange {
  readonly base: string;
  readonly head: string;
  readonly comparison: Comparison;
  readonly gaps: readonly string[];
  readonly notes: readonly string[];
}

type Unknown = Extract<Changes, { kind: 'unknown' }>;

async function resolveRange(github: GitHub, since: string): Promise<ResolvedRange | Unknown> {
  const range = rangeOf(github.event, since);
  switch (range.kind) {
    case 'between':
      return compare(github, range, since);
    case 'pull-request':
      return pullRequest(github, range);
    case 'unknown':
      return range;
    default: {
      const found = await findBase(github, range, since);
      if ('reason' in found) return found;
      const { base, comparison } = found;
      return { base, head: range.head, comparison, gaps: gapsOf(comparison), notes: [] };
    }
  }
}

type RangeWithoutBase = Extract<Range, { kind: 'tag-before' | 'release-before' | 'last-success' }>;

function findBase(github: GitHub, range: RangeWithoutBase, since: string) {
  switch (range.kind) {
    case 'tag-before':
      return tagBefore(github, range.tag, range.head);
    case 'release-before':
      return releaseBefore(github, range, range.head);
    case 'last-success':
      return lastSuccess(github, range.head, since);
  }
}

async function compare(
  github: GitHub,
  { base, head, gapIfNotAncestor }: Between,
  since: string,
): Promise<ResolvedRange | Unknown> {
  const comparison = await compareIfThere(github, base, head);
  if (comparison !== undefined) {
    const isGap = gapIfNotAncestor !== undefined && !isAncestor(comparison);
    const gaps = [...gapsOf(comparison), ...(isGap ? [gapIfNotAncestor] : [])];
    return { base, head, comparison, gaps, notes: [] };
  }
  const where = `${quote(`${base}...${head}`)} in ${quote(github.event.repository)}`;
  if (since !== 'auto') {
    throw new SinceError(
      `\`since\` is ${quote(since)}, and GitHub finds nothing to compare at ${where} (HTTP 404). Check the name. A token without \`contents: read\` gets the same answer.`,
    );
  }
  return {
    kind: 'unknown',
    reason: `GitHub finds nothing to compare at ${where}: one of the commits is gone (a force push removes them), or the token lacks \`contents: read\``,
  };
}

/**
 * A pull request's own files and commits. If GitHub does not list them, the comparison of its base
 * and head is used instead. The comparison never ends at the merge commit: GitHub does not keep the
 * base current, so that range contains other people's changes.
 */
async function pullRequest(
  github: GitHub,
  { number, base, head, totalCommits }: Extract<Range, { kind: 'pull-request' }>,
): Promise<ResolvedRange | Unknown> {
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
    const gaps =
      files.length < MAX_PULL_REQUEST_FILES
        ? []
        : [
            `GitHub lists only the first ${MAX_PULL_REQUEST_FILES} files of a pull request; there may be more`,
          ];
    return { base, head, comparison, gaps, notes: [] };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const range = await compare(github, { kind: 'between', base, head }, 'auto');
    const note = `The files of pull request ${number} are taken from the comparison of its base and head: ${messageOf(error)}. \`pull-requests: read\` gives the exact list`;
    return 'reason' in range ? range : { ...range, notes: [note] };
  }
}

function gapsOf({ files }: Comparison): readonly string[] {
  if (files.length < MAX_COMPARED_FILES) return [];
  return [
    `GitHub lists only the first ${MAX_COMPARED_FILES} files of a comparison; there may be more`,
  ];
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
    const { path, previousPath } = file;
    if (isSelected(path) || (previousPath !== undefined && isSelected(previousPath))) {
      selected.push(file);
    }
    await pause?.();
  }
  return selected;
}

/** How many changed files a skipped step shows. */
const MAX_EXAMPLES = 3;

export function overviewOf(
  changes: Extract<Changes, { kind: 'known' }>,
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
  return `${pluralize(commits, 'commit')} and ${pluralize(files, 'changed file')}${selected}, from ${quote(base)} to ${quote(head)}`;
}
