import { createHash } from 'node:crypto';
import type { GitHub, GitHubAccess } from '../github/github.ts';
import type { CoveredRange, SkipReason } from '../lib/changes-overview.ts';
import { GitHubError, RunError, tokenAdvice } from '../lib/errors.ts';
import { once } from '../lib/once.ts';
import type { RunFacts } from '../lib/run-facts.ts';
import { quote } from '../lib/text.ts';
// What looks back is loaded when it is needed, so that a first attempt starts sooner.
import type { Follow, Step } from './attempts.ts';
import type { Coverage, ReadJob } from './coverage.ts';
import {
  type Call,
  fitsAnnotation,
  hasRoomForJob,
  noticeOf,
  type Recorded,
  type StepRecord,
} from './record.ts';

export interface HistoryAccess {
  readonly task: { readonly kind: Call; readonly instruction: string; readonly jobId?: string };
  readonly inputs: Readonly<Record<'projectId' | 'changes' | 'since' | 'workflowJob', string>> & {
    readonly paths: readonly string[];
    /** GitHub is not asked when it is empty. */
    readonly githubToken: string;
  };
  readonly facts: RunFacts;
  /** Opens GitHub's API, once a run. */
  readonly github: () => Promise<GitHub>;
  /** `undefined` in a dry run without a key. */
  readonly readJob: ReadJob | undefined;
  /** The parts of the runner that say what was found, and keep the records. */
  readonly runner: Pick<GitHubAccess['runner'], 'clean' | 'info' | 'annotate'>;
  /** Called after each record. `isKept`: GitHub keeps the whole of it. */
  readonly onRecord: (isKept: boolean) => void;
}

/** The first 64 bits of the SHA-256 of the values as JSON, which keeps them apart. */
function hashOf(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);
}

export type History = ReturnType<typeof createHistory>;

/** What earlier attempts and runs of this step have left behind, and what this run leaves. */
export function createHistory(access: HistoryAccess) {
  const { task, inputs, facts, github, readJob, runner, onRecord } = access;
  const { id, matrix } = parseWorkflowJob(inputs.workflowJob);
  const { projectId, changes, paths, since } = inputs;
  const hashes = {
    key: hashOf([task.kind, projectId, facts.job, matrix, facts.step]),
    inputs: hashOf([task.instruction, changes, paths, since, task.jobId ?? null]),
  };
  const pathsHash = hashOf(paths);
  const step = once(async (): Promise<Step> => {
    const { findThisJob } = await import('./workflow-job.ts');
    const thisJob = await findThisJob(await github(), id, facts);
    return { ...facts, ...hashes, pathsHash, thisJob, messagedJobId: task.jobId };
  });
  let coverage: Coverage | undefined;
  let range: CoveredRange | undefined;

  const warn = (message: string) => runner.annotate('warning', 'Docs agent: earlier runs', message);
  /** An id for people, without secrets. */
  const show = (text: string) => quote(runner.clean(text));

  /** Writes the notice that later attempts and runs read. It begins with a sentence for people. */
  function write(what: Recorded, sentence: string, part = partOf(coverage, range, what)): void {
    const notice = noticeOf({ what, ...hashes, ...part }, sentence, task.kind);
    runner.annotate('notice', notice.title, notice.message);
    onRecord(fitsAnnotation(notice));
  }

  /** `undefined` when GitHub may not be asked: a warning says so. Throws as `lookBack` does. */
  async function findEarlierAttempt() {
    try {
      if (inputs.githubToken === '') throw new GitHubError('forbidden', '`githubToken` is empty');
      const attempts = await import('./attempts.ts');
      const found = await attempts.findEarlierAttempt(await github(), await step());
      if (found.kind !== 'stop') return found;
      write({ kind: 'asked' }, ASKED);
      throw attempts.mayExist(found, task.kind, facts.isComposite);
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      const advice = tokenAdvice(error, '`actions: read` and `checks: read`');
      const reason = advice === undefined ? error.message : `${error.message}. ${advice}`;
      // Only without a permission the step goes on: this re-run may never do better.
      if (advice === undefined || error.kind === 'bad-token') {
        const heading = 'A re-run stopped: earlier attempts could not be looked up';
        const message = `An earlier attempt may have created an agent job or sent the message, and this could not be checked. ${reason}. Nothing was sent. Press "Re-run failed jobs" again.`;
        throw new RunError(heading, message, { cause: error });
      }
      const unknown = 'It is not known whether an earlier attempt has an agent job';
      warn(`${unknown}: ${reason}. This attempt sends the prompt.`);
      return undefined;
    }
  }

  async function findCoverage() {
    const module = await import('./coverage.ts');
    return module.findCoverage(await github(), await step(), readJob);
  }

  return {
    /**
     * The agent job that an earlier attempt of this workflow run left to follow. `undefined` when
     * the prompt is to be sent: the log says why. Throws a `RunError` when that is in doubt: then
     * nothing may be sent. If an agent job may exist, the record says that a person was asked.
     */
    async lookBack(): Promise<Follow | undefined> {
      const found = await findEarlierAttempt();
      if (found === undefined || found.kind === 'follow') return found;
      runner.info(
        found.kind === 'fresh'
          ? 'No earlier attempt of this step has an agent job.'
          : `Attempt ${found.attempt} stopped, because the prompt may already have been sent. This attempt sends it.`,
      );
      return undefined;
    },

    /** What earlier runs have covered. Throws a `RunError` when that cannot be known. */
    async lastCovered() {
      coverage = await findCoverage();
      if (coverage.kind !== 'newer') coverage.warnings.forEach(warn);
      return coverage;
    },

    /**
     * Keeps what changes are this step's part, `undefined` when the event says it. Under a `since`
     * that a person named, looks up the agent jobs of earlier runs, so that those that have not ended
     * stay on record if that is possible. Throws a `RunError` when the record would be too long.
     */
    async setRange(ofThisStep: CoveredRange | undefined): Promise<void> {
      range = ofThisStep;
      if (range !== undefined) {
        coverage ??= await findCoverage().catch((error: unknown) => {
          if (error instanceof GitHubError || error instanceof RunError) return undefined;
          throw error;
        });
      }
      if (hasRoomForJob({ ...hashes, ...partOf(coverage, range, { kind: 'unknown' }) })) return;
      throw new RunError('What earlier runs covered is not known', TOO_LONG);
    },

    /** Records that nothing is sent. Without a range there is nothing to remember. */
    recordSkip(reason: SkipReason): void {
      if (range !== undefined) write({ kind: 'none', pathsHash }, SKIPPED[reason]);
    },

    /** Records the agent job that was created, or that accepted the message. */
    recordAccepted(id: string): void {
      const what = task.kind === 'create' ? 'was created' : 'accepted the message';
      write({ kind: 'job', id }, `Agent job ${show(id)} ${what}.`);
    },

    /** Records that the service may have accepted the request. */
    recordDoubt: () => write({ kind: 'unknown' }, IN_DOUBT),

    /** Records an agent job that is followed. Which changes are its part stays what it was. */
    recordFollowed({ jobId: id, attempt, record: { from, to, open } }: Follow): void {
      const sentence = `Agent job ${show(id)} is followed from attempt ${attempt}.`;
      write({ kind: 'job', id }, sentence, { from, to, open });
    },
  };
}

