/** How often something is asked, how long a request may take, and whether and when to send it again. */

/** Calls `make` when the result is first needed, and never again, even when it fails. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * For this long after a follow-up message, a read may still show the end from before it. An end that
 * is read later counts, even if the agent job was never seen `active`.
 */
export const MESSAGE_GRACE_MS = 30_000;

/** The limit for one request, from start to last byte. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Whole milliseconds that one request may take when `leftMs` are left of the run. */
export function requestTimeoutMs(leftMs: number): number {
  return Math.ceil(Math.max(1, Math.min(REQUEST_TIMEOUT_MS, leftMs)));
}

/**
 * Node's codes for a certificate that is not trusted or not valid. Another try would fail as well.
 * https://nodejs.org/api/tls.html#x509-certificate-error-codes
 */
export const BAD_CERTIFICATE =
  /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|CRL_|INVALID_|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
/** The most that is added to the time that the server asked for, as a share of it. */
const RETRY_AFTER_JITTER = 0.1;

/**
 * Milliseconds to wait after the `failures`th failure in a row: doubled each time, up to a minute,
 * with jitter (from half of it to all of it) so that many runs do not retry at once. Never less than
 * the server asked for, and that gets jitter as well, because many runs can get the same date
 * (.github/CONTRIBUTING.md, "Many runs at once"). `random` is from 0 to below 1.
 */
export function backoffMs(failures: number, random: number, askedMs = 0): number {
  const full = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
  const jitterMs = random * Math.min(MAX_BACKOFF_MS, askedMs * RETRY_AFTER_JITTER);
  return Math.max(full * (0.5 + random / 2), askedMs + jitterMs);
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`. No server of today sends the two obsolete forms. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Milliseconds that a `Retry-After` header asks for, from now (`date`, ms since 1970), or
 * `undefined` when there is none or it is neither whole seconds nor an HTTP date of
 * today's form.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter(header: string | undefined, date: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - date);
}
