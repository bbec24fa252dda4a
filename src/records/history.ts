import type { GitHub } from '../github/github.ts';
import type { AnnotationLevel } from '../lib/annotation.ts';
import type { CoveredRange, SkipReason } from '../lib/changes-overview.ts';
import { GitHubError, RunError, tokenAdvice } from '../lib/errors.ts';
import { once } from '../lib/once.ts';
import type { RunFacts } from '../lib/run-facts.ts';
import { quote } from '../lib/text.ts';
// What looks back is loaded when it is needed, so that a first attempt starts sooner.
import type { EarlierAttempt } from './attempts.ts';
import type { Coverage, ReadJob } from './coverage.ts';
import { partOf } from './part.ts';
import {
  type Call,
  fitsAnnotation,
  hashOfInputs,
  hashOfPaths,
  hasRoomForJob,
  keyOf,
  noticeOf,
  type PromptInputs,
  type Recorded,
  type StepRecord,
} from './record.ts';
import {
  findThisJob,
  type OwnWorkflowJob,
  parseWorkflowJob,
  type WorkflowJobInput,
} from './workflow-job.ts';

export interface HistoryAccess {
  readonly call: Call;
  readonly facts: RunFacts;
  readonly projectId: string;
  readonly prompt: PromptInputs;
  /** The input of that name. */
  readonly workflowJob: string;
  /** Opens GitHub's API, once a run. */
  readonly github: () => Promise<GitHub>;
  /** Without one GitHub is not asked. */
  readonly hasToken: boolean;
  /** `undefined` in a dry run without a key. */
  readonly readJob: ReadJob | undefined;
  readonly runner: HistoryRunner;
  /** Called after each record. `isKept`: GitHub keeps the whole of it. */
  readonly onRecord: (isKept: boolean) => void;
}

/** The parts of the runner that say what was found, and keep the records. */
interface HistoryRunner {
  clean(text: string): string;
  info(line: string): void;
  annotate(level: AnnotationLevel, title: string, message: string): void;
}

/** An agent job to follow. */
export type Follow = Extract<EarlierAttempt, { kind: 'follow' }>;

/** What earlier attempts and runs of this step have left behind, and what this run leaves. */
export class History {
  readonly #access: HistoryAccess;
  readonly #key: string;
  readonly #inputs: string;
  readonly #pathsHash: string;
  readonly #workflowJob: WorkflowJobInput;
  /** The workflow job that runs this step, asked for once. */
  readonly #thisJob = once(() => this.#findThisJob());
  #coverage: Exclude<Coverage, { kind: 'newer' }> | undefined;
  #part: Pick<StepRecord, 'from' | 'to' | 'open'> = { open: [] };
  #range: CoveredRange | undefined;
  #hasLookedBack = false;

  constructor(access: HistoryAccess) {
    const { call, facts, projectId, prompt, workflowJob } = access;
    this.#access = access;
    this.#workflowJob = parseWorkflowJob(workflowJob);
    const { matrix } = this.#workflowJob;
    this.#key = keyOf({ call, projectId, job: facts.job, matrix, step: facts.step });
    this.#inputs = hashOfInputs(prompt);
    this.#pathsHash = hashOfPaths(prompt.paths);
  }

