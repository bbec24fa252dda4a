import { quote } from '../text/escape.ts';
import type { RunResult } from './ending.ts';

/** How to follow the agent job from elsewhere. */
export const followAdvice = ({ job }: RunResult): string =>
  `To wait for it in another workflow, run this action there with \`jobId\` set to ${quote(job.id)}, and without a prompt.`;

/**
 * How to keep waiting with "Re-run failed jobs". `undefined` unless that follows this agent job. With
 * `wait: false` the step has not failed, and a re-run would not wait either.
 */
export function resumeAdvice({ inputs, press, ending }: RunResult): string | undefined {
  if (press !== 'follows' || !inputs?.wait) return undefined;
  const when = ending.kind === 'unreadable' ? 'After you have fixed this' : 'To keep waiting';
  const advice = `${when}, press "Re-run failed jobs". The new attempt follows this agent job`;
  if (inputs.task.kind === 'follow') return `${advice}.`;
  const second = inputs.task.kind === 'create' ? 'creates a second one' : 'sends the message again';
  return `${advice}. This needs \`actions: read\` and \`checks: read\`: without them it ${second}.`;
}
