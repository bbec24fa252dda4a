/** What the runner says about the workflow run. A number is `NaN` where it names none. */
export interface RunFacts {
  readonly actor: string | undefined;
  readonly eventName: string | undefined;
  readonly runId: number;
  /** Counts the runs of a workflow, from 1. A re-run keeps it. */
  readonly runNumber: number;
  /** 1 for the first attempt of the workflow run, and one more with each re-run. */
  readonly attempt: number;
  /** `GITHUB_JOB`: the key of the workflow job in its file. */
  readonly job: string;
  /** The step's id, or a name that the runner made from the action's. */
  readonly step: string;
  /** The step is part of a composite action, whose steps share a name. */
  readonly isComposite: boolean;
  readonly runnerName: string;
  /** How this run called the action, like `owner/name@v1`. */
  readonly action: string;
}
