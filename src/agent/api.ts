import { formatDuration } from '../duration.ts';
import type { Delivery, Effects } from '../effects/effects.ts';
import { AgentApiError, CancelledError, messageOf } from '../errors.ts';
import { backoffMs, requestTimeoutMs } from '../retry.ts';
import { quote, sentence } from '../text.ts';
import {
  describe,
  type ReadResult,
  readResult,
  type WriteResult,
  writeResult,
} from './delivery.ts';
import type { Job } from './job.ts';

/** An agent job is some hundred bytes; a larger answer is not one. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** How long the answer to a write is still awaited after a cancel, so that its id is not lost. */
const CANCEL_GRACE_MS = 1_000;
/** A write gets this long even past the deadline: its answer holds the only copy of the id. */
const MIN_WRITE_MS = 10_000;
/** Tries of a write while no connection can be made: about half a minute. */
const MAX_UNSENT_TRIES = 6;
/**
 * A write that is answered with 429 is sent again for this long, or for a third of a longer
 * `timeout`. The limit counts by the hour, so waiting longer costs runner minutes and brings hardly
 * another agent job, and what is created late has little time left: .github/BENCHMARKS.md, "Many
 * runs at once".
 */
const RATE_LIMIT_WAIT_MS = 10 * 60_000;
const RATE_LIMIT_SHARE = 1 / 3;

export interface AgentApiAccess {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly adminApiKey: string;
  /** On the clock's scale, in ms; nothing is begun after it. */
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

interface Write {
  /** The error's heading when it was certainly not accepted, and when nobody knows. */
  readonly failure: string;
  readonly uncertain: string;
  /** What is certain when it was not accepted. */
  readonly notAccepted: string;
  readonly url: string;
  readonly prompt: string;
  /** The agent job that a message is for. */
  readonly jobId?: string;
}

export function createAgentApi(
  { baseUrl, projectId, adminApiKey, deadline }: AgentApiAccess,
  { http, clock, runner, signal }: Pick<Effects, 'http' | 'clock' | 'runner' | 'signal'>,
): AgentApi {
  const jobsUrl = `${baseUrl}/v2/agent/${encodeURIComponent(projectId)}/job`;
  const jobUrl = (id: string) => `${jobsUrl}/${encodeURIComponent(id)}`;
  const leftMs = () => deadline - clock.now();
  const rateLimitWaitMs = Math.max(RATE_LIMIT_WAIT_MS, leftMs() * RATE_LIMIT_SHARE);
  const rateLimitDeadline = clock.now() + rateLimitWaitMs;

  async function send(method: 'GET' | 'POST', url: string, prompt?: string): Promise<Delivery> {
    const connectTimeoutMs = requestTimeoutMs(leftMs());
    const isWrite = prompt !== undefined;
    const delivery = await http.send({
      method,
      url,
      headers: {
        accept: 'application/json',
        // An answer is small, and every proxy on the way can pass it on as it is.
        'accept-encoding': 'identity',
        authorization: `Bearer ${adminApiKey}`,
        'user-agent': 'docs-agent-job',
        ...(isWrite ? { 'content-type': 'application/json' } : {}),
      },
      ...(isWrite ? { body: JSON.stringify({ prompt }) } : {}),
      connectTimeoutMs,
      timeoutMs: isWrite ? Math.max(MIN_WRITE_MS, connectTimeoutMs) : connectTimeoutMs,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal,
      graceMs: isWrite ? CANCEL_GRACE_MS : 0,
    });
    const clean = withoutSecrets(delivery, runner.redact);
    runner.debug(`${method} ${url}: ${describe(clean)}`);
    return clean;
  }

  /** Sends a write until its fate is known, and again only while it was certainly not accepted. */
  async function write(call: Write): Promise<Job> {
    const { failure, notAccepted } = call;
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      if (leftMs() <= 0) {
        throw new AgentApiError(
          failure,
          `\`timeout\` ran out before the request was sent. ${notAccepted}`,
          'no',
        );
      }
      const { result, isUnsent, isRateLimited } = await attempt(call);
      if (result.kind === 'accepted') return result.job;
      if (result.kind === 'unknown') throw unknownFate(call, result);
      signal.throwIfAborted();

      const waitMs = backoffMs(tries, result.retryAfterMs, clock.random());
      const isPastRateLimitWait = isRateLimited && clock.now() + waitMs > rateLimitDeadline;
      const stop =
        reasonToStop(result, isUnsent ? tries : 0, leftMs() - waitMs) ??
        (isPastRateLimitWait ? rateLimitNotWaitedOut(rateLimitWaitMs) : undefined);
      if (stop !== undefined) {
        const detail = `${sentence(result.error)}${stop}. ${notAccepted} ${result.advice}`;
        throw new AgentApiError(failure, detail, 'no');
      }
      runner.info(
        `The request was not accepted: ${result.error}. Retrying in ${formatDuration(waitMs)}.`,
      );
      await clock.sleep(waitMs, signal);
    }
  }

