/** What every step of a run works with. */
import type { AgentApi } from '../agent/api.ts';
import type { Effects, Runner } from '../effects/effects.ts';
import type { GitHub, GitHubAccess, WorkflowEvent } from '../github/github.ts';
import { lineOf, RECORD_TITLE } from '../history/record-line.ts';
import type { Inputs, SendingTask } from '../inputs/inputs.ts';
import type { RecordBody, StepRecord } from '../model/record.ts';
import type { RunFacts } from '../model/run-facts.ts';
import type { Known } from '../report/ending.ts';

/** Everything that a run does outside its own memory. */
export interface RunEffects extends Effects {
  /** It is called only when GitHub's API is needed. */
  readonly openGitHub: (access: GitHubAccess) => Promise<GitHub>;
  /** Throws a `GitHubError` when the event's file cannot be read. */
  readonly readEvent: () => WorkflowEvent;
}

/**
 * Adds to what is known of the run. A step calls it as soon as it knows something, so that an error
 * after it ends the run with all that is known.
 */
export type Tell = (learned: Partial<Known>) => void;

/** What every step of a run works with. */
export interface RunContext {
  readonly inputs: Inputs;
  readonly facts: RunFacts;
  readonly effects: RunEffects;
  /** Missing without a key, which only a dry run may lack. */
  readonly api: AgentApi | undefined;
  /** On the clock's scale, in ms. */
  readonly deadline: number;
  /** Opens GitHub's API when it is first needed. */
  readonly github: () => Promise<GitHub>;
  readonly tell: Tell;
}

/** A run that sends a prompt, unless an earlier attempt or a newer run has. */
export interface SendingContext extends RunContext {
  readonly task: SendingTask;
  /** Its record before its changes are known. */
  readonly early: RecordBody;
  /** It leaves a record even if it sends nothing, because later runs look for that. */
  readonly isAlwaysRecorded: boolean;
}

/** No dry run, so that it has a key. */
export type Calling<C extends RunContext> = C & { readonly api: AgentApi };

export const isCalling = <C extends RunContext>(context: C): context is Calling<C> =>
  context.api !== undefined && !context.inputs.dryRun;

export const readsChanges = ({ changes, paths }: Inputs) => changes !== 'none' || paths.length > 0;

export function setJobId(id: string, runner: Runner): void {
  try {
    runner.setOutput('jobId', id);
  } catch {
    // The report writes it again, and says so if that fails as well.
  }
}

/** Leaves the record where later attempts and runs read it. */
export const writeRecord = (record: StepRecord, runner: Runner) =>
  runner.annotate('notice', RECORD_TITLE, lineOf(record));
