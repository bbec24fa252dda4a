/**
 * GitHub, as far as the workflows of this repository use it: a bare repository, the commands in
 * fakes/ in front of it, and GitHub's rules about who may do what. Rules:
 * https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets/available-rules-for-rulesets,
 * https://docs.github.com/rest, https://cli.github.com/manual/gh_api,
 * https://docs.github.com/code-security/supply-chain-security/understanding-your-software-supply-chain/immutable-releases
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { FAKES } from './workflow.ts';

export interface Ruleset {
  readonly name: string;
  readonly target: string;
  readonly enforcement: string;
  readonly bypass_actors?: readonly { readonly actor_type: string }[];
  readonly conditions: { readonly ref_name: { include: string[]; exclude: string[] } };
  readonly rules: readonly { readonly type: string; readonly parameters?: object }[];
}

export interface Release {
  readonly draft: boolean;
  readonly immutable: boolean;
  readonly notes?: string;
  readonly isLatest?: boolean;
  readonly assets?: readonly string[];
}

export type State = ReturnType<typeof newState>;

export const newState = () => ({
  immutable: false,
  releases: {} as Record<string, Release>,
  /** Tags that an immutable release had. They stay locked when the release is deleted. */
  used: [] as string[],
  rulesets: [] as Ruleset[],
  codeownersErrors: [] as object[],
  environment: {
    reviewers: undefined as readonly unknown[] | undefined,
    prevent_self_review: false,
    branches: [] as object[],
    secrets: {} as Record<string, string>,
  },
  keys: [] as { key: string; read_only: boolean }[],
  /** The result that a workflow reported for a commit. */
  statuses: {} as Record<string, string>,
  /** The workflows that were started, with their branches. */
  dispatches: [] as string[],
  calls: [] as string[],
  /** Calls whose text has one of these fail with HTTP 502 and do nothing. */
  fails: [] as string[],
  /** Calls whose text has one of these do what they should, and their answer is lost. */
  lost: [] as string[],
  /** What somebody else does after a call. */
  meanwhile: undefined as [after: string, act: (github: GitHub) => void] | undefined,
});

/** Who uses which token, and what it may do. */
export const TOKENS = {
  /** Of a workflow job with `contents: read`. */
  read: 'ghs_can_read',
  /** Of a workflow job with `contents: write`, or a person who may write. */
  write: 'ghs_can_write',
  /** A fine-grained token with Administration: read. */
  settings: 'github_pat_settings',
  /** A person who administers the repository. */
  admin: 'gho_admin',
};

