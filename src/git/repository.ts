/** A temporary bare repository that talks to one repository on the server. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Limits, Runner } from '../effects.ts';
import { messageOf, StepError, type Topic } from '../errors.ts';
import { quote } from '../text/escape.ts';
import {
  credentialsOf,
  type Environment,
  type GitEnd,
  localEnvironment,
  networkEnvironment,
  REMOTE,
  runGit,
} from './process.ts';

/** Git has this tree without being given it. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const BOT = 'github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>';
const LIMIT_MS = 120_000;
const MAX_TRIES = 3;
const PAUSE_MS = 2_000;

interface RepositoryOptions extends Limits {
  readonly serverUrl: string;
  readonly repository: string;
  readonly token: string;
  /** The repository is made in its `RUNNER_TEMP`. */
  readonly env: Environment;
  readonly runner: Pick<Runner, 'mask' | 'debug'>;
}

interface End extends GitEnd {
  readonly output: Buffer;
}

/** Of a command that talks to the server. */
interface RemoteEnd extends End {
  readonly fault: Fault | undefined;
}

interface LocalOptions {
  readonly input?: string;
  readonly env?: Environment;
  /** Gets the output instead. */
  readonly onOutput?: (piece: Buffer) => void;
}

/** Every method rejects with the signal's reason on a cancel. */
export class Repository {
  readonly directory: string;
  /** Object ids whose content is here. */
  readonly fetched: Set<string>;
  readonly #options: RepositoryOptions;

  constructor(options: RepositoryOptions, directory: string, fetched = new Set<string>()) {
    this.#options = options;
    this.directory = directory;
    this.fetched = fetched;
  }

