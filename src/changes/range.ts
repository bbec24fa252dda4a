import type { WorkflowEvent } from '../github/github.ts';
import { missingVariable } from '../lib/errors.ts';
import { type Payload, payloadSchema } from './payload.ts';

/** The changes that an event is about, as it says itself, without a request to GitHub. */
export type EventRange = EventStart & { readonly head: string };

type EventStart =
  /**
   * `ifRemoved` says what is missing if `base` does not lead to the head: GitHub's comparison then
   * starts at the common commit, and does not show removed commits.
   */
  | { readonly kind: 'between'; readonly base: string; readonly ifRemoved?: string }
  /** A pull request's own commits and files. GitHub lists fewer commits than its event counts. */
  | {
      readonly kind: 'pull-request';
      readonly number: number;
      readonly base: string;
      readonly totalCommits: number;
    }
  /** From the tag before `tag`. */
  | { readonly kind: 'tag-before'; readonly tag: string }
  /** From the release before the one of that tag. */
  | {
      readonly kind: 'release-before';
      readonly tag_name: string;
      readonly prerelease: boolean | undefined;
    }
  /** The event is about a range, but its start is not known. */
  | { readonly kind: 'no-start'; readonly reason: string }
  /** The event is not about changes. */
  | { readonly kind: 'none' };

const FORCE_PUSHED =
  'commits were removed by a force push; the list starts at the last common commit and does not show them';
const TAG_MOVED =
  'the tag was moved to a commit that does not follow its old one; the list starts at the last common commit of the two';
const GROUP_REBUILT =
  'the merge group does not follow its base; the list starts at the last common commit of the two';

/**
 * Which changes an event is about. Throws a `RunError` when the runner does not say where they end.
 * https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows
 */
export function rangeOf(event: WorkflowEvent): EventRange {
  const payload = payloadSchema.parse(event.payload);
  // GITHUB_SHA of a pull request is a merge commit, which contains other people's changes as well.
  // For a push `after` can be an annotated tag's own object, so GITHUB_SHA is used.
  const head = payload.pull_request?.head?.sha ?? payload.merge_group?.head_sha ?? event.sha;
  if (head === '') throw missingVariable('GITHUB_SHA');
  return { ...startOf(event, payload), head };
}

function startOf(event: WorkflowEvent, payload: Payload): EventStart {
  const { pull_request: pull, merge_group: group, release } = payload;
  if (event.name === 'push') return startOfPush(event.ref, payload);
  if (pull?.base?.sha !== undefined) {
    const { number, commits: totalCommits = 0 } = pull;
    const { sha: base } = pull.base;
    if (number === undefined) return { kind: 'between', base };
    return { kind: 'pull-request', number, base, totalCommits };
  }
  if (group?.base_sha !== undefined) {
    return { kind: 'between', base: group.base_sha, ifRemoved: GROUP_REBUILT };
  }
  if (event.name === 'release' && release?.tag_name !== undefined) {
    const { tag_name, prerelease } = release;
    return { kind: 'release-before', tag_name, prerelease };
  }
  return { kind: 'none' };
}

function startOfPush(ref: string, { before, deleted, repository }: Payload): EventStart {
  const noStart = (reason: string) => ({ kind: 'no-start', reason }) as const;
  if (deleted === true) return noStart('this push deleted its branch or tag');
  const isTag = ref.startsWith('refs/tags/');
  if (before !== undefined && !/^0*$/.test(before)) {
    return { kind: 'between', base: before, ifRemoved: isTag ? TAG_MOVED : FORCE_PUSHED };
  }
  if (isTag) return { kind: 'tag-before', tag: ref.slice('refs/tags/'.length) };
  if (before === undefined) return noStart('the event does not name the commit before this push');
  const main = repository?.default_branch;
  return main === undefined || ref === `refs/heads/${main}`
    ? noStart('this is the first push to its branch')
    : { kind: 'between', base: main };
}
