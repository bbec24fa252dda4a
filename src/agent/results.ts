/** What the result of one request means for a write or a read. */
import * as z from 'zod/mini';
import { type Delivery, type HttpResponse, PROXY_NOT_SUPPORTED } from '../effects/effects.ts';
import { parseRetryAfter } from '../lib/retry.ts';
import { quote } from '../lib/text.ts';
import { type Job, parseJob } from './job.ts';

/**
 * What is known after a create or message call was sent once. Only a `not-accepted` one may be sent
 * again, and only if `isRetryable`, because a POST sent twice creates two agent jobs.
 */
export type WriteResult =
  | { readonly kind: 'accepted'; readonly job: Job }
  | {
      readonly kind: 'not-accepted';
      readonly error: string;
      readonly advice: string;
      readonly isRetryable: boolean;
      readonly retryAfterMs: number | undefined;
    }
  /** The service may have accepted it. `id` is set if it could be read from the answer. */
  | { readonly kind: 'unknown'; readonly error: string; readonly id?: string };

/**
 * What the answer to a write means. `expectedId` is the agent job that a message was sent to;
 * `date` is now, in ms since 1970.
 */
export function writeResult(
  delivery: Delivery,
  expectedId: string | undefined,
  date: number,
): WriteResult {
  const error = describeDelivery(delivery);
  const notAccepted = (isRetryable: boolean): WriteResult => ({
    kind: 'not-accepted',
    error,
    advice: adviceOn(delivery),
    isRetryable,
    retryAfterMs: retryAfterOf(delivery, date),
  });
  if (delivery.kind === 'not-sent') return notAccepted(!isPermanent(delivery.code));
  if (delivery.kind === 'lost') return { kind: 'unknown', error };
  const { status, body } = delivery;
  if (status >= 200 && status < 300) {
    const parsed = parseJob(textIn(body), expectedId);
    if (parsed.kind === 'job') return { kind: 'accepted', job: parsed.job };
    const id = parsed.id ?? expectedId;
    return {
      kind: 'unknown',
      error: describeNotAJob(delivery, parsed.error),
      ...(id === undefined ? {} : { id }),
    };
  }
  if (status === 429) return notAccepted(true);
  // A bare 503 can come from a gateway that lost the service's answer.
  if (status === 503 && retryAfterOf(delivery, date) !== undefined) return notAccepted(true);
  // 408 is a timeout. A proxy on the way may answer it after the service received the request.
  const isRefused = status >= 400 && status < 500 && status !== 408;
  return isRefused ? notAccepted(false) : { kind: 'unknown', error };
}

/**
 * The part of a body that was received. Complete JSON is an answer, even if the connection broke
 * after it.
 */
function textIn(body: HttpResponse['body']): string {
  return 'text' in body ? body.text : body.received;
}

function describeNotAJob(answer: HttpResponse, error: string): string {
  const { status, body } = answer;
  if ('error' in body || body.text.trim() === '') return describeResponse(answer);
  return `HTTP ${status}, but ${error}: ${quote(body.text)}`;
}

/** What is known after an agent job was read once. */
export type ReadResult =
  | { readonly kind: 'job'; readonly job: Job }
  /** Another try may succeed. */
  | {
      readonly kind: 'temporary';
      readonly error: string;
      readonly retryAfterMs: number | undefined;
    }
  /** 404 */
  | { readonly kind: 'not-found'; readonly error: string; readonly advice: string }
  /** Another try would get the same answer. */
  | { readonly kind: 'refused'; readonly error: string; readonly advice: string }
  /** The connection was not trusted, so another try helps only if one was trusted before. */
  | { readonly kind: 'untrusted'; readonly error: string; readonly advice: string };

/** What the answer to a read of agent job `id` means; `date` is now, in ms since 1970. */
export function readResult(delivery: Delivery, id: string, date: number): ReadResult {
  const error = describeDelivery(delivery);
  const advice = adviceOn(delivery);
  const retryAfterMs = retryAfterOf(delivery, date);
  const temporary = { kind: 'temporary', error, retryAfterMs } as const;
  if (delivery.kind === 'not-sent' && isPermanent(delivery.code)) {
    return { kind: 'untrusted', error, advice };
  }
  if (delivery.kind !== 'response') return temporary;
  const { status, body } = delivery;
  if (status === 404) return { kind: 'not-found', error, advice };
  const isTemporary = [408, 425, 429].includes(status) || status >= 500;
  if (status >= 400 && !isTemporary) return { kind: 'refused', error, advice };
  // Redirects are not followed. An answer that was cut, or is not an agent job, may be complete
  // next time.
  if (status < 200 || status >= 300) return temporary;
  const parsed = parseJob(textIn(body), id);
  if (parsed.kind === 'job') return parsed;
  return { ...temporary, error: describeNotAJob(delivery, parsed.error) };
}

