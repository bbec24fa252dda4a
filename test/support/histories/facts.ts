/**
 * What happened in a history. The world (world.ts) writes it down, and the judge (judge.ts) reads
 * it. Times are the world's, in ms.
 */
import type { WorkflowEvent } from '../../../src/github/github.ts';
import type { Annotation } from '../../../src/model/annotation.ts';

/** How an attempt goes, apart from what the agent job does. */
export type Course =
  | 'good'
  /** The key is missing. */
  | 'early'
  /**
   * GitHub's API fails: immediately, when it shows docs pull requests, or in the same place after
   * the call.
   */
  | 'outage'
  | 'docs-outage'
  | 'late-docs-outage'
  /** The service refuses the key, or gives no usable response to the call. */
  | 'refused'
  | 'doubt'
  /** A person cancels the attempt while it waits for the agent job. */
  | 'cancelled'
  /** The runner is lost before or after the step, so that GitHub keeps nothing of it. */
  | 'lost-before'
  | 'lost-after'
  /** An earlier step fails, or a condition skips this one. */
  | 'step-skipped'
  | 'step-skipped-green'
  /** The workflow job's `if:` skips it, alongside another one or alone. */
  | 'job-skipped'
  | 'run-skipped'
  /** Only another workflow job was re-run. GitHub lists a copy of this one. */
  | 'carried-over'
  /** GitHub cancelled the run when a newer one entered its concurrency group. */
  | 'pushed-out';

export interface Attempt {
  readonly course: Course;
  readonly startsAt: number;
  /** When the workflow job ends. */
  endsAt: number;
  isRed: boolean;
  /** What the step wrote. GitHub has it unless the runner was lost. */
  annotations: readonly Annotation[];
  outputs: Readonly<Record<string, string>>;
  /** What the service accepted, certainly or not. */
  readonly sent: Unit[];
  /** The service gave no usable response to a call. */
  isInDoubt: boolean;
  /** The service rejected a follow-up message as invalid. */
  isRefused: boolean;
  /** What is wrong with the lists of runs that the attempt gets. */
  readonly lists: ListFault | undefined;
  /** The attempt used a list that includes its own run and lacks a newer one. */
  hasOldList: boolean;
  /** How far the runner's clock is ahead. */
  readonly aheadMs: number;
  /** When the step ended, or its runner was lost. */
  stepEndsAt: number;
  /** GitHub lists the annotations in reverse order. */
  readonly isReversed: boolean;
  /** How long after the workflow job completes GitHub shows its annotations. */
  readonly annotationsLag: number;
  /** What the step read about agent jobs. */
  readonly reads: { readonly job: AgentJob; readonly at: number; readonly status: string }[];
}

/** What is wrong with GitHub's list of a branch's runs: it is old, empty or out of order. */
export interface ListFault {
  readonly kind: 'old' | 'empty' | 'reversed' | 'mixed';
  /** When the list is correct again. */
  readonly until: number;
  /** The run number at which an old list ends. */
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
  /** The workflow job's name for people, and its key. */
  readonly name: string;
  readonly key: string;
}

/**
 * A person starts `typed`, `dry`, `done` and `same`: `done` with the run's commit as `since`, and
 * `same` with its branch.
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
  /** The commits that came with the run's push, or since the previous schedule. */
  readonly own: readonly number[];
  readonly event: WorkflowEvent;
  readonly since: string;
  readonly settings: Settings;
  readonly createdAt: number;
  readonly attempts: Attempt[];
  /** The run is the last one on its branch, and everything goes well. */
  readonly isLast: boolean;
}

/** One prompt that the service accepted. */
export interface Unit {
  readonly job: AgentJob;
  readonly run: Run;
  readonly attempt: Attempt;
  /** The commits that the prompt includes. */
  readonly commits: ReadonlySet<number>;
  readonly at: number;
  /** When the agent starts. Until then, reads show the agent job as it was before a message. */
  readonly startsAt: number;
  /** When the agent pushes to its pull request. Empty if it changed no file. */
  readonly pushes: readonly number[];
  readonly endsAt: number;
  readonly fate: 'completed' | 'failed' | 'archived';
}

/** A message that a person sends to the agent job in the dashboard. */
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
  /** The first one created the job. */
  readonly units: Unit[];
  readonly asides: Aside[];
  /** When a person archives the job, which then does no more work. */
  archivedAt: number;
  /** When the service starts to know the job. */
  readonly shownFrom: number;
  /** When the service forgets the job. */
  forgottenAt: number;
  readonly deeds: Deed[];
  /** When and how the job's pull request is merged or closed. */
  endedAt: number;
  isMerged: boolean;
}
