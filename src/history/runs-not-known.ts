/** Why it cannot be known what other runs did: a sentence without its full stop. */
export class RunsNotKnown extends Error {
  /** It may be known later. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing = false) {
    super(message);
    this.isPassing = isPassing;
  }
}

/** A ruleset brings the workflow from another repository, where GitHub lists its runs. */
export class WorkflowElsewhere extends RunsNotKnown {}
