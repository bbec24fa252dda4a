import type { ChangedFile, Comparison, GitHub } from '../effects/effects.ts';
import { CancelledError, GitHubError, messageOf, SinceError } from '../errors.ts';
import { count, quote } from '../text.ts';
import { earlierSuccesses, releaseBefore, tagBefore } from './history.ts';
import { pathFilter } from './path-filter.ts';
import { type Between, rangeOf } from './range.ts';

/** GitHub lists at most this many files of a comparison, and does not say how many there are. */
const MAX_LISTED_FILES = 300;
/** Runs whose commit is tried as the start of the changes; those before it were force-pushed away. */
const MAX_CANDIDATE_RUNS = 10;

/** What changed, or why that cannot be said. */
export type Changes =
  | { readonly kind: 'unknown'; readonly why: string }
  | {
      readonly kind: 'known';
      readonly repository: string;
      readonly base: string;
      readonly head: string;
      readonly comparison: Comparison;
      /** Those that `paths` selects; all when there are no `paths`. */
      readonly files: readonly ChangedFile[];
      /** Why files may be missing from the list, if they may. */
      readonly gaps: readonly string[];
    };

export interface ChangesQuery {
  readonly since: string;
  readonly paths: readonly string[];
}

/**
 * Finds what changed in the repository since the start that the event or `since` names. GitHub's
 * API failing costs the answer, not the run: then it is `unknown`. Throws a `SinceError` when
 * `since` names a start that does not exist, or `last-success` without the permission for it.
 */
export async function findChanges(github: GitHub, query: ChangesQuery): Promise<Changes> {
  try {
    const start = await findStart(github, query.since);
    return 'why' in start ? start : select(github, start, query.paths);
  } catch (error) {
    if (error instanceof SinceError || error instanceof CancelledError) throw error;
    const isForbidden = error instanceof GitHubError && error.kind === 'forbidden';
    const hint = isForbidden ? '. Give the job `permissions:` with `contents: read`' : '';
    return { kind: 'unknown', why: `${messageOf(error)}${hint}` };
  }
}

/** Whether it is certain that nothing changed that `paths` selects. */
export function isNothingRelevant(changes: Changes, paths: readonly string[]): boolean {
  return (
    paths.length > 0 &&
    changes.kind === 'known' &&
    changes.files.length === 0 &&
    changes.gaps.length === 0
  );
}

interface Start {
  readonly range: Between;
  readonly comparison: Comparison;
}

type Unknown = Extract<Changes, { kind: 'unknown' }>;

async function findStart(github: GitHub, since: string): Promise<Start | Unknown> {
  const range = rangeOf(github.event, since);
  switch (range.kind) {
    case 'between':
      return compare(github, range, since);
    case 'tag-before':
      return compareFrom(
        github,
        await tagBefore(github, range),
        range.head,
        'no tag leads to this one',
      );
    case 'release-before':
      return compareFrom(
        github,
        await releaseBefore(github, range),
        range.head,
        'there is no release before this one',
      );
    case 'last-success':
      return lastSuccess(github, range.head, since);
    case 'unknown':
      return range;
  }
}

async function compareFrom(
  github: GitHub,
  base: string | undefined,
  head: string,
  why: string,
): Promise<Start | Unknown> {
  if (base === undefined) return { kind: 'unknown', why };
  return compare(github, { kind: 'between', base, head, isLinear: false }, 'auto');
}

async function compare(github: GitHub, range: Between, since: string): Promise<Start | Unknown> {
  try {
    return { range, comparison: await github.compare(range.base, range.head) };
  } catch (error) {
    if (!(error instanceof GitHubError) || error.kind !== 'missing') throw error;
    const where = `${quote(`${range.base}...${range.head}`)} in ${quote(github.event.repository)}`;
    if (since !== 'auto') {
      throw new SinceError(
        `\`since\` is ${quote(since)}, and GitHub finds nothing to compare at ${where} (HTTP 404). Check the name; a token without \`contents: read\` sees nothing either.`,
      );
    }
    return {
      kind: 'unknown',
      why: `GitHub finds nothing to compare at ${where}: the commit was force-pushed away, or the token lacks \`contents: read\``,
    };
  }
}

/**
 * The head commit of this workflow's last successful run on this branch, so that what a failed,
 * cancelled or superseded run was about is not lost. Runs after this one do not count (it may be
 * run again), nor those of a fork with a branch of the same name, nor commits that no longer lead
 * to `head`.
 */
async function lastSuccess(github: GitHub, head: string, since: string): Promise<Start | Unknown> {
  const runs = await earlierSuccesses(github, since);
  const bases = [...new Set(runs.map((run) => run.headSha))].slice(0, MAX_CANDIDATE_RUNS);
  for (const base of bases) {
    const range: Between = { kind: 'between', base, head, isLinear: true };
    const start = await compare(github, range, 'auto');
    if ('comparison' in start && isAncestor(start.comparison)) return start;
  }
  const why =
    bases.length === 0
      ? 'this workflow has not succeeded on this branch before'
      : `no commit of its last ${count(bases.length, 'successful run')} leads to this one`;
  return { kind: 'unknown', why };
}

const isAncestor = ({ status }: Comparison) => status === 'ahead' || status === 'identical';

function select(github: GitHub, { range, comparison }: Start, paths: readonly string[]): Changes {
  const isSelected = paths.length === 0 ? () => true : pathFilter(paths);
  const gaps: string[] = [];
  if (comparison.files.length >= MAX_LISTED_FILES) {
    gaps.push(
      `GitHub lists only the first ${MAX_LISTED_FILES} files of a comparison; there may be more`,
    );
  }
  if (range.isLinear && !isAncestor(comparison)) {
    gaps.push(
      'commits were taken back by a force push; the list shows only what was added since, from the last common commit',
    );
  }
  return {
    kind: 'known',
    repository: github.event.repository,
    base: range.base,
    head: range.head,
    comparison,
    files: comparison.files.filter(
      ({ path, previousPath }) =>
        isSelected(path) || (previousPath !== undefined && isSelected(previousPath)),
    ),
    gaps,
  };
}

/** The changes in a line, for the log and the summary. */
export function describeChanges(changes: Changes): string {
  if (changes.kind === 'unknown') return 'not known';
  const { comparison, files, base, head } = changes;
  const selected =
    files.length === comparison.files.length
      ? ''
      : `, ${files.length} of them selected by \`paths\``;
  return `${count(comparison.totalCommits, 'commit')} and ${count(comparison.files.length, 'changed file')}${selected}, from ${quote(base)} to ${quote(head)}`;
}
