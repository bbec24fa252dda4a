/** Serves a bare repository over HTTP as GitHub does, by git's own services. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { createOrigin, type Origin, plainGitEnvironment } from './origin.ts';

export interface GitRequest {
  readonly method: string;
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

export interface GitServerOptions {
  /** `owner/name`. The default is `o/r`. */
  readonly repository?: string;
  /** Tokens that may read and push. The default is `writer`. */
  readonly writers?: readonly string[];
  /** Tokens that may only read. The default is `reader`. */
  readonly readers?: readonly string[];
  readonly fault?: (request: GitRequest) => GitFault | undefined;
}

/** Responds to requests of git for its repository. Returns whether the request is one. */
export interface GitHandler {
  (request: IncomingMessage, response: ServerResponse): boolean;
  /** All that were seen. */
  readonly requests: GitRequest[];
  /** May be set at any time. */
  fault: ((request: GitRequest) => GitFault | undefined) | undefined;
}

export function serveGit(origin: Origin, options: GitServerOptions = {}): GitHandler {
  const { repository = 'o/r', writers = ['writer'], readers = ['reader'] } = options;
  const requests: GitRequest[] = [];
  let advertisement: ServiceResult | undefined;

  async function respond(
    request: IncomingMessage,
    response: ServerResponse,
    seen: GitRequest,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const send = (status: number, body: string, headers: http.OutgoingHttpHeaders = {}) =>
      response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(`${body}\n`);
    const fault = handle.fault?.(seen);
    if (fault === 'hang') return;
    if (fault === 'cut') return void request.socket.destroy();
    if (typeof fault === 'object') {
      const { status, body = '', location } = fault;
      return void send(status, body, location === undefined ? {} : { location });
    }
    const mayWrite = writers.includes(seen.token ?? '');
    if (!mayWrite && !readers.includes(seen.token ?? '')) {
      const body = seen.token === undefined ? 'No anonymous access.' : 'Invalid username or token.';
      return void send(401, body, { 'www-authenticate': 'Basic realm="GitHub"' });
    }
    if (!mayWrite && seen.service === 'git-receive-pack') {
      return void send(403, `Permission to ${repository}.git denied to github-actions[bot].`);
    }
    // It lists only what the server can do, so it stays the same.
    const isSame = seen.isAdvertisement && isVersion2(request);
    const result =
      (isSame && advertisement) || (await runService(origin, request, seen, Buffer.concat(chunks)));
    if (isSame) advertisement = result;
    if (fault === 'cut-after') return void request.socket.destroy();
    response.writeHead(200, result.headers).end(result.body);
  }

  const handle: GitHandler = Object.assign(
    (request: IncomingMessage, response: ServerResponse): boolean => {
      const url = new URL(request.url ?? '', 'http://localhost');
      const [, name, path] = /^\/([^/]+\/[^/]+?)(?:\.git)?(\/(?:info\/refs|git-.*))$/.exec(
        decodeURIComponent(url.pathname),
      ) ?? [undefined, undefined, undefined];
      if (name !== repository || path === undefined) return false;
      const service = path === '/info/refs' ? url.searchParams.get('service') : path.slice(1);
      const seen: GitRequest = {
        method: request.method ?? '',
        service: service === 'git-receive-pack' ? service : 'git-upload-pack',
        isAdvertisement: path === '/info/refs',
        token: tokenOf(request.headers.authorization),
        socket: request.socket,
      };
      requests.push(seen);
      respond(request, response, seen).catch(() => request.socket.destroy());
      return true;
    },
    { requests, fault: options.fault },
  );
  return handle;
}

function tokenOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const credentials = Buffer.from(authorization.replace(/^basic /i, ''), 'base64').toString();
  return credentials.replace(/^x-access-token:/, '');
}

interface ServiceResult {
  readonly headers: http.OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Git pushes with an older version, which lists the refs first. */
const isVersion2 = ({ headers }: Pick<IncomingMessage, 'headers'>) =>
  `${headers['git-protocol'] ?? ''}`.includes('version=2');

/**
 * Does what `git http-backend` does, without the process of its own:
 * https://git-scm.com/docs/http-protocol
 */
async function runService(
  { path: root }: Origin,
  { headers }: IncomingMessage,
  { service, isAdvertisement }: GitRequest,
  body: Buffer,
): Promise<ServiceResult> {
  const protocol = `${headers['git-protocol'] ?? ''}`;
  const options = ['--stateless-rpc', ...(isAdvertisement ? ['--advertise-refs'] : [])];
  const child = spawn('git', [service.replace('git-', ''), ...options, root], {
    env: { ...plainGitEnvironment(), GIT_PROTOCOL: protocol },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (data) => output.push(data));
  const input = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
  child.stdin.on('error', () => undefined).end(input);
  await once(child, 'close');
  const line = `# service=${service}\n`;
  const hasHeader = isAdvertisement && !isVersion2({ headers });
  const header = hasHeader ? `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000` : '';
  const type = `application/x-${service}-${isAdvertisement ? 'advertisement' : 'result'}`;
  return {
    headers: { 'content-type': type, 'cache-control': 'no-cache' },
    body: Buffer.concat([Buffer.from(header), ...output]),
  };
}

/** An origin with a server of its own. */
export interface GitServer {
  readonly url: string;
  readonly origin: Origin;
  readonly git: GitHandler;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startGitServer(options: GitServerOptions = {}): Promise<GitServer> {
  const origin = createOrigin();
  const git = serveGit(origin, options);
  const server = http.createServer((request, response) => {
    if (!git(request, response)) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Repository not found.\n');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    origin,
    git,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      origin[Symbol.dispose]();
    },
  };
}
