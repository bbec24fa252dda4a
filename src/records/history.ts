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
import type { Step } from './kept-records.ts';
import {
  type Call,
  fitsAnnotation,
  hashOf,
  hasRoomForJob,
  MAX_ANNOTATIONS,
  noticeOf,
  type Recorded,
  type StepRecord,
} from './record.ts';
import { findThisJob, parseWorkflowJob } from './workflow-job.ts';

export interface HistoryAccess {
  readonly task: { readonly kind: Call; readonly instruction: string; readonly jobId?: string };
  readonly inputs: {
    readonly projectId: string;
    readonly changes: string;
    readonly paths: readonly string[];
    readonly since: string;
    readonly workflowJob: string;
    /** GitHub is not asked when it is empty. */
    readonly githubToken: string;
  };
  readonly facts: RunFacts;
  /** Opens GitHub's API, once a run. */
  readonly github: () => Promise<GitHub>;
  /** `undefined` in a dry run without a key. */
  readonly readJob: ReadJob | undefined;
  /** The parts of the runner that say what was found, and keep the records. */
  readonly runner: {
    clean(text: string): string;
    info(line: string): void;
    annotate(level: AnnotationLevel, title: string, message: string): void;
  };
  /** Called after each record. `isKept`: GitHub keeps the whole of it. */
  readonly onRecord: (isKept: boolean) => void;
}

/** An agent job to follow. */
export type Follow = Extract<EarlierAttempt, { kind: 'follow' }>;

/** What a record says about changes. */
type Part = Pick<StepRecord, 'from' | 'to' | 'open'>;

/** What earlier attempts and runs of this step have left behind, and what this run leaves. */
export class History {
  readonly #access: HistoryAccess;
  readonly #hashes: Pick<Step, 'key' | 'inputs' | 'pathsHash'>;
  /** Asks GitHub which workflow job runs this step, once. */
  readonly #step: () => Promise<Step>;
  #coverage: Coverage | undefined;
  #range: CoveredRange | undefined;

  constructor(access: HistoryAccess) {
    const { task, inputs, facts, github } = access;
    const { projectId, changes, paths, since } = inputs;
    const { id, matrix } = parseWorkflowJob(inputs.workflowJob);
    this.#access = access;
    this.#hashes = {
      key: hashOf([task.kind, projectId, facts.job, matrix, facts.step]),
      inputs: hashOf([task.instruction, changes, paths, since, task.jobId ?? null]),
      pathsHash: hashOf(paths),
    };
    this.#step = once(async () => {
      const thisJob = await findThisJob(await github(), id, facts);
      return { ...facts, ...this.#hashes, thisJob, messagedJobId: task.jobId };
    });
  }

  /**
   * The agent job that an earlier attempt of this workflow run left to follow. `undefined` when the
   * prompt is to be sent: the log says why. Throws a `RunError` when that is in doubt: then nothing
   * may be sent. If an agent job may exist, the record says that a person was asked.
   */
  async lookBack(): Promise<Follow | undefined> {
    const { runner, task, facts } = this.#access;
    const found = await this.#findEarlierAttempt();
    if (found === undefined) return undefined;
    switch (found.kind) {
      case 'follow':
        return found;
      case 'fresh':
        runner.info('No earlier attempt of this step has an agent job.');
        return undefined;
      case 'create-allowed':
        runner.info(
          `Attempt ${found.attempt} stopped, because the prompt may already have been sent. This attempt sends it.`,
        );
        return undefined;
      case 'stop':
        this.#write({ kind: 'asked' }, ASKED);
        throw mayExist(found, task.kind, facts.isComposite);
    }
  }

  /** `undefined` when GitHub may not be asked. A warning says so. */
  async #findEarlierAttempt(): Promise<EarlierAttempt | undefined> {
    const { github, inputs } = this.#access;
    try {
      if (inputs.githubToken === '') throw new GitHubError('forbidden', '`githubToken` is empty');
      const { findEarlierAttempt } = await import('./attempts.ts');
      return await findEarlierAttempt(await github(), await this.#step());
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      const advice = tokenAdvice(error, '`actions: read` and `checks: read`');
      const reason = advice === undefined ? error.message : `${error.message}. ${advice}`;
      if (advice === undefined || error.kind === 'bad-token') {
        const heading = 'A re-run stopped: earlier attempts could not be looked up';
        const message = `An earlier attempt may have created an agent job or sent the message, and this could not be checked. ${reason}. Nothing was sent. Press "Re-run failed jobs" again.`;
        throw new RunError(heading, message, { cause: error });
      }
      this.#warn(
        `It is not known whether an earlier attempt has an agent job: ${reason}. This attempt sends the prompt.`,
      );
      return undefined;
    }
  }

  /** What earlier runs have covered. Throws a `RunError` when that cannot be known. */
  async lastCovered(): Promise<Coverage> {
    const coverage = await this.#findCoverage();
    this.#coverage = coverage;
    if (coverage.kind === 'newer') return coverage;
    for (const warning of coverage.warnings) this.#warn(warning);
    return coverage;
  }

  async #findCoverage(): Promise<Coverage> {
    const { github, readJob } = this.#access;
    const { findCoverage } = await import('./coverage.ts');
    return findCoverage(await github(), await this.#step(), readJob);
  }

  /**
   * The changes that are this step's part, `undefined` when the event says it. Under a `since` that a
   * person named, the agent jobs of earlier runs that have not ended stay on record too, unless they
   * cannot be looked up. Throws a `RunError` when the record would be too long to be kept.
   */
  async setRange(range: CoveredRange | undefined): Promise<void> {
    this.#range = range;
    if (range !== undefined) {
      this.#coverage ??= await this.#findCoverage().catch((error: unknown) => {
        if (error instanceof GitHubError || error instanceof RunError) return undefined;
        throw error;
      });
    }
    if (hasRoomForJob(this.#record({ kind: 'unknown' }))) return;
    throw new RunError(
      'What earlier runs covered is not known',
      'Too many agent jobs of earlier runs are still running, so the record of this run would be too long to be kept. No prompt was sent. Run this again when some of them have ended.',
    );
  }

  /** Records that nothing is sent. Without a range there is nothing to remember. */
  recordSkip(reason: SkipReason): void {
    if (this.#range === undefined) return;
    this.#write({ kind: 'none', pathsHash: this.#hashes.pathsHash }, SKIPPED[reason]);
  }

  /** Records the agent job that was created, or that accepted the message. */
  recordAccepted(id: string): void {
    const what = this.#access.task.kind === 'create' ? 'was created' : 'accepted the message';
    this.#write({ kind: 'job', id }, `Agent job ${this.#show(id)} ${what}.`);
  }

  /** Records that the service may have accepted the request. */
  recordDoubt(): void {
    this.#write(
      { kind: 'unknown' },
      'The service may have accepted the request, but it gave no usable response.',
    );
  }

  /** Records an agent job that is followed. Which changes are its part stays what it was. */
  recordFollowed({ jobId: id, attempt, record: { from, to, open } }: Follow): void {
    const sentence = `Agent job ${this.#show(id)} is followed from attempt ${attempt}.`;
    this.#write({ kind: 'job', id }, sentence, { from, to, open });
  }

  /** Writes the notice that later attempts and runs read. It begins with a sentence for people. */
  #write(what: Recorded, sentence: string, part?: Part): void {
    const { runner, task, onRecord } = this.#access;
    const notice = noticeOf(this.#record(what, part), sentence, task.kind);
    runner.annotate('notice', notice.title, notice.message);
    onRecord(fitsAnnotation(notice));
  }

  #warn(message: string): void {
    this.#access.runner.annotate('warning', 'Docs agent: earlier runs', message);
  }

  /** An id for people, without secrets. */
  #show(id: string): string {
    return quote(this.#access.runner.clean(id));
  }

  #record(what: Recorded, part = partOf(this.#coverage, this.#range, what)): StepRecord {
    const { key, inputs } = this.#hashes;
    return { what, key, inputs, ...part };
  }
}

