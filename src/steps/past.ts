/** What came before: earlier attempts and runs of this step. */

import type { WorkflowEvent } from '../github/github.ts';
import { identityOf } from '../history/identity.ts';
import { earlyPlan, type RecordPlan, recordOf } from '../history/plan.ts';
import { NOTHING_EARLIER } from '../history/sending.ts';
import type { Verdict, VerdictQuery } from '../history/verdict.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { CHANGES_NOT_FOUND, GitHubError, RunError } from '../model/errors.ts';
import type { RunFacts } from '../model/run-facts.ts';
import { type RunEffects, readsChanges, type SendingContext } from './context.ts';

/** The plan of the record before anything was asked. `undefined` for a run that only follows. */
export async function earlyPlanOf(
  inputs: Inputs,
  facts: RunFacts,
  { readEvent }: RunEffects,
  isIncomplete = false,
) {
  const { task } = inputs;
  if (task.kind === 'follow') return undefined;
  const identity = identityOf({ ...inputs, task }, facts);
  // Of inputs that cannot be used, `since` may be missing.
  if (inputs.since === 'auto' && !isIncomplete) return earlyPlan(identity, undefined);
  const { beginOf } = await import('../changes/find/event.ts');
  return earlyPlan(identity, beginOf(readEvent));
}

export const todoOf = ({ dryRun }: Inputs, early: RecordPlan | undefined) =>
  early === undefined || dryRun ? undefined : recordOf(early, { kind: 'todo' });

/** What a run works with that has looked back. */
export interface LookedBack {
  readonly verdict: Verdict;
  /** Missing where nothing was asked. */
  readonly query: VerdictQuery | undefined;
}

/** What earlier attempts and runs say, if this run has to know. Throws as `readVerdict` does. */
export async function lookBack(context: SendingContext): Promise<LookedBack> {
  const { inputs, facts, effects, github, task, early } = context;
  const where = await whereChangesStart(context);
  const isFirst = !(facts.attempt > 1);
  const isPastNeeded = where.startsBy === 'runs' || inputs.pullRequest === 'append';
  if (isFirst && !isPastNeeded) return { verdict: NOTHING_EARLIER, query: undefined };
  const { clock, runner, signal } = effects;
  const pause = async (ms: number) => {
    await clock.sleep(ms, signal);
    signal.throwIfAborted();
  };
  const { agentJobs } = await context.earlier();
  const query: VerdictQuery = {
    facts,
    github,
    runner,
    judge: agentJobs.judge,
    asked: { ...inputs, task },
    identity: early.identity,
    ...where,
    time: { now: () => clock.now(), date: () => clock.date(), pause },
  };
  const { readVerdict } = await import('../history/verdict.ts');
  return { verdict: await readVerdict(query), query };
}

/** Whether earlier runs say where the changes start, and the commit at which they end. */
async function whereChangesStart({ inputs, effects }: SendingContext) {
  const { since } = inputs;
  if (!readsChanges(inputs)) return { startsBy: 'other', head: '' } as const;
  if (since !== 'auto' && since !== 'last-success') return { startsBy: 'named', head: '' } as const;
  const { rangeOf } = await import('../changes/find/event.ts');
  const { kind, head } = rangeOf(readEvent(effects));
  const isFromRuns = since === 'last-success' || kind === 'none';
  return { startsBy: isFromRuns ? 'runs' : 'other', head } as const;
}

function readEvent(effects: RunEffects): WorkflowEvent {
  try {
    return effects.readEvent();
  } catch (cause) {
    if (!(cause instanceof GitHubError)) throw cause;
    const message = `${cause.message}. No prompt was sent.`;
    throw new RunError(CHANGES_NOT_FOUND, message, { cause });
  }
}
