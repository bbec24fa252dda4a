/** The changes, and the prompt that tells them. */
import type { Changes } from '../changes/find/found.ts';
import type { ComposedPrompt } from '../changes/write/prompt.ts';
import { planOf, type RecordPlan, recordOf } from '../history/plan.ts';
import type { Sending } from '../history/sending.ts';
import type { Target } from '../history/target.ts';
import type { ChangesOverview, SkipReason } from '../model/changes.ts';
import type { Known } from '../report/ending.ts';
import { readsChanges, type SendingContext, tell } from './context.ts';

export interface FoundChanges {
  readonly changes: Changes;
  /** Why nothing has to be sent. */
  readonly skipReason: SkipReason | undefined;
  readonly overview: ChangesOverview;
}

/** `undefined` when neither `changes` nor `paths` is used. */
export async function findForPrompt(
  { inputs, effects, github, pause }: SendingContext,
  { start, laterRuns }: Sending,
): Promise<FoundChanges | undefined> {
  if (!readsChanges(inputs)) return undefined;
  const { findChanges, skipReason } = await import('../changes/find/changes.ts');
  const { tellChanges } = await import('../changes/write/prompt.ts');
  const { since, paths, skip, dryRun } = inputs;
  const isNextRunLooking = laterRuns === 'next';
  const query = { github, start, isNextRunLooking, since, paths, skip, pause };
  const changes = await findChanges(query);
  const reason = skipReason(changes);
  const { clean } = effects.runner;
  const told = { paths, skip, since, dryRun, skipReason: reason, start, clean };
  const { overview, news } = tellChanges(changes, told);
  tell(news, effects.runner);
  return { changes, skipReason: reason, overview };
}

/** The changes once the last agent job has ended: they are looked for again only if they start earlier. */
export async function findAfterWait(
  context: SendingContext,
  found: FoundChanges,
  before: Sending,
  now: Sending,
): Promise<FoundChanges | undefined> {
  const { start } = now;
  if (start?.kind !== 'from') return found;
  if (before.start?.kind !== 'from' || before.start.sha !== start.sha) {
    return findForPrompt(context, now);
  }
  const { changes } = found;
  if (changes.kind !== 'known') return found;
  return { ...found, changes: { ...changes, earlier: start.earlier } };
}

/** What is known once the changes were found, and the plan of a record in which they are this run's part. */
export function withFound(
  { inputs, early }: SendingContext,
  before: Known,
  sending: Sending,
  found: FoundChanges | undefined,
): { readonly known: Known; readonly plan: RecordPlan } {
  const overview = found?.overview;
  const isSent = overview?.kind === 'known' && found?.skipReason === undefined;
  // With `changes: none` they only decide whether the prompt is sent.
  const isTold = isSent && inputs.changes !== 'none';
  const plan = planOf(early, sending, found?.changes.range, isTold ? overview.sourcePulls : []);
  const known: Known = {
    ...before,
    changes: overview,
    // As many as a re-run can put out.
    sourcePulls: plan.part.pulls,
    record: inputs.dryRun ? undefined : recordOf(plan, { kind: 'todo' }),
    isNextRunLooking: sending.laterRuns === 'next' && plan.part.from !== undefined,
  };
  return { known, plan };
}

/** What is sent: the instruction alone where `changes` and `paths` are not used. */
export async function composed(
  { inputs, effects, github, pause, task }: SendingContext,
  found: FoundChanges | undefined,
  target: Target | undefined,
  isNextRunLooking: boolean,
): Promise<Pick<ComposedPrompt, 'prompt' | 'message'> & Pick<Known, 'changes'>> {
  const { instruction } = task;
  if (found === undefined) return { prompt: instruction, message: instruction, changes: undefined };
  const { composePrompt } = await import('../changes/write/prompt.ts');
  const { clock, runner } = effects;
  const { prompt, message, overview, news } = await composePrompt(
    instruction,
    found.changes,
    found,
    {
      changes: inputs.changes,
      clock,
      clean: runner.clean,
      github,
      isNextRunLooking,
      addTo: target?.kind === 'append' ? target.appended : undefined,
      pause,
    },
  );
  tell(news, runner);
  return { prompt, message, changes: overview };
}
