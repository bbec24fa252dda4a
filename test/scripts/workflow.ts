/** Runs steps of this repository's workflows as a runner does, with their own commands. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parse } from 'yaml';

export const ROOT = resolve(import.meta.dirname, '../..');
/** The commands that stand for those that would use the network. */
export const FAKES = join(import.meta.dirname, 'fakes');
const FOLDER = join(ROOT, '.github/workflows');

type Texts = Readonly<Record<string, string>>;

export interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Texts;
}

export interface Workflow {
  readonly on: object;
  readonly permissions?: Texts;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly environment?: string;
  readonly permissions?: Texts;
  readonly env?: Texts;
  readonly steps: readonly Step[];
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

interface Run {
  readonly cwd: string;
  readonly env?: Texts;
  readonly expressions?: Texts;
}

/**
 * Runs one step in bash, with the {@link FAKES}. A step that names no shell runs with `bash -e`. The
 * keys of `expressions`, which are the values of those in the step's `env`, have no braces.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsshell
 */
export async function runStep(
  { run = '', env: own = {} }: Step,
  { cwd, env, expressions = {} }: Run,
): Promise<Ended> {
  const resolved = (text: string) =>
    text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
      const value = expressions[expression];
      if (value === undefined) throw new Error(`What is ${expression}?`);
      return value;
    });
  const ownValues = Object.entries(own).map(([name, text]) => [name, resolved(text)]);
  const PATH = [FAKES, process.env['PATH']].join(delimiter);
  const child = spawn('bash', ['-e', '-c', run], {
    cwd,
    env: { PATH, HOME: cwd, ...env, ...Object.fromEntries(ownValues) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return await endOf(child);
}

interface Ended {
  /** Is null after a signal. */
  readonly exitCode: number | null;
  /** All that it wrote. */
  readonly output: string;
}

/** Waits for a process. */
export async function endOf(child: ChildProcess): Promise<Ended> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [exitCode] = await once(child, 'close');
  return { exitCode, output };
}

/** A new folder, which is removed in the end. */
export function temporaryFolder(prefix: string) {
  const path = mkdtempSync(join(tmpdir(), prefix));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export function writeAll(folder: string, files: Texts): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}
