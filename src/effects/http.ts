import http from 'node:http';
import https from 'node:https';
import { formatDuration } from '../duration.ts';
import { CancelledError, messageOf } from '../errors.ts';
import { redact, secretPattern } from '../text.ts';
import { textOfBody, textOfCutBody } from './body.ts';
import type { Delivery, Http, HttpRequest } from './effects.ts';
import { proxyFor, TunnelAgent } from './proxy.ts';

/**
 * Node's own HTTP client, because only there can it be seen whether a request left: the request is
 * written after the connection (and TLS) is established, so an error before that moment is certainly
 * `not-sent`. `fetch` and the clients built on it do not report this.
 *
 * `credentials` are those of the runner's proxies; they are taken out of every error text.
 */
export function createHttp({ credentials }: { readonly credentials: readonly string[] }): Http {
  const secrets = credentials.map(secretPattern);
  const agents = new Set<http.Agent>();
  const kept = new Map<string, http.Agent>();

  function agentFor(url: URL, method: HttpRequest['method']): http.Agent {
    // A write gets a connection of its own: one kept alive may be closed by the other side just as
    // it is used, and then nobody knows whether the write arrived.
    const isKept = method === 'GET';
    const agent = (isKept && kept.get(url.origin)) || newAgent(url, isKept);
    if (isKept) kept.set(url.origin, agent);
    agents.add(agent);
    return agent;
  }

  return {
    async send(request) {
      const delivery = await sendOnce(request, agentFor);
      if (delivery.kind === 'answer') return delivery;
      return { ...delivery, error: redact(delivery.error, secrets) };
    },
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}

function newAgent(url: URL, keepAlive: boolean): http.Agent {
  if (url.protocol === 'http:') return new http.Agent({ keepAlive });
  const proxy = proxyFor(url);
  return proxy === undefined
    ? new https.Agent({ keepAlive })
    : new TunnelAgent(proxy, { keepAlive });
}

async function sendOnce(
  request: HttpRequest,
  agentFor: (url: URL, method: HttpRequest['method']) => http.Agent,
): Promise<Delivery> {
  const { url, method, signal } = request;
  if (signal.aborted) return { kind: 'not-sent', error: reasonOf(signal), code: 'ABORTED' };
  const target = new URL(url);
  try {
    return await exchange(request, target, agentFor(target, method));
  } catch (error) {
    // Only what is thrown before the request is made ends here.
    return { kind: 'not-sent', error: messageOf(error), code: codeOf(error) };
  }
}

function exchange(
  {
    method,
    headers,
    body,
    connectTimeoutMs,
    timeoutMs,
    maxAnswerBytes,
    signal,
    graceMs,
  }: HttpRequest,
  target: URL,
  agent: http.Agent,
): Promise<Delivery> {
  const isSecure = target.protocol === 'https:';
  const request = (isSecure ? https : http).request(target, {
    method,
    agent,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
  });
  const { promise, resolve } = Promise.withResolvers<Delivery>();

  let isSent = false;
  let isOver = false;
  let answer: http.IncomingMessage | undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Where both times are the same, that of the connection is told first.
  const timers = [
    setTimeout(() => {
      if (!isSent) fail(`no connection within ${formatDuration(connectTimeoutMs)}`, 'ETIMEDOUT');
    }, connectTimeoutMs),
    setTimeout(() => fail(`no whole answer within ${formatDuration(timeoutMs)}`), timeoutMs),
  ];

  function settle(delivery: Delivery) {
    isOver = true;
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    resolve(delivery);
  }

  function fail(error: string, code = '') {
    if (isOver) return;
    isOver = true;
    if (answer !== undefined) settle(broken(answer, error));
    else settle(isSent ? { kind: 'lost', error } : { kind: 'not-sent', error, code });
    request.destroy();
  }

  function broken(response: http.IncomingMessage, error: string): Delivery {
    // What came along with the bytes that broke it is still in the stream, and may hold the id.
    while (response.read() !== null);
    const received = textOfCutBody(Buffer.concat(chunks), response.headers, maxAnswerBytes);
    return answered(response, { error, received });
  }

  function onAbort() {
    const stop = () => fail(reasonOf(signal), 'ABORTED');
    const isOnItsWay = isSent && graceMs > 0;
    if (!isOnItsWay) stop();
    // A cancel leaves little time. After an error of our own the write has its whole time.
    else if (signal.reason instanceof CancelledError) timers.push(setTimeout(stop, graceMs));
  }

  function onResponse(response: http.IncomingMessage) {
    answer = response;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxAnswerBytes) chunks.push(chunk);
      else fail(`the answer is larger than ${maxAnswerBytes} bytes`);
    });
    response.on('end', () => {
      if (response.complete) settle(whole(response));
    });
    response.on('error', (error) => fail(errorText(error)));
  }

  function whole(response: http.IncomingMessage): Delivery {
    try {
      const text = textOfBody(Buffer.concat(chunks), response.headers, maxAnswerBytes);
      return answered(response, { text });
    } catch (error) {
      return broken(response, messageOf(error));
    }
  }

  signal.addEventListener('abort', onAbort);
  request.on('error', (error) => fail(errorText(error), codeOf(error)));
  request.on('close', () =>
    fail(
      `the connection was closed ${answer === undefined ? 'before' : 'in the middle of'} the answer`,
    ),
  );
  request.once('socket', (socket) => {
    const write = () => {
      isSent = true;
      request.end(body);
    };
    // A kept TLS socket arrives here with its handshake done.
    const isConnecting = 'secureConnecting' in socket ? socket.secureConnecting : socket.connecting;
    if (isConnecting) socket.once(isSecure ? 'secureConnect' : 'connect', write);
    else write();
  });
  request.once('response', onResponse);
  return promise;
}

function answered(
  response: http.IncomingMessage,
  body: { readonly text: string } | { readonly error: string; readonly received: string },
): Delivery {
  return {
    kind: 'answer',
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'],
    body,
  };
}

/** Why the signal was aborted. An error of our own is not told as a cancel. */
function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof CancelledError
    ? 'the step was cancelled'
    : 'the run was stopped by an error';
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Node's errors for several addresses tried in turn (`AggregateError`) have no message of their own,
 * and those of OpenSSL have one that only its authors can read.
 */
function errorText(error: NodeJS.ErrnoException & { readonly reason?: string }): string {
  if (error.reason !== undefined && error.message.includes('SSL routines')) {
    return `TLS error: ${error.reason}`;
  }
  if (error.message !== '') return error.message;
  const causes = error instanceof AggregateError ? error.errors.map(String) : [];
  return causes.join('; ') || (error.code ?? error.name);
}
