/**
 * Runs the action's own code in this process, with real HTTP to the local services. Its clock
 * jumps, so no test waits. `Action` tests what only a process shows: signals, command files,
 * stdout, the bundle.
 */

import { createHttp } from '../../src/effects/http.ts';
import { payloadSchema } from '../../src/github/payload.ts';
import { createGitHub } from '../../src/github/rest.ts';
import { readInputs } from '../../src/inputs/inputs.ts';
import { CancelledError } from '../../src/model/run-error.ts';
import type { RunFacts } from '../../src/model/run-facts.ts';
import { type RunEffects, run } from '../../src/run.ts';
import { redact, type Secret, secretOf } from '../../src/text/secrets.ts';
import {
  type ActionOptions,
  type ActionResult,
  inputEnvironment,
  RUNNER_VARIABLES,
} from './action.ts';
import { FACTS, FakeClock, RecordingRunner } from './fakes.ts';
import { longErrorsIn } from './short-errors.ts';

function fail(message: string): never {
  throw new Error(message);
}

/** Cancels a step in this process through its `signal`. */
export function cancellation() {
  const abort = new AbortController();
  return { cancel: () => abort.abort(new CancelledError('SIGINT')), signal: abort.signal };
}

/** Removes secrets as the real runner does. */
class MaskingRunner extends RecordingRunner {
  readonly #secrets: Secret[] = [];

  // The run passes both on as functions.
  override readonly clean = (text: string): string => redact(text, this.#secrets);
  override readonly redact = this.clean;

  override mask(secret: string): void {
    super.mask(secret);
    if (secret.length > 5) this.#secrets.push(secretOf(secret));
  }
}

/** The clock of a workflow's runs. Time passes only when something waits for it. */
export class JumpingClock extends FakeClock {
  readonly #startedAt = Date.now();
  readonly #later: { readonly at: number; readonly act: () => void }[] = [];

  /** Calls `act` as soon as this much time has passed. */
  after(ms: number, act: () => void): void {
    this.#later.push({ at: this.now() + ms, act });
  }

  override date(): number {
    return this.#startedAt + this.now();
  }

  override async sleep(ms: number, signal: AbortSignal): Promise<void> {
    // Requests of other tests continue meanwhile.
    await new Promise(setImmediate);
    await super.sleep(ms, signal);
    const due = this.#later.filter(({ at }) => at <= this.now());
    for (const one of due) {
      this.#later.splice(this.#later.indexOf(one), 1);
      one.act();
    }
  }
}

/** Runs a step in this process, with the result of an {@link Action}. `more` replaces effects. */
export async function runHere(
  options: ActionOptions,
  clock = new JumpingClock(),
  more: Partial<RunEffects> = {},
): Promise<ActionResult> {
  const startedAt = performance.now();
  const env: Record<string, string | undefined> = {
    GITHUB_EVENT_NAME: 'workflow_dispatch',
    ...RUNNER_VARIABLES,
    ...options.env,
  };
  const facts: RunFacts = {
    ...FACTS,
    eventName: env['GITHUB_EVENT_NAME'],
    runId: Number(env['GITHUB_RUN_ID']),
    attempt: Number(env['GITHUB_RUN_ATTEMPT']),
    workflowJobKey: env['GITHUB_JOB'] ?? '',
    step: env['GITHUB_ACTION'] ?? '',
    isComposite: Boolean(env['GITHUB_ACTION_PATH']),
    runnerName: env['RUNNER_NAME'] ?? '',
  };
  const event = {
    name: env['GITHUB_EVENT_NAME'] ?? '',
    sha: env['GITHUB_SHA'] ?? '',
    ref: env['GITHUB_REF'] ?? '',
    payload: payloadSchema.parse(options.event ?? {}),
    repository: facts.repository ?? '',
  };
  const runner = new MaskingRunner();
  const http = createHttp([]);
  const apiUrl = env['GITHUB_API_URL'] ?? '';
  const graphqlUrl = env['GITHUB_GRAPHQL_URL'] ?? `${apiUrl}/graphql`;
  const workflow = { facts, apiUrl, graphqlUrl, event };
  const isSuccess = await run(readInputs(inputEnvironment(options)), facts, {
    http,
    clock,
    runner,
    files: { read: async (path) => Buffer.from(options.files?.[path] ?? fail('ENOENT')) },
    openGitHub: async (access) => createGitHub(access, workflow),
    readEvent: () => event,
    signal: cancellation().signal,
    ...more,
  });
  http.close();
  const tooLong = longErrorsIn(runner.annotations);
  if (tooLong.length > 0) fail(`This error has more than three sentences: ${tooLong.join('\n')}`);
  return {
    exitCode: isSuccess ? 0 : 1,
    stdout: runner.log.join('\n'),
    stderr: '',
    commands: runner.annotations.map(({ level, title, message }) => ({
      name: level,
      properties: { title },
      data: runner.clean(message),
    })),
    outputs: runner.outputs,
    summary: runner.summaries.join(''),
    tookMs: performance.now() - startedAt,
  };
}
