/** What a run is about, from the event that started it. */
import { StepError } from '../errors.ts';
import type { RunFacts } from '../github/event.ts';
import { quote } from '../text/escape.ts';

/** Something that changes. `head` is an object id. */
export type ChangingSubject =
  | { readonly kind: 'branch'; readonly branch: string; readonly head: string }
  | { readonly kind: 'tag'; readonly tag: string; readonly head: string }
  | { readonly kind: 'pull'; readonly number: number };

export type Subject =
  | ChangingSubject
  // Nothing is sent for these events.
  | { readonly kind: 'nothing'; readonly reason: 'merge-group' | 'branch-deleted' };

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
  const { deleted, issue, merge_group: mergeGroup, pull_request: pull, release } = payload;
  if (mergeGroup !== undefined) return { kind: 'nothing', reason: 'merge-group' };
  if (deleted === true) return { kind: 'nothing', reason: 'branch-deleted' };
  // A comment on a pull request comes as one on an issue.
  const number = pull?.number ?? (issue?.pull_request && issue.number);
  if (number !== undefined) return { kind: 'pull', number };
  if (release?.tag_name !== undefined) return { kind: 'tag', tag: release.tag_name, head };
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? [];
  if (kind === 'heads') return { kind: 'branch', branch: name, head };
  if (kind === 'tags') return { kind: 'tag', tag: name, head };
  throw new StepError(
    'changes',
    `This run is about no branch, tag, or pull request: its event is ${quote(eventName)}, and its ref is ${quote(ref)}. Start the workflow by another event, or remove \`changes\`, \`paths\`, \`skip\`, \`since\`, and \`pullRequest\` from the step.`,
  );
}
