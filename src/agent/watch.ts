/** Waiting for the end of an agent job: what a read means, and when to read again. */
import type { Clock, Runner } from '../effects.ts';
import { backoffMs } from '../http.ts';
import { quote } from '../text/escape.ts';
import { formatDuration } from '../text/words.ts';
import { type Agent, type Read, refusalError } from './agent.ts';
import { type AgentJob, endOf, type JobEnd } from './job.ts';

export type Standing =
  | { readonly kind: 'active' }
  /** The service answered 404 for 30 s. */
  | { readonly kind: 'gone'; readonly said: string }
  | { readonly kind: 'ended'; readonly job: AgentJob; readonly end: JobEnd };

/** An unreadable one is read again after the pause, in ms. */
export type Look =
  | Standing
  | { readonly kind: 'unreadable'; readonly said: string; readonly pauseMs: number };

type Judged = Standing | Extract<Read, { kind: 'unreadable' }>;

interface WatchEffects {
  readonly clock: Clock;
  readonly runner: Runner;
  readonly signal: AbortSignal;
}

/** The service may not know a new agent job at once, and one 404 may come from a gateway. */
const NOT_FOUND_MS = 30_000;
/** After a follow-up message, a read may still show the end from before it. */
const OLD_END_MS = 30_000;
/** The link to the pull request may come a moment after `completed`. */
const LINK_PAUSE_MS = 2_000;

export type Watch = ReturnType<typeof watchJob>;

/** `messagedAt` is when the last follow-up message was accepted, in ms since 1970, or null. */
export function watchJob(
  agent: Agent,
  jobId: string,
  messagedAt: number | null,
  { clock, runner, signal }: WatchEffects,
) {
  // The time may be that of a machine whose clock is ahead.
  const oldEndUntil = Math.min(messagedAt ?? 0, clock.date()) + OLD_END_MS;
  let wasActive = messagedAt === null;
  let notFoundSince: number | undefined;
  let job: AgentJob | undefined;
  let hasWarned = false;
  let failures = 0;
  let unreadable: { readonly said: string; readonly until: number } | undefined;

  function judge(read: Read): Judged {
    if (read.kind !== 'not-found') notFoundSince = undefined;
    switch (read.kind) {
      case 'job': {
        job = read.job;
        const end = endOf(job);
        if (end === undefined) {
          wasActive = true;
          warnOfStatus(job.status);
          return { kind: 'active' };
        }
        const isOld = !wasActive && clock.date() < oldEndUntil;
        return isOld ? { kind: 'active' } : { kind: 'ended', job, end };
      }
      case 'not-found': {
        const { said } = read;
        notFoundSince ??= clock.now();
        const isGone = clock.now() - notFoundSince >= NOT_FOUND_MS;
        return { kind: isGone ? 'gone' : 'unreadable', said };
      }
      case 'unreadable':
        return read;
      case 'refused':
        throw refusalError(`Mintlify did not show agent job ${quote(jobId)}`, read);
    }
  }

  async function readTwice(): Promise<Judged> {
    const seen = judge(await agent.read(jobId));
    if (seen.kind !== 'ended' || seen.end !== 'no-changes') return seen;
    await clock.sleep(Math.min(LINK_PAUSE_MS, Math.max(0, agent.deadline - clock.now())), signal);
    const again = await agent.read(jobId);
    return again.kind === 'job' ? judge(again) : seen;
  }

  function warnOfStatus(status: string): void {
    if (hasWarned || status === 'active') return;
    hasWarned = true;
    const message = `This action does not know the status ${quote(status)} of the agent job, and keeps waiting.`;
    runner.annotate('warning', 'Docs agent: unknown status', message);
  }

  return {
    get job() {
      return job;
    },

    /**
     * Reads the agent job once, and once more if it completed without a link to a pull request.
     * Throws a `StepError` if the service refuses the read.
     */
    async look(): Promise<Look> {
      if (unreadable === undefined || clock.now() >= unreadable.until) {
        const seen = await readTwice();
        failures = seen.kind === 'unreadable' ? failures + 1 : 0;
        if (seen.kind !== 'unreadable') return seen;
        const pauseMs = backoffMs(failures, clock.random(), seen.retryAfterMs);
        unreadable = { said: seen.said, until: clock.now() + pauseMs };
      }
      const { said, until } = unreadable;
      return { kind: 'unreadable', said, pauseMs: until - clock.now() };
    },
  };
}

/**
 * Reads until the agent job has ended or is gone, or until the deadline (scale of `clock.now()`).
 * `lastError` is why the last read failed, if it did. Throws what `look` throws.
 */
export async function waitForEnd(
  watch: Watch,
  options: WatchEffects & { readonly pollIntervalMs: number; readonly deadline: number },
) {
  const { clock, runner, signal, pollIntervalMs, deadline } = options;
  let lastError: string | undefined;
  while (clock.now() < deadline) {
    const look = await watch.look();
    if (look.kind === 'ended' || look.kind === 'gone') return look;
    let pauseMs = pollIntervalMs;
    if (look.kind === 'unreadable') {
      lastError = look.said;
      pauseMs = look.pauseMs;
      const pause = formatDuration(pauseMs);
      runner.info(`The agent job could not be read: ${lastError}. Reading it again in ${pause}.`);
    } else {
      lastError = undefined;
    }
    await clock.sleep(Math.min(pauseMs, Math.max(0, deadline - clock.now())), signal);
  }
  return { kind: 'timed-out', lastError } as const;
}
