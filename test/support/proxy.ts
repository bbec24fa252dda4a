/** A forward proxy: CONNECT, and whole URLs for git and http. Every name resolves to loopback. */
import http from 'node:http';
import net from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { createFetch } from '../../src/http.ts';
import { LoopbackServer } from './loopback.ts';

/** The action's fetch on a runner with these variables, until the test ends. */
export function fetchWith(variables: Readonly<Record<string, string>>) {
  vi.unstubAllEnvs();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return createFetch();
}

export class ForwardProxy extends LoopbackServer {
  /** `CONNECT host:port` and `GET http://…`. */
  readonly requests: string[] = [];
  /** The `user:password` of each request. */
  readonly credentials: (string | undefined)[] = [];

  private constructor(refusesWith: number | undefined) {
    const server = http.createServer();
    super(server);
    server.on('request', (request, response) => {
      this.#note(request);
      const { port, pathname, search } = new URL(request.url ?? '');
      const { method } = request;
      const { 'proxy-authorization': _, ...headers } = request.headers;
      const path = `${pathname}${search}`;
      const onward = http.request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      });
      request.pipe(onward.on('error', () => response.destroy()));
    });
    server.on('connect', (request, socket) => {
      this.#note(request);
      socket.on('error', () => undefined);
      if (refusesWith !== undefined) {
        socket.end(`HTTP/1.1 ${refusesWith} Refused\r\ncontent-length: 7\r\n\r\nrefused`);
        return;
      }
      const onward = net.connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => socket.destroy());
      socket.on('close', () => onward.destroy());
    });
  }

  /** `refusesWith` is the status that each CONNECT gets. */
  static start = ({ refusesWith }: { readonly refusesWith?: number } = {}): Promise<ForwardProxy> =>
    new ForwardProxy(refusesWith).listen();

  #note({ method, url, headers }: http.IncomingMessage): void {
    this.requests.push(`${method} ${url}`);
    const basic = headers['proxy-authorization']?.replace(/^Basic /, '');
    this.credentials.push(basic && Buffer.from(basic, 'base64').toString());
  }
}
