/** Decides under `pullRequest: append` which agent job gets the prompt. */

import { docsPullLinkOf, type ReadDocsPull } from '../github/docs-pull-reader.ts';
import type { Judge, LastAtWork } from '../model/agent-job.ts';
import type { PullToAddTo } from '../model/docs-pull.ts';
import { type LastJob, WORK_OVER_MS } from '../model/record.ts';
import { LAST_JOB_NOT_KNOWN, RunError } from '../model/run-error.ts';
import { quote } from '../text/escape.ts';
import { withoutFullStop } from '../text/words.ts';
import { HistoryNotKnown } from './history-not-known.ts';

/** Where the prompt goes. */
export type Target =
  | { readonly kind: 'append'; readonly appended: PullToAddTo }
  /**
   * `why` is a complete sentence about the past. `level` is `none` if there was nothing to add to.
   * People should read a `notice` or a `warning`. `isPullHidden` means that the token may not read
   * the last pull request.
   */
  | {
      readonly kind: 'create';
      readonly why: string;
      readonly level: 'none' | 'log' | 'notice' | 'warning';
      readonly isPullHidden?: boolean;
    };

/** The prompt goes nowhere, because the last agent job is still working. */
export interface AtWork {
  readonly kind: 'at-work';
  readonly lastAtWork: LastAtWork;
}

/** Whether the last recorded call should be over. An agent job that still works on it may hang. */
export const isWorkOver = ({ at }: LastJob, nowMs: number) => nowMs - at * 1_000 > WORK_OVER_MS;

/**
 * Decides where the prompt goes: to the pull request of the step's last agent job if it is
 * certainly open, or else to a new agent job. Throws a `RunError` when the service can't judge that
 * agent job, and a `GitHubError` when GitHub fails. `nowMs` is in ms since 1970.
 */
export async function findTarget(
  last: LastJob | 'none' | undefined,
  judge: Judge,
  readDocsPull: ReadDocsPull,
  nowMs: number,
): Promise<Target> {
  if (last === undefined || last === 'none') {
    return { kind: 'create', level: 'none', why: 'This step had no earlier agent job on record.' };
  }
  const create = (why: string, level: 'log' | 'notice' | 'warning' = 'log') =>
    ({ kind: 'create', level, why }) as const;
  const agentJob = `agent job ${quote(last.id)}`;
  const judged = await judge(last);
  switch (judged.kind) {
    case 'not-found':
      return create(`The service no longer knew the last agent job, ${quote(last.id)}.`);
    case 'not-read':
      return create(`Without \`adminApiKey\` the last ${agentJob} could not be read.`, 'warning');
    case 'error':
      throw lastJobNotKnown(
        `${agentJob}, the last one of this step, could not be read: ${withoutFullStop(judged.error)}`,
        judged.isTemporary,
      );
    case 'known':
  }
  const { fate, status, prLink } = judged;
  if (fate === 'running') {
    const was = isWorkOver(last, nowMs)
      ? 'was still running more than 2 h after its last prompt'
      : 'was still running, and a dry run does not wait for it';
    return create(`The last ${agentJob} ${was}. It may open a pull request of its own.`, 'notice');
  }
  if (status !== 'completed') {
    const had = `The last ${agentJob} had the status ${quote(status)}.`;
    const link = docsPullLinkOf(judged, last.messagedPull);
    const left = link === '' ? undefined : await readDocsPull(link);
    return left?.kind === 'open'
      ? create(
          `${had} ${quote(left.name)} stays open, and nothing more is added to it: merge or close it.`,
        )
      : create(had);
  }
  if (prLink === '') return create(`The last ${agentJob} opened no pull request.`);
  const pull = await readDocsPull(prLink);
  if (pull.kind === 'unknown') {
    const why = `The last pull request could not be checked, because ${pull.reason}.`;
    return { ...create(why, 'warning'), isPullHidden: pull.isHidden };
  }
  const { kind, name, number, head } = pull;
  if (kind !== 'open') {
    return kind === 'merged'
      ? create(`The last pull request, ${quote(name)}, was merged.`)
      : create(`${quote(name)} was closed without merging, so its changes count as documented.`);
  }
  return { kind: 'append', appended: { jobId: last.id, name, number, link: prLink, head } };
}

/**
 * Returns the error of a step that can't decide where its prompt goes. `reason` follows `because`.
 */
function lastJobNotKnown(reason: string, isTemporary: boolean): RunError {
  const message = `No prompt was sent, because ${reason}. Press "Re-run failed jobs" later, or start a new run with \`pullRequest: new\`, which does not look at that agent job.`;
  const cause = new HistoryNotKnown(reason, {
    isTemporary,
    ...(isTemporary && { again: 'later' }),
  });
  return new RunError(LAST_JOB_NOT_KNOWN, message, { cause });
}
