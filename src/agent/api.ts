import { formatDuration } from '../duration.ts';
import type { Delivery, Effects } from '../effects/effects.ts';
import { AgentApiError, CancelledError } from '../errors.ts';
import {
  backoffMs,
  fateOfWrite,
  isTrustFault,
  parseRetryAfter,
  requestTimeoutMs,
} from '../retry.ts';
import { quote, redact } from '../text.ts';
import { advice, describe } from './faults.ts';
import { type Job, parseJob } from './job.ts';
import { type Reading, readingOf } from './reading.ts';

/** A job is some hundred bytes; more than this is no job. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** How long the answer to a write is still awaited after a cancel, so that the job's id is not lost. */
const CANCEL_GRACE_MS = 1_000;
/** Tries of a write while no connection can be made: about half a minute. */
const MAX_UNSENT_TRIES = 6;

export interface AgentApiAccess {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly adminApiKey: string;
  /** On the clock's scale; nothing is sent after it. */
  readonly deadline: number;
}

/**
 * The three operations of the agent API (`POST /v2/agent/{projectId}/job`, `GET …/job/{id}`,
 * `POST …/job/{id}/message`). Nothing is promised about idempotency keys, so a write is sent again
 * only when the service certainly did not take it.
 */
export interface AgentApi {
  /** Creates a job, at most once. Throws an `AgentApiError`, or the signal's reason. */
  createJob(prompt: string): Promise<Job>;
  /** Sends a follow-up message to a job, at most once. Throws as `createJob` does. */
  sendMessage(jobId: string, prompt: string): Promise<Job>;
  /** Reads a job once. Throws nothing. */
  readJob(jobId: string): Promise<Reading>;
}

export function createAgentApi(
  { baseUrl, projectId, adminApiKey, deadline }: AgentApiAccess,
  { http, clock, runner, signal }: Pick<Effects, 'http' | 'clock' | 'runner' | 'signal'>,
): AgentApi {
  const jobsUrl = `${baseUrl}/v2/agent/${encodeURIComponent(projectId)}/job`;
  const jobUrl = (id: string) => `${jobsUrl}/${encodeURIComponent(id)}`;
  const left = () => deadline - clock.now();

  async function send(method: 'GET' | 'POST', url: string, prompt?: string): Promise<Delivery> {
    const delivery = await http.send({
      method,
      url,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${adminApiKey}`,
        'user-agent': 'docs-agent-job',
        ...(prompt === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(prompt === undefined ? {} : { body: JSON.stringify({ prompt }) }),
      timeoutMs: requestTimeoutMs(left()),
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal,
      graceMs: method === 'POST' ? CANCEL_GRACE_MS : 0,
    });
    const clean = withoutKey(delivery, adminApiKey);
    runner.debug(`${method} ${url}: ${describe(clean)}`);
    return clean;
  }

  /** Sends a write until its fate is known, and again only while it was certainly not taken. */
  async function write(what: string, url: string, prompt: string, id?: string): Promise<Job> {
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      if (left() <= 0) throw new AgentApiError(what, `the time was up. ${NOTHING_SENT}`, 'no');
      const delivery = await send('POST', url, prompt);
      const fate = fateOfWrite(delivery, clock.date());
      if (fate !== 'not-taken') return conclude(what, delivery, fate, id);
      signal.throwIfAborted();

      const waitMs = backoffMs(tries, retryAfterOf(delivery), clock.random());
      const stop = reasonToStop(delivery, tries, waitMs, left());
      if (stop !== undefined) {
        const detail = `${describe(delivery)}${stop}. ${NOTHING_SENT} ${advice(delivery)}`;
        throw new AgentApiError(what, detail, 'no');
      }
      runner.info(
        `${what}: ${describe(delivery)}. The service did not take it, so it is sent again in ${formatDuration(waitMs)}.`,
      );
      await clock.sleep(waitMs, signal);
    }
  }

  function conclude(
    what: string,
    delivery: Delivery,
    fate: 'answered' | 'refused' | 'unknown',
    id: string | undefined,
  ): Job {
    if (fate === 'refused') {
      const detail = `${describe(delivery)}. ${NOTHING_SENT} ${advice(delivery)}`;
      throw new AgentApiError(what, detail, 'no');
    }
    if (fate === 'answered' && delivery.kind === 'answer' && 'text' in delivery.body) {
      const parsed = parseJob(delivery.body.text, id);
      if (parsed.kind === 'job') return parsed.job;
      const said = `${parsed.why}: ${quote(delivery.body.text)}`;
      throw new AgentApiError(what, `${said}. ${MAY_EXIST}`, 'maybe', parsed.id);
    }
    if (signal.reason instanceof CancelledError) {
      throw new CancelledError(signal.reason.signal, 'maybe');
    }
    throw new AgentApiError(what, `${describe(delivery)}. ${MAY_EXIST}`, 'maybe');
  }

  function retryAfterOf(delivery: Delivery): number | undefined {
    if (delivery.kind !== 'answer') return undefined;
    return parseRetryAfter(delivery.retryAfter, clock.date());
  }

  return {
    createJob: (prompt) => write('The job could not be created', jobsUrl, prompt),
    sendMessage: (id, prompt) =>
      write('The follow-up message could not be sent', `${jobUrl(id)}/message`, prompt, id),
    async readJob(id) {
      const delivery = await send('GET', jobUrl(id));
      return readingOf(delivery, id, retryAfterOf(delivery));
    },
  };
}

const NOTHING_SENT = 'Nothing was created or changed by this run.';

/** After a write whose fate is not known. What to check stands in the report. */
const MAY_EXIST =
  'The service may have taken it all the same, so it was not sent again: a second one would cost credits and open a second pull request.';

function reasonToStop(
  delivery: Delivery,
  tries: number,
  waitMs: number,
  leftMs: number,
): string | undefined {
  if (delivery.kind === 'not-sent') {
    if (isTrustFault(delivery.code)) return '';
    if (tries >= MAX_UNSENT_TRIES) return ` (tried ${tries} times)`;
  }
  if (waitMs >= leftMs) return '; the next try would come after the end of `timeout`';
  return undefined;
}

/**
 * Takes the key out of an answer before anything else sees it. JSON is written anew first, so that
 * an escaped spelling of the key is found as well.
 */
function withoutKey(delivery: Delivery, key: string): Delivery {
  if (delivery.kind !== 'answer' || !('text' in delivery.body)) return delivery;
  let { text } = delivery.body;
  try {
    text = JSON.stringify(JSON.parse(text));
  } catch {
    // Not JSON; taken as it is.
  }
  return { ...delivery, body: { text: redact(text, [key]) } };
}