const ZERO = '0'.repeat(40);

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
    const REMOTES = join(folder, 'remotes');
    const names = { GITHUB_REPOSITORY: 'acme/app', GIT_CONFIG_NOSYSTEM: '1' };
    this.env = { ...leadTo(server), ...names, REMOTES };
    this.#repository = join(REMOTES, 'acme/app.git');
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
    const found = this.#handle(token, call);
    if (meanwhile !== undefined && isNamed(meanwhile[0])) meanwhile[1](this);
    if (lost.some(isNamed)) refuse('HTTP 502: Bad Gateway');
    return found;
  }

  #handle(token: string, call: Call): unknown {
    const { state } = this;
    const { values, positionals } = call;
    const [command = '', ...names] = positionals;
    const commands: Readonly<Record<string, () => unknown>> = {
      api: () => this.#api(token, call),
      release: () => this.#release(token, call),
      login: () => this.#keyOf(token).key,
      push: () => this.#push(token, names),
      pushed: () => '',
      'workflow run': () => state.dispatches.push(`${names[1]} ${values.ref}`),
      'repo deploy-key': () =>
        state.keys.push({ key: values.stdin ?? '', read_only: !values['allow-write'] }),
      'secret set': () =>
        Object.assign(state.environment.secrets, { [names[1] ?? '']: values.stdin }),
    };
    const run = commands[command] ?? commands[`${command} ${names[0]}`];
    return run === undefined ? refuse(`the fake knows no ${call.text}`) : run();
  }

  /** https://docs.github.com/authentication/connecting-to-github-with-ssh/managing-deploy-keys */
  #keyOf(secret: string) {
    const wanted = secret.trim().replace('private', 'public');
    const found = this.state.keys.find(({ key }) => key === wanted);
    return found ?? refuse('Permission denied (publickey).');
  }

  #push(secret: string, [ref = '', from = '', to = '']: readonly string[]): void {
    if (this.#keyOf(secret).read_only) refuse('The key you are using is read only.');
    const broken = this.brokenRules('DeployKey', ref, from, to);
    if (broken.length > 0) {
      refuse(`GH013: Repository rule violations found for ${ref}: ${broken.join(', ')}`);
    }
  }

  /** The rules that a change of a ref would break. */
  brokenRules(actor: string, ref: string, from: string, to: string): readonly string[] {
    const isForced = () =>
      spawnSync('git', ['merge-base', '--is-ancestor', from, to], { cwd: this.#repository })
        .status !== 0;
    const change = from === ZERO ? 'creation' : to === ZERO ? 'deletion' : 'update';
    const tag = ref.replace('refs/tags/', '');
    const released = this.state.releases[tag]?.immutable;
    // Without its release, a locked tag can only be deleted.
    const locked = released || (change !== 'deletion' && this.state.used.includes(tag));
    const broken = this.#rulesets(ref)
      .filter(({ bypass_actors: may = [] }) => may.every(({ actor_type }) => actor_type !== actor))
      .flatMap(({ rules }) => rules.map(({ type }) => type))
      .filter((type) => {
        const isOfForce = type === 'non_fast_forward' && change === 'update';
        return [change, 'pull_request'].includes(type) || (isOfForce && isForced());
      });
    return [...(locked ? ['immutable release'] : []), ...broken];
  }

  /** The active rulesets for a ref. */
  #rulesets(ref: string): readonly Ruleset[] {
    const type = ref.startsWith('refs/tags/') ? 'tag' : 'branch';
    // `*` matches no slash: https://ruby-doc.org/core-2.5.1/File.html#method-c-fnmatch
    const matches = (pattern: string) =>
      pattern === '~ALL' || new RegExp(`^${pattern.replaceAll('*', '[^/]*')}$`).test(ref);
    return this.state.rulesets.filter(
      ({ target, enforcement, conditions: { ref_name } }) =>
        target === type &&
        enforcement === 'active' &&
        ref_name.include.some(matches) &&
        !ref_name.exclude.some(matches),
    );
  }

  #api(token: string, { values, fields, positionals, method }: Call): unknown {
    const { state } = this;
    const { environment, rulesets } = state;
    const path = (positionals[1] ?? '').replace(/^repos\/[^/]+\/[^/]+\//, '');
    const [, route = '', name = '', query = ''] =
      /^((?:rulesets|rules\/branches|git\/ref\/tags|releases\/tags|statuses)\/|[^?]*)([^?]*)\??(.*)$/.exec(
        path,
      ) ?? [];
    const call = `${method} ${route}`;
    const body = values.input === undefined ? fields : JSON.parse(values.stdin ?? '');
    const settings = ['GET immutable-releases', 'GET keys'];
    if (token === TOKENS.settings && !settings.includes(call)) {
      refuse('HTTP 403: Resource not accessible by personal access token');
    }
    const isOfWorkflow = token === TOKENS.read || token === TOKENS.write;
    const isOpen = method === 'GET' || (token === TOKENS.write && route === 'statuses/');
    if (isOfWorkflow && (settings.includes(call) || !isOpen)) {
      refuse('HTTP 403: Resource not accessible by integration');
    }
    const notFound = () => refuse('HTTP 404: Not Found');
    const routes: Readonly<Record<string, () => unknown>> = {
      'GET meta': () => ({ ssh_keys: ['ssh-ed25519 KEY-OF-GITHUB'] }),
      'GET orgs/docs-agent/teams/maintainers': () => ({ id: 7 }),
      'GET immutable-releases': () => (state.immutable ? { enabled: true } : notFound()),
      'PUT immutable-releases': () => Object.assign(state, { immutable: true }),
      'GET keys': () => state.keys,
      'GET codeowners/errors': () => ({ errors: state.codeownersErrors }),
      'GET rulesets': () =>
        rulesets.flatMap(({ target }, index) =>
          query === `targets=${target}` ? [{ id: index + 1 }] : [],
        ),
      'POST rulesets': () => rulesets.push(body),
      // Only who may change a ruleset sees who may bypass it.
      'GET rulesets/': () => ({ ...rulesets[Number(name) - 1], bypass_actors: undefined }),
      // A rule applies to a branch's name, also when there is no such branch.
      'GET rules/branches/': () =>
        this.#rulesets(`refs/heads/${decodeURIComponent(name)}`).flatMap(({ rules }) => rules),
      'GET environments/release': () => {
        const { reviewers, prevent_self_review } = environment;
        const required = { type: 'required_reviewers', prevent_self_review, reviewers };
        return { protection_rules: [{ type: 'branch_policy' }, ...(reviewers ? [required] : [])] };
      },
      'PUT environments/release': () => Object.assign(environment, body),
      'GET environments/release/deployment-branch-policies': () => ({
        branch_policies: environment.branches,
      }),
      'POST environments/release/deployment-branch-policies': () => environment.branches.push(body),
      'GET git/matching-refs/tags/v': () =>
        Object.entries(this.tags())
          .filter(([tag]) => tag.startsWith('v'))
          .map(([tag, sha]) => ({ ref: `refs/tags/${tag}`, object: { sha } })),
      'GET git/ref/tags/': () => ({ object: { sha: this.tags()[name] ?? notFound() } }),
      // Only who may write sees drafts: https://docs.github.com/rest/releases/releases#list-releases
      'GET releases': () =>
        Object.entries(state.releases)
          .filter(([, { draft }]) => !draft || token !== TOKENS.read)
          .map(([tag_name, { draft, immutable }]) => ({ tag_name, draft, immutable })),
      'GET releases/tags/': () => {
        const found = state.releases[name] ?? notFound();
        return found.draft ? notFound() : { assets: [], ...found };
      },
      'POST statuses/': () =>
        Object.assign(state.statuses, { [name]: `${body.context} ${body.state}` }),
    };
    return (routes[call] ?? (() => refuse(`the fake knows no ${call}`)))();
  }

  #release(token: string, { values, positionals: [, verb, tag = ''] }: Call): unknown {
    const { releases, immutable } = this.state;
    const found = releases[tag];
    const mayWrite = token === TOKENS.write || token === TOKENS.admin;
    if (verb === 'list') {
      return Object.entries(releases)
        .filter(([, { draft }]) => !draft || (mayWrite && !values['exclude-drafts']))
        .slice(0, Number(values.limit ?? 30))
        .map(([tagName]) => ({ tagName }));
    }
    if (verb === 'view') {
      const { draft, assets = [] } = found ?? refuse('release not found');
      return { isDraft: draft, assets: assets.map((name) => ({ name })) };
    }
    if (!mayWrite) refuse('HTTP 403: Resource not accessible by integration');
    if (verb === 'delete') {
      delete releases[tag];
      return '';
    }
    // A ruleset refuses the tag that would be created. With the tag, no ref changes.
    if (!(tag in this.tags())) refuse(`the tag ${tag} would be created`);
    const notes = values['notes-file'] && { notes: readFileSync(values['notes-file'], 'utf8') };
    if (verb === 'create') {
      if (found !== undefined) refuse('a release with the same tag name already exists');
      releases[tag] = { draft: true, immutable: false, ...notes };
      if (values.draft === 'true') return '';
    }
    const before = releases[tag] ?? refuse('release not found');
    // Publishing is what makes a release immutable.
    const isLatest = values.latest === 'true';
    releases[tag] = { ...before, ...notes, draft: false, immutable, isLatest };
    if (immutable) this.state.used.push(tag);
    return '';
  }
}

