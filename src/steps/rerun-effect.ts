/** Predicts what "Re-run failed jobs" does. */

import { cameToNothing, fateOf } from '../model/agent-job.ts';
import type { RerunEffect } from '../model/record.ts';
import { fitsAnnotation } from '../record/record-line.ts';
import type { Ending, Known } from '../report/ending.ts';

/**
 * Predicts from this run's record what "Re-run failed jobs" does next. Returns `undefined` when
 * that is uncertain.
 */
export function rerunEffectOf(known: Known, ending: Ending): RerunEffect | undefined {
  const { inputs, facts, job, isSendingDecided } = known;
  const record = known.record?.content;
  if (inputs === undefined || inputs.dryRun || !(facts.runId > 0)) return undefined;
  if (inputs.task.kind === 'follow') return 'follows';
  if (inputs.rerun === 'create') return 'sends';
  // By then, the service may find the agent job again.
  if (ending.kind === 'not-found') return undefined;
  // Without a step name, a re-run can't find its own record.
  if (facts.step === '') return undefined;
  if (record !== undefined && !fitsAnnotation(record)) return undefined;
  // Without a record, nothing was sent.
  switch (record?.what.kind ?? 'todo') {
    case 'job': {
      // What became of an addition, a re-run judges by the pull request.
      const isAdditionDue = typeof record?.added === 'object' && fateOf(job) === 'covered';
      const isNothing = ending.kind === 'missed' || (!isAdditionDue && cameToNothing(job));
      return inputs.task.kind === 'create' && isNothing ? 'sends' : 'follows';
    }
    case 'todo':
      // An earlier attempt may have sent the prompt, unless this one ruled that out.
      return isSendingDecided ? 'sends' : undefined;
    case 'unknown':
      return 'asks';
    case 'asked':
      return 'sends';
    case 'none':
      return undefined;
  }
}
