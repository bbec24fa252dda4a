/**
 * Interprets responses of GitHub's API with pure functions, so that the client only sends and
 * waits.
 */
import * as z from 'zod/mini';
import {
  type Delivery,
  type HttpResponse,
  PROXY_NOT_SUPPORTED,
  tooLarge,
} from '../effects/effects.ts';
import { BAD_CERTIFICATE, parseRetryAfter } from '../effects/retry.ts';
import { quote } from '../text/escape.ts';
import { parseJson } from '../text/json.ts';
import type { GitHubError } from './errors.ts';

/** `hasMore` means that the response is a page of a list, and another page follows. */
export type GitHubResult<T> =
  | { readonly kind: 'data'; readonly data: T; readonly hasMore: boolean }
  | GitHubFault;

/** What is known about one failed try. */
export interface GitHubFault {
  readonly kind: GitHubError['kind'];
  /** A sentence of our own, without a trailing period. */
  readonly error: string;
  /** What GitHub said, or the network error. */
  readonly errorText?: string | undefined;
  /** `never`: a retry would fail too. `unusable`: cut or malformed, often on each try. */
  readonly retry: 'never' | 'unusable' | 'later';
  /** How long GitHub asks to wait, in ms. 0 when it doesn't ask. */
  readonly requestedWaitMs: number;
}

function failed(error: string, retry: GitHubFault['retry'], errorText?: string): GitHubFault {
  return { kind: 'failed', error, errorText, retry, requestedWaitMs: 0 };
}

/**
 * GitHub's largest responses, pages of patches, are a few MB. Parsing more would delay a cancel.
 */
export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

const NO_RESPONSE = "GitHub's API gave no response";

/**
 * Returns the data of a response with the expected shape, or why there is none. `date` is now, in
 * ms since 1970.
 */
export function gitHubResultOf<T>(
  delivery: Delivery,
  schema: z.ZodMiniType<T>,
  date: number,
): GitHubResult<T> {
  if (delivery.kind !== 'response') return faultOfConnection(delivery);
  const { status, headers, body } = delivery;
  if (status < 200 || status > 299) return faultOfStatus(delivery, date);
  if (body.kind === 'cut') {
    if (body.error !== tooLarge(MAX_RESPONSE_BYTES)) {
      return failed("GitHub's response could not be read whole", 'unusable', body.error);
    }
    // It is just as large next time.
    const failure = failed("GitHub's API gave too large a response", 'never', body.error);
    return { ...failure, kind: 'too-large' };
  }
  const value = parseJson(body.text);
  const limit = graphqlLimitIn(value, headers);
  if (limit !== undefined) {
    return {
      kind: 'rate-limited',
      error: "GitHub's GraphQL API refused the query",
      errorText: limit,
      retry: 'later',
      requestedWaitMs: requestedWaitMs(delivery, 'rate-limited', date),
    };
  }
  const failure = graphqlFailureIn(value);
  if (failure !== undefined) {
    const fault = failed("GitHub's GraphQL API gave no data", 'later', failure);
    return { ...fault, kind: 'unavailable' };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) {
    // https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api#using-link-headers
    return {
      kind: 'data',
      data: parsed.data,
      hasMore: /;\s*rel="?next"?/.test(headers['link'] ?? ''),
    };
  }
  const path = parsed.error.issues[0]?.path.join('.') ?? '';
  const where = path === '' ? '' : ` at ${quote(path)}`;
  return failed(`GitHub's response is not of the expected shape${where}`, 'unusable');
}

/**
 * Returns where a redirect leads, or `undefined` for a response that isn't a redirect to follow. A
 * redirect to another host is a failure, because that host must not get the token.
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects
 */
export function redirectOf(delivery: Delivery, from: URL): URL | GitHubFault | undefined {
  if (delivery.kind !== 'response') return undefined;
  const location = delivery.headers['location'];
  const isRedirect = [301, 302, 307, 308].includes(delivery.status);
  if (!isRedirect || location === undefined || !URL.canParse(location, from.href)) return undefined;
  const to = new URL(location, from);
  if (to.origin === from.origin) return to;
  const error = `GitHub's API redirects to another host, ${quote(to.host)}, which must not get the token`;
  return failed(error, 'never');
}

function faultOfConnection(delivery: Exclude<Delivery, HttpResponse>): GitHubFault {
  const code = delivery.kind === 'not-sent' ? delivery.code : '';
  if (code === PROXY_NOT_SUPPORTED) {
    return failed(`GitHub's API cannot be reached (${delivery.error})`, 'never');
  }
  // Node's `ERR_INVALID_…` means that the request can't be written.
  const isPermanent = BAD_CERTIFICATE.test(code) || code.startsWith('ERR_INVALID_');
  return failed(NO_RESPONSE, isPermanent ? 'never' : 'later', delivery.error);
}