function retryAfterOf(delivery: Delivery, date: number): number | undefined {
  return delivery.kind === 'response' ? parseRetryAfter(delivery.retryAfter, date) : undefined;
}

/** What happened to a request, and what the server said. */
export function describeDelivery(delivery: Delivery): string {
  switch (delivery.kind) {
    case 'not-sent':
      return `no connection could be made (${quote(delivery.error)})`;
    case 'lost':
      return `the request was sent, but no answer came (${quote(delivery.error)})`;
    case 'response':
      return describeResponse(delivery);
  }
}

function describeResponse({ status, body }: HttpResponse): string {
  if ('error' in body) {
    return `HTTP ${status}, and the rest of the answer could not be read (${quote(body.error)})`;
  }
  if (status >= 300 && status < 400) {
    return `HTTP ${status}, a redirect, which is not followed. Check \`baseUrl\``;
  }
  const errorText = errorIn(body.text);
  return errorText === ''
    ? `HTTP ${status} with an empty body`
    : `HTTP ${status} (the service said ${quote(errorText)})`;
}

const errorSchema = z.object({ error: z.string() });

/** The text of an error answer (`{"error": string}`), or the body as it is. */
function errorIn(body: string): string {
  try {
    // Most answers are agent jobs without an `error`. Throwing for those would be the most
    // expensive part of a read.
    const parsed = errorSchema.safeParse(JSON.parse(body));
    if (parsed.success) return parsed.data.error;
  } catch {
    // Not JSON: shown as it is.
  }
  return body.trim();
}

/**
 * Node's codes for a connection that will fail again: the certificate is not trusted, the other
 * side does not speak TLS, or the proxy cannot be used.
 * https://nodejs.org/api/tls.html#x509-certificate-error-codes
 */
const UNTRUSTED =
  /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_(UNTRUSTED|SIGNATURE|CHAIN|REJECTED))/;
const OTHER_CERTIFICATE = /^(CERT_|CRL_|INVALID_|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;
const NO_TLS = /^(EPROTO|ERR_SSL|ERR_TLS)/;

function isPermanent(code: string): boolean {
  return (
    [UNTRUSTED, OTHER_CERTIFICATE, NO_TLS].some((codes) => codes.test(code)) ||
    code === PROXY_NOT_SUPPORTED
  );
}

/** What to do next, judging by the usual cause of each answer of Mintlify's agent API. */
function adviceOn(delivery: Delivery): string {
  if (delivery.kind === 'not-sent') return adviceOnConnection(delivery.code);
  if (delivery.kind === 'lost') return CHECK_CONNECTION;
  switch (delivery.status) {
    case 400:
      return 'Check `prompt` and `projectId`.';
    case 401:
      return 'Check `adminApiKey`: it was refused or has expired.';
    case 402:
      return 'Check the plan and the credits of your Mintlify organization.';
    case 422:
      return 'Check `prompt` and `projectId`.';
    case 403:
      return 'The key has the wrong scope, or the IP address of this runner is not on its allow-list. The addresses of hosted runners change.';
    case 404:
      return 'Check `projectId`, and `jobId` if it is given.';
    case 413:
      return 'The prompt is too large for the service. Shorten it, or use `changes: files` instead of `changes: diff`.';
    case 429:
      return 'The service accepts 100 new agent jobs and messages per project and hour. Run this again later.';
    default:
      return 'Run this again later.';
  }
}

const CHECK_CONNECTION = "Check `baseUrl`, and the runner's proxy and firewall.";

function adviceOnConnection(code: string): string {
  if (code === PROXY_NOT_SUPPORTED) {
    return 'Set `https_proxy` to an `http://` or `https://` proxy, or add the host to `no_proxy`.';
  }
  if (UNTRUSTED.test(code)) {
    return 'If a proxy or a private certificate authority signs this connection, set the environment variable `NODE_EXTRA_CA_CERTS` to the path of its PEM file.';
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'The certificate belongs to another host. Check `baseUrl`.';
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return "The certificate is not valid today. Check the runner's clock, and who issued the certificate.";
  }
  if (NO_TLS.test(code)) {
    return "The other side does not speak TLS as expected. Check the port in `baseUrl`, and the runner's proxy.";
  }
  return CHECK_CONNECTION;
}
