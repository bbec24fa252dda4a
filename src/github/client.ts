import { request } from '@octokit/request';
import * as z from 'zod/mini';
import { proxyFor } from '../effects/proxy.ts';
import { formatDuration } from '../lib/duration.ts';
import { GitHubError, messageOf, WorkflowContextError } from '../lib/errors.ts';
import { backoffMs, parseRetryAfter, requestTimeoutMs } from '../lib/retry.ts';
import { parseJson, pluralize, quote } from '../lib/text.ts';
import { githubFetch } from './fetch.ts';
import type { GitHubAccess } from './github.ts';

const MAX_TRIES = 3;
const PAGE_SIZE = 100;
/** GitHub ends most lists at 10,000 entries. */
const MAX_PAGES = 100;
/** Longest time in total that one run waits because GitHub asks for it, mostly for a rate limit. */
const MAX_ASKED_WAIT_MS = 5 * 60_000;
/** How long GitHub asks clients to wait when a secondary limit names no time. */
const SECONDARY_LIMIT_WAIT_MS = 60_000;

/**
 * Much more than an error shows, so that no secret is cut where it would be shown. To remove secrets
 * from many megabytes takes a while.
 */
const MAX_ERROR_TEXT = 50_000;

type Parameters = Readonly<Record<string, unknown>>;

interface Answer<T> {
  readonly data: T;
  readonly hasMore: boolean;
}

/**
 * Requests to GitHub's REST API through Octokit, at the API URL that the runner names
 * (`GITHUB_API_URL`, so GitHub Enterprise Server as well). It only reads. Each request is tried up
 * to three times, and again after a rate limit. `what` is the name of the request in an error, like
 * `Listing tags`.
 */
export class GitHubClient {
  readonly owner: string;
  readonly repo: string;
  readonly #access: GitHubAccess;
  readonly #request: typeof request;
  /** How long this run has waited because GitHub asked for it. */
  #askedWaitMs = 0;

  /**
   * Throws a `WorkflowContextError` outside a workflow, and a `GitHubError` without a token, or when
   * the address of the API, or the proxy for it, cannot be used.
   */
  constructor(access: GitHubAccess) {
    const [owner = '', repo = ''] = (process.env['GITHUB_REPOSITORY'] ?? '').split('/');
    if (owner === '' || repo === '') throw new WorkflowContextError('GITHUB_REPOSITORY');
    if (access.token === '') {
      const message = '`githubToken` is empty. Leave it out to use the token of the workflow';
      throw new GitHubError('bad-token', message);
    }
    this.owner = owner;
    this.repo = repo;
    this.#access = access;
    this.#request = request.defaults({
      baseUrl: apiUrl(),
      headers: { authorization: `token ${access.token}` },
      request: { fetch: githubFetch, log: silent },
    });
  }

  /**
   * Gets one answer of the expected shape. Rejects with a `GitHubError`, or with the signal's
   * reason.
   */
  async ask<S extends z.ZodMiniType>(
    what: string,
    schema: S,
    route: string,
    parameters: Parameters = {},
  ): Promise<Answer<z.infer<S>>> {
    const { clock, signal, deadline } = this.#access;
    let failures = 0;
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      const answer = await this.#tryOnce(schema, route, parameters);
      if ('data' in answer) return answer;
      if (answer.kind === 'failed') failures += 1;
      const askedMs = askedWaitMs(answer, clock.date());
      const waitMs = Math.max(backoffMs(tries, undefined, clock.random()), askedMs ?? 0);
      if (
        answer.isFinal === true ||
        failures >= MAX_TRIES ||
        clock.now() + waitMs >= deadline ||
        (askedMs !== undefined && !this.#mayWait(answer, waitMs))
      ) {
        throw this.#errorOf(what, answer);
      }
      await clock.sleep(waitMs, signal);
    }
  }

  /** The entries of all pages of a list that is an array. */
  list<E extends z.ZodMiniType>(
    what: string,
    entry: E,
    route: string,
    parameters: Parameters = {},
  ): Promise<z.infer<E>[]> {
    return Array.fromAsync(
      this.pages<E, z.ZodMiniArray<E>>(what, z.array(entry), (data) => data, route, parameters),
    );
  }

  /** The entries of all pages. Each page is requested when the one before it is used up. */
  async *pages<E extends z.ZodMiniType, S extends z.ZodMiniType>(
    what: string,
    schema: S,
    entriesOf: (data: z.infer<S>) => readonly z.infer<E>[],
    route: string,
    parameters: Parameters = {},
  ): AsyncGenerator<z.infer<E>> {
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const paged = { ...parameters, per_page: PAGE_SIZE, page };
      const { data, hasMore } = await this.ask(what, schema, route, paged);
      yield* entriesOf(data);
      if (!hasMore) return;
    }
  }

  async #tryOnce<S extends z.ZodMiniType>(
    schema: S,
    route: string,
    parameters: Parameters,
  ): Promise<Answer<z.infer<S>> | FailedTry> {
    const { clock, signal, deadline } = this.#access;
    const timeoutMs = requestTimeoutMs(deadline - clock.now());
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const { data, headers } = await this.#request(route, {
        owner: this.owner,
        repo: this.repo,
        ...wellFormed(parameters),
        request: { signal: AbortSignal.any([signal, timeout]) },
      });
      const parsed = schema.safeParse(parseJson(String(data)));
      return parsed.success
        ? { data: parsed.data, hasMore: hasNextPage(headers.link) }
        : { kind: 'failed', error: `GitHub's answer is not ${shapeOf(parsed.error)}` };
    } catch (error) {
      signal.throwIfAborted();
      return failedTry(error, timeout.aborted ? timeoutMs : undefined);
    }
  }

  /** Logs a wait that GitHub asked for, or returns false if it is not made. */
  #mayWait({ kind, error }: FailedTry, waitMs: number): boolean {
    if (this.#askedWaitMs + waitMs > MAX_ASKED_WAIT_MS) return false;
    this.#askedWaitMs += waitMs;
    const reason = kind === 'rate-limited' ? "GitHub's rate limit was reached" : error;
    this.#access.runner.info(`${reason}. Retrying in ${formatDuration(waitMs)}.`);
    return true;
  }

  #errorOf(what: string, { kind, error, errorText, cause }: FailedTry): GitHubError {
    const { redact } = this.#access.runner;
    const shown = errorText?.slice(0, MAX_ERROR_TEXT);
    const answer = shown === undefined ? '' : `: ${quote(redact(shown))}`;
    const limited = kind === 'rate-limited' ? " (a limit on requests to GitHub's API)" : '';
    return new GitHubError(kind, `${what} failed. ${error}${limited}${answer}`, { cause });
  }
}

