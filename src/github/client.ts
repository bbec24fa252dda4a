/** Reads GitHub's API through the toolkit's Octokit, with a retry, and with errors for people. */
import type { getOctokit } from '@actions/github';
import * as z from 'zod/mini';
import type { Effects, Fetch } from '../effects.ts';
import { messageOf, StepError, type Topic } from '../errors.ts';
import { parseRetryAfter, retry, type Try, USER_AGENT } from '../http.ts';
import { MINUTE_MS, READ_MS } from '../limits.ts';
import { quote } from '../text/escape.ts';
import type { RunFacts } from './event.ts';

export interface GitHubAccess extends Effects {
  readonly facts: Pick<RunFacts, 'apiUrl' | 'serverUrl' | 'repository'>;
  readonly token: string;
}

type Octokit = ReturnType<typeof getOctokit>;
type ApiResponse = Awaited<ReturnType<Octokit['request']>>;

export interface Failure {
  /** Missing without a whole, usable response. */
  readonly status?: number;
  /** What GitHub said, or what failed on the way. Untrusted. */
  readonly said: string;
  /** Whether the same request may work later. */
  readonly mayPass: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** GitHub may not show yet what was made just before. */
const MISSING_PAUSE_MS = 2_000;

/**
 * The reader repeats a request for a minute while its failure may pass, for half of the time left
 * while GitHub says how long to wait, and a 404 up to `tries404`. It throws a `GitHubError`, whose
 * text begins with `what`, and the signal's reason after a cancel.
 */
export function createReader(
  access: GitHubAccess,
  permission: 'contents: read' | 'pull-requests: read',
  tries404 = 2,
) {
  const { clock, signal, deadline } = access;
  return async <T>(
    what: string,
    schema: z.ZodMiniType<T>,
    request: (octokit: Octokit) => Promise<ApiResponse>,
  ): Promise<T> => {
    const startedAt = clock.now();
    const half = startedAt + Math.max(0, deadline - startedAt) / 2;
    let missing = 0;
    const attempt = async (): Promise<Try<T | GitHubError>> => {
      const read = await openOctokit(access)
        .then(request)
        .then((response) => readResponse(response, schema, clock.date()), failureBefore);
      if ('data' in read) return { value: read.data };
      const { status, mayPass, retryAfterMs } = read;
      if (status === 404) missing += 1;
      const isAgain = mayPass
        ? retryAfterMs !== undefined || clock.now() < startedAt + MINUTE_MS
        : status === 404 && missing < tries404;
      const value = new GitHubError(what, permission, read);
      return isAgain ? { value, again: { why: value.message, retryAfterMs } } : { value };
    };
    const value = await retry(attempt, { ...access, deadline: half });
    signal.throwIfAborted();
    if (value instanceof GitHubError) throw value;
    return value;
  };
}

/** Loads the toolkit only when it is needed. Throws without a token. */
async function openOctokit(access: GitHubAccess): Promise<Octokit> {
  const { facts, token, fetch, clock, signal, deadline, runner } = access;
  const { getOctokit } = await import(/* webpackMode: "eager" */ '@actions/github');
  const fetchInTime: Fetch = (url, init) => {
    const leftMs = Math.max(1, deadline - clock.now());
    return fetch(url, { ...init, timeoutMs: Math.min(READ_MS, leftMs) });
  };
  const octokit = getOctokit(token, {
    baseUrl: facts.apiUrl,
    userAgent: USER_AGENT,
    // It would write a warning with GitHub's words to stderr.
    request: { fetch: fetchInTime, signal, log: { warn: (line: string) => runner.debug(line) } },
  });
  octokit.hook.error('request', (error) => {
    if ('response' in error && error.response !== undefined) return error.response;
    throw error;
  });
  return octokit;
}

export function ownerAndRepo(repository: string) {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}

export class GitHubError extends StepError {
  override readonly name = 'GitHubError';
  readonly failure: Failure;

  constructor(what: string, permission: string, failure: Failure) {
    const status = failure.status === undefined ? '' : `HTTP ${failure.status}, `;
    const message = `${what} with GitHub's API failed: ${status}${quote(failure.said)}`;
    super(topicOf(failure), message, { detail: `\`${permission}\`` });
    this.failure = failure;
  }
}

/** For `catch`: returns `undefined` for a failure that stays and means that there is nothing to read. */
export const nothingIf = (isNothing: (failure: Failure) => boolean) => (error: unknown) => {
  const failure = error instanceof GitHubError ? error.failure : undefined;
  if (failure !== undefined && !failure.mayPass && isNothing(failure)) return undefined;
  throw error;
};

function topicOf({ status, said, mayPass }: Failure): Topic {
  if (status === undefined) return 'network';
  if (status === 401) return 'github-token';
  // Other causes of a 403 are a list of allowed IP addresses, or single sign-on.
  const isHidden = (status === 404 && !mayPass) || said.includes('not accessible by');
  return isHidden ? 'github-permission' : 'github';
}

const messageSchema = z.object({ message: z.string() });
/** GraphQL reports errors, limits on requests included, with HTTP 200. */
const graphqlSchema = z.object({ errors: z.array(messageSchema).check(z.minLength(1)) });

function readResponse<T>(
  { status, headers, data }: ApiResponse,
  schema: z.ZodMiniType<T>,
  date: number,
): { readonly data: T } | Failure {
  const errors = graphqlSchema.safeParse(data).data?.errors;
  if (status < 300 && errors === undefined) {
    const parsed = schema.safeParse(data);
    // For example a page of a proxy.
    return parsed.success ? parsed : { said: 'unexpected response', mayPass: false };
  }
  const message = (errors?.[0] ?? messageSchema.safeParse(data).data)?.message;
  const said = message ?? 'no message';
  const isLimit = status === 429 || /rate limit/i.test(said);
  // In an incident, GitHub sent a web page with a 404 for what was there.
  const isMissing = status === 404 && message !== undefined;
  const mayPass = isLimit || status >= 500 || (!isMissing && [404, 408, 425].includes(status));
  const pauseMs = isLimit ? limitMs(headers, date) : isMissing ? MISSING_PAUSE_MS : undefined;
  const asked = parseRetryAfter(String(headers['retry-after'] ?? ''), date);
  return { status, said, mayPass, retryAfterMs: asked ?? pauseMs };
}

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
function limitMs(headers: ApiResponse['headers'], date: number): number {
  const resetAt = Number(headers['x-ratelimit-reset']) * 1_000;
  if (headers['x-ratelimit-remaining'] !== '0' || Number.isNaN(resetAt)) return MINUTE_MS;
  return Math.max(0, resetAt - date) + 1_000;
}

/** Without a response. Octokit's errors of a fetch have a cause, and those of its own have none. */
const failureBefore = (error: unknown): Failure => ({
  said: messageOf(error),
  mayPass: error instanceof Error && error.cause !== undefined,
});
