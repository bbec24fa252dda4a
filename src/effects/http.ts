import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { formatDuration } from '../lib/duration.ts';
import { CancelledError, messageOf } from '../lib/errors.ts';
import { redact, Secret } from '../lib/secrets.ts';
import { textOfBody, textOfCutBody } from './body.ts';
import type { Delivery, Http, HttpRequest, HttpResponse } from './effects.ts';
import { proxyFor, requestToProxy, TunnelAgent } from './proxy.ts';

/**
 * Uses Node's own HTTP client, because it shows whether a request was sent. The request is written
 * after the connection (and TLS) is established, so an error before that moment certainly means
 * `not-sent`. `fetch` and the clients built on it do not report this.
 *
 * `credentials` are those of the runner's proxies; they are removed from every error text.
 */
export function createHttp({ credentials }: { readonly credentials: readonly string[] }): Http {
  const secrets = credentials.map((secret) => new Secret(secret));
  const agents = new Set<http.Agent>();
  const keepAliveAgents = new Map<string, http.Agent>();

  function agentFor(url: URL, method: HttpRequest['method']): http.Agent {
    // A write gets a new connection. The server may close a kept-alive one just as it is used, and
    // then it is not known whether the write arrived.
    const isKept = method === 'GET';
    const agent = (isKept && keepAliveAgents.get(url.origin)) || newAgent(url, isKept);
    if (isKept) keepAliveAgents.set(url.origin, agent);
    agents.add(agent);
    return agent;
  }

  return {
    async send(request) {
      const delivery = await sendOnce(request, agentFor);
      if (delivery.kind === 'response') return delivery;
      return { ...delivery, error: redact(delivery.error, secrets) };
    },
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}

/** The agent for the requests to an origin, through the runner's proxy if it has one. */
export function newAgent(url: URL, keepAlive: boolean): http.Agent {
  const proxy = proxyFor(url);
  if (url.protocol === 'http:') {
    // The agent of the proxy's own scheme, for {@link newRequest}.
    return proxy?.protocol === 'https:'
      ? new https.Agent({ keepAlive })
      : new http.Agent({ keepAlive });
  }
  return proxy === undefined
    ? new https.Agent({ keepAlive })
    : new TunnelAgent(proxy, { keepAlive });
}

interface RequestOptions {
  readonly method: HttpRequest['method'];
  readonly agent: http.Agent;
  readonly headers: Readonly<Record<string, string | number>>;
}

/** A proxy takes the whole URL of a request without TLS. RFC 9112, section 3.2.2. */
function newRequest(url: URL, options: RequestOptions): http.ClientRequest {
  if (url.protocol === 'https:') return https.request(url, options);
  const proxy = proxyFor(url);
  if (proxy === undefined) return http.request(url, options);
  const headers = { ...options.headers, host: url.host };
  return requestToProxy(proxy, { ...options, path: url.href, headers });
}

async function sendOnce(
  request: HttpRequest,
  agentFor: (url: URL, method: HttpRequest['method']) => http.Agent,
): Promise<Delivery> {
  const { url, method, signal } = request;
  if (signal.aborted) return { kind: 'not-sent', error: reasonOf(signal), code: 'ABORTED' };
  const target = new URL(url);
  try {
    return await new Exchange(request, target, agentFor(target, method)).delivery;
  } catch (error) {
    // Only errors that are thrown before the request is made are caught here.
    return { kind: 'not-sent', error: messageOf(error), code: codeOf(error) };
  }
}

/** One request and its answer. The first event that decides the result settles `delivery`. */
class Exchange {
  readonly delivery: Promise<Delivery>;
  readonly #resolve: (delivery: Delivery) => void;
  readonly #options: HttpRequest;
  readonly #request: http.ClientRequest;
  readonly #timers: NodeJS.Timeout[];
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #response: http.IncomingMessage | undefined;
  #isSent = false;
  #isOver = false;

  constructor(options: HttpRequest, target: URL, agent: http.Agent) {
    const { method, body, connectTimeoutMs, timeoutMs, signal } = options;
    this.#options = options;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const headers = { ...options.headers, ...length };
    this.#request = newRequest(target, { method, agent, headers });
    let settle: (delivery: Delivery) => void = () => undefined;
    // `Promise.withResolvers` is missing in Node 20.
    this.delivery = new Promise((resolve) => {
      settle = resolve;
    });
    this.#resolve = settle;
    // If both limits are the same, the timer of the connection fires first and gives the error.
    this.#timers = [
      setTimeout(() => this.#onConnectTimeout(), connectTimeoutMs),
      setTimeout(
        () => this.#fail(`no whole answer within ${formatDuration(timeoutMs)}`),
        timeoutMs,
      ),
    ];
    signal.addEventListener('abort', this.#onAbort);
    this.#request.once('socket', (socket) => this.#onSocket(socket));
    this.#request.once('response', (response) => this.#onResponse(response));
    this.#request.on('error', (error) => this.#fail(errorText(error), codeOf(error)));
    this.#request.on('close', () => {
      this.#fail('the connection was closed before the whole answer had come');
    });
  }

  #onConnectTimeout(): void {
    if (this.#isSent) return;
    const { connectTimeoutMs } = this.#options;
    this.#fail(`no connection within ${formatDuration(connectTimeoutMs)}`, 'ETIMEDOUT');
  }

  #onSocket(socket: Socket): void {
    const write = () => {
      this.#isSent = true;
      this.#request.end(this.#options.body);
    };
    // A kept-alive TLS socket has already done its handshake.
    const isSecure = 'secureConnecting' in socket;
    const isConnecting = isSecure ? socket.secureConnecting : socket.connecting;
    if (isConnecting) socket.once(isSecure ? 'secureConnect' : 'connect', write);
    else write();
  }

  #onResponse(response: http.IncomingMessage): void {
    const { maxResponseBytes } = this.#options;
    this.#response = response;
    response.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes <= maxResponseBytes) this.#chunks.push(chunk);
      else this.#fail(`the answer is larger than ${maxResponseBytes} bytes`);
    });
    response.on('end', () => {
      if (response.complete) this.#settle(this.#completeResponse(response));
    });
    response.on('error', (error) => this.#fail(errorText(error)));
  }

  readonly #onAbort = (): void => {
    const { signal, graceMs } = this.#options;
    const stop = () => this.#fail(reasonOf(signal), 'ABORTED');
    const isOnItsWay = this.#isSent && graceMs > 0;
    if (!isOnItsWay) stop();
    // A cancel leaves little time. After an unexpected error the write keeps its full time.
    else if (signal.reason instanceof CancelledError) this.#timers.push(setTimeout(stop, graceMs));
  };

  #fail(error: string, code = ''): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#response !== undefined) this.#settle(this.#incompleteResponse(this.#response, error));
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

  #completeResponse(response: http.IncomingMessage): HttpResponse {
    try {
      const received = Buffer.concat(this.#chunks);
      return responseOf(response, {
        text: textOfBody(received, response.headers, this.#options.maxResponseBytes),
      });
    } catch (error) {
      return this.#incompleteResponse(response, messageOf(error));
    }
  }

  #incompleteResponse(response: http.IncomingMessage, error: string): HttpResponse {
    // Bytes that arrived together with the broken ones are still in the stream, and may contain the
    // id.
    while (response.read() !== null);
    const received = Buffer.concat(this.#chunks);
    return responseOf(response, {
      error,
      received: textOfCutBody(received, response.headers, this.#options.maxResponseBytes),
    });
  }
}

function responseOf(response: http.IncomingMessage, body: HttpResponse['body']): HttpResponse {
  return {
    kind: 'response',
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'],
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    ),
    body,
  };
}

/** Why the signal was aborted. An unexpected error is not reported as a cancel. */
function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof CancelledError
    ? 'the step was cancelled'
    : 'the run was stopped by an error';
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * The text of an error. Node's errors for several addresses tried in turn (`AggregateError`) have
 * no message, and those of OpenSSL have one that only its authors understand.
 */
export function errorText(error: NodeJS.ErrnoException & { readonly reason?: string }): string {
  if (error.reason !== undefined && error.message.includes('SSL routines')) {
    return `TLS error: ${error.reason}`;
  }
  if (error.message !== '') return error.message;
  const causes = error instanceof AggregateError ? error.errors.map(String) : [];
  return causes.join('; ') || (error.code ?? error.name);
}
