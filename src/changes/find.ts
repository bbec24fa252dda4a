/** What changed from the start to the head, and whether any of it has to be sent. */
import {
  type ChangedFile,
  changedFiles,
  changedPaths,
  diffOf,
  fetchContents,
  fingerprint,
} from '../git/diff.ts';
import type { Repository } from '../git/repository.ts';
import type { RunFacts } from '../github/event.ts';
import type { Commit, GitHub } from '../github/github.ts';
import type { PullRequest } from '../github/pull-requests.ts';
import type { Inputs } from '../inputs.ts';
import { isBare } from './files.ts';
import { pathFilter, selectFiles } from './paths.ts';
import { type RangeCommit, withSkips } from './skip.ts';
import { type Ends, orWarn } from './starts.ts';

export interface Changes {
  readonly repository: string;
  /** The two commits whose trees are compared: tags or ids. `from` is empty for a first release. */
  readonly from: string;
  readonly to: string;
  readonly compareUrl: string;
  readonly pull: PullRequest | undefined;
  readonly release: Ends['release'];
  /**
   * Oldest first, with `paths` those that touch a selected file. Empty if the two commits have no
   * common ancestor.
   */
  readonly commits: readonly RangeCommit[];
  /** In the order of paths. `selected` are those that `paths` selects. */
  readonly files: readonly ChangedFile[];
  readonly selected: readonly ChangedFile[];
  readonly codePullRequests: readonly number[];
  /** For the log. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

export interface Found {
  readonly changes: Changes;
  readonly nothing: 'no-changes' | 'no-matching-files' | 'all-skipped' | 'no-start' | undefined;
}

interface FindOptions {
  readonly ends: Ends;
  readonly start: string | undefined;
  readonly inputs: Pick<Inputs, 'changes' | 'paths' | 'skip'>;
  readonly github: Pick<GitHub, 'compare' | 'pullsBehind'>;
  readonly repo: Repository;
  readonly facts: Pick<RunFacts, 'repository' | 'serverUrl'>;
}

/** What changed from `start` to `ends.head`. Throws a `StepError` if git or GitHub fails. */
export async function findChanges(options: FindOptions): Promise<Found> {
  const { ends, start, inputs, github, repo, facts } = options;
  const { head, pull, release } = ends;
  const { repository, serverUrl } = facts;
  const isByEvent = start === ends.start;
  let changes: Changes = {
    repository,
    from: (isByEvent ? ends.startName : undefined) ?? start ?? '',
    to: ends.headName ?? head,
    // Two dots compare the trees, as the patches do.
    compareUrl: start === undefined ? '' : `${serverUrl}/${repository}/compare/${start}..${head}`,
    pull,
    release,
    codePullRequests: pull ? [pull.number] : [],
    commits: [],
    files: [],
    selected: [],
    notes: [],
    warnings: [],
  };
  if (start === undefined) {
    // A first release goes out with its notes alone.
    const hasNotes = release?.body?.trim() && inputs.changes !== 'none';
    return { changes, nothing: hasNotes ? undefined : 'no-start' };
  }

  const files = await changedFiles(repo, start, head);
  changes = { ...changes, files, selected: selectFiles(files, inputs.paths) };
  if (files.length === 0) return { changes, nothing: 'no-changes' };
  if (changes.selected.length === 0) return { changes, nothing: 'no-matching-files' };

  const comparing = await orWarn(
    github.compare(start, head),
    'the prompt lists no commits, and `skip` leaves nothing out',
  );
  const listed = comparing.found?.commits ?? [];
  const { touches, ...touching } = await touchingOf(repo, listed, inputs.paths);
  // A pull request's own commits are all its own.
  const isOwn = pull !== undefined && isByEvent;
  const read = changes.selected.filter((file) => inputs.changes !== 'none' && !isBare(file));
  const [pulls] = await Promise.all([
    isOwn ? undefined : github.pullsBehind(listed.filter(({ sha }) => touches(sha))),
    // The prompt asks for them next.
    fetchContents(repo, read),
  ]);
  const pullOf = (sha: string) => (pulls === undefined ? pull : pulls.byCommit.get(sha));
  const commits = withSkips(listed, { touches, pullOf, lines: inputs.skip });
  const needed = commits.filter(({ isSkipped }) => !isSkipped);
  const numbers = needed.flatMap((commit) => commit.pull?.number ?? []);
  changes = {
    ...changes,
    commits,
    codePullRequests: [...new Set([...changes.codePullRequests, ...numbers])],
    notes: touching.notes,
    warnings: [
      ...comparing.warnings,
      ...touching.warnings,
      ...(pulls?.warning ? [pulls.warning] : []),
    ],
  };
  // GitHub does not list commits that a force push removed, so nothing says that they can be skipped.
  // Without any commit but merges, the changes are those of the merges.
  const isWhole =
    comparing.found?.mergeBase === start && commits.some(({ parents }) => parents.length < 2);
  return { changes, nothing: isWhole && needed.length === 0 ? 'all-skipped' : undefined };
}

/** The most commits whose trees are fetched. */
const MAX_COMMITS = 300;

/** Which commits touch a file that `paths` selects. One that could not be read does. */
async function touchingOf(
  repo: Repository,
  commits: readonly Commit[],
  patterns: readonly string[],
) {
  const isSelected = pathFilter(patterns);
  const areRead = patterns.length > 0 && commits.length <= MAX_COMMITS;
  const { found, warnings } = await orWarn(
    areRead ? changedPaths(repo, commits) : Promise.resolve(undefined),
    'the prompt lists all commits, also those that touch no file that `paths` selects',
  );
  const note = `There are ${commits.length} commits, more than the ${MAX_COMMITS} that are compared with \`paths\`, so the prompt lists all of them.`;
  return {
    touches: (sha: string) => found?.get(sha)?.some(isSelected) ?? true,
    notes: patterns.length > 0 && !areRead ? [note] : [],
    warnings,
  };
}

/** Of the added and removed lines of the files that count. */
export async function fingerprintOf(
  repo: Repository,
  paths: readonly string[],
  from: string,
  to: string,
): Promise<string> {
  const files = selectFiles(await changedFiles(repo, from, to), paths);
  return fingerprint(await diffOf(repo, files));
}
