/** Everything that the action does outside its own memory. Only index.ts creates the real things. */
import type { Annotation } from '../model/annotation.ts';

export interface Effects {
  readonly http: Http;
  readonly clock: Clock;
  readonly runner: Runner;
  readonly files: Files;
  /** Aborted, with a `CancelledError` as its reason, when the runner cancels the step. */
  readonly signal: AbortSignal;
}

/** The code of a `not-sent` delivery whose proxy cannot be used, for its kind or for an old Node. */
export const PROXY_NOT_SUPPORTED = 'ERR_PROXY_NOT_SUPPORTED';
/** What to do then. Without its full stop. */
export const PROXY_ADVICE =
  'Use an `http://` or `https://` proxy and Node.js 24.5 or later, or add the host to `no_proxy`';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From start until the request begins to be sent. */
  readonly connectTimeoutMs: number;
  /** From start to last byte. */
  readonly timeoutMs: number;
  /**
   * For a request whose response must not be lost: from the moment it begins to be sent it has what
   * is left of `timeoutMs`, but at least `minMs` and at most `maxMs`.
   */
  readonly responseLimit?: { readonly minMs: number; readonly maxMs: number };
  /** The largest body that is read, as sent and as decoded. */
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal;
  /** How long to wait for the response after a cancel, if the request was already sent. */
  readonly graceMs: number;
}

/** What is known after a request: its response, that it was never sent, or that no response came. */
export type Delivery =
  | HttpResponse
  /** No connection was made. */
  | { readonly kind: 'not-sent'; readonly error: string; readonly code: string }
  /** It began to be sent, and no status line came back. */
  | { readonly kind: 'lost'; readonly error: string };

export interface HttpResponse {
  readonly kind: 'response';
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The whole body, or why it could not be read whole and what was received. */
  readonly body: { readonly text: string } | { readonly error: string; readonly received: string };
}

/** The error of a body with more than `maxResponseBytes`. */
export const tooLarge = (maxBytes: number) => `the response is larger than ${maxBytes} bytes`;

export interface Http {
  /** Sends one request once. Follows no redirect, never retries and never rejects. */
  send(request: HttpRequest): Promise<Delivery>;
  /** Whether Node checks certificates (`NODE_TLS_REJECT_UNAUTHORIZED` is not `0`). */
  readonly isTlsVerified: boolean;
  /** Closes every connection, including those that are still being made. */
  close(): void;
}

export interface Clock {
  /** Milliseconds on a clock that never jumps. */
  now(): number;
  /** Milliseconds since 1970, for comparing with dates from outside. */
  date(): number;
  /** From 0 to below 1. */
  random(): number;
  /** Resolves after `ms` milliseconds, or as soon as `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Resolves once every signal that has come to the process was handled. */
  handleSignals(): Promise<void>;
}

export interface Runner {
  /** Masks a secret in everything that is logged from now on. */
  mask(secret: string): void;
  /**
   * The text without the masked secrets, in each form in which they are commonly echoed. What is
   * shown here is cleaned. Text from outside is cleaned before a cut could leave half a secret.
   */
  clean(text: string): string;
  /** An error's text, cleaned also of proxies' passwords, which elsewhere may be ordinary words. */
  redact(text: string): string;
  info(line: string): void;
  /** Written, and made, only when step debugging is on. */
  debug(line: () => string): void;
  annotate(level: Annotation['level'], title: string, message: string): void;
  /** Throws a `RunError` when outputs cannot be written: the id of a new agent job would be lost. */
  checkOutputs(): void;
  /** Sets an output. If the value holds a masked secret it is left empty, and the result is true. */
  setOutput(name: string, value: string): boolean;
  writeSummary(markdown: string): Promise<void>;
}

export interface Files {
  /**
   * The bytes of a regular file, at most `maxBytes + 1` of them. A relative path starts at the
   * workspace, and must lie inside it once links are followed. Rejects with an error that says why
   * the file cannot be used; anything but a regular file is not even opened.
   */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
}
