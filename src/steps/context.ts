/** What every step of a run works with. */
import type { AgentApi } from '../agent/api.ts';
import type { News } from '../changes/write/prompt.ts';
import type { Effects, Runner } from '../effects/effects.ts';
import type { GitHub, GitHubAccess, WorkflowEvent } from '../github/github.ts';
import type { AgentJobs } from '../history/judge.ts';
import type { RecordPlan } from '../history/plan.ts';
import type { Pulls } from '../history/pulls.ts';
import { lineOf, RECORD_TITLE } from '../history/record-line.ts';
import type { Inputs, SendingTask } from '../inputs/inputs.ts';
import type { StepRecord } from '../model/record.ts';
import type { RunFacts } from '../model/run-facts.ts';
import type { Known } from '../report/ending.ts';

/** Everything that a run does outside its own memory. */
export interface RunEffects extends Effects {
  /** Loads the client of GitHub's API. It is called only when that is needed. */
  readonly openGitHub: (access: GitHubAccess) => Promise<GitHub>;
  /** Throws a `GitHubError` when the event's file cannot be read. */
  readonly readEvent: () => WorkflowEvent;
}

/**
 * The run, step by step. Each value is what is known by then, so that an error in the next step ends
 * the run with all of it. The last one has an ending.
 */
export type Story = AsyncGenerator<Known, void, void>;

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
  /** What this run knows of pull requests and of earlier agent jobs, loaded when it is first needed. */
  readonly earlier: () => Promise<Earlier>;
  /** To call often during long work: lets signals through, and throws when the step has to end. */
  readonly pause: () => Promise<void>;
}

/** A run that sends a prompt, unless an earlier attempt or a newer run has. */
export interface SendingContext extends RunContext {
  readonly task: SendingTask;
  /** The plan of its record before its changes are known. */
  readonly early: RecordPlan;
}

/** No dry run: it has a key. */
export type Calling<C extends RunContext> = C & { readonly api: AgentApi };

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

export function tell({ log, warnings }: News, runner: Runner): void {
  for (const line of log) runner.info(line);
  for (const { title, message } of warnings) runner.annotate('warning', title, message);
}

export interface Earlier {
  readonly pulls: Pulls;
  readonly agentJobs: AgentJobs;
}
