/** Runs steps of this repository's workflows as a runner does, with their own commands. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { parse } from 'yaml';

export const ROOT = resolve(import.meta.dirname, '../..');
/** The commands that stand for those that would use the network. */
export const FAKES = join(import.meta.dirname, 'fakes');
const FOLDER = join(ROOT, '.github/workflows');

type Texts = Readonly<Record<string, string>>;

export interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Texts;
}

interface Job {
  readonly environment?: string;
  readonly permissions?: Texts;
  readonly env?: Texts;
  readonly steps: readonly Step[];
}

export const workflowNames = readdirSync(FOLDER);

export const jobsOf = (workflow: string): Readonly<Record<string, Job>> =>
  parse(readFileSync(join(FOLDER, workflow), 'utf8')).jobs;

export function jobOf(workflow: string, name: string): Job {
  const found = jobsOf(workflow)[name];
  if (found === undefined) throw new Error(`${workflow} has no job ${name}`);
  return found;
}

interface Run {
  readonly cwd: string;
  readonly env: Texts;
  /** The values of the expressions in `env`, without braces. */
  readonly expressions: Texts;
}

/**
 * Runs the commands of a workflow job in bash, up to the first that fails, with the {@link FAKES}. A
 * step that names no shell runs with `bash -e`.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsshell
 */
export async function runCommands(job: Job, { cwd, env, expressions }: Run) {
  const resolved = (text: string) =>
    text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
      const value = expressions[expression];
      if (value === undefined) throw new Error(`What is ${expression}?`);
      return value;
    });
  const PATH = [FAKES, process.env['PATH']].join(delimiter);
  let log = '';
  for (const step of job.steps) {
    if (step.run === undefined) continue;
    const given = Object.entries({ ...job.env, ...step.env });
    const values = Object.fromEntries(given.map(([name, text]) => [name, resolved(text)]));
    const child = spawn('bash', ['-e', '-c', step.run], {
      cwd,
      env: { PATH, HOME: cwd, ...env, ...values },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
    }
    const [exitCode] = await once(child, 'close');
    if (exitCode !== 0) return { exitCode, log };
  }
  return { exitCode: 0, log };
}
