import type { GitHub } from '../github/github.ts';
import type { Judge } from '../lib/covered.ts';
import { RunError } from '../lib/errors.ts';
import { quote } from '../lib/escape.ts';
import { type Flaw, type Kept, keptIn, outcomeOf, type Step, type Time } from './kept.ts';
import { hasRange, MAX_ANNOTATIONS, type RangeRecord, type StepRecord } from './record.ts';

/** Follow the agent job of an earlier attempt. Its record is to be written again. */
export interface Follow {
  readonly kind: 'follow';
  readonly attempt: number;
  readonly jobId: string;
  readonly record: StepRecord;
  /** The service has shown it in this attempt. */
  readonly isSeen: boolean;
}

/** What earlier attempts of this workflow run say about this one. */
export type EarlierAttempts =
  | Follow
  | Stop
  /** Nothing keeps this attempt from sending. `own` says which changes are this run's part. */
  | {
      readonly kind: 'send';
      /** A whole sentence. */
      readonly why: string;
      readonly own: RangeRecord | undefined;
      /** The newest agent job that earlier attempts name. */
      readonly lastId: string | null | undefined;
    };

/** An agent job may exist. */
export interface Stop {
  readonly kind: 'stop';
  readonly attempt: number;
  /** `other-inputs`: a record may be this step's or another's. */
  readonly why: 'unknown' | 'other-inputs' | Flaw;
  /** The record of the attempt that is asked about, if it can be read. */
  readonly record?: StepRecord | undefined;
}

export interface AttemptsQuery {
  /** The agent job that a typed follow-up message is for. A record of another one says nothing. */
  readonly messagedJobId: string | undefined;
  readonly judge: Judge;
  readonly time: Time;
}

/**
 * Looks through the workflow jobs of this name in earlier attempts, newest first, until a record
 * decides. Throws a `GitHubError` when GitHub fails: `forbidden` and `not-found` mean that a
 * permission is missing.
 */
export async function lookThroughAttempts(
  github: Pick<GitHub, 'workflowJobs' | 'annotations'>,
  step: Step,
  { messagedJobId, judge, time }: AttemptsQuery,
): Promise<EarlierAttempts> {
  const jobs = await earlierJobs(github, step);
  let doubt: Stop | undefined;
  let why: string | undefined;
  let own: RangeRecord | undefined;
  let lastId: string | null | undefined;
  for await (const { attempt, kept } of keptIn(github, jobs, step, time)) {
    own ??= kept.kind === 'own' ? newestRange(kept.records) : undefined;
    if (lastId === undefined && kept.kind === 'own') lastId = lastNamedIn(kept.records);
    if (why !== undefined) {
      if (own !== undefined) break;
      continue;
    }
    const said = whatIsSaid(kept, step, messagedJobId);
    if (said.kind === 'nothing') continue;
    if (said.kind === 'doubt') {
      doubt ??= { kind: 'stop', attempt, why: said.why };
      continue;
    }
    const { record } = said;
    // Before an attempt that cannot be read, only an agent job that is certainly this step's counts.
    if (doubt !== undefined && !(record.what.kind === 'job' && said.isCertain)) continue;
    const decision = await decide(record, attempt, messagedJobId === undefined, judge);
    if (decision.kind === 'send') {
      if (doubt !== undefined) continue;
      why = decision.why;
      if (own !== undefined) break;
    } else {
      return decision;
    }
  }
  if (doubt !== undefined) return doubt;
  return { kind: 'send', why: why ?? NO_AGENT_JOB, own, lastId };
}

/** The newest agent job that the records of earlier attempts name, as {@link lastNamedIn} says it. */
export async function lastOfAttempts(
  github: Pick<GitHub, 'workflowJobs' | 'annotations'>,
  step: Step,
  time: Time,
): Promise<string | null | undefined> {
  for await (const { kept } of keptIn(github, await earlierJobs(github, step), step, time)) {
    const last = kept.kind === 'own' ? lastNamedIn(kept.records) : undefined;
    if (last !== undefined) return last;
  }
  return undefined;
}

/** The workflow jobs of this name in earlier attempts of this run. */
async function earlierJobs(
  github: Pick<GitHub, 'workflowJobs'>,
  { thisJob, runId, attempt }: Step,
) {
  const jobs = await github.workflowJobs(runId);
  return jobs.filter(({ name, run_attempt }) => name === thisJob.name && run_attempt < attempt);
}

const NO_AGENT_JOB = 'No earlier attempt of this step has an agent job.';

/**
 * The newest agent job that the records name, which are in the order of writing; null when the newest
 * that says something says that there is none.
 */
export function lastNamedIn(records: readonly StepRecord[]): string | null | undefined {
  const ids = records.map(({ what, last }) => (what.kind === 'job' ? what.id : last));
  return ids.findLast((id) => id !== undefined);
}

/** The newest record with a `to`; of two that differ only in `added`, the one without it. */
export function newestRange(records: readonly StepRecord[]): RangeRecord | undefined {
  const ranges = records.filter(hasRange);
  const newest = ranges.at(-1);
  if (!newest?.isUnseen) return newest;
  const isSeen = (other: RangeRecord) => !other.isUnseen && outcomeOf(other) === outcomeOf(newest);
  return ranges.find(isSeen) ?? newest;
}

