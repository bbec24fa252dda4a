/** Mintlify's agent API: https://www.mintlify.com/docs/api/introduction */
import { z } from 'zod';
import type { Clock, Runner } from '../effects.ts';
import {
  CutResponse,
  describeFault,
  type Fetch,
  type FetchInit,
  isUntrusted,
  parseRetryAfter,
  retry,
  type Try,
  wasNotSent,
} from '../http.ts';
import { quote } from '../text/escape.ts';
import { type AgentJob, idIn, parseJob, parseJson } from './job.ts';

/** What became of a create or message call. `said` is a part of a sentence, with quotes. */
export type Sent =
  | { readonly kind: 'accepted'; readonly job: AgentJob }
  /** Certainly not taken. `status` is `undefined` if no connection was made. */
  | { readonly kind: 'refused'; readonly status: number | undefined; readonly said: string }
  /** Maybe taken. `jobId` is the id in an unusable response to a create call. */
  | { readonly kind: 'in-doubt'; readonly said: string; readonly jobId: string | undefined };

/** What one read of an agent job showed. `said` is a part of a sentence, with quotes. */
export type Read =
  | { readonly kind: 'job'; readonly job: AgentJob }
  | { readonly kind: 'not-found'; readonly said: string }
  /** Another read may succeed. */
  | {
      readonly kind: 'unreadable';
      readonly said: string;
      readonly retryAfterMs?: number | undefined;
    }
  | { readonly kind: 'refused'; readonly status: number; readonly said: string };

export interface Agent {
  /** The deadline of the step, on the scale of `clock.now()`. */
  readonly deadline: number;
  /**
   * Creates an agent job, at most once: the call is repeated only while it was certainly not taken,
   * and never after `until` (scale of `clock.now()`). Waits for the response until the deadline of
   * the step, for 5 minutes at most, and for 4 s after a cancel. Rejects only with the reason of the
   * signal, and only if the call was certainly not taken.
   */
  create(prompt: string, until: number): Promise<Sent>;
  /** Sends a follow-up message to an agent job, by the same rules. */
  message(jobId: string, prompt: string, until: number): Promise<Sent>;
  /** Reads an agent job once. Rejects only with the reason of the signal. */
  read(jobId: string): Promise<Read>;
}

export interface AgentAccess {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly adminApiKey: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly runner: Runner;
  /** The deadline of the step, on the scale of `clock.now()`. */
  readonly deadline: number;
}

/** The longest time for a read. */
const READ_TIMEOUT_MS = 30_000;
/** The longest time for a write, whose response alone has the id of the agent job. */
const WRITE_TIMEOUT_MS = 5 * 60_000;
/** How long a cancelled step waits for the response. Of its 5 s, one is left to record it. */
const CANCEL_GRACE_MS = 4_000;

/**
 * The statuses that certainly mean that a call was not taken. A gateway may send any 5xx or 408
 * after the service has taken it.
 */
const REFUSED: readonly number[] = [400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 429];
const RATE_LIMITED = 429;
/** The 4xx with which another read may succeed. */
const PASSING: readonly number[] = [408, 425, 429];

/** One try of a call. `mayPass`: the same call may be taken later. */
interface Tried {
  readonly sent: Sent;
  readonly mayPass?: boolean;
  readonly retryAfterMs?: number | undefined;
}

export function createAgent(access: AgentAccess): Agent {
  const { baseUrl, projectId, adminApiKey, fetch, clock, signal, runner, deadline } = access;
  const jobsUrl = `${baseUrl}/v2/agent/${encodeURIComponent(projectId)}/job`;
  const jobUrl = (id: string) => `${jobsUrl}/${encodeURIComponent(id)}`;
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${adminApiKey}`,
    'content-type': 'application/json',
    'user-agent': 'docs-agent-job',
  };

  /** Sends a request once. `job` is the agent job in the response, or why there is none. */
  async function exchange(url: string, limitMs: number, id?: string, init: FetchInit = {}) {
    const timeoutMs = Math.max(1, Math.min(limitMs, deadline - clock.now()));
    const response = await fetch(url, { ...init, headers, signal, timeoutMs });
    const { status } = response;
    const body = await response.text();
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), clock.date());
    return { status, body, job: jobIn(status, body, id), retryAfterMs };
  }

  /** Makes a call once. */
  async function tryWrite(url: string, prompt: string, id?: string): Promise<Tried> {
    const body = JSON.stringify({ prompt });
    const init = { method: 'POST', body, graceMs: CANCEL_GRACE_MS } as const;
    const newIdIn = (text: string) => (id === undefined ? idIn(text) : undefined);
    try {
      const reply = await exchange(url, WRITE_TIMEOUT_MS, id, init);
      const { status, job, retryAfterMs } = reply;
      if (typeof job !== 'string') return { sent: { kind: 'accepted', job } };
      if (!REFUSED.includes(status)) {
        return { sent: { kind: 'in-doubt', said: job, jobId: newIdIn(reply.body) } };
      }
      const mayPass = status === RATE_LIMITED;
      return { sent: { kind: 'refused', status, said: job }, mayPass, retryAfterMs };
    } catch (error) {
      const said = quote(describeFault(error));
      if (wasNotSent(error)) {
        return { sent: { kind: 'refused', status: undefined, said }, mayPass: !isUntrusted(error) };
      }
      const received = error instanceof CutResponse ? error.received : '';
      return { sent: { kind: 'in-doubt', said, jobId: newIdIn(received) } };
    }
  }

  async function write(url: string, prompt: string, until: number, id?: string): Promise<Sent> {
    const last = Math.min(until, deadline);
    let sent: Sent = { kind: 'refused', status: undefined, said: 'no time was left' };
    if (clock.now() >= last) return sent;
    const attempt = async (): Promise<Try<Sent>> => {
      const tried = await tryWrite(url, prompt, id);
      sent = tried.sent;
      if (sent.kind !== 'refused' || !tried.mayPass) return { kind: 'done', value: sent };
      const error = new Error(`The prompt was not taken: ${sent.said}`);
      return { kind: 'again', error, retryAfterMs: tried.retryAfterMs };
    };
    const log = (line: string) => runner.info(line);
    return retry(attempt, { clock, signal, deadline: last, log }).catch(() => {
      signal.throwIfAborted();
      return sent;
    });
  }

  return {
    deadline,
    create: (prompt, until) => write(jobsUrl, prompt, until),
    message: (id, prompt, until) => write(`${jobUrl(id)}/message`, prompt, until, id),
    async read(id) {
      try {
        const { status, job, retryAfterMs } = await exchange(jobUrl(id), READ_TIMEOUT_MS, id);
        if (typeof job !== 'string') return { kind: 'job', job };
        if (status === 404) return { kind: 'not-found', said: job };
        const isRefused = status >= 400 && status < 500 && !PASSING.includes(status);
        if (isRefused) return { kind: 'refused', status, said: job };
        return { kind: 'unreadable', said: job, retryAfterMs };
      } catch (error) {
        signal.throwIfAborted();
        return { kind: 'unreadable', said: quote(describeFault(error)) };
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
