/** A temporary bare repository that talks to one repository on the server. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Effects, Limits } from '../effects.ts';
import { messageOf, StepError, type Topic } from '../errors.ts';
import { quote } from '../text/escape.ts';
import {
  credentialsOf,
  type Environment,
  type GitEnd,
  localEnvironment,
  REMOTE,
  remoteEnvironment,
  runGit,
} from './process.ts';

const AUTHOR = 'github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>';
const LIMIT_MS = 120_000;
const PAUSE_MS = 2_000;

interface RepositoryOptions extends Effects {
  readonly serverUrl: string;
  readonly repository: string;
  readonly token: string;
  /** The repository is made in its `RUNNER_TEMP`. */
  readonly env: Environment;
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
  with(limits: Limits): Repository {
    return new Repository({ ...this.#options, ...limits }, this.directory, this.fetched);
  }

  /** The commits of the server's refs that fit patterns like `refs/tags/*`. Throws a `StepError`. */
  async refs(...patterns: readonly string[]): Promise<ReadonlyMap<string, string>> {
    // Only these flags keep the server from listing all that it has, like pull requests.
    const flags = ['heads', 'tags']
      .filter((kind) => patterns.some((pattern) => pattern.startsWith(`refs/${kind}/`)))
      .map((kind) => `--${kind}`);
    // A tag that is an object is followed by the commit that it is for, as `<name>^{}`.
    const names = patterns.flatMap((pattern) => [pattern, `${pattern}^{}`]);
    const args = ['ls-remote', '--exit-code', ...flags, REMOTE, ...names];
    const { output, fault } = await this.#withRetries(args);
    if (fault !== undefined && fault.missing === '') throw fault.error;
    // Names may hold white space of other alphabets.
    const rows = [...`${output}`.matchAll(/^(\w+)\t(.+)$/gm)];
    return new Map(rows.map(([, id = '', name = '']) => [name.replace(/\^\{\}$/, ''), id]));
  }

  /** The newest commit of a branch on the server, if it lists one. Throws a `StepError`. */
  async tip(branch: string): Promise<string | undefined> {
    const ref = `refs/heads/${branch}`;
    return (await this.refs(ref)).get(ref);
  }

  /** Tries again what may pass, until the deadline. */
  fetch(args: readonly string[], input = '') {
    return this.#withRetries(['fetch', '--quiet', '--no-tags', ...args], input);
  }

  async #withRetries(args: readonly string[], input = '') {
    const { clock, deadline, signal } = this.#options;
    for (let tries = 1; ; tries += 1) {
      const end = await this.runOnce(args, input);
      const isLast = end.fault === undefined || tries >= maxTries(end.fault);
      if (isLast || clock.now() + PAUSE_MS >= deadline) return end;
      await clock.sleep(PAUSE_MS, signal);
    }
  }

  /** Runs a command that talks to the server, and that may write there. */
  async runOnce(args: readonly string[], input = '') {
    const { env, serverUrl, repository, token } = this.#options;
    // With `.git`, it is longer than what others rewrite, like the deploy keys of
    // https://github.com/webfactory/ssh-agent, and git takes the longest `insteadOf`.
    const url = `${serverUrl}/${repository}.git`;
    const end = await this.#run(args, remoteEnvironment(env, this.directory, url, token), input);
    const where = `${quote(repository)} at ${quote(serverUrl)}`;
    return { ...end, fault: end.status === 0 ? undefined : faultAt(where, end) };
  }

  /** Runs a command on what is here. Cuts its output at 64 MB. Throws a `StepError`. */
  async local(args: readonly string[], input = ''): Promise<GitEnd> {
    const env = localEnvironment(this.#options.env, this.directory);
    const end = await this.#run(args, env, input);
    if (end.status === 0 || end.status === 'output-limit') return end;
    throw new StepError('git', `Git failed on the runner: ${quote(saidIn(end))}`);
  }

  /** Writes a commit by github-actions[bot], and returns its id. */
  writeCommit(tree: string, parent: string | undefined, message: string): Promise<string> {
    const by = `${AUTHOR} ${Math.floor(this.#options.clock.date() / 1_000)} +0000`;
    const parents = parent === undefined ? '' : `parent ${parent}\n`;
    const text = `tree ${tree}\n${parents}author ${by}\ncommitter ${by}\n\n${message}`;
    return this.writeObject('commit', Buffer.from(text));
  }

  /** Saves a process: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects#_object_storage */
  async writeObject(kind: 'commit' | 'tree', content: Buffer): Promise<string> {
    const object = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
    const id = createHash('sha1').update(object).digest('hex');
    const file = join(this.directory, 'objects', id.slice(0, 2), id.slice(2));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, deflateSync(object));
    return id;
  }

  async #run(args: readonly string[], env: Environment, input: string): Promise<GitEnd> {
    const { directory } = this;
    const { clock, deadline, signal, runner } = this.#options;
    const limitMs = Math.min(LIMIT_MS, Math.max(deadline - clock.now(), 0));
    const end = await runGit({ args, directory, env, input, limitMs, signal });
    if (end.status !== 0) runner.debug(`git ${args[0]}: ${end.status} ${end.stderr}`);
    return end;
  }

  /** Never rejects. */
  [Symbol.asyncDispose](): Promise<void> {
    const options = { recursive: true, force: true, maxRetries: 3 };
    return rm(this.directory, options).catch(() => undefined);
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
  const { output } = await repo.local(['version']);
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(`${output}`) ?? [];
  // Before 2.31, git ignores `GIT_CONFIG_COUNT`, and would not send the token.
  if (!(Number(major) * 1_000 + Number(minor) >= 2_031)) {
    const message = `This step needs git 2.31 or newer, and finds ${quote(`${output}`.trim())}`;
    throw new StepError('git-missing', message);
  }
  // Git 3 may choose another format for ids.
  await repo.local(['init', '--bare', '--template=', '--object-format=sha1', '.']);
  return repo;
}

