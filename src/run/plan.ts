/** What a run with a prompt is about, and which ledger it keeps. Pure, from inputs and event. */
import { type ChangingSubject, type Subject, subjectOf } from '../changes/starts.ts';
import type { RunFacts } from '../github/event.ts';
import type { Inputs } from '../inputs.ts';
import { type LedgerScope, ledgerRef } from '../ledger/state.ts';

/** `subject` is what the changes are about. `undefined` for a prompt without changes. */
export interface PlanWithLedger {
  readonly kind: 'with-ledger';
  readonly subject: ChangingSubject | undefined;
  readonly ledger: { readonly scope: LedgerScope; readonly ref: string };
  /** The branch whose newest commit the ledger's rules need. */
  readonly branch: string | undefined;
}

export interface PlanWithoutLedger {
  readonly kind: 'without-ledger';
  readonly subject: ChangingSubject | undefined;
}

/** Throws a `StepError` for an event that cannot be used. */
export function planOf(
  inputs: Inputs,
  facts: RunFacts,
): PlanWithLedger | PlanWithoutLedger | Exclude<Subject, ChangingSubject> {
  const { sendsChanges, since, matrix, codePullRequest } = inputs;
  const appends = inputs.pullRequest === 'append';
  if (!sendsChanges && !appends) return { kind: 'without-ledger', subject: undefined };
  const about = subjectOf(facts, codePullRequest);
  if (about.kind === 'nothing') return about;
  const subject = sendsChanges ? about : undefined;
  if (since === 'event' && !appends) return { kind: 'without-ledger', subject };
  const [scope, ...name] = ledgerOf(about, appends);
  const ref = ledgerRef({ ...facts, matrix }, [scope, ...name]);
  const branch = subject?.kind === 'branch' ? subject.branch : undefined;
  return { kind: 'with-ledger', subject, ledger: { scope, ref }, branch };
}

function ledgerOf(
  about: ChangingSubject,
  appends: boolean,
): readonly [scope: LedgerScope, ...name: string[]] {
  switch (about.kind) {
    case 'branch':
      return ['heads', about.branch];
    case 'pull':
      return ['pull', String(about.number)];
    case 'tag':
      return appends ? ['tags'] : ['tag', about.tag];
  }
}
