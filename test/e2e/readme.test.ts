/**
 * Runs the workflows that the documentation shows, for each of their events: each step that uses the
 * action, with its inputs as the runner would make them.
 */
import { execFileSync } from 'node:child_process';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { type ActionResult, RUNNER_VARIABLES, runAction } from '../support/action.ts';
import { ADMIN_API_KEY, AgentService, PR_LINK, PROJECT_ID } from '../support/agent-service.ts';
import { doseOf } from '../support/dose.ts';
import {
  type FakeAnnotation,
  type FakeCommit,
  type FakeJob,
  type FakeRun,
  GitHubService,
  line,
} from '../support/github-service.ts';
import { type Example, examples, page, type Step } from '../support/pages.ts';
import { noBash, skipWhen } from '../support/system.ts';

/** A line of commits with ids as long as git's. */
const sha = (id = '') => id.slice(1).repeat(40);
const COMMITS: readonly FakeCommit[] = line(4).map((commit) => ({
  ...commit,
  sha: sha(commit.sha),
  parents: commit.parents.map(sha),
}));
const [C1, C2, C3, C4] = COMMITS.map((commit) => commit.sha);

/** The payload of each event whose head is c4. The push before was of c2. */
const PAYLOADS: Readonly<Record<string, unknown>> = {
  push: { before: C3 },
  release: { release: { tag_name: 'v2', published_at: '2026-02-01T00:00:00Z' } },
  pull_request: {
    number: 41,
    pull_request: { number: 41, base: { sha: C1 }, head: { sha: C4 }, commits: 3 },
  },
  schedule: {},
  workflow_dispatch: {},
};

/** Those of a run before, whose head was c2. */
const FIRST_PAYLOADS: Readonly<Record<string, unknown>> = {
  push: { before: C1 },
  pull_request: {
    number: 41,
    pull_request: { number: 41, base: { sha: C1 }, head: { sha: C2 }, commits: 1 },
  },
};

interface Contexts {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

const TYPED = { prompt: 'Typed in.', jobId: 'job_1', since: C2, dryRun: true };
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
  const github = { event_name: event };
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

/** A workflow run that GitHub knows, with its only workflow job and that job's annotations. */
interface KnownRun {
  readonly run: FakeRun;
  readonly job: FakeJob;
  readonly annotations: readonly FakeAnnotation[];
}

const ENDED = { conclusion: 'success', status: 'completed' };

function runAt(number: number, head_sha = '', isOver = false): KnownRun {
  return {
    run: { id: number * 100, run_number: number, head_sha, ...(isOver ? ENDED : {}) },
    job: {
      id: number,
      name: 'docs',
      run_id: number * 100,
      run_attempt: 1,
      status: isOver ? 'completed' : 'in_progress',
      runner_name: RUNNER_VARIABLES.RUNNER_NAME,
    },
    annotations: [],
  };
}

/** What GitHub keeps of a step. */
const annotationsOf = ({ commands }: ActionResult): readonly FakeAnnotation[] =>
  commands
    .filter(({ name }) => ['notice', 'warning', 'error'].includes(name))
    .map(({ name, properties, data }) => ({
      annotation_level: name === 'error' ? 'failure' : name,
      title: properties['title'] ?? null,
      message: data,
    }));

interface Given {
  readonly event: string;
  readonly payload: unknown;
  readonly inputs: Readonly<Record<string, string>>;
  readonly step: Step;
  readonly current: KnownRun;
  readonly earlier: readonly KnownRun[];
}

/** Runs a step in the workflow run `current`, after the runs `earlier`. */
async function runStep(service: AgentService, given: Given): Promise<ActionResult> {
  const { event, payload, inputs, step, current, earlier } = given;
  const known = [current, ...earlier];
  let pushes = 0;
  await using github = await GitHubService.start({
    commits: COMMITS,
    tags: [
      { name: 'v1', sha: C1 ?? '' },
      { name: 'v2', sha: C4 ?? '' },
    ],
    releases: [{ tag_name: 'v1', published_at: '2026-01-01T00:00:00Z' }],
    pulls: { 41: { commits: COMMITS.slice(1), files: COMMITS.slice(1).flatMap(filesOf) } },
    // The agent pushes a commit before each look at its pull request.
    pullStates: {
      get 'acme/docs#123'() {
        pushes += 1;
        return { state: 'open', merged: false, head: { sha: `push-${pushes}` } };
      },
    },
    runs: known.map(({ run }) => run),
    jobs: known.map(({ job }) => job),
    annotations: Object.fromEntries(known.map(({ job, annotations }) => [job.id, annotations])),
  });
  return await runAction({
    inputs: {
      pollInterval: '1s',
      workflowJob: `${current.job.id} null`,
      ...inputs,
      baseUrl: service.url,
    },
    event: payload,
    files: { '.github/docs-prompt.md': 'From the repository.' },
    env: {
      GITHUB_API_URL: github.url,
      GITHUB_EVENT_NAME: event,
      GITHUB_SHA: current.run.head_sha,
      GITHUB_REF: 'refs/heads/main',
      GITHUB_RUN_ID: String(current.run.id),
      GITHUB_RUN_NUMBER: String(current.run.run_number),
      GITHUB_JOB: 'docs',
      GITHUB_ACTION: step.id ?? RUNNER_VARIABLES.GITHUB_ACTION,
    },
  });
}

const filesOf = ({ files = [] }: FakeCommit) => files;

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

const workflows = examples.filter(({ isWorkflow }) => isWorkflow);
const reusable = workflows.find(({ events }) => events.includes('workflow_call'));
const callers = workflows.filter(({ call }) => call !== undefined);

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
  ...workflows
    .filter((one) => one !== reusable && one.call === undefined)
    .flatMap((one) => casesOf(one, SET)),
  ...calledCases,
];

