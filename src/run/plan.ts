/** What a run with a prompt is about, and which ledger it keeps. Pure, from inputs and event. */
import { type ChangingSubject, subjectOf } from '../changes/starts.ts';
import type { RunFacts } from '../github/event.ts';
import type { Inputs } from '../inputs.ts';
import { type LedgerScope, ledgerRef } from '../ledger/state.ts';

/** `subject` is what the changes are about. `undefined` for a prompt without changes. */
export interface Plan {
  readonly kind: 'prompt';
  readonly subject: ChangingSubject | undefined;
  readonly ledger: { readonly scope: LedgerScope; readonly ref: string } | undefined;
}

/** Throws a `StepError` for an event that cannot be used. */
export function planOf(inputs: Inputs, facts: RunFacts) {
  const { sendsChanges, since, matrix, codePullRequest } = inputs;
  const appends = inputs.pullRequest === 'append';
  const alone: Plan = { kind: 'prompt', subject: undefined, ledger: undefined };
  if (!sendsChanges && !appends) return alone;
  const subject = subjectOf(facts, codePullRequest);
  if (subject.kind === 'nothing') return subject;
  const plan: Plan = sendsChanges ? { ...alone, subject } : alone;
  if (since === 'event' && !appends) return plan;
  const [scope, ...name] = ledgerOf(subject, appends);
  const ref = ledgerRef({ ...facts, matrix }, [scope, ...name]);
  return { ...plan, ledger: { scope, ref } };
}

function ledgerOf(
  subject: ChangingSubject,
  appends: boolean,
): readonly [scope: LedgerScope, ...name: string[]] {
  switch (subject.kind) {
    case 'branch':
      return ['heads', subject.branch];
    case 'pull':
      return ['pull', String(subject.number)];
    case 'tag':
      return appends ? ['tags'] : ['tag', subject.tag];
  }
}
