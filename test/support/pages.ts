/** The pages of the documentation, and the YAML examples in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

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

export interface Example {
  /** The page and, for a workflow, its name. */
  readonly title: string;
  readonly isWorkflow: boolean;
  readonly yaml: string;
  readonly events: readonly string[];
  /** The steps that use this action. */
  readonly steps: readonly Step[];
  readonly permissions: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly name?: string;
  readonly on?: string | Record<string, unknown>;
  readonly permissions?: Record<string, string>;
  readonly jobs?: Record<string, { readonly steps?: readonly Step[] }>;
}

function exampleOf(name: string, yaml: string, index: number): Example {
  const value: Workflow | readonly Step[] = parse(yaml);
  const isList = Array.isArray(value);
  const workflow = isList ? {} : (value as Workflow);
  const steps = isList
    ? (value as readonly Step[])
    : Object.values(workflow.jobs ?? {}).flatMap((job) => job.steps ?? []);
  return {
    title: `${name}, ${workflow.name ?? `example ${index + 1}`}`,
    isWorkflow: workflow.jobs !== undefined,
    yaml,
    events: typeof workflow.on === 'string' ? [workflow.on] : Object.keys(workflow.on ?? {}),
    steps: steps.filter(({ uses }) => uses !== undefined && ACTION.test(uses)),
    permissions: workflow.permissions ?? {},
  };
}

export const examples: readonly Example[] = pageNames.flatMap((name) =>
  [...page(name).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, yaml = ''], index) =>
    exampleOf(name, yaml, index),
  ),
);
