/** Serves a bare repository over HTTP as GitHub does, by git's own services. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
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

/** In version 2 of the protocol, git lists only what it can do, which never changes. */
let capabilities: Promise<Buffer> | undefined;

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
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const [, name, path] = /^\/(.+?)(?:\.git)?\/(info\/refs|git-.*)$/.exec(pathname) ?? [];
    if (name !== this.#repository) return false;
    const isAdvertisement = path === 'info/refs';
    const service = isAdvertisement ? searchParams.get('service') : path;
    const seen: GitRequest = {
      service: service === 'git-receive-pack' ? service : 'git-upload-pack',
      isAdvertisement,
      token: tokenOf(request.headers.authorization),
      socket: request.socket,
    };
    this.requests.push(seen);
    this.#respond(request, response, seen).catch(() => request.socket.destroy());
    return true;
  }

  async #respond(request: IncomingMessage, response: ServerResponse, seen: GitRequest) {
    const input = await buffer(request);
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
    const isZipped = request.headers['content-encoding'] === 'gzip';
    const protocol = `${request.headers['git-protocol'] ?? ''}`;
    const answer = () => serve(this.#origin, seen, protocol, isZipped ? gunzipSync(input) : input);
    const isConstant = isAdvertisement && service === 'git-upload-pack' && protocol === 'version=2';
    if (isConstant) capabilities ??= answer();
    const body = await (isConstant ? capabilities : answer());
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

/** The response of git's own service: https://git-scm.com/docs/http-protocol#_smart_clients */
async function serve(
  { path }: Origin,
  { service, isAdvertisement }: GitRequest,
  protocol: string,
  input: Buffer,
): Promise<Buffer> {
  const mode = isAdvertisement ? ['--advertise-refs'] : [];
  const child = spawn('git', [service.slice(4), '--stateless-rpc', ...mode, path], {
    env: { ...plainGitEnvironment(), GIT_PROTOCOL: protocol },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const first = `# service=${service}\n`;
  const length = (first.length + 4).toString(16).padStart(4, '0');
  const isOld = isAdvertisement && !protocol.includes('version=2');
  const output = isOld ? [Buffer.from(`${length}${first}0000`)] : [];
  child.stdout.on('data', (data) => output.push(data));
  child.stdin.on('error', () => undefined).end(input);
  await once(child, 'close');
  return Buffer.concat(output);
}
