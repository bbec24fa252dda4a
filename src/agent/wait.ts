import type { Effects } from '../effects/effects.ts';
import { quote } from '../lib/text.ts';
import type { Job, WaitEnding } from './job.ts';
import type { ReadResult } from './results.ts';
import {
  decideAfter,
  initialWaitState,
  type Moment,
  pauseDecision,
  type WaitPlan,
  type WaitState,
} from './wait-decision.ts';

/**
 * Reads an agent job until it ends or the deadline passes, first after `firstPauseMs`. `onState`
 * gets the state after each read. Throws the signal's reason when cancelled.
 */
export async function waitForEnd(
  plan: WaitPlan,
  start: { readonly job: Job | undefined; readonly firstPauseMs: number },
  read: () => Promise<ReadResult>,
  onState: (state: WaitState) => void,
  { clock, runner, signal }: Pick<Effects, 'clock' | 'runner' | 'signal'>,
): Promise<WaitEnding> {
  const show = (status: string) => quote(runner.clean(status));
  const moment = (): Moment => ({ plan, now: clock.now(), random: clock.random(), show });
  const begin = moment();
  let decision = pauseDecision(begin, initialWaitState(begin, start.job), start.firstPauseMs);
  for (;;) {
    if (decision.action === 'stop') return decision.ending;
    await clock.sleep(decision.ms, signal);
    signal.throwIfAborted();
    if (clock.now() >= plan.deadline) {
      decision = pauseDecision(moment(), decision.state, 0);
    } else {
      const result = await read();
      // A read that a cancel aborted does not count.
      if (result.kind !== 'job') signal.throwIfAborted();
      decision = decideAfter(moment(), decision.state, result);
    }
    onState(decision.state);
    // An end that was read counts even after a cancel.
    if (decision.action === 'pause') signal.throwIfAborted();
    if (decision.log !== undefined) runner.info(decision.log);
    const { warning } = decision;
    if (warning !== undefined) runner.annotate('warning', warning.title, warning.message);
  }
}
