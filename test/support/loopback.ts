import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import nodeTls, { type TlsOptions } from 'node:tls';

export const createHttpServer = (tls: TlsOptions | undefined): http.Server =>
  tls === undefined ? http.createServer() : https.createServer(tls);

/** A server on 127.0.0.1 that closes its connections when it closes. */
export class LoopbackServer {
  readonly #sockets = new Set<Socket>();
  readonly #server: net.Server;
  readonly #scheme: string;
  /** How many connections were made. */
  connections = 0;

  constructor(server: net.Server, scheme = 'http') {
    this.#server = server;
    this.#scheme = scheme;
    server.on('connection', (socket) => {
      this.connections += 1;
      this.#sockets.add(socket.on('error', () => undefined));
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /** Resets every connection. (A TLS socket cannot do it by itself.) */
  resetConnections(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Serves each request so much later, as a distant server does. */
  delay(ms: number): void {
    const [serve] = this.#server.listeners('request');
    this.#server.removeAllListeners('request');
    this.#server.on('request', (...request) => setTimeout(() => serve?.(...request), ms));
  }

  /** On any free port. */
  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

type Behave = (socket: Socket, server: RawServer) => void;

/** A server that calls a function with each connection once its first bytes have arrived. */
export class RawServer extends LoopbackServer {
  private constructor(behave: Behave, tls: TlsOptions | undefined) {
    const server = tls === undefined ? net.createServer() : nodeTls.createServer(tls);
    super(server, tls === undefined ? 'http' : 'https');
    server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => behave(socket, this));
    });
  }

  static start = (behave: Behave, tls?: TlsOptions): Promise<RawServer> =>
    new RawServer(behave, tls).listen();
}
