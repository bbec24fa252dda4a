/** What earlier attempts of this workflow run say about this one. */
import type { GitHub } from '../github/github.ts';
import type { Judge, Judged } from '../model/agent-job.ts';
import { RunError } from '../model/errors.ts';
import {
  type LastJob,
  lastJobIn,
  newestRange,
  outcomeOf,
  type RangeRecord,
  type StepRecord,
} from '../model/record.ts';
import { quote } from '../text/escape.ts';
import { type Attempt, attemptsOf, type Flaw, type Kept, type Step, type Time } from './kept.ts';
import { MAX_ANNOTATIONS } from './record-line.ts';

/** Follow the agent job of an earlier attempt. Its record is to be written again. */
export interface Follow {
  readonly kind: 'follow';
  readonly attempt: number;
  readonly jobId: string;
  readonly record: StepRecord;
  /** The service has shown it in this attempt. */
  readonly isSeen: boolean;
}

/** An agent job may exist, and a person is asked. */
export interface Stop {
  readonly kind: 'stop';
  readonly attempt: number;
  /** `other-inputs`: a record may be this step's or another's. */
  readonly why: 'unknown' | 'other-inputs' | Flaw;
  /** The record of the attempt that is asked about, if it can be read. */
  readonly record?: StepRecord | undefined;
}

/** Nothing keeps this attempt from sending. `why` is a whole sentence. */
interface Send {
  readonly kind: 'send';
  readonly why: string;
}

export interface AttemptsQuery {
  /** The agent job that a typed follow-up message is for. A record of another one says nothing. */
  readonly messagedJobId: string | undefined;
  readonly judge: Judge;
}

/** The attempts of this run before this one, newest first. Throws a `GitHubError` when GitHub fails. */
export async function earlierAttempts(
  github: Pick<GitHub, 'workflowJobs' | 'annotations'>,
  step: Step,
  time: Time,
): Promise<readonly Attempt[]> {
  const { thisJob, runId, attempt } = step;
  const jobs = await github.workflowJobs(runId);
  const earlier = jobs.filter(
    ({ name, run_attempt }) => name === thisJob.name && run_attempt < attempt,
  );
  return attemptsOf(github, earlier, step, time);
}

/**
 * What this attempt does: the newest record that says something decides. Throws a `GitHubError` when
 * GitHub fails: `forbidden` and `not-found` mean that a permission is missing.
 */
export async function decideByAttempts(
  attempts: readonly Attempt[],
  step: Step,
  query: AttemptsQuery,
): Promise<Follow | Stop | Send> {
  let doubt: Stop | undefined;
  for (const { number, read } of attempts) {
    const said = whatIsSaid(await read(), step, query.messagedJobId);
    if (said.kind === 'nothing') continue;
    if (said.kind === 'doubt') {
      doubt ??= { kind: 'stop', attempt: number, why: said.why };
      continue;
    }
    if (doubt === undefined) return decide(said.record, number, query);
    // Before an attempt that cannot be read, only an agent job that is certainly this step's counts.
    if (said.isCertain && said.record.what.kind === 'job') {
      const decision = await decide(said.record, number, query);
      if (decision.kind === 'follow') return decision;
    }
  }
  return doubt ?? { kind: 'send', why: 'No earlier attempt of this step has an agent job.' };
}

/** The changes that are this run's part, as its newest record with a `to` says. */
export async function partOfAttempts(
  attempts: readonly Attempt[],
): Promise<RangeRecord | undefined> {
  for (const { read } of attempts) {
    const kept = await read();
    const range = kept.kind === 'own' ? newestRange(kept.records) : undefined;
    if (range !== undefined) return range;
  }
  return undefined;
}

/** The last agent job that the attempts name. */
export async function lastJobOfAttempts(
  attempts: readonly Attempt[],
): Promise<LastJob | 'none' | undefined> {
  for (const { read } of attempts) {
    const kept = await read();
    const last = kept.kind === 'own' ? lastJobIn(kept.records) : undefined;
    if (last !== undefined) return last;
  }
  return undefined;
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
  const isOwn = kept.kind === 'own';
  // A prompt may hold the time, for example. Then only a record that is alone can be this step's.
  const mayDiffer = same.length === 0 && isOwn && kept.isAlone;
  const candidates = (mayDiffer ? own : same).filter(saysSomething);
  const others = own.filter((record) => saysSomething(record) && !candidates.includes(record));
  if (candidates.length === 0) {
    return others.length === 0 ? { kind: 'nothing' } : { kind: 'doubt', why: 'other-inputs' };
  }
  const isOneOutcome = new Set(candidates.map(outcomeOf)).size === 1;
  const record = isOneOutcome || isOwn ? candidates.at(-1) : undefined;
  return record === undefined || (mayDiffer && !isOneOutcome)
    ? { kind: 'doubt', why: 'other-inputs' }
    : { kind: 'record', record, isCertain: record.inputs === inputs && isOwn };
}

const saysSomething = ({ what }: StepRecord) => what.kind !== 'todo' && what.kind !== 'none';

/** What follows from the record that decides. */
async function decide(
  record: StepRecord,
  attempt: number,
  { messagedJobId, judge }: AttemptsQuery,
): Promise<Follow | Stop | Send> {
  const { what, added } = record;
  switch (what.kind) {
    case 'none':
    case 'todo':
      return { kind: 'send', why: 'Nothing was sent.' };
    case 'asked': {
      const why = `Attempt ${attempt} stopped, because the prompt may already have been sent. This attempt sends it.`;
      return { kind: 'send', why };
    }
    case 'unknown':
      return { kind: 'stop', why: 'unknown', attempt, record };
    case 'job': {
      const follow = { kind: 'follow', attempt, jobId: what.id, record } as const;
      // A message to a typed agent job that was accepted is never sent again.
      if (messagedJobId !== undefined) return { ...follow, isSeen: false };
      const judged = await judge({ id: what.id, added, isNew: true });
      const why = whyNothing(what.id, judged);
      if (why === undefined) return { ...follow, isSeen: judged.kind === 'known' };
      return { kind: 'send', why: `${why}, so the prompt is sent again.` };
    }
  }
}

/** Why the prompt of an agent job is sent again, if it came to nothing. */
function whyNothing(id: string, judged: Judged): string | undefined {
  const agentJob = `Agent job ${quote(id)}`;
  if (judged.kind === 'forgotten') return `${agentJob} is no longer known to the service`;
  if (judged.kind !== 'known' || !judged.cameToNothing) return undefined;
  return judged.fate === 'missed'
    ? `The pull request of agent job ${quote(id)} was merged or closed before the agent was done`
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
export function mayExist({ attempt, why, record }: Stop, task: 'create' | 'message'): RunError {
  const isAppending = typeof record?.last === 'object';
  const call = task === 'create' && isAppending ? 'either' : task;
  const { heading, did, has, check } = MAY_EXIST[call];
  const reasons: Readonly<Record<Stop['why'], string>> = {
    unknown: `Attempt ${attempt} may have ${did}: the service gave no usable response.`,
    'other-inputs': `Attempt ${attempt} has records of another prompt, and one of them may be this step's.`,
    unreadable: `Attempt ${attempt} left a record that cannot be read, so it may have ${has}.`,
    missing: `The workflow job of attempt ${attempt} failed or is recent, and GitHub shows none of its annotations, so it may have ${has}.`,
    forgotten: `GitHub no longer has the annotations of attempt ${attempt}, so it may have ${has}.`,
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
