import type { Runner } from '../effects/effects.ts';
import { once } from '../effects/retry.ts';
import type { GitHub } from '../github/github.ts';
import type { Judge } from '../model/agent-job.ts';
import {
  CHANGES_NOT_FOUND,
  COVERAGE_NOT_KNOWN,
  GitHubError,
  gitHubStop,
  LAST_JOB_NOT_KNOWN,
  messageOf,
  RunError,
  tokenAdvice,
} from '../model/errors.ts';
import type { Identity, RangeRecord, StepRecord } from '../model/record.ts';
import { isTyped, type RunFacts } from '../model/run-facts.ts';
import type { Start } from '../model/start.ts';
import { withoutFullStop } from '../text/words.ts';
import type { Follow, Stop } from './attempts.ts';
import type { StartAfterPart } from './earlier-work.ts';
import { parseWorkflowJob, type StepInputs } from './identity.ts';
import type { Attempt, Step, Time } from './kept.ts';
import type { OtherRuns, PartOfRun, RunsQuery } from './runs.ts';
import { NOTHING_EARLIER, type Sending } from './sending.ts';

/** What earlier attempts and runs of this step say about this one. */
export type Verdict =
  /** `isBehind`: no later run will look at this one, so it has to wait for the end. */
  | (Follow & { readonly isBehind: boolean })
  /** This newer run has the changes of this one. */
  | { readonly kind: 'skip'; readonly runNumber: number }
  /** An agent job may exist, and a person is asked. `about` is the record that the stop is about. */
  | { readonly kind: 'stop'; readonly error: RunError; readonly about: StepRecord | undefined }
  | Sending;

export interface VerdictQuery {
  readonly asked: StepInputs & {
    readonly githubToken: string;
    readonly pullRequest: 'new' | 'append';
    readonly rerun: 'resume' | 'create';
    readonly dryRun: boolean;
    readonly wait: boolean;
  };
  readonly identity: Identity;
  readonly facts: RunFacts;
  /** What says where the changes start: earlier `runs`, a start that a person `named`, or neither. */
  readonly startsBy: 'runs' | 'named' | 'other';
  /** Where the changes of this run end. Used only with `runs`. */
  readonly head: string;
  /** Opens GitHub's API, once a run. */
  readonly github: () => Promise<GitHub>;
  readonly judge: Judge;
  readonly time: Time;
  readonly runner: Pick<Runner, 'info' | 'annotate'>;
}

/**
 * Reads what earlier attempts and runs of this step have left behind. Asks GitHub nothing for a first
 * attempt that needs to know nothing. Throws a `RunError` when it cannot be known whether, or from
 * where, to send.
 */
export async function readVerdict(query: VerdictQuery): Promise<Verdict> {
  const { asked, facts, runner, startsBy } = query;
  const step = once(() => findStep(query));
  const attempts = once(async () => {
    const { earlierAttempts } = await import('./attempts.ts');
    return earlierAttempts(await query.github(), await step(), query.time);
  });
  const isResuming = facts.attempt > 1 && asked.rerun === 'resume' && !asked.dryRun;
  const decision = isResuming ? await decideOnAttempts(query, step, attempts) : undefined;
  if (decision?.kind === 'follow') {
    const isBehindWanted = !asked.wait && decision.record.to !== undefined;
    const runs = isBehindWanted ? await readRuns(query, step, { isBehindWanted }) : undefined;
    return { ...decision, isBehind: runs?.isBehind ?? false };
  }
  if (decision?.kind === 'stop') {
    const { mayExist } = await import('./attempts.ts');
    return { kind: 'stop', error: mayExist(decision, asked.task.kind), about: decision.record };
  }
  if (decision !== undefined) runner.info(decision.why);
  const own = decision?.part;
  const isLastWanted = asked.pullRequest === 'append';
  const isStartWanted = startsBy === 'runs';
  if (!isStartWanted && !isLastWanted) return { ...NOTHING_EARLIER, ...ofOwnPart(own) };

  const runs = await readRuns(query, step, {
    isStartWanted,
    isLastWanted,
    isBehindWanted: isStartWanted,
  });
  const { newer } = runs;
  if (newer !== undefined && !isTyped(facts.eventName)) {
    return { kind: 'skip', runNumber: newer.runNumber };
  }
  const ownLast = isLastWanted && facts.attempt > 1 ? await lastOf(attempts) : undefined;
  const last = isLastWanted ? (ownLast ?? runs.last) : undefined;
  const laterRuns = isStartWanted ? (runs.isBehind ? 'none' : 'next') : 'unknown';
  const sending: Sending = {
    ...NOTHING_EARLIER,
    last,
    laterRuns,
    ...(await startAfterRuns(query, runs)),
  };
  // What a typed prompt behind a newer run says stays the same in a re-run.
  return newer === undefined ? { ...sending, ...ofOwnPart(own, sending.start) } : sending;
}

