/** Where a run's changes start, based on earlier runs of its step. */
import type { Fate } from './agent-job.ts';
import type { PendingJob } from './record.ts';

/**
 * Whether a person names a branch, tag or commit as the start, so that `since` is neither keyword.
 */
export const isNamedStart = (since: string) => since !== 'auto' && since !== 'last-success';

/** What earlier runs of this step determine about where this run's changes start. */
export type Start =
  | {
      readonly kind: 'from';
      readonly sha: string;
      readonly earlier: readonly EarlierWork[];
      /**
       * An agent job has, or may have, got some of these changes, so the docs may already describe
       * them.
       */
      readonly isSentBefore: boolean;
      /** Agent jobs that may not be done, whose changes come before this start. */
      readonly pending: readonly PendingJob[];
    }
  /** No earlier run recorded a range. */
  | {
      readonly kind: 'not-recorded';
      /** Where the events of earlier runs say that their changes start, oldest first. */
      readonly eventStarts: readonly string[];
      readonly olderRuns: RunCounts;
    };

/** How many older runs of this workflow the search read. */
export interface RunCounts {
  readonly read: number;
  /** Those in which this step left a record. */
  readonly recorded: number;
  /** Those whose workflow job ran without leaving one. */
  readonly unrecorded: number;
}

/** An agent job of an earlier run. */
export interface EarlierWork {
  readonly jobId: string;
  /** `missed` means that its additions may have reached nobody. */
  readonly state: Exclude<Fate, 'uncertain'>;
  /** It had some of the changes that are sent again. Otherwise, it works on earlier ones. */
  readonly overlaps: boolean;
  /** An http(s) URL without credentials, or empty. */
  readonly prLink: string;
}

/** For the agent, an addition that may not have reached its open pull request is done. */
export const stateOf = (fate: Fate): EarlierWork['state'] =>
  fate === 'uncertain' ? 'covered' : fate;