/** Reads `<check_run_id> <matrix as JSON>`. Either part may be missing, and `null` is no matrix. */
export function parseWorkflowJob(text: string) {
  const [, digits, rest = ''] = /^\s*(\d+(?=\s|$))?(.*)$/s.exec(text) ?? [];
  const id = Number(digits);
  const matrix = rest.trim().replace(/^null$/, '');
  return { id: Number.isSafeInteger(id) && id > 0 ? id : undefined, matrix };
}

/**
 * What the record of this run says about changes. `range.from` is where they really start, which
 * differs from the coverage when GitHub no longer knows that commit.
 */
export function partOf(
  coverage: Coverage | undefined,
  range: CoveredRange | undefined,
  what: Recorded,
): Pick<StepRecord, 'from' | 'to' | 'open'> {
  if (range === undefined || coverage?.kind !== 'from') return { ...range, open: [] };
  const { sha, open, skippedFrom } = coverage;
  // If `paths` changes, the changes of every run that skipped them count again.
  const isSkippedAgain = what.kind === 'none' && range.from === sha;
  return { from: isSkippedAgain ? skippedFrom : range.from, to: range.to, open };
}

const TOO_LONG =
  'Too many agent jobs of earlier runs are still running, so the record of this run would be too long to be kept. No prompt was sent. Run this again when some of them have ended.';
const IN_DOUBT = 'The service may have accepted the request, but it gave no usable response.';
const ASKED =
  'This attempt stopped, because an earlier one may have sent the prompt. The next attempt sends it.';
const SKIPPED: Readonly<Record<SkipReason, string>> = {
  'no-matching-file': 'Nothing was sent, because no relevant file changed.',
  'nothing-changed': 'Nothing was sent, because nothing changed.',
  'nothing-to-start-from': 'Nothing was sent. The next run starts at the head of this one.',
  'newer-run': 'Nothing was sent, because a newer run has these changes.',
};
