/**
 * GitHub, as far as the release and the recipes use it: a bare repository, the commands in
 * fakes/ in front of it, and the rules that RELEASING.md sets up.
 * https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets/available-rules-for-rulesets,
 * https://docs.github.com/rest, https://cli.github.com/manual,
 * https://docs.github.com/code-security/supply-chain-security/understanding-your-software-supply-chain/immutable-releases
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endOf, FAKES } from './workflow.ts';

export interface Release {
  readonly isImmutable: boolean;
  readonly notes?: string;
  readonly isLatest?: boolean;
}

export type State = ReturnType<typeof newState>;

export const newState = () => ({
  /** Whether a release becomes immutable when it is published. */
  isImmutable: true,
  releases: {} as Record<string, Release>,
  calls: [] as string[],
  /** Calls whose text has one of these fail with HTTP 502 and do nothing. */
  fails: [] as string[],
  /** Calls whose text has one of these do what they should, and their answer is lost. */
  lost: [] as string[],
  /** What somebody else does after a call. */
  meanwhile: undefined as [after: string, act: (github: GitHub) => void] | undefined,
});

/** Of a workflow job with `contents: write`. */
export const TOKEN = 'ghs_can_write';

class Refusal extends Error {}

/** Refuses a call as GitHub does. */
export function refuse(message: string): never {
  throw new Refusal(message);
}

