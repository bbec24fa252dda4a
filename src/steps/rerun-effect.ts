/** What "Re-run failed jobs" will do. */
import { fitsAnnotation } from '../history/record-line.ts';
import { cameToNothing } from '../model/agent-job.ts';
import type { RerunEffect } from '../model/record.ts';
import type { Ending, Known } from '../report/ending.ts';

/**
 * What "Re-run failed jobs" will do after this run, by the record that it leaves; `undefined` when that
 * is not certain.
 */
export function rerunEffectOf(known: Known, ending: Ending): RerunEffect | undefined {
  const { inputs, facts, job, isSendingDecided } = known;
  const record = known.record?.content;
  if (inputs === undefined || inputs.dryRun || !(facts.runId > 0)) return undefined;
  if (inputs.task.kind === 'follow') return 'follows';
  if (inputs.rerun === 'create') return 'sends';
  // The service may know the agent job again by then, or not.
  if (ending.kind === 'not-found') return undefined;
  // Without a name of the step, no re-run can tell its record from others.
  if (facts.step === '') return undefined;
  if (record !== undefined && !fitsAnnotation(record)) return undefined;
  // Without a record nothing was sent.
  switch (record?.what.kind ?? 'todo') {
    case 'job': {
      const isNothing = ending.kind === 'missed' || cameToNothing(job);
      return inputs.task.kind === 'create' && isNothing ? 'sends' : 'follows';
    }
    case 'todo':
      // An earlier attempt may have sent the prompt, unless this one knew better.
      return isSendingDecided ? 'sends' : undefined;
    case 'unknown':
      return 'asks';
    case 'asked':
      return 'sends';
    case 'none':
      return undefined;
  }
}
