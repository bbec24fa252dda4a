/** What "Re-run failed jobs" will do. */
import { pressOf } from '../history/plan.ts';
import { fitsAnnotation } from '../history/record-line.ts';
import { cameToNothing } from '../model/agent-job.ts';
import type { Known } from '../report/ending.ts';

/** What "Re-run failed jobs" will do after this run. */
export function pressAfter(ended: Known & Pick<Required<Known>, 'ending'>): Known['press'] {
  const { inputs, facts, record, job, isSendingDecided, ending } = ended;
  if (inputs === undefined || inputs.dryRun || !(facts.runId > 0)) return undefined;
  if (inputs.task.kind === 'follow') return 'follows';
  if (inputs.rerun === 'create') return 'sends';
  // The service may know the agent job again by then, or not.
  if (ending?.kind === 'not-found') return undefined;
  // Without a name of the step, no re-run can tell its record from others.
  if (facts.step === '' || (record !== undefined && !fitsAnnotation(record))) return undefined;
  const isNothing = ending?.kind === 'missed' || cameToNothing(job);
  const isSentAgain = inputs.task.kind === 'create' && isNothing;
  return pressOf(record, { cameToNothing: isSentAgain, isSendingDecided });
}
