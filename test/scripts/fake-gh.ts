/**
 * A fake of the `gh` calls in the release workflow. The commands start a small script, which asks a
 * service in the process of the tests: a Node for each call would take most of the time. Rules:
 * https://docs.github.com/rest/git/refs, https://docs.github.com/rest/repos/repos,
 * https://cli.github.com/manual/gh_api, https://cli.github.com/manual/gh_release
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { parseArgs } from 'node:util';

export interface State {
  immutable: boolean;
  refs: Record<string, string>;
  releases: Record<string, { draft: boolean; immutable: boolean; notes?: string }>;
  /** What GitHub answers about each thing that protects a release. */
  settings: Record<string, unknown>;
  calls: string[];
  /** Calls whose text has one of these fail with HTTP 502. */
  fails: string[];
  /** Somebody else moves a ref after a call. */
  moves: [after: string, ref: string, sha: string][];
}

/** The script `gh`. It needs bash alone, and the port of the service in FAKE_GH_PORT. */
export const GH = `#!/bin/bash
exec 3<> "/dev/tcp/127.0.0.1/$FAKE_GH_PORT"
printf '%s\\0' "$#" "$GH_TOKEN" "$@" >&3
IFS='' read -r exit_code <&3
IFS='' read -r message <&3
IFS='' read -r -d '' output <&3
printf '%s' "$output"
if [ -n "$message" ]; then printf '%s\\n' "$message" >&2; fi
exit "$exit_code"
`;

interface Service extends AsyncDisposable {
  readonly port: number;
}

/** Answers calls, one after the other, from a state, and changes that state. */
export async function startGh(state: State): Promise<Service> {
  const server = createServer((socket) => serve(socket, state)).listen(0, '127.0.0.1');
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

function serve(socket: Socket, state: State): void {
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
    const [count, token = '', ...words] = received.split('\0');
    // The last word ends with a NUL too.
    if (count === undefined || words.length <= Number(count)) return;
    const { exitCode, message, output } = answer(state, token, words.slice(0, Number(count)));
    socket.end(`${exitCode}\n${message}\n${output}`);
  });
}

class Refusal extends Error {}

function answer(state: State, token: string, words: readonly string[]) {
  const call = callOf(words);
  const { values, positionals, isApi } = call;
  state.calls.push(call.text);
  try {
    if (state.fails.some((part) => call.text.includes(part)))
      throw new Refusal('HTTP 502: Bad Gateway');
    const found = isApi ? api(state, token, call) : release(state, call);
    const filtered = values.jq === undefined ? JSON.stringify(found) : pick(values.jq, found);
    for (const [after, ref, sha] of state.moves)
      if (call.text.includes(after)) state.refs[ref] = sha;
    const isShown = !values.silent && filtered !== '';
    return { exitCode: 0, message: '', output: isShown ? `${filtered}\n` : '' };
  } catch (error) {
    // A call that the fake does not know fails as well, and the log of the test shows why.
    const said = error instanceof Error ? error.message : String(error);
    // gh prints the body of an error too, without the filter.
    const output = positionals[0] === 'api' ? `${JSON.stringify({ message: said })}\n` : '';
    return { exitCode: 1, message: `gh: ${said}`, output };
  }
}

type Call = ReturnType<typeof callOf>;

function callOf(words: readonly string[]) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      method: { type: 'string', default: 'GET' },
      field: { type: 'string', short: 'f', multiple: true, default: [] },
      typed: { type: 'string', short: 'F', multiple: true, default: [] },
      jq: { type: 'string' },
      json: { type: 'string' },
      repo: { type: 'string' },
      title: { type: 'string' },
      'notes-file': { type: 'string' },
      'exclude-drafts': { type: 'boolean' },
      limit: { type: 'string', default: '30' },
      silent: { type: 'boolean' },
      draft: { type: 'string' },
      'verify-tag': { type: 'boolean' },
    },
    // `--draft` alone creates a draft, and `--draft=false` publishes it.
    args: words.map((word) => (word === '--draft' ? '--draft=true' : word)),
  });
  const isApi = positionals[0] === 'api';
  const text = [positionals[0], isApi ? values.method : '', ...positionals.slice(1)]
    .filter(Boolean)
    .join(' ');
  return { values, positionals, isApi, text };
}