type Said =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'doubt'; readonly why: Stop['why'] }
  | { readonly kind: 'record'; readonly record: StepRecord; readonly isCertain: boolean };

/** What one attempt says. A record that nothing was sent says nothing about earlier attempts. */
function whatIsSaid(kept: Kept, { inputs }: Step, messagedJobId: string | undefined): Said {
  if (kept.kind === 'none') return { kind: 'nothing' };
  if (kept.kind === 'unreadable') return { kind: 'doubt', why: kept.flaw };
  const isAboutThisCall = ({ what }: StepRecord) =>
    messagedJobId === undefined || what.kind !== 'job' || what.id === messagedJobId;
  const own = kept.records.filter(isAboutThisCall);
  const same = own.filter((record) => record.inputs === inputs);
  const isTold = kept.kind === 'own';
  // A prompt may hold the time, for example. Then only a record that is alone can be this step's.
  const mayDiffer = same.length === 0 && isTold && kept.isAlone;
  const candidates = (mayDiffer ? own : same).filter(saysSomething);
  const others = own.filter((record) => saysSomething(record) && !candidates.includes(record));
  if (candidates.length === 0) {
    return others.length === 0 ? { kind: 'nothing' } : { kind: 'doubt', why: 'other-inputs' };
  }
  const isOneOutcome = new Set(candidates.map(outcomeOf)).size === 1;
  const record = isOneOutcome || isTold ? candidates.at(-1) : undefined;
  return record === undefined || (mayDiffer && !isOneOutcome)
    ? { kind: 'doubt', why: 'other-inputs' }
    : { kind: 'record', record, isCertain: record.inputs === inputs && isTold };
}

const saysSomething = ({ what }: StepRecord) => what.kind !== 'todo' && what.kind !== 'none';

/** What follows from the record that decides. */
async function decide(
  record: StepRecord,
  attempt: number,
  isSentAgain: boolean,
  judge: Judge,
): Promise<Exclude<EarlierAttempts, { kind: 'send' }> | { kind: 'send'; why: string }> {
  const { what, isUnseen } = record;
  switch (what.kind) {
    case 'none':
    case 'todo':
      return { kind: 'send', why: 'Nothing was sent.' };
    case 'asked': {
      const why = `Attempt ${attempt} stopped, because the prompt may already have been sent. This attempt sends it.`;
      return { kind: 'send', why };
    }
    case 'job': {
      const follow = { kind: 'follow', attempt, jobId: what.id, record } as const;
      // A message to a typed agent job that was accepted is never sent again.
      if (!isSentAgain) return { ...follow, isSeen: false };
      const judged = await judge(what.id, { isUnseen, isNew: true });
      const why = whyNothing(what.id, judged);
      if (why === undefined) return { ...follow, isSeen: judged.kind === 'known' };
      return { kind: 'send', why: `${why}, so the prompt is sent again.` };
    }
    case 'unknown':
      return { kind: 'stop', why: 'unknown', attempt, record };
  }
}

/** Why the prompt of an agent job is sent again, if it came to nothing. */
function whyNothing(id: string, judged: Awaited<ReturnType<Judge>>): string | undefined {
  const agentJob = `Agent job ${quote(id)}`;
  if (judged.kind === 'gone') return `${agentJob} is no longer known to the service`;
  if (judged.kind !== 'known' || !judged.cameToNothing) return undefined;
  return judged.fate === 'missed'
    ? `The pull request of agent job ${quote(id)} was closed before what the agent added was seen`
    : `${agentJob} had already ended as ${quote(judged.status)}`;
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
  either: {
    heading: 'A re-run stopped: the prompt may have been sent',
    did: 'sent the prompt',
    has: 'sent the prompt',
    check:
      'Look in the Mintlify dashboard, for a new message to the last agent job and for a new agent job. If there is neither',
  },
} as const;

/**
 * The error of a step that stops, because an agent job or the message may exist. The lost call of a
 * step that adds to a pull request may have been either.
 */
export function mayExist(stop: Stop, task: 'create' | 'message'): RunError {
  const { attempt, why, record } = stop;
  const call = task === 'create' && typeof record?.last === 'string' ? 'either' : task;
  const { heading, did, has, check } = MAY_EXIST[call];
  const reasons = {
    unknown: `Attempt ${attempt} may have ${did}: the service gave no usable response.`,
    'other-inputs': `Attempt ${attempt} has records of another prompt, and one of them may be this step's.`,
    unreadable: `Attempt ${attempt} left a record that cannot be read, so it may have ${has}.`,
    missing: `The workflow job of attempt ${attempt} failed or is recent, and GitHub shows none of its annotations, so it may have ${has}.`,
    gone: `GitHub has deleted the annotations of attempt ${attempt}, so it may have ${has}.`,
    full: `GitHub keeps ${MAX_ANNOTATIONS} annotations of a workflow job. Those of attempt ${attempt} hold no record, so it may have ${has}.`,
    crowded: `The runner sends ten notices of a composite action. Those of attempt ${attempt} hold no record, so it may have ${has}.`,
  };
  // The next attempt would leave as many annotations.
  const next =
    why === 'full' || why === 'crowded'
      ? 'give this step a workflow job of its own, and start a new workflow run'
      : 'press "Re-run failed jobs" again: that sends the prompt';
  return new RunError(heading, `${reasons[why]} Nothing was sent. ${check}, ${next}.`);
}
