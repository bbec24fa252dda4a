/** Time, the runner, and requests, as the rooms see them. */
import { setTimeout as delay } from 'node:timers/promises';
import * as core from '@actions/core';
import type { Response } from 'undici';
import { linesOf, logLine } from './text/escape.ts';

export interface Clock {
  /** Milliseconds on a clock that never jumps. */
  now(): number;
  /** Milliseconds since 1970, to compare with times from outside. */
  date(): number;
  /** At least 0 and below 1. */
  random(): number;
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason once it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const clock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  random: () => Math.random(),
  async sleep(ms, signal) {
    await delay(Math.ceil(ms), undefined, { signal }).catch(() => signal.throwIfAborted());
  },
};

export type Level = 'notice' | 'warning' | 'error';

/** The log, annotations, outputs and summary of the step. Text may come from outside: it is escaped. */
export interface Runner {
  /** Masks a secret in everything that is logged from now on. */
  mask(secret: string): void;
  info(line: string): void;
  debug(line: string): void;
  annotate(level: Level, title: string, message: string): void;
  /** Throws if the runner's file cannot be written. */
  setOutput(name: string, value: string): void;
  writeSummary(markdown: string): Promise<void>;
}

export interface FetchInit {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** The default is 30 s. */
  readonly timeoutMs?: number;
  /** How long to wait on after `signal` has aborted, if `body` is being sent. The default is 0. */
  readonly graceMs?: number;
  /** How long it may take until `body` is sent. The default is `timeoutMs`. */
  readonly connectMs?: number;
}

export type Fetch = (url: string, init?: FetchInit) => Promise<Response>;

/** What a run does to the world, and what ends it early. */
export interface Effects {
  readonly clock: Clock;
  readonly runner: Runner;
  /** Reads the whole body before it resolves (`createFetch` in http.ts). */
  readonly fetch: Fetch;
  /** Its reason is thrown as soon as it aborts. */
  readonly signal: AbortSignal;
  /** Aborts `CANCEL_MS` after `signal`, so that what became of a call can still be recorded. */
  readonly lateSignal: AbortSignal;
  /** When `timeout` is over, on the scale of `clock.now()`. */
  readonly deadline: number;
}

/** What may be other than the run's own. */
export type Limits = Partial<Pick<Effects, 'signal' | 'deadline'>>;

const ANNOTATE = { notice: core.notice, warning: core.warning, error: core.error };

/** The runner masks secrets in the log and the summary only: an output that contains one is empty. */
export function createRunner(): Runner {
  const secrets: string[] = [];
  return {
    mask(secret) {
      core.setSecret(secret);
      secrets.push(secret);
    },
    info: (line) => core.info(logLine(line)),
    debug: (line) => core.debug(logLine(line)),
    annotate: (level, title, message) =>
      ANNOTATE[level](linesOf(message).map(logLine).join('\n'), { title }),
    setOutput(name, value) {
      const isSecret = secrets.some((secret) => value.includes(secret));
      if (isSecret) core.info(`The output ${name} stays empty, because it contains a secret.`);
      core.setOutput(name, isSecret ? '' : value);
    },
    async writeSummary(markdown) {
      await core.summary.addRaw(markdown).write();
    },
  };
}
