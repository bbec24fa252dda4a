import * as z from 'zod/mini';
import type { WorkflowEvent } from '../github/github.ts';
import { missingVariable } from '../lib/errors.ts';
import { optionalField, optionalText } from '../lib/schema.ts';

/** The changes that an event is about, as it says itself, without a request to GitHub. */
export type EventRange =
  | Between
  | PullRequestRange
  /** From the tag before `tag`. */
  | { readonly kind: 'tag-before'; readonly tag: string; readonly head: string }
  /** From the release before the one of `tag`. */
  | {
      readonly kind: 'release-before';
      readonly tag: string;
      readonly isPrerelease: boolean | undefined;
      readonly head: string;
    }
  /** The event is about a range, but its start is not known. */
  | { readonly kind: 'no-start'; readonly reason: string; readonly head: string }
  /** The event is not about changes. */
  | { readonly kind: 'none'; readonly head: string };

export interface Between {
  readonly kind: 'between';
  readonly base: string;
  readonly head: string;
  /**
   * What to say if `base` does not lead to `head`. GitHub's comparison then starts at the common
   * commit, and does not show removed commits.
   */
  readonly ifRemoved?: string;
}

/** A pull request's own commits and files. */
export interface PullRequestRange {
  readonly kind: 'pull-request';
  readonly number: number;
  readonly base: string;
  readonly head: string;
  /** As the event says; GitHub lists at most 250. */
  readonly totalCommits: number;
}

const FORCE_PUSHED =
  'commits were removed by a force push; the list starts at the last common commit and does not show them';
const TAG_MOVED =
  'the tag was moved to a commit that does not follow its old one; the list starts at the last common commit of the two';
const GROUP_REBUILT =
  'the merge group does not follow its base; the list starts at the last common commit of the two';

const commit = optionalField(z.object({ sha: optionalText }));

/** The parts of the webhooks' payloads that say where changes start. Any may be missing. */
const payloadSchema = z.catch(
  z.object({
    before: optionalText,
    deleted: optionalField(z.boolean()),
    repository: optionalField(z.object({ default_branch: optionalText })),
    pull_request: optionalField(
      z.object({
        number: optionalField(z.int().check(z.positive())),
        commits: optionalField(z.int().check(z.nonnegative())),
        base: commit,
        head: commit,
      }),
    ),
    merge_group: optionalField(z.object({ base_sha: optionalText, head_sha: optionalText })),
    release: optionalField(
      z.object({ tag_name: optionalText, prerelease: optionalField(z.boolean()) }),
    ),
  }),
  {},
);

type Payload = z.infer<typeof payloadSchema>;

/**
 * Which changes an event is about. Throws a `RunError` when the runner does not say
 * where they end.
 * https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows
 */
export function rangeOf(event: WorkflowEvent): EventRange {
  const payload = payloadSchema.parse(event.payload);
  const { pull_request: pull, merge_group: group, release } = payload;
  const head = headOf(event, payload);
  if (event.name === 'push') return rangeOfPush(event, payload, head);
  const pullBase = pull?.base?.sha;
  if (pullBase !== undefined) {
    const { number, commits: totalCommits = 0 } = pull ?? {};
    return number === undefined
      ? { kind: 'between', base: pullBase, head }
      : { kind: 'pull-request', number, base: pullBase, head, totalCommits };
  }
  if (group?.base_sha !== undefined) {
    return { kind: 'between', base: group.base_sha, head, ifRemoved: GROUP_REBUILT };
  }
  if (event.name === 'release' && release?.tag_name !== undefined) {
    const { tag_name: tag, prerelease: isPrerelease } = release;
    return { kind: 'release-before', tag, isPrerelease, head };
  }
  return { kind: 'none', head };
}

function headOf(event: WorkflowEvent, { pull_request: pull, merge_group: group }: Payload): string {
  // GITHUB_SHA of a pull request is a merge commit, which contains other people's changes as well.
  // For a push `after` can be an annotated tag's own object, so GITHUB_SHA is used.
  const head = pull?.head?.sha ?? group?.head_sha ?? event.sha;
  if (head === '') throw missingVariable('GITHUB_SHA');
  return head;
}

function rangeOfPush(
  event: WorkflowEvent,
  { before, deleted, repository }: Payload,
  head: string,
): EventRange {
  const noStart = (reason: string) => ({ kind: 'no-start', reason, head }) as const;
  if (deleted === true) return noStart('this push deleted its branch or tag');
  const isTag = event.ref.startsWith('refs/tags/');
  const isNew = before === undefined || /^0*$/.test(before);
  if (!isNew) {
    return { kind: 'between', base: before, head, ifRemoved: isTag ? TAG_MOVED : FORCE_PUSHED };
  }
  if (isTag) return { kind: 'tag-before', tag: event.ref.slice('refs/tags/'.length), head };
  if (before === undefined) {
    return noStart('the event does not name the commit before this push');
  }
  const main = repository?.default_branch;
  if (main === undefined || event.ref === `refs/heads/${main}`) {
    return noStart('this is the first push to its branch');
  }
  return { kind: 'between', base: main, head };
}
