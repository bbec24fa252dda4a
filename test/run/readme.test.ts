/**
 * Runs the workflows that the documentation shows, for each of their events: each step that uses the
 * action, with its inputs as the runner would make them.
 */
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { recordsOf } from '../support/action.ts';
import { ADMIN_API_KEY, type AgentService, PR_LINK, PROJECT_ID } from '../support/agent-service.ts';
import { doseOf } from '../support/dose.ts';
import { line } from '../support/github-service.ts';
import { type Example, exampleIn, examples, type Step } from '../support/pages.ts';
import { startHistory } from '../support/workflow-run.ts';

const COMMITS = line(4);
const CHANGES = COMMITS.slice(1);

const pullRequest = (sha: string, commits: number) => ({
  number: 41,
  pull_request: { number: 41, base: { sha: 'c1' }, head: { sha }, commits },
});

/** The payloads of events whose head is c2, and then c4. */
const PAYLOADS: Readonly<Record<string, readonly [before: unknown, now: unknown]>> = {
  push: [{ before: 'c1' }, { before: 'c3' }],
  release: [{}, { release: { tag_name: 'v2', published_at: '2026-02-01T00:00:00Z' } }],
  pull_request: [pullRequest('c2', 1), pullRequest('c4', 3)],
};

interface Contexts {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

const TYPED = { prompt: 'Typed in.', jobId: 'job_1', since: 'c2', dryRun: true };
const SET: Contexts = {
  inputs: TYPED,
  vars: { MINTLIFY_PROJECT_ID: PROJECT_ID, DOCS_AGENT_DRY_RUN: 'false' },
  secrets: { MINTLIFY_ADMIN_API_KEY: ADMIN_API_KEY },
};

const NOT_TYPED: Contexts = { ...SET, inputs: {} };

/**
 * The inputs of a step with its expressions evaluated. Those in the documentation mean the same in
 * JavaScript, but for a missing property, which is empty.
 */
function inputsOf(step: Step, event: string, contexts: Contexts): Record<string, string> {
  const needs = { start: { outputs: { jobId: 'job_1' } } };
  const steps = { app: { outputs: { token: 'ghs_of_an_app' } } };
  const github = { event_name: event, event: { inputs: contexts.inputs } };
  const context = createContext({ ...contexts, needs, steps, github });
  const evaluated = (_all: string, expression: string) =>
    String(runInContext(expression, context) ?? '');
  return Object.fromEntries(
    Object.entries(step.with ?? {}).map(([name, value]) => [
      name,
      String(value).replace(/\$\{\{ (.+?) \}\}/g, evaluated),
    ]),
  );
}

interface Case {
  readonly title: string;
  readonly event: string;
  readonly step: Step;
  readonly contexts: Contexts;
}

/** A step for each event of a workflow. */
function casesOf({ title, events, steps }: Example, contexts: Contexts): readonly Case[] {
  return events.flatMap((event) =>
    steps.map((step, index) => ({
      title: `${title}, on ${event}, step ${index + 1}`,
      event,
      step,
      // Nobody types anything for a push.
      contexts: event === 'push' && 'dryRun' in contexts.inputs ? NOT_TYPED : contexts,
    })),
  );
}

const reusable = examples.find(({ events }) => events.includes('workflow_call'));
const callers = examples.filter(({ call }) => call !== undefined);

/** The steps of the reusable workflow, as a caller runs them. */
const calledCases = callers.flatMap(({ title, events, call }) =>
  casesOf(
    { ...(reusable as Example), title, events },
    {
      inputs: {
        ...reusable?.inputDefaults,
        ...inputsOf({ with: call?.with ?? {} }, '', NOT_TYPED),
      },
      vars: SET.vars,
      secrets: call?.secrets === 'inherit' ? SET.secrets : {},
    },
  ),
);

const cases = [
  ...examples
    .filter((one) => one !== reusable && one.call === undefined)
    .flatMap((one) => casesOf(one, SET)),
  ...calledCases,
];

const SCHEDULE = [{ status: 'active' }, { afterReads: 2, status: 'completed', prLink: PR_LINK }];

/** The services behind a workflow of the pages. */
function startDocumented(inputs: Readonly<Record<string, string>>) {
  let pushes = 0;
  return startHistory({
    inputs: { pollInterval: '1s', ...inputs },
    // After a message, an agent job keeps its link.
    service: {
      schedule: SCHEDULE,
      messageSchedule: SCHEDULE.map((state) => ({ ...state, prLink: PR_LINK })),
    },
    github: {
      commits: COMMITS,
      tags: Object.entries({ v1: 'c1', v2: 'c4' }).map(([name, sha]) => ({ name, sha })),
      releases: [{ tag_name: 'v1', published_at: '2026-01-01T00:00:00Z' }],
      pulls: { 41: { commits: CHANGES, files: CHANGES.flatMap(({ files = [] }) => files) } },
      // The agent pushes a commit before each look at its pull request.
      pullStates: {
        get 'acme/docs#123'() {
          pushes += 1;
          const shas = Array.from({ length: pushes }, (_, index) => `push-${index + 1}`);
          const head = { sha: shas.at(-1) ?? '' };
          return { state: 'open', head, commits: shas };
        },
      },
    },
  });
}

/** Runs a step for an event at c4, after one at c2 if it looks at its earlier runs. */
async function runAsDocumented({ event, step, contexts }: Omit<Case, 'title'>) {
  const inputs = inputsOf(step, event, contexts);
  await using history = await startDocumented(inputs);
  const { agent } = history;
  const [before = {}, now = {}] = PAYLOADS[event] ?? [];
  const files = { '.github/docs-prompt.md': 'From the repository.' };
  const options = { files, ...(step.id && { step: step.id }) };
  let isAdded = false;
  if (inputs['since'] === 'last-success' || inputs['pullRequest'] === 'append') {
    const { result } = await history.night('c2', { ...options, event: before }, event);
    expect(result.exitCode).toBe(0);
    isAdded = inputs['pullRequest'] === 'append' && result.outputs['jobId'] === 'job_1';
  }
  if (agent.jobIds.length === 0) agent.addJob();
  const earlier = agent.requests.length;
  const night = await history.night('c4', { ...options, event: now }, event);
  return { ...night, inputs, isAdded, agent, calls: agent.transcript.slice(earlier) };
}

const promptIn = ({ requests }: AgentService) =>
  requests.findLast(({ method }) => method === 'POST')?.body ?? '';

test('there are workflows to run, and a caller of the reusable one', () => {
  expect(cases.length).toBeGreaterThan(18);
  expect(calledCases.length).toBeGreaterThan(0);
});

test.concurrent.each(doseOf(cases))('runs as documented: $title', async (one) => {
  const { inputs, isAdded, agent, outcome, result, warnings } = await runAsDocumented(one);
  const isDryRun = inputs['dryRun'] === 'true';
  const expected = isDryRun ? 'dry-run' : inputs['wait'] === 'false' ? 'started' : 'pull-request';
  expect([outcome, result.exitCode, warnings]).toEqual([expected, 0, []]);
  const operation = isAdded ? 'updated' : 'created';
  const isNamed = 'jobId' in inputs;
  expect(isNamed ? '' : result.outputs['prOperation']).toBe(
    !isNamed && outcome === 'pull-request' ? operation : '',
  );
  // The push before was of c2, and this one of c4. Under `last-success` c3 is sent as well.
  const prompt = isDryRun ? result.summary : promptIn(agent);
  const asksForChanges = (inputs['changes'] ?? 'none') !== 'none';
  expect(prompt.includes('Subject 4')).toBe(asksForChanges);
  expect(prompt.includes('Subject 3')).toBe(asksForChanges);
});

describe("the README's workflow", () => {
  const [step = {}] = exampleIn('README.md', 'Run it on every push').steps;

  test.concurrent('shows a whole prompt when "Run workflow" is pressed, and sends nothing', async () => {
    const one = { event: 'workflow_dispatch', step, contexts: SET };
    const { result, calls } = await runAsDocumented(one);
    expect(result.stdout).toContain("Mintlify's agent API accepted the key.");
    expect(result.summary).toContain('Update the documentation for these changes.');
    expect(result.summary).toContain('Subject 4');
    expect(calls).toEqual(['GET job/dry-run-access-check']);
  });

  test.concurrent('says so when Mintlify refuses the key, and leaves no record', async () => {
    const secrets = { MINTLIFY_ADMIN_API_KEY: 'mint_another_0123456789' };
    const inputs = inputsOf(step, 'workflow_dispatch', { ...SET, secrets });
    await using history = await startDocumented(inputs);
    const { result } = await history.night('c4', {}, 'workflow_dispatch');
    expect(result.exitCode).toBe(1);
    expect(result.summary).toContain('The key was refused');
    expect(recordsOf(result)).toEqual([]);
  });

  test.concurrent('adds to the open pull request on the next push', async () => {
    const one = { event: 'push', step, contexts: NOT_TYPED };
    const { result, calls } = await runAsDocumented(one);
    expect(result.outputs).toMatchObject({ prOperation: 'updated', prNumber: '123' });
    expect(calls).toContain('POST job/job_1/message');
  });
});

describe('the recipe for a dry run', () => {
  const recipe = exampleIn('.github/RECIPES.md', "Try a workflow's changes with a dry run");
  const [step = {}] = recipe.steps;

  test.concurrent('sends nothing for a pull request, also from a fork without a key or variables', async () => {
    const fork: Contexts = { inputs: {}, vars: {}, secrets: {} };
    const one = { event: 'pull_request', step, contexts: fork };
    const { outcome, result, calls } = await runAsDocumented(one);
    expect([outcome, calls]).toEqual(['dry-run', []]);
    expect(result.summary).toContain('From the repository.');
    expect(result.summary).toContain('Subject 3');
  });

  test('starts at the event on a pull request, and at what was covered on main', () => {
    const given = (event: string) => inputsOf(step, event, NOT_TYPED);
    expect(given('pull_request')).toMatchObject({ since: 'auto', dryRun: 'true' });
    expect(given('push')).toMatchObject({ since: 'last-success', dryRun: 'false' });
  });
});

test('the reusable workflow starts where a person says, else after what earlier runs covered', () => {
  const [{ step } = { step: {} }] = calledCases;
  const since = (inputs: Contexts['inputs']) => inputsOf(step, '', { ...SET, inputs })['since'];
  expect(since({ since: 'c2' })).toBe('c2');
  expect(since({})).toBe('last-success');
});

test('the reusable workflow does a dry run unless the variable says `false`', () => {
  const [{ step } = { step: {} }] = calledCases;
  const dryRun = (vars: Contexts['vars']) => inputsOf(step, 'push', { ...SET, vars })['dryRun'];
  expect(dryRun({})).toBe('true');
  expect(dryRun({ DOCS_AGENT_DRY_RUN: 'true' })).toBe('true');
  expect(dryRun({ DOCS_AGENT_DRY_RUN: 'false' })).toBe('false');
});
