import type { Runner } from '../effects/effects.ts';
import type { GitHub } from '../github/github.ts';
import type { Covered, Judge } from '../lib/covered.ts';
import {
  CHANGES_NOT_FOUND,
  GitHubError,
  gitHubStop,
  LAST_JOB_NOT_KNOWN,
  messageOf,
  RunError,
  tokenAdvice,
} from '../lib/errors.ts';
import { quote } from '../lib/escape.ts';
import { once } from '../lib/once.ts';
import { isTyped, type RunFacts } from '../lib/run-facts.ts';
import { withoutFullStop } from '../lib/words.ts';
import type { EarlierAttempts, Follow } from './attempts.ts';
import { type Asked, parseWorkflowJob } from './identity.ts';
import type { Step, Time } from './kept.ts';
import {
  type AppendTarget,
  findAppendTarget,
  lastJobNotKnown,
  type PullState,
} from './pull-request.ts';
import type { Identity, OpenJob, StepRecord } from './record.ts';
import type { EarlierRuns, RunsQuery } from './runs.ts';

/** What earlier attempts and runs of this step say about this one. */
export type Verdict =
  /** `isBehind`: no later run will look at this one, so it has to wait for the end. */
  | (Follow & { readonly isBehind: boolean })
  /** This newer run has the changes of this one. */
  | { readonly kind: 'skip'; readonly runNumber: number }
  /** An agent job may exist, and a person is asked. `about` is the record that the stop is about. */
  | { readonly kind: 'stop'; readonly error: RunError; readonly about: StepRecord | undefined }
  | Sending;

/** Send, from here, with these earlier agent jobs. */
export interface Sending {
  readonly kind: 'send';
  /** `undefined` where the event or `since` says where the changes start, or there are none. */
  readonly covered: Covered | undefined;
  /** What the record of this run carries over. */
  readonly open: readonly OpenJob[];
  /** The last agent job of this step, under `pullRequest: append`; null when there is none. */
  readonly lastId: string | null | undefined;
  /** No later run will look at this one, so it has to wait for the end. */
  readonly isBehind: boolean;
}

/** Nothing is known of earlier runs, and nothing has to be. */
export const NOTHING_EARLIER: Sending = {
  kind: 'send',
  covered: undefined,
  open: [],
  lastId: undefined,
  isBehind: false,
};

export interface VerdictQuery {
  readonly asked: Asked & {
    readonly githubToken: string;
    readonly pullRequest: 'new' | 'append';
    readonly wait: boolean;
  };
  readonly identity: Identity;
  readonly facts: RunFacts;
  /** The run is a re-run that looks for what earlier attempts have done. */
  readonly isResuming: boolean;
  /** What says where the changes start: earlier `runs`, a start that a person `named`, or neither. */
  readonly start: 'runs' | 'named' | 'other';
  /** Where the changes of this run end. Used only with `runs`. */
  readonly head: string;
  /** Opens GitHub's API, once a run. */
  readonly github: () => Promise<GitHub>;
  readonly judge: Judge;
  readonly readPull: (link: string) => Promise<PullState>;
  readonly time: Time;
  readonly runner: Pick<Runner, 'info' | 'annotate' | 'clean'>;
}

/**
 * Reads what earlier attempts and runs of this step have left behind. Asks GitHub nothing for a first
 * attempt that needs to know nothing. Throws a `RunError` when it cannot be known whether, or from
 * where, to send.
 */
export async function readVerdict(query: VerdictQuery): Promise<Verdict> {
  const { asked, identity, facts, isResuming, runner } = query;
  const step = once(async (): Promise<Step> => {
    const { findThisJob } = await import('./workflow-job.ts');
    const { id } = parseWorkflowJob(asked.workflowJob);
    const thisJob = await findThisJob(await query.github(), id, facts);
    return { ...facts, ...identity, thisJob };
  });
  const attempts = isResuming ? await readAttempts(query, step) : undefined;
  if (attempts?.kind === 'follow') {
    const isBehindWanted = !asked.wait && attempts.record.to !== undefined;
    const runs = isBehindWanted ? await readRuns(query, step, { isBehindWanted }) : NO_RUNS;
    return { ...attempts, isBehind: runs.isBehind };
  }
  if (attempts?.kind === 'stop') {
    const { mayExist } = await import('./attempts.ts');
    return { kind: 'stop', error: mayExist(attempts, asked.task.kind), about: attempts.record };
  }
  if (attempts !== undefined) runner.info(attempts.why);
  const isAppending = asked.pullRequest === 'append';
  const isCoverageWanted = query.start === 'runs';
  if (!isCoverageWanted && !isAppending) return { ...NOTHING_EARLIER, ...ownPart(attempts) };

  const isBehindWanted = isCoverageWanted;
  const wanted = { isCoverageWanted, isLastWanted: isAppending, isBehindWanted };
  const runs = await readRuns(query, step, wanted);
  for (const warning of runs.warnings) warn(query, warning);
  const { covered } = runs;
  if (covered?.kind === 'newer' && !isTyped(facts.eventName))
    return { kind: 'skip', runNumber: covered.runNumber };
  const { open, isBehind } = runs;
  const lastId = isAppending ? ((await ownLast(query, step, attempts)) ?? runs.lastId) : undefined;
  const sending: Sending = { kind: 'send', covered, open, isBehind, lastId };
  // What a typed prompt behind a newer run says stays the same in a re-run.
  return covered?.kind === 'newer' ? sending : { ...sending, ...ownPart(attempts, covered) };
}

