import type { Delivery, Effects } from '../effects/effects.ts';
import { formatDuration } from '../lib/duration.ts';
import { AgentApiError, CancelledError, messageOf } from '../lib/errors.ts';
import { backoffMs, requestTimeoutMs } from '../lib/retry.ts';
import { capitalize, quote } from '../lib/text.ts';
import type { Job } from './job.ts';
import { changeStrings } from './json.ts';
import {
  describeDelivery,
  type ReadResult,
  readResult,
  type WriteResult,
  writeResult,
} from './results.ts';

/** An agent job has a few hundred bytes. A larger answer than this is refused. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/**
 * A cancelled step still waits this long for the answer to a write, because the answer holds the
 * id.
 */
const CANCEL_GRACE_MS = 1_000;
/** A write gets this long even past the deadline: its answer holds the only copy of the id. */
const MIN_WRITE_MS = 10_000;
/** How many times a write is tried while no connection can be made, with pauses of 31 s at most. */
const MAX_UNSENT_TRIES = 6;
/**
 * A write that is answered with 429 is retried for this long, or for a third of a longer `timeout`.
 * The service limits requests per hour. Waiting longer costs runner minutes and hardly creates more
 * agent jobs. An agent job that is created late also has little time left (.github/BENCHMARKS.md,
 * "Many runs at once").
 */
const RATE_LIMIT_WAIT_MS = 10 * 60_000;
const RATE_LIMIT_SHARE = 1 / 3;

export interface AgentApiAccess {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly adminApiKey: string;
  /** On the clock's scale, in ms; no request is started after it. */
  readonly deadline: number;
}

/**
 * The three operations of Mintlify's agent API (`POST /v2/agent/{projectId}/job`,
 * `GET …/job/{id}`, `POST …/job/{id}/message`). The service promises nothing about idempotency
 * keys, so a write is sent again only when the service certainly did not accept it.
 */
export interface AgentApi {
  /** Creates an agent job, at most once. Throws an `AgentApiError`, or the signal's reason. */
  createJob(prompt: string): Promise<Job>;
  /** Sends a follow-up message, at most once. Throws as `createJob` does. */
  sendMessage(jobId: string, prompt: string): Promise<Job>;
  /** Reads an agent job once. Throws nothing. */
  readJob(jobId: string): Promise<ReadResult>;
}

/** A create or message call. */
interface Write {
  readonly url: string;
  readonly prompt: string;
  /** The agent job that a message is for. */
  readonly jobId?: string;
  /** The error's heading when the service did not accept it, and when that is not known. */
  readonly heading: string;
  readonly uncertainHeading: string;
  /** What the error says when the service certainly did not accept it. */
  readonly notAccepted: string;
}

type NotAccepted = Extract<WriteResult, { kind: 'not-accepted' }>;

export function createAgentApi(
  access: AgentApiAccess,
  effects: Pick<Effects, 'http' | 'clock' | 'runner' | 'signal'>,
): AgentApi {
  return new HttpAgentApi(access, effects);
}

class HttpAgentApi implements AgentApi {
  readonly #access: AgentApiAccess;
  readonly #effects: Pick<Effects, 'http' | 'clock' | 'runner' | 'signal'>;
  readonly #jobsUrl: string;
  readonly #rateLimitWaitMs: number;
  /** On the clock's scale: an answer of 429 is not retried after it. */
  readonly #rateLimitDeadline: number;

  constructor(
    access: AgentApiAccess,
    effects: Pick<Effects, 'http' | 'clock' | 'runner' | 'signal'>,
  ) {
    this.#access = access;
    this.#effects = effects;
    this.#jobsUrl = `${access.baseUrl}/v2/agent/${encodeURIComponent(access.projectId)}/job`;
    this.#rateLimitWaitMs = Math.max(RATE_LIMIT_WAIT_MS, this.#leftMs() * RATE_LIMIT_SHARE);
    this.#rateLimitDeadline = effects.clock.now() + this.#rateLimitWaitMs;
  }

