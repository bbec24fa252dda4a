/**
 * GitHub, as far as the workflows of this repository use it: a bare repository, `gh` and `ssh` in
 * front of it, and GitHub's rules about who may do what. The commands are small scripts that ask a
 * service in the process of the tests: a Node for each call would take most of the time. Rules:
 * https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets/available-rules-for-rulesets,
 * https://docs.github.com/rest, https://cli.github.com/manual/gh_api,
 * https://docs.github.com/code-security/supply-chain-security/understanding-your-software-supply-chain/immutable-releases
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';

interface Rule {
  readonly type: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export interface Ruleset {
  readonly name: string;
  readonly target: string;
  readonly enforcement: string;
  readonly bypass_actors?: readonly { readonly actor_type: string }[];
  readonly conditions: {
    readonly ref_name: { readonly include: readonly string[]; readonly exclude: readonly string[] };
  };
  readonly rules: readonly Rule[];
}

export interface Release {
  readonly draft: boolean;
  readonly immutable: boolean;
  readonly notes?: string;
  readonly isLatest?: boolean;
  readonly assets?: readonly string[];
}

export interface State {
  immutable: boolean;
  releases: Record<string, Release>;
  rulesets: Ruleset[];
  codeownersErrors: unknown[];
  environment: {
    reviewers?: readonly unknown[];
    prevent_self_review?: boolean;
    branches: { name: string; type: string }[];
    secrets: Record<string, string>;
  };
  keys: { key: string; read_only: boolean }[];
  /** The result that a workflow reported for a commit. */
  statuses: Record<string, string>;
  /** The workflows that were started, with their branches. */
  dispatches: string[];
  calls: string[];
  /** Calls whose text has one of these fail with HTTP 502 and do nothing. */
  fails: string[];
  /** Calls whose text has one of these do what they should, and their answer is lost. */
  lost: string[];
  /** What somebody else does after a call. */
  meanwhile: readonly [after: string, act: (github: GitHub) => void][];
}

/** Who uses which token, and what it may do. */
export const TOKENS = {
  /** Of a workflow job with `contents: write`. */
  write: 'ghs_can_write',
  /** Of one with `contents: read`. */
  read: 'ghs_can_read',
  /** A fine-grained token with Administration: read. */
  settings: 'github_pat_settings',
  /** A person who administers the repository. */
  admin: 'gho_admin',
};

const ACCOUNT = 'ssh-ed25519 KEY-OF-GITHUB';
const ZERO = '0'.repeat(40);

/** The script `gh`. It needs bash alone, and the port of {@link serve} in FAKE_GH_PORT. */
export const GH = `#!/bin/bash
case " $* " in
  *' --input - '* | ' secret set '*) IFS='' read -r -d '' input; set -- "$@" "--stdin=$input" ;;
  *' deploy-key add '*) set -- "$@" "--stdin=$(cat "$4")" ;;
esac
exec 3<> "/dev/tcp/127.0.0.1/$FAKE_GH_PORT"
printf '%s\\0' "$#" "$GH_TOKEN" "$@" >&3
IFS='' read -r exit_code <&3
IFS='' read -r message <&3
IFS='' read -r -d '' output <&3
printf '%s' "$output"
if [ -n "$message" ]; then printf '%s\\n' "$message" >&2; fi
exit "$exit_code"
`;

/** The script `ssh`: it trusts GitHub's key alone, and GitHub knows who has which key. */
const SSH = `#!/bin/bash
while [ $# -gt 2 ]; do
  case "$2" in UserKnownHostsFile=*) hosts="\${2#*=}" ;; esac
  if [ "$1" = -i ]; then key="$2"; fi
  shift 2
done
grep -qxF 'github.com ${ACCOUNT}' "$hosts" || { echo 'Host key verification failed.' >&2; exit 255; }
export PUSHER="$(cat "$key")"
GH_TOKEN="$PUSHER" gh login || exit 255
cd "$REMOTES" && eval "$2"
`;

