/** Runs steps of this repository's workflows as a runner does, with their own commands. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

export const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.github/workflows');

export interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Job {
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly on: unknown;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

export const workflowNames = readdirSync(FOLDER);

export function workflow(name: string): Workflow {
  return parse(readFileSync(join(FOLDER, name), 'utf8'));
}

/** The commands of a workflow job, one for each step. Throws when there is no such workflow job. */
export function commandsOf(name: string, job: string): readonly Step[] {
  const found = workflow(name).jobs[job];
  if (found === undefined) throw new Error(`${name} has no job ${job}`);
  return found.steps
    .filter(({ run }) => run !== undefined)
    .map((step) => ({ ...step, env: { ...found.env, ...step.env } }));
}

export interface StepRun {
  /** The working directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The value of each expression in the step's `env`. The keys have no braces. */
  readonly expressions?: Readonly<Record<string, string>>;
}

/**
 * Runs one step in bash. A step that names no shell runs with `bash -e`.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsshell
 */
export async function runStep(
  { run = '', env = {} }: Step,
  { cwd, env: given, expressions = {} }: StepRun,
): Promise<{ exitCode: number; output: string }> {
  const resolved = (text: string) =>
    text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
      const value = expressions[expression];
      if (value === undefined) throw new Error(`What is ${expression}?`);
      return value;
    });
  const own = Object.entries(env).map(([name, text]) => [name, resolved(text)] as const);
  const child = spawn('bash', ['-e', '-c', run], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...given, ...Object.fromEntries(own) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [exitCode] = await once(child, 'close');
  return { exitCode, output };
}
