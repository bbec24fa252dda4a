/** What the agent jobs of earlier runs of this step have covered: where this run's changes start. */
export type Covered =
  | { readonly kind: 'from'; readonly sha: string; readonly earlier: readonly EarlierWork[] }
  /** No earlier run has a record. */
  | { readonly kind: 'nothing'; readonly isFirstRun: boolean }
  /** This is a re-run, and a newer run already has its changes. */
  | { readonly kind: 'newer'; readonly runNumber: number };

/** An agent job of an earlier run that had some of these changes, or is still at work. */
export interface EarlierWork {
  readonly jobId: string;
  readonly state: 'failed' | 'running';
  /** An http(s) URL without credentials, or empty. */
  readonly prLink: string;
}
