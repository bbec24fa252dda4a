/** GitHub's API through the toolkit's Octokit, with a retry, and with errors for people. */
import { getOctokit } from '@actions/github';
import { z } from 'zod';
import type { Limits, Runner } from '../effects.ts';
import { messageOf, StepError, type Topic } from '../errors.ts';
import { type Fetch, parseRetryAfter, REQUEST_TIMEOUT_MS, retry } from '../http.ts';
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

type Permission = 'contents: read' | 'pull-requests: read';

type Octokit = ReturnType<typeof getOctokit>;

type ApiRequest = (octokit: Octokit) => Promise<ApiResponse>;

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
const FAULTS_MS = 60_000;

export function createClient(access: GitHubAccess) {
  const { facts, token, fetch, clock, signal, deadline, runner } = access;
  const [owner = '', repo = ''] = facts.repository.split('/');
  const fetchInTime: Fetch = (url, init) => {
    const leftMs = Math.max(1, deadline - clock.now());
    return fetch(url, { ...init, timeoutMs: Math.min(REQUEST_TIMEOUT_MS, leftMs) });
  };
  const options = {
    baseUrl: facts.apiUrl,
    userAgent: 'docs-agent-job',
    // It would write a warning with GitHub's words to stderr.
    request: { fetch: fetchInTime, signal, log: { warn: (line: string) => runner.debug(line) } },
  };

  async function tryOnce(octokit: Octokit, request: ApiRequest) {
    try {
      const response = await request(octokit);
      return { data: response.data, failure: failureIn(response, clock.date()) };
    } catch (error) {
      signal.throwIfAborted();
      return { data: undefined, failure: failureOf(error, clock.date()) };
    }
  }

  return {
    own: { owner, repo },
    serverUrl: facts.serverUrl,
    /** `https://api.github.com/graphql`, or on GitHub Enterprise Server `https://<host>/api/graphql`. */
    graphqlUrl: `${facts.apiUrl.replace(/\/v3$/, '')}/graphql`,

    /**
     * Returns what `schema` reads in the response. Repeats the request for a minute while its
     * failure may pass, and for half of the time left while GitHub says how long to wait. `what`
     * names it in errors, like `Comparing two commits`. Throws a `GitHubError`, and the signal's
     * reason after a cancel.
     */
    async read<T>(
      what: string,
      permission: Permission,
      schema: z.ZodType<T>,
      request: ApiRequest,
    ): Promise<T> {
      // It throws without a token, which a prompt alone does not need.
      const octokit = getOctokit(token, options);
      const startedAt = clock.now();
      const attempt = async () => {
        const value = await tryOnce(octokit, request);
        if (!value.failure?.mayPass) return { value };
        const { retryAfterMs } = value.failure;
        if (retryAfterMs === undefined && clock.now() >= startedAt + FAULTS_MS) return { value };
        return { value, again: { why: failedText(what, value.failure), retryAfterMs } };
      };
      const half = startedAt + Math.max(0, deadline - startedAt) / 2;
      const { data, failure } = await retry(attempt, { clock, signal, deadline: half, runner });
      if (failure !== undefined) throw new GitHubError(what, permission, failure);
      const parsed = schema.safeParse(data);
      if (parsed.success) return parsed.data;
      // For example a page of a proxy.
      throw new GitHubError(what, permission, { said: 'unexpected response', mayPass: false });
    },
  };
}

export class GitHubError extends StepError {
  override readonly name = 'GitHubError';
  readonly failure: Failure;

  constructor(what: string, permission: Permission, failure: Failure) {
    super(topicOf(failure), failedText(what, failure), { about: `\`${permission}\`` });
    this.failure = failure;
  }
}

const failedText = (what: string, { status, said }: Failure) =>
  `${what} with GitHub's API failed: ${status === undefined ? '' : `HTTP ${status}, `}${quote(said)}`;

function topicOf({ status, said }: Failure): Topic {
  if (status === undefined) return 'network';
  if (status === 401) return 'github-token';
  // Other causes of a 403 are a list of allowed IP addresses, or single sign-on.
  if (status === 404 || said.includes('not accessible by')) return 'github-permission';
  return 'github';
}

const thrownSchema = z.object({
  response: z.object({
    status: z.number(),
    headers: z.record(z.string(), z.unknown()),
    data: z.unknown(),
  }),
});
const messageSchema = z.object({ message: z.string() });
/** GraphQL reports errors, limits on requests included, with HTTP 200. */
const graphqlSchema = z.object({ errors: z.array(messageSchema).min(1) });

function failureIn({ status, headers, data }: ApiResponse, date: number): Failure | undefined {
  const errors = graphqlSchema.safeParse(data).data?.errors;
  if (status < 300 && errors === undefined) return undefined;
  const said = (errors?.[0] ?? messageSchema.safeParse(data).data)?.message ?? 'no message';
  const isLimit = status === 429 || /rate limit/i.test(said);
  const mayPass = isLimit || status >= 500 || status === 408 || status === 425;
  const asked = parseRetryAfter(String(headers['retry-after'] ?? ''), date);
  const retryAfterMs = asked ?? (isLimit ? limitMs(headers, date) : undefined);
  return { status, said, mayPass, retryAfterMs };
}

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
function limitMs(headers: ApiResponse['headers'], date: number): number {
  if (headers['x-ratelimit-remaining'] !== '0') return 60_000;
  return Math.max(0, Number(headers['x-ratelimit-reset']) * 1_000 - date) + 1_000;
}

function failureOf(error: unknown, date: number): Failure {
  const thrown = thrownSchema.safeParse(error).data;
  const reported = thrown && failureIn(thrown.response, date);
  return reported ?? { said: messageOf(error), mayPass: true };
}