/** What jq prints for filters like `.object.sha` and `.[].id`. */
function pick(filter: string, found: unknown): string {
  const [first = '', ...keys] = filter.split('.').filter(Boolean);
  const entries = first === '[]' && Array.isArray(found) ? found : [found];
  const path = first === '[]' ? keys : [first, ...keys];
  return entries.map((entry) => path.reduce((at, key) => at[key], entry)).join('\n');
}

function api(state: State, token: string, { values, positionals }: Call): unknown {
  const path = positionals[1] ?? '';
  const route = path.split('/').slice(3).join('/');
  const fields: Readonly<Record<string, string>> = Object.fromEntries(
    [...values.field, ...values.typed].map((field) => field.split('=')),
  );
  const { ref = '', sha = '' } = fields;
  const isSettings = token === 'github_pat_settings';
  if (route === 'immutable-releases') {
    if (!isSettings) throw new Refusal('HTTP 403: Resource not accessible by integration');
    if (!state.immutable) throw new Refusal('HTTP 404: Not Found');
    return { enabled: true, enforced_by_owner: false };
  }
  if (isSettings) throw new Refusal('HTTP 403: Resource not accessible by personal access token');
  if (values.method === 'GET' && route in state.settings) return state.settings[route];
  if (values.method === 'POST' && route === 'git/refs') {
    if (ref in state.refs) throw new Refusal('HTTP 422: Reference already exists');
    state.refs[ref] = sha;
    return { ref, object: { sha, type: 'commit' } };
  }
  if (values.method === 'PATCH' && route.startsWith('git/refs/')) {
    const moved = route.slice('git/'.length);
    if (!(moved in state.refs)) throw new Refusal('HTTP 422: Reference does not exist');
    state.refs[moved] = sha;
    return { ref: moved, object: { sha, type: 'commit' } };
  }
  if (route.startsWith('git/ref/')) {
    const found = state.refs[route.replace('git/ref/', 'refs/')];
    if (found === undefined) throw new Refusal('HTTP 404: Not Found');
    return { object: { sha: found, type: 'commit' } };
  }
  if (route.startsWith('releases/tags/')) {
    const found = state.releases[route.slice('releases/tags/'.length)];
    if (found === undefined || found.draft) throw new Refusal('HTTP 404: Not Found');
    return found;
  }
  throw new Refusal(`the fake knows no ${values.method} ${path}`);
}

function release(state: State, { values, positionals }: Call): unknown {
  const [, verb, tag = ''] = positionals;
  if (verb === 'list') {
    return Object.entries(state.releases)
      .filter(([, { draft }]) => !(draft && values['exclude-drafts']))
      .slice(0, Number(values.limit))
      .map(([tagName]) => ({ tagName }));
  }
  const found = state.releases[tag];
  if (verb === 'view') {
    if (found === undefined) throw new Refusal('release not found');
    return { isDraft: found.draft };
  }
  if (!values['verify-tag']) throw new Refusal('the tag would be created');
  if (!(`refs/tags/${tag}` in state.refs))
    throw new Refusal(`tag ${tag} doesn't exist in the repo`);
  if (verb === 'create') {
    if (found !== undefined) throw new Refusal('a release with the same tag name already exists');
    const notes = readFileSync(values['notes-file'] ?? '', 'utf8');
    state.releases[tag] = { draft: values.draft === 'true', immutable: false, notes };
    return {};
  }
  if (found === undefined) throw new Refusal('release not found');
  // Publishing is what makes a release immutable.
  state.releases[tag] = { ...found, draft: false, immutable: state.immutable };
  return {};
}
