import type { Effects } from '../effects/effects.ts';
import type { Job } from './job.ts';
import type { Reading } from './reading.ts';
import { startOfWait, type WaitEnd, type WaitPlan, type WaitState } from './wait-state.ts';
import { next, outOfTime, sleep } from './wait-step.ts';

/**
 * Reads a job until it ends or the deadline passes. With `firstPauseMs` 0 it is read at once.
 * `onState` is told what is known after each step. Throws the signal's reason when cancelled.
 */
export async function waitForEnd(
  plan: WaitPlan,
  start: { readonly job: Job | undefined; readonly firstPauseMs: number },
  read: () => Promise<Reading>,
  onState: (state: WaitState) => void,
  { clock, runner, signal }: Pick<Effects, 'clock' | 'runner' | 'signal'>,
): Promise<WaitEnd> {
  let step = sleep(plan, startOfWait(clock.now(), start.job), start.firstPauseMs, clock.now());
  for (;;) {
    if (step.do === 'stop') return step.end;
    await clock.sleep(step.ms, signal);
    signal.throwIfAborted();
    step =
      clock.now() >= plan.deadline
        ? outOfTime(step.state, clock.now())
        : next(plan, step.state, await read(), clock.now(), clock.random());
    onState(step.state);
    if (step.do === 'sleep') signal.throwIfAborted();
    if (step.say !== undefined) runner.info(step.say);
    if (step.do === 'sleep' && step.warn !== undefined) {
      runner.annotate('warning', 'Unknown status', step.warn);
    }
  }
}
