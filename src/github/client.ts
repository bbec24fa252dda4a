import type * as z from 'zod/mini';
import { backoffMs, requestTimeoutMs } from '../effects/retry.ts';
import { endOfWait, formatDuration } from '../text/duration.ts';
import { cut, quote } from '../text/escape.ts';
import { GitHubError, missingVariable } from './errors.ts';
import type { GitHubAccess } from './github.ts';
import {
  type GitHubFault,
  type GitHubResult,
  gitHubResultOf,
  MAX_RESPONSE_BYTES,
  redirectOf,
} from './response.ts';
import type { Workflow } from './workflow.ts';

/** Each size divides the previous one, so that a list can continue in smaller pages. */
const PAGE_SIZES = [100, 25, 5, 1] as const;
/** GitHub ends most lists at 10,000 entries. */
const MAX_LISTED = 10_000;
const MAX_REDIRECTS = 5;
/** The most time that a run may lose to failed requests and the waits after them. */
const MAX_LOST_MS = 5 * 60_000;
/** The most of `timeout` to lose to failures, so that time is left for the agent job. */
const MAX_LOST_SHARE = 1 / 3;
const MAX_UNUSABLE_RESPONSES = 5;
/** Far more than an error shows. */
const MAX_ERROR_TEXT = 50_000;

type Query = Readonly<Record<string, string | number>>;

/** One request, without what all requests have in common. */
interface Call {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly body?: string;
}
const get = (url: URL): Call => ({ method: 'GET', url });
const post = (url: URL, value: object): Call => ({
  method: 'POST',
  url,
  body: JSON.stringify(value),
});

interface RequestOptions {
  /**
   * When to give up, on the clock's scale. Retries aren't logged, because failing is acceptable.
   */
  readonly giveUpAt?: number;
}

/** Builds a path in which each value is encoded as one segment, or as part of one. */
export function apiPath(texts: TemplateStringsArray, ...values: (string | number)[]): string {
  // Replace half a surrogate pair, which JSON can hold, but a URL can't.
  const encoded = values.map((value) => encodeURIComponent(String(value).toWellFormed()));
  return String.raw({ raw: texts }, ...encoded);
}

/**
 * Reads from GitHub's API at the addresses that the runner provides (`GITHUB_API_URL` and
 * `GITHUB_GRAPHQL_URL`), and thus supports GitHub Enterprise Server. Retries a failed request after
 * a pause if that may help, until the run has lost 5 minutes or a third of `timeout` to failures.
 * Throws a `RunError` outside a workflow, and a `GitHubError` without a token or a usable URL.
 */