async function findStep({ asked, identity, facts, github }: VerdictQuery): Promise<Step> {
  const { findThisJob } = await import('./workflow-job.ts');
  const { id } = parseWorkflowJob(asked.workflowJob);
  return { ...facts, ...identity, thisJob: await findThisJob(await github(), id, facts) };
}

/** A re-run keeps the part of its earlier attempts: the records of other runs build on it. */
function ofOwnPart(own: RangeRecord | undefined, start?: Start): Partial<Sending> {
  if (own?.from === undefined) return {};
  const known = start?.kind === 'from' ? start : { earlier: [], isSentBefore: false };
  const { from: sha, open, what } = own;
  const isSentBefore = known.isSentBefore || (what.kind !== 'none' && what.kind !== 'todo');
  const { earlier } = known;
  return { start: { kind: 'from', sha, earlier, isSentBefore }, open, part: undefined };
}

/** Where the changes start by what the other runs have on record. */
async function startAfterRuns(query: VerdictQuery, runs: OtherRuns): Promise<Partial<Sending>> {
  if (query.startsBy !== 'runs') return {};
  const { newer, part, begins, recorded, unrecorded } = runs;
  if (newer !== undefined) return { start: { kind: 'newer', runNumber: newer.runNumber } };
  if (part === undefined) {
    return { start: { kind: 'nothing', begins, runs: runs.runs, recorded, unrecorded } };
  }
  const { start, open, warnings } = await judgePart(query, part);
  for (const warning of warnings) warn(query, warning);
  return { part, start, open };
}

/** Where the changes start after this part, by what became of its agent jobs. Throws a `RunError`. */
export async function judgePart(
  query: Pick<VerdictQuery, 'judge' | 'asked' | 'time' | 'startsBy'>,
  part: PartOfRun,
): Promise<StartAfterPart> {
  const { startAfter } = await import('./earlier-work.ts');
  const { asked, judge, time } = query;
  const isMessage = asked.task.kind === 'message';
  try {
    return await startAfter(part, { judge, isMessage, nowMs: time.date() });
  } catch (error) {
    if (error instanceof GitHubError) throw gitHubFailed(query, error);
    throw await stopOf(error, { isStartWanted: true });
  }
}

/** The last agent job that earlier attempts of this run name, whatever `rerun` says. */
async function lastOf(attempts: () => Promise<readonly Attempt[]>) {
  const { lastJobOfAttempts } = await import('./attempts.ts');
  try {
    return await lastJobOfAttempts(await attempts());
  } catch (error) {
    // The records of other runs could be read, so this one is only looked for in vain.
    if (error instanceof GitHubError) return undefined;
    throw error;
  }
}

type Warner = Pick<VerdictQuery, 'runner'>;
const warn = ({ runner }: Warner, message: string) =>
  runner.annotate('warning', 'Docs agent: earlier runs', message);

/** `undefined` when the token may not ask: a warning says so. */
async function decideOnAttempts(
  query: VerdictQuery,
  step: () => Promise<Step>,
  attempts: () => Promise<readonly Attempt[]>,
): Promise<
  | Follow
  | Stop
  | { readonly kind: 'send'; readonly why: string; readonly part: RangeRecord | undefined }
  | undefined