/**
 * GitHub may take too long to compare two commits, for minutes or permanently, even if the diff is
 * small: https://github.com/googleapis/repo-automation-bots/issues/4475
 */
const NO_DIFF = /"code": ?"not_available"|diff is taking too long/i;

function faultOfStatus(response: HttpResponse, date: number): GitHubFault {
  const { status, body } = response;
  const isWhole = body.kind === 'whole';
  const text = isWhole ? body.text : body.received;
  const said = messageIn(text);
  const isDiffMissing = status === 406 || (status === 422 && NO_DIFF.test(text));
  const kind = status >= 500 || isDiffMissing ? 'unavailable' : errorKindOf(response, said);
  // A cut body could end in half a secret, so don't show it.
  const errorText = isWhole ? said : body.error;
  const isPassing =
    kind === 'rate-limited' || kind === 'unavailable' || status === 408 || status === 425;
  return {
    kind,
    error: `GitHub's API responded with HTTP ${status}`,
    errorText,
    retry: isPassing ? 'later' : 'never',
    requestedWaitMs: requestedWaitMs(response, kind, date),
  };
}

/** The `message` of an error response, or the whole text if it isn't JSON. */
function messageIn(text: string): string {
  const value = parseJson(text);
  const { data } = z.object({ message: z.string() }).safeParse(value);
  return data?.message ?? (value === undefined && text !== '' ? text : 'no message');
}

const isLimit = (text: string) => /rate limit|abuse detection/i.test(text);

/**
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
function errorKindOf({ status, headers }: HttpResponse, text: string): GitHubError['kind'] {
  const isLimited =
    headers['x-ratelimit-remaining'] === '0' ||
    headers['retry-after'] !== undefined ||
    isLimit(text);
  if (status === 429 || (status === 403 && isLimited)) return 'rate-limited';
  if (status === 401) return 'bad-token';
  // An organization's IP allow list has nothing to do with permissions.
  if (status === 403) return /IP allow list/i.test(text) ? 'failed' : 'forbidden';
  // GitHub responds with 422 for a commit that a repository doesn't have.
  const isMissing =
    status === 404 || status === 405 || (status === 422 && text.startsWith('No commit found for'));
  return isMissing ? 'not-found' : 'failed';
}

const graphqlErrors = z.object({
  data: z.optional(z.unknown()),
  errors: z.array(
    z.object({
      type: z.nullish(z.string()),
      message: z.nullish(z.string()),
      extensions: z.optional(z.unknown()),
    }),
  ),
});

/**
 * What the GraphQL API says about a rate limit that was reached, or `undefined`. The status is 200
 * either way. The last query within the limit also leaves no points, but it has data.
 * https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api#exceeding-the-rate-limit
 */
function graphqlLimitIn(value: unknown, headers: HttpResponse['headers']): string | undefined {
  const { data, errors = [] } = graphqlErrors.safeParse(value).data ?? {};
  const isWithoutData = data === undefined || data === null;
  const isNothingLeft = headers['x-ratelimit-remaining'] === '0';
  for (const { type, message } of errors) {
    const text = message ?? 'no message';
    // The second type is undocumented: https://github.com/octokit/plugin-throttling.js/issues/824
    if (type === 'RATE_LIMITED' || type === 'RATE_LIMIT') return text;
    if (isWithoutData && (isNothingLeft || isLimit(text))) return text;
  }
  return undefined;
}

/**
 * What the GraphQL API says when it failed without data, for example because it took too long. The
 * status is 200 either way. An error about the query or the token has a type or a code.
 * https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api#timeouts
 */
function graphqlFailureIn(value: unknown): string | undefined {
  const { data, errors = [] } = graphqlErrors.safeParse(value).data ?? {};
  const isWithoutData = Object.values(data ?? {}).every((part) => part === null);
  const isUnexplained = errors.every(({ type, extensions }) => !type && !extensions);
  if (errors.length === 0 || !isWithoutData || !isUnexplained) return undefined;
  return errors[0]?.message ?? 'no message';
}

/** How long GitHub asks clients to wait when a secondary limit gives no time. */
const SECONDARY_LIMIT_WAIT_MS = 60_000;

function requestedWaitMs({ headers }: HttpResponse, kind: GitHubError['kind'], date: number) {
  const requestedMs = parseRetryAfter(headers['retry-after'], date);
  if (requestedMs !== undefined || kind !== 'rate-limited') return requestedMs ?? 0;
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
  const isPrimary = headers['x-ratelimit-remaining'] === '0' && Number.isFinite(reset);
  // Add a second, because GitHub gives whole seconds.
  return isPrimary ? reset * 1_000 - date + 1_000 : SECONDARY_LIMIT_WAIT_MS;
}
