/** The pull request of an agent job after the job has ended. */
export interface DocsPullSummary {
  readonly isOpen: boolean;
  readonly title: string;
  /** Empty if unknown. */
  readonly branch: string;
  /** When the pull request was opened, in ms since 1970. Missing if unknown. */
  readonly createdMs?: number | undefined;
  /** The first pages that the pull request changes. */
  readonly files: readonly {
    readonly filename: string;
    readonly additions: number;
    readonly deletions: number;
  }[];
  /** The pull request changes more pages than listed. */
  readonly hasMore: boolean;
}

/**
 * What is known at the call about the agent job's pull request from before it.
 * - `none`: the call creates the agent job.
 * - `existing`: the agent job had one. What isn't known of it is missing.
 * - `unknown`: the service names none, which it may not do while the agent works.
 */
export type PullBefore =
  | { readonly kind: 'none' | 'unknown' }
  | { readonly kind: 'existing'; readonly number: string | undefined; readonly link?: string };

/** The open pull request that the prompt adds to, and its agent job. */
export interface PullToAddTo {
  readonly jobId: string;
  /** `owner/name#123` */
  readonly name: string;
  readonly number: number;
  readonly link: string;
  /** The head commit before the message. */
  readonly head: string;
}

/** What GitHub says about the pull request that a link points to. */
export type DocsPullState = KnownDocsPull | UnknownDocsPull;

export interface KnownDocsPull {
  readonly kind: 'open' | 'merged' | 'closed';
  readonly repository: string;
  readonly number: number;
  /** `owner/name#123` */
  readonly name: string;
  /** The head commit. */
  readonly head: string;
  /** When the pull request was merged or closed, in ms since 1970. */
  readonly endedMs: number | undefined;
}

/** The pull request can't be read. `reason` follows `because`. */
export interface UnknownDocsPull {
  readonly kind: 'unknown';
  /** GitHub doesn't show it to the token. */
  readonly isHidden: boolean;
  readonly reason: string;
}
