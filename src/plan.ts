/** What a run with a prompt is about, and which ledger it keeps. Pure, from inputs and event. */
import { type ChangingSubject, type Subject, subjectOf } from './changes/starts.ts';
import type { RunFacts } from './github/event.ts';
import type { Inputs } from './inputs.ts';
import { type LedgerScope, ledgerRef } from './ledger/state.ts';

export interface Plan {
  readonly kind: 'run';
  /** The branch, tag or pull request whose changes are sent. `undefined` for a prompt alone. */
  readonly subject: ChangingSubject | undefined;
  readonly ledger: { readonly scope: LedgerScope; readonly ref: string };
  /** Whether the ledger says what was sent. With `since: event` alone it only serves re-runs. */
  readonly tracksChanges: boolean;
}

/** Returns a reason if nothing is sent for this event. Throws a `StepError` for an unusable event. */
export function planOf(inputs: Inputs, facts: RunFacts): Plan | Exclude<Subject, ChangingSubject> {
  const { sendsChanges, since, matrix } = inputs;
  const isAppending = inputs.pullRequest === 'append';
  const subject = sendsChanges || isAppending ? subjectOf(facts) : undefined;
  if (subject?.kind === 'nothing') return subject;
  const tracksChanges = sendsChanges && (since !== 'event' || isAppending);
  const [scope, ...name] = ledgerOf(tracksChanges || isAppending ? subject : undefined);
  return {
    kind: 'run',
    subject: sendsChanges ? subject : undefined,
    ledger: { scope, ref: ledgerRef({ ...facts, matrix }, [scope, ...name]) },
    tracksChanges,
  };
}

function ledgerOf(subject: ChangingSubject | undefined): readonly [LedgerScope, ...string[]] {
  switch (subject?.kind) {
    case 'branch':
      return ['heads', subject.branch];
    case 'pull':
      return ['pull', String(subject.number)];
    case 'tag':
      return ['tags'];
    case undefined:
      return ['prompts'];
  }
}
