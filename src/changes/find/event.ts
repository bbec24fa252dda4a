/** Determines from the event that started the workflow where its changes start. */

import { missingVariable } from '../../github/errors.ts';
import type { CodePull, Payload, WorkflowEvent } from '../../github/github.ts';

export const isTag = (ref: string) => ref.startsWith('refs/tags/');
export const nameOfRef = (ref: string) => ref.replace(/^refs\/(?:heads|tags)\//, '');

/** A tag, and GitHub's own flag for a pre-release. Without the flag, the tag's name decides. */
export type Tag = Readonly<{ tag_name: string; prerelease?: boolean | undefined }>;

/** The changes that an event is about, determined from the event without a request to GitHub. */
export type EventRange = EventStart & { readonly head: string };

/** The ranges that a comparison finds, rather than one of GitHub's lists. */
export type ComparedRange = Exclude<EventRange, { readonly kind: 'pull-request' }>;

type EventStart =
  /**
   * From a commit. `ifRemoved` says what the comparison lacks if the commit doesn't lead to the
   * head.
   */
  | { readonly kind: 'between'; readonly base: string; readonly ifRemoved?: string }
  /** From the default branch, which moves. `begin` is where the changes start for later runs. */
  | { readonly kind: 'new-branch'; readonly base: string; readonly begin: string }
  /** A pull request's own commits and files. `baseRef` is the branch to merge into, if known. */
  | Readonly<{ kind: 'pull-request'; pull: CodePull; baseRef: string }>
  /** From the tag or release before this one. */
  | ({ readonly kind: 'tag-before' | 'release-before' } & Tag)
  /** `no-start`: the event's changes have no known start. `none`: the event isn't about changes. */
  | { readonly kind: 'no-start' | 'none'; readonly reason: string };

const FORCE_PUSHED =
  'commits were removed by a force push; the list starts at the last common commit and does not show them';
const TAG_MOVED =
  'the tag was moved to a commit that does not follow its old one; the list starts at the last common commit of the two';
const GROUP_REBUILT =
  'the merge group does not follow its base; the list starts at the last common commit of the two';

/**
 * Returns which changes an event is about. Throws a `RunError` when the runner doesn't say where
 * they end.
 * https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows
 */
export function rangeOf(event: WorkflowEvent): EventRange {
  const { pull_request: pull, merge_group: group } = event.payload;
  // On a pull request, GITHUB_SHA is a merge commit, which also contains other people's changes. On
  // a push, `after` can be an annotated tag's own object, so use GITHUB_SHA.
  const head = pull?.head?.sha ?? group?.head_sha ?? event.sha;
  if (head === '') throw missingVariable('GITHUB_SHA');
  return { ...eventStartOf(event), head };
}

/**
 * Returns the commit at which the event itself says its changes start, or `undefined`. `<commit>^`
 * is the parent. Never throws, no matter what the event contains.
 */
export function eventStartCommit(readEvent: () => WorkflowEvent): string | undefined {
  try {
    const range = rangeOf(readEvent());
    if (!('base' in range)) return undefined;
    return range.kind === 'new-branch' ? range.begin : range.base;
  } catch {
    // The run reports later what is wrong with its event.
    return undefined;
  }
}

function eventStartOf(event: WorkflowEvent): EventStart {
  const { pull_request: pull, merge_group: group, release } = event.payload;
  if (event.name === 'push') return startOfPush(event.ref, event.sha, event.payload);
  const own = pullOfEvent(event);
  if (own !== undefined) return { kind: 'pull-request', pull: own, baseRef: pull?.base?.ref ?? '' };
  if (group?.base_sha !== undefined) {
    return { kind: 'between', base: group.base_sha, ifRemoved: GROUP_REBUILT };
  }
  if (event.name === 'release' && release?.tag_name !== undefined) {
    const { tag_name, prerelease } = release;
    return { kind: 'release-before', tag_name, prerelease };
  }
  return { kind: 'none', reason: 'the event names no changes' };
}

function startOfPush(ref: string, sha: string, payload: Payload): EventStart {
  const { before, deleted, repository, commits = [] } = payload;
  const noStart = (reason: string) => ({ kind: 'no-start', reason }) as const;
  if (deleted === true) return noStart('this push deleted its branch or tag');
  if (before !== undefined && !/^0*$/.test(before)) {
    return { kind: 'between', base: before, ifRemoved: isTag(ref) ? TAG_MOVED : FORCE_PUSHED };
  }
  if (isTag(ref)) return { kind: 'tag-before', tag_name: nameOfRef(ref) };
  if (before === undefined) return noStart('the event does not name the commit before this push');
  const main = repository?.default_branch;
  return main === undefined || ref === `refs/heads/${main}`
    ? noStart('this is the first push to its branch')
    : { kind: 'new-branch', base: main, begin: commits[0] ? `${commits[0].id}^` : sha };
}

/**
 * Returns the commit at which the event's changes end if `since` is its object ID, whole or at
 * least the first 7 characters. Never throws, no matter what the event contains.
 */
export function headNamedBy(since: string, readEvent: () => WorkflowEvent): string | undefined {
  if (!/^[0-9a-f]{7,64}$/i.test(since)) return undefined;
  try {
    const { head } = rangeOf(readEvent());
    return head.startsWith(since.toLowerCase()) ? head : undefined;
  } catch {
    // The run reports later what is wrong with its event.
    return undefined;
  }
}

/** The pull request that the event is about, as it was then. */
export function pullOfEvent({ name, payload }: WorkflowEvent): CodePull | undefined {
  const { pull_request: pull } = payload;
  if (name === 'push' || pull?.number === undefined) return undefined;
  const { number, title = '', body = '', user, labels = [], merged = false } = pull;
  return {
    ...{ number, title, body },
    author: user?.login,
    labels: labels.map((label) => label.name),
    isMerged: merged,
    mergedAt: '',
    mergeCommit: undefined,
  };
}

/** The number of the event's pull request. Never throws, no matter what the event contains. */
export function pullNumberOf(readEvent: () => WorkflowEvent): number | undefined {
  try {
    return pullOfEvent(readEvent())?.number;
  } catch {
    // The run reports later what is wrong with its event.
    return undefined;
  }
}