/** The flags that gh is called with, of one type. */
const flags = <Name extends string, Type extends string>(type: Type, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, { type }])) as Record<Name, { type: Type }>;

const FLAGS = {
  ...flags('boolean', ['allow-write', 'exclude-drafts', 'no-archived', 'paginate', 'silent']),
  ...flags('boolean', ['source', 'verify-tag', 'yes']),
  ...flags('string', ['base', 'body', 'draft', 'env', 'head', 'input', 'jq', 'json', 'latest']),
  ...flags('string', ['limit', 'method', 'notes-file', 'prerelease', 'ref', 'repo', 'state']),
  ...flags('string', ['stdin', 'title']),
  field: { type: 'string', short: 'f', multiple: true },
} as const;

export type Call = ReturnType<typeof callOf>;

function callOf(words: readonly string[]) {
  // `--draft` alone creates a draft, and `--draft=false` publishes it.
  const args = words.map((word) => (word === '--draft' ? '--draft=true' : word));
  const { values, positionals } = parseArgs({ allowPositionals: true, options: FLAGS, args });
  const fields = Object.fromEntries(values.field?.map((field) => field.split(/=(.*)/s)) ?? []);
  const method = values.method ?? (values.field === undefined ? 'GET' : 'POST');
  const [command, ...names] = positionals;
  const text = [command, ...(command === 'api' ? [method] : []), ...names].join(' ');
  return { values, fields: fields as Record<string, string>, positionals, method, text };
}

/** What gh prints: all of it, what a filter of jq makes of it, or nothing. */
async function shown(found: unknown, { jq, silent }: Call['values']): Promise<string> {
  if (silent || typeof found !== 'object') return '';
  if (jq === undefined) return `${JSON.stringify(found)}\n`;
  const filter = filters.get(jq) ?? filterOf(jq);
  filters.set(jq, filter);
  const result: unknown = JSON.parse(await filter(found));
  if (!Array.isArray(result)) return refuse(`jq: ${result}`);
  const lines = result.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return lines.map((line) => `${line}\n`).join('');
}

type Filter = (input: unknown) => Promise<string>;

/** One jq for each filter, which goes on, because its start takes most of the time of a call. */
const filters = new Map<string, Filter>();

/** Resolves with all results as one array, or with the text of an error. */
function filterOf(jq: string): Filter {
  const args = ['--unbuffered', '--compact-output', `try [${jq}] catch .`];
  const child = spawn('jq', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  for (const handle of [child, child.stdin as Socket, child.stdout as Socket]) handle.unref();
  return async (input) => {
    child.stdin.write(`${JSON.stringify(input)}\n`);
    const { value } = await lines.next();
    return value ?? refuse(`jq does not know ${jq}`);
  };
}
