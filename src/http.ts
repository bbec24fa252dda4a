/** HTTP for both services: one fetch through the runner's proxy, and one retry. */
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { Readable } from 'node:stream';
import { getProxyUrl } from '@actions/http-client';
import { Agent, type Dispatcher, Pool, ProxyAgent, Response, request } from 'undici';
import type { Effects, Fetch, FetchInit } from './effects.ts';
import { StepError } from './errors.ts';
import { MINUTE_MS, READ_MS } from './limits.ts';
import { formatDuration } from './text/words.ts';

/** With the version in package.json. */
export const USER_AGENT = 'docs-agent-job/1.0.0';

/** With Node's 250 ms, a distant host is missed: https://github.com/nodejs/node/issues/54359 */
const ADDRESS_TIMEOUT_MS = 2_500;

/**
 * Returns a fetch that goes through the runner's proxy, sends once (undici's own repeats a POST after
 * a 421), follows no redirect, and reads the whole body before it resolves. It rejects with a
 * `FetchError`, or, before anything else, with the reason of a signal that has aborted.
 */
export function createFetch(): Fetch {
  setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_TIMEOUT_MS);
  // undici's default could be Node's own, which has other rules for proxies.
  const direct = new Agent();
  return async (url, init = {}) => {
    const { method = 'GET', headers = {}, body } = init;
    init.signal?.throwIfAborted();
    // By the rules of the runner and its actions. Empty for none.
    const proxy = getProxyUrl(url);
    let isSent = body === undefined;
    const limits = startLimits(init, () => isSent);
    const { signal } = limits;
    // undici reads it once there is a connection.
    async function* read() {
      signal.throwIfAborted();
      isSent = true;
      yield body;
    }
    const sending = body !== undefined && {
      headers: { ...headers, 'content-length': `${Buffer.byteLength(body)}` },
      body: Readable.from(read()),
    };
    let received: Dispatcher.ResponseData | undefined;
    const chunks: Uint8Array[] = [];
    try {
      const dispatcher = proxy === '' ? direct : openProxy(proxy, limits.stop);
      // A connection that is used again may close just then: did the POST arrive?
      const sent = request(url, { dispatcher, method, headers, ...sending, signal, reset: true });
      received = await Promise.race([sent, limits.stopped]);
      for await (const chunk of received.body) chunks.push(chunk);
    } catch (cause) {
      // A response may begin before the whole body was read.
      isSent ||= received !== undefined;
      const through = proxy === '' ? '' : ` through the proxy ${new URL(proxy).host}`;
      const host = `${new URL(url).host}${through}`;
      const message = faultText(host, isSent, received?.statusCode, cause);
      throw new FetchError(message, cause, isSent, Buffer.concat(chunks).toString());
    } finally {
      limits.end();
    }
    // undici's own `Response` is loaded already. It takes only Latin-1: a character for each byte.
    const latin1 = Object.entries(received.headers).map(([name, value]): [string, string] => {
      return [name, Buffer.from(`${value}`).toString('latin1')];
    });
    const content = chunks.length > 0 ? Buffer.concat(chunks) : null;
    return new Response(content, { status: received.statusCode, headers: latin1 });
  };
}

/** What stops a request: its time, a cancel, or `stop`, whichever comes first. */
function startLimits(init: FetchInit, isSent: () => boolean) {
  const { signal: cancel, timeoutMs = READ_MS, graceMs = 0, connectMs = timeoutMs } = init;
  const stopper = new AbortController();
  const { signal } = stopper;
  const stop = (reason: unknown) => stopper.abort(reason);
  const late = new Error(`no whole response within ${formatDuration(timeoutMs)}`);
  const unconnected = new Error(`no connection within ${formatDuration(connectMs)}`);
  let timer = setTimeout(stop, timeoutMs, late);
  const connecting = setTimeout(() => isSent() || stop(unconnected), connectMs);
  function onCancel(): void {
    clearTimeout(timer);
    if (isSent()) timer = setTimeout(stop, graceMs, cancel?.reason);
    // At once: a moment later, there may be a connection.
    else stop(cancel?.reason);
  }
  cancel?.addEventListener('abort', onCancel);

  return {
    signal,
    stop,
    /** Rejects. While a connection is being made, undici does not look at the signal. */
    stopped: new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
    end(): void {
      cancel?.removeEventListener('abort', onCancel);
      clearTimeout(timer);
      clearTimeout(connecting);
    },
  };
}

