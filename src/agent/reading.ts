import type { Delivery } from '../effects/effects.ts';
import { isPassing, isTrustFault } from '../retry.ts';
import { quote } from '../text.ts';
import { advice, describe } from './faults.ts';
import { type Job, parseJob } from './job.ts';

/** What one read of a job came to. `fault` says what failed and what the other side said. */
export type Reading =
  | { readonly kind: 'job'; readonly job: Job }
  /** Worth another try. */
  | { readonly kind: 'passing'; readonly fault: string; readonly retryAfterMs: number | undefined }
  /** 404 */
  | { readonly kind: 'missing'; readonly fault: string }
  /** Will not get better by itself. */
  | { readonly kind: 'refused'; readonly fault: string }
  /** Will not, unless an answer has come over the same way before. */
  | { readonly kind: 'untrusted'; readonly fault: string };

/** What the answer to a read of job `id` means; `retryAfterMs` is what its header asked for. */
export function readingOf(
  delivery: Delivery,
  id: string,
  retryAfterMs: number | undefined,
): Reading {
  const fault = describe(delivery);
  switch (delivery.kind) {
    case 'not-sent':
      if (isTrustFault(delivery.code)) {
        return { kind: 'untrusted', fault: `${fault}. ${advice(delivery)}` };
      }
      return { kind: 'passing', fault, retryAfterMs };
    case 'lost':
      return { kind: 'passing', fault, retryAfterMs };
    case 'answer': {
      const { status, body } = delivery;
      if (isPassing(status)) return { kind: 'passing', fault, retryAfterMs };
      if (status >= 400) {
        const kind = status === 404 ? 'missing' : 'refused';
        return { kind, fault: `${fault}. ${advice(delivery)}` };
      }
      // A redirect is not followed; what is broken off or not a job may be whole the next time.
      if (status >= 300 || !('text' in body)) return { kind: 'passing', fault, retryAfterMs };
      const parsed = parseJob(body.text, id);
      if (parsed.kind === 'job') return parsed;
      return { kind: 'passing', fault: `${parsed.why}: ${quote(body.text)}`, retryAfterMs };
    }
  }
}
