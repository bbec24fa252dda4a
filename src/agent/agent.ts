/** Mintlify's agent API: https://www.mintlify.com/docs/api/introduction */
import * as z from 'zod/mini';
import type { Effects, FetchInit, Runner } from '../effects.ts';
import { messageOf, StepError, type Topic } from '../errors.ts';
import {
  FetchError,
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

export interface AgentAccess extends Effects {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly adminApiKey: string;
}

export type Agent = ReturnType<typeof createAgent>;

/** Instead of a status, if no whole response came. */
const NO_RESPONSE = 0;
/** Certainly not taken. A gateway may send any 5xx or 408 after the service has taken a call. */
const REFUSED: readonly number[] = [400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 429];
/** As a response to a message. */
const TAKES_NO_MESSAGE: readonly number[] = [400, 404, 405, 410, 422];
/** As a response to a read. */
const PASSING: readonly number[] = [408, 425, 429];

export function createAgent(access: AgentAccess) {
  const { baseUrl, projectId, adminApiKey, fetch, clock, signal, deadline } = access;
  const newJobUrl = `${baseUrl}/v2/agent/${encodeURIComponent(projectId)}/job`;
  const jobUrl = (id: string) => `${newJobUrl}/${encodeURIComponent(id)}`;
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${adminApiKey}`,
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
  };

  /**
   * Sends a request once. Returns the agent job in the response (the one with `id`, if given), or why
   * there is none: `isRefused` if a call was certainly not taken, `mayPass` if it may be later.
   */
  async function exchange(url: string, limitMs: number, id?: string, init?: FetchInit) {
    const timeoutMs = Math.max(1, Math.min(limitMs, deadline - clock.now()));
    try {
      const response = await fetch(url, { ...init, headers, signal, timeoutMs });
      const { status, ok } = response;
      // An error may repeat the key.
      const received = (await response.text()).replaceAll(adminApiKey, '***');
      const job = ok ? parseJob(received) : undefined;
      if (job !== undefined && (id === undefined || job.id === id)) return { job };
      const said = `HTTP ${status}, ${ok ? 'but without the agent job: ' : ''}${errorIn(received)}`;
      const mayPass = status === 429;
      const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), clock.date());
      return { status, said, received, isRefused: REFUSED.includes(status), mayPass, retryAfterMs };
    } catch (error) {
      const said = quote(messageOf(error));
      const received = error instanceof FetchError ? error.received : '';
      const mayPass = !isUntrusted(error);
      return { status: NO_RESPONSE, said, received, isRefused: wasNotSent(error), mayPass };
    }
  }

  /** Makes a call once. Only one that was certainly not taken is tried `again`. */
  async function tryWrite(prompt: string, until: number, id?: string): Promise<Try<Sent>> {
    const url = id === undefined ? newJobUrl : `${jobUrl(id)}/message`;
    const reply = await exchange(url, WRITE_MS, id, {
      method: 'POST',
      body: JSON.stringify({ prompt }),
      connectMs: Math.max(1, until - clock.now()),
      graceMs: CANCEL_WRITE_MS,
    });
    if ('job' in reply) return { value: { kind: 'accepted', job: reply.job } };
    const { status, said, received, isRefused, mayPass, retryAfterMs } = reply;
    if (!isRefused) {
      const jobId = id === undefined ? idIn(received) : undefined;
      return { value: { kind: 'in-doubt', said, jobId } };
    }
    const takesNoMessage = id !== undefined && TAKES_NO_MESSAGE.includes(status);
    const value = { ...refusal(status, said), takesNoMessage };
    const again = { why: `The prompt was not accepted: ${said}`, retryAfterMs };
    return mayPass ? { value, again } : { value };
  }

  return {
    /**
     * Creates an agent job, or sends a message to the one with `id`. Repeats the call only while it
     * was certainly not taken, and never after `until` (scale of `clock.now()`). Waits `WRITE_MS` for
     * the response. Rejects only with the reason of the signal, and only if nothing was taken.
     */
    async send(prompt: string, until: number, id?: string): Promise<Sent> {
      const last = Math.min(until, deadline);
      if (clock.now() >= last)
        return { ...refusal(NO_RESPONSE, 'no time was left'), takesNoMessage: false };
      return retry(() => tryWrite(prompt, last, id), { ...access, deadline: last });
    },

    /** Reads an agent job once. Rejects only with the reason of the signal. */
    async read(id: string): Promise<Standing | Refused> {
      const reply = await exchange(jobUrl(id), READ_MS, id);
      if ('job' in reply) return standingOf(reply.job);
      const { status, said, retryAfterMs } = reply;
      if (status === NO_RESPONSE) signal.throwIfAborted();
      if (status === 404) return { kind: 'not-found', said };
      const isFinal = status >= 400 && status < 500 && !PASSING.includes(status);
      return isFinal ? refusal(status, said) : { kind: 'unreadable', said, retryAfterMs };
    },
  };
}

const errorSchema = z.object({ error: z.string() });

function errorIn(body: string): string {
  const { data } = errorSchema.safeParse(parseJson(body));
  return quote(data?.error ?? (body.trim() || 'an empty body'));
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

const TOPICS: Readonly<Record<number, Topic>> = {
  [NO_RESPONSE]: 'network',
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
