/** What the result of one request means for a write or a read. */
import * as z from 'zod/mini';
import {
  type Delivery,
  type HttpResponse,
  PROXY_ADVICE,
  PROXY_NOT_SUPPORTED,
} from '../effects/effects.ts';
import { formatDuration } from '../lib/duration.ts';
import { BAD_CERTIFICATE, parseRetryAfter } from '../lib/retry.ts';
import { parseJson, quote } from '../lib/text.ts';
import { idIn, type Job, parseJob } from './job.ts';

/** What a person is told about a request without a usable response. */
interface Failure {
  readonly error: string;
  readonly advice: string;
  /** How long the service asked to wait. */
  readonly retryAfterMs: number | undefined;
}

/**
 * What is known after a create or message call was sent once. Only a `not-accepted` one may be sent
 * again, and not if `cause` is `permanent`, because a POST sent twice creates two agent jobs.
 */
export type WriteResult =
  | { readonly kind: 'accepted'; readonly job: Job }
  | (Failure & {
      readonly kind: 'not-accepted';
      readonly cause: 'unsent' | 'rate-limit' | 'permanent';
      readonly id: string | undefined;
    })
  /** The service may have accepted it. */
  | { readonly kind: 'unknown'; readonly error: string; readonly id: string | undefined };

/** Quotes a text from outside in a message, without secrets. */
export type Show = (text: string) => string;

/**
 * What the response to a write means. `expectedId` is the agent job that a message was sent to;
 * `date` is now, in ms since 1970. An id in a response that cannot be used is told all the same.
 */
export function writeResult(
  delivery: Delivery,
  expectedId: string | undefined,
  date: number,
  show: Show = quote,
): WriteResult {
  const failure = failureOf(delivery, expectedId, date, show);
  const { error } = failure;
  if (delivery.kind === 'not-sent') {
    const cause = isPermanent(delivery.code) ? 'permanent' : 'unsent';
    return { kind: 'not-accepted', ...failure, cause, id: undefined };
  }
  if (delivery.kind === 'lost') return { kind: 'unknown', error, id: undefined };
  const { status, body } = delivery;
  if (status >= 200 && status < 300) {
    const parsed = parseJob(textIn(body), expectedId, show);
    if (parsed.kind === 'job') return { kind: 'accepted', job: parsed.job };
    const id = expectedId ?? parsed.id;
    return { kind: 'unknown', error: describeNotAJob(delivery, parsed.error, show), id };
  }
  const told = idIn(textIn(body));
  const id = told === undefined ? undefined : (expectedId ?? told);
  // 408 is a timeout. A proxy on the way may answer it after the service received the request, and
  // gateways answer 503, with or without Retry-After, when they lost the service's response.
  const isRefused = status >= 400 && status < 500 && status !== 408;
  if (!isRefused) return { kind: 'unknown', error, id };
  const cause = status === 429 ? 'rate-limit' : 'permanent';
  return { kind: 'not-accepted', ...failure, cause, id };
}

/** What was received of a body. Complete JSON is a response, even if the connection broke after it. */
const textIn = (body: HttpResponse['body']): string => ('text' in body ? body.text : body.received);

function describeNotAJob(response: HttpResponse, error: string, show: Show): string {
  const { status, body } = response;
  if ('error' in body || body.text.trim() === '') return describeResponse(response, show);
  return `HTTP ${status}, but ${error}: ${show(body.text)}`;
}

/**
 * What is known after an agent job was read once. `temporary`: another try may succeed. `not-found`:
 * 404. `refused`: another try would get the same response. `untrusted`: the connection was not
 * trusted, so another try helps only if one was trusted before.
 */
export type ReadResult =
  | { readonly kind: 'job'; readonly job: Job }
  | (Failure & { readonly kind: 'temporary' | 'not-found' | 'refused' | 'untrusted' });

/** What the response to a read of agent job `id` means; `date` is now, in ms since 1970. */
export function readResult(delivery: Delivery, id: string, date: number, show = quote): ReadResult {
  const failure = failureOf(delivery, id, date, show);
  const temporary = { kind: 'temporary', ...failure } as const;
  if (delivery.kind === 'not-sent' && isPermanent(delivery.code)) {
    return { kind: 'untrusted', ...failure };
  }
  if (delivery.kind !== 'response') return temporary;
  const { status, body } = delivery;
  if (status === 404) return { kind: 'not-found', ...failure };
  const isTemporary = [408, 425, 429].includes(status) || status >= 500;
  if (status >= 400 && !isTemporary) return { kind: 'refused', ...failure };
  // Redirects are not followed. A response that was cut, or is not an agent job, may be complete
  // next time.
  if (status < 200 || status >= 300) return temporary;
  const parsed = parseJob(textIn(body), id, show);
  if (parsed.kind === 'job') return parsed;
  return { ...temporary, error: describeNotAJob(delivery, parsed.error, show) };
}

