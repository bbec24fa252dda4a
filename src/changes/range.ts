import * as z from 'zod/mini';
import type { WorkflowEvent } from '../github/github.ts';
import { WorkflowContextError } from '../lib/errors.ts';
import { optionalField, optionalText } from '../lib/schema.ts';

/** Where the changes of a run start and end, as the event says it without a request to GitHub. */
export type Range =
  | Between
  /** A pull request's own commits and files. */
  | {
      readonly kind: 'pull-request';
      readonly number: number;
      readonly base: string;
      readonly head: string;
      /** As the event says; GitHub lists at most 250. */
      readonly totalCommits: number;
    }
  /** From the tag before `tag`. */
  | { readonly kind: 'tag-before'; readonly tag: string; readonly head: string }
  /** From the release before the one of `tag`. */
  | {
      readonly kind: 'release-before';
      readonly tag: string;
      readonly isPrerelease: boolean | undefined;
      readonly head: string;
    }
  /** From the head of this workflow's last successful run on this branch. */
  | { readonly kind: 'last-success'; readonly head: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface Between {
  readonly kind: 'between';
  readonly base: string;
  readonly head: string;
  /**
   * The gap to report if `base` does not lead to `head`. GitHub's comparison then starts at the
   * merge base, and does not show removed commits.
   */
  readonly gapIfNotAncestor?: string;
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
 * Which range of commits a run is about. Throws a `WorkflowContextError` when the runner does not
 * say where the range ends.
 * https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows
 */
export function rangeOf(event: WorkflowEvent, since: string): Range {
  const payload = payloadSchema.parse(event.payload);
  const { pull_request: pull, merge_group: group, release } = payload;
  const head = headOf(event, payload);
  if (since === 'last-success') return { kind: 'last-success', head };
  if (since !== 'auto') return { kind: 'between', base: since, head };
  if (event.name === 'push') return rangeOfPush(event, payload, head);
  const pullBase = pull?.base?.sha;
  if (pullBase !== undefined) {
    const { number, commits: totalCommits = 0 } = pull ?? {};
    return number === undefined
      ? { kind: 'between', base: pullBase, head }
      : { kind: 'pull-request', number, base: pullBase, head, totalCommits };
  }
  if (group?.base_sha !== undefined) {
    return { kind: 'between', base: group.base_sha, head, gapIfNotAncestor: GROUP_REBUILT };
  }
  if (event.name === 'release' && release?.tag_name !== undefined) {
    const { tag_name: tag, prerelease: isPrerelease } = release;
    return { kind: 'release-before', tag, isPrerelease, head };
  }
  return { kind: 'last-success', head };
}

function headOf(event: WorkflowEvent, { pull_request: pull, merge_group: group }: Payload): string {
  // GITHUB_SHA of a pull request is a merge commit, which contains other people's changes as well.
  // For a push `after` can be an annotated tag's own object, so GITHUB_SHA is used.
  const head = pull?.head?.sha ?? group?.head_sha ?? event.sha;
  if (head === '') throw new WorkflowContextError('GITHUB_SHA');
  return head;
}

function rangeOfPush(
  event: WorkflowEvent,
  { before, deleted, repository }: Payload,
  head: string,
): Range {
  if (deleted === true) return { kind: 'unknown', reason: 'this push deleted its branch or tag' };
  const isTag = event.ref.startsWith('refs/tags/');
  const isNew = before === undefined || /^0*$/.test(before);
  if (!isNew) {
    const gapIfNotAncestor = isTag ? TAG_MOVED : FORCE_PUSHED;
    return { kind: 'between', base: before, head, gapIfNotAncestor };
  }
  if (isTag) return { kind: 'tag-before', tag: event.ref.slice('refs/tags/'.length), head };
  if (before === undefined) {
    return { kind: 'unknown', reason: 'the event does not name the commit before this push' };
  }
  const main = repository?.default_branch;
  if (main === undefined || event.ref === `refs/heads/${main}`) {
    return { kind: 'unknown', reason: 'this is the first push to its branch' };
  }
  return { kind: 'between', base: main, head };
}
