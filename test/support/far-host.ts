/** A distant host: connecting to its first address takes a second, and its second has no route. */
import dns, { type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { tls } from './tls.ts';

const ADDRESSES: LookupAddress[] = ['127.0.0.2', '127.0.0.3'].map((address) => {
  return { address, family: 4 };
});
/** Linux queues one more connection than this before the server accepts any, and drops others. */
const BACKLOG = 1;

/**
 * Responds to every request with its method, and makes tunnels to loopback. Blocks its thread, so
 * that it accepts nothing, until it is released.
 */
const SERVER = `
const { parentPort, workerData: { gate, tls, backlog } } = require('node:worker_threads');
const server = require(tls ? 'node:https' : 'node:http').createServer(tls ?? {});
server.on('request', (request, response) => response.end(request.method));
server.on('connect', (request, socket) => {
  const onward = require('node:net').connect(Number(request.url.split(':').at(-1)), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 OK\\r\\n\\r\\n');
    onward.pipe(socket).pipe(onward);
  });
});
server.listen({ port: 0, host: '127.0.0.2', backlog }, () => {
  parentPort.postMessage(server.address().port);
  Atomics.wait(gate, 0, 0);
});
`;

export class FarHost {
  readonly port: number;
  readonly #worker: Worker;
  readonly #gate: Int32Array;
  readonly #fillers: readonly Socket[];

  private constructor(port: number, worker: Worker, gate: Int32Array, fillers: readonly Socket[]) {
    this.port = port;
    this.#worker = worker;
    this.#gate = gate;
    this.#fillers = fillers;
  }

  static async start(isSecure: boolean): Promise<FarHost> {
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const workerData = { gate, backlog: BACKLOG, ...(isSecure && { tls }) };
    const worker = new Worker(SERVER, { eval: true, workerData });
    const [port] = await once(worker, 'message');
    const fillers: Socket[] = [];
    while (fillers.length <= BACKLOG) {
      const filler = net.connect(port, '127.0.0.2').on('error', () => undefined);
      await once(filler, 'connect');
      fillers.push(filler);
    }
    return new FarHost(port, worker, gate, fillers);
  }

  /**
   * Resolves a name to this host from its next lookup on. The connection that follows is dropped
   * once.
   */
  answerTo(name: string): void {
    const { lookup } = dns;
    const own = (asked: string, options: object, callback: (...found: unknown[]) => void) => {
      if (asked !== name) return Reflect.apply(lookup, dns, [asked, options, callback]);
      callback(null, ADDRESSES);
      // Node connects before its next immediate. Linux retries after a second.
      setImmediate(() => {
        Atomics.store(this.#gate, 0, 1);
        Atomics.notify(this.#gate, 0);
      });
    };
    dns.lookup = own as typeof dns.lookup;
    this.#restore = () => {
      dns.lookup = lookup;
    };
  }

  #restore = (): void => undefined;

  async [Symbol.asyncDispose](): Promise<void> {
    this.#restore();
    for (const filler of this.#fillers) filler.destroy();
    Atomics.store(this.#gate, 0, 1);
    Atomics.notify(this.#gate, 0);
    await this.#worker.terminate();
  }
}
