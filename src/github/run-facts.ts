import type { RunFacts } from '../lib/run-facts.ts';

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
    serverUrl: environment['GITHUB_SERVER_URL'] || 'https://github.com',
    isForkPullRequest: undefined,
    // Both are empty for an action of the same repository (`uses: ./`).
    action: repository && ref ? `${repository}@${ref}` : DEFAULT_ACTION,
  };
}