  /**
   * The agent job that an earlier attempt of this workflow run left to follow. `undefined` when the
   * prompt is to be sent: the log says why. Throws a `RunError` when that is in doubt: then nothing
   * may be sent. If an agent job may exist, the record says that a person was asked.
   */
  async lookBack(): Promise<Follow | undefined> {
    const { runner, hasToken, call } = this.#access;
    try {
      if (!hasToken) throw new GitHubError('forbidden', '`githubToken` is empty');
      const found = await this.#findEarlierAttempt();
      switch (found.kind) {
        case 'follow':
          return found;
        case 'fresh':
          runner.info('No earlier attempt of this step has an agent job.');
          return undefined;
        case 'create-allowed':
          runner.info(
            `Attempt ${found.attempt} asked whether the prompt had been sent. This attempt sends it.`,
          );
          return undefined;
        case 'stop':
          this.#write({ kind: 'asked' }, ASKED);
          throw mayExist(found, call, this.#access.facts.isComposite);
      }
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      const advice = tokenAdvice(error, '`actions: read` and `checks: read`');
      const reason = advice === undefined ? error.message : `${error.message}. ${advice}`;
      if (advice === undefined || error.kind === 'bad-token') throw notAsked(reason, error);
      this.#warn(
        `Whether an earlier attempt has an agent job is not known: ${reason}. This attempt sends the prompt.`,
      );
      return undefined;
    }
  }

