/** What the runner says about the workflow run. A number is `NaN` where it names none. */
export interface RunFacts {
  readonly actor: string | undefined;
  readonly eventName: string | undefined;
  /** This repository is a fork of another one, as the event says. */
  readonly isFork: boolean;
  /** Whether the event is about a pull request from a fork. */
  readonly isForkPullRequest: boolean;
  readonly runId: number;
  /** 1 for the first attempt of the workflow run, and one more with each re-run. */
  readonly attempt: number;
  /** `owner/name`, or `undefined` when the runner names none. */
  readonly repository: string | undefined;
  /** Like `https://github.com`. */
  readonly serverUrl: string;
  /** `GITHUB_JOB`: the key of the workflow job in its file. */
  readonly job: string;
  /** The step's id, or a name that the runner made from the action's. */
  readonly step: string;
  /** The step is part of a composite action, whose steps share a name. */
  readonly isComposite: boolean;
  readonly runnerName: string;
}

/** Whether somebody asked for a run with this event, and no change to the repository did. */
export const isTyped = (eventName: string | undefined): boolean =>
  eventName === 'workflow_dispatch' || eventName === 'repository_dispatch';

/** The page of this repository's settings where a secret or a variable is set. */
export function settingsUrl(facts: RunFacts, what: 'secrets' | 'variables'): string {
  return `${facts.serverUrl}/${facts.repository ?? 'OWNER/REPOSITORY'}/settings/${what}/actions`;
}
