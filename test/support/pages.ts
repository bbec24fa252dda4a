/** The pages of the documentation, and the workflows in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { anchorOf } from '../../src/report/wording.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const ACTION = /^docs-agent\/docs-agent-job@/;

export const page = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

export const pageNames: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, '.github'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `.github/${name}`),
];

export interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

type Permissions = Readonly<Record<string, string>>;

interface Concurrency {
  readonly group: string;
  readonly 'cancel-in-progress': boolean;
}

interface WorkflowJob {
  readonly steps?: readonly Step[];
  readonly 'timeout-minutes'?: number;
  readonly concurrency?: Concurrency;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly secrets?: unknown;
}

type WorkflowInputs = Readonly<Record<string, { readonly default?: unknown }>>;
type Events = Readonly<Record<string, { readonly inputs?: WorkflowInputs } | null>>;

interface Workflow {
  readonly name?: string;
  readonly on?: string | Events;
  readonly permissions?: Permissions;
  readonly concurrency?: Concurrency;
  readonly jobs?: Readonly<Record<string, WorkflowJob>>;
}

type Keyed = Readonly<Record<string, unknown>>;

const isKeyed = (value: unknown): value is Keyed =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces part of a workflow, at the same place. Steps are matched by ID. */
function withPart(whole: unknown, part: unknown): unknown {
  if (Array.isArray(part) && Array.isArray(whole)) {
    const others = whole.filter(({ id }) => part.every((step) => step.id !== id));
    const before = (step: Step) => whole.find(({ id }) => id === step.id);
    return [...part.map((step) => withPart(before(step), step)), ...others];
  }
  if (!isKeyed(part) || !isKeyed(whole)) return part;
  const merged = Object.entries(part).map(([key, value]) => [key, withPart(whole[key], value)]);
  return { ...whole, ...Object.fromEntries(merged) };
}

const ownSteps = (steps: readonly Step[] = []) =>
  steps.filter(({ uses }) => uses !== undefined && ACTION.test(uses));

export type Example = ReturnType<typeof exampleOf>;

/**
 * Reads an example. One that shows part of a workflow stands for README's workflow with that part.
 */
function exampleOf(title: string, shown: string) {
  const isPart = shown.startsWith('jobs:\n');
  const yaml = isPart ? stringify(withPart(readmeWorkflow(), parse(shown)), YAML) : shown;
  const workflow: Workflow = parse(yaml);
  const { on = {} } = workflow;
  const events: Events = typeof on === 'string' ? { [on]: null } : on;
  const workflowJobs = Object.values(workflow.jobs ?? {});
  const jobs = workflowJobs.map((job) => ({
    timeoutMinutes: job['timeout-minutes'],
    concurrency: job.concurrency ?? workflow.concurrency,
    steps: ownSteps(job.steps),
    /** What the job's other steps use, with `run` for a script. */
    others: (job.steps ?? []).map(({ uses = 'run' }) => uses).filter((uses) => !ACTION.test(uses)),
  }));
  const inputs = Object.entries(events['workflow_call']?.inputs ?? {});
  return {
    title,
    yaml,
    events: Object.keys(events),
    permissions: workflow.permissions ?? {},
    /** The jobs that use this action. */
    jobs: jobs.filter(({ steps }) => steps.length > 0),
    steps: jobs.flatMap(({ steps }) => steps),
    /** The form that a person fills in to start it. */
    form: Object.keys(events['workflow_dispatch']?.inputs ?? {}),
    /** The defaults of a reusable workflow's inputs. */
    inputDefaults: Object.fromEntries(inputs.map(([key, input]) => [key, input.default])),
    /** The job that calls a reusable workflow. */
    call: workflowJobs.find(({ uses }) => uses !== undefined),
  };
}

/** Keeps long lines unchanged. */
const YAML = { lineWidth: 0 };

/** The workflow that examples of parts refer to. */
const PUSH_WORKFLOW = 'README.md, Run it on every push';

function readmeWorkflow(): unknown {
  const found = yamlIn('README.md').find(({ title }) => title === PUSH_WORKFLOW);
  if (found === undefined) throw new Error(`there is no example "${PUSH_WORKFLOW}"`);
  return parse(found.yaml);
}

/**
 * The YAML on a page. The title consists of the page, its section, and a number within the section.
 */
function yamlIn(name: string) {
  return page(name)
    .split(/^## /m)
    .flatMap((section) => {
      const [heading] = section.split('\n', 1);
      const found = [...section.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)];
      return found.map(([, yaml = ''], index) => ({
        title: `${name}, ${heading}${index === 0 ? '' : ` (${index + 1})`}`,
        yaml,
      }));
    });
}

export const examples = pageNames.flatMap(yamlIn).map(({ title, yaml }) => exampleOf(title, yaml));

/** The first example of a section. Throws when there is none. */
export function exampleIn(name: string, heading: string): Example {
  const found = examples.find(({ title }) => title === `${name}, ${heading}`);
  if (found === undefined) throw new Error(`${name} has no example under "${heading}"`);
  return found;
}

/** The anchors of a page: its headings of these levels, with 2 for `##`, and `<a name="…">`. */
export function anchorsOf(name: string, levels: readonly number[]): readonly string[] {
  const text = page(name);
  const headings = [...text.matchAll(/^(#+) (.+)$/gm)].flatMap(([, marks = '', heading = '']) =>
    levels.includes(marks.length) ? [anchorOf(heading)] : [],
  );
  const named = [...text.matchAll(/<a name="([^"]+)">/g)].map(([, anchor = '']) => anchor);
  return [...headings, ...named];
}
