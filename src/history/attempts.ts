/** Decides what earlier attempts of this workflow run mean for this one. */
import type { GitHub } from '../github/github.ts';
import type { Judge, Judged } from '../model/agent-job.ts';
import type { StepRecord } from '../model/record.ts';
import { RunError } from '../model/run-error.ts';
import { quote } from '../text/escape.ts';
import {
  type Attempt,
  attemptsOf,
  hiddenIn,
  KEEP_READABLE,
  type PausingClock,
  type Step,
} from './annotations.ts';
import { HistoryNotKnown } from './history-not-known.ts';
import { HIDDEN_REMEDY } from './other-runs.ts';

/** Follow the agent job of an earlier attempt, and write its record again. */
export interface Follow {
  readonly kind: 'follow';
  /** The attempt that made the call. Later ones may have followed too. */
  readonly attempt: number;
  readonly jobId: string;
  readonly record: StepRecord;
}

/** An agent job may exist, so ask a person. */
export interface Stop {
  readonly kind: 'stop';
  readonly attempt: number;
  readonly why: 'unknown' | 'hidden' | 'forgotten';
  /** The record of the attempt in doubt, if readable. */
  readonly record?: StepRecord;
}

/** Nothing stops this attempt from sending. `why` is a complete sentence. */
export interface GoOn {
  readonly kind: 'go-on';
  readonly why: string;
  /** A person was asked, and answered by starting this attempt. */
  readonly wasAsked: boolean;
}

interface AttemptsQuery {
  /**
   * The agent job in `jobId` that a follow-up message is for. The records of other jobs don't
   * count.
   */
  readonly messagedJobId: string | undefined;
  readonly judge: Judge;
}

/**
 * Returns the attempts of this run before this one, newest first. Throws a `GitHubError` when
 * GitHub fails.
 */
export async function earlierAttempts(
  github: Pick<GitHub, 'workflowJobs' | 'annotations'>,
  step: Step,
  time: PausingClock,
): Promise<readonly Attempt[]> {
  const { thisWorkflowJob, runId, attempt } = step;
  const jobs = await github.workflowJobs(runId);
  const earlier = jobs.filter(
    ({ name, run_attempt }) => name === thisWorkflowJob.name && run_attempt < attempt,
  );
  return attemptsOf(github, earlier, step, time);
}

/**
 * Decides what this attempt does, based on the newest conclusive record. An unreadable attempt
 * stops the step, unless an older attempt left an agent job to follow. Throws a `GitHubError` when
 * GitHub fails: `forbidden` and `not-found` mean that a permission is missing.
 */
export async function decideByAttempts(
  attempts: readonly Attempt[],
  query: AttemptsQuery,
): Promise<Follow | Stop | GoOn> {
  let stop: Stop | undefined;
  for (const [index, { number, read }] of attempts.entries()) {
    const kept = await read();
    if (kept.kind === 'hidden' || kept.kind === 'forgotten') {
      stop ??= { kind: 'stop', attempt: number, why: kept.kind };
    }
    if (kept.kind !== 'records') continue;
    for (const record of kept.records.toReversed()) {
      const decision = await decide(record, number, query);
      if (decision === undefined) continue;
      if (decision.kind === 'follow') {
        return { ...decision, attempt: await callerOf(attempts.slice(index), number, decision) };
      }
      // An unreadable attempt in between may have sent the prompt as well.
      if (stop !== undefined) break;
      return decision;
    }
  }
  return (
    stop ?? {
      kind: 'go-on',
      why: 'No earlier attempt of this step has an agent job.',
      wasAsked: false,
    }
  );
}

/**
 * Returns the oldest attempt that recorded this call. `newest` is the attempt in which it was
 * found. Ignores unreadable attempts.
 */
async function callerOf(
  attempts: readonly Attempt[],
  newest: number,
  { jobId, record }: Omit<Follow, 'attempt'>,
): Promise<number> {
  let caller = newest;
  for (const { number, read } of attempts) {
    const kept = await read().catch(() => undefined);
    const records = kept?.kind === 'records' ? kept.records : [];
    const isCall = ({ what, at }: StepRecord) =>
      what.kind === 'job' && what.id === jobId && at === record.at;
    if (records.some(isCall)) caller = number;
  }
  return caller;
}

/**
 * Returns the first defined result of `find`, newest attempt first. Throws `HistoryNotKnown` if
 * `stopsAtHidden` is set and a newer attempt is unreadable.
 */