const firstRuns = new Map<string, Promise<ActionResult>>();

/** The run before, at c2. Steps that differ in nothing share it. */
function firstRun(given: Pick<Given, 'event' | 'inputs' | 'step'>): Promise<ActionResult> {
  const { event, inputs, step } = given;
  const name = JSON.stringify([event, inputs, step.id]);
  const run = async () => {
    await using service = await AgentService.start({ schedule: SCHEDULE });
    const { [event]: payload = {} } = FIRST_PAYLOADS;
    return await runStep(service, { ...given, payload, current: runAt(4, C2), earlier: [] });
  };
  const found = firstRuns.get(name) ?? run();
  firstRuns.set(name, found);
  return found;
}

/** Runs a step twice if it looks at its earlier runs. Returns the second. */
async function runAsDocumented(service: AgentService, one: Case) {
  const { event, step, contexts } = one;
  const inputs = inputsOf(step, event, contexts);
  const given = { event, step, inputs };
  const earlier: KnownRun[] = [];
  let isAdded = false;
  if (inputs['since'] === 'last-success' || inputs['pullRequest'] === 'append') {
    const first = await firstRun(given);
    expect(first.exitCode).toBe(0);
    isAdded = inputs['pullRequest'] === 'append' && first.outputs['jobId'] === 'job_1';
    earlier.push({ ...runAt(4, C2, true), annotations: annotationsOf(first) });
  }
  service.addJob(isAdded ? [{ afterMs: 0, status: 'completed', prLink: PR_LINK }] : undefined);
  const current = runAt(5, C4);
  const payload = PAYLOADS[event];
  const result = await runStep(service, { ...given, payload, current, earlier });
  return { ...result, isAdded };
}

const SCHEDULE = [
  { afterMs: 0, status: 'active' },
  { afterReads: 2, status: 'completed', prLink: PR_LINK },
];

/** After a message, an agent job keeps its link. */
const messageSchedule = SCHEDULE.map((state) => ({ ...state, prLink: PR_LINK }));

const startService = () => AgentService.start({ schedule: SCHEDULE, messageSchedule });

const promptIn = ({ requests }: AgentService) =>
  requests.find(({ method }) => method === 'POST')?.body ?? '';

test('there are workflows to run, and a caller of the reusable one', () => {
  expect(cases.length).toBeGreaterThan(18);
  expect(calledCases.length).toBeGreaterThan(0);
});

test.concurrent.each(doseOf(cases))('runs as documented: $title', async (one) => {
  await using service = await startService();
  const result = await runAsDocumented(service, one);
  const inputs = inputsOf(one.step, one.event, one.contexts);
  const isDryRun = inputs['dryRun'] === 'true';
  const outcome = isDryRun ? 'dry-run' : inputs['wait'] === 'false' ? 'started' : 'pull-request';
  expect(result.outputs['outcome']).toBe(outcome);
  expect(result.exitCode).toBe(0);
  expect(result.commands.filter(({ name }) => name === 'warning')).toEqual([]);
  const operation = result.isAdded ? 'updated' : 'created';
  const isNamed = 'jobId' in inputs;
  expect(isNamed ? '' : result.outputs['prOperation']).toBe(
    !isNamed && outcome === 'pull-request' ? operation : '',
  );
  // The push before was of c2, and this one of c4. Under `last-success` c3 is sent as well.
  const prompt = isDryRun ? result.summary : promptIn(service);
  const asksForChanges = (inputs['changes'] ?? 'none') !== 'none';
  expect(prompt.includes('Subject 4')).toBe(asksForChanges);
  expect(prompt.includes('Subject 3')).toBe(asksForChanges);
});

