/** Determines from the event that started the workflow which changes it is about. */

import { missingVariable } from './errors.ts';
import type { CodePull, Payload, WorkflowEvent } from './github.ts';

export const isTag = (ref: string) => ref.startsWith('refs/tags/');
export const nameOfRef = (ref: string) => ref.replace(/^refs\/(?:heads|tags)\//, '');

/** A tag, and GitHub's own flag for a pre-release. Without the flag, the tag's name decides. */
export type Tag = Readonly<{ tag_name: string; prerelease?: boolean | undefined }>;

/** Which changes an event is about, without a request to GitHub. They end at `head`. */
export type EventChanges = { readonly head: string } & (
  | ComparedFrom
  /** A pull request's own commits and files. `baseRef` is the branch to merge into, if known. */
  | { readonly kind: 'pull-request'; readonly pull: CodePull; readonly baseRef: string }
);

/** The changes that a comparison finds, rather than one of GitHub's lists. */
export type ComparedChanges = Exclude<EventChanges, { readonly kind: 'pull-request' }>;

type ComparedFrom =
  /** A commit. `gapIfRemoved` says what the comparison lacks if it doesn't lead to the head. */
  | { readonly kind: 'commit'; readonly base: string; readonly gapIfRemoved?: string }
  /**
   * The default branch, which moves. `eventStart` is where the changes of the new branch start for
   * later runs.
   */
  | { readonly kind: 'new-branch'; readonly base: string; readonly eventStart: string }
  /** The tag or release before this one. */
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
export function changesOfEvent(event: WorkflowEvent): EventChanges {
  const { pull_request: pull, merge_group: group } = event.payload;
  // On a pull request, GITHUB_SHA is a merge commit, which also contains other people's changes. On
  // a push, `after` can be an annotated tag's own object, so use GITHUB_SHA.
  const head = pull?.head?.sha ?? group?.head_sha ?? event.sha;
  if (head === '') throw missingVariable('GITHUB_SHA');
  const own = pullOfEvent(event);
  if (own === undefined) return { ...comparedFrom(event), head };
  return { kind: 'pull-request', pull: own, baseRef: pull?.base?.ref ?? '', head };
}

function comparedFrom({ name, ref, sha, payload }: WorkflowEvent): ComparedFrom {
  const { merge_group: group, release } = payload;
  if (name === 'push') return pushComparedFrom(ref, sha, payload);
  if (group?.base_sha !== undefined) {
    return { kind: 'commit', base: group.base_sha, gapIfRemoved: GROUP_REBUILT };
  }
  if (name === 'release' && release?.tag_name !== undefined) {
    const { tag_name, prerelease } = release;
    return { kind: 'release-before', tag_name, prerelease };
  }
  return { kind: 'none', reason: 'the event names no changes' };
}

function pushComparedFrom(ref: string, sha: string, payload: Payload): ComparedFrom {
  const { before, deleted, repository, commits = [] } = payload;
  const noStart = (reason: string) => ({ kind: 'no-start', reason }) as const;
  if (deleted === true) return noStart('this push deleted its branch or tag');
  if (before !== undefined && !/^0*$/.test(before)) {
    return { kind: 'commit', base: before, gapIfRemoved: isTag(ref) ? TAG_MOVED : FORCE_PUSHED };
  }
  if (isTag(ref)) return { kind: 'tag-before', tag_name: nameOfRef(ref) };
  if (before === undefined) return noStart('the event does not name the commit before this push');
  const main = repository?.default_branch;
  return main === undefined || ref === `refs/heads/${main}`
    ? noStart('this is the first push to its branch')
    : { kind: 'new-branch', base: main, eventStart: commits[0] ? `${commits[0].id}^` : sha };
}

/** What a record needs to know about the event. Each part may be missing. */
export interface EventOutline {
  /** The commit at which the event's changes end. */
  readonly head?: string;
  /** The commit at which the event says that its changes start. `<commit>^` is the parent. */
  readonly eventStart?: string | undefined;
  /** The number of the event's pull request. */
  readonly pullNumber?: number | undefined;
}

/** Never throws, no matter what the event contains. */
export function outlineOf(readEvent: () => WorkflowEvent): EventOutline {
  try {
    const changes = changesOfEvent(readEvent());
    const { head } = changes;
    switch (changes.kind) {
      case 'pull-request':
        return { head, pullNumber: changes.pull.number };
      case 'commit':
        return { head, eventStart: changes.base };
      case 'new-branch':
        return { head, eventStart: changes.eventStart };
      default:
        return { head };
    }
  } catch {
    // The run reports later what is wrong with its event.
    return {};
  }
}

/** The pull request that the event is about, as it was then. */
export function pullOfEvent({ name, payload }: WorkflowEvent): CodePull | undefined {
  const { pull_request: pull } = payload;
  if (name === 'push' || pull?.number === undefined) return undefined;
  const { number, title = '', body = '', user, labels = [], merged = false } = pull;
  return {
    number,
    title,
    body,
    author: user?.login,
    labels: labels.map((label) => label.name),
    isMerged: merged,
    mergedAt: '',
    mergeCommit: undefined,
  };
}
