import type { Effects, HttpRequest } from '../effects/effects.ts';
import { backoffMs, requestTimeoutMs } from '../effects/retry.ts';
import { CancelledError, messageOf, RunError } from '../model/run-error.ts';
import { formatDuration } from '../text/duration.ts';
import { quote } from '../text/escape.ts';
import { capitalize } from '../text/words.ts';
import { describeDelivery, type Operation, type Result, RUN_LATER, resultOf } from './results.ts';

/** Refuses larger responses. An agent job takes a few hundred bytes. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/**
 * How long a cancelled step still waits for the job's ID. The runner kills it 10 s after its
 * signal.
 */
const CANCEL_GRACE_MS = 5_000;
/**
 * How long to wait for the response to a write that was sent. Only the response has the job's ID.
 */
const RESPONSE_LIMIT = { minMs: 10_000, maxMs: 5 * 60_000 };
/**
 * The time that must be left of `timeout` to start a write: this long, or half of a short
 * `timeout`.
 */
const MIN_START_MS = 10_000;
const MIN_START_SHARE = 1 / 2;
/** How many times to try a write while no connection can be made. Each pause lasts at most 31 s. */
const MAX_UNSENT_TRIES = 6;
/** How long to retry a 429. More hardly helps (.github/CONTRIBUTING.md, "Many runs at once"). */
const RATE_LIMIT_WAIT_MS = 10 * 60_000;
const RATE_LIMIT_SHARE = 1 / 3;

interface AgentApiAccess {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly adminApiKey: string;
  readonly timeoutMs: number;
  /** On the clock's scale, in ms. No request starts after it. */
  readonly deadline: number;
}

/** What differs between the two kinds of writes. */
interface WriteKind {
  /** The error's heading when the service certainly didn't accept the call. */
  readonly heading: string;
  readonly notAccepted: string;
  /**
   * The error's heading when the service may have accepted the call. The report says what to check.
   */
  readonly inDoubtHeading: string;
  /** The statuses that reject a call as invalid, so that a create call may succeed instead. */
  readonly refusals: readonly number[];
}

const CREATE: WriteKind = {
  heading: 'The agent job could not be created',
  notAccepted: 'No agent job was created',
  inDoubtHeading: 'An agent job may have been created',
  refusals: [],
};
const MESSAGE: WriteKind = {
  heading: 'The follow-up message could not be sent',
  notAccepted: 'The message was not accepted',
  inDoubtHeading: 'The follow-up message may have been accepted',
  refusals: [400, 404, 409, 410, 422],
};

/** Statuses whose cause is usually a secret, a variable or the plan. */
const MENDED_OUTSIDE_THE_FILE: readonly number[] = [401, 402, 403, 404];

/** The cause may also stand in the workflow file. */
const rerunAdvice = (kind: Result['kind']) =>
  kind === 'not-found'
    ? 'Once the secret or the variable is right, press "Re-run failed jobs" to send the prompt; a re-run does not read the workflow file again.'
    : 'To send the prompt, press "Re-run failed jobs".';

const MAYBE_ACCEPTED = ', so the service may have accepted the request.';

export type AgentApi = ReturnType<typeof createAgentApi>;

/**
 * Wraps the three operations of Mintlify's agent API (`POST /v2/agent/{projectId}/job`, `GET
 * …/job/{id}`, `POST …/job/{id}/message`). The service promises nothing about idempotency keys, so
 * a write is resent only if it certainly wasn't accepted.
 */
