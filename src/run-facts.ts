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
  /** How this run called the action, like `owner/name@v1`. */
  readonly action: string;
}

const DEFAULT_ACTION = 'docs-agent/docs-agent-job@v1';

/** https://docs.github.com/actions/reference/workflows-and-actions/variables#default-environment-variables */
export function readRunFacts(environment: Readonly<Record<string, string | undefined>>): RunFacts {
  const { GITHUB_ACTION_REPOSITORY: repository, GITHUB_ACTION_REF: ref } = environment;
  return {
    actor: environment['GITHUB_ACTOR'],
    eventName: environment['GITHUB_EVENT_NAME'],
    runId: Number(environment['GITHUB_RUN_ID'] ?? 0),
    attempt: Number(environment['GITHUB_RUN_ATTEMPT'] ?? 1),
    runnerName: environment['RUNNER_NAME'] ?? '',
    step: environment['GITHUB_ACTION'] ?? '',
    // Both are empty for an action of the same repository (`uses: ./`).
    action: repository && ref ? `${repository}@${ref}` : DEFAULT_ACTION,
  };
}
