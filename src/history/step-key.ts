import { createHash } from 'node:crypto';
import type { RunFacts } from '../model/run-facts.ts';

export interface KeyedStep {
  /** What the step does with an agent job. */
  readonly kind: 'create' | 'message' | 'follow';
  /** The input of this name. */
  readonly workflowJob: string;
  /** The number of the pull request that the event is about: each has a history of its own. */
  readonly pullNumber: number | undefined;
}

/**
 * What tells the records of this step from those of others: the first 64 bits of a SHA-256, over JSON,
 * which keeps the values apart.
 */
export function stepKey(
  { kind, workflowJob, pullNumber }: KeyedStep,
  { job, step }: Pick<RunFacts, 'job' | 'step'>,
): string {
  const pull = pullNumber === undefined ? [] : [pullNumber];
  const values = JSON.stringify([kind, job, parseWorkflowJob(workflowJob).matrix, step, ...pull]);
  return createHash('sha256').update(values).digest('hex').slice(0, 16);
}

/** Reads `<check_run_id> <matrix as JSON>`. Either part may be missing, and `null` is no matrix. */
export function parseWorkflowJob(text: string) {
  const [, digits, rest = ''] = /^\s*(\d+(?=\s|$))?(.*)$/s.exec(text) ?? [];
  const id = Number(digits);
  const matrix = rest.trim().replace(/^null$/, '');
  return { id: Number.isSafeInteger(id) && id > 0 ? id : undefined, matrix };
}