> {
  const { asked, judge } = query;
  try {
    // It is the one input whose absence could cost money.
    if (asked.githubToken === '') throw new GitHubError('bad-token', '`githubToken` is empty');
    const { decideByAttempts, partOfAttempts } = await import('./attempts.ts');
    const known = await attempts();
    const messagedJobId = asked.task.jobId;
    const decision = await decideByAttempts(known, await step(), { messagedJobId, judge });
    if (decision.kind !== 'send') return decision;
    return { ...decision, part: await partOfAttempts(known) };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const advice = tokenAdvice(error, ['actions: read', 'checks: read']);
    const reason = advice === undefined ? error.message : `${error.message}. ${advice}`;
    // Only without a permission the step goes on: this re-run may never do better.
    if (advice === undefined || error.kind === 'bad-token') {
      const heading = 'A re-run stopped: earlier attempts could not be looked up';
      const message = `An earlier attempt may have created an agent job or sent the message, and this could not be checked. ${reason}. Nothing was sent. Press "Re-run failed jobs" again.`;
      throw new RunError(heading, message, { cause: error });
    }
    const unknown = 'It is not known whether an earlier attempt has an agent job';
    warn(query, `${unknown}: ${reason}. This attempt goes on as if there were none.`);
    return undefined;
  }
}

type Wanted = Partial<Pick<RunsQuery, 'isStartWanted' | 'isLastWanted' | 'isBehindWanted'>>;

async function readRuns(
  query: VerdictQuery,
  step: () => Promise<Step>,
  wanted: Wanted,
): Promise<OtherRuns> {
  const { asked, startsBy, head, github, time } = query;
  const { isStartWanted = false, isLastWanted = false, isBehindWanted = false } = wanted;
  const { lookThroughRuns, NO_OTHER_RUNS, RunsNotKnown } = await import('./runs.ts');
  try {
    const all = { isStartWanted, isLastWanted, isBehindWanted, isDryRun: asked.dryRun, head };
    const runs = await lookThroughRuns(await github(), await step(), all, time);
    for (const warning of runs.warnings) warn(query, warning);
    return runs;
  } catch (error) {
    const isKnownKind =
      error instanceof GitHubError || error instanceof RunError || error instanceof RunsNotKnown;
    if (!isKnownKind) throw error;
    // A named start begins a new history, whatever the records of the old one say.
    const isNeeded = isStartWanted || (isLastWanted && startsBy !== 'named');
    if (isNeeded) {
      throw error instanceof GitHubError ? gitHubFailed(query, error) : await stopOf(error, wanted);
    }
    const next = [
      ...(isLastWanted ? ['a new agent job is created'] : []),
      ...(isBehindWanted ? ['this step waits for the end of the agent job'] : []),
    ];
    const why = withoutFullStop(messageOf(error));
    warn(query, `Other runs could not be looked up, so ${next.join(', and ')}. ${why}.`);
    return { ...NO_OTHER_RUNS, isBehind: isBehindWanted };
  }
}

const WAY_OUT =
  'To go on without what earlier runs did, start a new run with `since` set to the commit before the first change to send. Later runs continue from there.';
const WAY_OUT_OF_APPENDING =
  'To go on without it, start a new run with `pullRequest: new`, which does not look at earlier runs.';

/** The error of a step that cannot know what earlier runs did. Anything else stays as it is. */
async function stopOf(error: unknown, { isStartWanted = false }: Wanted): Promise<unknown> {
  const { RunsNotKnown } = await import('./runs.ts');
  if (!(error instanceof RunsNotKnown)) return error;
  const heading = isStartWanted ? COVERAGE_NOT_KNOWN : LAST_JOB_NOT_KNOWN;
  const wayOut = isStartWanted ? WAY_OUT : WAY_OUT_OF_APPENDING;
  return new RunError(heading, `${error.message}. No prompt was sent. ${wayOut}`, { cause: error });
}

/** The error of a step that cannot look earlier runs up, because GitHub failed. */
function gitHubFailed(
  { startsBy, asked }: Pick<VerdictQuery, 'startsBy' | 'asked'>,
  cause: GitHubError,
): RunError {
  const permissions = ['contents: read', 'actions: read', 'checks: read'];
  if (asked.pullRequest === 'append') permissions.push('pull-requests: read');
  const advice = tokenAdvice(cause, permissions);
  // A re-run would use the workflow file of its commit.
  const again = advice === undefined ? 'Run this again later' : 'Then start a new run';
  if (startsBy === 'runs') return gitHubStop(CHANGES_NOT_FOUND, cause, advice, again);
  const next = `${again}, or set \`pullRequest: new\`, which does not look at earlier runs`;
  return gitHubStop(LAST_JOB_NOT_KNOWN, cause, advice, next);
}
