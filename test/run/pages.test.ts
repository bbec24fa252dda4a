/** Plays each workflow of the README and the pages in .github, as a dry run for each event. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { World } from '../support/action.ts';
import type { RunStart } from '../support/github.ts';
import { ADMIN_API_KEY, PROJECT_ID } from '../support/mintlify.ts';

const ROOT = resolve(import.meta.dirname, '../..');

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly {
    id?: string;
    run?: string;
    with?: Readonly<Record<string, unknown>>;
  }[];
}
interface Workflow extends Job {
  readonly on: Readonly<
    Record<string, { readonly inputs?: object; readonly tags?: object } | null>
  >;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** The parts of a workflow stand in the README's one. */
const folder = mkdtempSync(join(tmpdir(), 'examples-'));
afterAll(() => rmSync(folder, { recursive: true }));
execFileSync(process.execPath, ['.github/scripts/examples.mjs', folder], { cwd: ROOT });
const workflows = readdirSync(folder).map((name): [string, Workflow] => [
  name.replace('.yml', ''),
  parse(readFileSync(join(folder, name), 'utf8')),
]);

/** What happens before each event, and the event. */
const EVENTS: Readonly<Record<string, (world: World) => Promise<RunStart> | RunStart>> = {
  push: (world) => world.push('one'),
  tag: (world) => {
    world.github.tag('api@1.0.0');
    world.push('one');
    return world.github.tag('api@1.1.0');
  },
  workflow_dispatch: (world) => {
    world.push('one');
    return world.github.dispatch();
  },
  pull_request: (world) => {
    world.github.open({ branch: 'one' }, { files: { 'src/one.ts': '1' }, message: 'Add one' });
    world.github.merge(1);
    return world.github.pullEvent(1, 'closed');
  },
  release: (world) => {
    world.github.release({ tag: 'v1.0.0' });
    world.push('one');
    return world.github.release({ tag: 'v1.1.0' });
  },
  schedule: async (world) => {
    await world.run(world.github.schedule());
    world.push('one');
    return world.github.schedule();
  },
};

const PUSH_WORKFLOW = 'README-2';
const common = workflows.find(([name]) => name === PUSH_WORKFLOW)?.[1].on ?? {};

/** The README's workflow runs for each of its events, and a part of it for one, best its own. */
function eventsOf(name: string, { on }: Workflow): readonly string[] {
  const started = Object.entries(on).map(([event, filters]) => (filters?.tags ? 'tag' : event));
  const events = started.filter((event) => event in EVENTS);
  if (name === PUSH_WORKFLOW) return events;
  const others = events.filter((event) => !(event in common));
  return others.length > 0 ? others : events.slice(0, 1);
}

/** The steps that run the action, and what they give it. */
const steps = workflows.flatMap(([name, workflow]) =>
  Object.values(workflow.jobs).flatMap((job) => {
    const step = job.steps?.find(({ id }) => id === 'docs');
    const permissions = job.permissions ?? workflow.permissions ?? {};
    return step === undefined ? [] : [{ name, workflow, permissions, given: step.with ?? {} }];
  }),
);

const cases = steps.flatMap((step) =>
  eventsOf(step.name, step.workflow).map((event) => ({ ...step, event })),
);

/** What a person types into the form, and what the workflow job gets. */
function contextsOf(workflow: Workflow, event: string, since: string) {
  const form = workflow.on['workflow_dispatch']?.inputs ?? {};
  const all: Record<string, unknown> = { prompt: 'Typed', jobId: 'job_1', since, dryRun: true };
  const typed = Object.entries(all).filter(([name]) => name in form);
  return {
    inputs: event === 'workflow_dispatch' ? Object.fromEntries(typed) : {},
    vars: { MINTLIFY_PROJECT_ID: PROJECT_ID, DOCS_AGENT_DRY_RUN: 'false' },
    secrets: { MINTLIFY_ADMIN_API_KEY: ADMIN_API_KEY },
    steps: {
      app: { outputs: { token: 'writer' } },
      package: { outputs: { paths: 'src/**' } },
    },
  };
}

/** GitHub's expressions in the examples mean the same in JavaScript, but for what is missing. */
const evaluated = (text: string, contexts: object) =>
  text.replace(/\$\{\{ (.+?) \}\}/g, (_all, expression: string) =>
    String(runInContext(expression, createContext({ ...contexts })) ?? ''),
  );

test.concurrent.each(cases)('$name works on $event', async ({ event, workflow, ...step }) => {
  await using world = await World.open();
  world.mintlify.addJob();
  const contexts = contextsOf(workflow, event, world.github.tip());
  const start = await EVENTS[event]?.(world);
  const inputs = Object.fromEntries(
    Object.entries(step.given).map(([name, value]) => [name, evaluated(String(value), contexts)]),
  );
  world.inputs = {};
  const { origin } = world.github;
  const [refs, sent] = [origin.refs(), world.sent.length];
  const githubToken = step.permissions['contents'] === 'write' ? 'writer' : 'reader';
  // It reports a missing permission.
  const ended = await world.run(start as RunStart, { githubToken, ...inputs, dryRun: 'true' });
  expect([ended.outcome, ended.warnings, ended.errors]).toEqual(['dry-run', [], '']);
  expect([origin.refs(), world.sent.length]).toEqual([refs, sent]);
});

test.each([
  ['api@1.2.0', 'packages/api/**'],
  ['@acme/api@1.2.0-rc.1', 'packages/api/**'],
])('the paths of the tag %s are %s', (tag, paths) => {
  const jobs = workflows.flatMap(([, workflow]) => Object.values(workflow.jobs));
  const step = jobs.flatMap((job) => job.steps).find((one) => one?.id === 'package');
  const output = join(folder, `${encodeURIComponent(tag)}.output`);
  const env = { ...process.env, GITHUB_REF_NAME: tag, GITHUB_OUTPUT: output };
  execFileSync('bash', ['-c', step?.run ?? ''], { env });
  expect(readFileSync(output, 'utf8')).toBe(`paths=${paths}\n`);
});

const { inputs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));

test.each(steps)('$name gives inputs that exist, and no permission too many', (step) => {
  const { given, permissions } = step;
  expect(Object.keys(given).filter((name) => !(name in inputs))).toEqual([]);
  const contents = given['since'] === 'event' ? 'read' : 'write';
  expect(permissions).toEqual(given['changes'] ? { contents, 'pull-requests': 'read' } : {});
});