/** For one request. `onFault` gets why a tunnel failed. Throws if the proxy does not speak HTTP. */
function openProxy(uri: string, onFault: (error: Error) => void) {
  const { username, password } = new URL(uri);
  const credentials = decodeURIComponent(`${username}:${password}`);
  // undici sends no user without a password.
  const token = `Basic ${Buffer.from(credentials).toString('base64')}`;
  // It opens a tunnel that failed again, without end: https://github.com/nodejs/undici/issues/3897
  const factory = (origin: URL, options: object) =>
    new Pool(origin, options).on('connectionError', (_origin, _targets, error) => onFault(error));
  return new ProxyAgent({ uri, factory, ...(credentials !== ':' && { token }) });
}

/** Why there is no whole response, as a part of a sentence, with untrusted text. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  /** Whether the other side may have the request. */
  readonly isSent: boolean;
  /** What came of the body. */
  readonly received: string;

  constructor(message: string, cause: unknown, isSent: boolean, received: string) {
    super(message, { cause });
    this.isSent = isSent;
    this.received = received;
  }
}

/** Names the host, as the errors of Node often have only an address. */
function faultText(host: string, isSent: boolean, status: number | undefined, cause: unknown) {
  const { message } = innermost(cause);
  if (status !== undefined)
    return `HTTP ${status}, and the rest of the response did not come: ${message}`;
  if (isUntrusted(cause))
    return `the certificate of ${host} is not trusted: ${message} (for a private authority, set NODE_EXTRA_CA_CERTS to its PEM file)`;
  return `${isSent ? 'no response from' : 'no connection to'} ${host}: ${message}`;
}

/** The error below Octokit's or undici's. A host with several addresses has an error for each. */
function innermost(error: unknown): NodeJS.ErrnoException {
  if (error instanceof AggregateError) return innermost(error.errors[0]);
  if (!(error instanceof Error)) return new Error(String(error));
  return error.cause instanceof Error ? innermost(error.cause) : error;
}

/** Whether no connection was made for a body, so that the other side certainly did not get it. */
export const wasNotSent = (error: unknown): boolean => error instanceof FetchError && !error.isSent;

/** Node's codes for a certificate: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const BAD_CERTIFICATE =
  /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|CRL_|INVALID_|HOSTNAME_|ERR_TLS_CERT)/;

export const isUntrusted = (error: unknown): boolean =>
  BAD_CERTIFICATE.test(`${innermost(error).code}`);

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

/**
 * Tries at least once, and again while that may help and the next try would start before the
 * deadline. Returns the last try's value. Throws the signal's reason after a cancel.
 */
export async function retry<T>(
  attempt: () => Promise<Try<T>>,
  { clock, signal, deadline, runner }: Effects,
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

/**
 * Milliseconds to wait after the `failures`th failure in a row, at least `retryAfterMs`. Half of it
 * is jitter, because many runs can fail at once. `random` is at least 0 and below 1.
 */
export function backoffMs(failures: number, random: number, retryAfterMs = 0): number {
  const fullMs = Math.min(MINUTE_MS, 1_000 * 2 ** (failures - 1));
  return Math.max(fullMs * (0.5 + random / 2), retryAfterMs);
}

/**
 * Milliseconds to wait from `date` (ms since 1970). `undefined` without a usable header.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter(header: string | null, date: number): number | undefined {
  const text = header ?? '';
  // Some servers send a fraction. A header that is sent twice reads `20, 20`.
  const [, seconds] = /^(\d+(?:\.\d+)?)(?:,|$)/.exec(text) ?? [];
  const ms = seconds === undefined ? Date.parse(text) - date : Number(seconds) * 1_000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
