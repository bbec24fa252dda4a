/** What a run is about, from the event that started it. */
import { StepError } from '../errors.ts';
import type { RunFacts } from '../github/event.ts';
import { quote } from '../text/escape.ts';

export type Subject =
  | BranchSubject
  | TagSubject
  | PullSubject
  // Nothing is sent for these events.
  | { readonly kind: 'nothing'; readonly reason: 'merge-group' | 'branch-deleted' };

export interface BranchSubject {
  readonly kind: 'branch';
  readonly branch: string;
  readonly head: string;
  /** What a push says of where they start. */
  readonly pushed: { readonly before: string } | 'new-branch' | undefined;
}

/** A tag, or the tag of a release. */
export interface TagSubject {
  readonly kind: 'tag';
  readonly tag: string;
  readonly head: string;
  readonly release:
    | { readonly isPrerelease: boolean | undefined; readonly description: string }
    | undefined;
}

export interface PullSubject {
  readonly kind: 'pull';
  readonly number: number;
}

/**
 * Returns what the run is about. Throws a `StepError` if the event names no branch, tag, or pull
 * request, as some deployments do.
 * https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows
 */
export function subjectOf({
  eventName,
  ref,
  sha: head,
  payload,
}: Pick<RunFacts, 'eventName' | 'ref' | 'sha' | 'payload'>): Subject {
  const { before, deleted, issue, merge_group: mergeGroup, pull_request: pull, release } = payload;
  const isPush = eventName === 'push';
  if (mergeGroup !== undefined) return { kind: 'nothing', reason: 'merge-group' };
  if (isPush && deleted === true) return { kind: 'nothing', reason: 'branch-deleted' };
  // A comment on a pull request comes as one on an issue.
  const number = pull?.number ?? (issue?.pull_request && issue.number);
  if (number !== undefined) return { kind: 'pull', number };
  if (eventName === 'release' && release?.tag_name !== undefined) {
    const { tag_name: tag, prerelease: isPrerelease, body: description = '' } = release;
    return { kind: 'tag', tag, head, release: { isPrerelease, description } };
  }
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? [];
  if (kind === 'tags') return { kind: 'tag', tag: name, head, release: undefined };
  if (kind === undefined) {
    throw new StepError(
      'changes',
      `This run is about no branch, tag, or pull request: its event is ${quote(eventName)}, and its ref is ${quote(ref)}. Start the workflow by another event, or remove \`changes\`, \`paths\`, \`skip\`, \`since\`, and \`pullRequest\` from the step.`,
    );
  }
  // GitHub gives zeros as the commit before the first push of a branch.
  const pushed = /^0+$/.test(before ?? '') ? 'new-branch' : before && { before };
  return { kind: 'branch', branch: name, head, pushed: (isPush && pushed) || undefined };
}
