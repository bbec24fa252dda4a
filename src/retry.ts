import type { Delivery } from './effects/effects.ts';

/**
 * What is known of a write (create or message) after one try. Only `not-taken` may be sent again:
 * a POST sent twice makes two jobs.
 */
export type WriteFate = 'answered' | 'refused' | 'not-taken' | 'unknown';

export function fateOfWrite(delivery: Delivery, date: number): WriteFate {
  switch (delivery.kind) {
    case 'not-sent':
      return 'not-taken';
    case 'lost':
      return 'unknown';
    case 'answer': {
      const { status } = delivery;
      if (status >= 200 && status < 300) return 'text' in delivery.body ? 'answered' : 'unknown';
      if (status === 429) return 'not-taken';
      // A bare 503 can come from a gateway that lost the service's answer.
      const saysWhen = parseRetryAfter(delivery.retryAfter, date) !== undefined;
      if (status === 503 && saysWhen) return 'not-taken';
      // 408 is a time-out: somebody on the way waited for us, or for the service.
      return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unknown';
    }
  }
}

/** Whether a read that was answered with this status is worth another try. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/**
 * A connection fault that does not pass by itself: the certificate is not trusted, or the other
 * side does not speak TLS.
 */
export function isTrustFault(code: string): boolean {
  return /CERT|SELF_SIGNED|^UNABLE_TO_|^ERR_TLS|^ERR_SSL|^EPROTO/.test(code);
}

/**
 * Milliseconds that a `Retry-After` header asks for, from now (`date`, ms since 1970), or
 * `undefined` when there is none or it is neither whole seconds nor an HTTP date.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter(header: string | undefined, date: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header)) {
    return undefined;
  }
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - date);
}

/** One request, from start to last byte. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Whole milliseconds that one request may take when so many are left of the run. */
export function requestTimeoutMs(leftMs: number): number {
  return Math.ceil(Math.max(1, Math.min(REQUEST_TIMEOUT_MS, leftMs)));
}

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * Milliseconds to wait after the `failures`th failure in a row: doubled each time up to a minute,
 * with jitter (from half of it to all of it, so that many runs do not return at once), and never
 * less than the other side asked for. `random` is from 0 to below 1.
 */
export function backoffMs(
  failures: number,
  retryAfterMs: number | undefined,
  random: number,
): number {
  const full = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
  return Math.max(full * (0.5 + random / 2), retryAfterMs ?? 0);
}
