import { describe, expect, test } from 'vitest';
import { readRunFacts } from '../../../src/github/run-facts.ts';

describe('the facts about the run', () => {
  test("are read from the runner's variables", () => {
    expect(
      readRunFacts({
        GITHUB_ACTOR: 'octocat',
        GITHUB_EVENT_NAME: 'push',
        GITHUB_RUN_ID: '1658821493',
        GITHUB_RUN_ATTEMPT: '3',
        RUNNER_NAME: 'Hosted Agent',
        GITHUB_ACTION: '__actions_checkout',
        GITHUB_ACTION_REPOSITORY: 'acme/docs-agent-job',
        GITHUB_ACTION_REF: 'v2',
      }),
    ).toEqual({
      actor: 'octocat',
      eventName: 'push',
      runId: 1_658_821_493,
      attempt: 3,
      runnerName: 'Hosted Agent',
      step: '__actions_checkout',
      action: 'acme/docs-agent-job@v2',
    });
  });

  test.each([
    { GITHUB_ACTION_REPOSITORY: 'acme/docs-agent-job', GITHUB_ACTION_REF: '' },
    { GITHUB_ACTION_REPOSITORY: '', GITHUB_ACTION_REF: 'v2' },
  ])('name the released action when half of its reference is missing: case %#', (variables) => {
    expect(readRunFacts(variables).action).toMatch(/^docs-agent\/docs-agent-job@v\d+$/);
  });

  test('may be missing, and the reference is empty for an action of the same repository', () => {
    expect(readRunFacts({ GITHUB_ACTION_REPOSITORY: '', GITHUB_ACTION_REF: '' })).toEqual({
      actor: undefined,
      eventName: undefined,
      runId: 0,
      attempt: 1,
      runnerName: '',
      step: '',
      action: 'docs-agent/docs-agent-job@v1',
    });
  });
});
