import type { KnownChangesOverview, SkipReason } from '../lib/changes-overview.ts';
import { pluralize, quote } from '../lib/text.ts';
import type { BlockContent } from './block.ts';
import type { Changes, KnownChanges } from './changes.ts';
import { namesOf } from './files.ts';

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
export function foldersIn(patterns: readonly string[], changes: KnownChanges): readonly string[] {
  const names = changes.comparison.files.flatMap(namesOf);
  return patterns.filter((pattern) => {
    const folder = `${pattern.replace(/^!/, '')}/`;
    return !/[*?+[\]\\]/.test(folder) && names.some((name) => name.startsWith(folder));
  });
}

/** What the block tells of the changes. */
export function contentOf(changes: KnownChanges, isFiltered: boolean): BlockContent {
  const { comparison } = changes;
  return { ...comparison, ...changes, totalFiles: comparison.files.length, isFiltered };
}

/** How many changed files a skipped step shows. */
const MAX_EXAMPLES = 3;

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
    exampleFiles: comparison.files.slice(0, MAX_EXAMPLES).map(({ filename }) => filename),
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

/** A commit is shown with seven digits. */
const short = (ref: string) => quote(/^[\da-f]{40,}$/.test(ref) ? ref.slice(0, 7) : ref);
