/** What is found of the changes, from their start to what the block tells. */
import type { ChangedFile, CodePull, Comparison, WorkflowEvent } from '../../github/github.ts';
import type { ChangeRange } from '../../model/changes.ts';
import type { EarlierWork } from '../../model/start.ts';

/** The changes from a start to the head. */
export interface Found extends Comparison {
  readonly kind: 'found';
  /** As people name it: a tag, a branch or a commit. */
  readonly base: string;
  /** Its ends have the same files: there is no commit between, or what they changed was taken back. */
  readonly isUnchanged: boolean;
  /** What may be missing from the list, one sentence each: removed commits as well. */
  readonly gaps: readonly string[];
  /** What else the log should say, one sentence each. */
  readonly notes?: readonly string[];
  /** What people should know, one sentence each. */
  readonly warnings?: readonly string[];
  /** The head does not go beyond the start that a person named. */
  readonly isSinceHead?: boolean;
  /** Where the changes end, if that is not the head that the event names. */
  readonly head?: string;
  /** These are the own changes of this pull request. `mergeBase` is missing (empty) if they were listed. */
  readonly ownPull?: CodePull | undefined;
}

/** There is nothing to start from. */
export interface NotFound {
  readonly kind: 'nothing';
  readonly reason: string;
  /** No earlier run could have left a start. */
  readonly isFirstRun?: boolean;
  /** What people should know, one sentence each. */
  readonly warnings?: readonly string[];
}

/** The changed files, and those that `paths` selects: all when there are no `paths`. */
export interface Selection extends Pick<Comparison, 'files'> {
  readonly selected: readonly ChangedFile[];
  readonly isFiltered: boolean;
  /** The files that `paths` names without a wildcard. */
  readonly named: readonly string[];
}

/** The pull requests behind the commits. */
export interface CodePulls {
  /** By the commit's object id. */
  readonly byCommit: ReadonlyMap<string, CodePull>;
  /** Why pull requests may be missing; `undefined` when all were looked for. */
  readonly missing: MissingPulls | undefined;
}

interface MissingPulls {
  /** The token may not read pull requests. */
  readonly isForbidden: boolean;
  /** Without a full stop. */
  readonly reason: string;
}

/** How a commit was skipped: by the marker, by the label, or by a pattern of `skip`. */
export type SkippedBy =
  /** `isInCommit`: in the commit's own message, where nobody can take it out any more. */
  | { readonly kind: 'marker'; readonly isInCommit: boolean }
  | { readonly kind: 'label' }
  | { readonly kind: 'pattern'; readonly pattern: string };

/** What changed, or why that is not known. `range` is undefined when nothing is to be recorded. */
export type Changes = KnownChanges | LeftOutPull | UnknownChanges;

/** A pull request that needs no documentation by its title or label. Its changes were not read. */
export interface LeftOutPull extends Pick<KnownChanges, 'event' | 'base' | 'head' | 'url'> {
  readonly kind: 'left-out';
  readonly pull: CodePull;
  readonly by: SkippedBy;
  /** How many it has. */
  readonly commits: number;
  readonly files: number;
  readonly range: undefined;
}

export interface KnownChanges extends Required<Omit<Found, 'kind' | 'baseTree'>>, Selection {
  readonly kind: 'known';
  readonly event: WorkflowEvent;
  /** As people name it: a tag, a branch or a commit. */
  readonly head: string;
  readonly earlier: readonly EarlierWork[];
  /** An agent job has, or may have, got some of these changes, so the docs may tell of them. */
  readonly isSentBefore: boolean;
  /** Of a pull request: a hash of its changes. `undefined` where some of them are not known. */
  readonly own: string | undefined;
  /** An agent job has got, or is at work on, exactly these changes of the pull request. */
  readonly isSentAsItIs: boolean;
  readonly range: ChangeRange | undefined;
  readonly pulls: CodePulls;
  /** The commits that need no documentation, by their object ids, and why. */
  readonly skipped: ReadonlyMap<string, SkippedBy>;
}

export interface UnknownChanges
  extends Required<Omit<NotFound, 'kind'>>,
    Pick<KnownChanges, 'event' | 'range'> {
  readonly kind: 'nothing-to-start-from';
}

/** Changes that are not skipped without having been read. */
export type SentChanges = Exclude<Changes, LeftOutPull>;
