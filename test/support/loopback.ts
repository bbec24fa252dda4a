import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';

export const httpServer = (tls: TlsOptions | undefined): http.Server =>
  tls === undefined ? http.createServer() : https.createServer(tls);

/** A server on loopback that closes its connections when it closes. */
export class LoopbackServer {
  readonly sockets = new Set<Socket>();
  readonly #server: net.Server;
  /** How many connections were made. */
  connections = 0;

  constructor(server: net.Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.connections += 1;
      this.sockets.add(socket.on('error', () => undefined));
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  /** Defaults to any free port. */
  async listen(port = 0): Promise<this> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

type Behave = (socket: Socket, count: number, bytes: Buffer) => void;

/** A server that calls a function with each connection once its first bytes have arrived. */
export class RawServer extends LoopbackServer {
  private constructor(behave: Behave, tls: TlsOptions | undefined) {
    const server = tls === undefined ? net.createServer() : createServer(tls);
    super(server);
    server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      const count = this.connections;
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => behave(socket, count, bytes));
    });
  }

  static start = (behave: Behave, tls?: TlsOptions): Promise<RawServer> =>
    new RawServer(behave, tls).listen();
}