export async function newestOf<T>(
  attempts: readonly Attempt[],
  find: (records: readonly StepRecord[]) => T | undefined,
  { stopsAtHidden = false } = {},
): Promise<T | undefined> {
  for (const { number, read } of attempts) {
    const kept = await read();
    if (kept.kind === 'hidden' && stopsAtHidden) {
      throw new HistoryNotKnown(hiddenIn(`attempt ${number}`), HIDDEN_REMEDY);
    }
    const found = kept.kind === 'records' ? find(kept.records) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Decides based on one record. A record of an attempt that sent nothing proves nothing about
 * earlier attempts.
 */
async function decide(
  record: StepRecord,
  attempt: number,
  { messagedJobId, judge }: AttemptsQuery,
): Promise<Omit<Follow, 'attempt'> | Stop | GoOn | undefined> {
  const { what, added } = record;
  switch (what.kind) {
    case 'none':
    case 'todo':
      return undefined;
    case 'asked': {
      const why = `Attempt ${attempt} stopped and asked whether to send the prompt. This attempt sends it.`;
      return { kind: 'go-on', why, wasAsked: true };
    }
    case 'unknown':
      return { kind: 'stop', why: 'unknown', attempt, record };
    case 'job': {
      const follow = { kind: 'follow', jobId: what.id, record } as const;
      if (messagedJobId !== undefined) {
        // Never resend an accepted message to the agent job in `jobId`.
        return what.id === messagedJobId ? follow : undefined;
      }
      const judged = await judge({ id: what.id, added });
      const why = whyNothing(what.id, judged);
      if (why === undefined) return follow;
      return { kind: 'go-on', why: `${why}, so the prompt is sent again.`, wasAsked: false };
    }
  }
}

/** Says why to resend the prompt of an agent job, if the job came to nothing. */
function whyNothing(id: string, judged: Judged): string | undefined {
  const agentJob = `Agent job ${quote(id)}`;
  if (judged.kind === 'not-found') return `${agentJob} is no longer known to the service`;
  if (judged.kind !== 'known' || !judged.cameToNothing) return undefined;
  return judged.fate === 'missed'
    ? `The pull request of agent job ${quote(id)} was merged or closed before the agent was seen to finish`
    : `${agentJob} had already ended as ${quote(judged.status)}`;
}

/** What a person reads when an earlier attempt may have made the call. */
const MAY_EXIST = {
  create: {
    heading: 'A re-run stopped: an agent job may exist',
    did: 'created an agent job',
    look: 'Look in the Mintlify dashboard and among the pull requests of the docs repository for a new agent job',
  },
  message: {
    heading: 'A re-run stopped: the message may have been sent',
    did: 'sent the message',
    look: 'Look at the agent job in the Mintlify dashboard for a new message',
  },
  either: {
    heading: 'A re-run stopped: the prompt may have been sent',
    did: 'sent the prompt',
    look: 'Look in the Mintlify dashboard for a new message to the last agent job and for a new agent job',
  },
} as const;

/** How to continue after a re-run stopped because the prompt may have been sent. */
export interface AfterDoubt {
  /** What to do if the prompt was sent, as the end of a sentence. */
  readonly ifSent: string;
  /** What sends the prompt if the next attempt stops as well, as the end of a sentence. */
  readonly ifStopped: string;
}

/**
 * Returns the error of a step that stops because an agent job or the message may exist. If the step
 * adds to a pull request, the lost call may have been either.
 */
export function mayExistError(
  { attempt, why, record }: Stop,
  task: 'create' | 'message',
  { ifSent, ifStopped }: AfterDoubt,
): RunError {
  const isAppending = typeof record?.last === 'object';
  const call = task === 'create' && isAppending ? 'either' : task;
  const { heading, did, look } = MAY_EXIST[call];
  const reasons: Readonly<Record<Stop['why'], string>> = {
    unknown: `attempt ${attempt} may have ${did} (the service gave no usable response)`,
    hidden: `attempt ${attempt} may have ${did}, and ${hiddenIn('it')}; to prevent that, ${KEEP_READABLE}`,
    forgotten: `attempt ${attempt} may have ${did}, and GitHub no longer has its annotations`,
  };
  // Whatever hides this attempt may hide the next one too.
  const otherwise = why === 'hidden' ? `, or, if that stops as well, ${ifStopped}` : '';
  const message = `Nothing was sent, because ${reasons[why]}. ${look}. If you find one, ${ifSent}; if not, press "Re-run failed jobs" again: that sends the prompt${otherwise}.`;
  return new RunError(heading, message);
}
