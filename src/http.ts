/** HTTP for both services: one fetch through the runner's proxy, and one retry. */
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { Readable } from 'node:stream';
import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import type { Limits, Runner } from './effects.ts';
import { messageOf, StepError } from './errors.ts';
import { formatDuration } from './text/words.ts';

/** Of a read, from the connection to the last byte. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** With Node's 250 ms, a distant host is missed: https://github.com/nodejs/node/issues/54359 */
const ADDRESS_TIMEOUT_MS = 2_500;

export interface FetchInit {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** The default is 30 s. */
  readonly timeoutMs?: number;
  /** How long to wait on after `signal` has aborted, if `body` is being sent. The default is 0. */
  readonly graceMs?: number;
}

export type Fetch = (url: string, init?: FetchInit) => Promise<Response>;

/**
 * Returns a fetch that goes through the proxy of `env`, sends once, follows no redirect, and reads
 * the whole body before it resolves. It rejects with undici's error, with the reason of the signal,
 * with a `NotConnected`, or, once the response has begun, with a `CutResponse`.
 *
 * undici's own `fetch` would send a POST again after a 421, and a connection that is used again may
 * close just then, which leaves it open whether a POST arrived.
 */
export function createFetch(env: NodeJS.ProcessEnv): Fetch {
  setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_TIMEOUT_MS);
  const read = (name: string) => env[name] || env[name.toUpperCase()] || '';
  let dispatcher: Dispatcher | undefined;
  return async (url, { method = 'GET', headers = {}, body, ...limits } = {}) => {
    limits.signal?.throwIfAborted();
    // Not before, as it throws if a proxy's address is not an http URL.
    dispatcher ??= new EnvHttpProxyAgent({
      httpProxy: read('http_proxy'),
      httpsProxy: read('https_proxy'),
      noProxy: read('no_proxy'),
    });
    let isSending = body === undefined;
    // undici reads it once there is a connection.
    async function* content() {
      isSending = true;
      yield body;
    }
    using timer = startTimer(limits, () => isSending);
    const { signal } = timer;
    const sending = body !== undefined && {
      headers: { ...headers, 'content-length': `${Buffer.byteLength(body)}` },
      body: Readable.from(content()),
    };
    const sent = request(url, { dispatcher, method, headers, ...sending, signal, reset: true });
    // While a connection is being made, undici does not look at the signal.
    const received = await Promise.race([sent, timer.aborted]);
    const { statusCode: status } = received;
    const bytes = await readBody(status, received.body);
    // `Response` takes only Latin-1, which has a character for each byte.
    const latin1 = Object.entries(received.headers).map(([name, value]): [string, string] => {
      return [name, Buffer.from(`${value}`).toString('latin1')];
    });
    return new Response(bytes.length > 0 ? bytes : null, { status, headers: latin1 });
  };
}

/** The caller's signal aborted a request with a body before there was a connection. */
class NotConnected extends Error {
  readonly code = 'NOT_CONNECTED';
}

