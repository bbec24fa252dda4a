import { GitHubError } from '../github/errors.ts';
import { RunError } from '../model/run-error.ts';

/** What may help when the work of other runs is unknown. */
export interface Remedy {
  /** The problem may go away by itself. */
  readonly isTemporary?: boolean;
  /** When another attempt may succeed. Follows `press "Re-run failed jobs"`. */
  readonly again?: string;
  /** What else a person can do, as a sentence without a trailing period. */
  readonly advice?: string;
}

/** Why the work of other runs is unknown. The message follows `because`. */
export class HistoryNotKnown extends Error {
  readonly remedy: Remedy;

  constructor(reason: string, remedy: Remedy = {}) {
    super(reason);
    this.remedy = remedy;
  }
}

/** Whether an error means that what earlier runs did is unknown. */
export const isHistoryError = (error: unknown): error is Error =>
  error instanceof HistoryNotKnown || error instanceof GitHubError || error instanceof RunError;

/** A ruleset brings in the workflow from another repository, where GitHub lists its runs. */
export class WorkflowElsewhere extends HistoryNotKnown {}
