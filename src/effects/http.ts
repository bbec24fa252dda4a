import http from 'node:http';
import https from 'node:https';
import { type Socket, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { CancelledError, messageOf } from '../model/run-error.ts';
import { formatDuration } from '../text/duration.ts';
import { redact, secretOf } from '../text/secrets.ts';
import { bodyOf } from './body.ts';
import {
  type Delivery,
  type Http,
  type HttpRequest,
  type HttpResponse,
  tooLarge,
} from './effects.ts';
import { agentFor, withoutProxyCredentials } from './proxy.ts';

/**
 * How long to try each address of a host that has several. With Node's default of 250 ms, a distant
 * host is never reached if its last address has no route.
 * https://nodejs.org/api/net.html#netsetdefaultautoselectfamilyattempttimeoutvalue
 */
const ADDRESS_TIMEOUT_MS = 5_000;
/** The largest response header to read, in bytes. Node's default is 16 kB. */
const MAX_HEAD_BYTES = 64 * 1024;

/**
 * Uses Node's HTTP client because, unlike `fetch`, it shows whether a request was sent. A request
 * is written only after the connection (and TLS) is established, so an earlier error certainly
 * means `not-sent`. Every error text is free of `proxyCredentials`.
 */
export function createHttp(proxyCredentials: readonly string[]): Http {
  // Set a default for the process, because Node's agents ignore their own option when connecting to
  // a proxy.
  setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_TIMEOUT_MS);
  const secrets = proxyCredentials.map(secretOf);
  const agents: http.Agent[] = [];
  /** The agents of reads by origin, whose connections are reused. */
  const kept = new Map<string, http.Agent>();

  function agentOf(url: URL, method: HttpRequest['method']): http.Agent {
    // A write needs a new connection. A server may close a kept-alive one just as it is used, which
    // leaves it open whether the write arrived.
    const isRead = method === 'GET';
    const known = isRead ? kept.get(url.origin) : undefined;
    if (known !== undefined) return known;
    const agent = agentFor(url, isRead);
    agents.push(agent);
    if (isRead) kept.set(url.origin, agent);
    return agent;
  }

  return {
    async send(request) {
      const { url, method, signal } = request;
      if (signal.aborted) return { kind: 'not-sent', error: reasonOf(signal), code: 'ABORTED' };
      try {
        const target = new URL(url);
        const agent = agentOf(target, method);
        const delivery = await new Promise<Delivery>((resolve) => {
          new Exchange(request, target, agent, resolve).start();
        });
        if (delivery.kind === 'response') return delivery;
        return { ...delivery, error: redact(delivery.error, secrets) };
      } catch (error) {
        // Catches only errors thrown before the request is made.
        return { kind: 'not-sent', error: redact(messageOf(error), secrets), code: codeOf(error) };
      }
    },
    isTlsVerified: process.env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0',
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}

type Resolve = (delivery: Delivery) => void;

/** One request and its response. The first event that decides the outcome calls `resolve`. */
class Exchange {
  readonly #resolve: Resolve;
  readonly #options: HttpRequest;
  readonly #request: http.ClientRequest;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #startedAtMs = performance.now();
  #response: http.IncomingMessage | undefined;
  /** The body so far, with room for more, because chunks may be many and small. */
  #body = Buffer.alloc(0);
  #bodyLength = 0;
  /** The request has begun to be sent. */
  #isSent = false;
  #isOver = false;

  constructor(options: HttpRequest, target: URL, agent: http.Agent, resolve: Resolve) {
    const { method, body } = options;
    this.#options = options;
    this.#resolve = resolve;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const headers = { ...options.headers, ...length };
    const { request } = target.protocol === 'https:' ? https : http;
    this.#request = request(target, { method, agent, headers, maxHeaderSize: MAX_HEAD_BYTES });
  }

  start(): void {
    const { connectTimeoutMs, timeoutMs, signal, responseLimit } = this.#options;
    // If both limits are equal, the connection's timer fires first and provides the error.
    this.#after(connectTimeoutMs, () => {
      if (this.#isSent) return;
      this.#fail(`no connection within ${formatDuration(connectTimeoutMs)}`, 'ETIMEDOUT');
    });
    if (responseLimit === undefined) this.#limitResponse(timeoutMs);
    signal.addEventListener('abort', this.#onAbort);
    this.#request.once('socket', (socket) => this.#onSocket(socket));
    this.#request.once('response', (response) => this.#onResponse(response));
    this.#request.on('error', (error) => this.#fail(errorText(error), codeOf(error)));
    this.#request.on('close', () => {
      this.#fail('the connection was closed before the whole response had come');
    });
  }

  /**
   * Runs `late` after pending input is read. A process that was suspended would otherwise run its
   * timers first.
   */
  #after(ms: number, late: () => void): void {
    this.#timers.push(setTimeout(() => setImmediate(() => setImmediate(late)), ms));
  }

  #limitResponse(ms: number): void {
    this.#after(ms, () => this.#fail(`no whole response within ${formatDuration(ms)}`));
  }

  #onSocket(socket: Socket): void {
    const write = () => this.#send();
    // A kept-alive TLS socket has already completed its handshake.
    const isSecure = 'secureConnecting' in socket;
    const isConnecting = isSecure ? socket.secureConnecting : socket.connecting;
    if (isConnecting) socket.once(isSecure ? 'secureConnect' : 'connect', write);
    else write();
  }

  #send(): void {
    const { body, timeoutMs, responseLimit } = this.#options;
    this.#isSent = true;
    if (responseLimit !== undefined) {
      const leftMs = timeoutMs - (performance.now() - this.#startedAtMs);
      this.#limitResponse(Math.max(responseLimit.minMs, Math.min(leftMs, responseLimit.maxMs)));
    }
    this.#request.end(body);
  }

  #onResponse(response: http.IncomingMessage): void {
    const { maxResponseBytes } = this.#options;
    this.#response = response;
    response.on('data', (chunk: Buffer) => {
      const length = this.#bodyLength + chunk.length;
      if (length > maxResponseBytes) {
        this.#fail(tooLarge(maxResponseBytes));
        return;
      }
      if (length > this.#body.length) {
        const size = Math.min(2 * length, maxResponseBytes);
        this.#body = Buffer.concat([this.#body], size);
      }
      this.#bodyLength += chunk.copy(this.#body, this.#bodyLength);
    });
    response.on('end', () => {
      if (response.complete) this.#settle(this.#responseOf(response));
    });
    response.on('error', (error) => this.#fail(errorText(error)));
  }

  readonly #onAbort = (): void => {
    const { signal, graceMs } = this.#options;
    const stop = () => this.#fail(reasonOf(signal), 'ABORTED');
    const isOnItsWay = this.#isSent && graceMs > 0;
    if (!isOnItsWay) stop();
    // A cancel leaves little time. After an unexpected error, the write keeps its full time.
    else if (signal.reason instanceof CancelledError) this.#after(graceMs, stop);
  };

  #fail(error: string, code = ''): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#response !== undefined) this.#settle(this.#responseOf(this.#response, error));
    else if (this.#isSent) this.#settle({ kind: 'lost', error });
    else this.#settle({ kind: 'not-sent', error, code });
    this.#request.destroy();
  }

  #settle(delivery: Delivery): void {
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#resolve(delivery);
  }

  #responseOf(response: http.IncomingMessage, cutBecause?: string): HttpResponse {
    // Bytes before the broken ones may contain the ID. Reading them triggers the `data` handler.
    while (response.read() !== null);
    const { statusCode: status = 0, headers } = response;
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    const bytes = this.#body.subarray(0, this.#bodyLength);
    const body = bodyOf(bytes, headers, this.#options.maxResponseBytes, cutBecause);
    return { kind: 'response', status, headers: Object.fromEntries(texts), body };
  }
}

/** Why the signal was aborted. An unexpected error isn't reported as a cancel. */
const reasonOf = ({ reason }: AbortSignal) =>
  reason instanceof CancelledError ? 'the step was cancelled' : 'the run was stopped by an error';

const codeOf = (error: unknown) => String((error as NodeJS.ErrnoException).code ?? '');

/**
 * The text of an error. Node's errors for several addresses (`AggregateError`) have no message, and
 * OpenSSL's messages are cryptic.
 */
export function errorText(error: NodeJS.ErrnoException & { readonly reason?: string }): string {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return `the response has more than ${MAX_HEAD_BYTES / 1024} kB of headers`;
  }
  if (error.reason !== undefined && error.message.includes('SSL routines')) {
    return `TLS error: ${error.reason}`;
  }
  if (error.message !== '') return withoutProxyCredentials(error.message);
  const causes = error instanceof AggregateError ? error.errors.map(String) : [];
  return causes.join('; ') || (error.code ?? error.name);
}
