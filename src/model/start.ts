/** Where the changes of a run start, by what earlier runs of its step have done. */

/** Whether a person names a branch, tag or commit as the start: `since` is neither of its two words. */
export const isNamedStart = (since: string) => since !== 'auto' && since !== 'last-success';

/** What earlier runs of this step say about where the changes of this run start. */
export type Start =
  | {
      readonly kind: 'from';
      readonly sha: string;
      readonly earlier: readonly EarlierWork[];
      /** An agent job has, or may have, got some of these changes, so the docs may tell of them. */
      readonly isSentBefore: boolean;
    }
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
    };

/** An agent job of an earlier run. */
export interface EarlierWork {
  readonly jobId: string;
  /** `missed`: what it added may have reached nobody. */
  readonly state: 'failed' | 'missed' | 'covered' | 'running';
  /** It had some of these changes, which are sent again. Else it works on earlier ones. */
  readonly overlaps: boolean;
  /** An http(s) URL without credentials, or empty. */
  readonly prLink: string;
}