/** Aborts once the time is over, or after the caller's signal, which leaves what is sent its grace. */
function startTimer(
  { timeoutMs = REQUEST_TIMEOUT_MS, graceMs = 0, signal }: FetchInit,
  isSending: () => boolean,
) {
  const controller = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const abortAfter = (ms: number, reason: unknown) =>
    timers.push(setTimeout(() => controller.abort(reason), ms));
  const onAbort = () => {
    if (isSending()) abortAfter(graceMs, signal?.reason);
    // At once: a moment later, there may be a connection.
    else controller.abort(new NotConnected(messageOf(signal?.reason)));
  };
  abortAfter(timeoutMs, new Error(`no whole response within ${formatDuration(timeoutMs)}`));
  signal?.addEventListener('abort', onAbort);
  return {
    signal: controller.signal,
    aborted: new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
    }),
    [Symbol.dispose]() {
      signal?.removeEventListener('abort', onAbort);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** The body of a response ended early. */
export class CutResponse extends Error {
  override readonly name = 'CutResponse';
  readonly received: string;

  constructor(status: number, received: string, cause: unknown) {
    super(`HTTP ${status}, and the rest of the response did not come: ${messageOf(cause)}`);
    this.received = received;
  }
}

async function readBody(status: number, body: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (cause) {
    throw new CutResponse(status, Buffer.concat(chunks).toString(), cause);
  }
  return Buffer.concat(chunks);
}

/** The system calls that fail before anything is sent. */
const CONNECTING = /^(connect|getaddrinfo)$/;
/** Our, undici's and Node's codes for the same. The last two are those of an unusable proxy URL. */
const NOT_SENT = /^(NOT_CONNECTED|UND_ERR_CONNECT_TIMEOUT|UND_ERR_INVALID_ARG|ERR_INVALID_URL)$/;
/** undici's text for a refused CONNECT, whose code is that of an aborted request. */
const REFUSED_TUNNEL = /^Proxy response \(\d+\) !== 200/;
/** Node's codes for a certificate: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const BAD_CERTIFICATE =
  /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|CRL_|INVALID_|HOSTNAME_|ERR_TLS_CERT)/;

/** The error below Octokit's or undici's. A host with several addresses has an error for each. */
function innermost(error: unknown): NodeJS.ErrnoException {
  if (error instanceof AggregateError) return innermost(error.errors[0]);
  if (!(error instanceof Error)) return new Error(String(error));
  return error.cause instanceof Error ? innermost(error.cause) : error;
}

/** Whether no connection was made, so that the other side certainly did not get the request. */
export function wasNotSent(error: unknown): boolean {
  const { code, syscall, message } = innermost(error);
  return (
    CONNECTING.test(`${syscall}`) ||
    NOT_SENT.test(`${code}`) ||
    REFUSED_TUNNEL.test(message) ||
    isUntrusted(error)
  );
}

export const isUntrusted = (error: unknown): boolean =>
  BAD_CERTIFICATE.test(`${innermost(error).code}`);

/** Describes an error of the fetch in a part of a sentence, with untrusted text. */
export function describeFault(error: unknown): string {
  const inner = innermost(error);
  if (inner instanceof CutResponse) return inner.message;
  if (isUntrusted(inner)) {
    return `the certificate is not trusted: ${inner.message} (for a private authority, set NODE_EXTRA_CA_CERTS to its PEM file)`;
  }
  const what = wasNotSent(inner) ? 'no connection could be made' : 'no response came';
  return `${what}: ${inner.message}`;
}

/** Throws a `StepError` if Node does not check certificates. */
export function checkCertificates(env: NodeJS.ProcessEnv): void {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return;
  const message =
    'Nothing was sent, because `NODE_TLS_REJECT_UNAUTHORIZED` is `0`: anyone on the way could read the key';
  throw new StepError('certificates', message);
}

/** How a try ended, and, if another one may end better, `again`. */
export interface Try<T> {
  readonly value: T;
  readonly again?: { readonly why: string; readonly retryAfterMs?: number | undefined };
}

interface RetryOptions extends Limits {
  readonly runner: Pick<Runner, 'info'>;
}

/**
 * Tries at least once, and again while that may help and the next try would start before the
 * deadline. Returns the last try's value. Throws the signal's reason after a cancel.
 */
export async function retry<T>(
  attempt: () => Promise<Try<T>>,
  { clock, signal, deadline, runner }: RetryOptions,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    signal.throwIfAborted();
    const { value, again } = await attempt();
    if (again === undefined) return value;
    signal.throwIfAborted();
    const pauseMs = backoffMs(failures, clock.random(), again.retryAfterMs);
    if (clock.now() + pauseMs > deadline) return value;
    runner.info(`${again.why}. Trying again in ${formatDuration(pauseMs)}.`);
    await clock.sleep(pauseMs, signal);
    // The machine may have slept.
    if (clock.now() > deadline) return value;
  }
}

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * Milliseconds to wait after the `failures`th failure in a row, at least `retryAfterMs`. Half of it
 * is jitter, because many runs can fail at once. `random` is at least 0 and below 1.
 */
export function backoffMs(failures: number, random: number, retryAfterMs = 0): number {
  const fullMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
  return Math.max(fullMs * (0.5 + random / 2), retryAfterMs);
}

/**
 * Milliseconds to wait from `date` (ms since 1970). `undefined` without a usable header.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter(header: string | null, date: number): number | undefined {
  const text = header ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - date;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
