/** The pages of the documentation, and the YAML examples in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
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

const ownSteps = (steps: readonly Step[] = []) =>
  steps.filter(({ uses }) => uses !== undefined && ACTION.test(uses));

export type Example = ReturnType<typeof exampleOf>;

function exampleOf(name: string, yaml: string, index: number) {
  const value: Workflow | readonly Step[] = parse(yaml);
  const isList = Array.isArray(value);
  const workflow = isList ? {} : (value as Workflow);
  const { on = {} } = workflow;
  const events: Events = typeof on === 'string' ? { [on]: null } : on;
  const workflowJobs = Object.values(workflow.jobs ?? {});
  const jobs = workflowJobs.map((job) => ({
    timeoutMinutes: job['timeout-minutes'],
    concurrency: job.concurrency ?? workflow.concurrency,
    steps: ownSteps(job.steps),
    /** What its other steps use, with `run` for a script. */
    others: (job.steps ?? []).map(({ uses = 'run' }) => uses).filter((uses) => !ACTION.test(uses)),
  }));
  const inputs = Object.entries(events['workflow_call']?.inputs ?? {});
  return {
    /** The page and, for a workflow, its name. */
    title: `${name}, ${workflow.name ?? `example ${index + 1}`}`,
    isWorkflow: workflow.jobs !== undefined,
    yaml,
    events: Object.keys(events),
    permissions: workflow.permissions ?? {},
    /** Those that use this action. */
    jobs: jobs.filter(({ steps }) => steps.length > 0),
    steps: isList ? ownSteps(value as readonly Step[]) : jobs.flatMap(({ steps }) => steps),
    /** A person who starts it may ask for a dry run. */
    hasDryRunInput: 'dryRun' in (events['workflow_dispatch']?.inputs ?? {}),
    /** Of the inputs of a reusable workflow. */
    inputDefaults: Object.fromEntries(inputs.map(([key, input]) => [key, input.default])),
    /** The reusable workflow that it calls. */
    call: workflowJobs.find(({ uses }) => uses !== undefined),
  };
}

export const examples = pageNames.flatMap((name) =>
  [...page(name).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, yaml = ''], index) =>
    exampleOf(name, yaml, index),
  ),
);

/** The anchors of a page: its headings of these levels, with 2 for `##`, and `<a name="…">`. */
export function anchorsOf(name: string, levels: readonly number[]): readonly string[] {
  const text = page(name);
  const headings = [...text.matchAll(/^(#+) (.+)$/gm)].flatMap(([, marks = '', heading = '']) =>
    levels.includes(marks.length) ? [anchorOf(heading)] : [],
  );
  const named = [...text.matchAll(/<a name="([^"]+)">/g)].map(([, anchor = '']) => anchor);
  return [...headings, ...named];
}
