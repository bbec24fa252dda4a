/** Starts the built action and reads what it wrote, both as the runner does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { EOL, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { ADMIN_API_KEY, PROJECT_ID } from './agent-service.ts';
import { type Command, commandIn, linesOf, outputsIn } from './runner-rules.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** The Node that runs the action. Set `DOCS_AGENT_NODE` to use another one than the tests' own. */
const NODE = process.env['DOCS_AGENT_NODE'] ?? process.execPath;

/**
 * How soon a cancelled step must end, in ms, because the runner then sends its next signal. The
 * action promises 2 s, but a test of that would fail on a busy machine.
 * https://github.com/actions/runner/blob/main/src/Runner.Sdk/ProcessInvoker.cs
 */
export const CANCEL_LIMIT_MS = 7_500;

/** How long to wait for a text in the log, in ms. */
const LOGGED_LIMIT_MS = 45_000;

/**
 * What the runner tells a step about itself and its run. A step without an ID is named after its
 * action: two underscores, and the owner and name of the repository.
 * https://docs.github.com/actions/reference/workflows-and-actions/variables#default-environment-variables
 */
export const RUNNER_VARIABLES = {
  GITHUB_ACTION: '__docs-agent_docs-agent-job',
  GITHUB_ACTION_REPOSITORY: 'docs-agent/docs-agent-job',
  GITHUB_ACTION_REF: 'v1.2.0',
  GITHUB_RUN_ID: '500',
  GITHUB_RUN_ATTEMPT: '1',
  RUNNER_NAME: 'GitHub Actions 7',
} as const;

export interface ActionMetadata {
  readonly inputs: Record<string, { description: string; required?: boolean; default?: string }>;
  readonly outputs: Record<string, { description: string }>;
  readonly runs: { readonly using: string; readonly main: string };
}

export const metadata: ActionMetadata = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));

export interface ActionOptions {
  /** The inputs under `with:`. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Files of the workspace, in folders that are created as needed. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** The content of the file `GITHUB_EVENT_PATH`. */
  readonly event?: unknown;
  /** Another built file than `dist/index.js`. */
  readonly main?: string;
  /** `job.check_run_id`, which some other engines leave empty. */
  readonly checkRunId?: number;
  /** The `matrix` context. */
  readonly matrix?: unknown;
}

export interface ActionResult {
  readonly exitCode: number | null;
  /**
   * Lines always end in `\n` here, while the toolkit ends its commands with the system's line
   * ending.
   */
  readonly stdout: string;
  readonly stderr: string;
  readonly commands: readonly Command[];
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly tookMs: number;
}

export class Action {
  readonly child: ChildProcess;
  /** The workspace, which also contains the runner's files `output` and `summary`. */
  readonly folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-'));
  readonly #startedAt = performance.now();
  #stdout = '';
  #stderr = '';
  #watchers: (() => void)[] = [];