function apiUrl(): string {
  const url = (process.env['GITHUB_API_URL'] || 'https://api.github.com')
    .trim()
    .replace(/\/+$/, '');
  if (!URL.canParse(url) || !/^https?:/.test(new URL(url).protocol)) {
    throw new GitHubError('failed', '`GITHUB_API_URL` is not a URL');
  }
  try {
    proxyFor(new URL(url));
  } catch (cause) {
    const message = `GitHub's API cannot be reached: ${messageOf(cause)}. Set \`https_proxy\` to an \`http://\` or \`https://\` proxy, or add the host to \`no_proxy\``;
    throw new GitHubError('failed', message, { cause });
  }
  return url;
}

/** What is known of one try that failed. */
interface FailedTry {
  readonly kind: GitHubError['kind'];
  /** A sentence of our own. */
  readonly error: string;
  /** The answer of GitHub, or the error of the network. */
  readonly errorText?: string;
  /** Whether another try would fail the same way. */
  readonly isFinal?: boolean;
  /** Those of the answer. */
  readonly headers?: AnswerHeaders;
  readonly cause?: unknown;
}

type AnswerHeaders = Readonly<Record<string, string | number | undefined>>;

/**
 * What an error from Octokit means. Such an error has the HTTP status, and the answer if there was
 * one. Any other error is a bug in this action and is rethrown.
 */
function failedTry(thrown: unknown, timedOutAfterMs: number | undefined): FailedTry {
  const { status, response } = thrown as { status?: unknown; response?: ErrorResponse };
  const cause = thrown;
  if (timedOutAfterMs !== undefined) {
    const error = `GitHub's API did not answer within ${pluralize(Math.ceil(timedOutAfterMs / 1_000), 'second')}`;
    return { kind: 'failed', error, cause };
  }
  if (typeof status !== 'number') throw thrown;
  if (response === undefined) {
    return {
      kind: 'failed',
      error: "GitHub's API gave no answer",
      errorText: messageOf(thrown),
      cause,
    };
  }
  const errorText = textOf(response.data);
  const headers = response.headers ?? {};
  const kind = kindOf(status, headers, errorText);
  const isFinal = kind !== 'rate-limited' && status < 500 && status !== 408 && status !== 425;
  return {
    kind,
    error: `GitHub's API answered HTTP ${status}`,
    errorText,
    isFinal,
    headers,
    cause,
  };
}

interface ErrorResponse {
  readonly data?: unknown;
  readonly headers?: AnswerHeaders;
}

const messageSchema = z.object({ message: z.string() });

/** The `message` of an error answer, or the whole answer if it is not JSON. */
function textOf(data: unknown): string {
  const value = parseJson(String(data));
  const parsed = messageSchema.safeParse(value);
  if (parsed.success) return parsed.data.message;
  return value === undefined && typeof data === 'string' && data !== '' ? data : 'no message';
}

/** Half a surrogate pair, which JSON can hold, cannot be encoded for a URL. */
function wellFormed(parameters: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed() : value,
    ]),
  );
}

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
function kindOf(status: number, headers: AnswerHeaders, text: string): GitHubError['kind'] {
  const isLimited =
    headers['x-ratelimit-remaining'] === '0' ||
    headers['retry-after'] !== undefined ||
    /rate limit|abuse detection/i.test(text);
  if (status === 429 || (status === 403 && isLimited)) return 'rate-limited';
  if (status === 401) return 'bad-token';
  if (status === 403) return 'forbidden';
  return status === 404 ? 'not-found' : 'failed';
}

/** Milliseconds from now (`date`, ms since 1970) that GitHub asks to wait, if it does. */
function askedWaitMs({ kind, headers = {} }: FailedTry, date: number): number | undefined {
  const asked = parseRetryAfter(headers['retry-after']?.toString(), date);
  if (asked !== undefined || kind !== 'rate-limited') return asked;
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
  const isPrimary = headers['x-ratelimit-remaining'] === '0' && Number.isFinite(reset);
  // One second more, because GitHub gives whole seconds.
  return isPrimary ? reset * 1_000 - date + 1_000 : SECONDARY_LIMIT_WAIT_MS;
}

/** Where an answer differs from what GitHub's documentation shows. */
function shapeOf({ issues }: z.core.$ZodError): string {
  const path = issues[0]?.path.join('.') ?? '';
  return path === '' ? 'of the expected shape' : `of the expected shape at ${quote(path)}`;
}

/** https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api#using-link-headers */
const hasNextPage = (link: string | undefined) => /;\s*rel="?next"?/.test(link ?? '');

/**
 * Octokit would log to stderr, which the runner parses for commands and may show before it has read
 * the masks.
 */
const silent = { debug() {}, info() {}, warn() {}, error() {} };
