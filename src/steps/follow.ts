/** Follows an agent job to its end. */
import { checkAccess } from '../agent/access.ts';
import { describeWait, lastActiveMs, waitForEnd } from '../agent/wait.ts';
import type { WaitPlan } from '../agent/wait-decision.ts';
import type { Known } from '../report/ending.ts';
import { pullRequestAt } from '../text/pull-request-link.ts';
import type { Calling, RunContext, Story } from './context.ts';

/** Whether the step waits for the end of the agent job: behind a newer run whatever `wait` says. */
export function waitsForEnd({ inputs, effects }: RunContext, isBehind: boolean): boolean {
  if (!inputs.wait && isBehind) {
    effects.runner.info('Later runs may not look at this one, so it waits for the agent job.');
  }
  return inputs.wait || isBehind;
}

/** What differs from wait to wait. */
export type FollowOptions = Pick<WaitPlan, 'origin' | 'isSingleRead'>;

/** Ends a dry run. The report shows the prompt. */
export async function* dryRun(context: RunContext, known: Known): Story {
  await checkKey(context);
  yield { ...known, ending: { kind: 'dry-run' } };
}

/** In a dry run, one free read of an agent job that cannot exist tells whether the key is good. */
export async function checkKey({ api, effects }: RunContext): Promise<void> {
  if (api !== undefined) await checkAccess(api, effects);
}

/** Follows an agent job that this attempt did not create, unless this is a dry run. */
export async function* follow(context: RunContext, known: Known, options: FollowOptions): Story {
  const { inputs, api } = context;
  if (inputs.dryRun || api === undefined) yield* dryRun(context, known);
  else yield* wait({ ...context, api }, known, options, 0, undefined);
}

/** Reads the agent job until it ends. `link` is that of the pull request that it was to add to. */
export async function* wait(
  context: Calling<RunContext>,
  before: Known,
  options: FollowOptions,
  firstPauseMs: number,
  link: string | undefined,
): Story {
  const { inputs, effects, api, deadline } = context;
  const { clock, runner, signal } = effects;
  const { pollIntervalMs, timeoutMs } = inputs;
  const plan: WaitPlan = { pollIntervalMs, deadline, ...options };
  const { job: first } = before;
  signal.throwIfAborted();
  runner.info(describeWait(first.id, plan, timeoutMs));
  const start = { job: first.status === '' ? undefined : first, firstPauseMs };
  const waited = await waitForEnd(plan, start, () => api.readJob(first.id), effects);
  const { reads: checks, job = first, lastError, wasSeen } = waited.state;
  const seen = { job, lastError, wasSeen, lastActiveMs: lastActiveMs(waited.state, clock) };
  const read: Known = { ...before, checks, ...seen };
  yield read;
  if ('error' in waited) throw waited.error;
  const ended: Known = { ...read, ending: waited.ending };
  yield ended;
  let known = ended;
  if (ended.record?.added !== undefined) {
    const { seeAddition } = await import('./addition.ts');
    known = await seeAddition(context, ended, link);
    yield known;
  }
  yield { ...known, docs: await docsPullOf(context, known) };
}

/** The longest time for what the summary says of the docs pull request, in ms. */
const DOCS_LIMIT_MS = 5_000;

/** What the agent did, for the summary. Where it cannot be read, nothing is said of it. */
async function docsPullOf(
  { github, facts, inputs }: RunContext,
  { job, ending }: Known,
): Promise<Known['docs']> {
  const isDone = ending?.kind === 'ended' && ending.end !== 'no-changes';
  const pull = isDone ? pullRequestAt(facts.serverUrl, job.prLink) : undefined;
  if (pull === undefined || inputs.githubToken === '') return undefined;
  try {
    return await (await github()).pullPages(pull.repository, Number(pull.number), DOCS_LIMIT_MS);
  } catch {
    return undefined;
  }
}