/**
 * What the record of this run says about changes. `range.from` is where they really start, which
 * differs from the coverage when GitHub no longer knows that commit.
 */
export function partOf(
  coverage: Coverage | undefined,
  range: CoveredRange | undefined,
  what: Recorded,
): Part {
  if (range === undefined || coverage?.kind !== 'from') return { ...range, open: [] };
  const { sha, open, skippedFrom } = coverage;
  // If `paths` changes, the changes of every run that skipped them count again.
  const isSkippedAgain = what.kind === 'none' && range.from === sha;
  return { from: isSkippedAgain ? skippedFrom : range.from, to: range.to, open };
}

const ASKED =
  'This attempt stopped, because an earlier one may have sent the prompt. The next attempt sends it.';
const SKIPPED: Readonly<Record<SkipReason, string>> = {
  'no-matching-file': 'Nothing was sent, because no relevant file changed.',
  'nothing-changed': 'Nothing was sent, because nothing changed.',
  'nothing-to-start-from': 'Nothing was sent. The next run starts at the head of this one.',
  'newer-run': 'Nothing was sent, because a newer run has these changes.',
};

/** What a person reads when an earlier attempt may have made that call. */
const IN_DOUBT = {
  create: {
    heading: 'A re-run stopped: an agent job may exist',
    did: 'created an agent job',
    has: 'an agent job',
    check:
      'Look in the Mintlify dashboard and among the pull requests of the docs repository. If there is none',
  },
  message: {
    heading: 'A re-run stopped: the message may have been sent',
    did: 'sent the message',
    has: 'sent the message',
    check: 'Look at the agent job in the Mintlify dashboard. If it has no such message',
  },
} as const;

function mayExist(
  { attempt, why }: Extract<EarlierAttempt, { kind: 'stop' }>,
  call: Call,
  isComposite: boolean,
): RunError {
  const { heading, did, has, check } = IN_DOUBT[call];
  const reasons = {
    unknown: `Attempt ${attempt} may have ${did}: the service gave no usable response.`,
    unreadable: `Attempt ${attempt} left a record that cannot be read, so it may have ${has}.`,
    full: `GitHub keeps ${MAX_ANNOTATIONS} annotations of a workflow job. Those of attempt ${attempt} hold no record, so it may have ${has}.`,
    'other-inputs': `Attempt ${attempt} has records of another prompt, and one of them may be this step's.`,
  };
  const isForGood = why === 'full' || (why === 'other-inputs' && isComposite);
  const next = isForGood
    ? 'start a new workflow run'
    : 'press "Re-run failed jobs" again: that sends the prompt';
  return new RunError(heading, `${reasons[why]} Nothing was sent. ${check}, ${next}.`);
}
