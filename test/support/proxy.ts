/** A forward proxy: CONNECT for https, absolute URLs for http. Every name resolves to loopback. */
import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import { httpServer, LoopbackServer } from './loopback.ts';

export class ForwardProxy extends LoopbackServer {
  /** `CONNECT host:port` and `GET http://…`, with their `Host` and credentials. */
  readonly requests: string[] = [];
  readonly hosts: (string | undefined)[] = [];
  readonly credentials: (string | undefined)[] = [];

  /** With `tls`, the proxy itself speaks TLS. */
  private constructor(tls: TlsOptions | undefined) {
    const server = httpServer(tls);
    super(server);
    server.on('request', (request, response) => {
      this.#note(request);
      const { port, pathname, search } = new URL(request.url ?? '');
      const path = `${pathname}${search}`;
      const { method, headers } = request;
      const onward = http.request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onward);
    });
    server.on('connect', (request, socket) => {
      this.#note(request);
      socket.on('error', () => undefined);
      const port = Number(request.url?.split(':').at(-1));
      tunnel(socket, port, 'HTTP/1.1 200 Connection established\r\n\r\n');
    });
  }

  static start = (tls?: TlsOptions): Promise<ForwardProxy> => new ForwardProxy(tls).listen();

  #note({ method, url, headers }: http.IncomingMessage): void {
    this.requests.push(`${method} ${url}`);
    this.hosts.push(headers.host);
    const basic = headers['proxy-authorization']?.replace(/^Basic /, '');
    this.credentials.push(basic && Buffer.from(basic, 'base64').toString());
  }
}

/** Makes the requested tunnel. */
export function tunnel(socket: Duplex, port: number, greeting = 'HTTP/1.1 200 OK\r\n\r\n'): void {
  const onward = net.connect(port, '127.0.0.1', () => {
    socket.write(greeting);
    onward.pipe(socket).pipe(onward);
  });
  onward.on('error', () => socket.destroy());
  socket.on('close', () => onward.destroy());
}
