/** What the runner says about the workflow run. */
export interface RunFacts {
  readonly actor: string | undefined;
  readonly eventName: string | undefined;
  readonly runId: number;
  /** 1 for the first attempt of the workflow run, and one more with each re-run. */
  readonly attempt: number;
  readonly runnerName: string;
  /** The step's id, or a name that the runner made from the action's. */
  readonly step: string;
  /** `GITHUB_SERVER_URL`, like `https://github.com`. */
  readonly serverUrl: string;
  /** Whether the pull request of the event comes from a fork; `undefined` without one. */
  readonly isForkPullRequest: boolean | undefined;
  /** How this run called the action, like `owner/name@v1`. */
  readonly action: string;
}
