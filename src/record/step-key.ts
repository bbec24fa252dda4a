import { createHash } from 'node:crypto';
import type { RunFacts } from '../model/run-facts.ts';

export interface KeyedStep {
  /** What the step does with an agent job. */
  readonly kind: 'create' | 'message' | 'follow';
  /** The input of the same name. */
  readonly workflowJob: string;
  /** The number of the event's pull request, because each pull request has its own history. */
  readonly pullNumber: number | undefined;
}

/**
 * Identifies the records of this step: the first 64 bits of a SHA-256 over JSON, which keeps the
 * values apart.
 */
export function stepKey(
  { kind, workflowJob, pullNumber }: KeyedStep,
  { workflowJobKey, step }: Pick<RunFacts, 'workflowJobKey' | 'step'>,
): string {
  const pull = pullNumber === undefined ? [] : [pullNumber];
  const values = JSON.stringify([
    kind,
    workflowJobKey,
    parseWorkflowJob(workflowJob).matrix,
    step,
    ...pull,
  ]);
  return createHash('sha256').update(values).digest('hex').slice(0, 16);
}

/**
 * Parses `<check_run_id> <matrix as JSON>`. Either part may be missing, and `null` means no matrix.
 */
export function parseWorkflowJob(text: string) {
  const [, digits, rest = ''] = /^\s*(\d+(?=\s|$))?(.*)$/s.exec(text) ?? [];
  const id = Number(digits);
  const matrix = rest.trim().replace(/^null$/, '');
  return { id: Number.isSafeInteger(id) && id > 0 ? id : undefined, matrix };
}
