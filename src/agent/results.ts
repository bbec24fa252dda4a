import * as z from 'zod/mini';
import { type Delivery, PROXY_ADVICE, PROXY_NOT_SUPPORTED } from '../effects/effects.ts';
import { BAD_CERTIFICATE, parseRetryAfter } from '../effects/retry.ts';
import type { Job } from '../model/agent-job.ts';
import { endOfWait, formatDuration } from '../text/duration.ts';
import { cut, quote } from '../text/escape.ts';
import { parseJson } from '../text/json.ts';
import { idIn, parseJob } from './job.ts';

/** Removes secrets from a text. */
type Clean = (text: string) => string;

const unchanged: Clean = (text) => text;

/** Far longer than any quoted text. */
const MAX_QUOTED = 20_000;

/** Quotes untrusted text. */
const shown = (text: string, clean: Clean) => quote(cut(clean(text), MAX_QUOTED));

/** The result of one request to the agent API, a read or a write. */
export type Result = { readonly kind: 'job'; readonly job: Job } | Fault;

/** A request without a usable response. */
export interface Fault {
  /**
   * - `unsent`: the request certainly didn't reach the service. Another try may succeed.
   * - `untrusted`: the same, but retrying helps only if an earlier connection was trusted.
   * - `rate-limit`: 429, `not-found`: 404, `gone`: 410, `too-early`: 425.
   * - `refused`: another 4xx. A retry would get the same response.
   * - `unclear`: anything else. The service may have accepted a write. Another read may succeed.
   */
  readonly kind: 'unsent' | 'untrusted' | ReturnType<typeof faultKindOf>;
  readonly error: string;
  /** `undefined` when nothing more specific than another try may help. */
  readonly advice: string | undefined;
  /** How long the service asked to wait. */
  readonly retryAfterMs: number | undefined;
  /** The ID in an unusable response to a create call. It may be the new agent job's. */
  readonly namedId: string | undefined;
  /** `undefined` without a response. */
  readonly status: number | undefined;
}

/** The operation of the agent API that a request calls. */
export type Operation =
  | { readonly kind: 'create' }
  | { readonly kind: 'message' | 'read'; readonly jobId: string };

/**
 * Interprets the outcome of one request. `date` is now, in ms since 1970. `clean` removes secrets
 * from a text.
 */
export function resultOf(
  delivery: Delivery,
  operation: Operation,
  date: number,
  clean: Clean = unchanged,
): Result {
  const header = delivery.kind === 'response' ? delivery.headers['retry-after'] : undefined;
  const retryAfterMs = parseRetryAfter(header, date);
  const text = receivedText(delivery);
  const jobId = operation.kind === 'create' ? undefined : operation.jobId;
  const namedId = jobId === undefined ? idIn(text) : undefined;
  const fault = (kind: Fault['kind'], problem?: string): Fault => {
    const error = problem ?? describeDelivery(delivery, clean);
    const advice =
      kind === 'rate-limit' ? waitAdvice(retryAfterMs, date) : adviceOn(delivery, operation);
    const status = delivery.kind === 'response' ? delivery.status : undefined;
    return { kind, error, advice, retryAfterMs, namedId, status };
  };
  if (delivery.kind === 'lost') return fault('unclear');
  if (delivery.kind === 'not-sent') {
    const { code } = delivery;
    const isBadTls = BAD_CERTIFICATE.test(code) || NO_TLS.test(code);
    return fault(isBadTls || code === PROXY_NOT_SUPPORTED ? 'untrusted' : 'unsent');
  }
  const { status, body } = delivery;
  if (status < 200 || status >= 300) return fault(faultKindOf(status));
  const parsed = parseJob(text, jobId, (id) => shown(id, clean));
  if (parsed.kind === 'job') return parsed;
  const isWhole = body.kind === 'whole' && text.trim() !== '';
  const problem = isWhole
    ? `HTTP ${status}, but ${parsed.error}: ${shown(textIn(clean(text)), clean)}`
    : undefined;
  return fault('unclear', problem);
}

/**
 * The body as received. Complete JSON counts as a response even if the connection broke afterwards.
 */
function receivedText(delivery: Delivery): string {
  if (delivery.kind !== 'response') return '';
  const { body } = delivery;
  return body.kind === 'whole' ? body.text : body.received;
}

/** Classifies a status other than 2xx. Redirects aren't followed. */
function faultKindOf(status: number) {
  // A proxy may send 408 (a timeout) after the service received the request. Gateways send 503,
  // with or without `Retry-After`, after losing the service's response.
  if (status < 400 || status === 408 || status >= 500) return 'unclear';
  if (status === 404) return 'not-found';
  if (status === 410) return 'gone';
  if (status === 425) return 'too-early';
  return status === 429 ? 'rate-limit' : 'refused';
}

const errorSchema = z.object({ error: z.string() });