export function createAgentApi(
  { baseUrl, projectId, adminApiKey, timeoutMs, deadline }: AgentApiAccess,
  { http, clock, runner, signal }: Pick<Effects, 'http' | 'clock' | 'runner' | 'signal'>,
) {
  const jobsUrl = `${baseUrl}/v2/agent/${encodeURIComponent(projectId)}/job`;
  const jobUrl = (id: string) => `${jobsUrl}/${encodeURIComponent(id)}`;
  const minStartMs = Math.min(MIN_START_MS, timeoutMs * MIN_START_SHARE);
  const rateLimitWaitMs = Math.max(RATE_LIMIT_WAIT_MS, timeoutMs * RATE_LIMIT_SHARE);
  const leftMs = () => deadline - clock.now();

  const headers = {
    accept: 'application/json',
    // Responses are small, and every proxy can pass on an uncompressed one unchanged.
    'accept-encoding': 'identity',
    authorization: `Bearer ${adminApiKey}`,
    'user-agent': 'docs-agent-job',
  };

  const common = { maxResponseBytes: MAX_RESPONSE_BYTES, signal };

  /** Reads the agent job once, within `limitMs`. */
  function get(jobId: string, limitMs: number): Promise<Result> {
    const timeoutMs = requestTimeoutMs(Math.min(leftMs(), limitMs));
    const limits = { connectTimeoutMs: timeoutMs, timeoutMs, graceMs: 0 };
    const request = { ...common, ...limits, method: 'GET', url: jobUrl(jobId), headers } as const;
    return send(request, { kind: 'read', jobId });
  }

  /** Sends a prompt once. `jobId` is the agent job that gets it, or `undefined` for a new one. */
  function post(jobId: string | undefined, prompt: string): Promise<Result> {
    const request: HttpRequest = {
      ...common,
      method: 'POST',
      url: jobId === undefined ? jobsUrl : `${jobUrl(jobId)}/message`,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt }),
      connectTimeoutMs: requestTimeoutMs(leftMs()),
      timeoutMs: leftMs(),
      responseLimit: RESPONSE_LIMIT,
      graceMs: CANCEL_GRACE_MS,
    };
    return send(request, jobId === undefined ? { kind: 'create' } : { kind: 'message', jobId });
  }

  async function send(request: HttpRequest, operation: Operation): Promise<Result> {
    const { method, url } = request;
    const delivery = await http.send(request);
    runner.debug(() => `${method} ${url}: ${describeDelivery(delivery, runner.redact)}`);
    return resultOf(delivery, operation, clock.date(), runner.redact);
  }

  /** Sends a write, and resends it only while it certainly wasn't accepted. */
  async function write(kind: WriteKind, prompt: string, jobId?: string) {
    let rateLimitEndMs: number | undefined;
    let lastError: string | undefined;
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      if (leftMs() < minStartMs) {
        // A pause takes too long if the machine is busy or suspended.
        const before = lastError === undefined ? '' : ` after a failed try: ${lastError}`;
        const message = `${kind.notAccepted}, because less than ${formatDuration(minStartMs)} of \`timeout\` was left${before}. Set a longer \`timeout\`.`;
        throw new RunError(kind.heading, message);
      }
      const result = await tryWrite(kind, prompt, jobId);
      if (result.kind === 'job') return result.job;
      signal.throwIfAborted();
      lastError = result.error;

      const waitMs = backoffMs(tries, clock.random(), result.retryAfterMs);
      if (result.kind === 'rate-limit') rateLimitEndMs ??= clock.now() + rateLimitWaitMs;
      const reason = reasonToStop(result.kind, tries, waitMs, rateLimitEndMs);
      if (reason !== undefined) {
        // A re-run reads secrets and variables again, but not the workflow file.
        const isRerunEnough = MENDED_OUTSIDE_THE_FILE.includes(result.status ?? 0);
        const next = isRerunEnough ? ` ${rerunAdvice(result.kind)}` : '';
        const message = `${kind.notAccepted}: ${result.error}${reason}. ${result.advice ?? RUN_LATER}${next}`;
        const isRefused = kind.refusals.includes(result.status ?? 0);
        if (!isRefused) throw new RunError(kind.heading, message);
        const isNotFound = result.kind === 'not-found';
        const call = { kind: 'refused', reason: result.error, isNotFound } as const;
        throw new RunError(kind.heading, message, { call });
      }
      const pause = formatDuration(waitMs);
      runner.info(`The request was not accepted: ${result.error}. Retrying in ${pause}.`);
      await clock.sleep(waitMs, signal);
    }
  }

  /** Sends a write once. Throws only when the service may have accepted it. */
  async function tryWrite(kind: WriteKind, prompt: string, jobId?: string) {
    const { inDoubtHeading } = kind;
    const result = await post(jobId, prompt).catch((cause: unknown) => {
      const message = `${quote(runner.redact(messageOf(cause)))}${MAYBE_ACCEPTED}`;
      const call = { kind: 'in-doubt', namedId: undefined } as const;
      throw new RunError(inDoubtHeading, message, { call, cause });
    });
    if (result.kind !== 'unclear') return result;
    const call = { kind: 'in-doubt', namedId: result.namedId } as const;
    const { reason } = signal;
    if (reason instanceof CancelledError) throw new CancelledError(reason.signal, call);
    const message = `${capitalize(result.error)}${MAYBE_ACCEPTED}`;
    throw new RunError(inDoubtHeading, message, { call });
  }

  /**
   * Returns why not to resend a write, as the end of the error's sentence. `undefined` means
   * resend.
   */
  function reasonToStop(kind: Result['kind'], tries: number, waitMs: number, endMs = Infinity) {
    if (kind !== 'unsent' && kind !== 'rate-limit') return '';
    if (kind === 'unsent' && tries >= MAX_UNSENT_TRIES) return ` (tried ${tries} times)`;
    if (leftMs() - waitMs < minStartMs) {
      const again = tries > 1 ? ' again' : '';
      return `, not retried${again} because less than ${formatDuration(minStartMs)} of \`timeout\` would be left`;
    }
    return kind === 'rate-limit' && clock.now() + waitMs > endMs
      ? `, retried for at most ${formatDuration(rateLimitWaitMs)}`
      : undefined;
  }

  return {
    /** Creates an agent job, at most once. Throws a `RunError`, or the signal's reason. */
    createJob: (prompt: string) => write(CREATE, prompt),
    /** Sends a follow-up message, at most once. Throws what `createJob` throws. */
    sendMessage: (jobId: string, prompt: string) => write(MESSAGE, prompt, jobId),
    /** Reads an agent job once, within `limitMs`. Never rejects. */
    readJob: (id: string, limitMs = Number.POSITIVE_INFINITY): Promise<Result> => get(id, limitMs),
  };
}
