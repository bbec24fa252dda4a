/** What earlier runs of this step say about where the changes of this run start. */
export type Covered =
  | { readonly kind: 'from'; readonly sha: string; readonly earlier: readonly EarlierWork[] }
  /**
   * No earlier run has changes on record. `begins` are the starts that the events of such runs name,
   * oldest first. `unrecorded` is how many runs of this workflow job left no record at all.
   */
  | {
      readonly kind: 'nothing';
      readonly isFirstRun: boolean;
      readonly begins: readonly string[];
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
  /** `missed`: its pull request was closed before anyone saw what it added. */
  readonly state: 'failed' | 'missed' | 'completed' | 'running';
  /** It had some of these changes, which are sent again. Else it works on earlier ones. */
  readonly overlaps: boolean;
  /** An http(s) URL without credentials, or empty. */
  readonly prLink: string;
}

/** What became of an agent job, and so of the changes that it had. */
export type Judged =
  | {
      readonly kind: 'known';
      /** `missed`: it ended well, and what it added to a pull request reached nobody. */
      readonly fate: 'covered' | 'running' | 'failed' | 'missed';
      /** It has ended without a result, so that a re-run sends its prompt again. */
      readonly cameToNothing: boolean;
      readonly status: string;
      /** An http(s) URL without credentials, or empty. */
      readonly prLink: string;
    }
  /** The service does not know it, or no longer knows it. */
  | { readonly kind: 'gone' }
  /** Without a key, in a dry run. */
  | { readonly kind: 'not-read' }
  /** The service or GitHub could not say. A sentence without its full stop. */
  | { readonly kind: 'error'; readonly error: string };

/**
 * Reads an agent job. `isUnseen`: it accepted a follow-up message, and whether what it added reached
 * an open pull request is not known yet. `isNew`: it may have been created just before, so that the
 * service may not know it for a moment. `isAgain`: what was read of it before may be old. Rejects only
 * to end the step.
 */
export type Judge = (
  id: string,
  options: {
    readonly isUnseen?: boolean | undefined;
    readonly isNew?: boolean;
    readonly isAgain?: boolean;
  },
) => Promise<Judged>;
