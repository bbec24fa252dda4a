import type { GitHub, WorkflowJob } from '../github/github.ts';
import { RunError, unlessNotFound } from '../lib/errors.ts';
import type { RunFacts } from '../lib/run-facts.ts';
import { type Call, MAX_ANNOTATIONS, recordIn, type StepRecord } from './record.ts';

/** The step that looks back. `key`, `inputs` and `pathsHash` are hashes, as in its record. */
export interface Step extends Pick<RunFacts, 'runId' | 'attempt' | 'repository' | 'isComposite'> {
  readonly thisJob: WorkflowJob;
  readonly key: string;
  readonly inputs: string;
  readonly pathsHash: string;
  /** The agent job that a follow-up message is for, `undefined` when one would be created. */
  readonly messagedJobId: string | undefined;
}

/** An agent job of an earlier attempt, to follow. */
export interface Follow {
  readonly kind: 'follow';
  readonly attempt: number;
  readonly jobId: string;
  /** With the range of its changes, which stays that of this attempt. */
  readonly record: StepRecord;
}

/** An agent job may exist. `other-inputs`: a record may be this step's or another's. */
export interface Stop {
  readonly kind: 'stop';
  readonly attempt: number;
  readonly why: 'unknown' | 'unreadable' | 'full' | 'other-inputs';
}

/**
 * What an earlier attempt says about this one. `attempt` is the earlier one. `fresh`: there is no
 * record, or nothing relevant had changed. `create-allowed`: an earlier attempt asked whether an
 * agent job exists, and this one was started all the same.
 */
export type EarlierAttempt =
  | Follow
  | Stop
  | { readonly kind: 'fresh' }
  | { readonly kind: 'create-allowed'; readonly attempt: number };

/**
 * Looks through the workflow jobs of this name in earlier attempts, newest first, for what this
 * step recorded. A workflow job that a partial re-run carried over has no annotations, so older
 * attempts are read until one has a record. Rejects with a `GitHubError` when GitHub fails:
 * `forbidden` and `not-found` mean that a permission is missing.
 */
export async function findEarlierAttempt(
  github: Pick<GitHub, 'workflowJobs' | 'annotations'>,
  step: Step,
): Promise<EarlierAttempt> {
  const { thisJob, runId, messagedJobId } = step;
  const jobs = await github.workflowJobs(runId);
  const earlier = jobs.filter(
    ({ name, run_attempt }) => name === thisJob.name && run_attempt < step.attempt,
  );
  for await (const { attempt, records, flaw } of keptRecords(github, earlier, step)) {
    const why = flaw === 'gone' ? 'unreadable' : flaw;
    if (why !== undefined) return { kind: 'stop', why, attempt };
    // A message that another agent job accepted is not the one that would be sent now.
    const isOwn = ({ what }: StepRecord) =>
      messagedJobId === undefined || what.kind !== 'job' || what.id === messagedJobId;
    const own = records.filter(isOwn);
    if (own.length > 0) return outcomeOf(own, attempt, step);
  }
  return { kind: 'fresh' };
}

/** What the records of one attempt say. */
function outcomeOf(own: readonly StepRecord[], attempt: number, step: Step): EarlierAttempt {
  if (own.every(({ what }) => what.kind === 'none')) return { kind: 'fresh' };
  const record = chooseRecord(own, step);
  switch (record?.what.kind) {
    case 'job':
      return { kind: 'follow', attempt, jobId: record.what.id, record };
    case 'none':
      return { kind: 'fresh' };
    case 'asked':
      return { kind: 'create-allowed', attempt };
    case 'unknown':
      return { kind: 'stop', why: 'unknown', attempt };
    case undefined:
      return { kind: 'stop', why: 'other-inputs', attempt };
  }
}

/** The record that is certainly this step's, `undefined` when none is. */
function chooseRecord(own: readonly StepRecord[], { inputs, isComposite }: Step) {
  const same = own.filter((record) => record.inputs === inputs);
  // A prompt may hold the time, for example.
  if (same.length === 0) return own.length === 1 && !isComposite ? own[0] : undefined;
  // A step that followed one agent job and then created another writes two records.
  const outcomes = new Set(
    same.map(({ what }) => (what.kind === 'job' ? `job ${what.id}` : what.kind)),
  );
  return outcomes.size === 1 || !isComposite ? same.at(-1) : undefined;
}

// Why a record of a step may be missing: there was no room for it, one of a step cannot be read, or
// GitHub has deleted the check run. A full one comes first: its re-run must not create.
const FLAWS = ['full', 'unreadable', 'gone'] as const;

/**
 * The records of the step in these workflow jobs, newest attempt first, each attempt's in the order
 * in which they were written. If there are none, `flaw` may say why. Names are not unique, so an
 * attempt may have several of these workflow jobs. Throws a `GitHubError` when GitHub fails.
 */
export async function* keptRecords(
  github: Pick<GitHub, 'annotations'>,
  jobs: readonly WorkflowJob[],
  { key, thisJob }: Step,
) {
  // `Map.groupBy` is missing in Node 20.
  const attempts = new Set(jobs.map(({ run_attempt }) => run_attempt));
  for (const attempt of [...attempts].sort((a, b) => b - a)) {
    const records: StepRecord[] = [];
    const flaws = new Set<(typeof FLAWS)[number]>();
    for (const { id } of jobs.filter(({ run_attempt }) => run_attempt === attempt)) {
      // GitHub deletes old checks. That 404 counts only if those of this workflow job can be read.
      const annotations = await unlessNotFound(
        () => github.annotations(id),
        () => github.annotations(thisJob.id),
      );
      const found = annotations?.map(recordIn).filter((record) => record !== undefined) ?? [];
      const readable = found.filter((record) => record !== 'unreadable');
      records.push(...readable.filter((record) => record.key === key));
      if (annotations === undefined) flaws.add('gone');
      else if (annotations.length >= MAX_ANNOTATIONS) flaws.add('full');
      if (readable.length < found.length) flaws.add('unreadable');
    }
    const flaw = records.length === 0 ? FLAWS.find((one) => flaws.has(one)) : undefined;
    yield { attempt, records, flaw };
  }
}

/** What a person reads when an earlier attempt may have made that call. */
const MAY_EXIST = {
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

/** The error of a step that stops, because an agent job or the message may exist. */
export function mayExist({ attempt, why }: Stop, call: Call, isComposite: boolean): RunError {
  const { heading, did, has, check } = MAY_EXIST[call];
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
