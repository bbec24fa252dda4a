/** Sends the prompt, unless nothing needs to be documented. */
import type { Sending } from '../history/sending.ts';
import type { Target } from '../history/target.ts';
import type { VerdictQuery } from '../history/verdict.ts';
import type { Known } from '../report/ending.ts';
import { call, callsOf } from './call.ts';
import { composed, findAfterWait, findForPrompt, withFound } from './changes.ts';
import type { SendingContext, Story } from './context.ts';
import { checkKey, dryRun } from './follow.ts';

/** Finds the changes and where the prompt goes, and sends it, unless nothing relevant has changed. */
export async function* send(
  context: SendingContext,
  before: Known,
  verdict: Sending,
  query: VerdictQuery | undefined,
): Story {
  const { inputs, effects, task } = context;
  const { clock, signal } = effects;
  let sending = verdict;
  let found = await findForPrompt(context, sending);
  let { known, plan } = withFound(context, before, sending, found);
  yield known;
  if (found?.skipReason !== undefined) {
    const record = known.record && { ...known.record, what: { kind: 'none' } as const };
    if (inputs.dryRun) await checkKey(context);
    yield { ...known, record, ending: { kind: 'skipped', reason: found.skipReason } };
    return;
  }
  let target: Target | undefined;
  if (query !== undefined && inputs.pullRequest === 'append') {
    const { chooseTarget } = await import('./target.ts');
    const chosen = await chooseTarget(context, query, sending);
    if (chosen.kind === 'still-at-work') {
      const { lastId, limitMs } = chosen;
      yield { ...known, ending: { kind: 'last-at-work', lastId, limitMs } };
      return;
    }
    target = chosen.target;
    if (found !== undefined && chosen.sending !== sending) {
      found = await findAfterWait(context, found, sending, chosen.sending);
      sending = chosen.sending;
      ({ known, plan } = withFound(context, before, sending, found));
      yield known;
    }
  }
  const { changes, ...texts } = await composed(context, found, target, known.isNextRunLooking);
  const calls = callsOf(task, texts, target);
  known = {
    ...known,
    changes,
    prompt: calls[0].prompt,
    appendedTo: target?.kind === 'append' ? target.appended.name : undefined,
    whyNew: target?.kind === 'create' && target.level !== 'none' ? target.why : undefined,
  };
  yield known;
  // Node handles no signal while it reads a large response. A cancel from then counts now.
  if (found !== undefined) await clock.handleSignals();
  signal.throwIfAborted();
  const { api } = context;
  if (inputs.dryRun || api === undefined) {
    yield* dryRun(context, known);
    return;
  }
  yield* call({ ...context, api }, known, calls, { record: plan, laterRuns: sending.laterRuns });
}
