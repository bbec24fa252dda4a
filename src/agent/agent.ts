/** Mintlify's agent API: https://www.mintlify.com/docs/api/introduction */
import * as z from 'zod/mini';
import type { Limits, Runner } from '../effects.ts';
import { messageOf, StepError, type Topic } from '../errors.ts';
import {
  type Fetch,
  FetchError,
  type FetchInit,
  isUntrusted,
  parseRetryAfter,
  retry,
  type Try,
  USER_AGENT,
  wasNotSent,
} from '../http.ts';
import { CANCEL_WRITE_MS, READ_MS, WRITE_MS } from '../limits.ts';
import { quote } from '../text/escape.ts';
import { type AgentJob, idIn, parseJob, parseJson, type Standing, standingOf } from './job.ts';

/** The service certainly did not take a call, or show an agent job. `said` is a part of a sentence. */
export interface Refused {
  readonly kind: 'refused';
  readonly topic: Topic;
  readonly said: string;
}

/** What became of a create or message call. `said` is a part of a sentence, with quotes. */
export type Sent =
  | { readonly kind: 'accepted'; readonly job: AgentJob }
  /** `takesNoMessage`: this agent job never will, so a new one may be created. */
  | (Refused & { readonly takesNoMessage: boolean })
  /** Maybe taken. `jobId` is the id in an unusable response to a create call. */
  | { readonly kind: 'in-doubt'; readonly said: string; readonly jobId: string | undefined };

export interface AgentAccess extends Limits {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly adminApiKey: string;
  readonly fetch: Fetch;
  readonly runner: Runner;
}

export type Agent = ReturnType<typeof createAgent>;

/** Certainly not taken. A gateway may send any 5xx or 408 after the service has taken a call. */
const REFUSED: readonly number[] = [400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 429];
const RATE_LIMITED = 429;
/** As an answer to a message. */
const TAKES_NO_MESSAGE: readonly number[] = [400, 404, 405, 410, 422];
const PASSING: readonly number[] = [408, 425, 429];

