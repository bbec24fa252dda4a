/** Finds the own changes of the event's pull request: what *Files changed* shows now. */
import { createHash } from 'node:crypto';
import { LABEL_FIRST } from '../../github/changes-not-found.ts';
import { GitHubError, isHidden } from '../../github/errors.ts';
import type { EventChanges } from '../../github/event.ts';
import {
  type ChangedFile,
  type CodePull,
  type GitHub,
  MAX_PULL_REQUEST_FILES,
  type PullRequestChanges,
} from '../../github/github.ts';
import { CHANGES_NOT_FOUND, RunError } from '../../model/run-error.ts';
import { capitalize, newRunSince, pluralize } from '../../text/words.ts';
import { allFiles, haveSameFiles } from './all-files.ts';
import type { Found, LeftOutPull } from './found.ts';
import { leftOutBy } from './skipped-commits.ts';

type PullChanges = Extract<EventChanges, { kind: 'pull-request' }>;

/** How many times to read the files while the pull request gets new commits. */
const MAX_READS = 3;

/**
 * Returns a pull request's own files and commits as they are now. "Update branch" and a rebase
 * bring other people's commits into its branch, but not into these. If GitHub can't list them,
 * compares the base branch with the head. Doesn't read a pull request that its title or label
 * leaves out. Throws a `GitHubError` when GitHub shows neither, and a `RunError` when the pull
 * request has no commits or keeps changing.
 */
export async function ownChanges(github: GitHub, own: PullChanges): Promise<Found | LeftOutPull> {
  const { number } = own.pull;
  const { event } = github;
  let state = await stateNow(github, own);
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const { pull, baseRef: base, head, commits, files, cause } = state;
    const by = leftOutBy(pull);
    const url = github.filesPage(number);
    if (by !== undefined) {
      return {
        kind: 'left-out',
        event,
        pull,
        by,
        commits,
        files,
        base,
        head,
        url,
        range: undefined,
      };
    }
    const listed = cause ?? (await listedOr(github, number));
    if (listed instanceof GitHubError) return changesByComparison(github, state, listed);
    const after = await stateNow(github, own);
    if (after.head === head) return listedChanges(state, listed, url);
    state = after;
  }
  const message = `Pull request #${number} got new commits each of the ${MAX_READS} times that its files were read, so no prompt was sent. Press "Re-run failed jobs". ${LABEL_FIRST}.`;
  throw new RunError(CHANGES_NOT_FOUND, message);
}

interface PullState {
  readonly pull: CodePull;
  readonly baseRef: string;
  readonly head: string;
  /**
   * How many commits and files there are, including those that GitHub doesn't list. 0 if unknown.
   */
  readonly commits: number;
  readonly files: number;
  /** Why this is the state in the event, and not the current one. */
  readonly cause: GitHubError | undefined;
}

/** The current state, or the one in the event if the token may not read the pull request. */
async function stateNow(
  github: Pick<GitHub, 'event' | 'pull'>,
  { pull: then, baseRef, head }: PullChanges,
): Promise<PullState> {
  try {
    const now = await github.pull(github.event.repository, then.number);
    const { title = then.title, labels, merged_at: mergedAt, commits = 0, changed_files = 0 } = now;
    const isMerged = mergedAt !== undefined;
    const names = labels?.map(({ name }) => name) ?? then.labels;
    return {
      pull: { ...then, title, labels: names, isMerged },
      baseRef: now.base?.ref ?? baseRef,
      head: now.head.sha,
      commits,
      files: changed_files,
      cause: undefined,
    };
  } catch (error) {
    if (!(error instanceof GitHubError && isHidden(error))) throw error;
    return { pull: then, baseRef, head, commits: 0, files: 0, cause: error };
  }
}

/**
 * Returns the pull request's lists, or why GitHub can't provide them, for example because it can't
 * make the diff.
 */
async function listedOr(
  github: Pick<GitHub, 'pullRequest'>,
  number: number,
): Promise<PullRequestChanges | GitHubError> {
  try {
    return await github.pullRequest(number);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    if (isHidden(error) || error.kind === 'unavailable') return error;
    throw error;
  }
}

function listedChanges(
  { pull, baseRef: base, head, commits: count, files: fileCount }: PullState,
  { commits, files }: PullRequestChanges,
  url: string,
): Found {
  const totalCommits = Math.max(count, commits.length);
  if (totalCommits === 0) {
    const advice = pull.isMerged
      ? capitalize(newRunSince())
      : `Push a commit to it. ${LABEL_FIRST}, then press "Re-run failed jobs"`;
    const message = `GitHub lists no commit of pull request #${pull.number}, so nothing of it can be documented, and no prompt was sent. ${advice}.`;
    throw new RunError(CHANGES_NOT_FOUND, message);
  }
  const listed = pluralize(files.length, 'file');
  const gap =
    files.length < MAX_PULL_REQUEST_FILES
      ? `GitHub lists ${listed} of this pull request and counts ${fileCount}`
      : `GitHub lists only the first ${MAX_PULL_REQUEST_FILES} files of a pull request; there may be more`;
  const isWhole = files.length < MAX_PULL_REQUEST_FILES && files.length >= fileCount;
  const gaps = isWhole ? [] : [gap];
  const found = { status: 'ahead', url, mergeBase: '', totalCommits, commits, files } as const;
  return {
    ...found,
    kind: 'found',
    base,
    head,
    gaps,
    isUnchanged: isWhole && files.length === 0,
    ownPull: pull,
  };
}

/**
 * Compares the base branch with the head. That shows nothing for a pull request that was merged, or
 * whose commits reached the base branch another way. Never ends at the merge commit, and doesn't
 * start at the event's base commit, which GitHub doesn't keep current.
 */
async function changesByComparison(
  github: GitHub,
  { pull, baseRef: base, head }: PullState,
  cause: GitHubError,
): Promise<Found> {
  const tip = pull.isMerged || base === '' ? undefined : await github.commit(`heads/${base}`);
  const found = tip === undefined ? undefined : await github.compare(tip.sha, head);
  if (found === undefined || found.totalCommits === 0) throw cause;
  const advice = cause.kind === 'unavailable' ? '' : '. `pull-requests: read` gives the exact list';
  const note = `The files of pull request #${pull.number} are taken from the comparison of its base and head: ${cause.message}${advice}`;
  const isUnchanged = await haveSameFiles(github, found, head);
  const { files, gaps } = await allFiles(github, { ...found, isUnchanged }, head);
  const url = github.filesPage(pull.number);
  const own = { ...found, status: 'ahead' as const, url, files, gaps, isUnchanged };
  return { ...own, kind: 'found', base, head, notes: [note], ownPull: pull };
}

/**
 * Returns the first 64 bits of a SHA-256 over each file's added and removed lines, by path: what
 * the pull request itself changes. Excludes context lines and line numbers, which depend on the
 * base branch. A file without a patch counts by its status and object ID. Returns `undefined` if a
 * file has neither.
 */
export function hashOfChanges(files: readonly ChangedFile[]): string | undefined {
  const changed: (readonly [string, string, string])[] = [];
  for (const { filename, previous_filename: previous = '', status, sha, patch } of files) {
    if (patch === undefined && sha === undefined) return undefined;
    const content = patch === undefined ? `${status} ${sha}` : changedLines(patch);
    changed.push([filename, previous, content]);
  }
  changed.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(changed)).digest('hex').slice(0, 16);
}

const changedLines = (patch: string) =>
  patch
    .split('\n')
    .filter((line) => /^[+-]/.test(line))
    .join('\n');