  createJob(prompt: string): Promise<Job> {
    return this.#write({
      url: this.#jobsUrl,
      prompt,
      heading: 'The agent job could not be created',
      uncertainHeading: 'An agent job may have been created',
      notAccepted: 'No agent job was created.',
    });
  }

  sendMessage(jobId: string, prompt: string): Promise<Job> {
    return this.#write({
      url: `${this.#jobUrl(jobId)}/message`,
      prompt,
      jobId,
      heading: 'The follow-up message could not be sent',
      uncertainHeading: 'The follow-up message may have been accepted',
      notAccepted: 'The message was not accepted.',
    });
  }

  async readJob(id: string): Promise<ReadResult> {
    const delivery = await this.#send('GET', this.#jobUrl(id));
    return readResult(delivery, id, this.#effects.clock.date());
  }

  #jobUrl(id: string): string {
    return `${this.#jobsUrl}/${encodeURIComponent(id)}`;
  }

  /** Milliseconds left of `timeout`. */
  #leftMs(): number {
    return this.#access.deadline - this.#effects.clock.now();
  }

  /** Sends a write, and sends it again only while the service certainly did not accept it. */
  async #write(call: Write): Promise<Job> {
    const { clock, runner, signal } = this.#effects;
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      if (this.#leftMs() <= 0) {
        throw new AgentApiError(
          call.heading,
          `\`timeout\` ran out before the request was sent. ${call.notAccepted}`,
          { mayBeAccepted: false },
        );
      }
      const { result, isUnsent, isRateLimited } = await this.#tryWrite(call);
      if (result.kind === 'accepted') return result.job;
      if (result.kind === 'unknown') throw this.#uncertainError(call, result);
      signal.throwIfAborted();

      const waitMs = backoffMs(tries, result.retryAfterMs, clock.random());
      const reason = this.#reasonToStop(result, isUnsent ? tries : 0, isRateLimited, waitMs);
      if (reason !== undefined) {
        const message = `${capitalize(result.error)}${reason}. ${call.notAccepted} ${result.advice}`;
        throw new AgentApiError(call.heading, message, { mayBeAccepted: false });
      }
      runner.info(
        `The request was not accepted: ${result.error}. Retrying in ${formatDuration(waitMs)}.`,
      );
      await clock.sleep(waitMs, signal);
    }
  }

  /** Sends a write once. Throws only when the service may have accepted it. */
  async #tryWrite({ uncertainHeading, url, prompt, jobId }: Write) {
    const { clock, runner } = this.#effects;
    try {
      const delivery = await this.#send('POST', url, prompt);
      return {
        result: writeResult(delivery, jobId, clock.date()),
        isUnsent: delivery.kind === 'not-sent',
        isRateLimited: delivery.kind === 'response' && delivery.status === 429,
      };
    } catch (cause) {
      const message = `${quote(runner.redact(messageOf(cause)))}. ${MAY_BE_ACCEPTED}`;
      throw new AgentApiError(uncertainHeading, message, { mayBeAccepted: true, jobId }, { cause });
    }
  }

  #uncertainError(
    { uncertainHeading }: Write,
    { error, id: jobId }: Extract<WriteResult, { kind: 'unknown' }>,
  ): Error {
    const { reason } = this.#effects.signal;
    const fate = { mayBeAccepted: true, jobId };
    return reason instanceof CancelledError
      ? new CancelledError(reason.signal, fate)
      : new AgentApiError(uncertainHeading, `${capitalize(error)}. ${MAY_BE_ACCEPTED}`, fate);
  }

  /** The rest of the error's sentence: why a write is not sent again. `undefined` when it is. */
  #reasonToStop(
    { isRetryable }: NotAccepted,
    unsentTries: number,
    isRateLimited: boolean,
    waitMs: number,
  ): string | undefined {
    if (!isRetryable) return '';
    if (unsentTries >= MAX_UNSENT_TRIES) return ` (tried ${unsentTries} times)`;
    if (this.#leftMs() - waitMs < MIN_WRITE_MS) {
      return `. It was not retried, because less than ${formatDuration(MIN_WRITE_MS)} of \`timeout\` would be left`;
    }
    if (isRateLimited && this.#effects.clock.now() + waitMs > this.#rateLimitDeadline) {
      return `. HTTP 429 is retried for ${formatDuration(this.#rateLimitWaitMs)} at most`;
    }
    return undefined;
  }

  /** Sends one request once. A write has a prompt, a read has none. */
  async #send(method: 'GET' | 'POST', url: string, prompt?: string): Promise<Delivery> {
    const { http, runner, signal } = this.#effects;
    const connectTimeoutMs = requestTimeoutMs(this.#leftMs());
    const isWrite = prompt !== undefined;
    const delivery = await http.send({
      method,
      url,
      headers: {
        accept: 'application/json',
        // Answers are small, and every proxy on the way can pass on an uncompressed one unchanged.
        'accept-encoding': 'identity',
        authorization: `Bearer ${this.#access.adminApiKey}`,
        'user-agent': 'docs-agent-job',
        ...(isWrite ? { 'content-type': 'application/json' } : {}),
      },
      ...(isWrite ? { body: JSON.stringify({ prompt }) } : {}),
      connectTimeoutMs,
      timeoutMs: isWrite ? Math.max(MIN_WRITE_MS, connectTimeoutMs) : connectTimeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      signal,
      graceMs: isWrite ? CANCEL_GRACE_MS : 0,
    });
    const clean = withoutSecrets(delivery, runner.redact);
    runner.debug(`${method} ${url}: ${describeDelivery(clean)}`);
    return clean;
  }
}

/** Added to the error of a write that may have been accepted. The report says what to check. */
const MAY_BE_ACCEPTED =
  'The service may have accepted the request anyway. It was not sent again, because a second agent job would cost credits and open a second pull request.';

/**
 * Removes secrets from an answer or an error, before anything cuts or prints it. In JSON they are
 * removed from each string, because an answer must not become one that cannot be read.
 */
function withoutSecrets(delivery: Delivery, redact: (text: string) => string): Delivery {
  if (delivery.kind !== 'response') return { ...delivery, error: redact(delivery.error) };
  const { body } = delivery;
  return {
    ...delivery,
    body:
      'text' in body
        ? { text: changeStrings(body.text, redact) }
        : { error: redact(body.error), received: changeStrings(body.received, redact) },
  };
}