  async #findEarlierAttempt(): Promise<EarlierAttempt> {
    const { facts, prompt, github } = this.#access;
    const { attempt, isComposite } = facts;
    const { findEarlierAttempt } = await import('./attempts.ts');
    return findEarlierAttempt(await github(), {
      thisJob: await this.#thisJob(),
      attempt,
      isComposite,
      key: this.#key,
      inputs: this.#inputs,
      messagedJobId: prompt.jobId,
    });
  }

  /**
   * Under a `since` that a person named, the agent jobs of earlier runs that have not ended stay on
   * record too. What cannot be looked up is left out.
   */
  async #carryOver(): Promise<void> {
    try {
      const coverage = await this.#findCoverage();
      if (coverage.kind !== 'newer') this.#coverage = coverage;
    } catch (error) {
      if (!(error instanceof GitHubError || error instanceof RunError)) throw error;
    }
  }

  /** What earlier runs have covered. Throws a `RunError` when that cannot be known. */
  async lastCovered(): Promise<Coverage> {
    this.#hasLookedBack = true;
    const coverage = await this.#findCoverage();
    if (coverage.kind === 'newer') return coverage;
    this.#coverage = coverage;
    for (const warning of coverage.warnings) this.#warn(warning);
    return coverage;
  }

  async #findCoverage(): Promise<Coverage> {
    const { facts, github, readJob } = this.#access;
    const query = {
      thisJob: await this.#thisJob(),
      repository: facts.repository ?? '',
      attempt: facts.attempt,
      isComposite: facts.isComposite,
      key: this.#key,
      pathsHash: this.#pathsHash,
    };
    const { findCoverage } = await import('./coverage.ts');
    return findCoverage(await github(), query, readJob);
  }

  /**
   * The changes that are this step's part, `undefined` when the event says it. Throws a `RunError`
   * when the record would be too long to be kept.
   */
  async setRange(range: CoveredRange | undefined): Promise<void> {
    this.#range = range;
    if (range !== undefined && !this.#hasLookedBack) await this.#carryOver();
    if (hasRoomForJob(this.#record({ kind: 'unknown' }))) return;
    throw new RunError(
      'What earlier runs covered is not known',
      'Too many of their agent jobs are still running for the record that the next run needs. No prompt was sent. Run this again when some of them have ended.',
    );
  }

  /** Records that nothing is sent. Without a range there is nothing to remember. */
  recordSkip(reason: SkipReason): void {
    if (this.#range === undefined) return;
    this.#write({ kind: 'none', pathsHash: this.#pathsHash }, SKIPPED[reason]);
  }

  /** Records the agent job that was created, or that accepted the message. */
  recordAccepted(id: string): void {
    const what = this.#access.call === 'create' ? 'was created' : 'accepted the message';
    this.#write({ kind: 'job', id }, `Agent job ${this.#show(id)} ${what}.`);
  }

  /** Records that the service may have accepted the request. */
  recordDoubt(): void {
    this.#write({ kind: 'unknown' }, IN_DOUBT);
  }

  /** Records an agent job that is followed. Which changes are its part stays what it was. */
  recordFollowed({ jobId: id, attempt, record: { from, to, open } }: Follow): void {
    this.#part = { from, to, open };
    const sentence = `Agent job ${this.#show(id)} is followed from attempt ${attempt}.`;
    this.#write({ kind: 'job', id }, sentence);
  }

  /** Writes the notice that later attempts and runs read. It begins with a sentence for people. */
  #write(what: Recorded, sentence: string): void {
    const notice = noticeOf(this.#record(what), sentence, this.#access.call);
    this.#access.runner.annotate('notice', notice.title, notice.message);
    this.#access.onRecord(fitsAnnotation(notice));
  }

  #warn(message: string): void {
    this.#access.runner.annotate('warning', 'Docs agent: earlier runs', message);
  }

  /** An id for people, without secrets. */
  #show(id: string): string {
    return quote(this.#access.runner.clean(id));
  }

  #record(what: Recorded): StepRecord {
    const part = this.#range === undefined ? this.#part : partOf(this.#coverage, this.#range, what);
    return { what, key: this.#key, inputs: this.#inputs, ...part };
  }

  async #findThisJob(): Promise<OwnWorkflowJob> {
    const { facts, github } = this.#access;
    const { id } = this.#workflowJob;
    const { runId, attempt, runnerName } = facts;
    const found = await findThisJob(await github(), { id, runId, attempt, runnerName });
    if (found.kind === 'known') return found.job;
    const message = `It is not known which workflow job runs this step, so what it did before cannot be looked up. ${found.reason}. Nothing was sent. Run this again, or start a new run.`;
    throw new RunError('The workflow job is not known', message);
  }
}

const ASKED =
  'This attempt stopped, because an earlier one may have sent the prompt. The next attempt sends it.';
const IN_DOUBT = 'The service may have accepted the request, but it gave no usable response.';
const SKIPPED: Readonly<Record<SkipReason, string>> = {
  'no-matching-file': 'Nothing was sent, because no relevant file changed.',
  'nothing-changed': 'Nothing was sent, because nothing changed.',
  'nothing-to-start-from': 'Nothing was sent. The next run starts at the head of this one.',
  'newer-run': 'Nothing was sent, because a newer run has these changes.',
};

function notAsked(why: string, cause: unknown): RunError {
  const message = `An earlier attempt may have an agent job, and this attempt could not find out. ${why}. Nothing was sent. Press "Re-run failed jobs" again.`;
  return new RunError('A re-run stopped: earlier attempts could not be looked up', message, {
    cause,
  });
}

function mayExist(
  { attempt, why }: Extract<EarlierAttempt, { kind: 'stop' }>,
  call: Call,
  isComposite: boolean,
): RunError {
  const isCreate = call === 'create';
  const reasons = {
    unknown: `Attempt ${attempt} may have ${isCreate ? 'created an agent job' : 'sent the message'}: the service gave no usable response.`,
    unreadable: `Attempt ${attempt} left a record that cannot be read, so it may have ${isCreate ? 'an agent job' : 'sent the message'}.`,
    full: `GitHub keeps 50 annotations of a workflow job. Those of attempt ${attempt} hold no record, so it may have ${isCreate ? 'an agent job' : 'sent the message'}.`,
    'other-inputs': `Attempt ${attempt} has records of another prompt, and one of them may be this step's.`,
  } as const;
  const where = isCreate
    ? 'Look in the Mintlify dashboard and among the pull requests of the docs repository.'
    : 'Look at the agent job in the Mintlify dashboard.';
  const isForGood = why === 'full' || (why === 'other-inputs' && isComposite);
  const next = isForGood
    ? 'start a new workflow run.'
    : 'press "Re-run failed jobs" again: that sends the prompt.';
  return new RunError(
    isCreate
      ? 'A re-run stopped: an agent job may exist'
      : 'A re-run stopped: the message may have been sent',
    `${reasons[why]} Nothing was sent. ${where} If ${isCreate ? 'there is none' : 'it has no such message'}, ${next}`,
  );
}
