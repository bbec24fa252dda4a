/** What a fake GitHub holds, and what the runner gives a run. */

/** What the runner gives a run: its environment variables, and the payload of its event. */
export interface RunStart {
  readonly env: Readonly<Record<string, string>>;
  readonly payload: object;
}

export interface FakePull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  /** An account like `octocat` or `renovate[bot]`. */
  readonly author: string;
  labels: readonly string[];
  readonly branch: string;
  readonly isFromFork: boolean;
  readonly base: string;
  state: 'open' | 'merged' | 'closed';
  head: string;
  mergeCommit: string | undefined;
  mergedAt: string | undefined;
  /** The commits that brought it to its base. */
  readonly merged: string[];
}

export interface FakeRelease {
  readonly tag: string;
  readonly body?: string;
  readonly prerelease?: boolean;
  readonly draft?: boolean;
}

/** A pull request of another repository, without one in git. */
export interface FakeDocsPull {
  /** Like `acme/docs#1`. */
  readonly name: string;
  title: string;
  /** `hidden`: the token may not read it. */
  state: 'open' | 'merged' | 'closed' | 'hidden';
  readonly branch: string;
  files: readonly { filename: string; additions: number; deletions: number }[];
}

/** What differs from an event on `main` without a payload. */
export interface EventFacts {
  readonly ref?: string;
  readonly sha?: string;
  readonly actor?: string;
  readonly payload?: object;
}
