/** Time and the runner, as the rooms see them. */
import { setTimeout as delay } from 'node:timers/promises';
import * as core from '@actions/core';
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

/** How long something may take. */
export interface Limits {
  readonly clock: Clock;
  /** Its reason is thrown as soon as it aborts. */
  readonly signal: AbortSignal;
  /** On the scale of `clock.now()`. */
  readonly deadline: number;
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
