/** Waiting for the end of an agent job: what its reads mean over time, and when to read again. */
import type { Effects } from '../effects.ts';
import { backoffMs } from '../http.ts';
import { MINUTE_MS, NOT_FOUND_MS, OLD_END_MS } from '../limits.ts';
import { quote } from '../text/escape.ts';
import { formatDuration } from '../text/words.ts';
import { type Agent, type Refused, refusalError } from './agent.ts';
import { type AgentJob, type Ended, isRunning, type Standing } from './job.ts';

/** The link to the pull request may come a moment after `completed`. */
const LINK_PAUSE_MS = 2_000;

export type Watch = ReturnType<typeof watchJob>;

/** `messagedAt` is when the last follow-up message was accepted, in ms since 1970, or null. */
export function watchJob(
  agent: Pick<Agent, 'read'>,
  jobId: string,
  messagedAt: number | null,
  { clock, runner, signal, deadline }: Effects,
) {
  // The clock of the machine that sent the message may be ahead.
  const oldEndUntil = Math.min(messagedAt ?? 0, clock.date()) + OLD_END_MS;
  let wasActive = messagedAt === null;
  let notFoundSince: number | undefined;
  let job: AgentJob | undefined;
  let hasWarned = false;
  let failures = 0;
  let lastError = '';
  let readsAgainAt = 0;

  function judge(read: Standing | Refused): Standing {
    if (read.kind === 'refused')
      throw refusalError(`Mintlify did not show agent job ${quote(jobId)}`, read);
    if (read.kind === 'not-found') {
      notFoundSince ??= clock.now();
      const isSure = clock.now() - notFoundSince >= NOT_FOUND_MS;
      return isSure ? read : { kind: 'unreadable', said: read.said };
    }
    notFoundSince = undefined;
    if (!('job' in read)) return read;
    job = read.job;
    if (read.kind === 'active') {
      wasActive = true;
      warnOfStatus(job.status);
    }
    return wasActive || clock.date() >= oldEndUntil ? read : { kind: 'active', job };
  }

  async function readTwice(): Promise<Standing> {
    const seen = judge(await agent.read(jobId));
    if (seen.kind !== 'no-changes') return seen;
    await clock.sleep(Math.min(LINK_PAUSE_MS, Math.max(0, deadline - clock.now())), signal);
    const again = await agent.read(jobId);
    return 'job' in again ? judge(again) : seen;
  }

  function warnOfStatus(status: string): void {
    if (hasWarned || status === 'active') return;
    hasWarned = true;
    const message = `This action does not know the status ${quote(status)} of the agent job, and keeps waiting.`;
    runner.annotate('warning', 'Docs agent: unknown status', message);
  }

  return {
    jobId,

    /** As it was read last. */
    get job() {
      return job;
    },

    /**
     * Reads the agent job once, and once more if it completed without a link to a pull request. Reads
     * nothing before the pause after a failed read is over, and returns what is left of it as
     * `retryAfterMs`. Throws a `StepError` if the service refuses the read.
     */
    async look(): Promise<Standing> {
      if (clock.now() >= readsAgainAt) {
        const seen = await readTwice();
        failures = seen.kind === 'unreadable' ? failures + 1 : 0;
        if (seen.kind !== 'unreadable') return seen;
        lastError = seen.said;
        readsAgainAt = clock.now() + backoffMs(failures, clock.random(), seen.retryAfterMs);
      }
      return { kind: 'unreadable', said: lastError, retryAfterMs: readsAgainAt - clock.now() };
    },
  };
}

/** How a wait ended. */
export type WaitEnd =
  | Ended
  /** `lastError` is why the last read failed, if it did. */
  | { readonly kind: 'timed-out'; readonly lastError: string | undefined }
  /** The service refused a read, or the step was cancelled. */
  | { readonly kind: 'stopped'; readonly error: unknown };

/**
 * Reads until the agent job has ended or is gone, or until the deadline. Does `meanwhile` before each
 * pause. Never rejects.
 */
export async function waitForEnd(
  watch: Watch,
  pollIntervalMs: number,
  options: Effects,
  meanwhile = async (): Promise<void> => undefined,
): Promise<WaitEnd> {
  const { clock, runner, deadline } = options;
  const pause = createPause(options);
  let lastError: string | undefined;
  try {
    while (clock.now() < deadline) {
      const seen = await watch.look();
      if (!isRunning(seen)) return seen;
      lastError = undefined;
      let how = 'is still active';
      let pauseMs = pollIntervalMs;
      if (seen.kind === 'unreadable') {
        lastError = seen.said;
        how = `cannot be read (${lastError})`;
        pauseMs = seen.retryAfterMs ?? 0;
        const again = formatDuration(pauseMs);
        runner.info(`The agent job could not be read: ${lastError}. Reading it again in ${again}.`);
      }
      await meanwhile();
      const line = `Agent job ${quote(watch.jobId)} ${how} after`;
      await pause(Math.min(pauseMs, deadline - clock.now()), (duration) => `${line} ${duration}.`);
    }
    return { kind: 'timed-out', lastError };
  } catch (error) {
    return { kind: 'stopped', error };
  }
}

/** Sleeps, and logs a line once a minute: nobody looks at thirty silent minutes. */
export function createPause(options: Effects) {
  const { clock, signal, runner } = options;
  const startedAt = clock.now();
  let nextAt = startedAt + MINUTE_MS;
  return async (ms: number, lineOf: (duration: string) => string): Promise<void> => {
    const until = clock.now() + Math.max(0, ms);
    do {
      await clock.sleep(Math.max(0, Math.min(until, nextAt) - clock.now()), signal);
      if (clock.now() >= nextAt) {
        nextAt = clock.now() + MINUTE_MS;
        runner.info(lineOf(formatDuration(clock.now() - startedAt)));
      }
    } while (clock.now() < until);
  };
}
