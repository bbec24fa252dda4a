import type { Delivery, Effects } from '../effects/effects.ts';
import { formatDuration } from '../lib/duration.ts';
import { CancelledError, messageOf, RunError } from '../lib/errors.ts';
import { backoffMs, requestTimeoutMs } from '../lib/retry.ts';
import { capitalize, quote } from '../lib/text.ts';
import type { Job } from './job.ts';
import { beginningWithoutSecrets } from './json.ts';
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
 * A cancelled step still waits this long for the response to a write, because it holds the id. The
 * runner kills the step 10 s after its first signal.
 */
const CANCEL_GRACE_MS = 5_000;
/**
 * How long the response to a write is waited for, from the moment it is sent and as long as
 * `timeout` lasts: it holds the only copy of the id.
 */
const RESPONSE_LIMIT = { minMs: 10_000, maxMs: 5 * 60_000 };
/** A write is not begun with less of `timeout` left than this, or than half of a short `timeout`. */
const MIN_START_MS = 10_000;
const MIN_START_SHARE = 1 / 2;
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
  readonly timeoutMs: number;
  /** On the clock's scale, in ms; no request is started after it. */
  readonly deadline: number;
}

/**
 * The three operations of Mintlify's agent API (`POST /v2/agent/{projectId}/job`,
 * `GET …/job/{id}`, `POST …/job/{id}/message`). The service promises nothing about idempotency
 * keys, so a write is sent again only when the service certainly did not accept it.
 */
export interface AgentApi {
  /** Creates an agent job, at most once. Throws an `RunError`, or the signal's reason. */
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

/** Throws an `RunError` when Node does not check certificates: the key is not sent then. */
export function createAgentApi(
  access: AgentApiAccess,
  effects: Pick<Effects, 'http' | 'clock' | 'runner' | 'signal'>,
): AgentApi {
  if (!effects.http.isTlsVerified) {
    throw new RunError('Certificates are not checked', TLS_NOT_VERIFIED);
  }
  return new HttpAgentApi(access, effects);
}

const TLS_NOT_VERIFIED =
  'The environment variable `NODE_TLS_REJECT_UNAUTHORIZED` is `0`, so certificates are not checked and anyone on the way could read the key. Nothing was sent. Remove the variable. If a proxy or a private certificate authority signs the connection, set `NODE_EXTRA_CA_CERTS` to the path of its PEM file.';

class HttpAgentApi implements AgentApi {
  readonly #access: AgentApiAccess;
  readonly #effects: Pick<Effects, 'http' | 'clock' | 'runner' | 'signal'>;
  readonly #jobsUrl: string;
  readonly #minStartMs: number;
  readonly #rateLimitWaitMs: number;

  constructor(
    access: AgentApiAccess,
    effects: Pick<Effects, 'http' | 'clock' | 'runner' | 'signal'>,
  ) {
    this.#access = access;
    this.#effects = effects;
    this.#jobsUrl = `${access.baseUrl}/v2/agent/${encodeURIComponent(access.projectId)}/job`;
    this.#minStartMs = Math.min(MIN_START_MS, access.timeoutMs * MIN_START_SHARE);
    this.#rateLimitWaitMs = Math.max(RATE_LIMIT_WAIT_MS, access.timeoutMs * RATE_LIMIT_SHARE);
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
    return readResult(delivery, id, this.#effects.clock.date(), this.#show);
  }

  #jobUrl(id: string): string {
    return `${this.#jobsUrl}/${encodeURIComponent(id)}`;
  }