/** Answers the calls of fakes/gh with what `find` finds, or with its refusal. */
export async function serve(find: (call: Call, token: string) => unknown) {
  const server = createServer((socket) => {
    let received = '';
    socket.setEncoding('utf8').on('data', async (text: string) => {
      received += text;
      const [count, token = '', ...words] = received.split('\0');
      // The last word ends with a NUL too.
      if (count === undefined || words.length <= Number(count)) return;
      socket.end(await answer(words.slice(0, Number(count)), (call) => find(call, token)));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** The environment variables that lead fakes/gh to a server. */
export const leadTo = (server: Server) => ({
  FAKE_GH_PORT: String((server.address() as AddressInfo).port),
});

/** The exit code of gh, a line for stderr, and what it prints. */
async function answer(words: readonly string[], find: (call: Call) => unknown): Promise<string> {
  const call = callOf(words);
  try {
    return `0\n\n${await shown(find(call), call.values)}`;
  } catch (error) {
    // A call that is not known fails as well, and the log of the test shows why.
    const said = error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error);
    // gh prints the body of an error too, without the filter.
    const isShown = call.text.startsWith('api ') && !call.values.silent;
    return `1\ngh: ${said}\n${isShown ? `${JSON.stringify({ message: said })}\n` : ''}`;
  }
}

/** A bare repository in `folder`, with its rules in front of it. */
export class GitHub implements AsyncDisposable {
  readonly state: State;
  readonly #repository: string;
  /** Each tag is in a file of its own, as git writes them. */
  readonly tagFolder: string;
  /** The environment of a command that uses it. */
  readonly env: Readonly<Record<string, string>>;
  readonly #server: Server;

  /** The repository is `folder/remotes/acme/app.git`. */
  static async start(folder: string, state = newState()): Promise<GitHub> {
    const server = await serve((call, token) => github.#answer(call, token));
    const github = new GitHub(folder, state, server);
    return github;
  }

  private constructor(folder: string, state: State, server: Server) {
    this.state = state;
    this.#server = server;
    this.env = { ...leadTo(server), GITHUB_REPOSITORY: 'acme/app', GIT_CONFIG_NOSYSTEM: '1' };
    this.#repository = join(folder, 'remotes/acme/app.git');
    this.tagFolder = join(this.#repository, 'refs/tags');
    const hooks = JSON.stringify(join(FAKES, 'hooks'));
    appendFileSync(join(this.#repository, 'config'), `[core]\n\thooksPath = ${hooks}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  /** The commits of the tags, by their names. */
  tags(): Readonly<Record<string, string>> {
    const commitOf = (name: string) => readFileSync(join(this.tagFolder, name), 'utf8').trim();
    const names = readdirSync(this.tagFolder).toSorted();
    return Object.fromEntries(names.map((name) => [name, commitOf(name)]));
  }

  /** Writes a tag past the rules. */
  setTag(name: string, commit: string): void {
    writeFileSync(join(this.tagFolder, name), `${commit}\n`);
  }

  #answer(call: Call, token: string): unknown {
    const { calls, fails, lost, meanwhile } = this.state;
    const isNamed = (part: string) => call.text.includes(part);
    calls.push(call.text);
    if (fails.some(isNamed)) refuse('HTTP 502: Bad Gateway');
    const found = this.#handle(call, token);
    if (meanwhile !== undefined && isNamed(meanwhile[0])) meanwhile[1](this);
    if (lost.some(isNamed)) refuse('HTTP 502: Bad Gateway');
    return found;
  }

  #handle({ text, values, positionals }: Call, token: string): unknown {
    const { state } = this;
    const [command = '', verb = '', name = ''] = positionals;
    // The commands of git's hooks, which have no token
    if (command === 'push') return this.#push(positionals.slice(1));
    if (command === 'pushed') return '';
    if (token !== TOKEN) refuse('HTTP 401: Bad credentials');
    const [, route, id = ''] = /^repos\/acme\/app\/(.*\/)(.*)$/.exec(verb) ?? [];
    const commands: Readonly<Record<string, () => unknown>> = {
      'release list': () => Object.keys(state.releases).map((tagName) => ({ tagName })),
      'release create': () => this.#publish(name, values),
      'api GET releases/tags/': () => ({
        immutable: (state.releases[id] ?? refuse('HTTP 404: Not Found')).isImmutable,
      }),
    };
    const known =
      command === 'api' ? `${text.split(' ', 2).join(' ')} ${route}` : `${command} ${verb}`;
    return (commands[known] ?? (() => refuse(`the fake knows no ${text}`)))();
  }

  /** Tags are created or moved forward. An immutable release locks its own. */
  #push([ref = '', from = '', to = '']: readonly string[]): void {
    const [, tag] = /^refs\/tags\/(.*)$/.exec(ref) ?? [];
    if (tag === undefined || /^0+$/.test(from)) return;
    if (this.state.releases[tag]?.isImmutable) refuse('GH013: an immutable release has this tag');
    const ancestor = ['merge-base', '--is-ancestor', from, to];
    const { status } = spawnSync('git', ancestor, { cwd: this.#repository });
    if (status !== 0) refuse(`GH013: Cannot force-push to ${ref}, or delete it`);
  }

  #publish(tag: string, { notes = '', latest, ...values }: Call['values']): void {
    const { releases, isImmutable } = this.state;
    if (!values['verify-tag'] || !(tag in this.tags())) refuse(`${tag} would be created`);
    if (releases[tag] !== undefined) refuse('a release with the same tag name already exists');
    releases[tag] = { isImmutable, notes, isLatest: latest === 'true' };
  }
}

/** The flags that gh is called with, of one type. */
const flags = <Name extends string, Type extends string>(type: Type, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, { type }])) as Record<Name, { type: Type }>;

const FLAGS = {
  ...flags('boolean', ['paginate', 'silent', 'verify-tag']),
  ...flags('string', ['jq', 'json', 'latest', 'limit', 'method', 'notes', 'repo', 'title']),
  field: { type: 'string', short: 'f', multiple: true },
} as const;

export type Call = ReturnType<typeof callOf>;

function callOf(words: readonly string[]) {
  const args = [...words];
  const { values, positionals } = parseArgs({ allowPositionals: true, options: FLAGS, args });
  const fields = Object.fromEntries(values.field?.map((field) => field.split(/=(.*)/s)) ?? []);
  const method = values.method ?? (values.field === undefined ? 'GET' : 'POST');
  const [command, ...names] = positionals;
  const text = [command, ...(command === 'api' ? [method] : []), ...names].join(' ');
  return { values, fields: fields as Record<string, string>, positionals, method, text };
}

/** What gh prints: all of it, what a filter of jq makes of it, or nothing. */
async function shown(found: unknown, { jq = '.', silent }: Call['values']): Promise<string> {
  if (silent || typeof found !== 'object') return '';
  const child = spawn('jq', ['--raw-output', '--compact-output', jq]);
  child.stdin.end(JSON.stringify(found));
  const { exitCode, output } = await endOf(child);
  return exitCode === 0 ? output : refuse(output);
}
