/**
 * Everything that the action does outside its own memory. Only index.ts creates the real
 * implementations.
 */
import type { Annotation } from '../model/annotation.ts';

export interface Effects {
  readonly http: Http;
  readonly clock: Clock;
  readonly runner: Runner;
  readonly files: Files;
  /** Aborts when the runner cancels the step, with a `CancelledError` as its reason. */
  readonly signal: AbortSignal;
}

/**
 * The code of a `not-sent` delivery whose proxy is unusable, because of its kind or an old Node.
 */
export const PROXY_NOT_SUPPORTED = 'ERR_PROXY_NOT_SUPPORTED';
/** What to do then, without a trailing period. */
export const PROXY_ADVICE =
  'Use an `http://` or `https://` proxy and Node.js 24.5 or later, or add the host to `no_proxy`';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the start until the request begins to be sent. */
  readonly connectTimeoutMs: number;
  /** From the start to the last byte. */
  readonly timeoutMs: number;
  /**
   * For a request whose response must not be lost. Once the request begins to be sent, the response
   * gets what is left of `timeoutMs`, but at least `minMs` and at most `maxMs`.
   */
  readonly responseLimit?: { readonly minMs: number; readonly maxMs: number };
  /** The largest body to read, both encoded and decoded. */
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal;
  /** How long to wait for the response after a cancel, if the request was already sent. */
  readonly graceMs: number;
}

/** The outcome of a request: its response, that it was never sent, or that no response came. */
export type Delivery =
  | HttpResponse
  /** No connection was made. */
  | { readonly kind: 'not-sent'; readonly error: string; readonly code: string }
  /** The request began to be sent, and no status line came back. */
  | { readonly kind: 'lost'; readonly error: string };

export interface HttpResponse {
  readonly kind: 'response';
  readonly status: number;
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: HttpBody;
}

export type HttpBody =
  | { readonly kind: 'whole'; readonly text: string }
  /** `error` says why the rest is missing. */
  | { readonly kind: 'cut'; readonly received: string; readonly error: string };

/** The error for a body larger than `maxResponseBytes`. */
export const tooLarge = (maxBytes: number) => `the response is larger than ${maxBytes} bytes`;

export interface Http {
  /** Sends one request once. Doesn't follow redirects, never retries and never rejects. */
  send(request: HttpRequest): Promise<Delivery>;
  /** Whether Node verifies certificates (`NODE_TLS_REJECT_UNAUTHORIZED` is not `0`). */
  readonly isTlsVerified: boolean;
  /** Closes every connection, including those still being made. */
  close(): void;
}

export interface Clock {
  /** Milliseconds on a clock that never jumps. */
  now(): number;
  /** Milliseconds since 1970, to compare with external dates. */
  date(): number;
  /** At least 0 and below 1. */
  random(): number;
  /** Resolves after `ms` milliseconds, or as soon as `signal` aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Resolves once every pending process signal is handled. */
  handleSignals(): Promise<void>;
}

export interface Runner {
  /** Masks a secret in everything logged from now on. */
  mask(secret: string): void;
  /**
   * Removes the masked secrets from a text, in every form in which they are commonly echoed. Clean
   * all text before showing it, and untrusted text before cutting it, which could leave half a
   * secret.
   */
  clean(text: string): string;
  /**
   * Cleans an error's text, and also removes proxy passwords, which could be ordinary words
   * elsewhere.
   */
  redact(text: string): string;
  info(line: string): void;
  /** Calls `line` and writes the result only if step debugging is on. */
  debug(line: () => string): void;
  annotate(level: Annotation['level'], title: string, message: string): void;
  /**
   * Throws a `RunError` when outputs can't be written, because a new agent job's ID would be lost.
   */
  checkOutputs(): void;
  /**
   * Sets an output. If the value contains a masked secret, leaves the output empty and returns
   * true.
   */
  setOutput(name: string, value: string): boolean;
  writeSummary(markdown: string): Promise<void>;
}

export interface Files {
  /**
   * Returns at most `maxBytes + 1` bytes of a regular file. A relative path starts at the workspace
   * and must stay inside it after links are resolved. Rejects with an error that says why the file
   * is unusable. Opens only regular files.
   */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
}