  constructor(options: ActionOptions) {
    const { env = {}, files = {}, event, main } = options;
    const { folder } = this;
    for (const name of ['output', 'summary', 'event.json']) writeFileSync(join(folder, name), '');
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    if (event !== undefined) writeFileSync(join(folder, 'event.json'), JSON.stringify(event));
    this.child = spawn(NODE, [main ?? join(ROOT, metadata.runs.main)], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        ...(process.env['SYSTEMROOT'] ? { SYSTEMROOT: process.env['SYSTEMROOT'] } : {}),
        GITHUB_ACTIONS: 'true',
        GITHUB_OUTPUT: join(folder, 'output'),
        GITHUB_STEP_SUMMARY: join(folder, 'summary'),
        GITHUB_WORKSPACE: folder,
        GITHUB_REPOSITORY: 'acme/app',
        GITHUB_EVENT_NAME: 'workflow_dispatch',
        // Without a test's own values, there is no GitHub API, and nothing leaves this machine.
        GITHUB_API_URL: 'none',
        GITHUB_GRAPHQL_URL: 'none',
        ...RUNNER_VARIABLES,
        ...(event === undefined ? {} : { GITHUB_EVENT_PATH: join(folder, 'event.json') }),
        ...inputEnvironment(options),
        ...(env['GITHUB_API_URL'] && { GITHUB_GRAPHQL_URL: `${env['GITHUB_API_URL']}/graphql` }),
        ...env,
      },
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text) => {
      this.#stdout += text;
      for (const watch of this.#watchers) watch();
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.#stderr += text;
    });
  }

  /** Resolves when the log matches. Rejects, and ends the step, when that takes too long. */
  async logged(pattern: RegExp): Promise<void> {
    const { promise, resolve: found, reject } = Promise.withResolvers<void>();
    const watch = () => {
      if (pattern.test(this.#stdout)) found();
    };
    const ended = () => reject(new Error(`ended before ${pattern}:\n${this.#stdout}`));
    const timer = setTimeout(() => {
      reject(new Error(`has not logged ${pattern}:\n${this.#stdout}`));
      this.child.kill('SIGKILL');
    }, LOGGED_LIMIT_MS);
    this.#watchers.push(watch);
    this.child.once('close', ended);
    watch();
    await promise.finally(() => clearTimeout(timer));
    this.child.off('close', ended);
  }

  async end(): Promise<ActionResult> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      await once(this.child, 'close');
    }
    const read = (name: string) => {
      const path = join(this.folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    };
    const result: ActionResult = {
      exitCode: this.child.exitCode,
      stdout: this.#stdout.replaceAll(EOL, '\n'),
      stderr: this.#stderr,
      commands: linesOf(this.#stdout)
        .map((line) => commandIn(line))
        .filter((command) => command !== undefined),
      outputs: outputsIn(read('output')),
      summary: read('summary'),
      tookMs: performance.now() - this.#startedAt,
    };
    rmSync(this.folder, { recursive: true, force: true });
    return result;
  }

  /** Sends the process a signal. Resolves with the time it took to end, in ms. */
  async signal(name: NodeJS.Signals): Promise<number> {
    const at = performance.now();
    this.child.kill(name);
    await once(this.child, 'close');
    return performance.now() - at;
  }
}

/**
 * The environment in which the action loads a module of this folder as soon as it has logged a
 * text. Waits for a text rather than a time, because starting takes longer on a slow machine.
 */
export function loadWhenLogged(module: string, text: string): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${new URL('when-logged.mjs', import.meta.url)}`,
    TEST_MODULE: new URL(module, import.meta.url).href,
    TEST_WHEN_LOGGED: text,
  };
}

/** Starts the action and waits for its end. */
export function runAction(options: ActionOptions): Promise<ActionResult> {
  return new Action(options).end();
}

/**
 * Returns the inputs as the runner passes them, under uppercase names. Missing inputs get their
 * default. Empty inputs stay empty.
 */
export function inputEnvironment(options: ActionOptions): Record<string, string> {
  const given: Readonly<Record<string, string>> = {
    projectId: PROJECT_ID,
    adminApiKey: ADMIN_API_KEY,
    ...options.inputs,
  };
  const { checkRunId = '', matrix = null } = options;
  /** The values of the expressions in the defaults. GitHub writes JSON with line breaks. */
  const contexts: Readonly<Record<string, string>> = {
    'github.token': 'ghs_local',
    'job.check_run_id': String(checkRunId),
    'toJSON(matrix)': JSON.stringify(matrix, null, 2),
  };
  const names = new Set([...Object.keys(metadata.inputs), ...Object.keys(given)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const preset = metadata.inputs[name]?.default?.replace(
        /\$\{\{ (.+?) \}\}/g,
        (expression, inner: string) => contexts[inner] ?? expression,
      );
      return [`INPUT_${name.toUpperCase().replaceAll(' ', '_')}`, given[name] ?? preset ?? ''];
    }),
  );
}

const isRecord = ({ properties }: Command) => properties['title'] === 'Docs agent: for later runs';

/** The records that a run leaves for later ones. */
export const recordsOf = ({ commands }: ActionResult) =>
  commands.filter(isRecord).map(({ data }) => data);

/** The notices, warnings and errors that people read, like `notice: text`. */
export function annotations(result: ActionResult): readonly string[] {
  return result.commands
    .filter((command) => ['notice', 'warning', 'error'].includes(command.name))
    .filter((command) => !isRecord(command))
    .map(({ name, data }) => `${name}: ${data}`);
}
