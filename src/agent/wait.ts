import type { Effects } from '../effects/effects.ts';
import type { ReadResult } from './delivery.ts';
import type { Job, WaitEnding } from './job.ts';
import {
  pause,
  startOfWait,
  stepAfter,
  stopAtDeadline,
  type WaitPlan,
  type WaitState,
} from './wait-step.ts';

/**
 * Reads an agent job until it ends or the deadline passes, first after `firstPauseMs`. `onState` is
 * told what is known after each read. Throws the signal's reason when cancelled.
 */
export async function waitForEnd(
  plan: WaitPlan,
  start: { readonly job: Job | undefined; readonly firstPauseMs: number },
  read: () => Promise<ReadResult>,
  onState: (state: WaitState) => void,
  { clock, runner, signal }: Pick<Effects, 'clock' | 'runner' | 'signal'>,
): Promise<WaitEnding> {
  let step = pause(plan, startOfWait(clock.now(), start.job), start.firstPauseMs, clock.now());
  for (;;) {
    if (step.action === 'stop') return step.ending;
    await clock.sleep(step.ms, signal);
    signal.throwIfAborted();
    step =
      clock.now() >= plan.deadline
        ? stopAtDeadline(step.state, clock.now())
        : stepAfter(plan, step.state, await read(), clock.now(), clock.random());
    onState(step.state);
    // A read that a cancel aborted says nothing. An end that was read counts, cancelled or not.
    if (step.action === 'pause') signal.throwIfAborted();
    if (step.log !== undefined) runner.info(step.log);
    if (step.action === 'pause' && step.warning !== undefined) {
      runner.annotate('warning', 'Docs agent: unknown status', step.warning);
    }
  }
}