export function createAgent(access: AgentAccess) {
  const { baseUrl, projectId, adminApiKey, fetch, clock, signal, runner, deadline } = access;
  const newJobUrl = `${baseUrl}/v2/agent/${encodeURIComponent(projectId)}/job`;
  const jobUrl = (id: string) => `${newJobUrl}/${encodeURIComponent(id)}`;
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${adminApiKey}`,
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
  };

  /** Sends a request once. `job` is the agent job in the response, or why there is none. */
  async function exchange(url: string, limitMs: number, id?: string, init: FetchInit = {}) {
    const timeoutMs = Math.max(1, Math.min(limitMs, deadline - clock.now()));
    const response = await fetch(url, { ...init, headers, signal, timeoutMs });
    const { status } = response;
    // An error may repeat the key.
    const body = (await response.text()).replaceAll(adminApiKey, '***');
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), clock.date());
    return { status, body, job: jobIn(status, body, id), retryAfterMs };
  }

  /** Makes a call once. Only one that was certainly not taken is tried `again`. */
  async function tryWrite(prompt: string, until: number, id?: string): Promise<Try<Sent>> {
    const url = id === undefined ? newJobUrl : `${jobUrl(id)}/message`;
    const body = JSON.stringify({ prompt });
    const connectMs = Math.max(1, until - clock.now());
    const init = { method: 'POST', body, connectMs, graceMs: CANCEL_WRITE_MS } as const;
    const inDoubt = (said: string, received: string): Try<Sent> => {
      const jobId = id === undefined ? idIn(received) : undefined;
      return { value: { kind: 'in-doubt', said, jobId } };
    };
    const notTaken = (status: number, said: string, isAgain: boolean, retryAfterMs?: number) => {
      const takesNoMessage = id !== undefined && TAKES_NO_MESSAGE.includes(status);
      const value = { ...refusal(status, said), takesNoMessage };
      const again = { why: `The prompt was not accepted: ${said}`, retryAfterMs };
      return isAgain ? { value, again } : { value };
    };
    try {
      const { status, job, retryAfterMs, ...reply } = await exchange(url, WRITE_MS, id, init);
      if (typeof job !== 'string') return { value: { kind: 'accepted', job } };
      if (!REFUSED.includes(status)) return inDoubt(job, reply.body);
      return notTaken(status, job, status === RATE_LIMITED, retryAfterMs);
    } catch (error) {
      const said = quote(messageOf(error));
      if (wasNotSent(error)) return notTaken(NO_CONNECTION, said, !isUntrusted(error));
      return inDoubt(said, error instanceof FetchError ? error.received : '');
    }
  }

  return {
    /**
     * Creates an agent job, or sends a follow-up message to the one with `id`: repeats the call only
     * while it was certainly not taken, and never after `until` (scale of `clock.now()`). Waits for
     * the response until the deadline, for 5 minutes at most, and for 4 s after a cancel. Rejects
     * only with the reason of the signal, and only if the call was certainly not taken.
     */
    async send(prompt: string, until: number, id?: string): Promise<Sent> {
      const last = Math.min(until, deadline);
      if (clock.now() >= last)
        return { ...refusal(NO_CONNECTION, 'no time was left'), takesNoMessage: false };
      return retry(() => tryWrite(prompt, last, id), { clock, signal, deadline: last, runner });
    },

    /** Reads an agent job once. Rejects only with the reason of the signal. */
    async read(id: string): Promise<Standing | Refused> {
      try {
        const { status, job, retryAfterMs } = await exchange(jobUrl(id), READ_MS, id);
        if (typeof job !== 'string') return standingOf(job);
        if (status === 404) return { kind: 'not-found', said: job };
        if (status >= 400 && status < 500 && !PASSING.includes(status)) return refusal(status, job);
        return { kind: 'unreadable', said: job, retryAfterMs };
      } catch (error) {
        signal.throwIfAborted();
        return { kind: 'unreadable', said: quote(messageOf(error)) };
      }
    },
  };
}

const errorSchema = z.object({ error: z.string() });

/** The agent job in a response, the one with `id` if given, or why there is none. */
function jobIn(status: number, body: string, id: string | undefined): AgentJob | string {
  const isSuccess = status >= 200 && status < 300;
  const job = isSuccess ? parseJob(body) : undefined;
  if (job !== undefined && (id === undefined || job.id === id)) return job;
  const { data } = errorSchema.safeParse(parseJson(body));
  const said = quote(data?.error ?? (body.trim() || 'an empty body'));
  return `HTTP ${status}, ${isSuccess ? 'but without the agent job: ' : ''}${said}`;
}

/** The response to a valid key is 404. */
const UNUSED_ID = 'dry-run-access-check';

/** For a dry run. Throws a `StepError` if the service refuses the key. Other failures are warnings. */
export async function checkKey(agent: Pick<Agent, 'read'>, runner: Runner): Promise<void> {
  const read = await agent.read(UNUSED_ID);
  if (read.kind === 'refused' && (read.topic === 'key-refused' || read.topic === 'key-forbidden'))
    throw refusalError('Mintlify refused the key', read);
  if (read.kind === 'refused' || read.kind === 'unreadable') {
    const message = `The key could not be checked: ${read.said}.`;
    runner.annotate('warning', 'Docs agent: the key could not be checked', message);
    return;
  }
  runner.info('The key was not refused. A dry run does not check `projectId` or `baseUrl`.');
}

const NO_CONNECTION = 0;
const TOPICS: Readonly<Record<number, Topic>> = {
  [NO_CONNECTION]: 'network',
  401: 'key-refused',
  402: 'credits',
  403: 'key-forbidden',
  413: 'prompt-too-long',
  429: 'rate-limit',
};

const refusal = (status: number, said: string): Refused => ({
  kind: 'refused',
  topic: TOPICS[status] ?? 'service',
  said,
});

export const refusalError = (what: string, { topic, said }: Refused) =>
  new StepError(topic, `${what} (${said})`);