export function createClient(
  { http, clock, runner, signal, token, deadline, timeoutMs: runMs }: GitHubAccess,
  { apiUrl, graphqlUrl, facts }: Workflow,
) {
  if (facts.repository === undefined) throw missingVariable('GITHUB_REPOSITORY');
  const ownRepository: string = facts.repository;
  if (token === '') {
    const message = "`githubToken` is empty. Leave it out to use the workflow's `GITHUB_TOKEN`";
    throw new GitHubError('bad-token', message);
  }
  const baseUrl = apiUrl.trim().replace(/\/+$/, '');
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new GitHubError('failed', '`GITHUB_API_URL` is not a URL');
  }
  const maxLostMs = Math.min(MAX_LOST_MS, runMs * MAX_LOST_SHARE);
  /** How long this run has lost to failures. */
  let lostMs = 0;

  /** Builds the URL of a path below a repository (`owner/name`, which may be untrusted). */
  function urlOf(name: string, path: string, query: Query = {}): URL {
    const parts = name.split('/');
    if (parts.some((part) => ['', '.', '..'].includes(part))) {
      throw new GitHubError('not-found', `${quote(name)} is not the name of a repository`);
    }
    const names = parts.map((part) => apiPath`/${part}`);
    const url = new URL(`${baseUrl}/repos${names.join('')}${path}`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value));
    return url;
  }

  /** `what` names the request in an error, like `Listing tags`. */
  async function read<T>(
    what: string,
    schema: z.ZodMiniType<T>,
    call: Call,
    { giveUpAt }: RequestOptions = {},
  ) {
    const endsAt = Math.min(deadline, giveUpAt ?? Number.POSITIVE_INFINITY);
    let unusable = 0;
    for (let failures = 1; ; failures += 1) {
      const startedAt = clock.now();
      const result = await tryOnce(schema, call, endsAt);
      if (result.kind === 'data') return result;
      if (result.retry === 'unusable') unusable += 1;
      const pauseMs = backoffMs(failures, clock.random());
      const waitMs = Math.max(pauseMs, result.requestedWaitMs);
      const isLast = result.retry === 'never' || unusable >= MAX_UNUSABLE_RESPONSES;
      // Don't count the time of an error that no retry would fix.
      if (!isLast) lostMs += clock.now() - startedAt;
      if (isLast || lostMs + waitMs > maxLostMs || clock.now() + waitMs >= endsAt) {
        throw errorOf(what, result);
      }
      lostMs += waitMs;
      const isLimit = result.kind === 'rate-limited';
      const reason = isLimit ? "GitHub's rate limit was reached" : result.error;
      if (giveUpAt === undefined) {
        runner.info(`${reason}. Retrying in ${formatDuration(waitMs)}.`);
      }
      await clock.sleep(waitMs, signal);
    }
  }

  /** Sends the request and follows its redirects, all within one time limit. */
  async function tryOnce<T>(
    schema: z.ZodMiniType<T>,
    call: Call,
    limitAt: number,
  ): Promise<GitHubResult<T>> {
    const endsAt = clock.now() + requestTimeoutMs(limitAt - clock.now());
    let target = call.url;
    for (let redirects = 0; ; redirects += 1) {
      signal.throwIfAborted();
      const timeoutMs = requestTimeoutMs(endsAt - clock.now());
      const delivery = await http.send({
        ...call,
        url: target.href,
        headers: {
          accept: 'application/vnd.github+json',
          'accept-encoding': 'identity',
          authorization: `token ${token}`,
          // GitHub rejects requests without this header.
          'user-agent': 'docs-agent-job',
        },
        connectTimeoutMs: timeoutMs,
        timeoutMs,
        maxResponseBytes: MAX_RESPONSE_BYTES,
        signal,
        graceMs: 0,
      });
      signal.throwIfAborted();
      const isFollowed = call.method === 'GET' && redirects < MAX_REDIRECTS;
      const next = isFollowed ? redirectOf(delivery, target) : undefined;
      if (next === undefined) return gitHubResultOf(delivery, schema, clock.date());
      if (!(next instanceof URL)) return next;
      target = next;
    }
  }

  function errorOf(what: string, { kind, error, errorText, requestedWaitMs }: GitHubFault) {
    const details = [
      kind === 'rate-limited' ? limitText(requestedWaitMs, clock.date()) : undefined,
      errorText && quote(cut(runner.redact(errorText), MAX_ERROR_TEXT)),
    ].filter((detail) => detail !== undefined);
    const why = details.length === 0 ? '' : ` (${details.join(': ')})`;
    return new GitHubError(kind, `${what} failed: ${error}${why}`);
  }

  type Request<T> = [
    what: string,
    schema: z.ZodMiniType<T>,
    path: string,
    query?: Query,
    options?: RequestOptions,
  ];

  /**
   * Yields the pages of a list, and requests each once the previous one is used up. If a page is
   * too large, continues in smaller ones: a release may have hundreds of assets.
   */
  async function* pages<T>(...[what, schema, path, query]: Request<T>) {
    let [size, ...smaller]: number[] = [...PAGE_SIZES];
    for (let listed = 0; size !== undefined && listed < MAX_LISTED; ) {
      const url = urlOf(ownRepository, path, { ...query, per_page: size, page: listed / size + 1 });
      const isSmallest = smaller.length === 0;
      const page = await read(what, schema, get(url)).catch((error: unknown) => {
        if (isSmallest || !isTooLarge(error)) throw error;
      });
      if (page === undefined) [size, ...smaller] = smaller;
      else {
        yield page.data;
        if (!page.hasMore) return;
        listed += size;
      }
    }
  }

  const askAbout = async <T>(name: string, ...[what, schema, path, query, options]: Request<T>) =>
    (await read(what, schema, get(urlOf(name, path, query)), options)).data;

  return {
    /**
     * Returns the data of one response. Rejects with a `GitHubError`, or with the signal's reason.
     */
    ask: <T>(...request: Request<T>) => askAbout(ownRepository, ...request),
    /** Like `ask`, about another repository. */
    askAbout,
    pages,
    /** Returns the entries of all pages of a list. */
    async list<E>(...request: Request<readonly E[]>) {
      const all: E[] = [];
      for await (const page of pages(...request)) all.push(...page);
      return all;
    },
    /**
     * Returns the data of a GraphQL query. Returns `undefined` if the GraphQL API isn't on the REST
     * API's host, because no other host may get the token. `schema` covers the whole response.
     */
    async query<T>(what: string, schema: z.ZodMiniType<T>, query: object): Promise<T | undefined> {
      if (!URL.canParse(graphqlUrl)) return undefined;
      const url = new URL(graphqlUrl);
      if (url.origin !== new URL(baseUrl).origin) return undefined;
      return (await read(what, schema, post(url, query))).data;
    },
  };
}

/** Builds a query for these fields of a repository (`owner/name`). */
export function repositoryQuery(repository: string, fields: readonly string[], fragment = '') {
  const [owner, name] = repository.split('/');
  const query = `query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { ${fields.join(' ')} } } ${fragment}`;
  return { query: query.trimEnd(), variables: { owner, name } };
}

const isTooLarge = (error: unknown) => error instanceof GitHubError && error.kind === 'too-large';

/** States that GitHub's limit was reached, and when it ends, in UTC. */
function limitText(waitMs: number, date: number): string {
  const end = waitMs > 0 ? endOfWait(date, waitMs) : undefined;
  const time = end === undefined ? '' : `, which ends at ${end}`;
  return `a limit on requests to GitHub's API${time}`;
}
