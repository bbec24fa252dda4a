/** GitHub's API through the toolkit's Octokit, with a retry, and with errors for people. */
import type { getOctokit } from '@actions/github';
import * as z from 'zod/mini';
import type { Limits, Runner } from '../effects.ts';
import { messageOf, StepError, type Topic } from '../errors.ts';
import { type Fetch, parseRetryAfter, retry, USER_AGENT } from '../http.ts';
import { MINUTE_MS, READ_MS } from '../limits.ts';
import { quote } from '../text/escape.ts';
import type { RunFacts } from './event.ts';

export interface GitHubAccess extends Limits {
  readonly facts: Pick<RunFacts, 'apiUrl' | 'serverUrl' | 'repository'>;
  readonly token: string;
  /** Reads the whole body before it resolves: Octokit takes a cut one for empty data. */
  readonly fetch: Fetch;
  readonly runner: Pick<Runner, 'info' | 'debug'>;
}

export type Client = ReturnType<typeof createClient>;

type Octokit = ReturnType<typeof getOctokit>;

interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
}

export interface Failure {
  /** Missing without a whole, usable response. */
  readonly status?: number;
  /** What GitHub said, or what failed on the way. Untrusted. */
  readonly said: string;
  /** Whether the same request may work later. */
  readonly mayPass: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** How long to try again while GitHub fails without saying how long to wait. */
const FAULTS_MS = MINUTE_MS;
/** GitHub may not show yet what was made just before. */
const MISSING_PAUSE_MS = 2_000;

export function createClient(access: GitHubAccess) {
  const { facts, token, fetch, clock, signal, deadline, runner } = access;
  const [owner = '', repo = ''] = facts.repository.split('/');
  const fetchInTime: Fetch = (url, init) => {
    const leftMs = Math.max(1, deadline - clock.now());
    return fetch(url, { ...init, timeoutMs: Math.min(READ_MS, leftMs) });
  };
  const options = {
    baseUrl: facts.apiUrl,
    userAgent: USER_AGENT,
    // It would write a warning with GitHub's words to stderr.
    request: { fetch: fetchInTime, signal, log: { warn: (line: string) => runner.debug(line) } },
  };
  /** Loads the toolkit only when it is needed. Throws without a token. */
  async function open() {
    const { getOctokit } = await import(/* webpackMode: "eager" */ '@actions/github');
    const octokit = getOctokit(token, options);
    // A response is read in one way, whatever its status.
    octokit.hook.error('request', (error) => {
      if ('response' in error && error.response !== undefined) return error.response;
      throw error;
    });
    return octokit;
  }

  return {
    own: { owner, repo },
    signal,
    serverUrl: facts.serverUrl,
    /** `https://api.github.com/graphql`, or on GitHub Enterprise Server `https://<host>/api/graphql`. */
    graphqlUrl: `${facts.apiUrl.replace(/\/v3$/, '')}/graphql`,

    /**
     * Returns a function that returns what `schema` reads in a response. It repeats the request for
     * a minute while its failure may pass, for half of the time left while GitHub says how long to
     * wait, and a 404 up to `tries404`. `what` names it in errors, like `Comparing two commits`. It
     * throws a `GitHubError`, and the signal's reason after a cancel.
     */
    reader(permission: 'contents: read' | 'pull-requests: read', tries404 = 2) {
      return async <T>(
        what: string,
        schema: z.ZodMiniType<T>,
        request: (octokit: Octokit) => Promise<ApiResponse>,
      ): Promise<T> => {
        const startedAt = clock.now();
        let missing = 0;
        const attempt = async () => {
          const value = await open()
            .then(request)
            .then(
              (response) => ({ data: response.data, failure: failureIn(response, clock.date()) }),
              (error: unknown) => ({ data: undefined, failure: faultOf(error) }),
            );
          signal.throwIfAborted();
          const { failure } = value;
          if (failure === undefined) return { value };
          const { status, mayPass, retryAfterMs } = failure;
          if (status === 404) missing += 1;
          const isAgain = mayPass
            ? retryAfterMs !== undefined || clock.now() < startedAt + FAULTS_MS
            : status === 404 && missing < tries404;
          const again = { why: failedText(what, failure), retryAfterMs };
          return isAgain ? { value, again } : { value };
        };
        const half = startedAt + Math.max(0, deadline - startedAt) / 2;
        const { data, failure } = await retry(attempt, { clock, signal, deadline: half, runner });
        if (failure !== undefined) throw new GitHubError(what, permission, failure);
        const parsed = schema.safeParse(data);
        if (parsed.success) return parsed.data;
        // For example a page of a proxy.
        throw new GitHubError(what, permission, { said: 'unexpected response', mayPass: false });
      };
    },
  };
}

export class GitHubError extends StepError {
  override readonly name = 'GitHubError';
  readonly failure: Failure;

  constructor(what: string, permission: string, failure: Failure) {
    super(topicOf(failure), failedText(what, failure), { about: `\`${permission}\`` });
    this.failure = failure;
  }
}

/** `undefined` for a failure that stays and means that there is nothing to read. */
export const unless = <T>(isNothing: (failure: Failure) => boolean, reading: Promise<T>) =>
  reading.catch((error: unknown) => {
    const failure = error instanceof GitHubError ? error.failure : undefined;
    if (failure !== undefined && !failure.mayPass && isNothing(failure)) return undefined;
    throw error;
  });

const failedText = (what: string, { status, said }: Failure) =>
  `${what} with GitHub's API failed: ${status === undefined ? '' : `HTTP ${status}, `}${quote(said)}`;

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

function failureIn({ status, headers, data }: ApiResponse, date: number): Failure | undefined {
  const errors = graphqlSchema.safeParse(data).data?.errors;
  if (status < 300 && errors === undefined) return undefined;
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

/** Octokit's errors of a fetch have a cause, and those of its own have none. */
const faultOf = (error: unknown): Failure => ({
  said: messageOf(error),
  mayPass: error instanceof Error && error.cause !== undefined,
});
