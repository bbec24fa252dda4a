/** Runs the action in this process against a local GitHub and a local Mintlify. */
import { Cancelled } from '../../src/errors.ts';
import { createFetch } from '../../src/http.ts';
import { parseState, type State } from '../../src/ledger/state.ts';
import { run } from '../../src/run.ts';
import { TestClock } from './clock.ts';
import { FakeGitHub, type GitHubOptions, type RunStart } from './github.ts';
import { ADMIN_API_KEY, Mintlify, type MintlifyOptions, PROJECT_ID } from './mintlify.ts';
import { RecordingRunner } from './runner.ts';

export type Inputs = Readonly<Record<string, string>>;

export interface Ended {
  readonly isSuccess: boolean;
  readonly runner: RecordingRunner;
  /** The output `outcome`. */
  readonly outcome: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** The annotations of a level, each as `title: message`. */
  readonly annotations: (level: 'notice' | 'warning' | 'error') => readonly string[];
}

/** A team's repository, Mintlify, and the time that passes in both. */
export class World implements AsyncDisposable {
  readonly github: FakeGitHub;
  readonly mintlify: Mintlify;
  readonly clock: TestClock;
  /** The inputs of each run, besides those that a run gets. */
  inputs: Inputs = { prompt: 'Update the docs.', changes: 'diff', pollInterval: '1m' };
  /** How the runner cancels a step. */
  readonly cancelled = new Cancelled('SIGINT');

  private constructor(github: FakeGitHub, mintlify: Mintlify, clock: TestClock) {
    this.github = github;
    this.mintlify = mintlify;
    this.clock = clock;
  }

  /** `main` has one commit with a file, before the first run. */
  static async open({
    github = {},
    ...options
  }: MintlifyOptions & { github?: GitHubOptions } = {}) {
    const clock = new TestClock();
    const world = new World(
      await FakeGitHub.start(github),
      await Mintlify.start({ clock, ...options }),
      clock,
    );
    world.github.push('main', { files: { 'src/app.ts': 'export {};\n' }, message: 'Begin' });
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.mintlify[Symbol.asyncDispose]();
    await this.github[Symbol.asyncDispose]();
  }

  /** Pushes a commit that changes one file to `main`. */
  push(name: string, branch = 'main'): RunStart {
    return this.github.push(branch, {
      files: { [`src/${name}.ts`]: `export const ${name} = 1;\n` },
      message: `Add ${name}`,
    });
  }

  /** Runs the step once for what happened. `cancel` ends it like the runner does. */
  async run(
    { env, payload }: RunStart,
    inputs: Inputs = {},
    { token = 'writer', cancel = new AbortController(), more = {} as Inputs } = {},
  ): Promise<Ended> {
    const given: Inputs = {
      projectId: PROJECT_ID,
      adminApiKey: ADMIN_API_KEY,
      baseUrl: this.mintlify.url,
      githubToken: token,
      ...this.inputs,
      ...inputs,
    };
    const entries = Object.entries(given).map(([name, text]) => [
      `INPUT_${name.toUpperCase()}`,
      text,
    ]);
    const environment = {
      PATH: process.env['PATH'],
      ...env,
      ...Object.fromEntries(entries),
      ...more,
    };
    const runner = new RecordingRunner();
    const lateSignal = new AbortController().signal;
    const { signal } = cancel;
    const effects = { clock: this.clock, runner, fetch: createFetch({}), signal, lateSignal };
    const isSuccess = await this.clock.join(() => run(environment, payload, effects));
    const outputs = Object.fromEntries(runner.outputs);
    return {
      isSuccess,
      runner,
      outputs,
      outcome: outputs['outcome'] ?? '',
      annotations: (level) =>
        runner.annotations
          .filter((one) => one.level === level)
          .map(({ title, message }) => `${title}: ${message}`),
    };
  }

  /** Leaves the ledger as a runner does that dies between its claim and the response. */
  claimAndDie({ env }: RunStart): void {
    const [[ref, state] = []] = [...this.ledgers()];
    if (ref === undefined || state === undefined) throw new Error('There is no ledger yet.');
    const { origin } = this.github;
    const [run, to] = [Number(env['GITHUB_RUN_ID']), env['GITHUB_SHA'] ?? ''];
    const call = { key: 'dead', run, attempt: 1, to, at: this.clock.date(), end: null };
    const none = { job: null, message: null, pull: null, codePullRequests: [] };
    const next = { ...state, runs: [{ ...call, ...none }, ...state.runs] };
    const parents = [origin.git('rev-parse', ref)];
    origin.setRef(ref, origin.commit({ parents, message: `Dies\n\n${JSON.stringify(next)}` }));
  }

  /** The ledger's refs on the server, by name. */
  ledgers(): ReadonlyMap<string, State> {
    const lines = this.github.origin
      .git('for-each-ref', '--format=%(refname)', 'refs/docs-agent')
      .split('\n')
      .filter((ref) => ref !== '');
    return new Map(
      lines.map((ref) => [
        ref,
        parseState(ref, this.github.origin.git('log', '-1', '--format=%B', ref)),
      ]),
    );
  }
}
