/** What may help where it cannot be known what other runs did. */
export interface Remedy {
  /** It may be known later. */
  readonly isPassing?: boolean;
  /** When another attempt may get further. Goes on after `press "Re-run failed jobs"`. */
  readonly again?: string;
  /** What else a person may do. A sentence without its full stop. */
  readonly advice?: string;
}

/** Why it cannot be known what other runs did. The message goes on after `because`. */
export class RunsNotKnown extends Error {
  readonly remedy: Remedy;

  constructor(reason: string, remedy: Remedy = {}) {
    super(reason);
    this.remedy = remedy;
  }
}

/** A ruleset brings the workflow from another repository, where GitHub lists its runs. */
export class WorkflowElsewhere extends RunsNotKnown {}
