import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { clock } from '../../../src/effects.ts';
import { StepError } from '../../../src/errors.ts';
import { openRepository, type Repository } from '../../../src/git/repository.ts';
import { adviceOn } from '../../../src/report/advice.ts';
import { effectsOf } from '../../support/effects.ts';
import type { FakeGitHub } from '../../support/github.ts';
import { RecordingRunner } from '../../support/runner.ts';

/** The program, for scripts that stand in for it. */
export const GIT = execFileSync('which', ['git']).toString().trim();

export type Step = ReturnType<typeof createStep>;

/** A step's folder, which is its home, and what the step did. `temp` is its `RUNNER_TEMP`. */
export function createStep(env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-job-step-'));
  const bin = join(folder, 'bin');
  const temp = join(folder, 'temp');
  mkdirSync(bin);
  mkdirSync(temp);
  const path = `${bin}:${process.env['PATH']}`;
  return {
    folder,
    temp,
    env: { PATH: path, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', RUNNER_TEMP: temp, ...env },
    runner: new RecordingRunner(),
    /** Puts a shell script before git. */
    replaceGit: (script: string) =>
      writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

export interface OpenOptions {
  readonly token?: string;
  readonly repository?: string;
  readonly serverUrl?: string;
  readonly signal?: AbortSignal;
}

/** Opens the server's repository. Pauses take no time, and the date stands still. */
export const open = (step: Step, server: Pick<FakeGitHub, 'url'>, options: OpenOptions = {}) =>
  openRepository({
    serverUrl: server.url,
    repository: 'o/r',
    token: 'writer',
    ...effectsOf({
      clock: { ...clock, date: () => 1.8e12, sleep: async () => undefined },
      deadline: clock.now() + 60_000,
      runner: step.runner,
    }),
    ...options,
    env: step.env,
  });

/** Opens the server's repository for one test. */
export async function withRepository<T>(
  server: Pick<FakeGitHub, 'url'>,
  use: (repo: Repository) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  using step = createStep();
  return await use(await open(step, server, options));
}

/** What a person reads: what failed, and what to do. */
export const textOf = (error: StepError) =>
  `${error.message}. ${adviceOn(error.topic, error.detail, true)}`;

/** The error for the person, which has at most three sentences and about 50 words. */
export async function failureOf(use: () => Promise<unknown>): Promise<StepError> {
  const error = await use().catch((thrown: unknown) => thrown);
  if (!(error instanceof StepError)) throw new Error('no StepError', { cause: error });
  const text = textOf(error).replace(/`[^`]*`/g, 'x');
  expect(text.split(/[.;] /).length).toBeLessThanOrEqual(3);
  expect(text.split(' ').length).toBeLessThanOrEqual(50);
  return error;
}
