import type { Added } from '../records/record.ts';

/** What earlier runs of this step say about where the changes of this run start. */
export type Covered =
  | { readonly kind: 'from'; readonly sha: string; readonly earlier: readonly EarlierWork[] }
  /**
   * No earlier run has changes on record. `begins` are the starts that the events of such runs name,
   * oldest first. Of the earlier `runs` of this workflow some are `recorded` by this step, and in some,
   * `unrecorded`, its workflow job left no record.
   */
  | {
      readonly kind: 'nothing';
      readonly begins: readonly string[];
      readonly runs: number;
      readonly recorded: number;
      readonly unrecorded: number;
    }
  /** A newer run has these changes, and a person typed this prompt. */
  | { readonly kind: 'newer'; readonly runNumber: number };

/** Why the changes of a run are not sent. */
export const newerRunHasThem = (runNumber: number) =>
  `run #${runNumber} of this workflow is newer and has them`;

/** An agent job of an earlier run. */
export interface EarlierWork {
  readonly jobId: string;
  /** `missed`: its pull request was merged or closed before the agent was done. */
  readonly state: 'failed' | 'missed' | 'completed' | 'running';
  /** It had some of these changes, which are sent again. Else it works on earlier ones. */
  readonly overlaps: boolean;
  /** An http(s) URL without credentials, or empty. */
  readonly prLink: string;
}

/**
 * What became of an agent job, and so of the changes that it had.
 * - `running`: it has not ended, or may still read as ended from before a message.
 * - `covered`: it has ended well.
 * - `failed`: its changes are to be sent again.
 * - `missed`: it ended well, and what it added to its pull request may have reached nobody.
 * - `uncertain`: it ended well, and whether it added anything to its open pull request is not known.
 */
export type Fate = 'running' | 'covered' | 'failed' | 'missed' | 'uncertain';

export type Judged =
  | {
      readonly kind: 'known';
      readonly fate: Fate;
      /** It has ended without a result, so that a re-run sends its prompt again. */
      readonly cameToNothing: boolean;
      readonly status: string;
      /** An http(s) URL without credentials, or empty. */
      readonly prLink: string;
    }
  /** The service does not know it, or no longer knows it. */
  | { readonly kind: 'forgotten' }
  /** Without a key, in a dry run. */
  | { readonly kind: 'not-read' }
  /** The service or GitHub could not say. A sentence without its full stop. */
  | { readonly kind: 'error'; readonly error: string };

export interface JudgeQuery {
  readonly id: string;
  /** What a follow-up message to it added is not certain. */
  readonly added?: Added | undefined;
  /** When it got its last follow-up message, in Unix seconds, if that is known. */
  readonly messagedAt?: number | undefined;
  /** It may have been created just before, so that the service may not know it for a moment. */
  readonly isNew?: boolean;
}

/** Reads an agent job, once a run, and judges it. Rejects only to end the step. */
export type Judge = (query: JudgeQuery) => Promise<Judged>;
