/** Under `pullRequest: append`: where the prompt goes. */
import { waitForEarlier } from '../agent/wait.ts';
import type { Sending } from '../history/sending.ts';
import { findTarget, lastJobNotKnown, type Target } from '../history/target.ts';
import { judgePart, type VerdictQuery } from '../history/verdict.ts';
import { GitHubError, messageOf, RunError } from '../model/errors.ts';
import { quote } from '../text/escape.ts';
import { withoutFullStop } from '../text/words.ts';
import type { SendingContext } from './context.ts';

/** Where the prompt goes, once the last agent job of this step has ended. */
export type Chosen =
  | {
      readonly kind: 'chosen';
      readonly target: Exclude<Target, { kind: 'wait' }>;
      /** What is known of earlier runs after the wait. */
      readonly sending: Sending;
    }
  | { readonly kind: 'still-at-work'; readonly lastId: string; readonly limitMs: number };

/** The part of `timeout` that the wait for the last agent job may take. */
const WAIT_SHARE = 1 / 2;

/**
 * Chooses the agent job that gets the prompt, and waits for the last one of this step if that is still
 * at work: two agents on the same pages would conflict. Throws a `RunError` when that cannot be known.
 */
export async function chooseTarget(
  context: SendingContext,
  query: VerdictQuery,
  sending: Sending,
): Promise<Chosen> {
  const { inputs, effects, deadline } = context;
  const target = await targetOf(context, query, sending);
  if (target.kind !== 'wait') return { kind: 'chosen', target, sending };
  const { last } = target;
  const leftMs = deadline - effects.clock.now();
  const limitMs = Math.min(inputs.timeoutMs * WAIT_SHARE, leftMs);
  const stillAtWork = { kind: 'still-at-work', lastId: last.id, limitMs } as const;
  if (!(await waitForLast(context, last, limitMs))) return stillAtWork;
  // What earlier runs covered may be known better now.
  const { part } = sending;
  const judged = part === undefined ? undefined : await judgePart(query, part);
  const rejudged = judged ? { ...sending, start: judged.start, open: judged.open } : sending;
  const next = await targetOf(context, query, rejudged);
  return next.kind === 'wait' ? stillAtWork : { kind: 'chosen', target: next, sending: rejudged };
}

/** Where the prompt goes. The log says so. */
async function targetOf(
  { earlier, inputs, effects }: SendingContext,
  { startsBy }: VerdictQuery,
  { last }: Sending,
): Promise<Target> {
  const { clock, runner } = effects;
  const { agentJobs, pulls } = await earlier();
  const target = await findTarget(last, {
    judge: agentJobs.judge,
    pulls,
    mayWait: inputs.wait && !inputs.dryRun,
    isDryRun: inputs.dryRun,
    nowMs: clock.date(),
  }).catch((error: unknown): Target => {
    if (!(error instanceof GitHubError) && !(error instanceof RunError)) throw error;
    if (startsBy === 'named') {
      const reason = withoutFullStop(messageOf(error.cause ?? error));
      const why = `Where the last agent job of this step stood is not known: ${reason}.`;
      return { kind: 'create', why, level: 'warning' };
    }
    throw error instanceof RunError ? error : lastJobNotKnown(error.message, error);
  });
  if (target.kind === 'append') {
    const { name, jobId } = target.appended;
    const job = quote(runner.clean(jobId));
    runner.info(`Pull request ${quote(name)} of agent job ${job} is open. The prompt goes to it.`);
  } else if (target.kind === 'create') {
    const sentence = `${target.why} A new agent job ${inputs.dryRun ? 'would be' : 'is'} created.`;
    if (target.level === 'notice' || target.level === 'warning') {
      runner.annotate(target.level, 'Docs agent: pull request', sentence);
    } else runner.info(sentence);
  }
  return target;
}

/** Waits for the last agent job of this step. Returns whether to go on: `false` if it is at work. */
async function waitForLast(
  { api, earlier, inputs, effects }: SendingContext,
  { id, messagedAt }: { readonly id: string; readonly messagedAt: number | undefined },
  limitMs: number,
): Promise<boolean> {
  if (api === undefined) return false;
  const { pollIntervalMs } = inputs;
  const { agentJobs } = await earlier();
  const waited = await waitForEarlier(api, { id, messagedAt, limitMs, pollIntervalMs }, effects);
  switch (waited.kind) {
    case 'still-at-work':
      return false;
    case 'unreadable':
      // What one more read gives decides, also under a named start.
      agentJobs.forget(id);
      return true;
    case 'forgotten':
      agentJobs.learn(id, undefined);
      return true;
    case 'ended':
      agentJobs.learn(id, waited);
      return true;
  }
}