/** Describes what happened to a request, and what the server said. */
export function describeDelivery(delivery: Delivery, clean: Clean = unchanged): string {
  const show = (text: string) => shown(text, clean);
  if (delivery.kind === 'lost') {
    return `the request was sent, but no response came (${show(delivery.error)})`;
  }
  if (delivery.kind === 'not-sent') return `no connection could be made (${show(delivery.error)})`;
  const { status, body } = delivery;
  if (body.kind === 'cut') {
    return `HTTP ${status}, and the rest of the response could not be read (${show(body.error)})`;
  }
  if (status >= 300 && status < 400) {
    return `HTTP ${status}, a redirect, which is not followed (check \`baseUrl\`)`;
  }
  const said = errorSchema.safeParse(parseJson(body.text)).data?.error ?? textIn(clean(body.text));
  return `HTTP ${status} ${said === '' ? 'with an empty body' : `(the service said ${show(said)})`}`;
}

/**
 * The text of a body that is already free of secrets. For a web page, which comes from a proxy or a
 * gateway, the title is enough.
 */
function textIn(body: string): string {
  const text = body.trim();
  if (!isWebPage(text)) return text;
  const head = text.slice(0, MAX_PAGE_HEAD);
  const title = /<(?:title|h1)[^>]*>([\s\S]*?)<\//i.exec(head)?.[1]?.trim();
  return title ? `a web page: ${title}` : 'a web page';
}

const isWebPage = (text: string) =>
  /^<(?:!doctype html|html|head|body|title|h1|center)\b/i.test(text);
const MAX_PAGE_HEAD = 20_000;

/** What to do next, based on the usual cause of each response, if it has one. */
function adviceOn(delivery: Delivery, operation: Operation): string | undefined {
  if (delivery.kind !== 'response') {
    const code = delivery.kind === 'not-sent' ? delivery.code : '';
    const advice = CONNECTION_ADVICE.find(([codes]) => codes.test(code))?.[1];
    return advice ?? "Check `baseUrl`, and the runner's proxy and firewall.";
  }
  const { status } = delivery;
  if (isWebPage(receivedText(delivery).trim())) return WEB_PAGE_ADVICE;
  if ([404, 410].includes(status) && operation.kind !== 'create') return CHECK_IDS;
  // A read has no prompt.
  if ([400, 422].includes(status) && operation.kind === 'read') return CHECK_IDS;
  return STATUS_ADVICE[status];
}

const CHECK_IDS = 'Check `projectId`, and `jobId` if it was given.';
const WEB_PAGE_ADVICE =
  "Check `baseUrl` and the runner's proxy, because a web page answered and not the service.";
/** The advice when nothing more specific applies. */
export const RUN_LATER = 'Press "Re-run failed jobs" later.';

const STATUS_ADVICE: Readonly<Record<number, string>> = {
  400: 'Check `prompt` and `projectId`.',
  401: 'Check `adminApiKey`: it was refused or has expired.',
  402: 'Check the plan and the credits of your Mintlify organization.',
  403: "Check on the API keys page of your Mintlify dashboard that the key is an admin key, and that its allow-list has this runner's IP address.",
  404: 'Check `projectId`, and that the key belongs to the same Mintlify organization.',
  405: 'Check `baseUrl`: the server there does not offer this call.',
  407: "Check the user and the password in the runner's proxy variable.",
  409: 'Look at the Mintlify dashboard, then press "Re-run failed jobs".',
  410: 'Check `projectId` and `baseUrl`.',
  413: 'Shorten the prompt, or include less of the changes: `files` instead of `diff`, or fewer `paths`.',
  422: 'Check `prompt` and `projectId`.',
};

/** States the limit, how long the service asked to wait, and when the wait ends, in UTC. */
function waitAdvice(waitMs: number | undefined, date: number): string {
  const limit = 'The service accepts 100 new agent jobs and messages per project per hour';
  const time = waitMs === undefined ? undefined : endOfWait(date, waitMs);
  if (waitMs === undefined || time === undefined) return `${limit}. ${RUN_LATER}`;
  return `${limit}, and asks to wait ${formatDuration(waitMs)}. Press "Re-run failed jobs" after ${time}.`;
}

const NO_TLS = /^(EPROTO|ERR_SSL|ERR_TLS)/;

/** Advice by Node's error code. The first match applies. */
const CONNECTION_ADVICE: readonly (readonly [codes: RegExp, advice: string])[] = [
  [new RegExp(`^${PROXY_NOT_SUPPORTED}$`), `${PROXY_ADVICE}.`],
  [
    /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_(UNTRUSTED|SIGNATURE|CHAIN|REJECTED))/,
    "If a proxy or server uses a certificate of a private certificate authority, set the environment variable `NODE_EXTRA_CA_CERTS` to the path of that authority's PEM file.",
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'Check `baseUrl`: the certificate belongs to another host.'],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    "Check the runner's clock, and the certificate, which is not valid today.",
  ],
  [
    NO_TLS,
    "Check the port in `baseUrl` and the runner's proxy: the other side does not speak TLS.",
  ],
];
