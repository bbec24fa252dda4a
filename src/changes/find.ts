/** Finds what changed from the start to the head, and whether any of it has to be sent. */
import { changedFiles, diffOf, fingerprint } from '../git/diff.ts';
import type { Repository } from '../git/repository.ts';
import { GitHubError } from '../github/client.ts';
import type { RunFacts } from '../github/event.ts';
import type { GitHub } from '../github/github.ts';
import type { Inputs } from '../inputs.ts';
import { quote } from '../text/escape.ts';
import { type Changes, type ChangesOverview, overviewOf } from './changes.ts';
import { selectFiles } from './paths.ts';
import { withSkips } from './skip.ts';
import type { Ends } from './starts.ts';
import type { Subject } from './subject.ts';

export type Found =
  | { readonly kind: 'changes'; readonly changes: Changes }
  | {
      readonly kind: 'nothing';
      readonly reason: 'no-changes' | 'no-matching-files' | 'all-skipped' | 'no-start';
      /** It has no commits if the files alone decide. */
      readonly overview: ChangesOverview;
    };

export interface FindOptions {
  readonly subject: Exclude<Subject, { kind: 'nothing' }>;
  readonly ends: Ends;
  /** The ledger's, a typed one, or `ends.start`. */
  readonly start: string | undefined;
  readonly inputs: Pick<Inputs, 'changes' | 'paths' | 'skip'>;
  readonly github: Pick<GitHub, 'compare' | 'pullsBehind'>;
  readonly repo: Repository;
  readonly facts: Pick<RunFacts, 'repository' | 'serverUrl'>;
}

/**
 * Returns what changed from `start` to `ends.head`, or why nothing has to be sent. Throws a
 * `StepError` if git or GitHub fails, and the signal's reason after a cancel.
 */
export async function findChanges(options: FindOptions): Promise<Found> {
  const { subject, ends, start, inputs, github, repo, facts } = options;
  const { head, pull } = ends;
  const { repository, serverUrl } = facts;
  const isByEvent = start === ends.start;
  let changes: Changes = {
    repository,
    from: (isByEvent ? ends.startName : undefined) ?? start ?? '',
    to: ends.headName ?? head,
    // Two dots compare the trees, as the patches do.
    compareUrl: start === undefined ? '' : `${serverUrl}/${repository}/compare/${start}..${head}`,
    pull,
    ...{ commits: [], files: [], selected: [], warnings: [] },
    codePullRequests: pull ? [pull.number] : [],
  };
  const nothing = (reason: Extract<Found, { kind: 'nothing' }>['reason']): Found => ({
    ...{ kind: 'nothing', reason, overview: overviewOf(changes) },
  });
  if (start === undefined) {
    // A first release goes out with its notes alone.
    const notes = subject.kind === 'tag' ? subject.release?.description.trim() : '';
    return notes && inputs.changes !== 'none' ? { kind: 'changes', changes } : nothing('no-start');
  }

  const files = await changedFiles(repo, start, head);
  changes = { ...changes, files, selected: selectFiles(files, inputs.paths) };
  if (files.length === 0) return nothing('no-changes');
  if (changes.selected.length === 0) return nothing('no-matching-files');

  const { comparison, ...comparing } = await compareOrWarn(options, start);
  const listed = comparison?.commits ?? [];
  // A pull request's own commits are all its own.
  const isOwn = pull !== undefined && isByEvent;
  const pulls = isOwn ? undefined : await github.pullsBehind(listed);
  const commits = withSkips(listed, (sha) => pulls?.byCommit.get(sha) ?? pull, inputs.skip);
  const needed = commits.filter(({ isSkipped }) => !isSkipped);
  const numbers = needed.flatMap((commit) => commit.pull?.number ?? []);
  changes = {
    ...changes,
    commits,
    codePullRequests: [...new Set([...changes.codePullRequests, ...numbers])],
    warnings: [comparing.warning, pulls?.warning].filter((text) => text !== undefined),
  };
  // Of what a force push removed, nobody says that it needs no documentation.
  const isWhole = comparison?.mergeBase === start && commits.length > 0;
  return isWhole && needed.length === 0 ? nothing('all-skipped') : { kind: 'changes', changes };
}

/** Files and patches come from git, so without GitHub's comparison only the commits are missing. */
async function compareOrWarn({ github, ends }: FindOptions, start: string) {
  try {
    return { comparison: await github.compare(start, ends.head), warning: undefined };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const warning = `GitHub could not compare the two commits (${quote(error.said)}), so the prompt lists no commits, and \`skip\` leaves nothing out.`;
    return { comparison: undefined, warning };
  }
}

/** Hashes a pull request's own changes: the added and removed lines of the files that count. */
export async function fingerprintOf(
  repo: Repository,
  paths: readonly string[],
  from: string,
  to: string,
): Promise<string> {
  const files = selectFiles(await changedFiles(repo, from, to), paths);
  return fingerprint(await diffOf(repo, files, { patchLimit: 0 }));
}
