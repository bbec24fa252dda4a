/** A forward proxy: CONNECT for https, absolute URLs for http. Every name leads to loopback. */
import { once } from 'node:events';
import http from 'node:http';
import https, { type ServerOptions } from 'node:https';
import net, { type AddressInfo } from 'node:net';

interface ProxyOptions {
  /** The status of the answer to CONNECT. */
  readonly status?: number;
  /** With it the proxy itself speaks TLS. */
  readonly tls?: ServerOptions;
}

export class ForwardProxy {
  /** `CONNECT host:port` and `GET http://…`, with their credentials. */
  readonly requests: string[] = [];
  readonly credentials: (string | undefined)[] = [];
  readonly #sockets = new Set<net.Socket>();
  readonly #server: http.Server;
  readonly #status: number;

  private constructor({ status = 200, tls }: ProxyOptions) {
    this.#status = status;
    const server = tls === undefined ? http.createServer() : https.createServer(tls);
    this.#server = server;
    server.on('request', (request, response) => {
      this.#note(request);
      const { hostname, port, pathname, search } = new URL(request.url ?? '');
      const path = `${pathname}${search}`;
      const headers = { ...request.headers, host: hostname };
      const onward = http.request(
        { host: '127.0.0.1', port, path, method: request.method, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      request.pipe(onward);
    });
    this.#server.on('connection', (socket) => this.#sockets.add(socket));
    this.#server.on('connect', (request, socket) => {
      this.#note(request);
      if (this.#status !== 200) {
        socket.end(`HTTP/1.1 ${this.#status} No\r\n\r\n`);
        return;
      }
      const port = Number(request.url?.split(':').at(-1));
      const onward = net.connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        onward.pipe(socket);
        socket.pipe(onward);
      });
      this.#sockets.add(onward);
      onward.on('error', () => undefined).on('close', () => socket.destroy());
      socket.on('error', () => undefined).on('close', () => onward.destroy());
    });
  }

  static async start(options: ProxyOptions = {}): Promise<ForwardProxy> {
    const proxy = new ForwardProxy(options);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #note({ method, url, headers }: http.IncomingMessage): void {
    this.requests.push(`${method} ${url}`);
    const basic = headers['proxy-authorization']?.replace(/^Basic /, '');
    this.credentials.push(basic && Buffer.from(basic, 'base64').toString());
  }
}

/** A server that calls a function with each connection after its first bytes have arrived. */
export class RawProxy {
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  connections = 0;

  private constructor(behave: (socket: net.Socket, count: number) => void) {
    this.#server = net.createServer((socket) => {
      this.connections += 1;
      const count = this.connections;
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => behave(socket, count));
    });
  }

  static async start(behave: (socket: net.Socket, count: number) => void): Promise<RawProxy> {
    const proxy = new RawProxy(behave);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
