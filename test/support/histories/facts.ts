/**
 * What happened in a history: the world (world.ts) writes it down, and the judge (judge.ts) reads it.
 * Times are the world's, in ms.
 */
import type { WorkflowEvent } from '../../../src/github/github.ts';
import type { Annotation } from '../../../src/model/annotation.ts';

/** How an attempt goes, apart from what the agent job does. */
export type Course =
  | 'good'
  /** The key is missing. */
  | 'early'
  /** GitHub's API fails: at once, or where it shows docs pull requests, or there after the call. */
  | 'outage'
  | 'docs-outage'
  | 'late-docs-outage'
  /** The service refuses the key, or gives no usable response to the call. */
  | 'refused'
  | 'doubt'
  /** A person cancels it while it waits for the agent job. */
  | 'cancelled'
  /** The runner is lost before or after the step, so that GitHub keeps nothing of it. */
  | 'lost-before'
  | 'lost-after'
  /** An earlier step fails, or a condition skips this one. */
  | 'step-skipped'
  | 'step-skipped-green'
  /** The `if:` of the workflow job skips it, beside another one, or alone. */
  | 'job-skipped'
  | 'run-skipped'
  /** Only another workflow job was run again. GitHub lists a copy of this one. */
  | 'carried-over'
  /** GitHub cancelled it when a newer run came into its concurrency group. */
  | 'pushed-out';

export interface Attempt {
  readonly course: Course;
  readonly startsAt: number;
  /** Of the workflow job. */
  endsAt: number;
  isRed: boolean;
  /** What the step wrote. GitHub has it unless the runner was lost. */
  annotations: readonly Annotation[];
  outputs: Readonly<Record<string, string>>;
  /** What the service accepted, for certain or not. */
  readonly sent: Unit[];
  /** The service gave no usable response to a call. */
  isInDoubt: boolean;
  /** The service refused a follow-up message as such. */
  isRefused: boolean;
  /** What is wrong with the lists of runs that it gets. */
  readonly lists: ListFault | undefined;
  /** It went by a list that has its own run and lacks a newer one. */
  hasOldList: boolean;
  /** How much the runner's clock is ahead. */
  readonly aheadMs: number;
  /** When the step has ended, or its runner was lost. */
  stepEndsAt: number;
  /** GitHub lists its annotations from the last one to the first. */
  readonly isReversed: boolean;
  /** From when on GitHub shows the annotations of its workflow job, after that has completed. */
  readonly annotationsLag: number;
  /** What the step read of agent jobs. */
  readonly reads: { readonly job: AgentJob; readonly at: number; readonly status: string }[];
}

/** What is wrong with GitHub's list of the runs of a branch: it is old, empty or out of order. */
export interface ListFault {
  readonly kind: 'old' | 'empty' | 'reversed' | 'mixed';
  /** When it is right again. */
  readonly until: number;
  /** An old one ends with this run number. */
  readonly last: number;
  /** The list of all branches has the same fault. */
  readonly isEverywhere: boolean;
}

/** What the workflow file says. */
export interface Settings {
  readonly pullRequest: 'new' | 'append';
  readonly wait: boolean;
  readonly rerun: 'resume' | 'create';
  readonly paths: string;
  /** The names of the workflow job: for people, and its key. */
  readonly name: string;
  readonly key: string;
}

/**
 * `typed`, `dry`, `done` and `same` are started by a person, `done` with the commit of the run as
 * `since` and `same` with its branch.
 */
export type RunKind =
  | 'push'
  | 'schedule'
  | 'tag'
  | 'named'
  | 'auto'
  | 'typed'
  | 'dry'
  | 'done'
  | 'same';

export interface Run {
  readonly id: number;
  readonly workflow: number;
  readonly number: number;
  /** A branch or a tag. */
  readonly ref: string;
  readonly kind: RunKind;
  readonly head: number;
  /** The commits that came with its push, or since the schedule before. */
  readonly own: readonly number[];
  readonly event: WorkflowEvent;
  readonly since: string;
  readonly settings: Settings;
  readonly createdAt: number;
  readonly attempts: Attempt[];
  /** It is the last one of its branch, and everything goes well. */
  readonly isLast: boolean;
}

/** One prompt that the service accepted. */
export interface Unit {
  readonly job: AgentJob;
  readonly run: Run;
  readonly attempt: Attempt;
  /** The commits of which the prompt tells. */
  readonly commits: ReadonlySet<number>;
  readonly at: number;
  /** The agent job reads as it was before a message until the agent begins. */
  readonly startsAt: number;
  /** When the agent pushes to its pull request. None: it changed no file. */
  readonly pushes: readonly number[];
  readonly endsAt: number;
  readonly fate: 'completed' | 'failed' | 'archived';
}

/** A message that a person sends to the agent job, in the dashboard. */
interface Aside {
  readonly at: number;
  readonly startsAt: number;
  readonly pushes: readonly number[];
  readonly endsAt: number;
  readonly fate: 'completed' | 'failed';
}

/** What others do to the pull request. */
interface Deed {
  readonly at: number;
  readonly what: 'push' | 'rewrite';
}

export interface AgentJob {
  readonly number: number;
  readonly id: string;
  /** The first one created it. */
  readonly units: Unit[];
  readonly asides: Aside[];
  /** When a person archives it: then it does no more work. */
  archivedAt: number;
  /** Until then the service does not know it yet. */
  readonly shownFrom: number;
  /** When the service forgets it. */
  forgottenAt: number;
  readonly deeds: Deed[];
  /** When, and how, its pull request is merged or closed. */
  endedAt: number;
  isMerged: boolean;
}
