/** GitHub's API through the toolkit's Octokit, with a retry, and with errors for people. */
import { getOctokit } from '@actions/github';
import type { z } from 'zod';
import type { Clock, Runner } from '../effects.ts';
import { StepError } from '../errors.ts';
import { type Fetch, retry, type Try } from '../http.ts';
import {
  type Failure,
  failedText,
  failureIn,
  failureOf,
  GitHubError,
  type Permission,
  type Response,
} from './errors.ts';
import type { RunFacts } from './event.ts';

export interface GitHubAccess {
  readonly facts: Pick<RunFacts, 'apiUrl' | 'serverUrl' | 'repository'>;
  readonly token: string;
  /** Reads the whole body before it resolves: Octokit takes a cut one for empty data. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** On the scale of `clock.now()`, in ms. */
  readonly deadline: number;
  readonly runner: Pick<Runner, 'info'>;
}

export type Octokit = ReturnType<typeof getOctokit>;

export interface Client {
  /** The run's repository, as Octokit's parameters. */
  readonly own: { readonly owner: string; readonly repo: string };
  readonly graphqlUrl: string;
  /**
   * Returns the fields of a response that `schema` reads. Repeats the request while its failure may
   * pass (no whole response, 408, 425, 5xx) for a minute, and where GitHub asks to wait (limits on
   * requests) for half of the time that is left. `what` names the request in errors, like `Comparing two commits`. Throws
   * a `GitHubError` if the request fails, and the signal's reason after a cancel.
   */
  read<T>(
    what: string,
    permission: Permission,
    schema: z.ZodType<T>,
    request: (octokit: Octokit) => Promise<Response>,
  ): Promise<T>;
}

const FAULTS_MS = 60_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** For example a page of a proxy. */
const UNEXPECTED: Failure = {
  ...{ status: undefined, said: 'unexpected response', mayPass: false, retryAfterMs: undefined },
};

/** Throws a `StepError` without a token. */
export function createClient(access: GitHubAccess): Client {
  const { facts, token, clock, signal, deadline, runner } = access;
  const [owner = '', repo = ''] = facts.repository.split('/');
  if (token === '') {
    const message = "`githubToken` is empty. Leave it out to use the workflow's token.";
    throw new StepError('permissions', message);
  }
  const octokit = createOctokit(access);
  return {
    own: { owner, repo },
    // `https://api.github.com/graphql`, and on GitHub Enterprise Server `https://<host>/api/graphql`.
    graphqlUrl: `${facts.apiUrl.replace(/\/v3$/, '')}/graphql`,
    async read(what, permission, schema, request) {
      const startedAt = clock.now();
      let failure: Failure | undefined;
      async function attempt(): Promise<Try<z.infer<typeof schema>>> {
        try {
          const response = await request(octokit);
          failure = failureIn(response, clock.date());
          if (failure === undefined) {
            const { success, data } = schema.safeParse(response.data);
            if (success) return { kind: 'done', value: data };
            failure = UNEXPECTED;
          }
        } catch (error) {
          signal.throwIfAborted();
          failure = failureOf(error, clock.date());
        }
        const { mayPass, retryAfterMs } = failure;
        const error = new Error(failedText(what, failure));
        const isOver = retryAfterMs === undefined && clock.now() >= startedAt + FAULTS_MS;
        if (!mayPass || isOver) throw error;
        return { kind: 'again', error, retryAfterMs };
      }
      const log = (line: string) => runner.info(line);
      const half = startedAt + Math.max(0, deadline - startedAt) / 2;
      try {
        return await retry(attempt, { clock, signal, deadline: half, log });
      } catch (error) {
        signal.throwIfAborted();
        throw failure === undefined ? error : new GitHubError(what, permission, failure);
      }
    },
  };
}

function createOctokit({ facts, token, fetch, clock, signal, deadline }: GitHubAccess) {
  const fetchInTime: Fetch = (url, init) => {
    const leftMs = Math.max(1, deadline - clock.now());
    return fetch(url, { ...init, timeoutMs: Math.min(REQUEST_TIMEOUT_MS, leftMs) });
  };
  return getOctokit(token, {
    baseUrl: facts.apiUrl,
    userAgent: 'docs-agent-job',
    request: { fetch: fetchInTime, signal },
  });
}
