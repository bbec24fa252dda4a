/** What a run with a prompt is about, and which ledger it keeps. Pure, from inputs and event. */
import { createHash } from 'node:crypto';
import { type ChangingSubject, subjectOf } from '../changes/starts.ts';
import type { RunFacts } from '../github/event.ts';
import type { Inputs } from '../inputs.ts';
import type { LedgerScope } from '../ledger/state.ts';

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
  return { ...plan, ledger: { scope, ref: ledgerRef(facts, matrix, [scope, ...name]) } };
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

/** GitHub refuses refs over 255 bytes (GH005). Six parts, their slashes and `refs/docs-agent` fit. */
const MAX_PART_BYTES = 40;
const HASH_LENGTH = 16;

const hashOf = (text: string, length: number) =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/** Percent-encodes all but letters, digits, `_` and `-`: `a` and `a/b` could not both be refs. */
function encodePart(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replace(
    /[.!~*'()]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (encoded.length <= MAX_PART_BYTES) return encoded;
  const beginning = encoded.slice(0, MAX_PART_BYTES - HASH_LENGTH - 1).replace(/%.?$/, '');
  return `${beginning}+${hashOf(text, HASH_LENGTH)}`;
}

/** `refs/docs-agent/<workflow file>/<workflow job>/<step>[/<hash of the matrix>]/<what>` */
export function ledgerRef(
  { workflowFile, workflowJob, step }: Pick<RunFacts, 'workflowFile' | 'workflowJob' | 'step'>,
  matrix: string,
  what: readonly string[],
): string {
  const leg = ['', 'null', '{}'].includes(matrix) ? [] : [hashOf(matrix, 12)];
  const names = [workflowFile, workflowJob, step, ...leg, ...what];
  return `refs/docs-agent/${names.map(encodePart).join('/')}`;
}