/** git's hooks in the bare repository, for those who push with a key: the rules, and a lost answer. */
const HOOKS = {
  update: '#!/bin/bash\nif [ -n "$PUSHER" ]; then GH_TOKEN="$PUSHER" exec gh push "$@"; fi\n',
  'reference-transaction': `#!/bin/bash
if [ "$1" = committed ] && [ -n "$PUSHER" ]; then
  while read -r _ _ ref; do gh pushed "$ref" || kill -9 "$PPID"; done
fi
`,
};

export class Refusal extends Error {}

interface Answer {
  readonly exitCode: number;
  readonly message: string;
  readonly output: string;
}

interface Service extends AsyncDisposable {
  readonly port: number;
}

/** Answers the calls of {@link GH}. */
export async function serve(
  answer: (token: string, words: readonly string[]) => Answer,
): Promise<Service> {
  const server = createServer((socket) => {
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
      const [count, token = '', ...words] = received.split('\0');
      // The last word ends with a NUL too.
      if (count === undefined || words.length <= Number(count)) return;
      const { exitCode, message, output } = answer(token, words.slice(0, Number(count)));
      socket.end(`${exitCode}\n${message}\n${output}`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

/** Writes a script that can be run. */
export function install(path: string, script: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, script);
  chmodSync(path, 0o755);
}

/** What gh prints and how it exits. `find` throws when GitHub refuses the call. */
export function answerTo({ values, positionals }: Call, find: () => unknown): Answer {
  try {
    return { exitCode: 0, message: '', output: shown(find(), values) };
  } catch (error) {
    // A call that is not known fails as well, and the log of the test shows why.
    const said = error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error);
    // gh prints the body of an error too, without the filter.
    const isShown = positionals[0] === 'api' && !values.silent;
    const output = isShown ? `${JSON.stringify({ message: said })}\n` : '';
    return { exitCode: 1, message: `gh: ${said}`, output };
  }
}

export const EMPTY: State = {
  immutable: false,
  releases: {},
  rulesets: [],
  codeownersErrors: [],
  environment: { branches: [], secrets: {} },
  keys: [],
  statuses: {},
  dispatches: [],
  calls: [],
  fails: [],
  lost: [],
  meanwhile: [],
};

/** A bare repository in `folder`, with its rules in front of it. */
export class GitHub implements AsyncDisposable {
  readonly state: State;
  /** The bare repository. */
  readonly repository: string;
  /** The environment of a command that uses it. */
  readonly env: Readonly<Record<string, string>>;
  #service: Service | undefined;

  /** `repository` is `folder/remotes/acme/app.git`. */
  static async start(folder: string, state: State): Promise<GitHub> {
    const github = new GitHub(folder, state);
    github.#service = await serve((token, words) => github.#answer(token, words));
    Object.assign(github.env, { FAKE_GH_PORT: String(github.#service.port) });
    return github;
  }

  private constructor(folder: string, state: State) {
    const bin = join(folder, 'bin');
    this.state = state;
    this.repository = join(folder, 'remotes/acme/app.git');
    this.env = {
      PATH: [bin, process.env['PATH']].join(delimiter),
      REMOTES: join(folder, 'remotes'),
      GITHUB_REPOSITORY: 'acme/app',
      GIT_CONFIG_NOSYSTEM: '1',
    };
    install(join(bin, 'gh'), GH);
    install(join(bin, 'ssh'), SSH);
    for (const [hook, script] of Object.entries(HOOKS)) {
      install(join(this.repository, 'hooks', hook), script);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service?.[Symbol.asyncDispose]();
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.repository, encoding: 'utf8' }).trim();
  }

  /** The commits of the tags, by their names. */
  tags(): Readonly<Record<string, string>> {
    const lines = this.git(
      'for-each-ref',
      '--format=%(refname:strip=2) %(objectname)',
      'refs/tags',
    );
    return Object.fromEntries(
      lines
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(' ')),
    );
  }

  #answer(token: string, words: readonly string[]): Answer {
    const call = callOf(words);
    const isNamed = (part: string) => call.text.includes(part);
    this.state.calls.push(call.text);
    return answerTo(call, () => {
      if (this.state.fails.some(isNamed)) throw new Refusal('HTTP 502: Bad Gateway');
      const found = this.#handle(token, call);
      for (const [after, act] of this.state.meanwhile) if (isNamed(after)) act(this);
      // An answer to git is lost after the ref has moved: see the hook.
      if (call.positionals[0] !== 'push' && this.state.lost.some(isNamed)) {
        throw new Refusal('HTTP 502: Bad Gateway');
      }
      return found;
    });
  }

  #handle(token: string, call: Call): unknown {
    const [command = '', ...names] = call.positionals;
    switch (command) {
      case 'api':
        return this.#api(token, call);
      case 'release':
        return this.#release(token, call);
      case 'login':
        this.#keyOf(token);
        return '';
      case 'push':
        return this.#push(token, names);
      case 'pushed':
        if (this.state.lost.some((part) => `push ${names[0]} `.includes(part)))
          throw new Refusal('');
        return '';
      case 'workflow':
        this.state.dispatches.push(`${names[1]} ${call.values.ref}`);
        return '';
      case 'repo': {
        const key = call.values.stdin ?? '';
        this.state.keys.push({ key, read_only: !call.values['allow-write'] });
        return '';
      }
      case 'secret': {
        const { environment } = this.state;
        environment.secrets[names[1] ?? ''] = call.values.stdin ?? '';
        return '';
      }
      default:
        throw new Refusal(`the fake knows no ${call.text}`);
    }
  }

  /** https://docs.github.com/authentication/connecting-to-github-with-ssh/managing-deploy-keys */
  #keyOf(secret: string) {
    const found = this.state.keys.find(
      ({ key }) => key === secret.trim().replace('private', 'public'),
    );
    if (found === undefined) throw new Refusal('Permission denied (publickey).');
    return found;
  }

  #push(secret: string, [ref = '', from = '', to = '']: readonly string[]): string {
    if (this.#keyOf(secret).read_only) throw new Refusal('The key you are using is read only.');
    const broken = this.brokenRules('DeployKey', ref, from, to);
    if (broken.length > 0) {
      throw new Refusal(`GH013: Repository rule violations found for ${ref}: ${broken.join(', ')}`);
    }
    return '';
  }

  /** The rules that a change of a ref would break. */
  brokenRules(actor: string, ref: string, from: string, to: string): readonly string[] {
    const isForced = () =>
      spawnSync('git', ['merge-base', '--is-ancestor', from, to], { cwd: this.repository })
        .status !== 0;
    const change = from === ZERO ? 'creation' : to === ZERO ? 'deletion' : 'update';
    const locked = this.state.releases[ref.replace('refs/tags/', '')]?.immutable;
    const broken = this.#rulesets(ref)
      .filter(
        ({ bypass_actors = [] }) => !bypass_actors.some(({ actor_type }) => actor_type === actor),
      )
      .flatMap(({ rules }) => rules)
      .filter(
        ({ type }) =>
          type === change ||
          type === 'pull_request' ||
          (type === 'non_fast_forward' && change === 'update' && isForced()),
      );
    return [...(locked ? ['immutable release'] : []), ...broken.map(({ type }) => type)];
  }

  /** The active rulesets for a ref. */
  #rulesets(ref: string): readonly Ruleset[] {
    const target = ref.startsWith('refs/tags/') ? 'tag' : 'branch';
    // `*` matches no slash: https://ruby-doc.org/core-2.5.1/File.html#method-c-fnmatch
    const matches = (pattern: string) =>
      pattern === '~ALL' || new RegExp(`^${pattern.replaceAll('*', '[^/]*')}$`).test(ref);
    return this.state.rulesets.filter(
      ({ target: of, enforcement, conditions: { ref_name } }) =>
        of === target &&
        enforcement === 'active' &&
        ref_name.include.some(matches) &&
        !ref_name.exclude.some(matches),
    );
  }

  #api(token: string, { values, positionals, method }: Call): unknown {
    const { state } = this;
    const [route = '', query = ''] = (positionals[1] ?? '')
      .replace(/^repos\/[^/]+\/[^/]+\//, '')
      .split('?');
    const call = `${method} ${route}`;
    const body =
      values.input === undefined ? fieldsOf(values.field) : JSON.parse(values.stdin ?? '');
    const settings = ['GET immutable-releases', 'GET keys'];
    if (token === TOKENS.settings && !settings.includes(call)) {
      throw new Refusal('HTTP 403: Resource not accessible by personal access token');
    }
    const isOfActions = token === TOKENS.write || token === TOKENS.read;
    const isOpen = method === 'GET' || call.startsWith('POST statuses/');
    if (isOfActions && (settings.includes(call) || !isOpen)) {
      throw new Refusal('HTTP 403: Resource not accessible by integration');
    }
    const id = Number(/^rulesets\/(\d+)$/.exec(route)?.[1]);
    const tag = /^(?:git\/ref|releases)\/tags\/(.+)$/.exec(route)?.[1] ?? '';
    switch (call.replace(tag, '').replace(/\d+$/, '')) {
      case 'GET meta':
        return { ssh_keys: [ACCOUNT] };
      case 'GET orgs/docs-agent/teams/maintainers':
        return { id: 7 };
      case 'GET immutable-releases':
        if (!state.immutable) throw new Refusal('HTTP 404: Not Found');
        return { enabled: true, enforced_by_owner: false };
      case 'PUT immutable-releases':
        state.immutable = true;
        return '';
      case 'GET keys':
        return state.keys;
      case 'GET codeowners/errors':
        return { errors: state.codeownersErrors };
      case 'GET rulesets':
        return state.rulesets
          .map(({ name, target, enforcement }, index) => ({
            id: index + 1,
            name,
            target,
            enforcement,
          }))
          .filter(({ target }) => query === '' || query === `targets=${target}`);
      case 'POST rulesets':
        state.rulesets.push(body);
        return { id: state.rulesets.length, ...body };
      case 'GET rulesets/':
        // Only who may change a ruleset sees who may bypass it.
        return { id, ...state.rulesets[id - 1], bypass_actors: undefined };
      case 'GET environments/release': {
        const { reviewers, prevent_self_review = false } = state.environment;
        const required = { type: 'required_reviewers', prevent_self_review, reviewers };
        return { protection_rules: [{ type: 'branch_policy' }, ...(reviewers ? [required] : [])] };
      }
      case 'PUT environments/release':
        Object.assign(state.environment, body);
        return '';
      case 'GET environments/release/deployment-branch-policies':
        return { branch_policies: state.environment.branches };
      case 'POST environments/release/deployment-branch-policies':
        state.environment.branches.push({ type: 'branch', ...body });
        return '';
      case 'GET git/matching-refs/tags/v':
        return Object.entries(this.tags())
          .filter(([name]) => name.startsWith('v'))
          .map(([name, sha]) => ({ ref: `refs/tags/${name}`, object: { sha, type: 'commit' } }));
      case 'GET git/ref/tags/': {
        const sha = this.tags()[tag];
        if (sha === undefined) throw new Refusal('HTTP 404: Not Found');
        return { object: { sha, type: 'commit' } };
      }
      case 'GET releases/tags/': {
        const found = state.releases[tag];
        if (found === undefined || found.draft) throw new Refusal('HTTP 404: Not Found');
        return { assets: [], ...found };
      }
      default:
    }
    // A rule applies to a branch's name, also when there is no such branch.
    const branch = /^GET rules\/branches\/(.+)$/.exec(call)?.[1];
    if (branch !== undefined) {
      return this.#rulesets(`refs/heads/${decodeURIComponent(branch)}`).flatMap(
        ({ rules }) => rules,
      );
    }
    const commit = /^POST statuses\/(.+)$/.exec(call)?.[1];
    if (commit !== undefined) {
      state.statuses[commit] = `${body.context} ${body.state}`;
      return '';
    }
    throw new Refusal(`the fake knows no ${call}`);
  }

  #release(token: string, { values, positionals }: Call): unknown {
    const { releases } = this.state;
    const [, verb, tag = ''] = positionals;
    const mayWrite = token === TOKENS.write;
    if (verb === 'list') {
      return Object.entries(releases)
        .filter(([, { draft }]) => !draft || (mayWrite && !values['exclude-drafts']))
        .slice(0, Number(values.limit))
        .map(([tagName]) => ({ tagName }));
    }
    const found = releases[tag];
    if (verb === 'view') {
      if (found === undefined) throw new Refusal('release not found');
      return { isDraft: found.draft, assets: (found.assets ?? []).map((name) => ({ name })) };
    }
    if (!mayWrite) throw new Refusal('HTTP 403: Resource not accessible by integration');
    if (!(tag in this.tags())) throw new Refusal(`the tag ${tag} would be created`);
    const notes = values['notes-file'] && { notes: readFileSync(values['notes-file'], 'utf8') };
    if (verb === 'create') {
      if (found !== undefined) throw new Refusal('a release with the same tag name already exists');
      releases[tag] = { draft: values.draft === 'true', immutable: false, ...notes };
      return '';
    }
    if (found === undefined) throw new Refusal('release not found');
    // Publishing is what makes a release immutable.
    const isLatest = values.latest === 'true';
    releases[tag] = { ...found, ...notes, draft: false, immutable: this.state.immutable, isLatest };
    return '';
  }
}

