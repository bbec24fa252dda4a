/** The pull request of an agent job, as it is after the end. */
export interface DocsPull {
  readonly isOpen: boolean;
  readonly title: string;
  /** Empty where it is not known. */
  readonly branch: string;
  /** When it was opened, in ms since 1970. Missing where it is not known. */
  readonly createdMs?: number | undefined;
  /** The first pages that it changes. */
  readonly files: readonly {
    readonly filename: string;
    readonly additions: number;
    readonly deletions: number;
  }[];
  /** There are more pages. */
  readonly hasMore: boolean;
}

/** The open pull request that the prompt is added to, and its agent job. */
export interface Appended {
  readonly jobId: string;
  /** `owner/name#123` */
  readonly name: string;
  readonly number: number;
  readonly link: string;
  /** The commit that it ends at before the message. */
  readonly head: string;
}