  /** The same repository with other limits, for what is still recorded after a cancel. */
  with(limits: Pick<Limits, 'signal' | 'deadline'>): Repository {
    return new Repository({ ...this.#options, ...limits }, this.directory, this.fetched);
  }

  /**
   * The commits of the branches and tags on the server whose full names match (`refs/heads/main`,
   * `refs/tags/*`). Throws a `StepError`.
   */
  async refs(...patterns: readonly string[]): Promise<ReadonlyMap<string, string>> {
    // Only these flags keep the server from listing all that it has, like pull requests.
    const flags = ['heads', 'tags']
      .filter((kind) => patterns.some((pattern) => pattern.startsWith(`refs/${kind}/`)))
      .map((kind) => `--${kind}`);
    // A tag that is an object is followed by the commit that it is for, as `<name>^{}`.
    const names = patterns.flatMap((pattern) => [pattern, `${pattern}^{}`]);
    const { output, fault } = await this.#withRetries(['ls-remote', ...flags, REMOTE, ...names]);
    if (fault !== undefined) throw fault.error;
    // Names may hold white space of other alphabets.
    const rows = [...`${output}`.matchAll(/^(\w+)\t(.+)$/gm)];
    return new Map(rows.map(([, id = '', name = '']) => [name.replace(/\^\{\}$/, ''), id]));
  }

  /** The newest commit of a branch on the server, if there is one. Throws a `StepError`. */
  async tip(branch: string): Promise<string | undefined> {
    const ref = `refs/heads/${branch}`;
    return (await this.refs(ref)).get(ref);
  }

  /** Tries three times at most. */
  fetch(args: readonly string[], input = ''): Promise<RemoteEnd> {
    return this.#withRetries(['fetch', '--quiet', '--no-tags', ...args], input);
  }

  async #withRetries(args: readonly string[], input = ''): Promise<RemoteEnd> {
    const { clock, deadline, signal } = this.#options;
    for (let tries = 1; ; tries += 1) {
      const end = await this.runOnce(args, input);
      if (end.fault?.error.topic !== 'git-network' || tries === MAX_TRIES) return end;
      if (clock.now() + PAUSE_MS >= deadline) return end;
      await clock.sleep(PAUSE_MS, signal);
    }
  }

  /** Runs a command that talks to the server, and that may write there. */
  async runOnce(args: readonly string[], input = ''): Promise<RemoteEnd> {
    const { env, serverUrl, repository, token } = this.#options;
    // With `.git`, it is longer than what others rewrite, like the deploy keys of
    // https://github.com/webfactory/ssh-agent, and git takes the longest `insteadOf`.
    const url = `${serverUrl}/${repository}.git`;
    const end = await this.#run(args, input, networkEnvironment(env, this.directory, url, token));
    const fault = end.status === 0 ? undefined : faultOf(end, serverUrl, repository);
    return { ...end, fault };
  }

  /** Runs a command on what is here. Throws a `StepError` if it fails; `onOutput` may be cut. */
  async local(args: readonly string[], options: LocalOptions = {}): Promise<End> {
    const { input = '', env = {}, onOutput } = options;
    const all = { ...localEnvironment(this.#options.env, this.directory), ...env };
    const end = await this.#run(args, input, all, onOutput);
    const isCut = end.status === 'output-limit' && onOutput !== undefined;
    if (end.status !== 0 && !isCut) throw explainLocal(end);
    return end;
  }

  /**
   * Writes a commit with the empty tree, and returns its id. It saves a process to do this as git
   * does: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects#_object_storage
   */
  async writeCommit(parent: string | undefined, message: string): Promise<string> {
    const by = `${BOT} ${Math.floor(this.#options.clock.date() / 1_000)} +0000`;
    const parents = parent === undefined ? '' : `parent ${parent}\n`;
    const text = `tree ${EMPTY_TREE}\n${parents}author ${by}\ncommitter ${by}\n\n${message}`;
    const object = `commit ${Buffer.byteLength(text)}\0${text}`;
    const id = createHash('sha1').update(object).digest('hex');
    const file = join(this.directory, 'objects', id.slice(0, 2), id.slice(2));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, deflateSync(object));
    return id;
  }

  async #run(
    args: readonly string[],
    input: string,
    env: Environment,
    onOutput?: LocalOptions['onOutput'],
  ): Promise<End> {
    const { clock, deadline, signal, runner } = this.#options;
    const limitMs = Math.min(LIMIT_MS, Math.max(deadline - clock.now(), 0));
    const pieces: Buffer[] = [];
    const collect = onOutput ?? ((piece: Buffer) => void pieces.push(piece));
    const { directory } = this;
    const end = await runGit({ args, input, env, directory, limitMs, signal, onOutput: collect });
    if (end.status !== 0) runner.debug(`git ${args[0]}: ${end.status} ${end.stderr}`);
    return { ...end, output: Buffer.concat(pieces) };
  }

  /** Never rejects. */
  async [Symbol.asyncDispose](): Promise<void> {
    const options = { recursive: true, force: true, maxRetries: 3 };
    await rm(this.directory, options).catch(() => undefined);
  }
}

/** Masks the token as git sends it. Throws a `StepError` if git is missing or older than 2.31. */
export async function openRepository(options: RepositoryOptions): Promise<Repository> {
  const { env, token, runner } = options;
  const parent = env['RUNNER_TEMP'] || tmpdir();
  const directory = await mkdtemp(join(parent, 'docs-agent-')).catch((cause: unknown) => {
    const message = `Temporary files could not be created in ${quote(parent)} (${quote(messageOf(cause))})`;
    throw new StepError('temporary-folder', message, { cause });
  });
  if (token !== '') runner.mask(credentialsOf(token));
  const repo = new Repository(options, directory);
  // Git 3 may choose another format for ids, and a git that is too old does not know this option.
  const init = repo.local(['init', '--bare', '--template=', '--object-format=sha1', '.']);
  const [{ output }] = await Promise.all([repo.local(['version']), init.catch(() => undefined)]);
  checkVersion(`${output}`);
  await init;
  return repo;
}

/** Before 2.31, git ignores `GIT_CONFIG_COUNT`, and would not send the token. */
function checkVersion(output: string): void {
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(output) ?? [];
  if (Number(major) * 1_000 + Number(minor) >= 2_031) return;
  const message = `This step needs git 2.31 or newer, and finds ${quote(output.trim())}`;
  throw new StepError('git-missing', message);
}

interface Fault {
  /** What the server said, or else git. */
  readonly said: string;
  /** Its topic is `git-network` where the same command may work later. */
  readonly error: StepError;
}

/** Git has no codes for these, only sentences (with `LC_ALL=C`). The first row that fits counts. */
const CAUSES: readonly (readonly [sign: RegExp, topic: Topic])[] = [
  [/not our ref|^fatal: couldn't find remote ref/m, 'commit-gone'],
  [/returned error: 30\d/, 'repository-moved'],
  [/returned error: 401|could not read Username|Authentication failed/, 'token-refused'],
  [/returned error: 40[34]|^fatal: repository '.*' not found/m, 'repository-denied'],
];

function faultOf(end: GitEnd, serverUrl: string, repository: string): Fault {
  const said = saidIn(end);
  const topic = CAUSES.find(([sign]) => sign.test(end.stderr))?.[1] ?? 'git-network';
  const where = `${quote(repository)} at ${quote(serverUrl)}`;
  return { said, error: new StepError(topic, `Git failed on ${where}: ${quote(said)}`) };
}

function explainLocal(end: GitEnd): StepError {
  return new StepError('git', `Git failed on the runner: ${quote(saidIn(end))}`);
}

/** What the server said (`remote:`), else git's own last words. */
function saidIn({ status, stderr }: GitEnd): string {
  if (status === 'time-limit') return 'no response in time';
  const after = (prefix: RegExp) =>
    [...stderr.matchAll(prefix)].map(([, text = '']) => text.trim()).filter((text) => text !== '');
  const remote = after(/^remote:(.*)/gm).join(' ');
  return remote || (after(/^(?:fatal|error):(.*)/gm).at(-1) ?? `git ended with ${status}`);
}