export type Call = ReturnType<typeof callOf>;

export function callOf(words: readonly string[]) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'allow-write': { type: 'boolean' },
      base: { type: 'string' },
      body: { type: 'string' },
      draft: { type: 'string' },
      env: { type: 'string' },
      'exclude-drafts': { type: 'boolean' },
      field: { type: 'string', short: 'f', multiple: true, default: [] },
      head: { type: 'string' },
      input: { type: 'string' },
      jq: { type: 'string' },
      json: { type: 'string' },
      latest: { type: 'string' },
      limit: { type: 'string', default: '30' },
      method: { type: 'string' },
      'no-archived': { type: 'boolean' },
      'notes-file': { type: 'string' },
      paginate: { type: 'boolean' },
      prerelease: { type: 'string' },
      ref: { type: 'string' },
      repo: { type: 'string' },
      silent: { type: 'boolean' },
      source: { type: 'boolean' },
      state: { type: 'string' },
      stdin: { type: 'string' },
      title: { type: 'string' },
      'verify-tag': { type: 'boolean' },
    },
    // `--draft` alone creates a draft, and `--draft=false` publishes it.
    args: words.map((word) => (word === '--draft' ? '--draft=true' : word)),
  });
  const isApi = positionals[0] === 'api';
  const method = values.method ?? (values.field.length > 0 ? 'POST' : 'GET');
  const text = [positionals[0], isApi ? method : '', ...positionals.slice(1)]
    .filter(Boolean)
    .join(' ');
  return { values, positionals, method, text };
}

export const fieldsOf = (fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(fields.map((field) => field.split(/=(.*)/s)));

/** What gh prints: all of it, what a filter of jq makes of it, or nothing. */
function shown(found: unknown, { jq, silent }: Call['values']): string {
  if (silent || found === '' || found === undefined) return '';
  if (jq === undefined) return `${JSON.stringify(found)}\n`;
  const input = JSON.stringify(found);
  const known = filtered.get(jq + input);
  if (known !== undefined) return known;
  const { status, stdout, stderr } = spawnSync('jq', ['--raw-output', jq], {
    input,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Refusal(stderr);
  filtered.set(jq + input, stdout);
  return stdout;
}

/** What jq made of a filter and its input, because jq takes most of the time of a call. */
const filtered = new Map<string, string>();
