/** Runs the README's workflows: each step that uses the action, with its inputs. */
import { expect, test } from 'vitest';
import { runAction } from '../support/action.ts';
import { ADMIN_API_KEY, AgentService, PR_LINK, PROJECT_ID } from '../support/agent-service.ts';
import { GitHubService, line } from '../support/github-service.ts';
import { examples } from '../support/pages.ts';

/** The values that the runner would insert for the expressions in the examples. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  'inputs.prompt': 'Typed in.',
  'inputs.jobId': 'job_1',
  'needs.start.outputs.jobId': 'job_1',
  'vars.MINTLIFY_PROJECT_ID': PROJECT_ID,
  "vars.MINTLIFY_PROJECT_ID || 'not-set'": PROJECT_ID,
  'secrets.MINTLIFY_ADMIN_API_KEY': ADMIN_API_KEY,
};

const PAYLOADS: Readonly<Record<string, unknown>> = {
  push: { before: 'c1' },
  release: { release: { tag_name: 'v2', published_at: '2026-02-01T00:00:00Z' } },
  pull_request: { pull_request: { base: { sha: 'c1' }, head: { sha: 'c3' } } },
};

const runs = examples
  .filter(({ isWorkflow }) => isWorkflow)
  .flatMap(({ title, events, steps }) =>
    steps.map((step, index) => ({
      title: `${title}, step ${index + 1}`,
      event: events[0] ?? '',
      step,
    })),
  );

test.concurrent.each(runs)('runs as documented: $title', async ({ event, step }) => {
  await using service = await AgentService.start({
    schedule: [
      { afterMs: 0, status: 'active' },
      { afterReads: 2, status: 'completed', prLink: PR_LINK },
    ],
  });
  service.addJob();
  await using github = await GitHubService.start({
    commits: line(3),
    tags: [{ name: 'v1', sha: 'c1' }],
    releases: [{ tag_name: 'v1', published_at: '2026-01-01T00:00:00Z' }],
    runs: [
      { id: 500, run_number: 2, head_sha: 'c3' },
      { id: 400, run_number: 1, head_sha: 'c1', conclusion: 'success' },
    ],
  });
  const inputs = Object.entries(step.with ?? {}).map(([name, value]) => [
    name,
    String(value).replace(/\$\{\{ (.+?) \}\}/g, (_all, expression) => {
      const text = EXPRESSIONS[expression];
      if (text === undefined) throw new Error(`no value for ${expression}`);
      return text;
    }),
  ]);
  const result = await runAction({
    inputs: { pollInterval: '1s', ...Object.fromEntries(inputs), baseUrl: service.url },
    event: PAYLOADS[event] ?? {},
    files: { '.github/docs-prompt.md': 'From the repository.' },
    env: {
      GITHUB_API_URL: github.url,
      GITHUB_EVENT_NAME: event,
      GITHUB_SHA: 'c3',
      GITHUB_REF: 'refs/heads/main',
      GITHUB_RUN_ID: '500',
    },
  });
  expect(result.exitCode).toBe(0);
  const isDryRun = step.with?.['dryRun'] === true;
  const waits = step.with?.['wait'] !== false;
  const outcome = isDryRun ? 'dry-run' : waits ? 'pull-request' : 'started';
  expect(result.outputs['outcome']).toBe(outcome);
  expect(result.commands.filter(({ name }) => name === 'warning')).toEqual([]);
  const asksForChanges = 'changes' in (step.with ?? {});
  const prompt = isDryRun ? result.summary : (service.requests[0]?.body ?? '');
  expect(prompt.includes('Subject 3')).toBe(asksForChanges);
});
