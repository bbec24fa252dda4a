/** Starts the built action and reads what it wrote, both as the runner does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import type { RunStart } from './github.ts';
import { ADMIN_API_KEY, PROJECT_ID } from './mintlify.ts';
import { inputVariables, outputsIn } from './runner-rules.ts';

/** The Node that runs the action. `DOCS_AGENT_NODE` is another one than the tests' own. */
const NODE = process.env['DOCS_AGENT_NODE'] || process.execPath;

/** Tests and scripts run in the folder of the repository. */
const METADATA: { readonly inputs: Readonly<Record<string, { readonly default?: string }>> } =
  parse(readFileSync('action.yml', 'utf8'));

const CONTEXTS: Readonly<Record<string, string>> = {
  'github.token': 'writer',
  'toJSON(matrix)': 'null',
};

/** An input that is not given has its default, or is empty. */
const DEFAULTS = {
  ...Object.fromEntries(
    Object.entries(METADATA.inputs).map(([name, { default: text = '' }]) => [
      name,
      text.replace(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => CONTEXTS[expression] ?? ''),
    ]),
  ),
  ...{ projectId: PROJECT_ID, adminApiKey: ADMIN_API_KEY },
};

export interface ActionOptions {
  /** What the runner says about the run (`FakeGitHub`). Without it, there is no GitHub. */
  readonly start?: RunStart;
  /** The inputs under `with:`. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Another file than the built one. */
  readonly main?: string;
}

export class BuiltAction {
  readonly child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-'));
  #stdout = '';
  #stderr = '';

  constructor({ start, inputs = {}, env, main = 'dist/index.js' }: ActionOptions = {}) {
    mkdirSync(join(this.#folder, 'temp'));
    const file = (name: string, content: string) => {
      writeFileSync(join(this.#folder, name), content);
      return join(this.#folder, name);
    };
    this.child = spawn(NODE, [resolve(main)], {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        SYSTEMROOT: process.env['SYSTEMROOT'],
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: this.#folder,
        RUNNER_TEMP: join(this.#folder, 'temp'),
        GITHUB_OUTPUT: file('output', ''),
        GITHUB_STEP_SUMMARY: file('summary', ''),
        GITHUB_EVENT_PATH: file('event.json', JSON.stringify(start?.payload ?? {})),
        ...start?.env,
        ...inputVariables({ ...DEFAULTS, ...inputs }),
        ...env,
      },
    });
    this.#closed = once(this.child, 'close');
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
  }

  /** Sends the process a signal, and returns how long it takes to end, in ms. */
  async signal(name: NodeJS.Signals): Promise<number> {
    const at = performance.now();
    this.child.kill(name);
    await this.#closed;
    return performance.now() - at;
  }

  /** Waits for its end, and removes what it wrote. */
  async end() {
    await this.#closed;
    const read = (name: string) => readFileSync(join(this.#folder, name), 'utf8');
    const result = {
      exitCode: this.child.exitCode,
      stdout: this.#stdout.replaceAll('\r\n', '\n'),
      stderr: this.#stderr,
      outputs: outputsIn(read('output')),
      summary: read('summary'),
      /** What it left in the folder for temporary files. */
      left: readdirSync(join(this.#folder, 'temp')),
    };
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
    return result;
  }
}

export const runBuiltAction = (options: ActionOptions) => new BuiltAction(options).end();
