import { quote } from '../text/escape.ts';
import { pageUrl } from '../text/pages.ts';
import { capitalize } from '../text/words.ts';
import type { RunResult } from './ending.ts';

/** Tells the reader in one sentence how to follow the agent job to its end. */
export function followAdvice(result: RunResult): string {
  const { job, inputs, ending } = result;
  // With `wait: false`, the step hasn't failed, and a re-run wouldn't wait either.
  if (result.rerunEffect !== 'follows' || !inputs?.wait) {
    const page = pageUrl('RECIPES.md#by-hand');
    return `To wait for it, run this action with \`jobId\` set to ${quote(job.id)} and without a prompt (${page}).`;
  }
  const press = `press "Re-run failed jobs" to keep waiting for agent job ${quote(job.id)}`;
  const isUnreadable = ending.kind === 'unreadable';
  if (inputs.task.kind === 'follow')
    return isUnreadable ? `Fix this, then ${press}.` : `${capitalize(press)}.`;
  const second =
    inputs.task.kind === 'create' ? 'creates a second agent job' : 'sends the message again';
  const start = isUnreadable ? 'Once this is fixed, and if' : 'If';
  return `${start} the workflow job has \`actions: read\` and \`checks: read\`, ${press}; without them, a re-run ${second}.`;
}