/** Twice for what is missing, as from a proxy's empty page, but for a ledger: the push finds that out. */
function maxTries({ missing, error }: ReturnType<typeof faultAt>): number {
  if (missing !== '') return missing.startsWith('refs/docs-agent/') ? 1 : 2;
  return error.topic === 'git-network' ? 3 : 1;
}

// Git has no codes for these, only sentences (with `LC_ALL=C`). What the first row has in parentheses
// is missing on the server; `want` is JGit's word.
const CAUSES: readonly (readonly [sign: RegExp, topic: Topic])[] = [
  [/^fatal: .*(?:find remote ref|not our ref|want(?= \w+ not valid)) ([^ \n]+)/m, 'commit-gone'],
  [/returned error: 30\d/, 'repository-moved'],
  [/returned error: 401|could not read Username|Authentication failed/, 'token-refused'],
  [/returned error: 40[34]|^fatal: repository '.*' not found/m, 'repository-denied'],
];

/** `missing` is the ref or id that the server lacks. With the topic `git-network`, it may pass. */
function faultAt(where: string, end: GitEnd) {
  const said = saidIn(end);
  const [cause, topic = 'git-network'] = CAUSES.find(([sign]) => sign.test(end.stderr)) ?? [];
  // `ls-remote --exit-code` ends with 2 if there is nothing to list.
  const missing = end.status === 2 ? 'all' : (cause?.exec(end.stderr)?.[1] ?? '');
  return { said, missing, error: new StepError(topic, `Git failed on ${where}: ${quote(said)}`) };
}

/** What the server said (`remote:`), else git's first error: later ones follow from it. */
function saidIn({ status, stderr }: GitEnd): string {
  if (status === 'time-limit') return 'no response in time';
  const after = (prefix: RegExp) =>
    [...stderr.matchAll(prefix)].map(([, text = '']) => text.trim()).filter((text) => text !== '');
  const remote = after(/^remote:(.*)/gm).join(' ');
  return remote || (after(/^(?:fatal|error):(.*)/gm)[0] ?? `git ended with ${status}`);
}
