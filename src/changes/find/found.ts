/** What is known about the changes, from their start to what the block includes. */
import type { ChangedFile, CodePull, Comparison, WorkflowEvent } from '../../github/github.ts';
import type { Range } from '../../model/record.ts';
import type { EarlierWork } from '../../model/start.ts';

/** The changes from a start to the head. */
export interface Found extends Comparison {
  readonly kind: 'found';
  /** The name that people use: a tag, a branch or a commit. */
  readonly base: string;
  /**
   * Both ends have the same files: there are no commits between them, or their changes were
   * reverted.
   */
  readonly isUnchanged: boolean;
  /** What may be missing from the list, including removed commits, one sentence each. */
  readonly gaps: readonly string[];
  /** What else to log, one sentence each. */
  readonly notes?: readonly string[];
  /** What to warn people about, one sentence each. */
  readonly warnings?: readonly string[];
  /** The head isn't ahead of the start that a person named. */
  readonly isSinceHead?: boolean;
  /** Where the changes end, if not at the event's head. */
  readonly head?: string;
  /** The pull request whose own changes these are. `mergeBase` is empty if GitHub listed them. */
  readonly ownPull?: CodePull | undefined;
}

/** There is nothing to start from. */
export interface NotFound {
  readonly kind: 'nothing';
  readonly reason: string;
  /** No earlier run could have left a start. */
  readonly isFirstRun?: boolean;
  /** What to warn people about, one sentence each. */
  readonly warnings?: readonly string[];
}

/** The changed files, and those that `paths` selects: all of them if `paths` is empty. */
export interface Selection extends Pick<Comparison, 'files'> {
  readonly selected: readonly ChangedFile[];
  readonly isFiltered: boolean;
  /** The files that `paths` names without a wildcard. */
  readonly named: readonly string[];
}

/** The pull requests behind the commits. */
export interface CodePulls {
  /** By the commit's object ID. */
  readonly byCommit: ReadonlyMap<string, CodePull>;
  /** Why pull requests may be missing. `undefined` when all were looked up. */
  readonly missing: MissingPulls | undefined;
}

interface MissingPulls {
  /** The token may not read pull requests. */
  readonly isForbidden: boolean;
  /** Without a trailing period. */
  readonly reason: string;
}

/** How a commit was skipped: by the marker, by the label, or by a pattern of `skip`. */
export type SkippedBy =
  /**
   * `isInCommit` means that the marker is in the commit's own message, where nobody can remove it.
   */
  | { readonly kind: 'marker'; readonly isInCommit: boolean }
  | { readonly kind: 'label' }
  | { readonly kind: 'pattern'; readonly pattern: string };

/** What changed, or why that is unknown. `range` is `undefined` when there is nothing to record. */
export type Changes = KnownChanges | LeftOutPull | UnknownChanges;

/**
 * A pull request whose title or label says that it needs no documentation. Its changes were not
 * read.
 */
export interface LeftOutPull extends Pick<KnownChanges, 'event' | 'base' | 'head' | 'url'> {
  readonly kind: 'left-out';
  readonly pull: CodePull;
  readonly by: SkippedBy;
  /** How many commits and files the pull request has. */
  readonly commits: number;
  readonly files: number;
  readonly range: undefined;
}

export interface KnownChanges extends Required<Omit<Found, 'kind' | 'baseTree'>>, Selection {
  readonly kind: 'known';
  readonly event: WorkflowEvent;
  /** The name that people use: a tag, a branch or a commit. */
  readonly head: string;
  readonly earlier: readonly EarlierWork[];
  /**
   * An agent job has, or may have, got some of these changes, so the docs may already describe
   * them.
   */
  readonly isSentBefore: boolean;
  /** For a pull request, a hash of its changes. `undefined` if some of them are unknown. */
  readonly ownHash: string | undefined;
  /**
   * An agent job has exactly these changes of the pull request, and has finished or is working on
   * them.
   */
  readonly isSentAsItIs: boolean;
  readonly range: Range | undefined;
  readonly pulls: CodePulls;
  /** The commits that need no documentation, by object ID, and why. */
  readonly skipped: ReadonlyMap<string, SkippedBy>;
}

export interface UnknownChanges
  extends Required<Omit<NotFound, 'kind'>>,
    Pick<KnownChanges, 'event' | 'range'> {
  readonly kind: 'nothing-to-start-from';
}

/** Changes that were read, so that they can be sent. */
export type ReadChanges = Exclude<Changes, LeftOutPull>;
