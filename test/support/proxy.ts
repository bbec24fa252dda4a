/** A forward proxy: CONNECT for https, absolute URLs for http. Every name leads to loopback. */
import { once } from 'node:events';
import http from 'node:http';
import https, { type ServerOptions } from 'node:https';
import net, { type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A server on loopback that closes its connections with itself. */
class LoopbackServer {
  readonly #sockets = new Set<net.Socket>();
  readonly #server: net.Server;

  constructor(server: net.Server) {
    this.#server = server;
    server.on('connection', (socket) => this.#sockets.add(socket));
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export class ForwardProxy extends LoopbackServer {
  /** `CONNECT host:port` and `GET http://…`, with their `Host` and credentials. */
  readonly requests: string[] = [];
  readonly hosts: (string | undefined)[] = [];
  readonly credentials: (string | undefined)[] = [];

  /** With `tls` the proxy itself speaks TLS. */
  private constructor({ tls }: { readonly tls?: ServerOptions }) {
    const server = tls === undefined ? http.createServer() : https.createServer(tls);
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

  static async start(options: { readonly tls?: ServerOptions } = {}): Promise<ForwardProxy> {
    return new ForwardProxy(options).listen();
  }

  #note({ method, url, headers }: http.IncomingMessage): void {
    this.requests.push(`${method} ${url}`);
    this.hosts.push(headers.host);
    const basic = headers['proxy-authorization']?.replace(/^Basic /, '');
    this.credentials.push(basic && Buffer.from(basic, 'base64').toString());
  }
}

/** A server that calls a function with each connection after its first bytes have arrived. */
export class RawProxy extends LoopbackServer {
  connections = 0;

  private constructor(behave: (socket: net.Socket, count: number) => void) {
    const server = net.createServer((socket) => {
      this.connections += 1;
      const count = this.connections;
      socket.on('error', () => undefined);
      socket.once('data', () => behave(socket, count));
    });
    super(server);
  }

  static async start(behave: (socket: net.Socket, count: number) => void): Promise<RawProxy> {
    return new RawProxy(behave).listen();
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
