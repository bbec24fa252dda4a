/** Under `pullRequest: append`: which agent job gets the prompt. */

import type { Judge } from '../model/agent-job.ts';
import { LAST_JOB_NOT_KNOWN, RunError } from '../model/errors.ts';
import { CALL_OVER_MS, type LastJob, NEW_JOB_MS } from '../model/record.ts';
import { quote } from '../text/escape.ts';
import { withoutFullStop } from '../text/words.ts';
import type { Pulls } from './pulls.ts';

/** The open pull request that the prompt is added to, and its agent job. */
export interface Appended {
  readonly jobId: string;
  /** `owner/name#123` */
  readonly name: string;
  readonly number: number;
  readonly link: string;
  /** The commit that it ends at before the message. */
  readonly head: string;
}

/** Where the prompt goes. Every `why` is a whole sentence about the past. */
export type Target =
  | { readonly kind: 'append'; readonly appended: Appended }
  /** `notice` and `warning`: people should know why. `none`: there was nothing to add to. */
  | {
      readonly kind: 'create';
      readonly why: string;
      readonly level: 'none' | 'log' | 'notice' | 'warning';
    }
  /** Its last agent job is to be waited for. */
  | { readonly kind: 'wait'; readonly last: LastJob };

export interface TargetQuery {
  readonly judge: Judge;
  readonly pulls: Pulls;
  /** An agent job at work is waited for. */
  readonly mayWait: boolean;
  /** Nothing is sent. */
  readonly isDryRun: boolean;
  /** Since 1970. */
  readonly nowMs: number;
}

/**
 * Whether the pull request of the step's last agent job is certainly open. Throws a `RunError` when
 * the service cannot say what became of that agent job, and a `GitHubError` when GitHub fails.
 */
export async function findTarget(
  last: LastJob | 'none' | undefined,
  { judge, pulls, mayWait, isDryRun, nowMs }: TargetQuery,
): Promise<Target> {
  if (last === undefined || last === 'none') {
    return { kind: 'create', level: 'none', why: 'This step had no earlier agent job on record.' };
  }
  const create = (why: string, level: 'log' | 'notice' | 'warning' = 'log'): Target => ({
    kind: 'create',
    level,
    why,
  });
  const agentJob = `agent job ${quote(last.id)}`;
  const sinceCallMs = nowMs - last.at * 1_000;
  const judged = await judge({ ...last, isNew: sinceCallMs < NEW_JOB_MS });
  switch (judged.kind) {
    case 'forgotten':
      return create(`The service no longer knew the last agent job, ${quote(last.id)}.`);
    case 'not-read':
      return create(`Without \`adminApiKey\` the last ${agentJob} could not be read.`, 'warning');
    case 'error':
      throw lastJobNotKnown(
        `What became of ${agentJob}, the last one of this step, is not known: ${withoutFullStop(judged.error)}`,
      );
    case 'known':
  }
  const { fate, status, prLink } = judged;
  if (fate === 'running') {
    const isHanging = sinceCallMs > CALL_OVER_MS;
    if (mayWait && !isHanging) return { kind: 'wait', last };
    const why = isHanging
      ? 'had been called more than 2 h before'
      : isDryRun
        ? 'a dry run does not wait for it'
        : 'with `wait: false` the step did not wait for it';
    return create(
      `The last ${agentJob} was still running, and ${why}. It may open a pull request of its own.`,
      'notice',
    );
  }
  if (status !== 'completed') {
    return create(`The last ${agentJob} had the status ${quote(status)}.`);
  }
  if (prLink === '') return create(`The last ${agentJob} opened no pull request.`);
  const pull = await pulls.read(prLink);
  switch (pull.kind) {
    case 'unknown':
      return create(
        `Whether the last pull request was open is not known: ${pull.reason}.`,
        'warning',
      );
    case 'merged':
    case 'closed':
      return create(`The last pull request, ${quote(pull.name)}, was ${pull.kind}.`);
    case 'open': {
      const { name, number, head } = pull;
      return { kind: 'append', appended: { jobId: last.id, name, number, link: prLink, head } };
    }
  }
}

/** The error of a step that cannot know where its prompt goes. `reason` has no full stop. */
export function lastJobNotKnown(reason: string, cause?: unknown): RunError {
  const message = `${reason}. No prompt was sent. If that passes, run this again. Otherwise start a new run with \`pullRequest: new\`, which does not look at the last agent job.`;
  return new RunError(LAST_JOB_NOT_KNOWN, message, { cause: cause ?? new Error(reason) });
}
