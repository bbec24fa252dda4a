import type { Effects } from '../../effects/effects.ts';
import { CHANGES_NOT_FOUND, RunError } from '../../model/errors.ts';

/** Longest time that the process works without checking for a cancel, in ms. */
const MAX_BUSY_MS = 100;

const NO_TIME =
  'The `timeout` was over before the prompt was composed. No prompt was sent. Set a longer `timeout`, or fewer `paths`.';

/**
 * Returns a function to call often during long work: it pauses now and then so that Node can handle
 * signals, and throws the signal's reason after a cancel, or a `RunError` when the time is up.
 */
export function pauseForSignals(
  { clock, signal }: Pick<Effects, 'clock' | 'signal'>,
  deadline: number,
): () => Promise<void> {
  let last = clock.now();
  return async () => {
    if (clock.now() - last < MAX_BUSY_MS) return;
    await clock.handleSignals();
    signal.throwIfAborted();
    if (clock.now() >= deadline) throw new RunError(CHANGES_NOT_FOUND, NO_TIME);
    last = clock.now();
  };
}
