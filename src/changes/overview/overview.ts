/** Summarizes for people what changed. */
import type { KnownChangesOverview } from '../../model/changes.ts';
import { quote } from '../../text/escape.ts';
import { pluralize, shortRef } from '../../text/words.ts';
import { numberIn, subjectOf } from '../find/code-pulls.ts';
import type { KnownChanges, LeftOutPull, SkippedBy } from '../find/found.ts';

/** How many changed files a skipped step shows. */
const MAX_EXAMPLES = 3;

/** Summarizes the changes for people. */
export function overviewOf(
  changes: KnownChanges,
  patterns: readonly string[],
  leftOut: readonly string[],
): KnownChangesOverview {
  const { totalCommits: commits, files, selected, base, head, url } = changes;
  const exampleFiles = files.slice(0, MAX_EXAMPLES).map(({ filename }) => filename);
  const ownNumber = changes.ownPull?.number;
  return {
    kind: 'known',
    commits,
    files: files.length,
    selectedFiles: selected.length,
    patterns,
    exampleFiles,
    base,
    head,
    url,
    leftOut,
    pull: ownNumber,
    ...(changes.ownPull?.isMerged && { isPullMerged: true }),
    codePulls: ownNumber === undefined ? pullNumbers(changes, false) : [ownNumber],
    skipped: {
      commits: changes.skipped.size,
      by: [...new Set([...changes.skipped.values()].map(describeSkip))],
      undo: [...new Set([...changes.skipped.values()].flatMap(undoOf))],
      pulls: pullNumbers(changes, true),
    },
  };
}

/** Summarizes a pull request that its title or label leaves out. */
export function overviewOfLeftOut(changes: LeftOutPull): KnownChangesOverview {
  const { pull, by, commits, files, base, head, url } = changes;
  return {
    kind: 'known',
    commits,
    files,
    selectedFiles: files,
    patterns: [],
    exampleFiles: [],
    base,
    head,
    url,
    leftOut: [],
    codePulls: [],
    pull: pull.number,
    skipped: { commits, by: [describeSkip(by)], undo: undoOf(by), pulls: [pull.number] },
  };
}

/** The pull requests of the skipped commits, or of the others, each once. */
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
      return by.isInCommit ? [] : ['remove `[skip docs]` from the title of the pull request'];
    case 'label':
      return ['remove the label `skip-docs` from the pull request'];
    case 'pattern':
      return ['change `skip`'];
  }
}

/** Describes the changes in a line for the log. */
export function describeChanges(overview: KnownChangesOverview): string {
  const { commits, files, selectedFiles, base, head } = overview;
  const some = selectedFiles === files ? '' : `, ${selectedFiles} of them selected by \`paths\``;
  return `${pluralize(commits, 'commit')} and ${pluralize(files, 'changed file')}${some}, from ${short(base)} to ${short(head)}`;
}

const short = (ref: string) => quote(shortRef(ref));