describe("the README's workflow", () => {
  const step = workflows.find(({ title }) => title === 'README.md, Docs')?.steps[0] ?? {};
  const runByHand = async (service: AgentService, contexts: Contexts) =>
    runAsDocumented(service, { title: '', event: 'workflow_dispatch', step, contexts });

  test.concurrent('shows a whole prompt when "Run workflow" is pressed, and sends nothing', async () => {
    await using service = await startService();
    const result = await runByHand(service, SET);
    expect(result.stdout).toContain("Mintlify's agent API accepted the key.");
    expect(result.summary).toContain('Update the documentation for these changes.');
    expect(result.summary).toContain('Subject 4');
    expect(service.transcript).toEqual(['GET job/dry-run-access-check']);
  });

  test.concurrent('says so when Mintlify refuses the key', async () => {
    await using service = await startService();
    const secrets = { MINTLIFY_ADMIN_API_KEY: 'mint_another_0123456789' };
    const result = await runByHand(service, { ...SET, secrets });
    expect(result.exitCode).toBe(1);
    expect(result.summary).toContain('The key was refused');
  });

  test.concurrent('adds to the open pull request on the next push', async () => {
    await using service = await startService();
    const one = { title: '', event: 'push', step, contexts: NOT_TYPED };
    const result = await runAsDocumented(service, one);
    expect(result.outputs).toMatchObject({ prOperation: 'updated', prNumber: '123' });
    expect(service.postsTo(/\/message$/)).toHaveLength(1);
  });
});

describe('the recipe for a dry run', () => {
  const recipe = workflows.find(({ title }) => title.endsWith('Docs with a dry run'));
  const step = recipe?.steps[0] ?? {};

  test.concurrent('sends nothing for a pull request, also from a fork without a key or variables', async () => {
    await using service = await startService();
    const fork: Contexts = { inputs: {}, vars: {}, secrets: {} };
    const one = { title: '', event: 'pull_request', step, contexts: fork };
    const result = await runAsDocumented(service, one);
    expect(result.outputs['outcome']).toBe('dry-run');
    expect(result.summary).toContain('From the repository.');
    expect(result.summary).toContain('Subject 3');
    expect(service.requests).toEqual([]);
  });

  test('starts at the event on a pull request, and at what was covered on main', () => {
    expect(inputsOf(step, 'pull_request', SET)).toMatchObject({ since: 'auto', dryRun: 'true' });
    expect(inputsOf(step, 'push', SET)).toMatchObject({ since: 'last-success', dryRun: 'false' });
  });
});

test('the reusable workflow does a dry run unless the variable says `false`', () => {
  const [{ step } = { step: {} }] = calledCases;
  const dryRun = (vars: Contexts['vars']) => inputsOf(step, 'push', { ...SET, vars })['dryRun'];
  expect(dryRun({})).toBe('true');
  expect(dryRun({ DOCS_AGENT_DRY_RUN: 'true' })).toBe('true');
  expect(dryRun({ DOCS_AGENT_DRY_RUN: 'false' })).toBe('false');
});

describe('the script for organizations', () => {
  skipWhen(noBash);

  test('spreads schedules over six hours, and gives a repository the same one each time', () => {
    const script = /^cron\(\) \{[\s\S]*?^\}$/m.exec(page('.github/ORGANIZATIONS.md'))?.[0] ?? '';
    const call = 'for n in $(seq 180); do cron "acme/repository-$n"; done; cron acme/repository-1';
    const output = execFileSync('bash', ['-c', `set -e\n${script}\n${call}`], { encoding: 'utf8' });
    const schedules = output.trim().split('\n');
    expect(schedules).toHaveLength(181);
    expect(schedules.at(-1)).toBe(schedules[0]);
    const perHour = new Map<string, number>();
    for (const schedule of schedules) {
      const [, hour = ''] = /^[1-5]?\d ([0-5]) \* \* \*$/.exec(schedule) ?? [];
      perHour.set(hour, (perHour.get(hour) ?? 0) + 1);
    }
    expect([...perHour.keys()].toSorted()).toEqual(['0', '1', '2', '3', '4', '5']);
    // 30 in each hour would be even.
    expect(Math.max(...perHour.values())).toBeLessThan(45);
  });
});
