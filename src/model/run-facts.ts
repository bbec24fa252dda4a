/** What the runner says about the workflow run. A missing number is `NaN`. */
export interface RunFacts {
  readonly actor: string | undefined;
  readonly eventName: string | undefined;
  /** Whether this repository is a fork, according to the event. */
  readonly isFork: boolean;
  /** Whether the event is about a pull request from a fork. */
  readonly isForkPullRequest: boolean;
  readonly runId: number;
  /** 1 for the first attempt of the workflow run, plus 1 for each re-run. */
  readonly attempt: number;
  /** `owner/name`, or `undefined` when the runner doesn't provide it. */
  readonly repository: string | undefined;
  /** Like `https://github.com`. */
  readonly serverUrl: string;
  /** `GITHUB_JOB`: the key of the workflow job in its file. */
  readonly workflowJobKey: string;
  /** The step's ID, or a name that the runner derived from the action. */
  readonly step: string;
  /** The step is part of a composite action, whose steps share a name. */
  readonly isComposite: boolean;
  readonly runnerName: string;
}

/** Whether a person or an API call asked for the run, rather than a change to the repository. */
export const isDispatched = (eventName: string | undefined): boolean =>
  eventName === 'workflow_dispatch' || eventName === 'repository_dispatch';

/** The page of this repository's settings for secrets or variables. */
export function settingsUrl(facts: RunFacts, what: 'secrets' | 'variables'): string {
  return `${facts.serverUrl}/${facts.repository ?? 'OWNER/REPOSITORY'}/settings/${what}/actions`;
}
