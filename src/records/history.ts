import type { GitHub, WorkflowJob } from '../github/github.ts';
import type { CoveredRange } from '../lib/changes-overview.ts';
import { GitHubError, RunError, tokenAdvice } from '../lib/errors.ts';
import type { RunFacts } from '../lib/run-facts.ts';
import { type EarlierAttempt, findEarlierAttempt } from './attempts.ts';
import { type Coverage, findCoverage, partOf, type ReadJob } from './coverage.ts';
import {
  type Call,
  fitsAnnotation,
  hashOfInputs,
  hashOfPaths,
  hasRoomForJob,
  keyOf,
  type Notice,
  noticeOf,
  type PromptInputs,
  type Recorded,
  type StepRecord,
} from './record.ts';
import { findThisJob, parseWorkflowJob } from './workflow-job.ts';

export interface HistoryAccess {
  readonly call: Call;
  readonly facts: RunFacts;
  readonly projectId: string;
  readonly prompt: PromptInputs;
  /** The input of that name. */
  readonly workflowJob: string;
  /** Opens GitHub's API, once a run. */
  readonly github: () => Promise<GitHub>;
  /** `undefined` in a dry run without a key. */
  readonly readJob: ReadJob | undefined;
}

/** An earlier attempt, or that this token may not look for one. */
export type LookBack =
  | Exclude<EarlierAttempt, { kind: 'stop' }>
  | { readonly kind: 'may-not-look'; readonly message: string };

/** What earlier attempts and runs of this step have left behind, and what this run leaves. */
export class History {
  readonly #access: HistoryAccess;
  readonly #key: string;
  readonly #inputs: string;
  readonly #pathsHash: string;
  #job: Promise<WorkflowJob> | undefined;
  #coverage: Exclude<Coverage, { kind: 'newer' }> | undefined;
  #part: Pick<StepRecord, 'from' | 'to' | 'open'> = { open: [] };
  #range: CoveredRange | undefined;

  constructor(access: HistoryAccess) {
    const { call, facts, projectId, prompt, workflowJob } = access;
    const { matrix } = parseWorkflowJob(workflowJob);
    this.#access = access;
    this.#key = keyOf({ call, projectId, job: facts.job, matrix, step: facts.step });
    this.#inputs = hashOfInputs(prompt);
    this.#pathsHash = hashOfPaths(prompt.paths);
  }

  /**
   * What an earlier attempt of this workflow run says about this one. Throws a `RunError` when that
   * is in doubt: then nothing may be sent. If an agent job may exist, `onAsked` is called first.
   */
  async lookBack(onAsked: () => void): Promise<LookBack> {
    const { facts, prompt, github } = this.#access;
    const { attempt, isComposite } = facts;
    let found: EarlierAttempt;
    try {
      const [key, inputs, messagedJobId] = [this.#key, this.#inputs, prompt.jobId];
      const query = { attempt, isComposite, key, inputs, messagedJobId };
      found = await findEarlierAttempt(await github(), {
        ...query,
        thisJob: await this.#thisJob(),
      });
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      const advice = tokenAdvice(error, '`actions: read` and `checks: read`');
      if (advice !== undefined && error.kind !== 'bad-token') {
        return { kind: 'may-not-look', message: `${error.message}. ${advice}` };
      }
      throw notLookedUp(`${error.message}.`, error);
    }
    if (found.kind !== 'stop') return found;
    onAsked();
    throw mayExist(found);
  }

  /** What earlier runs have covered. Throws a `RunError` when that cannot be known. */
  async lastCovered(warn: (message: string) => void): Promise<Coverage> {
    const { facts, github, readJob } = this.#access;
    const query = {
      thisJob: await this.#thisJob(),
      repository: facts.repository ?? '',
      attempt: facts.attempt,
      isComposite: facts.isComposite,
      key: this.#key,
      pathsHash: this.#pathsHash,
    };
    const coverage = await findCoverage(await github(), query, readJob);
    if (coverage.kind === 'newer') return coverage;
    this.#coverage = coverage;
    for (const warning of coverage.warnings) warn(warning);
    return coverage;
  }

  /** The changes that are this step's part. `undefined` when the event says it. */
  setRange(range: CoveredRange | undefined): void {
    this.#range = range;
  }

  /** The part of a step whose agent job is followed stays what it was. */
  setPartOf({ from, to, open }: StepRecord): void {
    this.#part = { from, to, open };
  }

  /** Throws a `RunError` when the record would be too long to be kept. */
  checkRoom(): void {
    if (hasRoomForJob(this.#record({ kind: 'unknown' }))) return;
    throw new RunError(
      'What earlier runs covered is not known',
      'Too many of their agent jobs are still running for the record that the next run needs. No prompt was sent. Run this again when some of them have ended.',
    );
  }

  /** The notice that later attempts and runs read. It begins with a sentence for people. */
  noticeOf(what: Recorded | 'none', sentence: string): Notice & { readonly isKept: boolean } {
    const recorded = what === 'none' ? { kind: what, pathsHash: this.#pathsHash } : what;
    const notice = noticeOf(this.#record(recorded), sentence, this.#access.call);
    return { ...notice, isKept: fitsAnnotation(notice) };
  }

  #record(what: Recorded): StepRecord {
    const part = this.#range === undefined ? this.#part : partOf(this.#coverage, this.#range, what);
    return { what, key: this.#key, inputs: this.#inputs, ...part };
  }

  /** The workflow job that runs this step, asked for once. */
  #thisJob(): Promise<WorkflowJob> {
    this.#job ??= this.#findThisJob();
    return this.#job;
  }

  async #findThisJob(): Promise<WorkflowJob> {
    const { facts, workflowJob, github } = this.#access;
    const { id } = parseWorkflowJob(workflowJob);
    const { runId, attempt, runnerName } = facts;
    const found = await findThisJob(await github(), { id, runId, attempt, runnerName });
    if (found.kind === 'known') return found.job;
    const message = `It is not known which workflow job runs this step, so what it did before cannot be looked up. ${found.reason}. Nothing was sent. Run this again, or start a new run.`;
    throw new RunError('The workflow job is not known', message);
  }
}

function notLookedUp(why: string, cause: unknown): RunError {
  const message = `An earlier attempt may have an agent job, and this attempt could not find out. ${why} Nothing was sent. Press "Re-run failed jobs" again.`;
  return new RunError('A re-run stopped: earlier attempts could not be looked up', message, {
    cause,
  });
}

function mayExist({ attempt, why }: Extract<EarlierAttempt, { kind: 'stop' }>): RunError {
  const reasons = {
    unknown: `Attempt ${attempt} may have created an agent job: the service's response to its request was lost.`,
    unreadable: `Attempt ${attempt} left a record that cannot be read, so it may have an agent job.`,
    full: `GitHub keeps 50 annotations of a workflow job. Those of attempt ${attempt} hold no record, so it may have an agent job.`,
    'other-inputs': `Attempt ${attempt} has agent jobs of another prompt, and one of them may be this step's.`,
  } as const;
  const next =
    why === 'full'
      ? 'If there is none, start a new workflow run.'
      : 'If there is none, press "Re-run failed jobs" again: that sends the prompt.';
  const where =
    'Look in the Mintlify dashboard and among the pull requests of the docs repository.';
  return new RunError(
    'A re-run stopped: an agent job may exist',
    `${reasons[why]} Nothing was sent. ${where} ${next}`,
  );
}
