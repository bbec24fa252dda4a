import type { Effects } from '../effects/effects.ts';
import { quote } from '../lib/text.ts';
import type { AgentApi } from './api.ts';
import { waitForEnd } from './wait.ts';

/** How long reads that fail are tried again, as a share of `timeout`. */
const MAX_SHARE = 1 / 3;
const POLL_INTERVAL_MS = 1_000;

/** What became of an agent job of an earlier run. */
export type ReadOnce =
  | { readonly kind: 'job'; readonly status: string; readonly prLink: string }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'failed'; readonly error: string };

/**
 * Reads an agent job once. What fails is tried again for a third of `timeout`, until `deadline` at
 * most. Throws the signal's reason when cancelled.
 */
export async function readOnce(
  api: Pick<AgentApi, 'readJob'>,
  id: string,
  limit: { readonly timeoutMs: number; readonly deadline: number },
  effects: Pick<Effects, 'clock' | 'runner' | 'signal'>,
): Promise<ReadOnce> {
  const { clock, runner } = effects;
  const deadline = Math.min(limit.deadline, clock.now() + limit.timeoutMs * MAX_SHARE);
  runner.info(`Checking agent job ${quote(runner.clean(id))} of an earlier run.`);
  const ending = await waitForEnd(
    { pollIntervalMs: POLL_INTERVAL_MS, deadline, once: true },
    { job: undefined, firstPauseMs: 0 },
    () => api.readJob(id),
    () => undefined,
    effects,
  );
  switch (ending.kind) {
    case 'ended':
    case 'started':
      return { kind: 'job', status: ending.job.status, prLink: ending.job.prLink };
    case 'not-found':
      return { kind: 'not-found' };
    case 'unreadable':
      return { kind: 'failed', error: ending.error };
    case 'timed-out':
      return { kind: 'failed', error: ending.lastError ?? 'no response' };
  }
}
