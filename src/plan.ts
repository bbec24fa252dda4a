/** What a run with a prompt is about, and which ledger it keeps. Pure, from inputs and event. */
import { type Subject, subjectOf } from './changes/subject.ts';
import type { RunFacts } from './github/event.ts';
import type { Inputs } from './inputs.ts';
import type { LedgerScope } from './ledger/name.ts';

/** A branch, a tag, or a pull request. */
type ChangingSubject = Exclude<Subject, { kind: 'nothing' }>;

export type Plan =
  /** The prompt goes out alone. */
  | { readonly kind: 'prompt'; readonly scope: LedgerScope }
  /** The run is about changes. */
  | {
      readonly kind: 'changes';
      readonly scope: LedgerScope;
      readonly subject: ChangingSubject;
      /** Whether the ledger says what was sent. With `since: event` alone it only serves re-runs. */
      readonly isTracked: boolean;
    };

/** Returns a reason if nothing is sent for this event. Throws a `StepError` for an unusable event. */
export function planOf(
  { sendsChanges, since, pullRequest }: Inputs,
  facts: RunFacts,
): Plan | Extract<Subject, { kind: 'nothing' }> {
  const isAppending = pullRequest === 'append';
  if (!sendsChanges && !isAppending) return { kind: 'prompt', scope: { kind: 'prompts' } };
  const subject = subjectOf(facts);
  if (subject.kind === 'nothing') return subject;
  if (!sendsChanges) return { kind: 'prompt', scope: scopeOf(subject) };
  const isTracked = since !== 'event' || isAppending;
  const scope = isTracked ? scopeOf(subject) : ({ kind: 'prompts' } as const);
  return { kind: 'changes', scope, subject, isTracked };
}

function scopeOf(subject: ChangingSubject): LedgerScope {
  switch (subject.kind) {
    case 'branch':
      return { kind: 'branch', branch: subject.branch };
    case 'pull':
      return { kind: 'pull', number: subject.number };
    case 'tag':
      return { kind: 'tags' };
  }
}