  /** Quotes a text from outside, without secrets. */
  readonly #show = (text: string): string =>
    quote(beginningWithoutSecrets(text, this.#effects.runner.redact));

  /** Milliseconds left of `timeout`. */
  #leftMs(): number {
    return this.#access.deadline - this.#effects.clock.now();
  }

  /** Sends a write, and sends it again only while the service certainly did not accept it. */
  async #write(call: Write): Promise<Job> {
    const { clock, runner, signal } = this.#effects;
    let rateLimitEndMs: number | undefined;
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      if (this.#leftMs() < this.#minStartMs) {
        const message = `Less than ${formatDuration(this.#minStartMs)} of \`timeout\` was left, so the request was not sent. ${call.notAccepted} Set a longer \`timeout\`.`;
        throw new RunError(call.heading, message);
      }
      const { result, isUnsent, isRateLimited } = await this.#tryWrite(call);
      if (result.kind === 'accepted') return result.job;
      if (result.kind === 'unknown') throw this.#uncertainError(call, result);
      signal.throwIfAborted();

      if (isRateLimited) rateLimitEndMs ??= clock.now() + this.#rateLimitWaitMs;
      const waitMs = backoffMs(tries, result.retryAfterMs, clock.random());
      const retriedUntilMs = isRateLimited ? rateLimitEndMs : undefined;
      const reason = this.#reasonToStop(result, isUnsent ? tries : 0, retriedUntilMs, waitMs);
      if (reason !== undefined) {
        const message = `${capitalize(result.error)}${reason}. ${call.notAccepted} ${result.advice}`;
        const fate = { mayBeAccepted: false, jobId: result.id };
        throw new RunError(call.heading, message, fate);
      }
      runner.info(
        `The request was not accepted: ${result.error}. Retrying in ${formatDuration(waitMs)}.`,
      );
      await clock.sleep(waitMs, signal);
    }
  }

  /** Sends a write once. Throws only when the service may have accepted it. */
  async #tryWrite({ uncertainHeading, url, prompt, jobId }: Write) {
    const { clock } = this.#effects;
    try {
      const delivery = await this.#send('POST', url, prompt);
      return {
        result: writeResult(delivery, jobId, clock.date(), this.#show),
        isUnsent: delivery.kind === 'not-sent',
        isRateLimited: delivery.kind === 'response' && delivery.status === 429,
      };
    } catch (cause) {
      const message = `${this.#show(messageOf(cause))}. ${MAY_BE_ACCEPTED}`;
      throw new RunError(uncertainHeading, message, { mayBeAccepted: true, jobId, cause });
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
      : new RunError(uncertainHeading, `${capitalize(error)}. ${MAY_BE_ACCEPTED}`, fate);
  }

  /** The rest of the error's sentence: why a write is not sent again. `undefined` when it is. */
  #reasonToStop(
    { isRetryable }: NotAccepted,
    unsentTries: number,
    retriedUntilMs: number | undefined,
    waitMs: number,
  ): string | undefined {
    if (!isRetryable) return '';
    if (unsentTries >= MAX_UNSENT_TRIES) return ` (tried ${unsentTries} times)`;
    if (this.#leftMs() - waitMs < this.#minStartMs) {
      return `. It was not retried, because less than ${formatDuration(this.#minStartMs)} of \`timeout\` would be left`;
    }
    if (retriedUntilMs !== undefined && this.#effects.clock.now() + waitMs > retriedUntilMs) {
      return `. HTTP 429 is retried for ${formatDuration(this.#rateLimitWaitMs)} at most`;
    }
    return undefined;
  }

  /** Sends one request once. A write has a prompt, a read has none. */
  async #send(method: 'GET' | 'POST', url: string, prompt?: string): Promise<Delivery> {
    const { http, runner, signal } = this.#effects;
    const leftMs = this.#leftMs();
    const connectTimeoutMs = requestTimeoutMs(leftMs);
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
      timeoutMs: isWrite ? leftMs : connectTimeoutMs,
      ...(isWrite ? { responseLimit: RESPONSE_LIMIT } : {}),
      maxResponseBytes: MAX_RESPONSE_BYTES,
      signal,
      graceMs: isWrite ? CANCEL_GRACE_MS : 0,
    });
    runner.debug(`${method} ${url}: ${describeDelivery(delivery, this.#show)}`);
    return delivery;
  }
}

/** Added to the error of a write that may have been accepted. The report says what to check. */
const MAY_BE_ACCEPTED =
  'The service may have accepted the request anyway. It was not sent again, because a second agent job would cost credits and open a second pull request.';