  /** Sends a write once. What is thrown here is thrown when the service may have accepted it. */
  async function attempt({ uncertain, url, prompt, jobId }: Write) {
    try {
      const delivery = await send('POST', url, prompt);
      const result = writeResult(delivery, jobId, clock.date());
      return {
        result,
        isUnsent: delivery.kind === 'not-sent',
        isRateLimited: delivery.kind === 'answer' && delivery.status === 429,
      };
    } catch (cause) {
      const error = quote(runner.redact(messageOf(cause)));
      throw new AgentApiError(uncertain, `${error}. ${MAY_EXIST}`, 'maybe', jobId, { cause });
    }
  }

  function unknownFate(
    { uncertain }: Write,
    { error, id }: Extract<WriteResult, { kind: 'unknown' }>,
  ) {
    if (signal.reason instanceof CancelledError) {
      return new CancelledError(signal.reason.signal, 'maybe', id);
    }
    return new AgentApiError(uncertain, `${sentence(error)}. ${MAY_EXIST}`, 'maybe', id);
  }

  return {
    createJob: (prompt) =>
      write({
        failure: 'The agent job could not be created',
        uncertain: 'An agent job may have been created',
        notAccepted: 'No agent job was created.',
        url: jobsUrl,
        prompt,
      }),
    sendMessage: (jobId, prompt) =>
      write({
        failure: 'The follow-up message could not be sent',
        uncertain: 'The follow-up message may have been accepted',
        notAccepted: 'The message was not accepted.',
        url: `${jobUrl(jobId)}/message`,
        prompt,
        jobId,
      }),
    async readJob(id) {
      return readResult(await send('GET', jobUrl(id)), id, clock.date());
    },
  };
}

/** After a write whose fate is not known. What to check is said in the report. */
const MAY_EXIST =
  'The service may have accepted the request anyway. It was not sent again, because a second agent job would cost credits and open a second pull request.';

function reasonToStop(
  { isRetryable }: Extract<WriteResult, { kind: 'not-accepted' }>,
  unsentTries: number,
  leftAfterwardsMs: number,
): string | undefined {
  if (!isRetryable) return '';
  if (unsentTries >= MAX_UNSENT_TRIES) return ` (tried ${unsentTries} times)`;
  if (leftAfterwardsMs >= MIN_WRITE_MS) return undefined;
  return `. It was not retried, because less than ${formatDuration(MIN_WRITE_MS)} of \`timeout\` would be left`;
}

const rateLimitNotWaitedOut = (waitMs: number) =>
  `. HTTP 429 is retried for ${formatDuration(waitMs)} at most`;

/** Takes secrets out of what the other side said, before anything cuts or prints it. */
function withoutSecrets(delivery: Delivery, redact: (text: string) => string): Delivery {
  if (delivery.kind !== 'answer') return { ...delivery, error: redact(delivery.error) };
  const { body } = delivery;
  return {
    ...delivery,
    body:
      'text' in body
        ? { text: redact(body.text) }
        : { error: redact(body.error), received: redact(body.received) },
  };
}
