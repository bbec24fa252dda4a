/** Runs the action in this process against a local GitHub and a local Mintlify. */
import { Cancelled } from '../../src/errors.ts';
import { createFetch } from '../../src/http.ts';
import { parseState, type State } from '../../src/ledger/state.ts';
import { run } from '../../src/run/run.ts';
import { TestClock } from './clock.ts';
import { FakeGitHub, type RunStart } from './github.ts';
import { ADMIN_API_KEY, Mintlify, type MintlifyOptions, PROJECT_ID } from './mintlify.ts';
import { RecordingRunner } from './runner.ts';
import { inputVariables } from './runner-rules.ts';

export type Inputs = Readonly<Record<string, string>>;

interface RunOptions {
  /** Gets what cancels the run. */
  readonly onStart?: (cancel: () => void) => void;
  /** More environment variables. */
  readonly more?: Inputs;
}

/** A commit that changes one file. */
export const adding = (name: string) => ({
  files: { [`src/${name}.ts`]: `export const ${name} = 1;\n` },
  message: `Add ${name}`,
});

/** A team's repository, Mintlify, and the time that passes in both. */
export class World implements AsyncDisposable {
  readonly github: FakeGitHub;
  readonly mintlify: Mintlify;
  readonly clock: TestClock;
  /** The inputs of each run, besides those that a run gets. */
  inputs: Inputs = { prompt: 'Update the docs.', changes: 'files', pollInterval: '1m' };

  private constructor(github: FakeGitHub, mintlify: Mintlify, clock: TestClock) {
    this.github = github;
    this.mintlify = mintlify;
    this.clock = clock;
  }

  /** `main` has one commit with a file, before the first run. */
  static async open(options: MintlifyOptions = {}): Promise<World> {
    const clock = new TestClock();
    const mintlify = await Mintlify.start({ clock, ...options });
    const world = new World(await FakeGitHub.start(), mintlify, clock);
    world.github.push('main', { files: { 'src/app.ts': 'export {};\n' }, message: 'Begin' });
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.mintlify[Symbol.asyncDispose]();
    await this.github[Symbol.asyncDispose]();
  }

  /** Pushes a commit that changes one file. */
  push(name: string, branch = 'main'): RunStart {
    return this.github.push(branch, adding(name));
  }

  /** Runs the step once for what happened. Annotations are `title: message`. */
  async run(
    { env, payload }: RunStart,
    inputs: Inputs = {},
    { onStart = () => undefined, more = {} }: RunOptions = {},
  ) {
    const given: Inputs = {
      ...{ projectId: PROJECT_ID, adminApiKey: ADMIN_API_KEY, baseUrl: this.mintlify.url },
      ...{ githubToken: 'writer', ...this.inputs, ...inputs },
    };
    const environment = { PATH: process.env['PATH'], ...env, ...inputVariables(given), ...more };
    const runner = new RecordingRunner();
    const cancel = new AbortController();
    onStart(() => cancel.abort(new Cancelled('SIGINT')));
    const signals = { signal: cancel.signal, lateSignal: new AbortController().signal };
    const effects = { clock: this.clock, runner, fetch: createFetch(), ...signals };
    const isSuccess = await this.clock.join(() => run(environment, () => payload, effects));
    const outputs = Object.fromEntries(runner.outputs);
    const annotations = (wanted: string) =>
      runner.annotations
        .filter(({ level }) => level === wanted)
        .map(({ title, message }) => `${title}: ${message}`);
    return {
      isSuccess,
      outputs,
      outcome: outputs['outcome'] ?? '',
      summary: runner.summary,
      errors: annotations('error').join(' '),
      warnings: annotations('warning'),
      notices: annotations('notice').join(' '),
      log: runner.log,
    };
  }

  /** The commits that each prompt lists, by the words after "Add". */
  get sent(): readonly string[] {
    return this.mintlify.prompts.map((prompt) =>
      [...prompt.matchAll(/^- [0-9a-f]+ Add (\w+)/gm)].map(([, name]) => name).join(' '),
    );
  }

  /** The ledger's refs on the server, by name. */
  ledgers(): ReadonlyMap<string, State> {
    const { origin } = this.github;
    const refs = [...origin.refs()].filter(([ref]) => ref.startsWith('refs/docs-agent/'));
    return new Map(refs.map(([ref, id]) => [ref, parseState(ref, origin.read(id))]));
  }
}
