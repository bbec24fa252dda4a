import { createHash } from 'node:crypto';
import type { Identity } from '../model/record.ts';
import type { RunFacts } from '../model/run-facts.ts';

/** What the inputs ask for, as far as it tells a step and its prompt from others. */
export interface StepInputs {
  readonly task: {
    readonly kind: 'create' | 'message';
    readonly instruction: string;
    readonly jobId?: string;
  };
  readonly projectId: string;
  readonly changes: string;
  readonly paths: readonly string[];
  readonly skip: readonly string[];
  readonly since: string;
  /** The input of this name. */
  readonly workflowJob: string;
}

/** The first 64 bits of the SHA-256 of the values as JSON, which keeps them apart. */
export function hashOf(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);
}

/** What tells the records of this step from those of others. */
export function identityOf(
  { task, projectId, changes, paths, skip, since, workflowJob }: StepInputs,
  facts: Pick<RunFacts, 'job' | 'step'>,
): Identity {
  const { matrix } = parseWorkflowJob(workflowJob);
  return {
    key: hashOf([task.kind, projectId, facts.job, matrix, facts.step]),
    inputs: hashOf([task.instruction, changes, paths, skip, since, task.jobId ?? null]),
  };
}

/** Reads `<check_run_id> <matrix as JSON>`. Either part may be missing, and `null` is no matrix. */
export function parseWorkflowJob(text: string) {
  const [, digits, rest = ''] = /^\s*(\d+(?=\s|$))?(.*)$/s.exec(text) ?? [];
  const id = Number(digits);
  const matrix = rest.trim().replace(/^null$/, '');
  return { id: Number.isSafeInteger(id) && id > 0 ? id : undefined, matrix };
}