/** The newest agent job that earlier attempts of this run name, whatever `rerun` says. */
async function ownLast(
  { facts, github, time }: VerdictQuery,
  step: () => Promise<Step>,
  attempts: (EarlierAttempts & { kind: 'send' }) | undefined,
): Promise<string | null | undefined> {
  if (attempts !== undefined || !(facts.attempt > 1)) return attempts?.lastId;
  const { lastOfAttempts } = await import('./attempts.ts');
  try {
    return await lastOfAttempts(await github(), await step(), time);
  } catch (error) {
    // The records of other runs could be read, so this one is only looked for in vain.
    if (error instanceof GitHubError) return undefined;
    throw error;
  }
}

/** A re-run keeps the part of its earlier attempts: the records of other runs build on it. */
function ownPart(attempts: (EarlierAttempts & { kind: 'send' }) | undefined, covered?: Covered) {
  const { from, open } = attempts?.own ?? {};
  if (from === undefined || open === undefined) return {};
  const earlier = covered?.kind === 'from' ? covered.earlier : [];
  return { covered: { kind: 'from', sha: from, earlier } as const, open };
}

function warn({ runner }: VerdictQuery, message: string): void {
  runner.annotate('warning', 'Docs agent: earlier runs', message);
}

/** `undefined` when the token may not ask: a warning says so. */
async function readAttempts(query: VerdictQuery, step: () => Promise<Step>) {
  const { asked, github, judge, time } = query;
  try {
    // It is the one input whose absence could cost money.
    if (asked.githubToken === '') throw new GitHubError('bad-token', '`githubToken` is empty');
    const { lookThroughAttempts } = await import('./attempts.ts');
    const messagedJobId = asked.task.jobId;
    return await lookThroughAttempts(await github(), await step(), { messagedJobId, judge, time });
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

const WAY_OUT =
  'To go on without what earlier runs did, start a new run with `since` set to the commit before the first change to send. Later runs continue from there.';
const WAY_OUT_OF_APPENDING =
  'To go on without it, start a new run with `pullRequest: new`, which does not look at earlier runs.';

type Wanted = Partial<Pick<RunsQuery, 'isCoverageWanted' | 'isLastWanted' | 'isBehindWanted'>>;

async function readRuns(query: VerdictQuery, step: () => Promise<Step>, wanted: Wanted) {
  const { start, head, github, judge, time } = query;
  const { isCoverageWanted = false, isLastWanted = false, isBehindWanted = false } = wanted;
  try {
    const { lookThroughRuns } = await import('./runs.ts');
    const wayOut = isCoverageWanted ? WAY_OUT : WAY_OUT_OF_APPENDING;
    const asked = { isCoverageWanted, isLastWanted, isBehindWanted, wayOut, judge, time };
    return await lookThroughRuns(await github(), await step(), head, asked);
  } catch (error) {
    if (!(error instanceof GitHubError) && !(error instanceof RunError)) throw error;
    // A named start begins a new history, whatever the records of the old one say.
    const isNeeded = isCoverageWanted || (isLastWanted && start !== 'named');
    if (isNeeded) throw error instanceof GitHubError ? stoppedByGitHub(query, error) : error;
    const next = [
      ...(isLastWanted ? ['a new agent job is created'] : []),
      ...(isBehindWanted ? ['this step waits for the end of the agent job'] : []),
    ];
    const why = withoutFullStop(messageOf(error.cause ?? error));
    warn(query, `Other runs could not be looked up, so ${next.join(', and ')}. ${why}.`);
    return { ...NO_RUNS, lastId: null, isBehind: isBehindWanted };
  }
}

const NO_RUNS: EarlierRuns = {
  covered: undefined,
  open: [],
  lastId: undefined,
  isBehind: false,
  warnings: [],
};

/** The error of a step that cannot look earlier runs up. */
function stoppedByGitHub({ start, asked }: VerdictQuery, cause: GitHubError): RunError {
  const isAppending = asked.pullRequest === 'append';
  const permissions = ['contents: read', 'actions: read', 'checks: read'];
  if (isAppending) permissions.push('pull-requests: read');
  const advice = tokenAdvice(cause, permissions);
  const next =
    start === 'runs'
      ? 'The next run has all of these changes'
      : 'Run this again later, or set `pullRequest: new`, which does not look at earlier runs';
  const heading = start === 'runs' ? CHANGES_NOT_FOUND : LAST_JOB_NOT_KNOWN;
  return gitHubStop(heading, cause, advice, next);
}

/**
 * The agent job that the prompt goes to under `pullRequest: append`, or why a new one is created. The
 * log says which. Throws a `RunError` when that cannot be known, but not under a named start.
 */
export async function chooseTarget(
  query: VerdictQuery,
  lastId: string | null | undefined,
): Promise<AppendTarget> {
  const { judge, readPull, runner, start } = query;
  const target = await findAppendTarget(lastId ?? undefined, judge, readPull).catch(
    (error: unknown): AppendTarget => {
      if (!(error instanceof GitHubError) && !(error instanceof RunError)) throw error;
      if (start === 'named') {
        const reason = withoutFullStop(messageOf(error.cause ?? error));
        return {
          appended: undefined,
          why: `A new agent job is needed, because where the last one stands is not known. ${reason}.`,
          isWarning: true,
        };
      }
      if (error instanceof RunError) throw error;
      throw lastJobNotKnown(error.message, error);
    },
  );
  if (target.appended === undefined) {
    if (target.isWarning) runner.annotate('warning', 'Docs agent: pull request', target.why);
    else runner.info(target.why);
    return target;
  }
  const { name, jobId } = target.appended;
  const job = quote(runner.clean(jobId));
  runner.info(`Pull request ${quote(name)} of agent job ${job} is open. The prompt goes to it.`);
  return target;
}