function failureOf(
  delivery: Delivery,
  jobId: string | undefined,
  date: number,
  show: Show,
): Failure {
  const header = delivery.kind === 'response' ? delivery.headers['retry-after'] : undefined;
  const retryAfterMs = parseRetryAfter(header, date);
  const advice = adviceOn(delivery, jobId, date, retryAfterMs);
  return { error: describeDelivery(delivery, show), advice, retryAfterMs };
}

/** What happened to a request, and what the server said. */
export function describeDelivery(delivery: Delivery, show: Show = quote): string {
  switch (delivery.kind) {
    case 'not-sent':
      return delivery.isCut
        ? `the connection failed before the whole request was sent (${show(delivery.error)})`
        : `no connection could be made (${show(delivery.error)})`;
    case 'lost':
      return `the request was sent, but no response came (${show(delivery.error)})`;
    case 'response':
      return describeResponse(delivery, show);
  }
}

function describeResponse({ status, body }: HttpResponse, show: Show): string {
  if ('error' in body) {
    return `HTTP ${status}, and the rest of the response could not be read (${show(body.error)})`;
  }
  if (status >= 300 && status < 400) {
    return `HTTP ${status}, a redirect, which is not followed. Check \`baseUrl\``;
  }
  const said = errorIn(body.text);
  if (said === '') return `HTTP ${status} with an empty body`;
  return `HTTP ${status} (the service said ${show(said)})`;
}

const errorSchema = z.object({ error: z.string() });

/** The text of an error response (`{"error": string}`), or the body as it is. */
function errorIn(body: string): string {
  return errorSchema.safeParse(parseJson(body)).data?.error ?? body.trim();
}

/** The certificate is not trusted, the other side does not speak TLS, or the proxy cannot be used. */
function isPermanent(code: string): boolean {
  return BAD_CERTIFICATE.test(code) || NO_TLS.test(code) || code === PROXY_NOT_SUPPORTED;
}

/** What to do next, judging by the usual cause of each response of Mintlify's agent API. */
function adviceOn(
  delivery: Delivery,
  jobId: string | undefined,
  date: number,
  retryAfterMs: number | undefined,
): string {
  if (delivery.kind !== 'response') {
    const code = delivery.kind === 'not-sent' ? delivery.code : '';
    return CONNECTION_ADVICE.find(([codes]) => codes.test(code))?.[1] ?? CHECK_CONNECTION;
  }
  switch (delivery.status) {
    case 404:
      return jobId === undefined ? 'Check `projectId`.' : 'Check `projectId` and `jobId`.';
    case 429:
      return `The service accepts 100 new agent jobs and messages per project and hour. ${whenToRunAgain(date, retryAfterMs)}`;
    default:
      return STATUS_ADVICE[delivery.status] ?? RUN_LATER;
  }
}

const RUN_LATER = 'Run this again later.';

const STATUS_ADVICE: Readonly<Record<number, string>> = {
  400: 'Check `prompt` and `projectId`.',
  401: 'Check `adminApiKey`: it was refused or has expired.',
  402: 'Check the plan and the credits of your Mintlify organization.',
  403: 'The key has the wrong scope, or the IP address of this runner is not on its allow-list. The addresses of hosted runners change.',
  413: 'The prompt is too large for the service. Shorten it, or use `changes: files` instead of `changes: diff`.',
  422: 'Check `prompt` and `projectId`.',
};

/** How long the service asked to wait, and until when, in UTC. */
function whenToRunAgain(date: number, waitMs: number | undefined): string {
  // A minute is added, because the time is shown without its seconds.
  const at = new Date(date + (waitMs ?? Number.NaN) + 60_000);
  if (waitMs === undefined || Number.isNaN(at.getTime())) return RUN_LATER;
  const time = at
    .toISOString()
    .replace('T', ' ')
    .replace(/:\d\d\.\d+Z$/, ' UTC');
  return `It asked to wait ${formatDuration(waitMs)}. Run this again after ${time}.`;
}

const CHECK_CONNECTION = "Check `baseUrl`, and the runner's proxy and firewall.";

const NO_TLS = /^(EPROTO|ERR_SSL|ERR_TLS)/;

/** By Node's codes; the first that fits. */
const CONNECTION_ADVICE: readonly (readonly [codes: RegExp, advice: string])[] = [
  [new RegExp(`^${PROXY_NOT_SUPPORTED}$`), `${PROXY_ADVICE}.`],
  [
    /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_(UNTRUSTED|SIGNATURE|CHAIN|REJECTED))/,
    'If a proxy or a private certificate authority signs this connection, set the environment variable `NODE_EXTRA_CA_CERTS` to the path of its PEM file.',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'The certificate belongs to another host. Check `baseUrl`.'],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    "The certificate is not valid today. Check the runner's clock, and who issued the certificate.",
  ],
  [
    NO_TLS,
    "The other side does not speak TLS as expected. Check the port in `baseUrl`, and the runner's proxy.",
  ],
];
