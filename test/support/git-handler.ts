/** Serves a bare repository over HTTP as GitHub does, by git's own services. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { type Origin, plainGitEnvironment } from './origin.ts';

export interface GitRequest {
  readonly service: 'git-upload-pack' | 'git-receive-pack';
  /** The first request of each git command asks what there is. */
  readonly isAdvertisement: boolean;
  /** Of the `Authorization` header, if it is there. */
  readonly token: string | undefined;
  /** It closes when the client ends. */
  readonly socket: Socket;
}

/**
 * What the server does instead of responding: a status; `cut` ends the connection; `cut-after` does
 * so once git has done what the request asks for; `hang` never responds.
 */
export type GitFault =
  | { readonly status: number; readonly body?: string; readonly location?: string }
  | 'cut'
  | 'cut-after'
  | 'hang';

/** Responds to requests of git for its repository. `writer` may push, and `reader` only read. */
export class GitHandler {
  /** All that were seen. */
  readonly requests: GitRequest[] = [];
  /** May be set at any time. */
  fault: ((request: GitRequest) => GitFault | undefined) | undefined;
  readonly #origin: Origin;
  readonly #repository: string;

  /** `repository`: `owner/name` */
  constructor(origin: Origin, repository: string) {
    this.#origin = origin;
    this.#repository = repository;
  }

  /** Returns whether the request is one of git. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const url = new URL(request.url ?? '', 'http://localhost');
    const [, name, path] = /^\/([^/]+\/[^/]+?)(?:\.git)?(\/(?:info\/refs|git-.*))$/.exec(
      decodeURIComponent(url.pathname),
    ) ?? [undefined, undefined, undefined];
    if (name !== this.#repository || path === undefined) return false;
    const service = path === '/info/refs' ? url.searchParams.get('service') : path.slice(1);
    const seen: GitRequest = {
      service: service === 'git-receive-pack' ? service : 'git-upload-pack',
      isAdvertisement: path === '/info/refs',
      token: tokenOf(request.headers.authorization),
      socket: request.socket,
    };
    this.requests.push(seen);
    this.#respond(request, response, seen).catch(() => request.socket.destroy());
    return true;
  }

  async #respond(request: IncomingMessage, response: ServerResponse, seen: GitRequest) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const send = (status: number, body: string, headers: http.OutgoingHttpHeaders = {}) =>
      void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);
    const fault = this.fault?.(seen);
    if (fault === 'hang') return;
    if (fault === 'cut') return void request.socket.destroy();
    if (typeof fault === 'object') {
      const { status, body = '', location } = fault;
      return send(status, body, location === undefined ? {} : { location });
    }
    const { token, service, isAdvertisement } = seen;
    const mayWrite = token === 'writer';
    if (!mayWrite && token !== 'reader') {
      const body = token === undefined ? 'No anonymous access.' : 'Invalid username or token.';
      return send(401, body, { 'www-authenticate': 'Basic realm="GitHub"' });
    }
    if (!mayWrite && service === 'git-receive-pack')
      return send(403, `Permission to ${this.#repository}.git denied to github-actions[bot].`);
    const input = Buffer.concat(chunks);
    const isZipped = request.headers['content-encoding'] === 'gzip';
    const protocol = `${request.headers['git-protocol'] ?? ''}`;
    const body = await (isAdvertisement
      ? advertisement(this.#origin, service, protocol)
      : result(this.#origin, service, protocol, isZipped ? gunzipSync(input) : input));
    if (fault === 'cut-after') return void request.socket.destroy();
    const type = `application/x-${service}-${isAdvertisement ? 'advertisement' : 'result'}`;
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' }).end(body);
  }
}

function tokenOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const credentials = Buffer.from(authorization.replace(/^basic /i, ''), 'base64').toString();
  return credentials.replace(/^x-access-token:/, '');
}

/** https://git-scm.com/docs/protocol-common#_pkt_line_format */
const packet = (line: string) =>
  `${(Buffer.byteLength(line) + 4).toString(16).padStart(4, '0')}${line}`;

/** What git said the services can do, which stays the same. */
const capabilities = new Map<string, Promise<string>>();

/**
 * The response to the first request: https://git-scm.com/docs/http-protocol#_smart_clients
 * In version 2 it lists only what the server can do. Git pushes with an older one, which lists the
 * refs first.
 */
async function advertisement(origin: Origin, service: GitRequest['service'], protocol: string) {
  const isVersion2 = protocol.includes('version=2') && service === 'git-upload-pack';
  const kind = `${service} ${protocol}`;
  const fromGit =
    capabilities.get(kind) ??
    run(origin, protocol, [service.slice(4), '--stateless-rpc', '--advertise-refs']).then(String);
  capabilities.set(kind, fromGit);
  if (isVersion2) return fromGit;
  const [, features] = /\0(.*)\n/.exec(await fromGit) ?? [];
  const [[name, id] = ['capabilities^{}', '0'.repeat(40)], ...refs] = origin.refs();
  const rows = refs.map((ref) => packet(`${ref[1]} ${ref[0]}\n`)).join('');
  const first = packet(`${id} ${name}\0${features}\n`);
  return `${packet(`# service=${service}\n`)}0000${first}${rows}0000`;
}

async function result(
  origin: Origin,
  service: GitRequest['service'],
  protocol: string,
  input: Buffer,
): Promise<Buffer | string> {
  if (input.indexOf('command=ls-refs') === 4) return listRefs(origin, `${input}`);
  return run(origin, protocol, [service.slice(4), '--stateless-rpc'], input);
}

/** https://git-scm.com/docs/protocol-v2#_ls_refs */
function listRefs(origin: Origin, request: string): string {
  const wanted = [...request.matchAll(/ref-prefix (.*)\n/g)].map(([, prefix = '']) => prefix);
  const rows = [...origin.refs()].flatMap(([name, id]) => {
    if (wanted.length > 0 && !wanted.some((prefix) => name.startsWith(prefix))) return [];
    const commit = origin.peel(id);
    return packet(`${id} ${name}${commit === id ? '' : ` peeled:${commit}`}\n`);
  });
  return `${rows.join('')}0000`;
}

/** Runs one of git's services. */
async function run(
  { path }: Origin,
  protocol: string,
  args: readonly string[],
  input: Buffer | string = '',
): Promise<Buffer> {
  const child = spawn('git', [...args, path], {
    env: { ...plainGitEnvironment(), GIT_PROTOCOL: protocol },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (data) => output.push(data));
  child.stdin.on('error', () => undefined).end(input);
  await once(child, 'close');
  return Buffer.concat(output);
}
