import { quote } from '../text/escape.ts';
import { capitalize } from '../text/words.ts';
import type { RunResult } from './ending.ts';
import { FOLLOW_RECIPE } from './wording.ts';

/**
 * How to wait for an agent job that may still have a result: by a re-run where that follows it, else by
 * its id. With `wait: false` the step has not failed, and a re-run would not wait either.
 */
export function followAdvice({ inputs, press, ending, job }: RunResult): string {
  const id = quote(job.id);
  if (press !== 'follows' || !inputs?.wait) {
    return `To wait for it, run this action with \`jobId\` set to ${id} and without a prompt: ${FOLLOW_RECIPE}`;
  }
  const start = ending.kind === 'unreadable' ? 'Fix this first. ' : '';
  const rerun = `press "Re-run failed jobs" to keep waiting for agent job ${id}.`;
  if (inputs.task.kind === 'follow') return start + capitalize(rerun);
  const second =
    inputs.task.kind === 'create' ? 'creates a second agent job' : 'sends the message again';
  return `${start}If the workflow job has \`actions: read\` and \`checks: read\`, ${rerun} Without them, a re-run ${second}.`;
}
