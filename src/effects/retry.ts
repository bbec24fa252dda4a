/** How long a request may take, and whether and when to resend it. */

/** The limit for one request, from start to last byte. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Whole milliseconds that one request may take when the run has `leftMs` left. */
export function requestTimeoutMs(leftMs: number): number {
  return Math.ceil(Math.max(1, Math.min(REQUEST_TIMEOUT_MS, leftMs)));
}

/**
 * Node's codes for an untrusted or invalid certificate, with which a retry would fail too.
 * https://nodejs.org/api/tls.html#x509-certificate-error-codes
 */
export const BAD_CERTIFICATE =
  /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|CRL_|INVALID_|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
/** The most jitter to add to the time that the server asked for, as a share of it. */
const RETRY_AFTER_JITTER = 0.1;

/**
 * Milliseconds to wait after the `failures`th failure in a row. The wait doubles each time, up to a
 * minute, with jitter (half of it to all of it) so that many runs don't retry at once. It is never
 * shorter than the server asked for. That time gets jitter too, because many runs can get the same
 * date (.github/CONTRIBUTING.md, "Many runs at once"). `random` is at least 0 and below 1.
 */
export function backoffMs(failures: number, random: number, askedMs = 0): number {
  const full = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
  const jitterMs = random * Math.min(MAX_BACKOFF_MS, askedMs * RETRY_AFTER_JITTER);
  return Math.max(full * (0.5 + random / 2), askedMs + jitterMs);
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`. No current server sends the two obsolete forms. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Milliseconds that a `Retry-After` header asks for, counted from now (`date`, ms since 1970).
 * Returns `undefined` without a header, or if it is neither whole seconds nor an HTTP date in the
 * current form.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter(header: string | undefined, date: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - date);
}
