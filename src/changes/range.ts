import * as z from 'zod/mini';
import type { WorkflowEvent } from '../effects/effects.ts';
import { tolerant, tolerantText } from '../schema.ts';

/** Where the changes of a run start and end, before GitHub was asked anything. */
export type Range =
  | Between
  /** From the nearest tag that leads to `head`, `tag` itself left out. */
  | { readonly kind: 'tag-before'; readonly tag: string; readonly head: string }
  /** From the release published before this one. */
  | {
      readonly kind: 'release-before';
      readonly tag: string;
      readonly publishedAt: string;
      readonly head: string;
    }
  /** From the head of this workflow's last successful run on this branch. */
  | { readonly kind: 'last-success'; readonly head: string }
  | { readonly kind: 'unknown'; readonly why: string };

export interface Between {
  readonly kind: 'between';
  readonly base: string;
  readonly head: string;
  /**
   * Whether `base` should lead to `head`. If it does not, something was force-pushed away, and
   * GitHub's comparison (from the merge base) does not show what that took back.
   */
  readonly isLinear: boolean;
}

const commit = tolerant(z.object({ sha: tolerantText }));

/** The parts of the webhooks' payloads that say where changes start. Any may be missing. */
const payloadSchema = z.catch(
  z.object({
    before: tolerantText,
    deleted: tolerant(z.boolean()),
    repository: tolerant(z.object({ default_branch: tolerantText })),
    pull_request: tolerant(
      z.object({
        base: commit,
        head: commit,
        merged: tolerant(z.boolean()),
        merge_commit_sha: tolerantText,
      }),
    ),
    merge_group: tolerant(z.object({ base_sha: tolerantText, head_sha: tolerantText })),
    release: tolerant(z.object({ tag_name: tolerantText, published_at: tolerantText })),
  }),
  {},
);

type Payload = z.infer<typeof payloadSchema>;

/**
 * Which range of commits a run is about.
 * https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows
 */
export function rangeOf(event: WorkflowEvent, since: string): Range {
  const payload = payloadSchema.parse(event.payload);
  const head = headOf(event, payload);
  if (since === 'last-success') return { kind: 'last-success', head };
  if (since !== 'auto') return { kind: 'between', base: since, head, isLinear: false };
  if (event.name === 'push') return rangeOfPush(event, payload);
  if (payload.pull_request?.base?.sha !== undefined) {
    return { kind: 'between', base: payload.pull_request.base.sha, head, isLinear: false };
  }
  if (payload.merge_group?.base_sha !== undefined) {
    return { kind: 'between', base: payload.merge_group.base_sha, head, isLinear: true };
  }
  if (event.name === 'release' && payload.release?.tag_name !== undefined) {
    const { tag_name: tag, published_at: publishedAt = '' } = payload.release;
    return { kind: 'release-before', tag, publishedAt, head };
  }
  return { kind: 'last-success', head };
}

function headOf(event: WorkflowEvent, { pull_request: pull, merge_group: group }: Payload): string {
  // GITHUB_SHA of an open pull request is a merge commit that exists only for its checks.
  if (pull?.merged === true && pull.merge_commit_sha !== undefined) return pull.merge_commit_sha;
  // For a push `after` can be an annotated tag's own object, so GITHUB_SHA is used.
  return pull?.head?.sha ?? group?.head_sha ?? event.sha;
}

function rangeOfPush(event: WorkflowEvent, { before, deleted, repository }: Payload): Range {
  const head = event.sha;
  if (deleted === true) return { kind: 'unknown', why: 'this push deleted its branch or tag' };
  const isNew = before === undefined || /^0*$/.test(before);
  if (!isNew) return { kind: 'between', base: before, head, isLinear: true };
  if (event.ref.startsWith('refs/tags/')) {
    return { kind: 'tag-before', tag: event.ref.slice('refs/tags/'.length), head };
  }
  const main = repository?.default_branch;
  if (main === undefined || event.ref === `refs/heads/${main}`) {
    return { kind: 'unknown', why: 'this is the first push to its branch' };
  }
  return { kind: 'between', base: main, head, isLinear: false };
}
